# SPDX-License-Identifier: Apache-2.0
"""Numbers of few bits: quantised, and floats that were."""

from .ops.quantized.quantization import *  # noqa: F403
from .ops.quantized.quantization import __all__  # noqa: F401
