"""The optimizers: dense and sparse gradients, reference and resource variables."""

from . import arrays, dtypes, math
from .building import with_names
from .convert import constant, convert_to_tensor
from .graph import colocate_with, control_dependencies
from .optimizer import Optimizer, _scatter


class GradientDescentOptimizer(Optimizer):
    """v -= learning_rate * g."""

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._rate = learning_rate

    def _apply_dense(self, grad, var):
        rate = self._scalar(self._rate, var)
        return self._run("ApplyGradientDescent", var, alpha=rate, delta=grad)

    def _apply_sparse(self, values, rows, var):
        step = values * self._scalar(self._rate, var)
        if var._is_resource:
            return _scatter("ScatterAdd", var, rows, -step)
        return _scatter("ScatterSub", var, rows, step).op


class MomentumOptimizer(Optimizer):
    """a = momentum * a + g; v -= learning_rate * a (Nesterov: v -= rate * (g + momentum * a))."""

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum",
                 use_nesterov=False):  # fmt: skip
        super().__init__(use_locking, name)
        self._rate, self._momentum, self._nesterov = learning_rate, momentum, use_nesterov

    def _prepare(self, var_list):
        for var in var_list:
            self._slot(var, "momentum")

    def _arguments(self, grad, var):
        return {
            "accum": self.get_slot(var, "momentum"), "lr": self._scalar(self._rate, var),
            "grad": grad, "momentum": self._scalar(self._momentum, var),
            "use_nesterov": self._nesterov,
        }  # fmt: skip

    def _apply_dense(self, grad, var):
        return self._run("ApplyMomentum", var, **self._arguments(grad, var))

    def _apply_sparse(self, values, rows, var):
        arguments = self._arguments(values, var)
        return self._run("SparseApplyMomentum", var, indices=rows, **arguments)


class AdamOptimizer(Optimizer):
    """Adam (Kingma and Ba, 2015): rate sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) +
    epsilon)."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="Adam"):  # fmt: skip
        super().__init__(use_locking, name)
        self._rate, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._powers = None

    def _prepare(self, var_list):
        if self._powers is None:
            first = min(var_list, key=lambda v: v.op.name)
            with colocate_with(first.op, ignore_existing=True):
                self._powers = [
                    self._beside(first, constant(beta, first.dtype), f"beta{i}_power")
                    for i, beta in enumerate((self._beta1, self._beta2), 1)
                ]
        for var in var_list:
            for slot in ("m", "v"):
                self._slot(var, slot)

    def _terms(self, var):
        values = (self._rate, self._beta1, self._beta2, self._epsilon)
        return [self._scalar(value, var) for value in values]

    def _apply_dense(self, grad, var):
        rate, beta1, beta2, epsilon = self._terms(var)
        return self._run(
            "ApplyAdam", var, m=self.get_slot(var, "m"), v=self.get_slot(var, "v"),
            beta1_power=self._powers[0].value(), beta2_power=self._powers[1].value(), lr=rate,
            beta1=beta1, beta2=beta2, epsilon=epsilon, grad=grad,
        )  # fmt: skip

    def _apply_sparse(self, values, rows, var):
        """Every row's moments decay; those that have a gradient are added to."""
        rate, beta1, beta2, epsilon = self._terms(var)
        power1, power2 = (p.value() for p in self._powers)
        rate = rate * math.sqrt(1 - power2) / (1 - power1)
        moments = []
        for slot, beta, term in (("m", beta1, values), ("v", beta2, values * values)):
            moment = self.get_slot(var, slot)
            with control_dependencies([moment.assign(moment.value() * beta)]):
                added = _scatter("ScatterAdd", moment, rows, term * (1 - beta))
            with control_dependencies([added]):
                moments.append(arrays.identity(moment._read() if var._is_resource else added))
        return var.assign_sub(rate * moments[0] / (math.sqrt(moments[1]) + epsilon)).op

    def _finish(self):
        updates = []
        for power, beta in zip(self._powers, (self._beta1, self._beta2)):
            with colocate_with(power.op):
                updates.append(power.assign(power.value() * self._scalar(beta, power)).op)
        return updates


class _SlotOptimizer(Optimizer):
    """An optimizer whose op takes the variable, slots, the gradient, and numbers.

    _slots_of: argument of the op -> (name of the slot, its first value). _numbers: argument of the
    op -> value.
    """

    _op = ""

    def __init__(self, use_locking, name, slots, numbers):
        super().__init__(use_locking, name)
        self._slots_of, self._numbers = slots, numbers

    def _prepare(self, var_list):
        for var in var_list:
            for slot, initial in self._slots_of.values():
                self._slot(var, slot, initial)

    def _arguments(self, grad, var):
        slots = {arg: self.get_slot(var, slot) for arg, (slot, _) in self._slots_of.items()}
        numbers = {arg: self._scalar(value, var) for arg, value in self._numbers.items()}
        return {**slots, **numbers, "grad": grad}

    def _apply_dense(self, grad, var):
        return self._run(self._op, var, **self._arguments(grad, var))

    def _apply_sparse(self, values, rows, var):
        return self._run("Sparse" + self._op, var, indices=rows, **self._arguments(values, var))


