# SPDX-License-Identifier: Apache-2.0
"""Sessions that initialise, save, recover and end by themselves."""

import sys
import time
from inspect import signature

from ... import errors, logging
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.keys import GraphKeys
from ...messages import RunMetadata, RunOptions
from ...strategies import contexts
from ..basic_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from ..coordinator import Coordinator
from ..queue_runner import start_queue_runners
from ..scaffold import Scaffold
from ..session_hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .contexts import get_current_worker_context
from .creators import ChiefSessionCreator, WorkerSessionCreator

PREEMPTED = (errors.AbortedError, errors.UnavailableError)
_PAUSE_SECS = 1  # before another session is tried
USE_DEFAULT = object()


class _HookedSession:
    """One session with its hooks and queue runners, until it fails or ends."""

    def __init__(self, creator, hooks, grace_secs):
        self.raw = creator.create_session()
        self._hooks, self._grace_secs = hooks, grace_secs
        self.coord = Coordinator(clean_stop_exception_types=[])
        self._should_stop = False
        if self.raw.graph.get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(sess=self.raw, coord=self.coord)
        for hook in hooks:
            hook.after_create_session(self.raw, self.coord)

    def should_stop(self):
        """Raises what a thread met."""
        self.coord.raise_requested_exception()
        return self._should_stop or self.coord.should_stop()

    def close(self):
        self.coord.request_stop()
        try:
            self.coord.join(stop_grace_period_secs=self._grace_secs, ignore_live_threads=True)
        finally:
            try:
                self.raw.close()
            except Exception:  # it is gone in any case
                logging.debug("closing the session failed", exc_info=True)

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return run_with_threads(
            self.coord, lambda: self._run(fetches, feed_dict, options, run_metadata)
        )

    def _run(self, fetches, feed_dict, options, run_metadata):
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self.raw)
        options = options or RunOptions()
        all_fetches = {"caller": fetches}
        feeds = self._before_run(context, all_fetches, feed_dict, options)
        run_metadata = RunMetadata() if run_metadata is None else run_metadata
        found = self.raw.run(all_fetches, feeds, options, run_metadata)
        for hook in self._hooks:
            values = SessionRunValues(found.get(hook), options, run_metadata)
            hook.after_run(context, values)
        self._should_stop = self._should_stop or context.stop_requested
        return found["caller"]

    def _before_run(self, context, all_fetches, feed_dict, options):
        """Asks the hooks; the feeds of all."""
        of_hooks = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                all_fetches[hook] = request.fetches
            if request.feed_dict:
                if of_hooks.keys() & request.feed_dict.keys():
                    raise RuntimeError("Same tensor is fed by two hooks.")
                of_hooks.update(request.feed_dict)
            if request.options:
                _add_options(options, request.options)
        if not of_hooks:
            return feed_dict
        if feed_dict and of_hooks.keys() & feed_dict.keys():
            raise RuntimeError("Same tensor is fed by a SessionRunHook and user.")
        return {**(feed_dict or {}), **of_hooks}


def run_with_threads(coord, function):
    """Calls a function that runs a step. A lost task that a thread of a coordinator met first is
    raised in place of the step's error.

    Args:
        coord: The Coordinator.
        function: A function without arguments.

    Returns:
        The result of the function.
    """
    try:
        return function()
    except PREEMPTED:
        raise
    except Exception:
        first = sys.exc_info()[1]
        try:
            coord.raise_requested_exception()
        except PREEMPTED:
            raise
        except Exception:
            raise first from None
        raise


class SessionOfHooks(_HookedSession):
    """A session of a program whose steps ask hooks. It starts nothing.

    Args:
        sess: The Session.
        hooks: SessionRunHooks, a list.
    """

    def __init__(self, sess, hooks):
        self.raw, self._hooks, self._grace_secs = sess, hooks, 120
        self.coord, self._should_stop = Coordinator(clean_stop_exception_types=[]), False

    def __getattr__(self, name):
        return getattr(self.raw, name)


def _add_options(options, more):
    options.trace_level = max(options.trace_level, more.trace_level)
    options.timeout_in_ms = max(options.timeout_in_ms, more.timeout_in_ms)
    options.output_partition_graphs |= more.output_partition_graphs


