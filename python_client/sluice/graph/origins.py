# SPDX-License-Identifier: Apache-2.0
"""The lines of the program that made operations: kept cheaply, read when an error names one."""

import contextlib
import functools
import os
import re
import sys
import traceback

from .. import errors

_DEPTH = 8  # user frames that are kept of one operation

# Frames of these files are not the program's: this package, and what calls back into it.
_OURS = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,
    contextlib.__file__,
    functools.__file__,
    "<frozen ",
)
# The attributes that hold functions, and how the runtime calls what it makes of them.
_PARTS = {
    "f": "", "then_branch": "then", "else_branch": "else", "cond": "cond", "body": "body",
    "branches": "branch_",
}  # fmt: skip
_known = {}  # file -> is it one of those?


def stack():
    """The program's frames that called the package, innermost first.

    Returns:
      A tuple (code object, offset of its instruction, code object, offset, ...): what frames()
      takes. Lines and texts are looked up when somebody asks.
    """
    frame = sys._getframe(2)
    found = ()
    left = _DEPTH
    while frame is not None and left:
        code = frame.f_code
        try:
            ours = _known[code.co_filename]
        except KeyError:
            ours = _known[code.co_filename] = code.co_filename.startswith(_OURS)
        if not ours:
            found += (code, frame.f_lasti)
            left -= 1
        frame = frame.f_back
    return found


def _line(code, offset):
    """The line of an instruction; before the first one, that of the `def`."""
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return line
    return code.co_firstlineno


def frames(kept):
    """A stack() as traceback.FrameSummary objects, outermost first, as traceback.extract_stack()
    gives them. Their text is read from the file when it is asked for."""
    found = [
        traceback.FrameSummary(
            code.co_filename, _line(code, offset), code.co_name, lookup_line=False
        )
        for code, offset in zip(kept[::2], kept[1::2])
    ]
    return found[::-1]


def function_name(code):
    """The function that holds the code, as "Model.build", or "" at the top of a file."""
    names = getattr(code, "co_qualname", code.co_name).split(".<locals>.")
    while names and names[-1].startswith("<") and names[-1] != "<lambda>":
        names.pop()
    return names[-1] if names else ""


def shown_path(path):
    """A file's path relative to the working directory where it is beneath it."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    return path if relative.startswith(os.pardir) or not os.path.isabs(path) else relative


def first_line(kept):
    """The innermost frame of a stack().

    Returns:
      (path, line, function), or None where the program has no frame.
    """
    if not kept:
        return None
    code = kept[0]
    return code.co_filename, _line(code, kept[1]), function_name(code)


def places_of(stacks):
    """Where operations were made, for the servers.

    Args:
      stacks: of each operation what stack() gave.

    Returns:
      (for each operation the index of its line, or -1; the lines: (path, line, function)).
    """
    numbers, lines, found = {}, [], []
    for kept in stacks:
        if not kept:
            found.append(-1)
            continue
        key = id(kept[0]), kept[1]
        if key not in numbers:
            numbers[key] = len(lines)
            lines.append(first_line(kept))
        found.append(numbers[key])
    return found, lines


def place(kept):
    """The innermost frame in words: "model.py:4 in model()", or ""."""
    line = first_line(kept)
    if line is None:
        return ""
    path, number, function = line
    called = function if function.endswith(">") else f"{function}()"
    return f"{shown_path(path)}:{number}" + (f" in {called}" if function else "")


_GRADIENT = re.compile("_grad/")
_TAG = re.compile(r"\{\{(?:colocation_|function_)?node ([^\s}]+)\}\}|\b[Nn]ode \"([^\"]+)\"")


def original_name(op):
    """Of an operation of a gradient: the name of the one that was differentiated, or None."""
    for at in _GRADIENT.finditer(op.name):
        parts = op.name[: at.start()].split("/")
        for first in range(1, len(parts)):
            name = "/".join(parts[first:])
            if op.graph._core.find(name) >= 0:
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
        number = graph._core.find(caller)
        if number >= 0:
            op = graph._op(number)
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
    number = body._core.find(names[0])
    return op if number < 0 else _inner(body._op(number), names[1:])


def told(op):
    """The lines that say where an operation was made: a gradient's, then its forward operation's.

    Returns:
      Text such as "layer1/MatMul created at model.py:4 in model()", or "" where it is not known.
    """
    where = place(op._made_at)
    if not where:
        return ""
    text = f"{op.name} created at {where}"
    original = original_name(op)
    if original is not None:
        forward = told(op.graph._op(op.graph._core.find(original)))
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
    graph, found = op.graph, {}
    for key, part in _PARTS.items():
        try:
            names = graph._core.attr(op._id, key)
        except errors.InvalidArgumentError:
            continue
        if isinstance(names, list):
            found.update({f"{part}{i}": name for i, name in enumerate(names)})
        else:
            found[part] = names
    return {part: graph._functions[n] for part, n in found.items() if n in graph._functions}
