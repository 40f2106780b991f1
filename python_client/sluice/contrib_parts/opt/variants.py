# SPDX-License-Identifier: Apache-2.0
"""Variants of Adam."""

from ...graph.default_graph import colocate_with, control_dependencies, get_default_graph
from ...graph.elements import IndexedSlices
from ...ops import array as arrays
from ...ops import math
from ...ops.control_flow.grouping import group
from ...ops.functions.tracing import outermost
from ...training.optimizers import AdamOptimizer


class LazyAdamOptimizer(AdamOptimizer):
    """Adam whose moments of rows without a gradient stay as they are.

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        beta1: Decay of the average of gradients, a float.
        beta2: Decay of the average of squares, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        power1, power2 = self._powers(var)
        rate, beta1, beta2, epsilon = (
            self._number(argument, var) for argument in ("lr", "beta1", "beta2", "epsilon")
        )
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        first = beta1 * arrays.gather(m, indices) + (1 - beta1) * grad
        second = beta2 * arrays.gather(v, indices) + (1 - beta2) * math.square(grad)
        step = rate * first / (math.sqrt(second) + epsilon)
        with control_dependencies([step]):
            return group(
                var.scatter_sub(IndexedSlices(step, indices), use_locking=self._use_locking),
                m.scatter_update(IndexedSlices(first, indices), use_locking=self._use_locking),
                v.scatter_update(IndexedSlices(second, indices), use_locking=self._use_locking),
            )


class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum (Dozat, 2016).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        beta1: Decay of the average of gradients, a float.
        beta2: Decay of the average of squares, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="Adam"):  # fmt: skip
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._attrs = {"use_nesterov": True}

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        power1, power2 = self._powers(var)
        rate, beta1, beta2, epsilon = (
            self._number(argument, var) for argument in ("lr", "beta1", "beta2", "epsilon")
        )
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        scaled = grad * (1 - beta1)
        first = self._moment(var, "m", beta1, scaled, indices, scatter_add)
        ahead = scaled + beta1 * arrays.gather(first, indices)
        second = self._moment(var, "v", beta2, grad * grad * (1 - beta2), indices, scatter_add)
        root = math.sqrt(arrays.gather(second, indices))
        update = scatter_add(var, indices, -rate * ahead / (root + epsilon))
        return group(update, ahead, second)


class AdaMaxOptimizer(AdamOptimizer):
    """AdaMax: Adam with the largest of recent gradients in place of their squares (Kingma and Ba,
    2015).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        beta1: Decay of the average of gradients, a float.
        beta2: Decay of the largest gradient, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    _op = "ApplyAdaMax"

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="AdaMax"):  # fmt: skip
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, "beta1_power", first)
        for var in var_list:
            self._zeros_slot(var, "m", self.get_name())
            self._zeros_slot(var, "v", self.get_name())

    def _get_beta_accumulators(self):
        return self._get_non_slot_variable("beta1_power", outermost(get_default_graph()))

    def _arguments(self, var):
        power = arrays.cast(self._get_beta_accumulators(), var.dtype)
        numbers = ("lr", "beta1", "beta2", "epsilon")
        return {"beta1_power": power, **{name: self._number(name, var) for name in numbers}}

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        power = arrays.cast(self._get_beta_accumulators(), var.dtype)
        rate, beta1, beta2, epsilon = (
            self._number(argument, var) for argument in ("lr", "beta1", "beta2", "epsilon")
        )
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        first = arrays.gather(m, indices) * beta1 + grad * (1 - beta1)
        second = math.maximum(arrays.gather(v, indices) * beta2, math.abs(grad))
        step = -rate / (1 - power) * (first / (second + epsilon))
        with control_dependencies([step]):
            return group(
                scatter_add(var, indices, step),
                m.scatter_update(IndexedSlices(first, indices), use_locking=self._use_locking),
                v.scatter_update(IndexedSlices(second, indices), use_locking=self._use_locking),
            )

    def _finish(self, update_ops, name_scope):
        power = self._get_beta_accumulators()
        with control_dependencies(update_ops), colocate_with(power.op):
            changed = power.assign(power * self._tensor("beta1"), use_locking=self._use_locking)
        return group(*update_ops, changed, name=name_scope)
