# SPDX-License-Identifier: Apache-2.0
"""Bits of integers."""

from .ops.math.bitwise import *  # noqa: F403
from .ops.math.bitwise import __all__  # noqa: F401
