# SPDX-License-Identifier: Apache-2.0
"""Numbers of few bits: quantised, and floats that were."""

from .ops.array.quantization import *  # noqa: F403
from .ops.array.quantization import __all__  # noqa: F401
