# SPDX-License-Identifier: Apache-2.0
"""Makes small syntax trees. In the code that they become, `ag__` is the operators."""

import ast

# Of a def or class: Python 3.12 has one more field, which is empty.
NO_TYPES = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def load(name):
    return ast.Name(name, ast.Load())


def assign(name, value):
    return ast.Assign([ast.Name(name, ast.Store())], value)


def call(operator, *args):
    """A call of an operator."""
    return ast.Call(ast.Attribute(load("ag__"), operator, ast.Load()), list(args), [])


def negation(value):
    return ast.UnaryOp(ast.Not(), value)


def thunk(value):
    """A lambda without arguments."""
    return ast.Lambda(_no_arguments(), value)


def definition(name, parameters, body):
    """A def with the names of its parameters."""
    args = _no_arguments()
    args.args = [ast.arg(p) for p in parameters]
    return ast.FunctionDef(name, args, body or [ast.Pass()], [], None, None, **NO_TYPES)


def _no_arguments():
    return ast.arguments([], [], None, [], [], None, [])


def located(old, new):
    """Gives what has no place in the file the first line of `old`. `new` is returned."""
    for node in ast.walk(new) if hasattr(old, "lineno") else ():
        if not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = old.lineno
            node.col_offset = node.end_col_offset = old.col_offset
    return new


def texts(values):
    """A tuple of constants."""
    return ast.Tuple([ast.Constant(v) for v in values], ast.Load())
