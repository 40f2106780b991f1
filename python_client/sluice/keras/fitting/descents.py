# SPDX-License-Identifier: Apache-2.0
"""The optimizers of Keras."""

from ... import dtypes, math
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import group
from ...ops.math.segments import unsorted_segment_sum
from ..base import initializers
from ..base.serializing import deserialize_keras_object, serialize_keras_object
from .adapted import adapted
from .optimizers import Optimizer


def _handles(*variables):
    return [v.handle for v in variables]


def _unique(slices):
    """(rows, values) of IndexedSlices, each row once."""
    rows, places = arrays.unique(slices.indices)
    return rows, unsorted_segment_sum(slices.values, places, arrays.shape(rows)[0])


class SGD(Optimizer):
    """Gradient descent, with momentum (Sutskever et al., 2013).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        momentum: Weight of earlier updates, a float.
        nesterov: Whether the gradient counts as that after the update. A bool.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    hypers, options = ("learning_rate", "decay", "momentum"), ("nesterov",)

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **kwargs):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._moves = hasattr(momentum, "graph") or callable(momentum) or momentum > 0
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("momentum must be between 0 and 1")
        self._set_hyper("momentum", momentum)
        self.nesterov = nesterov

    def _create_slots(self, variables):
        if self._moves:
            for variable in variables:
                self.add_slot(variable, "momentum")

    def _prepare(self, dtype):
        shared = super()._prepare(dtype)
        shared["momentum"] = self._read("momentum", dtype)
        return shared

    def _dense(self, gradient, variable, shared):
        if not self._moves:
            return raw_ops.ResourceApplyGradientDescent(
                var=variable.handle, alpha=shared["lr"], delta=gradient
            )
        return raw_ops.ResourceApplyKerasMomentum(
            var=variable.handle, accum=self.get_slot(variable, "momentum").handle,
            lr=shared["lr"], grad=gradient, momentum=shared["momentum"],
            use_nesterov=self.nesterov,
        )  # fmt: skip

    def _sparse(self, gradient, variable, shared):
        if not self._moves:
            return raw_ops.ResourceScatterAdd(
                resource=variable.handle, indices=gradient.indices,
                updates=-gradient.values * shared["lr"],
            )  # fmt: skip
        rows, values = _unique(gradient)
        return raw_ops.ResourceSparseApplyKerasMomentum(
            var=variable.handle, accum=self.get_slot(variable, "momentum").handle,
            lr=shared["lr"], grad=values, indices=rows, momentum=shared["momentum"],
            use_nesterov=self.nesterov,
        )  # fmt: skip


class RMSprop(Optimizer):
    """Gradient descent by the root of the mean square of gradients (Hinton, 2012).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        rho: Weight of the old value in the mean square, a float.
        momentum: Weight of earlier updates, a float.
        epsilon: A small float, so that nothing is divided by 0.
        centered: Whether the variance is used in place of the mean square. A bool.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    hypers = ("learning_rate", "decay", "rho", "momentum")
    options = ("epsilon", "centered")

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False,
                 name="RMSprop", **kwargs):  # fmt: skip
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self._moves = hasattr(momentum, "graph") or callable(momentum) or momentum > 0
        self._set_hyper("momentum", momentum)
        self.epsilon, self.centered = epsilon, centered

    def _create_slots(self, variables):
        names = ["rms", *["momentum"] * self._moves, *["mg"] * self.centered]
        for name in names:
            for variable in variables:
                self.add_slot(variable, name)

    def _prepare(self, dtype):
        shared = super()._prepare(dtype)
        shared["rho"] = self._read("rho", dtype)
        shared["momentum"] = self._read("momentum", dtype)
        shared["epsilon"] = arrays.cast(self.epsilon, dtype)
        return shared

    def _dense(self, gradient, variable, shared):
        rms = self.get_slot(variable, "rms")
        if not self._moves:
            return self._without_momentum(gradient, variable, rms, shared)
        more = {"mg": self.get_slot(variable, "mg").handle} if self.centered else {}
        op = raw_ops.ResourceApplyCenteredRMSProp if self.centered else raw_ops.ResourceApplyRMSProp
        return op(
            var=variable.handle, ms=rms.handle, mom=self.get_slot(variable, "momentum").handle,
            lr=shared["lr"], rho=shared["rho"], momentum=shared["momentum"],
            epsilon=shared["epsilon"], grad=gradient, **more,
        )  # fmt: skip

    def _without_momentum(self, gradient, variable, rms, shared):
        rho, rest = shared["rho"], 1.0 - shared["rho"]
        new = rho * rms + rest * math.square(gradient)
        updates = [rms.assign(new, read_value=False)]
        if self.centered:
            mean = self.get_slot(variable, "mg")
            new_mean = rho * mean + rest * gradient
            updates.append(mean.assign(new_mean, read_value=False))
            new = new - math.square(new_mean)
        step = shared["lr"] * gradient / (math.sqrt(new) + shared["epsilon"])
        return group(*updates, variable.assign_sub(step, read_value=False))


