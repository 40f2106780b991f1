# SPDX-License-Identifier: Apache-2.0
"""The optimizers of Keras."""

import numpy as np

from ... import math
from ...graph.seeds import count_more_nodes
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import group
from ..base import initializers
from ..base.serializing import deserialize_keras_object, serialize_keras_object
from .adapted import adapted
from .known_optimizer import KnownOptimizer, whole
from .moments import Adam, Adamax, Nadam
from .older_optimizer import Optimizer as OlderOptimizer
from .optimizers import Optimizer


class SGD(KnownOptimizer):
    """Gradient descent, with momentum (Sutskever et al., 2013).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        momentum: Weight of earlier updates, a float.
        nesterov: Whether the gradient counts as that after the update. A bool.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    _hyper_names, _option_names = ("learning_rate", "decay", "momentum"), ("nesterov",)

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **kwargs):
        super().__init__(learning_rate, name, **kwargs)
        self._set_momentum(momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list):
        if self._momentum:
            for var in var_list:
                self.add_slot(var, "momentum")

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        apply_state[(var_device, var_dtype)]["momentum"] = self._read("momentum", var_dtype)

    def _arguments(self, var, apply_state):
        shared = self._coefficients(var, apply_state)
        return {
            **self._handles(var, accum="momentum"), "lr": shared["lr_t"],
            "momentum": shared["momentum"], "use_nesterov": self.nesterov,
        }  # fmt: skip

    def _resource_apply_dense(self, grad, var, apply_state=None):
        if self._momentum:
            return raw_ops.ResourceApplyKerasMomentum(
                grad=grad, **self._arguments(var, apply_state)
            )
        rate = self._coefficients(var, apply_state)["lr_t"]
        return raw_ops.ResourceApplyGradientDescent(alpha=rate, delta=grad, **self._handles(var))

    def _resource_apply_sparse_duplicate_indices(self, grad, var, indices, **kwargs):
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        rate = self._coefficients(var, kwargs.get("apply_state"))["lr_t"]
        return raw_ops.ResourceScatterAdd(
            resource=var.handle, indices=indices, updates=-grad * rate
        )

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return raw_ops.ResourceSparseApplyKerasMomentum(
            grad=grad, indices=indices, **self._arguments(var, apply_state)
        )


class RMSprop(KnownOptimizer):
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

    _hyper_names = ("learning_rate", "decay", "rho", "momentum")
    _option_names = ("epsilon", "centered")

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False,
                 name="RMSprop", **kwargs):  # fmt: skip
        super().__init__(learning_rate, name, epsilon, **kwargs)
        self._set_hyper("rho", rho)
        self._set_momentum(momentum)
        self.centered = centered

    def _create_slots(self, var_list):
        for name in ("rms", *["momentum"] * self._momentum, *["mg"] * bool(self.centered)):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        rho = self._read("rho", var_dtype)
        apply_state[(var_device, var_dtype)].update(
            rho=rho, one_minus_rho=1.0 - rho, momentum=self._read("momentum", var_dtype),
            epsilon=arrays.cast(self.epsilon, var_dtype),
        )  # fmt: skip
        count_more_nodes(1)  # TensorFlow has more, here and below, which decide later seeds

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return self._applied_to(grad, var, apply_state)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        if self._momentum:  # rows without a gradient stay as they are
            return self._applied_to(grad, var, apply_state, indices=indices)
        return self._applied_to(whole(grad, var, indices), var, apply_state)

    def _applied_to(self, grad, var, apply_state, **rows):
        shared = self._coefficients(var, apply_state)
        if not self._momentum:
            return self._without_momentum(grad, var, shared)
        slots = {"ms": "rms", "mom": "momentum", **({"mg": "mg"} if self.centered else {})}
        op = f"Resource{'Sparse' * bool(rows)}Apply{'Centered' * bool(self.centered)}RMSProp"
        return raw_ops.apply_op(
            op, **self._handles(var, **slots), lr=shared["lr_t"], rho=shared["rho"],
            momentum=shared["momentum"], epsilon=shared["epsilon"], grad=grad, **rows,
        )  # fmt: skip

    def _without_momentum(self, grad, var, shared):
        rms, rho, rest = self.get_slot(var, "rms"), shared["rho"], shared["one_minus_rho"]
        new = rho * rms + rest * math.square(grad)
        updates = [rms.assign(new, read_value=False)]
        if self.centered:
            mean = self.get_slot(var, "mg")
            new_mean = rho * mean + rest * grad
            updates.append(mean.assign(new_mean, read_value=False))
            new = new - math.square(new_mean)
        step = shared["lr_t"] * grad / (math.sqrt(new) + shared["epsilon"])
        count_more_nodes(4)
        return group(*updates, var.assign_sub(step, read_value=False))

    def set_weights(self, weights):
        super().set_weights(_with_count(weights, self.weights))


class Adagrad(KnownOptimizer):
    """Gradient descent by the root of the sum of squares of gradients (Duchi et al., 2011).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        initial_accumulator_value: The sum of squares at first, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    _option_names = ("initial_accumulator_value", "epsilon")

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7,
                 name="Adagrad", **kwargs):  # fmt: skip
        if initial_accumulator_value < 0:
            raise ValueError(
                f"initial_accumulator_value must be non-negative: {initial_accumulator_value}"
            )
        super().__init__(learning_rate, name, epsilon, **kwargs)
        self.initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list):
        first = initializers.Constant(self.initial_accumulator_value)
        for var in var_list:
            self.add_slot(var, "accumulator", first)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        apply_state[(var_device, var_dtype)]["epsilon"] = arrays.cast(self.epsilon, var_dtype)
        count_more_nodes(2)  # TensorFlow has more, which decide later seeds

    def _arguments(self, var, apply_state):
        shared = self._coefficients(var, apply_state)
        return {
            **self._handles(var, accum="accumulator"), "lr": shared["lr_t"],
            "epsilon": shared["epsilon"],
        }  # fmt: skip

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return raw_ops.ResourceApplyAdagradV2(grad=grad, **self._arguments(var, apply_state))

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return raw_ops.ResourceSparseApplyAdagradV2(
            grad=grad, indices=indices, **self._arguments(var, apply_state)
        )

    def set_weights(self, weights):
        super().set_weights(_with_count(weights, self.weights))

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Makes an optimizer of what get_config() returned. By its name alone the sum begins at 0.

        Args:
            config: The dict.
            custom_objects: A dict: name -> class, of the program. None: none.

        Returns:
            An optimizer.
        """
        return super().from_config({"initial_accumulator_value": 0.0, **config}, custom_objects)


class Adadelta(KnownOptimizer):
    """Gradient descent by running means of squares of gradients and updates (Zeiler, 2012).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        rho: Weight of the old value in the means, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    _hyper_names, _option_names = ("learning_rate", "decay", "rho"), ("epsilon",)

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, name="Adadelta", **kwargs):
        super().__init__(learning_rate, name, epsilon, **kwargs)
        self._set_hyper("rho", rho)

    def _create_slots(self, var_list):
        for name in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        apply_state[(var_device, var_dtype)].update(
            rho=self._read("rho", var_dtype), epsilon=arrays.cast(self.epsilon, var_dtype)
        )

    def _arguments(self, var, apply_state):
        shared = self._coefficients(var, apply_state)
        return {
            **self._handles(var, accum="accum_grad", accum_update="accum_var"),
            "lr": shared["lr_t"], "rho": shared["rho"], "epsilon": shared["epsilon"],
        }  # fmt: skip

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return raw_ops.ResourceApplyAdadelta(grad=grad, **self._arguments(var, apply_state))

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return raw_ops.ResourceSparseApplyAdadelta(
            grad=grad, indices=indices, **self._arguments(var, apply_state)
        )

    def set_weights(self, weights):
        super().set_weights(_with_count(weights, self.weights))


