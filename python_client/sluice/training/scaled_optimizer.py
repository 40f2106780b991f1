# SPDX-License-Identifier: Apache-2.0
"""Optimizers whose losses are multiplied by a number: see loss_scales.py."""

from .. import logging
from ..graph.elements import IndexedSlices
from ..session import config_options
from .loss_scales import FixedLossScale, apply_if_finite, check_place, loss_scale_of
from .optimizer import Optimizer

_wrappers = []  # of optimizers of other modules: functions of an optimizer and a loss scale
_rewriting = {"enabled": False, "default_policy": True}


class MixedPrecisionLossScaleOptimizer(Optimizer):
    """An optimizer that multiplies the loss by a number and divides the gradients by it.

    With a DynamicLossScale, a step whose gradients are not finite changes no variable.

    Args:
        opt: The optimizer that changes the variables.
        loss_scale: The number: an int or float, "dynamic", or a LossScale.

    Raises:
        ValueError: opt is not an optimizer of sluice.train.

    Example:
        >>> v = sl.Variable(4.0)
        >>> descent = sl.train.GradientDescentOptimizer(0.25)
        >>> scaled = sl.train.experimental.MixedPrecisionLossScaleOptimizer(descent, 1024)
        >>> step = scaled.minimize(v * v)
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     session.run(step)
        ...     print(session.run(v))
        2.0
    """

    def __init__(self, opt, loss_scale):
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        self._optimizer = opt
        super().__init__(False, opt.get_name())
        self._loss_scale = loss_scale_of(loss_scale)

    def compute_gradients(self, loss, var_list=None, gate_gradients=Optimizer.GATE_OP,
                          aggregation_method=None, colocate_gradients_with_ops=False,
                          grad_loss=None):  # fmt: skip
        scale = self._loss_scale()
        if callable(loss):
            given = loss
            scaled = lambda: given() * scale  # noqa: E731
        else:
            scaled = loss * scale
        pairs = self._optimizer.compute_gradients(
            scaled, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
            grad_loss,
        )  # fmt: skip
        reciprocal = 1 / self._loss_scale()
        return [(_times(g, reciprocal), v) for g, v in pairs]

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        check_place()
        pairs = list(grads_and_vars)
        if isinstance(self._loss_scale, FixedLossScale):
            return self._optimizer.apply_gradients(pairs, global_step, name)
        name = name or self.get_name()
        wrapped = f"{name}-wrapped"  # the same object for all replicas
        return apply_if_finite(
            self._loss_scale, pairs,
            lambda own: self._optimizer.apply_gradients(own, global_step, wrapped), name,
        )  # fmt: skip

    def get_slot(self, var, name):
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self):
        return self._optimizer.get_slot_names()

    def variables(self):
        own = [variable for _, variable in self._loss_scale.checkpoint_children()]
        return [*self._optimizer.variables(), *own]

    def checkpoint_children(self):
        return [("base_optimizer", self._optimizer), ("loss_scale", self._loss_scale)]


def _times(grad, factor):
    if grad is None:
        return None
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor


def add_wrapper(wrapper):
    """Lets enable_mixed_precision_graph_rewrite() take optimizers of another module.

    Args:
        wrapper: A function of an optimizer and a loss scale. It returns the wrapped optimizer, or
            None for one that is not of its module.
    """
    _wrappers.append(wrapper)


def enable_mixed_precision_graph_rewrite(opt, loss_scale="dynamic"):
    """Wraps an optimizer, and asks the servers to compute in float16 where that is safe.

    The servers of sluice compute in the dtypes of the graph; those of TensorFlow follow the request
    on GPUs.

    Args:
        opt: The optimizer, of sluice.train or sluice.keras.
        loss_scale: The number of the loss: an int or float, "dynamic", or a LossScale.

    Returns:
        The optimizer to train with.

    Raises:
        ValueError: opt is wrapped already, or is not an optimizer; or a policy of Keras is set.
    """
    if not _rewriting["default_policy"]:
        raise ValueError(
            "The mixed precision graph rewrite cannot be enabled, because a keras mixed precision "
            "Policy has been set: call either keras.mixed_precision.experimental.set_policy() or "
            "train.experimental.enable_mixed_precision_graph_rewrite()"
        )
    wrapped = _wrapped(opt, loss_scale)
    config_options.set_experimental_options({"auto_mixed_precision": True})
    _rewriting["enabled"] = True
    return wrapped


def check_no_rewriting():
    """ValueError: enable_mixed_precision_graph_rewrite() was called."""
    if _rewriting["enabled"]:
        raise ValueError(
            "The mixed precision policy cannot be set, because the mixed precision graph rewrite "
            "has already been enabled: call either "
            "train.experimental.enable_mixed_precision_graph_rewrite() or "
            "keras.mixed_precision.experimental.set_policy()"
        )


def keep_default_policy(is_default):
    """Keeps whether layers of Keras have the default policy: the graph rewrite excludes others."""
    _rewriting["default_policy"] = is_default


def _wrapped(opt, loss_scale):
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError(
            '"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer. '
            "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
            "MixedPrecisionLossScaleOptimizer."
        )
    if isinstance(opt, Optimizer):
        return MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    for wrapper in _wrappers:
        wrapped = wrapper(opt, loss_scale)
        if wrapped is not None:
            return wrapped
    raise ValueError(
        '"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, '
        f"but got: {opt}"
    )


def disable_mixed_precision_graph_rewrite():
    """Takes back the request of enable_mixed_precision_graph_rewrite(), for sessions that are made
    from now on. Optimizers stay wrapped."""
    if not _rewriting["enabled"]:
        logging.warning(
            "disable_mixed_precision_graph_rewrite() called when mixed precision is already "
            "disabled."
        )
    config_options.set_experimental_options({"auto_mixed_precision": False})
    _rewriting["enabled"] = False


__all__ = """
    MixedPrecisionLossScaleOptimizer disable_mixed_precision_graph_rewrite
    enable_mixed_precision_graph_rewrite
""".split()