class Adagrad(Optimizer):
    """Gradient descent by the root of the sum of squares of gradients (Duchi et al., 2011).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        initial_accumulator_value: The sum of squares at first, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    hypers, options = ("learning_rate", "decay"), ("initial_accumulator_value", "epsilon")

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7,
                 name="Adagrad", **kwargs):  # fmt: skip
        if initial_accumulator_value < 0:
            raise ValueError("initial_accumulator_value cannot be negative")
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def _create_slots(self, variables):
        first = initializers.Constant(self.initial_accumulator_value)
        for variable in variables:
            self.add_slot(variable, "accumulator", first)

    def _dense(self, gradient, variable, shared):
        return raw_ops.ResourceApplyAdagradV2(
            var=variable.handle, accum=self.get_slot(variable, "accumulator").handle,
            lr=shared["lr"], epsilon=arrays.cast(self.epsilon, variable.dtype), grad=gradient,
        )  # fmt: skip

    def _sparse(self, gradient, variable, shared):
        rows, values = _unique(gradient)
        return raw_ops.ResourceSparseApplyAdagradV2(
            var=variable.handle, accum=self.get_slot(variable, "accumulator").handle,
            lr=shared["lr"], epsilon=arrays.cast(self.epsilon, variable.dtype), grad=values,
            indices=rows,
        )  # fmt: skip

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Makes an optimizer of what get_config() returned. By its name alone the sum begins at 0.

        Args:
            config: The dict.
            custom_objects: Accepted. It has no effect.

        Returns:
            An optimizer.
        """
        return super().from_config({"initial_accumulator_value": 0.0, **config}, custom_objects)


