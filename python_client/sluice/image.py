# SPDX-License-Identifier: Apache-2.0
"""Images: [batch, height, width, channels], or one without the batch where that is said."""

from .ops.image import *  # noqa: F403
from .ops.image import __all__  # noqa: F401
