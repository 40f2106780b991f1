# SPDX-License-Identifier: Apache-2.0
"""Evaluations of checkpoints: one, or one after another as they are written."""

import time

from ... import logging
from ...estimator.base.evaluating import StopAfterEvaluations, counted_steps, eval_step
from ...estimator.base.evaluating import evaluate_once as _evaluate_once
from ...training import summary
from ...training.basic_hooks import FinalOpsHook
from ...training.checkpoints.state import checkpoints_iterator, latest_checkpoint
from ...training.global_step import get_or_create_global_step, global_step
from ...training.session_hooks import SessionRunHook
from ...training.sessions.creators import ChiefSessionCreator
from ...training.sessions.monitored_session import MonitoredSession

StopAfterNEvalsHook = StopAfterEvaluations
get_or_create_eval_step = eval_step


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1,
                            timeout=None):  # fmt: skip
    """Waits for a checkpoint.

    Args:
        checkpoint_dir: The directory, a str.
        last_checkpoint: Path of a checkpoint that does not count, a str, or None.
        seconds_to_sleep: Time between two looks, in seconds.
        timeout: How long it waits, in seconds. None: for ever.

    Returns:
        The path of the newest checkpoint, a str; None when the time is over.
    """
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    end = None if timeout is None else time.time() + timeout
    while True:
        path = latest_checkpoint(checkpoint_dir)
        if path not in (None, last_checkpoint):
            logging.info("Found new checkpoint at %s", path)
            return path
        if end is not None and time.time() + seconds_to_sleep > end:
            return None
        time.sleep(seconds_to_sleep)


class SummaryAtEndHook(SessionRunHook):
    """Writes a summary at the end of a session.

    Args:
        log_dir: Folder of the event file, a str.
        summary_writer: The FileWriter. None: that of log_dir.
        summary_op: The summary, a string tensor. None: all of the graph.
        feed_dict: What is fed, a dict.

    Raises:
        ValueError: Neither log_dir nor summary_writer is given.
    """

    def __init__(self, log_dir=None, summary_writer=None, summary_op=None, feed_dict=None):
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")
        self._given, self._op, self._feeds = summary_op is not None, summary_op, feed_dict
        self._folder, self._writer = log_dir, summary_writer
        self._step = None

    def begin(self):
        """Finds the summaries and the variable that counts steps."""
        if not self._given:
            self._op = summary.merge_all()
        self._step = get_or_create_global_step()

    def after_create_session(self, session, coord):
        """Opens the event file.

        Args:
            session: The session.
            coord: The Coordinator.
        """
        del session, coord
        if self._writer is None and self._folder:
            self._writer = summary.FileWriterCache.get(self._folder)

    def end(self, session):
        """Writes the summary.

        Args:
            session: The session.
        """
        if self._op is not None:
            step = global_step(session, self._step)
            value = session.run(self._op, self._feeds)
            if self._writer:
                self._writer.add_summary(value, step)
        if self._writer:
            self._writer.flush()


def evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None,
                  final_ops=None, final_ops_feed_dict=None, hooks=None, config=None):  # fmt: skip
    """Evaluates a model once: steps until a hook stops it, then the final operations.

    Args:
        checkpoint_path: Path of the checkpoint, a str. None: the variables are initialised.
        master: The target of the session, a str.
        scaffold: A Scaffold, or None.
        eval_ops: The operations of each step, one or a structure of them. None: no step runs.
        feed_dict: What is fed in each step, a dict.
        final_ops: What is run at the end, tensors or a structure of these.
        final_ops_feed_dict: What is fed then, a dict.
        hooks: SessionRunHooks, a list.
        config: A ConfigProto, or None.

    Returns:
        The values of final_ops.
    """
    return _evaluate_once(
        checkpoint_path, master, scaffold, eval_ops, final_ops, hooks or (), config, feed_dict,
        final_ops_feed_dict,
    )  # fmt: skip


def evaluate_repeatedly(checkpoint_dir, master="", scaffold=None, eval_ops=None, feed_dict=None,
                        final_ops=None, final_ops_feed_dict=None, eval_interval_secs=60, hooks=None,
                        config=None, max_number_of_evaluations=None, timeout=None,
                        timeout_fn=None):  # fmt: skip
    """Evaluates checkpoints as they are written.

    Args:
        checkpoint_dir: Folder of the checkpoints, a str.
        master: "" for this process, or "grpc://host:port" of a task.
        scaffold: A Scaffold, or None.
        eval_ops: The operations of each step, one or a structure of them. None: no step runs.
        feed_dict: What is fed in each step, a dict.
        final_ops: What is run at the end, tensors or a structure of these.
        final_ops_feed_dict: What is fed then, a dict.
        eval_interval_secs: The least time between two evaluations, in seconds.
        hooks: SessionRunHooks, a list: StopAfterNEvalsHook ends an evaluation.
        config: A ConfigProto, or None.
        max_number_of_evaluations: How many evaluations there are. None: no bound.
        timeout: How long a checkpoint is waited for, in seconds. None: for ever.
        timeout_fn: A function that is called when the time is over: whether it is all. None: it is.

    Returns:
        The values of final_ops in the last evaluation.
    """
    hooks = [] if hooks is None else hooks
    steps, hooks_now = counted_steps(eval_ops, hooks)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    done = 0
    for path in checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn):
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_filename_with_path=path)
        with MonitoredSession(creator, [*hooks_now, final]) as session:
            logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S"))
            while steps is not None and not session.should_stop():
                session.run(steps, feed_dict)
        done += 1
        if max_number_of_evaluations is not None and done >= max_number_of_evaluations:
            break
    return final.final_ops_values


__all__ = """
    StopAfterNEvalsHook SummaryAtEndHook checkpoints_iterator evaluate_once evaluate_repeatedly
    get_or_create_eval_step wait_for_new_checkpoint
""".split()