class StepContext:
    """The argument of the function of run_step_fn()."""

    def __init__(self, session, run_with_hooks):
        self._session, self._run_with_hooks = session, run_with_hooks

    session = property(lambda self: self._session)

    def run_with_hooks(self, *args, **kwargs):
        """A run with the hooks around it."""
        return self._run_with_hooks(*args, **kwargs)

    def request_stop(self):
        """Ends the training."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _Monitored:
    """The common part of monitored sessions; `recovers`: whether a new session continues."""

    StepContext = StepContext

    def __init__(self, session_creator, hooks, recovers, stop_grace_period_secs):
        self._graph_was_final = get_default_graph().finalized
        self._hooks = list(hooks or ())
        for hook in self._hooks:
            hook.begin()
        worker = get_current_worker_context()
        if session_creator is None and worker is not None:
            session_creator = worker.session_creator()
        self._creator = session_creator or ChiefSessionCreator()
        self._recovers, self._grace_secs = recovers, stop_grace_period_secs
        self._sess = self._create()

    def _create(self):
        while True:
            try:
                return _HookedSession(self._creator, self._hooks, self._grace_secs)
            except PREEMPTED as e:
                if not self._recovers:
                    raise
                logging.info("A session could not be made, another one will: %s", e)
                time.sleep(_PAUSE_SECS)

    def _lost(self, error):
        """Drops a session whose task is gone."""
        logging.info("The session was lost, another one will be made: %s", error)
        try:
            self._sess.close()
        except Exception:  # of threads that lost it too
            logging.debug("closing the session failed", exc_info=True)
        self._sess = self._create()

    @property
    def graph(self):
        """The Graph of the session."""
        return None if self._sess is None else self._sess.raw.graph

    def raw_session(self):
        """Returns the session without hooks. After a recovery it is another one.

        Returns:
            A Session.
        """
        return self._sess.raw

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Runs a step as Session.run() does, with the hooks around it.

        Args:
            fetches: What to fetch: see Session.run().
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            options: RunOptions of the run.
            run_metadata: A RunMetadata that the run fills.

        Returns:
            The values, in the structure of fetches.

        Raises:
            errors.OpError: The step fails.
        """
        return self._recovered(lambda sess: sess.run(fetches, feed_dict, options, run_metadata))

    def run_step_fn(self, step_fn):
        """Calls a function that may run steps with hooks or without.

        Args:
            step_fn: A function of a step context, which has a session and run_with_hooks().

        Returns:
            The result of the function.

        Raises:
            ValueError: The function has other arguments than `step_context`.
            RuntimeError: The session is closed.
        """
        if not callable(step_fn) or list(signature(step_fn).parameters) != ["step_context"]:
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and"
                " `step_context` arguments if it's an instance method."
            )
        return self._recovered(lambda sess: step_fn(StepContext(sess.raw, sess.run)))

    def _recovered(self, function):
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        while True:
            try:
                return function(self._sess)
            except PREEMPTED as e:
                if not self._recovers:
                    raise
                self._lost(e)

    def should_stop(self):
        """Tests whether the training is over.

        Returns:
            A bool.
        """
        if self._sess is None:
            return True
        try:
            return self._sess.should_stop()
        except PREEMPTED as e:
            if not self._recovers:
                raise
            self._lost(e)
            return False

    def close(self):
        """Ends the hooks, the threads and the session."""
        self._close(None)

    def _close(self, error_class):
        try:
            if error_class is None and self._sess is not None:
                for hook in self._hooks:
                    hook.end(self._sess.raw)
        finally:
            sess, self._sess = self._sess, None
            if sess is None:
                raise RuntimeError("Session is already closed.")
            sess.close()
            if not self._graph_was_final:
                sess.raw.graph._unsafe_unfinalize()

    def __enter__(self):
        return self

    def __exit__(self, error_class, error, trace):
        if error_class in (errors.OutOfRangeError, StopIteration):
            error_class = None  # the input's end
        self._close(error_class)
        return error_class is None


class MonitoredSession(_Monitored):
    """A session with hooks. If a task is lost it continues in a new session.

    Args:
        session_creator: The object that makes sessions. None: a ChiefSessionCreator.
        hooks: SessionRunHooks, a list.
        stop_grace_period_secs: The most seconds that threads may take to end, a float.

    Example:
        >>> v = sl.Variable(3)
        >>> with sl.train.MonitoredSession() as session:
        ...     print(session.run(v))
        3
    """

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_Monitored):
    """A session with hooks that raises every error.

    Args:
        hooks: SessionRunHooks, a list.
        scaffold: The Scaffold. None: a default one.
        master: "" for this process, or "grpc://host:port" of a task.
        config: A ConfigProto.
        checkpoint_dir: Directory of the checkpoints, a str. None: none.
        stop_grace_period_secs: The most seconds that threads may take to end, a float.
        checkpoint_filename_with_path: Path of the checkpoint to restore. None: the newest of
            checkpoint_dir.
    """

    def __init__(self, hooks=None, scaffold=None, master="", config=None, checkpoint_dir=None,
                 stop_grace_period_secs=120, checkpoint_filename_with_path=None):  # fmt: skip
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        super().__init__(creator, hooks, False, stop_grace_period_secs)


