# SPDX-License-Identifier: Apache-2.0
"""The hooks that most programs use."""

import os
import time

import numpy as np

from .. import logging
from ..files import gfile
from ..files.files import open_file
from ..files.graph_io import write_graph
from ..graph.default_graph import get_default_graph
from ..graph.keys import GraphKeys
from ..messages import RunOptions, SessionLog, Summary
from ..session.timeline import Timeline
from .global_step import get_global_step, global_step_read
from .meta_graph import export_meta_graph
from .session_hooks import SessionRunArgs, SessionRunHook
from .summary import FileWriterCache


class SecondOrStepTimer:
    """Tells when something is due: after so many seconds, or steps.

    Args:
        every_secs: Seconds between two times, a float.
        every_steps: Steps between two times, an int.

    Raises:
        ValueError: Not exactly one of the two is given.

    Example:
        >>> timer = sl.train.SecondOrStepTimer(every_steps=10)
        >>> timer.should_trigger_for_step(1)
        True
    """

    def __init__(self, every_secs=None, every_steps=None):
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._secs, self._steps = every_secs, every_steps
        self.reset()

    def reset(self):
        """Makes it due at once."""
        self._last_step = self._last_time = None

    def should_trigger_for_step(self, step):
        """Tests whether it is due.

        Args:
            step: The step, an int.

        Returns:
            A bool.
        """
        if self._last_step is None:
            return True
        if step == self._last_step:
            return False
        if self._secs is not None:
            return time.time() >= self._last_time + self._secs
        return step >= self._last_step + self._steps

    def update_last_triggered_step(self, step):
        """Notes that it was done.

        Args:
            step: The step, an int.

        Returns:
            A tuple: the seconds and the steps since the last time; (None, None) the first time.
        """
        now = time.time()
        since = (None, None)
        if self._last_step is not None:
            since = now - self._last_time, step - self._last_step
        self._last_step, self._last_time = step, now
        return since

    def last_triggered_step(self):
        """Returns the step of the last time.

        Returns:
            An int; None if there was none.
        """
        return self._last_step


class NeverTriggerTimer:
    """A timer of what is never due."""

    def should_trigger_for_step(self, step):
        return False

    def update_last_triggered_step(self, step):
        return (None, None)

    def last_triggered_step(self):
        return None

    def reset(self):
        """Nothing to forget."""


def _step_read(who):
    step = global_step_read()
    if step is None:
        raise RuntimeError(f"Global step should be created to use {who}.")
    return step


def _due_step(timer, step_read, run_context, run_values):
    """The global step after a run that fetched it, if the timer is due there, else None."""
    # The value of this run may have been read before the step was counted.
    if not timer.should_trigger_for_step(run_values.results + 1):
        return None
    step = run_context.session.run(step_read)
    return step if timer.should_trigger_for_step(step) else None


