"""Strings: bytes, element by element. Values come out as NumPy arrays of bytes."""

from .ops.string.strings import *  # noqa: F403
from .ops.string.strings import __all__  # noqa: F401
