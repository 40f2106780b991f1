# SPDX-License-Identifier: Apache-2.0
"""Makes a converted function of a Python function."""

import ast
import types

from .source import tree_of
from .statements import convert_function, is_generator
from .templates import NO_TYPES, definition

_FUTURE = 0x1FF0000  # the flags of `from __future__` in a code object
_made = {}  # (code, its file, features) -> the converted code, or None if nothing changed
_converted = set()  # (code, its file) of what conversions made


def convert(function, operators):
    """Converts a Python function.

    Args:
        function: The function.
        operators: What the converted code calls. Its attribute `features` is a frozenset of the
            names of optional features.

    Returns:
        A function with the same closure, globals and defaults; the same one if it has nothing to
        convert.

    Raises:
        NoSourceError: The source cannot be found.
        SyntaxError: The converted code is not valid: a fault of the conversion.
    """
    code = function.__code__
    key = code, code.co_filename, operators.features
    if key[:2] in _converted:
        return function
    if key not in _made:
        _made[key] = _compiled(converted_tree(function, operators.features), function)
    if _made[key] is None:
        return function
    return _bound(_made[key], function, operators)


def converted_tree(function, features):
    """The syntax tree of the converted function, an ast.FunctionDef."""
    node = tree_of(function)
    if isinstance(node, ast.Lambda):
        made = definition("ag__lambda", [], [ast.Return(node.body)])
        made.args = node.args
        node = ast.copy_location(made, node)
        ast.copy_location(node.body[0], node)
    node.decorator_list, node.returns = [], None
    if isinstance(node, ast.FunctionDef) and not is_generator(node):
        convert_function(node, features)
    return node


def _compiled(tree, function):
    """The code of a converted function; None if it calls no operators."""
    code = function.__code__
    if not any(isinstance(n, ast.Name) and n.id == "ag__" for n in ast.walk(tree)):
        return None
    tree.name = "ag__function"
    inner = [tree]
    owner = _class_of(function.__qualname__)
    if owner is not None:  # so that names with two underscores belong to it
        inner = [ast.ClassDef(owner, [], [], inner, [], **NO_TYPES)]
        if owner not in code.co_freevars:  # the function finds the class among its globals
            inner.insert(0, ast.Global([owner]))
    # The variables of the closure are those of a function around it.
    outer = definition("ag__outer", ["ag__", *code.co_freevars], inner)
    module = ast.fix_missing_locations(ast.Module([outer], []))
    made = compile(
        module, code.co_filename, "exec", flags=code.co_flags & _FUTURE, dont_inherit=True
    )
    found = _named(_find(made, "ag__function"), code.co_name, code)
    _remember(found)
    return found


def _class_of(path):
    """The class in whose body a function stands, of its __qualname__; None if in none."""
    parts = path.split(".")[:-1]
    while parts and parts[-1] == "<locals>":
        del parts[-2:]
    return parts[-1] if parts else None


def _find(code, name):
    """The code object of a name in another one."""
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found = inner if inner.co_name == name else _find(inner, name)
            if found is not None:
                return found
    return None


def _named(code, name, original):
    """A code object whose parts have the function's name in tracebacks."""
    consts = tuple(
        _named(c, name, original) if isinstance(c, types.CodeType) else c for c in code.co_consts
    )
    if not code.co_name.startswith("ag__"):
        return code.replace(co_consts=consts)
    more = {"co_qualname": original.co_qualname} if hasattr(original, "co_qualname") else {}
    return code.replace(co_consts=consts, co_name=name, **more)


def _remember(code):
    _converted.add((code, code.co_filename))
    for inner in code.co_consts:
        # The body of a class is not optimized: its methods are converted when they are called.
        if isinstance(inner, types.CodeType) and inner.co_flags & 1:
            _remember(inner)


def _bound(code, function, operators):
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells["ag__"] = types.CellType(operators)
    closure = tuple(cells[name] for name in code.co_freevars)
    made = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__, made.__doc__ = function.__kwdefaults__, function.__doc__
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    made.__wrapped__ = function
    return made
