# SPDX-License-Identifier: Apache-2.0
"""Tensors: their shapes, their parts, and how they are made and joined."""

from .casting import *  # noqa: F403
from .casting import __all__ as _casting
from .cutting import *  # noqa: F403
from .cutting import __all__ as _cutting
from .filling import *  # noqa: F403
from .filling import __all__ as _filling
from .indexing import *  # noqa: F403
from .indexing import __all__ as _indexing
from .joining import *  # noqa: F403
from .joining import __all__ as _joining
from .moving import *  # noqa: F403
from .moving import __all__ as _moving
from .passing import *  # noqa: F403
from .passing import __all__ as _passing
from .ranges import *  # noqa: F403
from .ranges import __all__ as _ranges
from .searching import *  # noqa: F403
from .searching import __all__ as _searching
from .selecting import *  # noqa: F403
from .selecting import __all__ as _selecting
from .shapes import *  # noqa: F403
from .shapes import __all__ as _shapes
from .shaping import *  # noqa: F403
from .shaping import __all__ as _shaping

__all__ = [
    *_casting,
    *_cutting,
    *_filling,
    *_indexing,
    *_joining,
    *_moving,
    *_passing,
    *_ranges,
    *_searching,
    *_selecting,
    *_shapes,
    *_shaping,
]
