# SPDX-License-Identifier: Apache-2.0
"""The optimizers: dense and sparse gradients, reference and resource variables."""

from ..graph.convert import constant, convert_to_tensor, is_resource_variable
from ..graph.default_graph import colocate_with, control_dependencies, device, get_default_graph
from ..graph.elements import IndexedSlices
from ..ops import array as arrays
from ..ops import math, raw_ops
from ..ops.building import with_names
from ..ops.control_flow.grouping import group
from ..ops.functions.tracing import outermost
from ..ops.state import initializers
from .optimizer import Optimizer


class _OneOp:
    """The part of an optimizer whose update is one op: [Resource][Sparse]<op>.

    numbers: argument of the op -> (name of the tensor, its value). slots: argument of the op ->
    (name of the slot, what makes it). attrs: more attributes of the op. The numbers and tensors are
    attributes too, by the names that they have in TensorFlow: derived classes of programs use them.
    """

    _op = ""
    _gradient = "grad"  # the op's argument for it
    _short_names = False  # of attributes: _lr and _lr_t, not _learning_rate, _learning_rate_tensor

    def __init__(self, use_locking, name, numbers, slots=None, attrs=None):
        super().__init__(use_locking, name)
        self._numbers, self._slots_of, self._attrs = numbers, slots or {}, attrs or {}
        for argument, (_, value) in numbers.items():
            setattr(self, self._value_name(argument), value)
            setattr(self, self._tensor_name(argument), None)

    def _value_name(self, argument):
        return f"_{argument if self._short_names else self._numbers[argument][0]}"

    def _tensor_name(self, argument):
        return self._value_name(argument) + ("_t" if self._short_names else "_tensor")

    def _create_slots(self, var_list):
        for var in var_list:
            for slot, make in self._slots_of.values():
                make(self, var, slot)

    def _prepare(self):
        for argument, (name, _) in self._numbers.items():
            value = self._call_if_callable(getattr(self, self._value_name(argument)))
            setattr(self, self._tensor_name(argument), convert_to_tensor(value, name=name))

    def _tensor(self, argument):
        return getattr(self, self._tensor_name(argument))

    def _number(self, argument, var):
        return arrays.cast(self._tensor(argument), var.dtype)

    def _arguments(self, var):
        """The op's arguments besides the variable, its slots and the gradient."""
        return {argument: self._number(argument, var) for argument in self._numbers}

    def _update(self, grad, var, **rows):
        kept = {"var": var, **{a: self.get_slot(var, s) for a, (s, _) in self._slots_of.items()}}
        resource = is_resource_variable(var)
        result = raw_ops.apply_op(
            ("Resource" if resource else "") + ("Sparse" if rows else "") + self._op,
            **{a: v.handle if resource else v for a, v in kept.items()},
            **{self._gradient: grad}, **rows, **self._arguments(var), **self._attrs,
            use_locking=self._use_locking,
        )  # fmt: skip
        return result if resource else result.op

    _apply_dense = _resource_apply_dense = _update

    def _apply_sparse(self, grad, var):
        return self._update(grad.values, var, indices=grad.indices)

    def _resource_apply_sparse(self, grad, var, indices):
        return self._update(grad, var, indices=indices)


def _zeros(optimizer, var, slot):
    optimizer._zeros_slot(var, slot, optimizer.get_name())


def _initialized(initializer):
    def make(optimizer, var, slot):
        optimizer._get_or_make_slot_with_initializer(
            var, initializer, var.shape, var.dtype, slot, optimizer.get_name()
        )

    return make


def _filled(value, name=None):
    """Makes a slot full of one value. name: in place of the optimizer's."""

    def make(optimizer, var, slot):
        if optimizer.get_slot(var, slot) is None:
            with colocate_with(var.op):
                full = constant(value, var.dtype, shape=var.shape.as_list())
            optimizer._get_or_make_slot(var, full, slot, name or optimizer.get_name())

    return make


class GradientDescentOptimizer(_OneOp, Optimizer):
    """Gradient descent: v -= learning_rate * gradient.

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.

    Example:
        >>> v = sl.Variable(1.0)
        >>> step = sl.train.GradientDescentOptimizer(0.5).minimize(v * v)
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     session.run(step)
        ...     print(session.run(v))
        0.0
    """

    _op, _gradient = "ApplyGradientDescent", "delta"

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name, {"alpha": ("learning_rate", learning_rate)})

    def _apply_sparse_duplicate_indices(self, grad, var):
        step = grad.values * self._number("alpha", var)
        delta = IndexedSlices(step, grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad, var, indices):
        step = -grad * self._call_if_callable(self._learning_rate)
        return raw_ops.ResourceScatterAdd(resource=var.handle, indices=indices, updates=step)


