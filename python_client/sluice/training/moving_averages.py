# SPDX-License-Identifier: Apache-2.0
"""Averages of variables over the steps."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import (
    add_to_collection,
    colocate_with,
    control_dependencies,
    name_scope,
)
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops import math
from ..ops.control_flow.grouping import group
from ..ops.state import initializers
from ..ops.state.listing import (
    global_variables,
    moving_average_variables,
    trainable_variables,
)
from ..ops.state.updates import assign_add, assign_sub
from ..ops.state.variable_scope import get_variable, variable_scope
from ..ops.state.variables import Variable
from .slots import create_slot, create_zeros_slot


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """Moves a variable towards a value.

    Args:
        variable: The variable.
        value: A tensor.
        decay: Weight of the old value, a float or a scalar.
        zero_debias: Whether the first values are corrected for a variable that starts at 0, by two
            more variables. A bool.
        name: Name of the operations, a str. None: a default name.

    Returns:
        What assign_sub() of the variable returns.
    """
    with name_scope(name or "AssignMovingAvg") as scope, colocate_with(variable.op):
        rate = arrays.cast(convert_to_tensor(1.0 - decay, name="decay"), variable.dtype)
        value = arrays.cast(value, variable.dtype)
        if not zero_debias:
            return variable.assign_sub((variable - value) * rate, name=scope)
        with variable_scope(variable.op.name, values=[variable, value, rate]):
            start = {"initializer": initializers.zeros(), "trainable": False}
            biased = get_variable("biased", variable.shape, variable.dtype, **start)
            step = get_variable("local_step", [], variable.dtype, **start)
        return _corrected(variable, value, rate, biased, step, scope)


def _corrected(average, value, rate, biased, step, scope):
    """Moves an average by a biased one that starts at 0, and the number of its updates."""
    updates = [assign_sub(biased, (biased - value) * rate), assign_add(step, 1)]
    with control_dependencies(updates):
        share = 1.0 - math.pow(1.0 - rate, step.read_value())
        return assign_sub(average, average - biased.read_value() / share, name=scope)


def weighted_moving_average(value, decay, weight, truediv=True, collections=None, name=None):
    """Averages values, of which each step gives the weight.

    Args:
        value: A tensor.
        decay: Weight of the old average, a float or a scalar.
        weight: Weight of the value, a tensor.
        truediv: Whether integers are divided as floats. A bool.
        collections: Collections of the two variables that it makes, a list. None: the global ones.
        name: Name of the operations and variables, a str. None: "WeightedMovingAvg".

    Returns:
        The average, a tensor.
    """
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]):
        start = {
            "initializer": initializers.zeros(), "trainable": False, "collections": collections,
        }  # fmt: skip
        value, weight = convert_to_tensor(value), convert_to_tensor(weight)
        of_values = get_variable("value_x_weight", value.shape, value.dtype, **start)
        of_weights = get_variable("weight", weight.shape, weight.dtype, **start)
        above = assign_moving_average(of_values, value * weight, decay, zero_debias=False)
        below = assign_moving_average(of_weights, weight, decay, zero_debias=False)
        return math.truediv(above, below) if truediv else math.div(above, below)


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
        self._biased = {}  # with zero_debias: tensor -> its biased shadow, how many updates

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
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
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
                self._biased[var] = [
                    Variable(
                        arrays.zeros(shape, var.dtype), trainable=False,
                        name=f"{shadow.op.name}/{name}",
                    )
                    for name, shape in (("biased", shadow.shape), ("local_step", []))
                ]  # fmt: skip
        return shadow

    def _update(self, var, decay):
        shadow = self._averages[var]
        with name_scope("AssignMovingAvg") as scope:
            rate = arrays.cast(convert_to_tensor(1.0 - decay, name="decay"), var.dtype)
            if var not in self._biased:
                return assign_sub(shadow, (shadow - var) * rate, name=scope)
            return _corrected(shadow, var, rate, *self._biased[var], scope)

    def average(self, var):
        """Returns the average of a variable or tensor.

        Args:
            var: A variable or tensor.

        Returns:
            The shadow, a variable; None if there is none.
        """
        return self._averages.get(var)

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
            moving_avg_variables: Variables with an average. None: the trainable variables, and
                those that apply() was given.

        Returns:
            A dict: name -> variable.
        """
        averaged = moving_avg_variables
        if averaged is None:
            averaged = trainable_variables() + moving_average_variables()
        names = {self.average_name(v): v for v in averaged}
        own = {v.name for v in averaged}
        for var in global_variables():
            if var.name not in own and var.op.name not in names:
                names[var.op.name] = var
        return names
