# SPDX-License-Identifier: Apache-2.0
"""Context managers that change what a graph does with the operations made inside.

They are classes: entering a generator takes several times as long, and each variable enters dozens.
"""

import contextlib
import re

_OUTER_SCOPE = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/>]*")
_INNER_SCOPE = re.compile(r"[A-Za-z0-9_.\-/>]+")


class Setting(contextlib.ContextDecorator):
    """Gives attributes of an object other values inside.

    Args:
        owner: The object.
        values: A dict: name of an attribute -> its value inside.
    """

    def __init__(self, owner, values):
        self._state, self._values, self._before = vars(owner), values, []

    def __enter__(self):
        state = self._state
        self._before.append({name: state[name] for name in self._values})
        state.update(self._values)

    def __exit__(self, *_):
        self._state.update(self._before.pop())


class Colocation(contextlib.ContextDecorator):
    """Puts the operations of a graph beside others, whatever the device scopes say.

    Args:
        graph: The Graph.
        ops: A list of operations.
        ignore_existing: Whether outer colocations are dropped. A bool.
    """

    def __init__(self, graph, ops, ignore_existing):
        self._graph, self._ops, self._ignore_existing = graph, ops, ignore_existing
        self._before = []

    def __enter__(self):
        graph = self._graph
        self._before.append((graph._devices, graph._colocation))
        graph._colocation = self._ops if self._ignore_existing else graph._colocation + self._ops
        graph._devices = []

    def __exit__(self, *_):
        self._graph._devices, self._graph._colocation = self._before.pop()


class NameScope(contextlib.ContextDecorator):
    """Puts a prefix before the names of the operations of a graph. Its value is the prefix.

    Args:
        find_graph: A function without arguments that returns the Graph.
        name: As of Graph.name_scope().
    """

    def __init__(self, find_graph, name):
        self._find_graph, self._name, self._before = find_graph, name, []

    def __enter__(self):
        graph = self._find_graph()
        prefix = graph._prefix_of(self._name)
        self._before.append((graph, graph._scope))
        graph._scope = prefix
        return prefix

    def __exit__(self, *_):
        graph, graph._scope = self._before.pop()


class ControlInputs(list):
    """The operations of one control_dependencies(); `seen` are the ids of those made inside."""

    def __init__(self):
        super().__init__()
        self.seen = set()


def check_scope_name(name, inner):
    """Raises ValueError: a scope cannot have this name.

    Args:
        name: The name, a str.
        inner: Whether the scope is inside of another, where more names are valid. A bool.
    """
    if not (_INNER_SCOPE if inner else _OUTER_SCOPE).fullmatch(name):
        raise ValueError(f'"{name}" is not a valid name of a scope')
