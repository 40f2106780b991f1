"""Tensors: their shapes, their parts, and how they are made and joined."""

from .arrays import *  # noqa: F403
from .arrays import __all__  # noqa: F401
