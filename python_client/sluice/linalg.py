# SPDX-License-Identifier: Apache-2.0
"""Matrices. The last two dimensions are the matrix, those before them are batches."""

from .linear_operators import *  # noqa: F403
from .linear_operators import __all__ as _operators
from .ops.linalg import *  # noqa: F403
from .ops.linalg import __all__ as _functions

__all__ = [*_functions, *_operators]
