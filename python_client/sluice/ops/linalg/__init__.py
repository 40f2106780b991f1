"""Matrices."""

from .linalg import *  # noqa: F403
from .linalg import __all__  # noqa: F401
