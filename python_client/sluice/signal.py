# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms, of the innermost dimensions; windows and frames."""

from .ops.signal.signal import *  # noqa: F403
from .ops.signal.signal import __all__  # noqa: F401
