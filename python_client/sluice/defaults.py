"""The default graphs and sessions of each thread: the innermost is the one that counts."""

import contextlib
import threading

_local = threading.local()


def _graphs():
    if not hasattr(_local, "graphs"):
        _local.graphs = []
    return _local.graphs


def _sessions():
    if not hasattr(_local, "sessions"):
        _local.sessions = []
    return _local.sessions


@contextlib.contextmanager
def _default(stack, item):
    stack.append(item)
    try:
        yield item
    finally:
        del stack[max(i for i, other in enumerate(stack) if other is item)]


def _session(session):
    if session is not None:
        return session
    if not _sessions():
        raise ValueError("no session: give one, or enter a `with Session():`")
    return _sessions()[-1]


def get_default_session():
    """Returns the default session of this thread.

    Returns:
        The session of the innermost `with`; None if there is none.

    Example:
        >>> with sl.Session() as session:
        ...     print(sl.get_default_session() is session)
        True
    """
    return _sessions()[-1] if _sessions() else None
