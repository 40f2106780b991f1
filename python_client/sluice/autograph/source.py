# SPDX-License-Identifier: Apache-2.0
"""Finds the syntax tree of a function in its file."""

import ast
import copy
import linecache

from . import names

_files = {}  # path -> (its lines, line -> the defs and lambdas that begin there)


class NoSourceError(Exception):
    """The source of a function cannot be found. The text says why."""


def tree_of(function):
    """The syntax tree of a function as its file has it.

    Args:
        function: A Python function.

    Returns:
        A copy of the ast.FunctionDef or ast.Lambda, whose lines are those of the file.

    Raises:
        NoSourceError: It has no file, or the file has another function there, or several.
    """
    code = function.__code__
    found = _at_lines(code.co_filename, function.__globals__).get(code.co_firstlineno, ())
    found = [node for node in found if _matches(node, code)]
    if len(found) > 1:
        found = _same_code(found, code) or found
    if not found:
        raise NoSourceError(f"{code.co_filename} does not have it at line {code.co_firstlineno}")
    if len(found) > 1:
        raise NoSourceError(
            f"line {code.co_firstlineno} has several lambdas with the same arguments"
        )
    return copy.deepcopy(found[0])


def _at_lines(path, module):
    lines = linecache.getlines(path, module)
    if not lines:
        raise NoSourceError(f"{path} cannot be read")
    known, found = _files.get(path, (None, None))
    if known != lines:
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError as e:
            raise NoSourceError(f"{path} is not Python of this version: {e}") from None
        found = {}
        for node in ast.walk(tree):
            if isinstance(node, names.FUNCTIONS):
                # A function's first line is that of its first decorator.
                first = [d.lineno for d in getattr(node, "decorator_list", ())]
                found.setdefault(min([node.lineno, *first]), []).append(node)
        _files[path] = lines, found
    return found


def _matches(node, code):
    """Whether a node has the name and the arguments of a code object."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 4) + bool(code.co_flags & 8)  # *args and **kwargs
    args = node.args
    # A code object has *args after those that are passed by name only.
    given = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    given += [a.arg for a in (args.vararg, args.kwarg) if a is not None]
    name = getattr(node, "name", "<lambda>")
    return name == code.co_name and given == list(code.co_varnames[:count])


def _same_code(nodes, code):
    """Those of several lambdas of one line that become the same code: its first one will do."""
    found = []
    for node in nodes:
        free = [ast.Assign([ast.Name(n, ast.Store()) for n in code.co_freevars],
                           ast.Constant(None))] if code.co_freevars else []  # fmt: skip
        outer = ast.parse("def outer(): pass").body[0]
        outer.body = [*free, ast.Return(copy.deepcopy(node))]
        made = compile(
            ast.fix_missing_locations(ast.Module([outer], [])), code.co_filename, "exec",
            dont_inherit=True,
        )  # fmt: skip
        inner = next(c for c in made.co_consts if hasattr(c, "co_consts"))
        inner = next(c for c in inner.co_consts if hasattr(c, "co_consts"))
        if _essence(inner) == _essence(code):
            found.append(node)
    return found[:1]


def _essence(code):
    """What tells the codes of two lambdas apart."""
    consts = tuple(_essence(c) if hasattr(c, "co_consts") else (type(c), c) for c in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts
