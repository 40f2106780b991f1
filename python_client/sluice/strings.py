# SPDX-License-Identifier: Apache-2.0
"""Strings: bytes, element by element. Values come out as NumPy arrays of bytes."""

from .ops.strings.ragged import *  # noqa: F403
from .ops.strings.ragged import __all__ as _ragged
from .ops.strings.strings import *  # noqa: F403
from .ops.strings.strings import __all__ as _strings

__all__ = [*_ragged, *_strings]