class Adadelta(Optimizer):
    """Gradient descent by running means of squares of gradients and updates (Zeiler, 2012).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        rho: Weight of the old value in the means, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    hypers, options = ("learning_rate", "decay", "rho"), ("epsilon",)

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, name="Adadelta", **kwargs):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self.epsilon = epsilon

    def _create_slots(self, variables):
        for name in ("accum_grad", "accum_var"):
            for variable in variables:
                self.add_slot(variable, name)

    def _prepare(self, dtype):
        shared = super()._prepare(dtype)
        shared["rho"] = self._read("rho", dtype)
        return shared

    def _arguments(self, variable, shared):
        return {
            "var": variable.handle, "accum": self.get_slot(variable, "accum_grad").handle,
            "accum_update": self.get_slot(variable, "accum_var").handle, "lr": shared["lr"],
            "rho": shared["rho"], "epsilon": arrays.cast(self.epsilon, variable.dtype),
        }  # fmt: skip

    def _dense(self, gradient, variable, shared):
        return raw_ops.ResourceApplyAdadelta(grad=gradient, **self._arguments(variable, shared))

    def _sparse(self, gradient, variable, shared):
        rows, values = _unique(gradient)
        return raw_ops.ResourceSparseApplyAdadelta(
            grad=values, indices=rows, **self._arguments(variable, shared)
        )


class _Moments(Optimizer):
    """What the optimizers with first and second moments share."""

    hypers, options = ("learning_rate", "decay", "beta_1", "beta_2"), ("epsilon",)

    def __init__(self, learning_rate, beta_1, beta_2, epsilon, name, **kwargs):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon = epsilon

    def _create_slots(self, variables):
        for name in ("m", "v"):
            for variable in variables:
                self.add_slot(variable, name)

    def _prepare(self, dtype):
        shared = super()._prepare(dtype)
        step = arrays.cast(self.iterations + 1, dtype)
        beta_1, beta_2 = self._read("beta_1", dtype), self._read("beta_2", dtype)
        shared.update(
            step=step, beta_1=beta_1, beta_2=beta_2, power_1=math.pow(beta_1, step),
            power_2=math.pow(beta_2, step), epsilon=arrays.cast(self.epsilon, dtype),
        )  # fmt: skip
        return shared

    def _slots_of(self, variable):
        return self.get_slot(variable, "m"), self.get_slot(variable, "v")


class Adam(_Moments):
    """Gradient descent by first and second moments (Kingma and Ba, 2014).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        beta_1: Weight of the old value in the first moment, a float.
        beta_2: Weight of the old value in the second moment, a float.
        epsilon: A small float, so that nothing is divided by 0.
        amsgrad: Whether the largest second moment so far is used (Reddi et al., 2018). A bool.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    options = ("epsilon", "amsgrad")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False,
                 name="Adam", **kwargs):  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self.amsgrad = amsgrad

    def _create_slots(self, variables):
        super()._create_slots(variables)
        for variable in variables if self.amsgrad else ():
            self.add_slot(variable, "vhat")

    def _dense(self, gradient, variable, shared):
        m, v = self._slots_of(variable)
        given = {
            "var": variable.handle, "m": m.handle, "v": v.handle, "beta1": shared["beta_1"],
            "beta1_power": shared["power_1"], "beta2_power": shared["power_2"],
            "lr": shared["lr"], "beta2": shared["beta_2"], "epsilon": shared["epsilon"],
            "grad": gradient,
        }  # fmt: skip
        if self.amsgrad:
            largest = self.get_slot(variable, "vhat").handle
            return raw_ops.ResourceApplyAdamWithAmsgrad(vhat=largest, **given)
        return raw_ops.ResourceApplyAdam(**given)


