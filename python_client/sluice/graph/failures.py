# SPDX-License-Identifier: Apache-2.0
"""The operation that an error of a step names, and the lines of the program that made it."""

import re

from .. import errors
from . import origins
from .elements import id_of, operation_of
from .state import state_of

# The attributes that hold functions, and how the runtime calls what it makes of them.
_PARTS = {
    "f": "", "then_branch": "then", "else_branch": "else", "cond": "cond", "body": "body",
    "branches": "branch_",
}  # fmt: skip
_GRADIENT = re.compile("_grad/")
_TAG = re.compile(r"\{\{(?:colocation_|function_)?node ([^\s}]+)\}\}|\b[Nn]ode \"([^\"]+)\"")


def original_name(op):
    """Of an operation of a gradient: the name of the one that was differentiated, or None."""
    for at in _GRADIENT.finditer(op.name):
        parts = op.name[: at.start()].split("/")
        for first in range(1, len(parts)):
            name = "/".join(parts[first:])
            if state_of(op.graph).core.find(name) >= 0:
                return name
    return None


def named_operation(graph, message):
    """The operation that a message of the runtime names: `{{node layer1/MatMul}}`.

    Returns:
      (the operation of `graph`, or None; the innermost operation: in a function's body where the
      runtime names "caller>node").
    """
    for match in _TAG.finditer(message):
        caller, *inside = (match[1] or match[2]).split(">")
        number = state_of(graph).core.find(caller)
        if number >= 0:
            op = operation_of(graph, number)
            return op, _inner(op, inside)
    return None, None


def _inner(op, names):
    """The operation that `names` lead to through bodies of functions, from `op` on."""
    bodies = _bodies_of(op) if names else {}
    if names and names[0] in bodies:
        body, names = bodies[names[0]], names[1:]
    else:
        body = bodies.get("")
    if body is None or not names:
        return op
    number = state_of(body).core.find(names[0])
    return op if number < 0 else _inner(operation_of(body, number), names[1:])


def told(op):
    """The lines that say where an operation was made: a gradient's, then its forward operation's.

    Returns:
      Text such as "layer1/MatMul created at model.py:4 in model()", or "" where it is not known.
    """
    state = state_of(op.graph)
    where = origins.place(state.made_at(id_of(op)))
    if not where:
        return ""
    text = f"{op.name} created at {where}"
    original = original_name(op)
    if original is not None:
        forward = told(operation_of(op.graph, state.core.find(original)))
        text += f",\na gradient of {forward}" if forward else ""
    return text


def complete(error, graph):
    """Gives an error of a step its operation, and its message the line that made that."""
    op, inner = named_operation(graph, error.message)
    if op is None:
        return
    error.op = op
    text = told(inner)
    if text:  # in place of what a server says, whose paths are long
        message = error.message.partition(f"\n{op.name} created at ")[0]
        error.message = f"{message}\n{text}"
        error.args = (error.message,)


def _bodies_of(op):
    """The graphs of the functions that an operation calls, by the names that the runtime gives
    its parts: "then" in "cond>then>Log"."""
    state, found = state_of(op.graph), {}
    for key, part in _PARTS.items():
        try:
            names = state.core.attr(id_of(op), key)
        except errors.InvalidArgumentError:
            continue
        if isinstance(names, list):
            found.update({f"{part}{i}": name for i, name in enumerate(names)})
        else:
            found[part] = names
    return {part: state.functions[n] for part, n in found.items() if n in state.functions}