class StopAtStepHook(SessionRunHook):
    """Ends the training after a number of steps.

    Args:
        num_steps: How many steps after the start, an int.
        last_step: The last global step, an int.

    Raises:
        ValueError: Not exactly one of the two is given.
    """

    def __init__(self, num_steps=None, last_step=None):
        if (num_steps is None) == (last_step is None):
            which = "One" if num_steps is None else "Only one"
            how = "must" if num_steps is None else "can"
            raise ValueError(f"{which} of num_steps or last_step {how} be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self):
        self._step = _step_read("StopAtStepHook")

    def after_create_session(self, session, coord):
        if self._last_step is None:
            self._last_step = session.run(self._step) + self._num_steps

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        # The value of this run may have been read before the step was counted.
        if run_values.results + 1 >= self._last_step:
            if run_context.session.run(self._step) >= self._last_step:
                run_context.request_stop()


class CheckpointSaverListener:
    """The base class of what a program can do around checkpoints. Its methods do nothing."""

    def begin(self):
        """Is called before the session is made."""

    def before_save(self, session, global_step_value):
        """Is called before a checkpoint is written.

        Args:
            session: The session.
            global_step_value: The global step, an int.
        """

    def after_save(self, session, global_step_value):
        """Is called after a checkpoint was written. If it returns True the training ends.

        Args:
            session: The session.
            global_step_value: The global step, an int.
        """

    def end(self, session, global_step_value):
        """Is called at the end.

        Args:
            session: The session.
            global_step_value: The global step, an int.
        """


class CheckpointSaverHook(SessionRunHook):
    """Writes a checkpoint at the start, at intervals, and at the end.

    Args:
        checkpoint_dir: The directory, a str.
        save_secs: Seconds between two times, a float. None: save_steps counts.
        save_steps: Steps between two times, an int. None: save_secs counts.
        saver: The Saver. None: that of the scaffold, or of the graph.
        checkpoint_basename: Name of the checkpoints, a str.
        scaffold: The Scaffold.
        listeners: CheckpointSaverListeners, a list.
        save_graph_def: Whether the graph is written too. A bool.

    Raises:
        ValueError: Both saver and scaffold are given.
    """

    def __init__(self, checkpoint_dir, save_secs=None, save_steps=None, saver=None,
                 checkpoint_basename="model.ckpt", scaffold=None, listeners=None,
                 save_graph_def=True):  # fmt: skip
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._dir, self._save_path = (
            checkpoint_dir,
            os.path.join(checkpoint_dir, checkpoint_basename),
        )
        self._given_saver, self._scaffold, self._save_graph = saver, scaffold, save_graph_def
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self.listeners = list(listeners or ())

    def begin(self):
        gfile.makedirs(self._dir)
        self._writer = FileWriterCache.get(self._dir)
        self._step = _step_read("CheckpointSaverHook")
        for listener in self.listeners:
            listener.begin()

    def after_create_session(self, session, coord):
        step = session.run(self._step)
        if self._save_graph:
            graph = get_default_graph()
            write_graph(graph.as_graph_def(add_shapes=True), self._dir, "graph.pbtxt")
            self._writer.add_graph(graph)
            saver = self._saver()
            definition = saver.as_saver_def() if saver is not None else None
            self._writer.add_meta_graph(export_meta_graph(saver_def=definition))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        step = _due_step(self._timer, self._step, run_context, run_values)
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session):
        step = session.run(self._step)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self.listeners:
            listener.end(session, step)

    def _save(self, session, step):
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self.listeners:
            listener.before_save(session, step)
        self._saver().save(session, self._save_path, global_step=int(step))
        log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        self._writer.add_session_log(log, step)
        return any([listener.after_save(session, step) for listener in self.listeners])

    def _saver(self):
        if self._given_saver is not None:
            return self._given_saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = get_default_graph().get_collection(GraphKeys.SAVERS)
        if len(savers) != 1:
            raise RuntimeError(f"CheckpointSaverHook needs a Saver: the graph has {len(savers)}")
        return savers[0]


class SummarySaverHook(SessionRunHook):
    """Writes summaries at intervals.

    Args:
        save_steps: Steps between two times, an int. None: save_secs counts.
        save_secs: Seconds between two times, a float. None: save_steps counts.
        output_dir: Directory of the files, a str.
        summary_writer: The FileWriter. None: one for output_dir.
        scaffold: The Scaffold.
        summary_op: The summary, a tensor, or several. None: that of the scaffold.

    Raises:
        ValueError: Not exactly one of scaffold and summary_op is given.
    """

    def __init__(self, save_steps=None, save_secs=None, output_dir=None, summary_writer=None,
                 scaffold=None, summary_op=None):  # fmt: skip
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._given_op, self._scaffold = summary_op, scaffold
        self._writer, self._dir = summary_writer, output_dir
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self):
        if self._writer is None and self._dir:
            self._writer = FileWriterCache.get(self._dir)
        self._next = None
        self._step = _step_read("SummarySaverHook")

    def before_run(self, run_context):
        self._due = self._next is None or self._timer.should_trigger_for_step(self._next)
        wanted = {"global_step": self._step}
        summaries = self._summaries()
        if self._due and summaries is not None:
            wanted["summary"] = summaries
        return SessionRunArgs(wanted)

    def after_run(self, run_context, run_values):
        if self._writer is None:
            return
        step = run_values.results["global_step"] + 1
        if self._next is None or self._due:
            step = run_context.session.run(self._step)
        if self._next is None:
            self._writer.add_session_log(SessionLog(status=SessionLog.START), step)
        if self._due:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._writer.add_summary(summary, step)
        self._next = step + 1

    def end(self, session=None):
        if self._writer is not None:
            self._writer.flush()

    def _summaries(self):
        op = self._given_op if self._given_op is not None else self._scaffold.summary_op
        return op if op is None or isinstance(op, (list, tuple)) else [op]


