# SPDX-License-Identifier: Apache-2.0
"""The older driver of training: one session, and threads that write checkpoints and summaries."""

import contextlib
import os
import time

from .. import errors, logging
from ..files.graph_io import write_graph
from ..graph.default_graph import get_default_graph
from ..graph.keys import GraphKeys
from ..messages import SessionLog, Summary
from ..ops.state.initializing import global_variables_initializer, report_uninitialized_variables
from ..ops.state.listing import global_variables
from .coordinator import Coordinator, LooperThread
from .global_step import get_global_step
from .global_step import global_step as read_global_step
from .meta_graph import export_meta_graph
from .queue_runner import start_queue_runners
from .saver import Saver
from .scaffold import Scaffold
from .session_manager import SessionManager
from .summary import FileWriter, merge_all


class Supervisor:
    """Runs a training: makes the session, runs queue runners and services in threads, and ends
    them. It is older than MonitoredTrainingSession.

    The chief initialises the model or restores it from logdir; other tasks wait. Parts that are not
    given have the defaults of a Scaffold.

    Args:
        graph: The Graph. None: the default graph.
        ready_op: A string vector with the names of what is not initialised. None: it is always
            ready.
        ready_for_local_init_op: The same, for local_init_op to run.
        is_chief: Whether this task initialises the model and writes checkpoints. A bool.
        init_op: Operation that initialises the model. None: none.
        init_feed_dict: A dict: tensor -> value to feed to init_op.
        local_init_op: Operation that runs in every session. None: none.
        logdir: Directory of checkpoints and summaries, a str. None: none.
        summary_op: The summary. None: none.
        saver: The Saver. None: none.
        global_step: The step, an int, tensor or variable. None: that of the graph.
        save_summaries_secs: Seconds between summaries, a float. 0: none.
        save_model_secs: Seconds between checkpoints, a float. 0: none.
        recovery_wait_secs: Seconds between checks whether the model is ready, a float.
        stop_grace_secs: The most seconds that threads may take to end, a float.
        checkpoint_basename: Name of the checkpoints, a str.
        session_manager: The SessionManager. None: a new one.
        summary_writer: The FileWriter. None: none.
        init_fn: A function of the session that initialises the model too.
        local_init_run_options: RunOptions of local_init_op.
    """

    USE_DEFAULT = 0

    def __init__(self, graph=None, ready_op=USE_DEFAULT, ready_for_local_init_op=USE_DEFAULT,
                 is_chief=True, init_op=USE_DEFAULT, init_feed_dict=None,
                 local_init_op=USE_DEFAULT, logdir=None, summary_op=USE_DEFAULT,
                 saver=USE_DEFAULT, global_step=USE_DEFAULT, save_summaries_secs=120,
                 save_model_secs=600, recovery_wait_secs=30, stop_grace_secs=120,
                 checkpoint_basename="model.ckpt", session_manager=None,
                 summary_writer=USE_DEFAULT, init_fn=None,
                 local_init_run_options=None):  # fmt: skip
        self._graph = graph or get_default_graph()
        with self._graph.as_default():
            self._init_op = self._or(init_op, GraphKeys.INIT_OP, global_variables_initializer)
            self._ready_op = self._or(ready_op, GraphKeys.READY_OP, report_uninitialized_variables)
            self._ready_for_local = self._or(
                ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP,
                lambda: report_uninitialized_variables(global_variables()),
            )  # fmt: skip
            self._local_init_op = self._or(
                local_init_op, GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
            self._saver = self._or(
                saver, GraphKeys.SAVERS, lambda: Saver() if global_variables() else None
            )
            self._global_step = self._or(global_step, GraphKeys.GLOBAL_STEP, get_global_step)
            self._summary_op = self._or(summary_op, GraphKeys.SUMMARY_OP, merge_all)
        if self._local_init_op is None:
            self._ready_for_local = None
        self._is_chief, self._coord = is_chief, Coordinator()
        self._grace_secs, self._init_fn, self._init_feeds = stop_grace_secs, init_fn, init_feed_dict
        self._logdir = logdir if is_chief else None
        self._summary_secs, self._model_secs = save_summaries_secs, save_model_secs
        self._save_path = os.path.join(logdir, checkpoint_basename) if self._logdir else None
        self._writer = None
        if self._logdir:
            self._writer = FileWriter(logdir) if summary_writer == 0 else summary_writer
        self._manager = session_manager or SessionManager(
            self._local_init_op, self._ready_op, self._ready_for_local, self._graph,
            recovery_wait_secs, local_init_run_options,
        )  # fmt: skip
        self._stopped = self._is_graph_written = False
        self._graph.finalize()

    @staticmethod
    def _or(given, key, make):
        if not isinstance(given, int) or given != Supervisor.USE_DEFAULT:
            return given
        return Scaffold.get_or_default(key, key, make)

    @property
    def is_chief(self):
        """Whether this task initialises the model. A bool."""
        return self._is_chief

    @property
    def session_manager(self):
        """The SessionManager."""
        return self._manager

    @property
    def coord(self):
        """The Coordinator of the threads."""
        return self._coord

    @property
    def init_op(self):
        """The operation that initialises the model."""
        return self._init_op

    @property
    def init_feed_dict(self):
        """The feeds of init_op, a dict."""
        return self._init_feeds

    @property
    def ready_op(self):
        """The names of what is not initialised, a string vector."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self):
        """The names of what local_init_op waits for, a string vector."""
        return self._ready_for_local

    @property
    def summary_writer(self):
        """The FileWriter."""
        return self._writer

    @property
    def summary_op(self):
        """The summary."""
        return self._summary_op

    @property
    def save_summaries_secs(self):
        """Seconds between summaries."""
        return self._summary_secs

    @property
    def save_model_secs(self):
        """Seconds between checkpoints."""
        return self._model_secs

    @property
    def global_step(self):
        """The global step."""
        return self._global_step

    @property
    def saver(self):
        """The Saver."""
        return self._saver

    @property
    def save_path(self):
        """The path of the checkpoints, a str."""
        return self._save_path

    def prepare_or_wait_for_session(self, master="", config=None, wait_for_checkpoint=False,
                                    max_wait_secs=7200, start_standard_services=True):  # fmt: skip
        """Makes a session that is ready, and starts its threads. The caller closes it.

        Args:
            master: "" for this process, or "grpc://host:port" of a task.
            config: A ConfigProto.
            wait_for_checkpoint: Whether the chief waits until there is a checkpoint. A bool.
            max_wait_secs: The most seconds to wait, a float.
            start_standard_services: Whether the threads of the chief are started. A bool.

        Returns:
            A Session.
        """
        self._coord.clear_stop()
        if self._writer is not None:
            self._writer.reopen()
        if not self._is_chief:
            sess = self._manager.wait_for_session(master, config, max_wait_secs)
        else:
            sess = self._manager.prepare_session(
                master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs,
                config=config, init_feed_dict=self._init_feeds, init_fn=self._init_fn,
            )  # fmt: skip
            if self._logdir:
                self._write_graph()
            if start_standard_services:
                self.start_standard_services(sess)
        if start_standard_services:
            self.start_queue_runners(sess)
        return sess

    def _write_graph(self):
        graph_def = self._graph.as_graph_def(add_shapes=True)
        write_graph(graph_def, self._logdir, "graph.pbtxt")
        if self._writer is None or self._is_graph_written:
            return
        self._writer.add_graph(self._graph)
        saver_def = None if self._saver is None else self._saver.as_saver_def()
        self._writer.add_meta_graph(
            export_meta_graph(graph_def=graph_def, saver_def=saver_def, collection_list=[])
        )
        self._is_graph_written = True

    def start_standard_services(self, sess):
        """Starts the threads of the chief: checkpoints, summaries, steps per second.

        Args:
            sess: The session.

        Returns:
            A list of threads; it is empty if there is no logdir.

        Raises:
            RuntimeError: This task is not the chief.
        """
        if not self._is_chief:
            raise RuntimeError("only the chief has services")
        if not self._logdir:
            logging.warning("no logdir: no checkpoints and summaries are written")
            return []
        if self._global_step is not None and self._writer is not None:
            step = read_global_step(sess, self._global_step)
            self._writer.add_session_log(SessionLog(status=SessionLog.START), step)
        services = []
        if self._summary_op is not None and self._summary_secs:
            services.append((self._summary_secs, lambda: self._write_summary(sess)))
        if self._global_step is not None and self._summary_secs:
            services.append((self._summary_secs, _StepCounter(self, sess)))
        if self._saver is not None and self._model_secs:
            services.append((self._model_secs, lambda: self._save(sess)))
        return [LooperThread.loop(self._coord, secs, target) for secs, target in services]

    def start_queue_runners(self, sess, queue_runners=None):
        """Starts the threads of queue runners.

        Args:
            sess: The session.
            queue_runners: QueueRunners, a list. None: those of the graph.

        Returns:
            A list of threads.
        """
        if queue_runners is None:
            return start_queue_runners(sess, self._coord)
        made = [r.create_threads(sess, self._coord, daemon=True, start=True) for r in queue_runners]
        return [thread for threads in made for thread in threads]

    def _step(self, sess):
        return None if self._global_step is None else read_global_step(sess, self._global_step)

    def _write_summary(self, sess):
        if self._writer is not None:
            self._writer.add_summary(sess.run(self._summary_op), self._step(sess))

    def _save(self, sess):
        self._saver.save(sess, self._save_path, global_step=self._step(sess))
        if self._writer is not None and self._global_step is not None:
            log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
            self._writer.add_session_log(log, self._step(sess))

    def summary_computed(self, sess, summary, global_step=None):
        """Writes a summary that the program computed.

        Args:
            sess: The session.
            summary: A Summary, or what a run returned for a summary.
            global_step: The step, an int, tensor or variable. None: that of the graph.

        Raises:
            RuntimeError: There is no FileWriter.
        """
        if self._writer is None:
            raise RuntimeError("Writing a summary requires a summary writer.")
        step = self._step(sess) if global_step is None else global_step
        self._writer.add_summary(summary, step)

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        """Starts a thread that calls a function at intervals until the end.

        Args:
            timer_interval_secs: Seconds between calls, a float. None: no pause.
            target: The function.
            args: Its arguments, a tuple.
            kwargs: Its arguments by name, a dict.

        Returns:
            The LooperThread.
        """
        return LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

    def should_stop(self):
        """Tests whether the training is over.

        Returns:
            A bool.
        """
        return self._coord.should_stop()

    def request_stop(self, ex=None):
        """Ends the training.

        Args:
            ex: The error that is the reason. None: no error.
        """
        self._coord.request_stop(ex)

    def wait_for_stop(self):
        """Waits until the training is over.

        Returns:
            Whether it is, a bool.
        """
        self._coord.wait_for_stop()

    def stop_on_exception(self):
        """Lets errors inside end the training.

        Returns:
            A context manager.
        """
        return self._coord.stop_on_exception()

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        """Ends the threads.

        Args:
            threads: Threads to wait for, a list. None: all.
            close_summary_writer: Whether the FileWriter is closed. A bool.
            ignore_live_threads: Whether threads that have not ended are left alone. A bool.

        Raises:
            Exception: The error of a thread.
        """
        self._coord.request_stop()
        try:
            self._coord.join(threads, self._grace_secs, ignore_live_threads)
        finally:
            if close_summary_writer and self._writer is not None:
                self._writer.add_session_log(SessionLog(status=SessionLog.STOP))
                self._writer.close()
        self._stopped = True

    @contextlib.contextmanager
    def managed_session(self, master="", config=None, start_standard_services=True,
                        close_summary_writer=True):  # fmt: skip
        """Makes a session for `with`, at whose end the training ends. The end of the input is not
        an error.

        Args:
            master: "" for this process, or "grpc://host:port" of a task.
            config: A ConfigProto.
            start_standard_services: Whether the threads of the chief are started. A bool.
            close_summary_writer: Whether the FileWriter is closed. A bool.

        Returns:
            A context manager, whose value is the Session.
        """
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(
                master, config, start_standard_services=start_standard_services
            )
            yield sess
        except Exception as e:
            self.request_stop(e)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    with contextlib.suppress(errors.OpError):
                        sess.close()

    Loop, PrepareSession, RequestStop = loop, prepare_or_wait_for_session, request_stop
    ShouldStop, StartQueueRunners, Stop = should_stop, start_queue_runners, stop
    StartStandardServices, StopOnException = start_standard_services, stop_on_exception
    SummaryComputed, WaitForStop = summary_computed, wait_for_stop


class _StepCounter:
    """Writes steps per second since the time before."""

    def __init__(self, supervisor, sess):
        self._supervisor, self._sess = supervisor, sess
        self._time, self._step = time.time(), supervisor._step(sess)

    def __call__(self):
        now, step = time.time(), self._supervisor._step(self._sess)
        rate = (step - self._step) / max(now - self._time, 1e-9)
        self._time, self._step = now, step
        if self._supervisor.summary_writer is not None:
            value = Summary.Value(tag="global_step/sec", simple_value=rate)
            self._supervisor.summary_writer.add_summary(Summary(value=[value]), step)
