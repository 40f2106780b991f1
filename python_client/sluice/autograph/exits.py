# SPDX-License-Identifier: Apache-2.0
"""Replaces break, continue and early returns: flags and values say what they did.

    for x in xs:                         done = False
        if x > 3:                        for x in xs, while not done:
            break            ->              if x > 3:
        f(x)                                     done = True
                                             else:
                                                 f(x)

What follows an `if` that always leaves the block moves into its other branch, so that both
branches of an early return give a value. What else may be skipped is guarded by the flags.
"""

import ast

from . import names
from .templates import assign, call, load, negation

RESULT = "ag__result"  # the variable with the value of the function
RETURNED = "ag__returned"  # its flag


def replace_exits(function):
    """Changes the body of a def: only its last statement may be a return.

    A function that returns at its end only is left as it is.
    """
    _Exits().function(function)


class _Loop:
    """The flags of the loop around a statement."""

    def __init__(self, number):
        self.broken, self.continued = f"ag__broken_{number}", f"ag__continued_{number}"


class _Exits:
    """The work on one function. A block's flags: those that may be set when it has run."""

    def __init__(self):
        self._count = 0

    def function(self, function):
        body = function.body
        returns = [n for n in names.own_nodes(body) if isinstance(n, ast.Return)]
        if any(r is not body[-1] for r in returns):
            has_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            text, body = (body[:1], body[1:]) if has_text else ([], body)
            nothing = ast.Attribute(load("ag__"), "NOT_RETURNED", ast.Load())
            first = [assign(RESULT, nothing), assign(RETURNED, ast.Constant(False))]
            last = ast.Return(call("returned", load(RESULT)))
            function.body = [*text, *first, *self._block(body, None)[0], last]
        else:
            last = [body.pop()] if returns else []
            function.body = self._block(body, None)[0] + last
        _drop_unread(function)

    def _block(self, statements, loop):
        """(the new statements, the flags that they may set)."""
        out, flags = [], set()
        for n, one in enumerate(statements):
            rest = statements[n + 1 :]
            if isinstance(one, ast.If) and _exits(one.body):
                one.orelse, rest = one.orelse + rest, []
            elif isinstance(one, ast.If) and _exits(one.orelse):
                one.body, rest = one.body + rest, []
            ends = _leaves([one])
            new, set_here = self._statement(one, loop)
            out += new
            flags |= set_here
            if ends or not rest:
                break
            if set_here:
                inner, more = self._block(rest, loop)
                out.append(ast.copy_location(ast.If(_none_of(set_here), inner, []), rest[0]))
                return out, flags | more
        return out, flags

    def _statement(self, one, loop):
        if isinstance(one, ast.Return):
            value = one.value or ast.Constant(None)
            new = [assign(RESULT, value), assign(RETURNED, ast.Constant(True))]
            return [ast.copy_location(s, one) for s in new], {RETURNED}
        if isinstance(one, (ast.Break, ast.Continue)):
            flag = loop.broken if isinstance(one, ast.Break) else loop.continued
            return [ast.copy_location(assign(flag, ast.Constant(True)), one)], {flag}
        if isinstance(one, (ast.While, ast.For)):
            return self._loop(one, loop)
        if isinstance(one, names.FUNCTIONS + (ast.ClassDef,)):
            return [one], set()
        flags = set()
        for part in ("body", "orelse", "finalbody"):
            if getattr(one, part, None):
                block, more = self._block(getattr(one, part), loop)
                if part == "orelse" and isinstance(one, ast.Try) and flags:
                    block = [ast.copy_location(ast.If(_none_of(flags), block, []), one)]
                setattr(one, part, block)
                flags |= more
        for inner in (*getattr(one, "handlers", ()), *getattr(one, "cases", ())):
            inner.body, more = self._block(inner.body, loop)
            flags |= more
        return [one], flags

    def _loop(self, one, around):
        self._count += 1
        own = _Loop(self._count)
        one.body, flags = self._block(one.body, own)
        stops = flags - {own.continued}
        new = [one]
        if own.continued in flags:
            one.body.insert(0, assign(own.continued, ast.Constant(False)))
        if own.broken in stops:
            new.insert(0, assign(own.broken, ast.Constant(False)))
        one.goes_on = _none_of(stops) if stops else None
        if stops and isinstance(one, ast.While):
            one.test = ast.BoolOp(ast.And(), [one.goes_on, one.test])
        orelse, more = self._block(one.orelse, around)
        one.orelse = []
        new += [ast.If(_none_of(stops), orelse, [])] if orelse and stops else orelse
        for added in (*new, one.body[0]):
            if not hasattr(added, "lineno"):
                ast.copy_location(added, one)
        return new, (stops - {own.broken}) | more


def _drop_unread(function):
    """Removes the flags that nothing reads."""
    tests = [n.goes_on for n in ast.walk(function) if getattr(n, "goes_on", None)]
    loaded = set().union(*(names.loaded(tree) for tree in (function, *tests)))

    class Drop(ast.NodeTransformer):
        def visit_Assign(self, node):  # noqa: N802
            target = node.targets[0]
            is_flag = isinstance(target, ast.Name) and target.id.startswith(_FLAGS)
            unread = is_flag and target.id not in loaded
            return ast.copy_location(ast.Pass(), node) if unread else node

    Drop().visit(function)


_FLAGS = ("ag__broken", "ag__continued", RETURNED)


def _none_of(flags):
    """The condition that no flag is set."""
    parts = [negation(load(flag)) for flag in sorted(flags)]
    return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)


def _exits(block):
    """Whether a block always ends in a return, break or continue, not only in a raise."""
    kinds = (ast.Return, ast.Break, ast.Continue)
    return _leaves(block) and any(isinstance(n, kinds) for n in names.own_nodes(block))


def _leaves(block):
    """Whether the end of a block is never reached, by a return, break, continue or raise."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    if isinstance(last, ast.With):
        return _leaves(last.body)
    return isinstance(last, (ast.Return, ast.Break, ast.Continue, ast.Raise))
