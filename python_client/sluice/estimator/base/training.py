# SPDX-License-Identifier: Apache-2.0
"""Trains and evaluates an estimator in turn: in this process, or as a task of a cluster."""

import os
import time
from collections import namedtuple

from ... import logging
from ...graph.keys import GraphKeys
from ...messages import ConfigProto
from ...session.cluster import Server
from ...training.basic_hooks import CheckpointSaverListener, SecondOrStepTimer
from ...training.session_hooks import SessionRunHook
from .arguments import checked
from .estimator import Estimator
from .exporters import Exporter
from .modes import TaskType

_DELAY_SECS = 5  # between the starts of workers
_MAX_DELAY_SECS = 60
_HOOKS = "All hooks must be `SessionRunHook` instances"


def _check_input_fn(input_fn):
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


class TrainSpec(namedtuple("TrainSpec", "input_fn max_steps hooks")):
    """How train_and_evaluate() trains.

    Args:
        input_fn: The input function: see Estimator.train().
        max_steps: The last global step, an int. None: until the input ends.
        hooks: SessionRunHooks, an iterable.

    Raises:
        TypeError: An argument has another type.
        ValueError: max_steps is not above 0.
    """

    __slots__ = ()

    def __new__(cls, input_fn, max_steps=None, hooks=None):
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(
            cls, input_fn, max_steps, tuple(checked(hooks, SessionRunHook, _HOOKS))
        )


class EvalSpec(
    namedtuple("EvalSpec", "input_fn steps name hooks exporters start_delay_secs throttle_secs")
):
    """How train_and_evaluate() evaluates and exports.

    Args:
        input_fn: The input function: see Estimator.evaluate().
        steps: How many steps, an int. None: until the input ends.
        name: Name of the evaluation, a str. None: none.
        hooks: SessionRunHooks, an iterable.
        exporters: An Exporter, or an iterable of them.
        start_delay_secs: Seconds until an evaluator begins, a number.
        throttle_secs: The fewest seconds between evaluations, a number.

    Raises:
        TypeError: An argument has another type.
        ValueError: A number is too small, or exporters have no or the same names.
    """

    __slots__ = ()

    def __new__(cls, input_fn, steps=100, name=None, hooks=None, exporters=None,
                start_delay_secs=120, throttle_secs=600):  # fmt: skip
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        for what, value in (("start_delay_secs", start_delay_secs),
                            ("throttle_secs", throttle_secs)):  # fmt: skip
            if value < 0:
                raise ValueError(f"Must specify {what} >= 0, given: {value}")
        return super().__new__(
            cls, input_fn, steps, name, tuple(checked(hooks, SessionRunHook, _HOOKS)),
            _exporters(exporters), start_delay_secs, throttle_secs,
        )  # fmt: skip


def _exporters(exporters):
    if not exporters:
        return ()
    found = [exporters] if isinstance(exporters, Exporter) else exporters
    try:
        found = checked(found, Exporter, "exporters")
    except TypeError:
        raise TypeError(
            f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found"
            f" {exporters}."
        ) from None
    names = [e.name for e in found]
    for number, name in enumerate(names):
        if not name:
            raise ValueError(
                "An Exporter cannot have a name that is `None` or empty. All exporter names:"
                f" {names}"
            )
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
        if name in names[:number]:
            raise ValueError(
                "`exporters` must have unique names. Such a name cannot be `None`. All exporter"
                f" names: {names}"
            )
    return tuple(found)


class _Evaluator:
    """Evaluates and exports each new checkpoint."""

    def __init__(self, estimator, spec, max_steps):
        self._estimator, self._spec, self._max_steps = estimator, spec, max_steps
        self._done = None  # path of the checkpoint that was evaluated last

    def run(self):
        """The metrics and the results of exporters; None, [] without a new checkpoint."""
        path = self._estimator.latest_checkpoint()
        if path is None or path == self._done:
            return None, []
        spec = self._spec
        metrics = self._estimator.evaluate(spec.input_fn, spec.steps, spec.hooks, path, spec.name)
        is_last = bool(self._max_steps) and metrics[GraphKeys.GLOBAL_STEP] >= self._max_steps
        base = os.path.join(self._estimator.model_dir, "export")
        exports = [
            exporter.export(
                self._estimator, os.path.join(base, exporter.name), path, metrics, is_last
            )
            for exporter in spec.exporters
        ]
        self._done = path
        return metrics, exports


