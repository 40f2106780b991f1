# SPDX-License-Identifier: Apache-2.0
"""Context managers that change what a graph does with the operations made inside.

They are classes: entering a generator takes several times as long, and each variable enters dozens.
"""

import contextlib
import functools
import re

from .elements import id_of
from .state import state_of

_OUTER_SCOPE = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/>]*")
_INNER_SCOPE = re.compile(r"[A-Za-z0-9_.\-/>]+")


class Colocation(contextlib.ContextDecorator):
    """Puts the operations of a graph beside others, regardless of device scopes.

    Args:
        state: The GraphState of the graph.
        ops: A list of operations.
        ignore_existing: Whether outer colocations are dropped. A bool.
    """

    def __init__(self, state, ops, ignore_existing):
        self._state, self._ops, self._ignore_existing = state, ops, ignore_existing
        self._before = []

    def __enter__(self):
        state = self._state
        self._before.append((state.devices, state.colocation))
        state.colocation = self._ops if self._ignore_existing else state.colocation + self._ops
        state.devices = []

    def __exit__(self, *_):
        self._state.devices, self._state.colocation = self._before.pop()


class NameScope(contextlib.ContextDecorator):
    """Puts a prefix before the names of the operations of a graph. Its value is the prefix.

    Args:
        find_graph: A function without arguments that returns the Graph.
        name: As of Graph.name_scope().
    """

    def __init__(self, find_graph, name):
        self._find_graph, self._name, self._before = find_graph, name, []

    @property
    def name(self):
        """The name that was given, a str."""
        return self._name

    def __enter__(self):
        graph, name = self._find_graph(), self._name
        state = state_of(graph)
        entered_again = isinstance(name, str) and name[-1:] == "/"
        prefix = name if entered_again else _prefix(graph, state, name)
        self._before.append((state, state.scope))
        state.scope = prefix
        return prefix

    def __exit__(self, *_):
        state, state.scope = self._before.pop()


class ControlInputs(list):
    """The operations of one control_dependencies(); `seen` are the ids of those made inside."""

    def __init__(self):
        super().__init__()
        self.seen = set()


def controls_of(groups, ids):
    """The ids of the operations that a new one waits for.

    Args:
        groups: The ControlInputs around it, a list.
        ids: Its inputs as pairs of ids_of(). If an input was made in the same
            control_dependencies(), it has waited already.
    """
    sources, controls = {node for node, _ in ids}, set()
    for group in groups:
        if group.seen.isdisjoint(sources):
            controls.update(map(id_of, group))
    return sorted(controls - sources)


def _prefix(graph, state, name):
    """The prefix of a new scope. Names that end with "/" do not come here."""
    if name is not None and not isinstance(name, str):
        raise TypeError(
            f"expected string or bytes-like object: the name of a scope is not {name!r}"
        )
    if not name:
        return ""
    if not _is_scope(name, bool(state.scope)):
        raise ValueError(f"'{name}' is not a valid scope name")
    return graph.unique_name(name) + "/"


@functools.lru_cache(1024)  # most names are those of ops
def _is_scope(name, inner):
    return (_INNER_SCOPE if inner else _OUTER_SCOPE).fullmatch(name) is not None
