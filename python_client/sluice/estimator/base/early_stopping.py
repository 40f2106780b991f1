# SPDX-License-Identifier: Apache-2.0
"""Hooks that end a training early, as evaluations say."""

import operator
import os
import time
from collections import OrderedDict, defaultdict

from ... import dtypes, logging
from ...files import gfile
from ...files.records import summary_iterator
from ...graph.keys import GraphKeys
from ...ops.state.initializers import constant as constant_initializer
from ...ops.state.updates import assign
from ...ops.state.variable_scope import AUTO_REUSE, get_variable, variable_scope
from ...training.basic_hooks import SecondOrStepTimer, StopAtStepHook
from ...training.checkpoints.reader import load_variable
from ...training.global_step import get_global_step, global_step_read
from ...training.session_hooks import SessionRunArgs, SessionRunHook
from .estimator import Estimator


def _stop_variable():
    """The variable by which the chief tells all workers to stop."""
    with variable_scope("signal_early_stopping", reuse=AUTO_REUSE):
        return get_variable(
            "STOP", [], dtypes.bool_, constant_initializer(False), trainable=False,
            collections=[GraphKeys.GLOBAL_VARIABLES],
        )  # fmt: skip


class _StopWhen(SessionRunHook):
    """Asks a function at intervals, and tells all workers to stop when it says so."""

    def __init__(self, should_stop_fn, every_secs, every_steps):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs, every_steps)

    def begin(self):
        self._step = get_global_step()
        self._stop_op = assign(_stop_variable(), True)

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop():
                logging.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop_op)
                run_context.request_stop()


class _StopWhenTold(SessionRunHook):
    """Stops when the chief says so."""

    def begin(self):
        self._stop = _stop_variable()

    def before_run(self, run_context):
        return SessionRunArgs(self._stop)

    def after_run(self, run_context, run_values):
        if run_values.results:
            run_context.request_stop()


def make_early_stopping_hook(estimator, should_stop_fn, run_every_secs=60, run_every_steps=None):
    """Makes a hook that ends the training of all workers when a function says so.

    Args:
        estimator: The Estimator.
        should_stop_fn: A function without arguments that returns a bool.
        run_every_secs: Seconds between its calls, a number. None: run_every_steps counts.
        run_every_steps: Steps between its calls, an int. None: run_every_secs counts.

    Returns:
        A SessionRunHook.

    Raises:
        TypeError: estimator is not an Estimator, or should_stop_fn not a function.
        ValueError: Both intervals are given.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`: {estimator!r}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _StopWhen(should_stop_fn, run_every_secs, run_every_steps)
    return _StopWhenTold()


def read_eval_metrics(eval_dir):
    """The metrics of evaluations: step -> name -> value, in order."""
    found = defaultdict(dict)
    if gfile.exists(eval_dir):
        for path in gfile.glob(os.path.join(eval_dir, "events.out.tfevents.*")):
            for event in summary_iterator(path):
                values = event.summary.value if event.HasField("summary") else ()
                numbers = {v.tag: v.simple_value for v in values if v.HasField("simple_value")}
                if numbers:
                    found[event.step].update(numbers)
    return OrderedDict(sorted(found.items()))


_OF_METRIC = """

    Args:
        estimator: The Estimator.
        metric_name: Name of the metric, a str.
        {what}
        eval_dir: Directory of the evaluations' event files, a str. None: that of the estimator.
        min_steps: Evaluations before this step do not count, an int.
        run_every_secs: Seconds between looks, a number. None: run_every_steps counts.
        run_every_steps: Steps between looks, an int. None: run_every_secs counts.

    Returns:
        A SessionRunHook.
"""


def _at_threshold(better, doc):
    def hook(estimator, metric_name, threshold, eval_dir=None, min_steps=0, run_every_secs=60,
             run_every_steps=None):  # fmt: skip
        folder = estimator.eval_dir() if eval_dir is None else eval_dir

        def crossed():
            return any(
                better(metrics[metric_name], threshold)
                for step, metrics in read_eval_metrics(folder).items()
                if step >= min_steps
            )

        return make_early_stopping_hook(estimator, crossed, run_every_secs, run_every_steps)

    what = "threshold: The limit, a number."
    hook.__doc__ = doc + _OF_METRIC.format(what=what)
    return hook


stop_if_higher_hook = _at_threshold(
    operator.gt, "Makes a hook that ends the training when a metric is above a limit."
)
stop_if_lower_hook = _at_threshold(
    operator.lt, "Makes a hook that ends the training when a metric is below a limit."
)


def _no_better_for(folder, metric_name, most, better, min_steps):
    best = None  # (value, step)
    for step, metrics in read_eval_metrics(folder).items():
        if step < min_steps:
            continue
        if best is None or better(metrics[metric_name], best[0]):
            best = metrics[metric_name], step
        if step - best[1] >= most:
            return True
    return False


def _stops_if_no_better(estimator, metric_name, most, better, eval_dir, min_steps,
                        run_every_secs, run_every_steps):  # fmt: skip
    folder = estimator.eval_dir() if eval_dir is None else eval_dir
    return make_early_stopping_hook(
        estimator,
        lambda: _no_better_for(folder, metric_name, most, better, min_steps),
        run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_no_increase_hook(estimator, metric_name, max_steps_without_increase, eval_dir=None,
                             min_steps=0, run_every_secs=60, run_every_steps=None):  # fmt: skip
    """Makes a hook that ends the training when a metric does not rise for so many steps."""
    return _stops_if_no_better(
        estimator, metric_name, max_steps_without_increase, operator.gt, eval_dir, min_steps,
        run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_no_decrease_hook(estimator, metric_name, max_steps_without_decrease, eval_dir=None,
                             min_steps=0, run_every_secs=60, run_every_steps=None):  # fmt: skip
    """Makes a hook that ends the training when a metric does not fall for so many steps."""
    return _stops_if_no_better(
        estimator, metric_name, max_steps_without_decrease, operator.lt, eval_dir, min_steps,
        run_every_secs, run_every_steps,
    )  # fmt: skip


for _hook, _what in (
    (stop_if_no_increase_hook, "increase"),
    (stop_if_no_decrease_hook, "decrease"),
):
    _hook.__doc__ += _OF_METRIC.format(what=f"max_steps_without_{_what}: How many steps, an int.")


class _StopAtCheckpointStep(SessionRunHook):
    """Stops when the chief has written a checkpoint of a step."""

    def __init__(self, model_dir, last_step, wait_secs):
        self._dir, self._last_step, self._wait_secs = model_dir, last_step, wait_secs

    def begin(self):
        self._step = global_step_read()

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        if run_values.results + 1 < self._last_step:
            return
        try:
            written = int(load_variable(self._dir, GraphKeys.GLOBAL_STEP))
        except Exception:  # no checkpoint yet
            written = 0
        if written >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_secs)


def make_stop_at_checkpoint_step_hook(estimator, last_step, wait_after_file_check_secs=30):
    """Makes a hook that ends the training of a worker when there is a checkpoint of the last step.

    Args:
        estimator: The Estimator.
        last_step: The last global step, an int.
        wait_after_file_check_secs: Seconds between looks for the checkpoint, a number.

    Returns:
        A SessionRunHook. That of the chief ends at the step itself.
    """
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return _StopAtCheckpointStep(estimator.model_dir, last_step, wait_after_file_check_secs)


__all__ = """
    make_early_stopping_hook make_stop_at_checkpoint_step_hook stop_if_higher_hook
    stop_if_lower_hook stop_if_no_decrease_hook stop_if_no_increase_hook
""".split()