class MomentumOptimizer(_OneOp, Optimizer):
    """Gradient descent with momentum: m = momentum * m + gradient; v -= learning_rate * m.

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        momentum: The momentum, a float or a scalar tensor.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
        use_nesterov: Whether Nesterov's form is used (Sutskever et al., 2013). A bool.

    Example:
        >>> v = sl.Variable(1.0)
        >>> step = sl.train.MomentumOptimizer(0.5, 0.9).minimize(v * v)
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     session.run(step)
        ...     print(session.run(v))
        0.0
    """

    _op = "ApplyMomentum"

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum",
                 use_nesterov=False):  # fmt: skip
        numbers = {"lr": ("learning_rate", learning_rate), "momentum": ("momentum", momentum)}
        slots = {"accum": ("momentum", _zeros)}
        super().__init__(use_locking, name, numbers, slots, {"use_nesterov": use_nesterov})
        self._use_nesterov = use_nesterov


class AdamOptimizer(_OneOp, Optimizer):
    """Adam: steps by moving averages of gradients and of their squares (Kingma and Ba, 2015).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        beta1: Decay of the average of gradients, a float.
        beta2: Decay of the average of squares, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.

    Example:
        >>> v = sl.Variable(1.0)
        >>> step = sl.train.AdamOptimizer(0.5).minimize(v * v)
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     session.run(step)
        ...     print(round(float(session.run(v)), 4))
        0.5
    """

    _op, _short_names = "ApplyAdam", True

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="Adam"):  # fmt: skip
        numbers = {
            "lr": ("learning_rate", learning_rate), "beta1": ("beta1", beta1),
            "beta2": ("beta2", beta2), "epsilon": ("epsilon", epsilon),
        }  # fmt: skip
        super().__init__(use_locking, name, numbers, {"m": ("m", _zeros), "v": ("v", _zeros)})

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        for name, beta in (("beta1_power", self._beta1), ("beta2_power", self._beta2)):
            self._create_non_slot_variable(self._call_if_callable(beta), name, first)
        super()._create_slots(var_list)

    def _get_beta_accumulators(self):
        graph = outermost(get_default_graph())
        return [self._get_non_slot_variable(f"beta{i}_power", graph) for i in (1, 2)]

    def _powers(self, var):
        return [arrays.cast(power, var.dtype) for power in self._get_beta_accumulators()]

    def _arguments(self, var):
        power1, power2 = self._powers(var)
        return {"beta1_power": power1, "beta2_power": power2, **super()._arguments(var)}

    def _apply_sparse(self, grad, var):
        return self._apply_sparse_shared(grad.values, var, grad.indices, self._scatter_add)

    def _resource_apply_sparse(self, grad, var, indices):
        return self._apply_sparse_shared(grad, var, indices, self._resource_scatter_add)

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        """Every row's moments decay; those that have a gradient are added to.

        scatter_add: a function of a variable, indices and rows, which returns the new value.
        """
        power1, power2 = self._powers(var)
        rate, beta1, beta2, epsilon = (
            self._number(argument, var) for argument in ("lr", "beta1", "beta2", "epsilon")
        )
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        first = self._moment(var, "m", beta1, grad * (1 - beta1), indices, scatter_add)
        second = self._moment(var, "v", beta2, (grad * grad) * (1 - beta2), indices, scatter_add)
        step = rate * first / (math.sqrt(second) + epsilon)
        update = var.assign_sub(step, use_locking=self._use_locking)
        return group(update, first, second)

    def _moment(self, var, name, beta, rows, indices, scatter_add):
        """The slot after it has decayed and `rows` were added to it."""
        slot = self.get_slot(var, name)
        decayed = slot.assign(slot * beta, use_locking=self._use_locking)
        with control_dependencies([decayed]):
            return scatter_add(slot, indices, rows)

    def _scatter_add(self, x, i, v):
        return x.scatter_add(IndexedSlices(v, i), use_locking=self._use_locking)

    def _resource_scatter_add(self, x, i, v):
        added = raw_ops.ResourceScatterAdd(resource=x.handle, indices=i, updates=v)
        with control_dependencies([added]):
            return x.value()

    def _finish(self, update_ops, name_scope):
        power1, power2 = self._get_beta_accumulators()
        with control_dependencies(update_ops), colocate_with(power1.op):
            powers = [
                power.assign(power * self._tensor(beta), use_locking=self._use_locking)
                for power, beta in ((power1, "beta1"), (power2, "beta2"))
            ]
        return group(*update_ops, *powers, name=name_scope)


