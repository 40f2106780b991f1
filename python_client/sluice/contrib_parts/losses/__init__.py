# SPDX-License-Identifier: Apache-2.0
"""Losses under older names and orders of arguments, and losses of embeddings."""

from ... import modules
from ...ops.nn import losses as of_nn
from . import embeddings, older

metric_learning = modules.make(
    "contrib.losses.metric_learning",
    "Losses of embeddings: those of one class are near each other.",
    {name: getattr(embeddings, name) for name in embeddings.__all__},
)
NAMES = {
    **{name: getattr(older, name) for name in older.__all__},
    **{name: getattr(of_nn, name) for name in """
        get_losses get_regularization_losses get_total_loss
    """.split()},
    "add_loss": older.add_loss,
    "metric_learning": metric_learning,
}  # fmt: skip
module = modules.make(
    "contrib.losses", "Losses under older names: predictions come before labels.", NAMES
)