class AdagradOptimizer(_SlotOptimizer):
    """a += g^2; v -= learning_rate * g / sqrt(a) (Duchi et al., 2011)."""

    _op = "ApplyAdagrad"

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False,
                 name="Adagrad"):  # fmt: skip
        if initial_accumulator_value <= 0:
            raise ValueError("initial_accumulator_value must be above 0")
        slots = {"accum": ("accumulator", initial_accumulator_value)}
        super().__init__(use_locking, name, slots, {"lr": learning_rate})


class AdadeltaOptimizer(_SlotOptimizer):
    """Steps of the size of those before them (Zeiler, 2012)."""

    _op = "ApplyAdadelta"

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False,
                 name="Adadelta"):  # fmt: skip
        slots = {"accum": ("accum", 0.0), "accum_update": ("accum_update", 0.0)}
        numbers = {"lr": learning_rate, "rho": rho, "epsilon": epsilon}
        super().__init__(use_locking, name, slots, numbers)


class RMSPropOptimizer(_SlotOptimizer):
    """s = decay s + (1 - decay) g^2; m = momentum m + learning_rate g / sqrt(s + epsilon); v -= m.

    centered: s less the square of the mean gradient takes the place of s.
    """

    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, name="RMSProp"):  # fmt: skip
        self._op = "ApplyCenteredRMSProp" if centered else "ApplyRMSProp"
        slots = {"ms": ("rms", 1.0)}
        slots.update({"mg": ("mg", 0.0)} if centered else {})
        slots["mom"] = ("momentum", 0.0)
        numbers = {"lr": learning_rate, "rho": decay, "momentum": momentum, "epsilon": epsilon}
        super().__init__(use_locking, name, slots, numbers)


class FtrlOptimizer(_SlotOptimizer):
    """Follow the regularised leader (McMahan et al., 2013): weights that are exactly 0."""

    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="Ftrl", accum_name=None, linear_name=None,
                 l2_shrinkage_regularization_strength=0.0):  # fmt: skip
        if initial_accumulator_value < 0 or learning_rate_power > 0:
            raise ValueError("initial_accumulator_value must be >= 0, learning_rate_power <= 0")
        slots = {
            "accum": (accum_name or "accum", initial_accumulator_value),
            "linear": (linear_name or "linear", 0.0),
        }
        numbers = {
            "lr": learning_rate, "l1": l1_regularization_strength,
            "l2": l2_regularization_strength, "lr_power": learning_rate_power,
        }  # fmt: skip
        self._op = "ApplyFtrl"
        if l2_shrinkage_regularization_strength > 0:
            self._op = "ApplyFtrlV2"
            numbers["l2_shrinkage"] = l2_shrinkage_regularization_strength
        super().__init__(use_locking, name, slots, numbers)


class ProximalAdagradOptimizer(_SlotOptimizer):
    """Adagrad with l1 and l2 regularisation (Duchi and Singer, 2009)."""

    _op = "ApplyProximalAdagrad"

    def __init__(self, learning_rate, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="ProximalAdagrad"):  # fmt: skip
        slots = {"accum": ("accumulator", initial_accumulator_value)}
        numbers = {
            "lr": learning_rate, "l1": l1_regularization_strength,
            "l2": l2_regularization_strength,
        }  # fmt: skip
        super().__init__(use_locking, name, slots, numbers)


class ProximalGradientDescentOptimizer(_SlotOptimizer):
    """Gradient descent with l1 and l2 regularisation (Duchi and Singer, 2009)."""

    _op = "ApplyProximalGradientDescent"

    def __init__(self, learning_rate, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False,
                 name="ProximalGradientDescent"):  # fmt: skip
        numbers = {
            "alpha": learning_rate, "l1": l1_regularization_strength,
            "l2": l2_regularization_strength,
        }  # fmt: skip
        super().__init__(use_locking, name, {}, numbers)

    def _apply_dense(self, grad, var):
        arguments = self._arguments(grad, var)
        arguments["delta"] = arguments.pop("grad")
        return self._run(self._op, var, **arguments)


class AdagradDAOptimizer(_SlotOptimizer):
    """Adagrad by dual averaging, for sparse models (Duchi et al., 2011). global_step counts the
    steps."""

    _op = "ApplyAdagradDA"

    def __init__(self, learning_rate, global_step, initial_gradient_squared_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="AdagradDA"):  # fmt: skip
        first = initial_gradient_squared_accumulator_value
        if first <= 0:
            raise ValueError("initial_gradient_squared_accumulator_value must be above 0")
        slots = {
            "gradient_accumulator": ("gradient_accumulator", 0.0),
            "gradient_squared_accumulator": ("gradient_squared_accumulator", first),
        }
        numbers = {
            "lr": learning_rate, "l1": l1_regularization_strength,
            "l2": l2_regularization_strength,
        }  # fmt: skip
        self._step = global_step
        super().__init__(use_locking, name, slots, numbers)

    def _arguments(self, grad, var):
        step = arrays.cast(convert_to_tensor(self._step), dtypes.int64)
        return {**super()._arguments(grad, var), "global_step": step}


__all__ = with_names(globals())
