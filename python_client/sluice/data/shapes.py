# SPDX-License-Identifier: Apache-2.0
"""Structures as the attributes of operations."""

from ..graph.tensor_shape import dims_of
from ..ops.functions.functions import TensorSpec
from . import specs


def scalar(dtype):
    """The spec of a scalar."""
    return TensorSpec([], dtype)


def shapes_of(structure):
    """The attributes output_types and output_shapes of an operation that gives elements."""
    return {
        "output_types": specs.flat_types(structure),
        "output_shapes": [dims_of(shape) for shape in specs.flat_shapes(structure)],
    }
