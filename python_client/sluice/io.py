# SPDX-License-Identifier: Apache-2.0
"""Files and bytes."""

from .ops.io.io import *  # noqa: F403
from .ops.io.io import __all__  # noqa: F401
