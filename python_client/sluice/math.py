# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, comparison, special functions, reductions, scans and segments."""

from .ops.array.moving import invert_permutation  # noqa: F401
from .ops.math import *  # noqa: F403
from .ops.math import __all__ as _math
from .ops.nn.confusion import confusion_matrix  # noqa: F401
from .ops.nn.ranking import in_top_k, top_k  # noqa: F401
from .ops.nn.sparsity import zero_fraction  # noqa: F401

__all__ = [*_math, "confusion_matrix", "in_top_k", "invert_permutation", "top_k", "zero_fraction"]