class Adamax(_Moments):
    """Adam by the largest gradient in place of the second moment (Kingma and Ba, 2014).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        beta_1: Weight of the old value in the first moment, a float.
        beta_2: Weight of the old value in the largest gradient, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7,
                 name="Adamax", **kwargs):  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)

    def _dense(self, gradient, variable, shared):
        m, v = self._slots_of(variable)
        return raw_ops.ResourceApplyAdaMax(
            var=variable.handle, m=m.handle, v=v.handle, beta1_power=shared["power_1"],
            lr=shared["lr"], beta1=shared["beta_1"], beta2=shared["beta_2"],
            epsilon=shared["epsilon"], grad=gradient,
        )  # fmt: skip


class Nadam(_Moments):
    """Adam with Nesterov's momentum (Dozat, 2015).

    Args:
        learning_rate: The learning rate, a float.
        beta_1: Weight of the old value in the first moment, a float.
        beta_2: Weight of the old value in the second moment, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: schedule_decay: how fast beta_1 rises, a float; clipnorm, clipvalue, lr: as of
            Optimizer.
    """

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Nadam",
                 **kwargs):  # fmt: skip
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self._product = None

    def _create_slots(self, variables):
        if self._product is None:
            self._product = self.add_weight(
                "momentum_cache", [], variables[0].dtype, initializer="ones"
            )
            self._weights.append(self._product)
        super()._create_slots(variables)

    def _prepare(self, dtype):
        decay, self._initial_decay = self._initial_decay, 0.0
        shared = super()._prepare(dtype)
        self._initial_decay = decay
        now, then = (
            shared["beta_1"] * (1.0 - 0.5 * math.pow(
                arrays.cast(0.96, dtype), arrays.cast(decay, dtype) * (shared["step"] + more)
            )) for more in (0.0, 1.0)
        )  # fmt: skip
        product = convert_to_tensor(self._product) * now
        with control_dependencies([self._product.assign(product).op]):
            shared["product"] = arrays.identity(product)
        return {**shared, "now": now, "then": then}

    def _dense(self, gradient, variable, shared):
        m, v = self._slots_of(variable)
        beta_1, beta_2, product = shared["beta_1"], shared["beta_2"], shared["product"]
        new_m = beta_1 * m + (1.0 - beta_1) * gradient
        new_v = beta_2 * v + (1.0 - beta_2) * math.square(gradient)
        ahead = shared["then"] * new_m / (1.0 - product * shared["then"])
        mean = (1.0 - shared["now"]) * gradient / (1.0 - product) + ahead
        root = math.sqrt(new_v / (1.0 - shared["power_2"])) + shared["epsilon"]
        return group(
            m.assign(new_m, read_value=False), v.assign(new_v, read_value=False),
            variable.assign_sub(shared["lr"] * mean / root, read_value=False),
        )  # fmt: skip


class Ftrl(Optimizer):
    """Follows the regularized leader (McMahan et al., 2013).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        learning_rate_power: How the learning rate falls with the sum of squares: a float, at most
            0.
        initial_accumulator_value: The sum of squares at first, a float.
        l1_regularization_strength: The factor of absolute values, a float.
        l2_regularization_strength: The factor of squares, a float.
        name: Name of the operations, a str.
        l2_shrinkage_regularization_strength: The factor of squares in gradients, a float.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    hypers = (
        "learning_rate", "decay", "learning_rate_power", "l1_regularization_strength",
        "l2_regularization_strength",
    )  # fmt: skip
    options = ("initial_accumulator_value", "l2_shrinkage_regularization_strength")

    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5,
                 initial_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, name="Ftrl",
                 l2_shrinkage_regularization_strength=0.0, **kwargs):  # fmt: skip
        super().__init__(name, **kwargs)
        if learning_rate_power > 0:
            raise ValueError(f"learning_rate_power must be at most 0, not {learning_rate_power}")
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self.initial_accumulator_value = initial_accumulator_value
        self.l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength

    def _create_slots(self, variables):
        first = initializers.Constant(self.initial_accumulator_value)
        for variable in variables:
            self.add_slot(variable, "accumulator", first)
            self.add_slot(variable, "linear")

    def _prepare(self, dtype):
        shared = super()._prepare(dtype)
        for key, name in (("lr_power", "learning_rate_power"),
                          ("l1", "l1_regularization_strength"),
                          ("l2", "l2_regularization_strength")):  # fmt: skip
            shared[key] = self._read(name, dtype)
        return shared

    def _dense(self, gradient, variable, shared):
        given = {
            "var": variable.handle, "accum": self.get_slot(variable, "accumulator").handle,
            "linear": self.get_slot(variable, "linear").handle, "grad": gradient, **shared,
        }  # fmt: skip
        shrinkage = self.l2_shrinkage_regularization_strength
        if shrinkage <= 0:
            return raw_ops.ResourceApplyFtrl(**given)
        shrinkage = arrays.cast(shrinkage, dtypes.as_dtype(variable.dtype))
        return raw_ops.ResourceApplyFtrlV2(l2_shrinkage=shrinkage, **given)


_CLASSES = (Adadelta, Adagrad, Adam, Adamax, Ftrl, Nadam, RMSprop, SGD)
_KNOWN = {cls.__name__.lower(): cls for cls in _CLASSES}


def serialize(optimizer):
    """Describes an optimizer.

    Args:
        optimizer: The optimizer.

    Returns:
        A dict of "class_name" and "config".
    """
    return serialize_keras_object(optimizer)


def deserialize(config, custom_objects=None):
    """Makes the optimizer that serialize() described.

    Args:
        config: The dict.
        custom_objects: A dict: name -> class, of the program. None: none.

    Returns:
        An optimizer.

    Raises:
        ValueError: The name is not known.
    """
    if config["class_name"].lower() in _KNOWN:
        config = {**config, "class_name": config["class_name"].lower()}
    return deserialize_keras_object(config, _KNOWN, custom_objects, "optimizer")


def get(identifier):
    """Returns the optimizer that an argument stands for.

    Args:
        identifier: A name, a dict of serialize(), or an optimizer, also one of sluice.train.

    Returns:
        An optimizer.

    Raises:
        ValueError: It stands for nothing.
    """
    if isinstance(identifier, Optimizer):
        return identifier
    if adapted(identifier) is not None:
        return adapted(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError(f"{identifier!r} is not an optimizer")


__all__ = [*(cls.__name__ for cls in _CLASSES), "Optimizer", "deserialize", "get", "serialize"]
