# SPDX-License-Identifier: Apache-2.0
"""Which strategy and which replica the operations that are made now belong to."""

import collections
import contextlib
import threading

from ..graph.default_graph import get_default_graph
from ..ops.functions.tracing import outermost

# replica: a ReplicaContext; None: operations of no single replica.
_Mode = collections.namedtuple("_Mode", "graph strategy replica")


class _OfThread(threading.local):
    def __init__(self):
        self.modes = []
        self.updated = []  # the numbers of the components that are updated, the innermost last


_of_thread = _OfThread()
_defaults = []  # of one strategy: that of programs without one; strategy.py makes it
_set = {}  # "strategy" -> what experimental_set_strategy() was given


def register_default(strategy, replica):
    """Registers the strategy that counts outside of all scopes, and its only replica."""
    _defaults[:] = [strategy, replica]


def default_strategy():
    """Returns the strategy that counts outside of all scopes."""
    return _defaults[0]


def _mode():
    """The mode of the default graph; None outside of all scopes."""
    modes = _of_thread.modes
    if modes and modes[-1].graph is outermost(get_default_graph()):
        return modes[-1]
    strategy = _set.get("strategy")
    return None if strategy is None else _Mode(None, strategy, None)


@contextlib.contextmanager
def entered(strategy, replica):
    """Operations made inside belong to a strategy, and to a replica or to none."""
    modes = _of_thread.modes
    modes.append(_Mode(outermost(get_default_graph()), strategy, replica))
    try:
        yield
    finally:
        modes.pop()


@contextlib.contextmanager
def updating(number):
    """Operations made inside update the component `number` of distributed variables."""
    _of_thread.updated.append(number)
    try:
        yield
    finally:
        _of_thread.updated.pop()


def has_strategy():
    """Tests whether a strategy other than the default one counts.

    Returns:
        A bool.
    """
    return _mode() is not None


def get_strategy():
    """Returns the strategy whose scope is entered.

    Returns:
        A Strategy; outside of all scopes a default one with one replica.
    """
    mode = _mode()
    return _defaults[0] if mode is None else mode.strategy


def get_replica_context():
    """Returns the replica that operations are made for.

    Returns:
        A ReplicaContext; None in a scope, outside of a function that each replica runs.

    Example:
        >>> sl.distribute.get_replica_context().num_replicas_in_sync
        1
    """
    mode = _mode()
    if mode is None:
        return _defaults[1]
    return None if _of_thread.updated else mode.replica


def in_cross_replica_context():
    """Tests whether operations are made for no single replica: in the scope of a strategy, outside
    of a function that each replica runs.

    Returns:
        A bool.
    """
    mode = _mode()
    return mode is not None and (mode.replica is None or bool(_of_thread.updated))


def experimental_set_strategy(strategy):
    """Enters the scope of a strategy for the rest of the program.

    Args:
        strategy: The Strategy; None: none from now on.

    Raises:
        RuntimeError: It is called inside of a scope.
    """
    if _of_thread.modes:
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    old = _set.pop("entered", None)
    _set.pop("strategy", None)
    if old is not None:
        old.close()
    if strategy is not None:
        stack = contextlib.ExitStack()
        stack.enter_context(strategy.creating_variables())
        _set["entered"], _set["strategy"] = stack, strategy


def require_cross_replica(strategy):
    """Checks that a strategy's scope is entered, and that no replica runs.

    Args:
        strategy: The Strategy.

    Raises:
        RuntimeError: Another strategy's scope is entered, or operations are made for a replica.
    """
    if not has_strategy():
        return
    if get_strategy() is not strategy:
        raise RuntimeError(
            f"Mixing different tf.distribute.Strategy objects: {get_strategy()!r} is not "
            f"{strategy!r}"
        )
    if not in_cross_replica_context():
        raise RuntimeError(
            "Method requires being in cross-replica context, use get_replica_context().merge_call()"
        )


def component_number():
    """The number of the component of a distributed value that is meant here; None in no replica."""
    if _of_thread.updated:
        return _of_thread.updated[-1]
    mode = _mode()
    return None if mode is None or mode.replica is None else mode.replica.number


def is_updating():
    """Whether a component of a distributed variable is updated here."""
    return bool(_of_thread.updated)
