# SPDX-License-Identifier: Apache-2.0
"""Losses: each is reduced to one number, weighted, and put in the collection of losses.

weights: one number, or a tensor that is broadcast against the losses; 0 leaves an element out.
"""

from .ops.nn.losses import *  # noqa: F403
from .ops.nn.losses import __all__  # noqa: F401
