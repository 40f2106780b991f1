# SPDX-License-Identifier: Apache-2.0
"""Metrics over many steps: each gives (value, update). The update adds a batch and is the new
value; local_variables_initializer() begins anew."""

from .training import metrics as _metrics
from .training import ranked_metrics as _ranked
from .training import threshold_metrics as _at_thresholds
from .training.metrics import *  # noqa: F403
from .training.ranked_metrics import *  # noqa: F403
from .training.threshold_metrics import *  # noqa: F403

__all__ = [*_metrics.__all__, *_ranked.__all__, *_at_thresholds.__all__]
