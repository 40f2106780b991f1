# SPDX-License-Identifier: Apache-2.0
"""Metrics over many steps: each gives (value, update). The update adds a batch and is the new
value; local_variables_initializer() begins anew."""

from .training.metrics import *  # noqa: F403
from .training.metrics import __all__  # noqa: F401
