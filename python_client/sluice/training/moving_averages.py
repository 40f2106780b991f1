# SPDX-License-Identifier: Apache-2.0
"""Averages of variables over the steps."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import add_to_collection, control_dependencies, name_scope
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops import math
from ..ops.control_flow.grouping import group
from ..ops.state.listing import global_variables, trainable_variables
from ..ops.state.updates import assign_sub
from ..ops.state.variables import Variable
from .slots import create_slot, create_zeros_slot


class ExponentialMovingAverage:
    """Averages of variables or tensors over the steps: shadow = decay * shadow + (1 - decay) *
    value.

    Args:
        decay: The decay, a float.
        num_updates: A step, so that decay is at most (1 + n) / (10 + n). None: decay is constant.
        zero_debias: Whether shadows of tensors, which start at 0, are corrected. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, decay, num_updates=None, zero_debias=False,
                 name="ExponentialMovingAverage"):  # fmt: skip
        self._decay, self._num_updates, self._name = decay, num_updates, name
        self._zero_debias = zero_debias
        self._averages = {}
        self._debiased = {}

    @property
    def name(self):
        """The name of the operations, a str."""
        return self._name

    def apply(self, var_list=None):
        """Makes shadows, and adds an operation that updates them.

        Args:
            var_list: Variables or tensors of a floating-point dtype. None: the trainable variables.

        Returns:
            The Operation.

        Raises:
            ValueError: A dtype is not floating-point.
        """
        var_list = trainable_variables() if var_list is None else list(var_list)
        for var in var_list:
            if not var.dtype.is_floating:
                raise TypeError(f"{var.name} is {var.dtype.name}: only floats have averages")
            if var not in self._averages:
                self._averages[var] = self._make_shadow(var)
        with name_scope(self._name) as scope:
            decay = convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                n = arrays.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = math.minimum(decay, (1.0 + n) / (10.0 + n))
            return group(*[self._update(var, decay) for var in var_list], name=scope)

    def _make_shadow(self, var):
        with control_dependencies(None):
            if isinstance(var, Variable):
                add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                return create_slot(var, var.initialized_value(), self._name)
            shadow = create_zeros_slot(var, self._name)
            if self._zero_debias:
                self._debiased[var] = Variable(
                    arrays.ones([], var.dtype), trainable=False, name=shadow.op.name + "/bias"
                )
        return shadow

    def _update(self, var, decay):
        shadow = self._averages[var]
        with name_scope("AssignMovingAvg") as scope:
            rate = arrays.cast(convert_to_tensor(1.0 - decay, name="decay"), var.dtype)
            update = assign_sub(shadow, (shadow - var) * rate, name=scope)
            if var in self._debiased:
                bias = self._debiased[var]
                return group(update, bias.assign(bias.value() * (1.0 - rate)))
            return update

    def average(self, var):
        """Returns the average of a variable or tensor.

        Args:
            var: A variable or tensor.

        Returns:
            The shadow, a variable, or with zero_debias a tensor; None if there is none.
        """
        shadow = self._averages.get(var)
        if var in self._debiased:
            return math.divide_no_nan(shadow.value(), 1 - self._debiased[var].value())
        return shadow

    def average_name(self, var):
        """Returns the name that the shadow has, or will have.

        Args:
            var: A variable or tensor.

        Returns:
            A str.
        """
        if var in self._averages:
            return self._averages[var].op.name
        return f"{var.op.name}/{self._name}"

    def variables_to_restore(self, moving_avg_variables=None):
        """Returns what a Saver takes to load the averages in place of the variables.

        Args:
            moving_avg_variables: Variables with an average. None: the trainable variables.

        Returns:
            A dict: name -> variable.
        """
        averaged = moving_avg_variables
        averaged = trainable_variables() if averaged is None else list(averaged)
        names = {self.average_name(v): v for v in averaged}
        shadows = {s.op.name for s in self._averages.values()}
        for var in global_variables():
            if var not in averaged and var.op.name not in names and var.op.name not in shadows:
                names[var.op.name] = var
        return names
