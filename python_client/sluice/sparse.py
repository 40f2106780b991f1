# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors: the places that are not zero, and what stands there."""

from .ops.sparse import *  # noqa: F403
from .ops.sparse import __all__  # noqa: F401
