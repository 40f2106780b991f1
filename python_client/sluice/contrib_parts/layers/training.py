# SPDX-License-Identifier: Apache-2.0
"""A training step as one function."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph
from ...graph.elements import IndexedSlices, Tensor
from ...graph.keys import GraphKeys
from ...ops import array as arrays
from ...ops.debug.assertions import assert_scalar
from ...ops.math.clipping import clip_by_global_norm, global_norm
from ...ops.random.random import truncated_normal
from ...ops.state import initializers
from ...ops.state.listing import trainable_variables
from ...ops.state.variable_scope import get_variable, variable_scope
from ...training import optimizers, summary
from ...training.global_step import assert_global_step, get_global_step
from ...training.optimizer import Optimizer

OPTIMIZER_CLS_NAMES = {
    "Adagrad": optimizers.AdagradOptimizer,
    "Adam": optimizers.AdamOptimizer,
    "Ftrl": optimizers.FtrlOptimizer,
    "Momentum": lambda learning_rate: optimizers.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": optimizers.RMSPropOptimizer,
    "SGD": optimizers.GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = [
    "learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm",
]  # fmt: skip


def optimize_loss(loss, global_step, learning_rate, optimizer, gradient_noise_scale=None,
                  gradient_multipliers=None, clip_gradients=None, learning_rate_decay_fn=None,
                  update_ops=None, variables=None, name=None, summaries=None,
                  colocate_gradients_with_ops=False, increment_global_step=True):  # fmt: skip
    """Makes a training step.

    Args:
        loss: The loss, a scalar.
        global_step: Variable that counts steps. None: that of the graph, if there is one.
        learning_rate: The learning rate, a float or a scalar tensor. None: the optimizer's.
        optimizer: An Optimizer, a class of them or its short name ("Adagrad", "Adam", "Ftrl",
            "Momentum", "RMSProp", "SGD"), or a function of the learning rate.
        gradient_noise_scale: Scale of noise that is added to gradients, a float. None: no noise.
        gradient_multipliers: A dict: variable or its name -> factor of its gradient. None: none.
        clip_gradients: The largest norm of all gradients, a float; or a function of a list of pairs
            of a gradient and a variable that returns such a list. None: no bound.
        learning_rate_decay_fn: A function of (learning rate, global step) that returns the learning
            rate. None: none.
        update_ops: Operations that run before the loss, a list. None: those of UPDATE_OPS.
        variables: The variables that change, a list. None: all trainable ones.
        name: Name of the variable scope, a str. None: "OptimizeLoss".
        summaries: What is summarised, a list of OPTIMIZER_SUMMARIES. None: "loss", "learning_rate"
            and "global_gradient_norm".
        colocate_gradients_with_ops: Whether gradients are on the devices of operations. A bool.
        increment_global_step: Whether the step counts in global_step. A bool.

    Returns:
        The loss, which is read after the step.

    Raises:
        ValueError: An argument has another type, or none of its values.
    """
    loss = convert_to_tensor(loss)
    assert_scalar(loss)
    if global_step is None:
        global_step = get_global_step()
    else:
        assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss"):
        if update_ops is None:
            update_ops = get_default_graph().get_collection(GraphKeys.UPDATE_OPS)
        if update_ops:
            with control_dependencies(list(update_ops)):
                loss = arrays.identity(loss)
        rate = _rate(learning_rate)
        summaries = _checked(summaries)
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                summary.scalar("learning_rate", rate)
        made = _optimizer(optimizer, rate)
        pairs = made.compute_gradients(
            loss, trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )  # fmt: skip
        if gradient_noise_scale is not None:
            pairs = [(_noisy(grad, gradient_noise_scale), var) for grad, var in pairs]
        if gradient_multipliers is not None:
            pairs = [(_multiplied(grad, var, gradient_multipliers), var) for grad, var in pairs]
        pairs = _clipped(pairs, clip_gradients, summaries, loss)
        step = made.apply_gradients(
            pairs, global_step=global_step if increment_global_step else None, name="train"
        )
        with control_dependencies([step]):
            return arrays.identity(loss)


def _rate(rate):
    """The learning rate as a tensor or a variable."""
    if rate is None or isinstance(rate, Tensor) and rate.shape.ndims == 0:
        return rate
    if not isinstance(rate, float):
        raise ValueError(
            f"Learning rate should be 0d Tensor or float. Got {rate} of type {type(rate)}"
        )
    if rate < 0.0:
        raise ValueError(f"Invalid learning_rate {rate}.")
    first = initializers.constant(rate)
    return get_variable("learning_rate", [], trainable=False, initializer=first)


def _checked(summaries):
    if summaries is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for one in summaries:
        if one not in OPTIMIZER_SUMMARIES:
            raise ValueError(
                f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided "
                f"{one}."
            )
    return summaries


def _optimizer(given, rate):
    if isinstance(given, Optimizer):
        return given
    is_class = isinstance(given, type) and issubclass(given, Optimizer)
    if rate is None and (is_class or isinstance(given, str)):
        raise ValueError(
            f"Learning rate is None, but should be specified if optimizer is a name or a class "
            f"({given})."
        )
    if isinstance(given, str):
        if given not in OPTIMIZER_CLS_NAMES:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], you provided "
                f"{given}."
            )
        return OPTIMIZER_CLS_NAMES[given](learning_rate=rate)
    if is_class:
        return given(learning_rate=rate)
    made = (given() if rate is None else given(rate)) if callable(given) else None
    if not isinstance(made, Optimizer):
        raise ValueError(
            "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass "
            f"of Optimizer or function with one argument. Got {given}."
        )
    return made


def _noisy(grad, scale):
    if grad is None:
        return None
    shape = grad.dense_shape if isinstance(grad, IndexedSlices) else grad.shape
    return grad + truncated_normal(shape) * scale


def _multiplied(grad, var, factors):
    factor = next((f for key, f in factors.items() if key is var or key == var.name), None)
    if grad is None or factor is None:
        return grad
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * arrays.cast(factor, grad.dtype)


def _clipped(pairs, clip, summaries, loss):
    """The gradients within a bound, and the summaries."""
    of_norms = "global_gradient_norm" in summaries or "gradient_norm" in summaries
    if of_norms:
        norm = global_norm([grad for grad, _ in pairs])
        summary.scalar("global_norm/gradient_norm", norm)
    if isinstance(clip, float):
        grads, variables = zip(*pairs)
        pairs = list(zip(clip_by_global_norm(grads, clip)[0], variables))
    elif callable(clip):
        pairs = clip(pairs)
    elif clip is not None:
        raise ValueError(f"Unknown type {type(clip)} for clip_gradients")
    if "loss" in summaries:
        summary.scalar("loss", loss)
    for grad, var in pairs:
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        name = var.name.replace(":", "_")
        if values is not None and "gradients" in summaries:
            summary.histogram(f"gradients/{name}", values)
        if values is not None and "gradient_norm" in summaries:
            summary.scalar(f"gradient_norm/{name}", global_norm([values]))
    if clip is not None and of_norms:
        norm = global_norm([grad for grad, _ in pairs])
        summary.scalar("global_norm/clipped_gradient_norm", norm)
    return pairs


__all__ = ["OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "optimize_loss"]
