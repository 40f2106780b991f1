# SPDX-License-Identifier: Apache-2.0
"""Averages of variables over the steps."""

from .. import dtypes
from ..graph.convert import convert_to_tensor, is_resource_variable
from ..graph.default_graph import add_to_collection, control_dependencies, name_scope
from ..graph.keys import GraphKeys
from ..graph.seeds import count_more_nodes
from ..ops import array as arrays
from ..ops import math
from ..ops.control_flow.grouping import group
from ..ops.state.listing import (
    global_variables,
    moving_average_variables,
    trainable_variables,
)
from ..ops.state.updates import assign_add, assign_sub
from ..ops.state.variables import Variable
from .slots import create_slot, create_zeros_slot

_GUARDED = 12  # more nodes of 1.15, which asks again whether a variable has its value


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
                if not is_resource_variable(var):
                    count_more_nodes(_GUARDED)
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
            biased, step = self._biased[var]
            updates = [assign_sub(biased, (biased - var) * rate), assign_add(step, 1)]
            with control_dependencies(updates):
                share = 1.0 - math.pow(1.0 - rate, step.read_value())
                return assign_sub(shadow, shadow - biased.read_value() / share, name=scope)

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
