# SPDX-License-Identifier: Apache-2.0
"""Optimizers of Keras whose losses are multiplied by a number, so that gradients of float16 do not
become 0."""

from ... import logging
from ...ops import array as arrays
from ...training.loss_scales import apply_if_finite, check_place, loss_scale_of
from ...training.scaled_optimizer import add_wrapper
from ..base import state
from .adapted import TFOptimizer
from .optimizers import Optimizer


class LossScaleOptimizer(Optimizer):
    """An optimizer that multiplies the loss by a number and divides the gradients by it.

    With a DynamicLossScale, a step whose gradients are not finite changes no variable.

    Args:
        opt: The optimizer that changes the variables.
        loss_scale: The number: an int or float, "dynamic", or a LossScale.

    Raises:
        ValueError: opt is not an optimizer of Keras, or it clips gradients.
    """

    def __init__(self, opt, loss_scale):
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of OptimizerV2, but got: {opt}')
        for limit in ("clipnorm", "clipvalue"):
            if hasattr(opt, limit):
                raise ValueError(
                    f"LossScaleOptimizer does not support wrapping optimizers with a {limit}. "
                    f"Optimizer {opt} has {limit} {getattr(opt, limit)}"
                )
        super().__init__(None)
        self._optimizer = opt
        self._loss_scale = loss_scale_of(loss_scale)
        for _, variable in self._loss_scale.checkpoint_children():
            state.track_variable(variable)
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    @property
    def loss_scale(self):
        """The LossScale."""
        return self._loss_scale

    def get_scaled_loss(self, loss):
        """Multiplies a loss by the number.

        Args:
            loss: The loss, a tensor; or a function that returns it.

        Returns:
            A tensor; or a function that returns it.
        """
        scale = self._loss_scale()
        if not callable(loss):
            return loss * arrays.cast(scale, loss.dtype)

        def scaled():
            value = loss()
            return value * arrays.cast(scale, value.dtype)

        return scaled

    def get_unscaled_gradients(self, grads):
        """Divides gradients by the number.

        Args:
            grads: Tensors, a list. None stays.

        Returns:
            A list of tensors.
        """
        reciprocal = 1.0 / self._loss_scale()
        return [g if g is None else g * arrays.cast(reciprocal, g.dtype) for g in grads]

    def _compute_gradients(self, loss, var_list, grad_loss=None):
        pairs = self._optimizer._compute_gradients(self.get_scaled_loss(loss), var_list, grad_loss)
        grads = self.get_unscaled_gradients([g for g, _ in pairs])
        return list(zip(grads, (v for _, v in pairs)))

    def get_gradients(self, loss, params):
        grads = self._optimizer.get_gradients(self.get_scaled_loss(loss), params)
        return self.get_unscaled_gradients(grads)

    def apply_gradients(self, grads_and_vars, name=None):
        check_place()
        return apply_if_finite(
            self._loss_scale, list(grads_and_vars),
            lambda own: self._optimizer.apply_gradients(own, name),
        )  # fmt: skip

    @property
    def iterations(self):
        """How many updates there were, an int64 variable."""
        return self._optimizer.iterations

    @iterations.setter
    def iterations(self, variable):
        self._optimizer.iterations = variable

    @property
    def learning_rate(self):
        """The learning rate: a variable, a tensor or a schedule."""
        return self._optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value):
        self._optimizer.learning_rate = value

    lr = learning_rate

    def get_slot(self, var, slot_name):
        return self._optimizer.get_slot(var, slot_name)

    def get_slot_names(self):
        return self._optimizer.get_slot_names()

    @property
    def weights(self):
        """The variables that hold its state and that of the optimizer, a list."""
        own = [variable for _, variable in self._loss_scale.checkpoint_children()]
        return [*self._optimizer.weights, *own]

    def variables(self):
        return self.weights

    def get_config(self):
        raise NotImplementedError("get_config() is not yet implemented for LossScaleOptimizers")

    @classmethod
    def from_config(cls, config, custom_objects=None):
        raise NotImplementedError("from_config() is not yet implemented for LossScaleOptimizers")


def for_policy(optimizer, policy):
    """The optimizer of a model, with the loss scale of the model's policy.

    Args:
        optimizer: What compile() got: an optimizer, or a list of them.
        policy: The Policy.

    Returns:
        A LossScaleOptimizer if the policy has a loss scale, else the optimizer.

    Raises:
        ValueError: The policy has a loss scale, and the optimizer cannot take it.
    """
    scale = policy.loss_scale
    if scale is None:
        return optimizer
    if isinstance(optimizer, LossScaleOptimizer):
        if optimizer.loss_scale != scale:
            logging.warning(
                f"LossScale of LossScaleOptimizer passed to compile ({optimizer.loss_scale}) is "
                f"not the same as the dtype policy's loss scale ({scale}). Because the dtype "
                "policy has a loss scale, you should pass an optimizer that is not wrapped with a "
                "LossScaleOptimizer,"
            )
        return optimizer
    if isinstance(optimizer, list):
        raise ValueError(
            "When a dtype policy with a loss scale is used, you can only pass a single optimizer. "
            f"Using policy {policy} and got optimizers: {optimizer}"
        )
    if isinstance(optimizer, TFOptimizer) or not isinstance(optimizer, Optimizer):
        raise ValueError(
            '"optimizer" must be an instance of tf.keras.optimizers.Optimizer when a dype policy '
            f"with a loss scale  used, but got: {optimizer}. Using policy: {policy}"
        )
    return LossScaleOptimizer(optimizer, scale)


def _wrapped(opt, loss_scale):
    if type(opt).__name__ == "LossScaleOptimizer":
        raise ValueError(
            '"opt" must not already be an instance of a LossScaleOptimizer. '
            "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
            "LossScaleOptimizer."
        )
    return LossScaleOptimizer(opt, loss_scale) if isinstance(opt, Optimizer) else None


add_wrapper(_wrapped)

__all__ = ["LossScaleOptimizer"]
