# SPDX-License-Identifier: Apache-2.0
"""Sessions around sessions, which programs put together themselves: one stops with the threads of a
coordinator, one makes a new session where a task was lost."""

from .. import logging
from ..training.sessions.monitored_session import PREEMPTED, StepContext, run_with_threads


class OuterSession:
    """A session that passes everything on to another one, and knows when to stop.

    Args:
        sess: A Session, or an OuterSession.
    """

    def __init__(self, sess):
        self._sess = sess

    @property
    def graph(self):
        """The Graph of the session."""
        return self._sess.graph

    @property
    def sess_str(self):
        """The address of the master, a str."""
        return self._sess.sess_str

    def should_stop(self):
        """Tests whether the session is over.

        Returns:
            A bool. It is true after close().
        """
        if self._check_stop() or not self._sess:
            return True
        return isinstance(self._sess, OuterSession) and self._sess.should_stop()

    def _check_stop(self):
        """Whether this session has a reason of its own to stop."""
        return False

    def close(self):
        """Closes the session. A lost task is not an error."""
        if not self._sess:
            return
        try:
            self._sess.close()
        except PREEMPTED as e:
            logging.warning("A task was lost while a session was closed: %s", e)
        finally:
            self._sess = None

    def run(self, *args, **kwargs):
        """Runs a step: see Session.run().

        Args:
            *args: Arguments of Session.run().
            **kwargs: Arguments of Session.run().

        Returns:
            The values.
        """
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        """Calls a function of a step context.

        Args:
            step_fn: The function.
            raw_session: The session of the context.
            run_with_hooks: What run_with_hooks() of the context does, a function. None: run().

        Returns:
            The result of the function.
        """
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class CoordinatedSession(OuterSession):
    """A session that stops where a coordinator is asked to stop. Errors of its threads are raised.

    Args:
        sess: A Session, or an OuterSession.
        coord: The Coordinator.
        stop_grace_period_secs: The most seconds that threads may take to end, a float.
    """

    def __init__(self, sess, coord, stop_grace_period_secs=120):
        super().__init__(sess)
        self._coord, self._grace_secs = coord, stop_grace_period_secs

    def _check_stop(self):
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        """Ends the threads, then closes the session."""
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._grace_secs, ignore_live_threads=True)
        finally:
            try:
                super().close()
            except Exception:  # it is gone in any case
                logging.debug("closing the session failed", exc_info=True)

    def run(self, *args, **kwargs):
        return run_with_threads(self._coord, lambda: self._sess.run(*args, **kwargs))


class RecoverableSession(OuterSession):
    """A session that is made again where a task was lost.

    Args:
        sess_creator: A SessionCreator.
    """

    def __init__(self, sess_creator):
        self._sess_creator = sess_creator
        super().__init__(self._create())

    def _create(self):
        while True:
            try:
                return self._sess_creator.create_session()
            except PREEMPTED as e:
                logging.info("A session could not be made, another one will: %s", e)

    def _check_stop(self):
        try:
            return self._sess._check_stop() if self._sess else True
        except PREEMPTED as e:
            self._lost(e)
            self._sess = self._create()
            return False
        except Exception:  # as after any other error of a session
            return True

    def _lost(self, error):
        logging.info("The session was lost, another one will be made: %s", error)
        self.close()

    def _recovered(self, function):
        while True:
            try:
                if not self._sess:
                    self._sess = self._create()
                return function(self._sess)
            except PREEMPTED as e:
                self._lost(e)

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Runs a step, again and again until no task is lost: see Session.run().

        Args:
            fetches: What to fetch.
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            options: RunOptions of the run.
            run_metadata: A RunMetadata that the run fills.

        Returns:
            The values.
        """
        return self._recovered(
            lambda sess: sess.run(
                fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
            )
        )

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return self._recovered(lambda sess: sess.run_step_fn(step_fn, raw_session, sess.run))


# The names that the sources of TensorFlow have for them.
NAMES = {
    "_CoordinatedSession": CoordinatedSession, "_RecoverableSession": RecoverableSession,
    "_WrappedSession": OuterSession, "_PREEMPTION_ERRORS": PREEMPTED,
}  # fmt: skip