class Ftrl(KnownOptimizer):
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

    _hyper_names = (
        "learning_rate", "decay", "learning_rate_power", "l1_regularization_strength",
        "l2_regularization_strength",
    )  # fmt: skip
    _option_names = ("initial_accumulator_value", "l2_shrinkage_regularization_strength")

    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5,
                 initial_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, name="Ftrl",
                 l2_shrinkage_regularization_strength=0.0, **kwargs):  # fmt: skip
        super().__init__(learning_rate, name, **kwargs)
        if learning_rate_power > 0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power:f} needs to be negative or zero"
            )
        for key, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0:
                raise ValueError(f"{key} {value:f} needs to be positive or zero")
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self.initial_accumulator_value = initial_accumulator_value
        self.l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength

    def _create_slots(self, var_list):
        first = initializers.Constant(self.initial_accumulator_value)
        for var in var_list:
            self.add_slot(var, "accumulator", first)
            self.add_slot(var, "linear")

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        apply_state[(var_device, var_dtype)].update(
            (name, self._read(name, var_dtype)) for name in self._hyper_names[2:]
        )

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return self._applied_to(grad, var, apply_state)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return self._applied_to(grad, var, apply_state, indices=indices)

    def _applied_to(self, grad, var, apply_state, **rows):
        shared, second = self._coefficients(var, apply_state), {}
        shrinkage = self.l2_shrinkage_regularization_strength
        if shrinkage > 0:
            second["l2_shrinkage"] = arrays.cast(shrinkage, var.dtype)
        return raw_ops.apply_op(
            f"Resource{'Sparse' * bool(rows)}ApplyFtrl{'V2' * bool(second)}",
            **self._handles(var, accum="accumulator", linear="linear"), grad=grad,
            lr=shared["lr_t"], lr_power=shared["learning_rate_power"],
            l1=shared["l1_regularization_strength"], l2=shared["l2_regularization_strength"],
            **rows, **second,
        )  # fmt: skip


def _with_count(weights, variables):
    """The state that an older Keras saved, without the count of steps, with a count of 0."""
    return [np.array(0), *weights] if len(variables) == len(weights) + 1 else weights


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
    if isinstance(identifier, (Optimizer, OlderOptimizer)):
        return identifier
    if adapted(identifier) is not None:
        return adapted(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError("Could not interpret optimizer identifier:", identifier)


__all__ = [*(cls.__name__ for cls in _CLASSES), "Optimizer", "deserialize", "get", "serialize"]
