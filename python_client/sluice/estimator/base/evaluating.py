# SPDX-License-Identifier: Apache-2.0
"""One evaluation: steps that update metrics, their values at the end, and the summary of these."""

import numpy as np

from ... import dtypes, logging, nest
from ...files.tensors import tensor_proto
from ...graph.default_graph import control_dependencies, get_default_graph
from ...graph.keys import GraphKeys
from ...messages import Summary
from ...ops import array as arrays
from ...ops.state.initializers import zeros
from ...ops.state.updates import assign_add
from ...ops.state.variable_scope import get_variable
from ...training.basic_hooks import FinalOpsHook
from ...training.session_hooks import SessionRunArgs, SessionRunHook
from ...training.sessions.creators import ChiefSessionCreator
from ...training.sessions.monitored_session import MonitoredSession
from ...training.summary import FileWriterCache


class StopAfterEvaluations(SessionRunHook):
    """Ends an evaluation after so many steps.

    Args:
        steps: How many, an int.
    """

    def __init__(self, steps):
        self._steps = steps
        self.done = None  # a tensor: how many steps there were

    def before_run(self, run_context):
        """Asks how many there were.

        Args:
            run_context: The SessionRunContext.

        Returns:
            A SessionRunArgs.
        """
        return SessionRunArgs(self.done)

    def after_run(self, run_context, run_values):
        """Asks to stop after the last one.

        Args:
            run_context: The SessionRunContext.
            run_values: The SessionRunValues, which have the count.
        """
        if run_values.results >= self._steps:
            run_context.request_stop()


def eval_step():
    """Finds or makes the graph's counter of steps of an evaluation.

    Returns:
        A local variable.
    """
    found = get_default_graph().get_collection(GraphKeys.EVAL_STEP)
    if found:
        return found[0]
    return get_variable(
        "eval_step", [], dtypes.int64, zeros(), trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )  # fmt: skip


def counted_steps(update_op, hooks):
    """The operations of a step, which is counted, and a list of the hooks, which know the count."""
    counter = eval_step()
    if update_op is None:
        return None, list(hooks)
    steps = [update_op, assign_add(counter, 1, use_locking=True)]
    with control_dependencies(nest.flatten(steps)):
        done = arrays.identity(counter.read_value())
    for hook in hooks:
        if isinstance(hook, StopAfterEvaluations):
            hook.done = done
    return steps, list(hooks)


def evaluate_once(checkpoint_path, master, scaffold, update_op, final_ops, hooks, config,
                  feed_dict=None, final_ops_feed_dict=None):  # fmt: skip
    """The values of final_ops after all steps; without update_op there is none."""
    steps, hooks = counted_steps(update_op, hooks)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    creator = ChiefSessionCreator(
        scaffold, master, config, checkpoint_filename_with_path=checkpoint_path
    )
    with MonitoredSession(creator, [*hooks, final]) as session:
        while steps is not None and not session.should_stop():
            session.run(steps, feed_dict)
    return final.final_ops_values


def write_results(folder, results, step):
    """Writes the values of metrics to the event file of a folder."""
    shown = ", ".join(f"{k} = {v}" for k, v in sorted(results.items()) if not isinstance(v, bytes))
    logging.info("Saving dict for global step %d: %s", step, shown)
    written = Summary()
    for key, value in results.items():
        if value is None or key == GraphKeys.GLOBAL_STEP:
            continue
        if isinstance(value, (float, np.float32, int, np.int32, np.int64)):
            written.value.add(tag=key, simple_value=float(value))
        elif isinstance(value, bytes):
            _add_summary(written, key, value)
        elif isinstance(value, np.ndarray):
            added = written.value.add(tag=key, node_name=key)
            added.tensor.CopyFrom(tensor_proto(value))
        else:
            logging.warning("The value of %s has no summary: it is a %s", key, type(value).__name__)
    _write(folder, written, step)


def _add_summary(written, key, data):
    try:
        inner = Summary.FromString(data)
    except Exception:  # the library's own class, which moved between its versions
        logging.warning("Skipping summary for %s, cannot parse string to Summary.", key)
        return
    for i, value in enumerate(inner.value):
        value.tag = f"{key}/{i}"
    written.value.extend(inner.value)


def write_checkpoint_path(folder, path, step):
    """Writes which checkpoint was evaluated to the event file of a folder."""
    written = Summary()
    written.value.add(tag="checkpoint_path").tensor.CopyFrom(tensor_proto(path.encode()))
    _write(folder, written, step)


def _write(folder, written, step):
    writer = FileWriterCache.get(folder)
    writer.add_summary(written, step)
    writer.flush()
