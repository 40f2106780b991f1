# SPDX-License-Identifier: Apache-2.0
"""Initial values that use other variables: their initializers may run before those variables have
values."""

from ...graph.elements import id_of
from ...graph.keys import GraphKeys
from ...graph.other_graphs import attrs_of

# These stay as they are; what they read is not replaced.
_KEPT = frozenset(
    "IsVariableInitialized VarIsInitializedOp ReadVariableOp VarHandleOp If StatelessIf".split()
)
_LOOPS = frozenset(["NextIteration", "While", "StatelessWhile"])
_REFERENCES = frozenset(["Variable", "VariableV2"])


def guarded(value, name):
    """An initial value that can be computed before other variables have values.

    Reference variables that it uses give their values if they have some, and their initial values
    otherwise. A value that a loop computes stays as it is.

    Args:
        value: The initial value, a tensor.
        name: Name of the variable, a str. Copies of operations have it at the end of theirs.

    Returns:
        A tensor: the value itself if it uses no reference variable of the collections
        GLOBAL_VARIABLES and LOCAL_VARIABLES.
    """
    order = _operations_before(value.op)
    if not any(op.type in _REFERENCES for op in order):
        return value
    if any(op.type in _LOOPS for op in order):
        return value
    found = {}  # an operation -> what gives its outputs in the new value, in place of it
    for op in order:
        found[op] = op if op.type in _KEPT else _replaced(op, found, name)
    return found[value.op].outputs[value.value_index]


def _operations_before(op):
    """The operations that one depends on by its inputs, and it: each behind its inputs."""
    order, seen, todo = [], set(), [(op, False)]
    while todo:
        op, ready = todo.pop()
        if ready:
            order.append(op)
        elif id_of(op) not in seen:
            seen.add(id_of(op))
            todo.append((op, True))
            if op.type not in _KEPT:
                todo += [(tensor.op, False) for tensor in reversed(op.inputs)]
    return order


def _replaced(op, found, name):
    if op.type in _REFERENCES:
        variable = _variable_of(op)
        return op if variable is None else variable.initialized_value().op
    inputs = [found[t.op].outputs[t.value_index] for t in op.inputs]
    if inputs == list(op.inputs):
        return op
    kind = "Switch" if op.type == "RefSwitch" else op.type
    return op.graph.create_op(kind, inputs, attrs_of(op), f"{op.name}_{name}".replace(":", "_"))


def _variable_of(op):
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in op.graph.get_collection(key):
            if getattr(variable, "op", None) is op:
                return variable
    return None
