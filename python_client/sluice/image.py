"""Images: [batch, height, width, channels], or one without the batch where that is said.

Long because: the docstring of each function stands beside it.
"""

from .ops.image import *  # noqa: F403
from .ops.image import __all__  # noqa: F401
