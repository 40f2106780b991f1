"""Arithmetic, comparison, special functions, reductions, scans and segments.

Long because: the docstring of each function stands beside it.
"""

from .ops.math import *  # noqa: F403
from .ops.math import __all__  # noqa: F401