class StepCounterHook(SessionRunHook):
    """Writes steps per second as the summary "global_step/sec".

    Args:
        every_n_steps: Steps between two times, an int. None: every_n_secs counts.
        every_n_secs: Seconds between two times, a float. None: the other argument counts.
        output_dir: Directory of the files, a str.
        summary_writer: The FileWriter. None: one for output_dir.

    Raises:
        ValueError: Not exactly one interval is given.
    """

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None,
                 summary_writer=None):  # fmt: skip
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._writer, self._dir = summary_writer, output_dir

    def begin(self):
        if self._writer is None and self._dir:
            self._writer = FileWriterCache.get(self._dir)
        self._step = _step_read("StepCounterHook")
        self._tag = get_global_step().op.name + "/sec"

    def before_run(self, run_context):
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        step = _due_step(self._timer, self._step, run_context, run_values)
        if step is not None:
            seconds, steps = self._timer.update_last_triggered_step(step)
            if seconds:
                self._log_and_record(steps, seconds, step)

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        rate = elapsed_steps / elapsed_time
        if self._writer is not None:
            value = Summary.Value(tag=self._tag, simple_value=rate)
            self._writer.add_summary(Summary(value=[value]), global_step)
        logging.info("%s: %g", self._tag, rate)


class LoggingTensorHook(SessionRunHook):
    """Logs the values of tensors at intervals, or at the end.

    Args:
        tensors: A dict: tag -> tensor or name; or a list of them.
        every_n_iter: Runs between two times, an int. None: every_n_secs counts.
        every_n_secs: Seconds between two times, a float. None: the other argument counts.
        at_end: Whether they are logged at the end. A bool.
        formatter: A function that makes a text of the dict of values. None: the default text.

    Raises:
        ValueError: Not exactly one interval is given.
    """

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False,
                 formatter=None):  # fmt: skip
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be "
                "provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._order = list(tensors)
        if not isinstance(tensors, dict):
            tensors = {tensor: tensor for tensor in tensors}
        self._tensors, self._formatter, self._at_end = tensors, formatter, at_end
        timer = NeverTriggerTimer() if only_at_end else None
        self._timer = timer or SecondOrStepTimer(every_n_secs, every_n_iter)

    def begin(self):
        self._timer.reset()
        self._count = 0
        graph = get_default_graph()
        self._found = {k: graph.as_graph_element(t) for k, t in self._tensors.items()}

    def before_run(self, run_context):
        self._due = self._timer.should_trigger_for_step(self._count)
        return SessionRunArgs(self._found) if self._due else None

    def after_run(self, run_context, run_values):
        if self._due:
            self._log(run_values.results)
        self._count += 1

    def end(self, session):
        if self._at_end:
            self._log(session.run(self._found))

    def _log(self, values):
        seconds, _ = self._timer.update_last_triggered_step(self._count)
        if self._formatter:
            logging.info(self._formatter(values))
            return
        text = ", ".join(f"{tag} = {values[tag]}" for tag in self._order)
        logging.info("%s%s", text, f" ({seconds:.3f} sec)" if seconds is not None else "")


