# SPDX-License-Identifier: Apache-2.0
"""Training steps of losses, with gradients that are changed, and a loop that runs them."""

from ... import logging
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...graph.elements import IndexedSlices
from ...graph.keys import GraphKeys
from ...ops import array as arrays
from ...ops.control_flow.grouping import no_op
from ...ops.debug.checks import check_numerics as with_numerics_checked
from ...ops.math.clipping import clip_by_norm, global_norm
from ...ops.state.listing import trainable_variables
from ...training import summary
from ...training.global_step import get_or_create_global_step
from ...training.optimizer import Optimizer
from ...training.sessions.monitored_session import MonitoredTrainingSession

USE_GLOBAL_STEP = 0


def summarize_gradients(grads_and_vars, mark):
    """Summaries of gradients and their norms, whose names end in mark + "gradient"."""
    made = []
    for grad, var in grads_and_vars:
        if grad is None:
            logging.info("Var %s has no gradient", var.op.name)
            continue
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        name = f"{var.op.name}{mark}gradient"
        made.append(summary.histogram(name, values))
        made.append(summary.scalar(f"{name}_norm", global_norm([values])))
    return made


def add_gradients_summaries(grads_and_vars):
    """Makes summaries of gradients and of their norms.

    Args:
        grads_and_vars: Pairs of a gradient and a variable, a list.

    Returns:
        A list of summaries, strings.
    """
    return summarize_gradients(grads_and_vars, "_")


def _changed(grad, change):
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(change(grad.values), grad.indices, grad.dense_shape)
    return change(grad)


def clip_gradient_norms(gradients_to_variables, max_norm):
    """Bounds the norm of each gradient.

    Args:
        gradients_to_variables: Pairs of a gradient and a variable, a list.
        max_norm: The largest norm, a float.

    Returns:
        A list of pairs.
    """
    return [
        (None if grad is None else _changed(grad, lambda g: clip_by_norm(g, max_norm)), var)
        for grad, var in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm):
    """Makes a function that bounds the norm of each gradient: see clip_gradient_norms().

    Args:
        max_norm: The largest norm, a float.

    Returns:
        A function of a list of pairs.
    """
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(grads_and_vars, gradient_multipliers):
    """Multiplies gradients.

    Args:
        grads_and_vars: Pairs of a gradient and a variable, a list.
        gradient_multipliers: A dict: variable or its name -> factor.

    Returns:
        A list of pairs.

    Raises:
        ValueError: An argument has another type or is empty, or a gradient that has a factor is
            None.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    found = []
    for grad, var in grads_and_vars:
        keys = [key for key in (var, var.op.name) if key in gradient_multipliers]
        if keys:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = convert_to_tensor(gradient_multipliers[keys[0]], dtype=grad.dtype)
            grad = _changed(grad, lambda g, factor=factor: g * factor)
        found.append((grad, var))
    return found


def _after_updates(loss, update_ops):
    """The loss after the operations that update moving averages."""
    every = list(dict.fromkeys(get_default_graph().get_collection(GraphKeys.UPDATE_OPS)))
    update_ops = every if update_ops is None else list(dict.fromkeys(update_ops))
    if not set(every).issubset(update_ops):
        logging.warning(
            "update_ops in create_train_op does not contain all the update_ops in "
            "GraphKeys.UPDATE_OPS"
        )
    if not update_ops:
        return loss
    with control_dependencies(update_ops):
        barrier = no_op(name="update_barrier")
    return _after(barrier, loss)


def _after(op, tensor):
    with name_scope("control_dependency") as scope, control_dependencies([op]):
        return arrays.identity(tensor, name=scope)


def create_train_op(total_loss, optimizer, global_step=USE_GLOBAL_STEP, update_ops=None,
                    variables_to_train=None, transform_grads_fn=None, summarize_gradients=False,
                    gate_gradients=Optimizer.GATE_OP, aggregation_method=None,
                    colocate_gradients_with_ops=False, check_numerics=True):  # fmt: skip
    """Makes a training step.

    Args:
        total_loss: The loss, a scalar.
        optimizer: The Optimizer.
        global_step: Variable that counts steps; by default that of the graph. None: none.
        update_ops: Operations that run before the loss, a list. None: those of UPDATE_OPS.
        variables_to_train: The variables that change, a list. None: all trainable ones.
        transform_grads_fn: A function of a list of pairs of a gradient and a variable that returns
            such a list. None: none.
        summarize_gradients: Whether gradients get summaries. A bool.
        gate_gradients: See Optimizer.compute_gradients().
        aggregation_method: See Optimizer.compute_gradients().
        colocate_gradients_with_ops: Whether gradients are on the devices of operations. A bool.
        check_numerics: Whether a step fails if the loss is not finite. A bool.

    Returns:
        The loss, which is read after the step.
    """
    if global_step is USE_GLOBAL_STEP:
        global_step = get_or_create_global_step()
    total_loss = _after_updates(total_loss, update_ops)
    if variables_to_train is None:
        variables_to_train = trainable_variables()
    else:
        every = {id(variable) for variable in trainable_variables()}
        for var in variables_to_train:
            assert var.trainable or id(var) in every
    assert variables_to_train
    grads = optimizer.compute_gradients(
        total_loss, variables_to_train, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )  # fmt: skip
    if transform_grads_fn:
        grads = transform_grads_fn(grads)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(grads)
    updates = optimizer.apply_gradients(grads, global_step=global_step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = with_numerics_checked(total_loss, "LossTensor is inf or nan")
        step = _after(updates, total_loss)
    graph = get_default_graph()
    if not any(step is one for one in graph.get_collection(GraphKeys.TRAIN_OP)):
        graph.add_to_collection(GraphKeys.TRAIN_OP, step)
    return step


def train(train_op, logdir, master="", is_chief=True, scaffold=None, hooks=None,
          chief_only_hooks=None, save_checkpoint_secs=600, save_summaries_steps=100, config=None,
          max_wait_secs=7200, run_metadata=None):  # fmt: skip
    """Runs a training step until a hook stops it.

    Args:
        train_op: The step, as create_train_op() makes it.
        logdir: Folder of checkpoints and summaries, a str. None: none are written.
        master: "" for this process, or "grpc://host:port" of a task.
        is_chief: Whether this program initialises variables. A bool.
        scaffold: A Scaffold, or None.
        hooks: SessionRunHooks, a list.
        chief_only_hooks: SessionRunHooks of the chief, a list.
        save_checkpoint_secs: Seconds between checkpoints. None: none.
        save_summaries_steps: Steps between summaries. None: none.
        config: A ConfigProto, or None.
        max_wait_secs: How long other programs wait for the chief, in seconds.
        run_metadata: A RunMetadata that each step fills, or None.

    Returns:
        The last value of train_op; None if no step ran.

    Raises:
        ValueError: Something is to be saved, but logdir is None.
    """
    if logdir is None and is_chief:
        for name, value in (("save_summaries_steps", save_summaries_steps),
                            ("save_checkpoint_secs", save_checkpoint_secs)):  # fmt: skip
            if value:
                raise ValueError(f"logdir cannot be None when {name} is not None")
    loss = None
    with MonitoredTrainingSession(
        master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks,
        chief_only_hooks=chief_only_hooks, save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps, config=config, max_wait_secs=max_wait_secs,
    ) as session:  # fmt: skip
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


__all__ = """
    add_gradients_summaries clip_gradient_norms clip_gradient_norms_fn create_train_op
    multiply_gradients train
""".split()
