# SPDX-License-Identifier: Apache-2.0
"""Live variables: those whose values may still be read.

The work goes backwards over the statements, whose only exits are at the end of the function.
"""

import ast

from . import names


def find_live(function):
    """Gives each `if` and loop of a def an attribute `live`, a set of names.

    Of an `if` they are read after it; of a loop after it or in a later iteration.
    """
    body = function.body
    outer = names.declarations(body, ast.Nonlocal) | names.declarations(body, ast.Global)
    _Liveness(body).block(body, frozenset(outer))


class _Liveness:
    def __init__(self, body):
        # Functions in it: a use of one reads the variables that it has from here.
        self._inner = {}
        for node in names.own_nodes(body):
            if isinstance(node, ast.FunctionDef):
                self._inner.setdefault(node.name, set()).update(names.free(node))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._inner.setdefault(target.id, set()).update(names.free(node.value))
        self._always = frozenset()  # what the handlers of the `try` around read

    def block(self, statements, live):
        for statement in reversed(statements):
            live = self._before(statement, live)
        return live

    def _reads(self, tree):
        found, todo = set(), list(names.read(tree))
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += self._inner.get(name, ())
        return frozenset(found)

    def _before(self, one, live):
        """The names that are live before a statement."""
        method = getattr(self, f"_{type(one).__name__.lower()}", self._other)
        return method(one, live) | self._always

    def _other(self, one, live):
        return (live - frozenset(names.bound(one))) | self._reads(one)

    def _functiondef(self, one, live):
        defaults = [d for d in (*one.args.defaults, *one.args.kw_defaults) if d is not None]
        return (live - {one.name}) | self._reads(one.decorator_list + defaults)

    def _return(self, one, live):
        return self._reads(one) if one.value else frozenset()

    def _if(self, one, live):
        one.live = live
        return self._reads(one.test) | self.block(one.body, live) | self.block(one.orelse, live)

    def _while(self, one, live):
        return self._loop(one, live | self._reads(one.test), frozenset())

    def _for(self, one, live):
        tested = self._reads(one.goes_on) if getattr(one, "goes_on", None) else frozenset()
        targets = frozenset(names.bound(one.target))
        return self._loop(one, live | tested, targets) | self._reads([one.iter, one.target])

    def _loop(self, one, live, targets):
        one.live = live
        while True:
            before = one.live | (self.block(one.body, one.live) - targets)
            if before == one.live:
                return before
            one.live = before

    def _with(self, one, live):
        items = [ast.Tuple([i.context_expr for i in one.items], ast.Load())]
        bound = frozenset(names.bound(one.items))
        return (self.block(one.body, live) - bound) | self._reads(items)

    def _try(self, one, live):
        final = self.block(one.finalbody, live) if one.finalbody else live
        handlers = frozenset()
        for handler in one.handlers:
            caught = self._reads(handler.type) if handler.type else frozenset()
            handlers |= self.block(handler.body, final) | caught
        around = self._always
        self._always = around | handlers | (final if one.finalbody else frozenset())
        before = self.block(one.body, self.block(one.orelse, final))
        self._always = around
        return before | handlers

    _trystar = _try

    def _match(self, one, live):
        found = self._reads(one.subject) | live
        for case in one.cases:
            guard = self._reads(case.guard) if case.guard else frozenset()
            found |= self._reads(case.pattern) | guard | self.block(case.body, live)
        return found
