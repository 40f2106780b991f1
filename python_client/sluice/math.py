# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, comparison, special functions, reductions, scans and segments."""

from .ops.math import *  # noqa: F403
from .ops.math import __all__  # noqa: F401