class AdagradOptimizer(_OneOp, Optimizer):
    """Adagrad: a += gradient^2; v -= learning_rate * gradient / sqrt(a) (Duchi et al., 2011).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        initial_accumulator_value: Value of accumulators at the start, a float.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.

    Raises:
        ValueError: initial_accumulator_value is not positive.

    Example:
        >>> v = sl.Variable(1.0)
        >>> step = sl.train.AdagradOptimizer(0.5).minimize(v * v)
        >>> step.type
        'NoOp'
    """

    _op = "ApplyAdagrad"

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False,
                 name="Adagrad"):  # fmt: skip
        _check_above_0("initial_accumulator_value", initial_accumulator_value)
        first = _initialized(initializers.constant(initial_accumulator_value))
        numbers = {"lr": ("learning_rate", learning_rate)}
        super().__init__(use_locking, name, numbers, {"accum": ("accumulator", first)})


class AdadeltaOptimizer(_OneOp, Optimizer):
    """Adadelta: steps of the size of those before (Zeiler, 2012).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        rho: Decay of the averages, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    _op, _short_names = "ApplyAdadelta", True

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False,
                 name="Adadelta"):  # fmt: skip
        slots = {"accum": ("accum", _zeros), "accum_update": ("accum_update", _zeros)}
        numbers = {
            "lr": ("lr", learning_rate), "rho": ("rho", rho), "epsilon": ("epsilon", epsilon),
        }  # fmt: skip
        super().__init__(use_locking, name, numbers, slots)


class RMSPropOptimizer(_OneOp, Optimizer):
    """RMSProp: s = decay s + (1 - decay) gradient^2; m = momentum m + learning_rate gradient /
    sqrt(s + epsilon); v -= m.

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        decay: Decay of the average of squares, a float.
        momentum: The momentum, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        centered: Whether the square of the mean gradient is subtracted from s. A bool.
        name: Name of the operations, a str.

    Example:
        >>> v = sl.Variable(1.0)
        >>> optimizer = sl.train.RMSPropOptimizer(0.5)
        >>> step = optimizer.minimize(v * v)
        >>> optimizer.get_slot_names()
        ['momentum', 'rms']
    """

    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, name="RMSProp"):  # fmt: skip
        self._op = "ApplyCenteredRMSProp" if centered else "ApplyRMSProp"
        slots = {"ms": ("rms", _initialized(initializers.ones()))}
        if centered:
            slots["mg"] = ("mg", _zeros)
        slots["mom"] = ("momentum", _zeros)
        numbers = {
            "lr": ("learning_rate", learning_rate), "rho": ("decay", decay),
            "momentum": ("momentum", momentum), "epsilon": ("epsilon", epsilon),
        }  # fmt: skip
        super().__init__(use_locking, name, numbers, slots)


class FtrlOptimizer(_OneOp, Optimizer):
    """Follow the regularised leader (McMahan et al., 2013). It makes weights that are exactly 0.

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        learning_rate_power: Power of the accumulator, a float that is 0 or less.
        initial_accumulator_value: Value of accumulators at the start, a float.
        l1_regularization_strength: Strength of l1 regularisation, a float that is 0 or more.
        l2_regularization_strength: Strength of l2 regularisation, a float that is 0 or more.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
        accum_name: Name of the accumulator's slot, a str. None: "accum".
        linear_name: Name of the linear slot, a str. None: "linear".
        l2_shrinkage_regularization_strength: Strength of l2 regularisation of the gradient, a
            float.

    Raises:
        ValueError: A number is out of range.
    """

    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="Ftrl", accum_name=None, linear_name=None,
                 l2_shrinkage_regularization_strength=0.0):  # fmt: skip
        for key, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0:
                raise ValueError(f"{key} must be at least 0, not {value}")
        if learning_rate_power > 0:
            raise ValueError(f"learning_rate_power must be at most 0, not {learning_rate_power}")
        shrinkage = l2_shrinkage_regularization_strength
        self._op = "ApplyFtrlV2" if shrinkage > 0 else "ApplyFtrl"
        numbers = {
            "lr": ("learning_rate", learning_rate),
            "l1": ("l1_regularization_strength", l1_regularization_strength),
            "l2": ("l2_regularization_strength", l2_regularization_strength),
            "l2_shrinkage": ("l2_shrinkage_regularization_strength", shrinkage),
            "lr_power": ("learning_rate_power", learning_rate_power),
        }

        def linear(optimizer, var, slot):
            optimizer._zeros_slot(var, slot, linear_name or optimizer.get_name())

        slots = {
            "accum": ("accum", _filled(initial_accumulator_value, accum_name)),
            "linear": ("linear", linear),
        }
        super().__init__(use_locking, name, numbers, slots)

    def _arguments(self, var):
        arguments = super()._arguments(var)
        if self._op == "ApplyFtrl":
            del arguments["l2_shrinkage"]
        return arguments


class ProximalAdagradOptimizer(_OneOp, Optimizer):
    """Adagrad with l1 and l2 regularisation (Duchi and Singer, 2009).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        initial_accumulator_value: Value of accumulators at the start, a float.
        l1_regularization_strength: Strength of l1 regularisation, a float that is 0 or more.
        l2_regularization_strength: Strength of l2 regularisation, a float that is 0 or more.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    _op = "ApplyProximalAdagrad"

    def __init__(self, learning_rate, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="ProximalAdagrad"):  # fmt: skip
        _check_above_0("initial_accumulator_value", initial_accumulator_value)
        numbers = _proximal("lr", learning_rate, l1_regularization_strength,
                            l2_regularization_strength)  # fmt: skip
        slots = {"accum": ("accumulator", _filled(initial_accumulator_value))}
        super().__init__(use_locking, name, numbers, slots)


