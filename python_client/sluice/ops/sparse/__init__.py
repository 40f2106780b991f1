"""Sparse tensors."""

from .sparse import *  # noqa: F403
from .sparse import __all__  # noqa: F401
