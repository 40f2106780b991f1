# SPDX-License-Identifier: Apache-2.0
"""The default graphs and sessions of each thread: the innermost is the one that counts."""

import contextlib
import threading


class _Stacks(threading.local):
    def __init__(self):
        self.graphs, self.sessions = [], []
        self.outermost = None  # the graph outside of all contexts, once it is asked for


stacks = _Stacks()


@contextlib.contextmanager
def entered(stack, item):
    stack.append(item)
    try:
        yield item
    finally:
        places = [i for i, other in enumerate(stack) if other is item]
        if places:  # else a test case left all contexts
            del stack[places[-1]]


def session_or_default(session, graph=None, verb="evaluate tensor", method="eval"):
    """The session that a caller gave, or the default one.

    Args:
        session: The session, or None.
        graph: The graph of what the session is to run. None: it is not checked.
        verb, method: The words for that in errors, and the name of the method.

    Raises:
        ValueError: There is none, or it is one of another graph.
    """
    if session is None and not stacks.sessions:
        raise ValueError(
            f"Cannot {verb} using `{method}()`: No default session is registered. Use `with "
            f"sess.as_default()` or pass an explicit session to `{method}(session=sess)`"
        )
    found = stacks.sessions[-1] if session is None else session
    if graph is not None and getattr(found, "graph", graph) is not graph:
        what = "the default session" if session is None else "the given session"
        raise ValueError(
            f"Cannot use {what} to {verb}: the {verb.split()[1]}'s graph is different from the"
            " session's graph."
            + f" Pass an explicit session to `{method}(session=sess)`."
            * (session is None)
        )
    return found


def get_default_session():
    """Returns the default session of this thread.

    Returns:
        The session of the innermost `with`; None if there is none.

    Example:
        >>> with sl.Session() as session:
        ...     print(sl.get_default_session() is session)
        True
    """
    return stacks.sessions[-1] if stacks.sessions else None
