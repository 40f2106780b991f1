# SPDX-License-Identifier: Apache-2.0
"""An optimizer that keeps moving averages of the variables that it changes."""

from ...graph.default_graph import control_dependencies
from ...ops.control_flow.grouping import group
from ...ops.state.listing import global_variables
from ...training.moving_averages import ExponentialMovingAverage
from ...training.optimizer import Optimizer
from ...training.saver import Saver


class MovingAverageOptimizer(Optimizer):
    """Another optimizer, and averages of the variables, which swapping_saver() saves.

    Args:
        opt: The Optimizer.
        average_decay: Weight of the old value in the averages, a float.
        num_updates: How many updates there were, a scalar: see ExponentialMovingAverage. None: the
            weight is always average_decay.
        sequential_update: Whether averages are of the variables after the step. False: both happen
            at the same time. A bool.
    """

    def __init__(self, opt, average_decay=0.9999, num_updates=None, sequential_update=True):
        super().__init__(False, "MovingAverageOptimizer")
        self._optimizer, self._sequential_update = opt, sequential_update
        self._averages = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped = None

    def compute_gradients(self, *args, **kwargs):
        """Computes gradients by the other optimizer.

        Args:
            *args: Arguments of its compute_gradients().
            **kwargs: Further ones.

        Returns:
            A list of pairs of a gradient and a variable.
        """
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Makes an operation that changes variables and their averages.

        Args:
            grads_and_vars: A list of pairs of a gradient and a variable.
            global_step: Variable that counts steps. None: none.
            name: Name of the operation, a str. None: a default name.

        Returns:
            An Operation.
        """
        grads_and_vars = list(grads_and_vars)
        step = self._optimizer.apply_gradients(grads_and_vars, global_step, name)
        changed = [variable for grad, variable in grads_and_vars if grad is not None]
        with control_dependencies([step] if self._sequential_update else []):
            averaged = self._averages.apply(changed)
        self._swapped = {v.op.name: self._averages.average(v) for v in changed}
        return group(step, averaged, name="train_with_avg")

    def swapping_saver(self, var_list=None, name="swapping_saver", **kwargs):
        """Makes a Saver that saves averages in place of variables, and the other way round.

        Args:
            var_list: Variables, a list, or a dict: name -> variable. None: all.
            name: Name of the operations, a str.
            **kwargs: Further arguments of Saver.

        Returns:
            A Saver.

        Raises:
            RuntimeError: apply_gradients() was not called yet.
            ValueError: An average is not among the variables.
        """
        if self._swapped is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        chosen = global_variables() if var_list is None else var_list
        if not isinstance(chosen, dict):
            chosen = {variable.op.name: variable for variable in chosen}
        other = {}
        for variable_name, average in self._swapped.items():
            if variable_name in chosen:
                other[variable_name] = average.op.name
                other[average.op.name] = variable_name
        missing = [key for key in other if key not in chosen]
        if missing:
            raise ValueError(f"Variable to swap {missing[0]} is not part of variables to save.")
        swapped = {key: chosen[other.get(key, key)] for key in chosen}
        return Saver(swapped, name=name, **kwargs)
