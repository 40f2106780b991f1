# SPDX-License-Identifier: Apache-2.0
"""The dimensions of a tensor by their numbers."""

import numpy as np

from ...graph.convert import constant
from ...graph.elements import Tensor
from . import ranges
from .shapes import rank


def all_axes(x):
    """The numbers of a tensor's dimensions as a vector."""
    if not isinstance(x, Tensor) or x.shape.ndims is None:  # TensorFlow counts variables' so too
        return ranges.range(0, rank(x))
    return constant(np.arange(x.shape.ndims, dtype=np.int32))
