# SPDX-License-Identifier: Apache-2.0
"""Operations of different ranks belong together if they have the same name."""

import hashlib
import re
import weakref

_used = weakref.WeakKeyDictionary()  # outermost graph -> names of its collective operations
_names = {}  # instance key -> the name that has it


def key_of(name):
    """The instance key of a name: an int of 31 bits, not 0."""
    return 1 + int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % 0x7FFFFFFE


def outermost(graph):
    """The graph around all bodies of functions."""
    while getattr(graph, "outer_graph", None) is not None:
        graph = graph.outer_graph
    return graph


def claim(graph, name):
    """Gives a new operation its name and instance key.

    Args:
      graph: the graph that the operation is built in.
      name: the full name of its node.

    Returns:
      (name, key). In bodies of functions a node's name may occur again; then "~1" follows it.

    Raises:
      ValueError: another name has the same key.
    """
    used = _used.setdefault(outermost(graph), set())
    chosen, count = name, 0
    while chosen in used:
        count += 1
        chosen = f"{name}~{count}"
    key = key_of(chosen)
    other = _names.setdefault(key, chosen)
    if other != chosen:
        raise ValueError(
            f'the names "{other}" and "{chosen}" have the same instance key {key}: give one of the'
            " operations another name"
        )
    used.add(chosen)
    return chosen, key


def normal(name):
    """A name as scopes allow it."""
    text = re.sub(r"[^A-Za-z0-9_./-]", "_", name)
    return text if re.match("[A-Za-z0-9.]", text) else "x" + text
