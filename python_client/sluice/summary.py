# SPDX-License-Identifier: Apache-2.0
"""Summaries: serialised values for dashboards, and the event files they go to."""

from .training.summary import *  # noqa: F403
from .training.summary import __all__  # noqa: F401
