# SPDX-License-Identifier: Apache-2.0
"""The lines of the program that made operations: kept cheaply, read when an error names one."""

import contextlib
import functools
import os
import sys
import traceback

_DEPTH = 8  # user frames that are kept of one operation

# Frames of these files are not the program's: this package, and what calls back into it.
_OURS = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,
    contextlib.__file__,
    functools.__file__,
    "<frozen ",
)
_known = {}  # file -> is it one of those?


def stack():
    """The program's frames that called the package, innermost first.

    Returns:
      A tuple (code object, offset of its instruction, code object, offset, ...): what frames()
      takes. Lines and texts are looked up when somebody asks.
    """
    frame = sys._getframe(2)
    found = ()
    while frame is not None:
        code = frame.f_code
        try:
            ours = _known[code.co_filename]
        except KeyError:
            ours = _known[code.co_filename] = code.co_filename.startswith(_OURS)
        if not ours:
            found += (code, frame.f_lasti)
            if len(found) == 2 * _DEPTH:
                break
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
