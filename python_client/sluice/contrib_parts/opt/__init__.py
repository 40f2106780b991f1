# SPDX-License-Identifier: Apache-2.0
"""Optimizers that only contrib has."""

from ... import modules
from . import averages, decay, variants

_SOURCES = {
    averages: "MovingAverageOptimizer",
    decay: "AdamWOptimizer DecoupledWeightDecayExtension MomentumWOptimizer"
    " extend_with_decoupled_weight_decay",
    variants: "AdaMaxOptimizer LazyAdamOptimizer NadamOptimizer",
}

module = modules.make(
    "contrib.opt",
    "Optimizers: variants of Adam, weights that decay, and averages of variables.",
    {name: getattr(source, name) for source, names in _SOURCES.items() for name in names.split()},
)