class _EvaluateAfterSave(CheckpointSaverListener):
    """Evaluates after checkpoints, but not more often than the EvalSpec says, and at the end."""

    def __init__(self, evaluator, throttle_secs):
        self._evaluator, self._throttle_secs = evaluator, throttle_secs
        self.metrics = self.exports = None

    def begin(self):
        """The first checkpoint is that of the model as it begins."""
        self._timer = SecondOrStepTimer(every_secs=self._throttle_secs)
        self._first = True

    def after_save(self, session, global_step_value):
        """Evaluates if it is due."""
        if self._first:
            self._first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)

    def end(self, session, global_step_value):
        """Evaluates the last checkpoint."""
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step):
        self._timer.update_last_triggered_step(step)
        self.metrics, self.exports = self._evaluator.run()
        if self.metrics is None:
            raise RuntimeError("There was no new checkpoint after the training.")


def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains an estimator, evaluates it after checkpoints, and exports it.

    With TF_CONFIG this process is one task of a cluster: "chief" and "worker" train, "ps" keeps
    variables, "evaluator" evaluates and exports. A "master" trains and evaluates. Else both happen
    here in turn.

    Args:
        estimator: The Estimator.
        train_spec: A TrainSpec.
        eval_spec: An EvalSpec.

    Returns:
        In one process: a tuple of the last metrics and a list of what exporters returned. In a
        cluster: None.

    Raises:
        TypeError: An argument is of another class.
        ValueError: TF_CONFIG says that this is another evaluator than number 0.
    """
    for what, value, kind in (("eval_spec", eval_spec, EvalSpec),
                              ("estimator", estimator, Estimator),
                              ("train_spec", train_spec, TrainSpec)):  # fmt: skip
        if not isinstance(value, kind):
            raise TypeError(
                f"`{what}` must have type `tf.estimator.{kind.__name__}`. Got: {type(value)}"
            )
    config = estimator.config
    evaluator = _Evaluator(estimator, eval_spec, train_spec.max_steps)
    if config.task_type == TaskType.EVALUATOR:
        if config.task_id > 0:
            raise ValueError(
                "For distributed training, there can only be one `evaluator` task (with task id 0)."
                f"  Given task id {config.task_id}"
            )
        return _evaluate_continuously(evaluator, train_spec, eval_spec)
    if not config.cluster_spec:
        listener = _EvaluateAfterSave(evaluator, eval_spec.throttle_secs)
        _train(estimator, train_spec, [listener])
        return listener.metrics, listener.exports
    server = _start_server(config)
    if config.task_type == TaskType.PS:
        server.join()
        return None
    listeners = []
    if config.task_type == TaskType.MASTER:
        listeners.append(_EvaluateAfterSave(evaluator, eval_spec.throttle_secs))
    elif config.task_type == TaskType.WORKER:
        time.sleep(_delay(config))
    _train(estimator, train_spec, listeners)
    return None


def _train(estimator, spec, listeners):
    estimator.train(spec.input_fn, spec.hooks, max_steps=spec.max_steps, saving_listeners=listeners)


def _start_server(config):
    """The Server of this task; None where it is the only one."""
    if not config.master:
        if config.task_type == TaskType.PS:
            raise RuntimeError(
                "Could not start server; be sure to specify master in RunConfig or set the"
                " TF_CONFIG environment variable."
            )
        return None
    options = ConfigProto()
    if config.session_config is not None:
        options.gpu_options.CopyFrom(config.session_config.gpu_options)
    return Server(config.cluster_spec, config.task_type, config.task_id, config.protocol, options)


def _delay(config):
    """Seconds that a worker waits, so that workers begin one after the other."""
    most = config.experimental_max_worker_delay_secs
    most = _MAX_DELAY_SECS if most is None else most
    return min(most, (config.task_id + 1) * _DELAY_SECS)


def _evaluate_continuously(evaluator, train_spec, eval_spec):
    time.sleep(eval_spec.start_delay_secs)
    while True:
        start = time.monotonic()
        metrics, _ = evaluator.run()
        if metrics is not None and train_spec.max_steps:
            if metrics[GraphKeys.GLOBAL_STEP] >= train_spec.max_steps:
                return
        elif metrics is None:
            logging.info("No new checkpoint to evaluate yet.")
        rest = eval_spec.throttle_secs - (time.monotonic() - start)
        time.sleep(max(rest, 0.1 if metrics is None else 0))
