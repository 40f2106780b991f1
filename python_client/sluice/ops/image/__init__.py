"""Images."""

from .image import *  # noqa: F403
from .image import __all__  # noqa: F401
