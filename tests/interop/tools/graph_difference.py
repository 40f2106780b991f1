# SPDX-License-Identifier: Apache-2.0
"""How our client's graph of a program differs from TensorFlow's, a line each.

Nodes are compared by name: op, device, data inputs, control inputs, attributes. An input that is a
constant is compared by value. Inside gradients only the order counts: see graph_order.py. Our
client builds what 1.15 builds; TensorFlow 2 builds other nodes, so of its graph only the order
is compared.
"""

import re

import tensorflow

from interop.tools import graph_order
from interop.tools.graph_allowances import (
    ONLY_HERE,
    ONLY_THERE,
    OTHER_OP,
    SAME_OP,
    excused,
    in_gradients,
    opaque,
)
from interop.tools.graph_nodes import read, same_value
from interop.tools.graph_order import is_update


def differences(ours, theirs):
    """ours, theirs: serialised GraphDefs. Lines, none where they agree."""
    ours, theirs = read(ours), read(theirs)
    found = list(graph_order.differences(ours, theirs))
    if tensorflow.__version__[0] != "1":
        return found
    for name, node in theirs.items():
        if in_gradients(name) or opaque(name) or _update_of(name, theirs) != name:
            continue
        if name in ours:
            found += _node(ours[name], node, ours, theirs)
        elif not excused(name, ONLY_THERE):
            found.append(f"only there: {name} ({node.op})")
    for name, node in ours.items():
        if name in theirs or in_gradients(name) or opaque(name):
            continue
        if not excused(name, ONLY_HERE):
            found.append(f"only here: {name} ({node.op})")
    return found


def _node(mine, other, ours, theirs):
    """The differences of two nodes of one name."""
    what = f"{mine.name} ({other.op})"
    if _op(mine) != _op(other) and not _known(mine, other):
        yield f"op: {what} is {mine.op} here"
        return
    if mine.op == "Const":
        if not same_value(mine.value, other.value):
            yield f"value: {what} is {_short(mine.value)}, not {_short(other.value)}"
    if mine.device != other.device:
        yield f'device: {what} is on "{mine.device}", not "{other.device}"'
    here, there = ({_scope_of(b) for b in n.beside} for n in (mine, other))
    if here != there:
        yield f"colocation: {what} stands beside {sorted(here)}, not {sorted(there)}"
    if len(mine.inputs) != len(other.inputs):
        yield f"inputs: {what} has {len(mine.inputs)}, not {len(other.inputs)}"
    else:
        for i, pair in enumerate(zip(mine.inputs, other.inputs)):
            if not _same_input(*pair, ours, theirs):
                yield f"input: {what} takes {pair[0]} as input {i}, not {pair[1]}"
    here, there = _controls(mine, ours), _controls(other, theirs)
    if here != there:
        yield f"control: {what} waits for {sorted(here)}, not {sorted(there)}"
    here, there = mine.attributes(), other.attributes()
    for key in sorted({*here, *there}):
        if (
            key in there
            and key in here
            and here[key] != there[key]
            or key[0] == "_"
            and (here.get(key) != there.get(key))
        ):
            yield f"attribute: {what} {key} is {here.get(key)}, not {there.get(key)}"


def _known(mine, other):
    return any(
        (other.op, mine.op) == (there, here) and re.fullmatch(pattern, mine.name)
        for pattern, there, here, _ in OTHER_OP
    )


def _op(node):
    return SAME_OP.get(node.op, node.op)


def _controls(node, nodes):
    names = {_update_of(c, nodes) for c in node.controls if not excused(c, ONLY_THERE)}
    return {_scope_of(c) for c in names}


def _scope_of(name):
    """The name; of a node that need not have the same one here the scope that it is of."""
    return "gradients" if in_gradients(name) else opaque(name) or name


def _update_of(name, nodes):
    """The update that a read waits for, or the name. In 1.15, each use of a resource variable's
    assignment reads the variable again, and control_dependencies() of it wait for the assignment.
    Ours gives one value, which is read after the assignment."""
    node = nodes.get(name)
    if node is None or node.op != "ReadVariableOp":
        return name
    updates = {
        c for c in node.controls
        if c in nodes and is_update(nodes[c].op) and nodes[c].inputs[0] == node.inputs[0]
    }  # fmt: skip
    earlier = set().union(*(nodes[u].controls for u in updates))
    return next(iter(sorted(updates - earlier)), name)


def _same_input(mine, other, ours, theirs):
    if mine == other:
        return True
    if mine[0] not in ours or other[0] not in theirs:
        return False
    a, b = ours[mine[0]], theirs[other[0]]
    if a.op == b.op == "Const":
        return same_value(a.value, b.value)
    if in_gradients(a.name) and in_gradients(b.name):
        return True
    if a.op == b.op == "ReadVariableOp" and _update_of(a.name, ours) != a.name:
        return _update_of(a.name, ours) == _update_of(b.name, theirs)
    return opaque(a.name) is not None and opaque(a.name) == opaque(b.name)


def _short(value):
    text = str(value.tolist())
    return f"{value.dtype} {text[:60]}{'...' if len(text) > 60 else ''}"


def value_differences(ours, theirs, tolerance=1e-5):
    """The differences of two runs of client_texts.happened(), a line each."""
    if ours["error"] or theirs["error"]:
        mine, other = (e["error"] and e["error"][0] for e in (ours, theirs))
        if mine != other:
            text = (ours["error"] or theirs["error"])[1]
            yield f"error: {mine} here, {other} there: {text}"
        return
    for step, (mine, other) in enumerate(zip(ours["values"], theirs["values"])):
        for i, pair in enumerate(zip(mine, other)):
            wrong = _value(*pair, tolerance)
            if wrong:
                yield f"value: step {step}, fetch {i}: {wrong}"
                return


def _value(mine, other, tolerance):
    import numpy as np

    if isinstance(mine, tuple) and isinstance(other, tuple):
        return next((w for p in zip(mine, other) for w in [_value(*p, tolerance)] if w), None)
    if mine is None or other is None:
        return None if mine is other else f"{mine}, not {other}"
    if mine.shape != other.shape or mine.dtype != other.dtype:
        return f"{mine.dtype} {mine.shape}, not {other.dtype} {other.shape}"
    if mine.dtype.kind not in "fc":
        return None if np.array_equal(mine, other) else f"{mine}, not {other}"
    # The programs' numbers are about 1: a sum of them that cancels keeps their rounding.
    scale = np.max(np.abs(np.where(np.isfinite(other), other, 0)), initial=1)
    if np.allclose(mine, other, rtol=tolerance, atol=tolerance * scale, equal_nan=True):
        return None
    return f"{mine}, not {other}"
