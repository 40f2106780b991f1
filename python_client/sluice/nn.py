# SPDX-License-Identifier: Apache-2.0
"""Neural network functions: activations, normalisation, losses. Images are [batch, height, width,
channels]."""

from .ops.nn import *  # noqa: F403
from .ops.nn import __all__  # noqa: F401
