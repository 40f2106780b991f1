# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells: each gives (output, new state) of (inputs, state)."""

from .ops.rnn.rnn_cell import *  # noqa: F403
from .ops.rnn.rnn_cell import __all__  # noqa: F401