def MonitoredTrainingSession(  # noqa: N802
        master="", is_chief=True, checkpoint_dir=None, scaffold=None, hooks=None,
        chief_only_hooks=None, save_checkpoint_secs=USE_DEFAULT, save_summaries_steps=USE_DEFAULT,
        save_summaries_secs=USE_DEFAULT, config=None, stop_grace_period_secs=120,
        log_step_count_steps=100, max_wait_secs=7200, save_checkpoint_steps=USE_DEFAULT,
        summary_dir=None, save_graph_def=True):  # fmt: skip
    """Makes a MonitoredSession with the usual hooks for training.

    In a worker context (contexts.py), this says which task it is.

    Args:
        master: "" for this process, or "grpc://host:port" of a task.
        is_chief: Whether this task initialises the model and writes checkpoints. A bool.
        checkpoint_dir: Directory of the checkpoints, a str. None: none.
        scaffold: The Scaffold. None: a default one.
        hooks: SessionRunHooks of every task, a list.
        chief_only_hooks: SessionRunHooks of the chief, a list.
        save_checkpoint_secs: Seconds between checkpoints, a float. Default: 600. None: none.
        save_summaries_steps: Steps between summaries, an int. Default: 100. None: none.
        save_summaries_secs: Seconds between summaries, a float. None: none.
        config: A ConfigProto.
        stop_grace_period_secs: The most seconds that threads may take to end, a float.
        log_step_count_steps: Steps between logs of steps per second, an int. None: none.
        max_wait_secs: The most seconds that workers wait for the chief, a float.
        save_checkpoint_steps: Steps between checkpoints, an int. None: save_checkpoint_secs counts.
        summary_dir: Directory of the summaries, a str. None: checkpoint_dir.
        save_graph_def: Whether the graph is written with checkpoints. A bool.

    Returns:
        A MonitoredSession.
    """
    save_summaries_steps, save_summaries_secs = _either(
        save_summaries_steps, save_summaries_secs, 100, None
    )
    save_checkpoint_secs, save_checkpoint_steps = _either(
        save_checkpoint_secs, save_checkpoint_steps, 600, None
    )
    scaffold = scaffold or Scaffold()
    strategy = contexts.get_strategy().extended
    first = [_FirstWorkerCounts(strategy)] if strategy.first_worker_counts else []
    hooks = list(hooks or ())
    worker = get_current_worker_context()
    if worker is not None:
        master, config = worker.master_target, worker.config_with(config)
        strategy = strategy if worker.strategy is None else worker.strategy.extended
        is_chief = strategy.experimental_should_init
        hooks += (chief_only_hooks or ()) if worker.is_chief else ()
        chief_only_hooks = ()
    if not is_chief and not strategy.each_worker_initializes:
        creator = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(creator, [*first, *hooks], stop_grace_period_secs)
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    if not strategy.should_checkpoint:
        return MonitoredSession(creator, [*first, *hooks], stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or ())
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(StepCounterHook(log_step_count_steps, output_dir=summary_dir))
        if (save_summaries_steps or 0) > 0 or (save_summaries_secs or 0) > 0:
            all_hooks.append(SummarySaverHook(
                save_summaries_steps, save_summaries_secs, summary_dir, scaffold=scaffold
            ))  # fmt: skip
    if checkpoint_dir and ((save_checkpoint_secs or 0) > 0 or (save_checkpoint_steps or 0) > 0):
        all_hooks.append(CheckpointSaverHook(
            checkpoint_dir, save_checkpoint_secs, save_checkpoint_steps, scaffold=scaffold,
            save_graph_def=save_graph_def,
        ))  # fmt: skip
    return MonitoredSession(creator, [*first, *all_hooks, *hooks], stop_grace_period_secs)


class _FirstWorkerCounts(SessionRunHook):
    """After a worker was lost, all continue with the values of the first one."""

    def __init__(self, strategy):
        self._strategy, self._update = strategy, None

    def begin(self):
        with name_scope("first_worker"):
            self._update = self._strategy.broadcast_variables()

    def after_create_session(self, session, coord):
        session.run(self._update)


def _either(first, second, default_first, default_second):
    """Two settings of which one holds: the defaults where neither is given."""
    if first is USE_DEFAULT and second is USE_DEFAULT:
        return default_first, default_second
    return (None if v is USE_DEFAULT else v for v in (first, second))
