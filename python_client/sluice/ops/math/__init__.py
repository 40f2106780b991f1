"""Arithmetic, element-wise functions, reductions and segments."""

from .math import *  # noqa: F403
from .math import __all__  # noqa: F401
