# SPDX-License-Identifier: Apache-2.0
"""The default graphs and sessions of each thread: the innermost is the one that counts."""

import contextlib
import threading


class _Stacks(threading.local):
    def __init__(self):
        self.graphs, self.sessions = [], []


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


def session_or_default(session):
    """The session that a caller gave, or the default one. ValueError: there is none."""
    if session is not None:
        return session
    if not stacks.sessions:
        raise ValueError("no session: give one, or enter a `with Session():`")
    return stacks.sessions[-1]


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