class NanLossDuringTrainingError(RuntimeError):
    """The loss is NaN: it is not a number any more."""

    def __init__(self):
        super().__init__()

    def __str__(self):
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Ends the training if a loss is NaN.

    Args:
        loss_tensor: The loss.
        fail_on_nan_loss: Whether NanLossDuringTrainingError is raised. A bool.

    Raises:
        NanLossDuringTrainingError: In a run: the loss is NaN.
    """

    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context):
        return SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        if not np.isnan(run_values.results):
            return
        logging.error("Model diverged with loss = NaN.")
        if self._fail:
            raise NanLossDuringTrainingError
        run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first run until the global step is large enough, so that workers start one by one.

    Args:
        wait_until_step: The global step, an int.
    """

    def __init__(self, wait_until_step):
        self._wait_until_step = wait_until_step

    def begin(self):
        self._waits = self._wait_until_step > 0
        self._step = _step_read("GlobalStepWaiterHook")

    def before_run(self, run_context):
        while self._waits:
            self._waits = int(run_context.session.run(self._step)) < self._wait_until_step
            if self._waits:
                time.sleep(0.5)


class FinalOpsHook(SessionRunHook):
    """Runs tensors and operations at the end.

    Args:
        final_ops: What to fetch, in any structure.
        final_ops_feed_dict: A dict: tensor -> value to feed.
    """

    def __init__(self, final_ops, final_ops_feed_dict=None):
        self._ops, self._feeds, self._values = final_ops, final_ops_feed_dict, None

    @property
    def final_ops_values(self):
        """The values fetched at the end."""
        return self._values

    def end(self, session):
        if self._ops is not None:
            self._values = session.run(self._ops, feed_dict=self._feeds)


class FeedFnHook(SessionRunHook):
    """Feeds the result of a function in every run.

    Args:
        feed_fn: A function that returns a dict: tensor -> value.
    """

    def __init__(self, feed_fn):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


class ProfilerHook(SessionRunHook):
    """Traces a run at intervals, and writes a file timeline-<step>.json for chrome://tracing.

    Args:
        save_steps: Steps between two times, an int. None: save_secs counts.
        save_secs: Seconds between two times, a float. None: save_steps counts.
        output_dir: Directory of the files, a str.
        show_dataflow: Whether the file has the edges between operations. A bool.
        show_memory: Accepted. It has no effect.
    """

    def __init__(self, save_steps=None, save_secs=None, output_dir="", show_dataflow=True,
                 show_memory=False):  # fmt: skip
        del show_memory
        self._dir, self._show_dataflow = output_dir, show_dataflow
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self):
        self._next = None
        self._writer = FileWriterCache.get(self._dir or ".")
        self._step = _step_read("ProfilerHook")

    def before_run(self, run_context):
        self._due = self._next is not None and self._timer.should_trigger_for_step(self._next)
        level = RunOptions.FULL_TRACE if self._due else RunOptions.NO_TRACE
        return SessionRunArgs(self._step, options=RunOptions(trace_level=level))

    def after_run(self, run_context, run_values):
        step = run_values.results + 1
        if self._next is None:
            self._timer.update_last_triggered_step(run_values.results)
        if self._due:
            step = run_context.session.run(self._step)
            self._timer.update_last_triggered_step(step)
            path = os.path.join(self._dir, f"timeline-{step}.json")
            with open_file(path, "w") as file:
                trace = Timeline(run_values.run_metadata.step_stats)
                file.write(trace.generate_chrome_trace_format(self._show_dataflow))
            self._writer.add_run_metadata(run_values.run_metadata, f"step_{step}", step)
        self._next = step + 1


__all__ = [
    "CheckpointSaverHook", "CheckpointSaverListener", "FeedFnHook", "FinalOpsHook",
    "GlobalStepWaiterHook", "LoggingTensorHook", "NanLossDuringTrainingError", "NanTensorHook",
    "ProfilerHook", "SecondOrStepTimer", "StepCounterHook", "StopAtStepHook", "SummarySaverHook",
]  # fmt: skip