class ProximalGradientDescentOptimizer(_OneOp, Optimizer):
    """Gradient descent with l1 and l2 regularisation (Duchi and Singer, 2009).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        l1_regularization_strength: Strength of l1 regularisation, a float that is 0 or more.
        l2_regularization_strength: Strength of l2 regularisation, a float that is 0 or more.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    _op = "ApplyProximalGradientDescent"

    def __init__(self, learning_rate, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False,
                 name="ProximalGradientDescent"):  # fmt: skip
        numbers = _proximal("alpha", learning_rate, l1_regularization_strength,
                            l2_regularization_strength)  # fmt: skip
        super().__init__(use_locking, name, numbers)

    def _update(self, grad, var, **rows):
        self._gradient = "grad" if rows else "delta"
        return super()._update(grad, var, **rows)

    _apply_dense = _resource_apply_dense = _update


class AdagradDAOptimizer(_OneOp, Optimizer):
    """Adagrad by dual averaging, for sparse models (Duchi et al., 2011).

    Args:
        learning_rate: The learning rate, a float or a scalar tensor.
        global_step: The variable that counts steps.
        initial_gradient_squared_accumulator_value: Value of the accumulator of squares at the
            start, a float.
        l1_regularization_strength: Strength of l1 regularisation, a float that is 0 or more.
        l2_regularization_strength: Strength of l2 regularisation, a float that is 0 or more.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.

    Raises:
        ValueError: initial_gradient_squared_accumulator_value is not positive.
    """

    _op = "ApplyAdagradDA"

    def __init__(self, learning_rate, global_step, initial_gradient_squared_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="AdagradDA"):  # fmt: skip
        first = initial_gradient_squared_accumulator_value
        _check_above_0("initial_gradient_squared_accumulator_value", first)
        slots = {
            "gradient_accumulator": ("gradient_accumulator", _filled(0.0)),
            "gradient_squared_accumulator": ("gradient_squared_accumulator", _filled(first)),
        }
        super().__init__(use_locking, name, {"lr": ("learning_rate", learning_rate)}, slots)
        self._global_step, self._step_after = global_step, None
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _prepare(self):
        super()._prepare()
        with colocate_with(self._tensor("lr").op):
            self._step_after = arrays.identity(self._global_step) + 1

    def _arguments(self, var):
        with device(var.device):
            step = arrays.identity(self._step_after)
        return {
            **super()._arguments(var), "l1": arrays.cast(self._l1, var.dtype),
            "l2": arrays.cast(self._l2, var.dtype), "global_step": step,
        }  # fmt: skip


def _check_above_0(name, value):
    if value <= 0:
        raise ValueError(f"{name} must be above 0, not {value}")


def _proximal(rate_argument, rate, l1, l2):
    return {
        rate_argument: ("learning_rate", rate), "l1": ("l1_regularization_strength", l1),
        "l2": ("l2_regularization_strength", l2),
    }  # fmt: skip


__all__ = with_names(globals())
