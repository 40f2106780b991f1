"""Hooks: what happens around the runs of a monitored session."""

from collections import namedtuple

SessionRunValues = namedtuple("SessionRunValues", "results options run_metadata")
SessionRunValues.__doc__ = """What a run returned for a hook's SessionRunArgs.

Args:
    results: The values, in the structure of the fetches.
    options: The RunOptions of the run.
    run_metadata: The RunMetadata of the run.
"""


class SessionRunArgs(
    namedtuple("SessionRunArgs", "fetches feed_dict options", defaults=(None, None))
):
    """What a hook adds to a run: fetches of any structure, feeds, RunOptions."""


class SessionRunContext:
    """A run, for hooks: what the program asked for, and the session."""

    def __init__(self, original_args, session):
        self._original_args, self._session = original_args, session
        self._stop_requested = False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        """The monitored session's should_stop() is true after this run."""
        self._stop_requested = True


class SessionRunHook:
    """What a program can do around runs; every method does nothing."""

    def begin(self):
        """Once, before the session is made: the graph may still be changed."""

    def after_create_session(self, session, coord):
        """After every session that is made, also after a recovery; the graph is final."""

    def before_run(self, run_context):
        """Before a run: SessionRunArgs of what is to be added to it, or None."""

    def after_run(self, run_context, run_values):
        """After a run that went well."""

    def end(self, session):
        """At the end, unless an error other than the input's end led to it."""
