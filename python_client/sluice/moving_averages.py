"""Averages of variables over the steps."""

from . import arrays, math
from .convert import convert_to_tensor
from .graph import (
    GraphKeys,
    add_to_collection,
    colocate_with,
    control_dependencies,
    get_default_graph,
    name_scope,
)
from .variables import Variable, global_variables, trainable_variables


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
                raise ValueError(f"{var.name} is {var.dtype.name}: only floats have averages")
            if var not in self._averages:
                self._averages[var] = self._make_shadow(var)
        with name_scope(self._name) as scope:
            updates = [self._update(var) for var in var_list]
            return arrays.group(*updates, name=scope)

    def _make_shadow(self, var):
        graph = get_default_graph()
        name = f"{var.op.name}/{self._name}"
        with control_dependencies(None), graph.name_scope(None):
            with colocate_with(var.op, ignore_existing=True):
                of_variable = isinstance(var, Variable)
                value = var.initial_value if of_variable else arrays.zeros(var.shape.as_list(),
                                                                           var.dtype)  # fmt: skip
                resource = of_variable and var._is_resource
                shadow = Variable(value, trainable=False, name=name, use_resource=resource)
                if not of_variable and self._zero_debias:
                    self._debiased[var] = Variable(
                        arrays.ones([], var.dtype), trainable=False, name=name + "/bias"
                    )
        if of_variable:
            add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
        return shadow

    def _update(self, var):
        shadow = self._averages[var]
        with colocate_with(shadow.op):
            decay = convert_to_tensor(self._decay, var.dtype)
            if self._num_updates is not None:
                n = arrays.cast(convert_to_tensor(self._num_updates), var.dtype)
                decay = math.minimum(decay, (1 + n) / (10 + n))
            update = shadow.assign_sub((shadow.value() - var) * (1 - decay))
            if var in self._debiased:
                bias = self._debiased[var]
                return arrays.group(update, bias.assign(bias.value() * decay))
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
