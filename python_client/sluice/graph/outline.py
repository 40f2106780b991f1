# SPDX-License-Identifier: Apache-2.0
"""Which nodes a picture of a graph has: operations, and name scopes that stand for theirs."""

import collections

MOST_NODES = 40  # a picture with more cannot be read
VARIABLES = ("VariableV2", "Variable", "VarHandleOp")
# Scopes that functions of the package make, and ops of optimizers' scopes.
_MADE_BY_US = ("gradients", "save", "report_uninitialized_variables", "init")
_UPDATES = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")


class Node:
    """A node of the picture: one operation, or several that are shown as one.

    Args:
        key: The name of the operation or scope, a str.
        ops: Its operations, a list of NodeDefs.
        kind: "op", "scope" or "many" (operations of one type beside each other).
    """

    def __init__(self, key, ops, kind):
        self.key, self.ops, self.kind = key, ops, kind


def outline(node_defs, most=MOST_NODES):
    """Chooses nodes so that there are not too many.

    Scopes are opened as long as the picture has room for their operations: outer ones first, and
    those that the package makes, such as gradients, last and only in small pictures. Variables
    stay closed.

    Args:
        node_defs: The operations, a list of NodeDefs.
        most: The most nodes, an int.

    Returns:
        A tuple: a list of Nodes; and a dict: edge (from, to, whether it is a control edge) -> how
        many edges of the graph it stands for. Nodes are numbered as in the list.
    """
    shown = _entries(node_defs, "", most)
    closed = {op.name for op in node_defs if op.op in VARIABLES}
    while True:
        scopes = [n for n in shown if n.kind == "scope" and n.key not in closed]
        if not scopes:
            break
        first = min(scopes, key=_late)
        inner = _entries(first.ops, first.key + "/", most)
        room = most // 2 if _late(first)[0] else most
        if len(shown) - 1 + len(inner) > room or any(n.kind == "many" for n in inner):
            closed.add(first.key)
            continue
        at = shown.index(first)
        shown[at : at + 1] = inner
    return shown, _edges(shown)


def _late(node):
    """How late a scope is opened."""
    outermost = node.key.partition("/")[0].rstrip("0123456789").rstrip("_")
    updates = any(op.op.startswith(_UPDATES) for op in node.ops)
    return outermost in _MADE_BY_US or updates, node.key.count("/"), len(node.ops)


def _entries(node_defs, prefix, most):
    """The Nodes directly below a prefix."""
    groups = collections.defaultdict(list)
    for node in node_defs:
        rest = node.name[len(prefix) :] if node.name.startswith(prefix) else ""
        groups[prefix + rest.partition("/")[0] if rest else node.name].append(node)
    entries = []
    for key, ops in groups.items():
        alone = len(ops) == 1
        entries.append(Node(ops[0].name if alone else key, ops, "op" if alone else "scope"))
    only = entries[0] if len(entries) == 1 else None
    if only and only.kind == "scope" and prefix == only.key + "/":  # all have the scope's name
        return [Node(op.name, [op], "op") for op in entries[0].ops]
    if len(entries) > most // 2:
        entries = _merged(entries, prefix, most // 2, lambda e: e.kind == "op" and e.ops[0].op)
    if len(entries) > most:
        entries = _merged(entries, prefix, most, lambda e: e.kind == "scope" and _plain(e.key))
    return entries


def _plain(name):
    """A scope's own name without the number that made it unique."""
    return name.rpartition("/")[2].rstrip("0123456789").rstrip("_")


def _merged(entries, prefix, most, alike):
    """Entries of which alike() says the same, as one Node, until no more than `most` are left."""
    groups = collections.defaultdict(list)
    for entry in entries:
        if alike(entry):
            groups[alike(entry)].append(entry)
    left = list(entries)
    for name, some in sorted(groups.items(), key=lambda item: -len(item[1])):
        if len(left) <= most or len(some) < 3:
            break
        gone = {id(entry) for entry in some}
        left = [entry for entry in left if id(entry) not in gone]
        ops = [op for entry in some for op in entry.ops]
        left.append(Node(f"{prefix}{name} ({len(some)})", ops, "many"))
    return left


def _edges(shown):
    """The edges between Nodes, counted."""
    home = {op.name: i for i, node in enumerate(shown) for op in node.ops}
    edges = collections.Counter()
    for i, node in enumerate(shown):
        for op in node.ops:
            for text in op.input:
                source = home.get(text.lstrip("^").partition(":")[0])
                if source is not None and source != i:
                    edges[source, i, text.startswith("^")] += 1
    return edges
