# SPDX-License-Identifier: Apache-2.0
"""Hooks: what happens around the runs of a monitored session."""

from collections import namedtuple

SessionRunValues = namedtuple("SessionRunValues", "results options run_metadata")
SessionRunValues.__doc__ = """The values of a run for a hook's SessionRunArgs.

Args:
    results: The values, in the structure of the fetches.
    options: The RunOptions of the run.
    run_metadata: The RunMetadata of the run.
"""


class SessionRunArgs(
    namedtuple("SessionRunArgs", "fetches feed_dict options", defaults=(None, None))
):
    """The fetches and feeds that a hook adds to a run.

    Args:
        fetches: What to fetch, in any structure.
        feed_dict: A dict: tensor -> value to feed.
        options: RunOptions that are merged with those of the run.
    """


class SessionRunContext:
    """A run, as hooks see it.

    Args:
        original_args: The SessionRunArgs of the program.
        session: The session.
    """

    def __init__(self, original_args, session):
        self._original_args, self._session = original_args, session
        self._stop_requested = False

    @property
    def original_args(self):
        """The SessionRunArgs of the program."""
        return self._original_args

    @property
    def session(self):
        """The session."""
        return self._session

    @property
    def stop_requested(self):
        """Whether a hook called request_stop(). A bool."""
        return self._stop_requested

    def request_stop(self):
        """Ends the training after this run: should_stop() of the monitored session is true then."""
        self._stop_requested = True


class SessionRunHook:
    """The base class of hooks: what a program can do around the runs of a monitored session. Its
    methods do nothing.
    """

    def begin(self):
        """Is called once, before the session is made. The graph may still be changed."""

    def after_create_session(self, session, coord):
        """Is called after every session that is made, also after a recovery. The graph is final.

        Args:
            session: The session.
            coord: The Coordinator of the threads.
        """

    def before_run(self, run_context):
        """Is called before a run.

        Args:
            run_context: The SessionRunContext of the run.

        Returns:
            SessionRunArgs to add to the run, or None.
        """

    def after_run(self, run_context, run_values):
        """Is called after a run without an error.

        Args:
            run_context: The SessionRunContext of the run.
            run_values: The SessionRunValues of the run.
        """

    def end(self, session):
        """Is called at the end, unless an error other than the end of the input was the reason.

        Args:
            session: The session.
        """
