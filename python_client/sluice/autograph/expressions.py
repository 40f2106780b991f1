# SPDX-License-Identifier: Apache-2.0
"""Replaces calls, `and`, `or`, `not`, conditional expressions, chained comparisons and asserts by
calls of operators."""

import ast

from . import names
from .templates import call, load, located, thunk

DIRECTIVES = ("set_loop_options",)  # calls that the conversion reads: they do not run


class Expressions(ast.NodeTransformer):
    """What is common to all functions of a conversion.

    Args:
        features: The names of the optional features, a set.
        owner: The name of the first parameter, which super() without arguments takes.
    """

    def __init__(self, features, owner=None):
        self._features, self._owner = features, owner

    def visit_Call(self, node):  # noqa: N802
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            if self._owner is None:
                return node
            return located(node, ast.Call(node.func, [load("__class__"), load(self._owner)], []))
        node = self.generic_visit(node)
        if _name_of(node.func) in ("set_trace", "breakpoint", *DIRECTIVES):
            return node
        node.func = located(node.func, call("converted", node.func))
        return node

    def visit_BoolOp(self, node):  # noqa: N802
        binds = _binds(node)
        node = self.generic_visit(node)
        if binds:
            return node
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return located(node, call(name, *map(thunk, node.values)))

    def visit_UnaryOp(self, node):  # noqa: N802
        node = self.generic_visit(node)
        return located(node, call("not_", node.operand)) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node):  # noqa: N802
        binds = _binds(node)
        node = self.generic_visit(node)
        if binds:
            return node
        return located(node, call("if_exp", node.test, thunk(node.body), thunk(node.orelse)))

    def visit_Compare(self, node):  # noqa: N802
        binds = _binds(node)
        node = self.generic_visit(node)
        equality = isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and self._has("EQUALITY_OPERATORS")
        if binds or len(node.ops) == 1 and not equality:
            return node
        pairs = [
            ast.Tuple([self._comparison(op), thunk(other)], ast.Load())
            for op, other in zip(node.ops, node.comparators)
        ]
        return located(node, call("compared", node.left, *pairs))

    def _comparison(self, op):
        """A function of two values."""
        if isinstance(op, (ast.Eq, ast.NotEq)) and self._has("EQUALITY_OPERATORS"):
            name = "equal" if isinstance(op, ast.Eq) else "not_equal"
            return ast.Attribute(load("ag__"), name, ast.Load())
        args = ast.arguments([], [ast.arg("a"), ast.arg("b")], None, [], [], None, [])
        return ast.Lambda(args, ast.Compare(load("a"), [op], [load("b")]))

    def _has(self, feature):
        return feature in self._features or "ALL" in self._features

    def visit_Assert(self, node):  # noqa: N802
        node = self.generic_visit(node)
        message = thunk(node.msg or ast.Constant(None))
        return located(node, ast.Expr(located(node, call("assert_stmt", node.test, message))))

    def visit_AnnAssign(self, node):  # noqa: N802
        """A variable of the function around cannot be annotated."""
        node = self.generic_visit(node)
        if not node.simple:
            return node
        if node.value is None:
            return located(node, ast.Pass())
        return located(node, ast.Assign([node.target], node.value))

    def visit_withitem(self, node):
        return node

    def visit_ClassDef(self, node):  # noqa: N802
        return node

    def visit_arguments(self, node):
        return node

    def visit_FunctionDef(self, node):  # noqa: N802
        return node  # statements converts it, or leaves it as it is

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815


def _binds(node):
    """Whether an expression binds a name by :=, which a lambda would keep for itself."""
    return any(isinstance(n, ast.NamedExpr) for n in names.own_nodes(node))


def _name_of(function):
    return getattr(function, "attr", getattr(function, "id", None))


def directive(statement):
    """The call of a directive that a statement is; None of another statement."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    is_call = isinstance(value, ast.Call) and _name_of(value.func) in DIRECTIVES
    return value if is_call else None
