# SPDX-License-Identifier: Apache-2.0
"""Matrices. The last two dimensions are the matrix, those before them are batches."""

from .ops.linalg import *  # noqa: F403
from .ops.linalg import __all__  # noqa: F401
