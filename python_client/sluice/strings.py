# SPDX-License-Identifier: Apache-2.0
"""Strings: bytes, element by element. Values come out as NumPy arrays of bytes."""

from .ops.strings.strings import *  # noqa: F403
from .ops.strings.strings import __all__  # noqa: F401
