# SPDX-License-Identifier: Apache-2.0
"""Optimizers of sluice.train in models of Keras."""

from ...graph.default_graph import name_scope
from ...training.optimizer import Optimizer as TrainOptimizer
from ..base import state
from .optimizers import Optimizer


class TFOptimizer(Optimizer):
    """An optimizer of sluice.train, as models use it.

    Args:
        optimizer: The optimizer.
    """

    def __init__(self, optimizer):
        super().__init__("TFOptimizer")
        self.optimizer = optimizer

    def get_gradients(self, loss, params):
        return [gradient for gradient, _ in self.optimizer.compute_gradients(loss, params)]

    def apply_gradients(self, grads_and_vars, name=None):
        with name_scope("TFOptimizer"):
            updated = self.optimizer.apply_gradients(grads_and_vars, self.iterations, name)
        for variable in self.optimizer.variables():
            state.track_variable(variable)
        return updated

    def checkpoint_children(self):
        return [*super().checkpoint_children(), ("optimizer", self.optimizer)]

    @property
    def weights(self):
        """NotImplementedError: its variables are those of the optimizer."""
        raise NotImplementedError

    def get_config(self):
        raise NotImplementedError


def adapted(optimizer):
    """The optimizer of Keras of one of sluice.train; None for anything else."""
    return TFOptimizer(optimizer) if isinstance(optimizer, TrainOptimizer) else None
