# SPDX-License-Identifier: Apache-2.0
"""A loop of training with a Supervisor."""

from .. import errors


def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=""):
    """Calls a function until a Supervisor says stop, with a new session after one is lost.

    Args:
        supervisor: The Supervisor.
        train_step_fn: A function of a session, and of args and kwargs.
        args: More arguments by position. None: none.
        kwargs: More arguments by name. None: none.
        master: "" for this process, or "grpc://host:port" of a task.
    """
    while True:
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or ()), **(kwargs or {}))
            return
        except errors.AbortedError:
            continue  # a task is gone: the session is made again
