# SPDX-License-Identifier: Apache-2.0
"""Replaces `if`, `while` and `for` by calls of operators.

if test:          def ag__body_1():              x stays a variable of the function: its
    x = f(x)          nonlocal x          ->     parts are functions in it that share it,
                      x = f(x)                   with two more that read and set it for
                  def ag__get_1(): ...           tensors, whose branches are all traced.
                  ag__.if_stmt(test, ag__body_1, ag__else_1, ag__get_1, ag__set_1, ("x",))
"""

import ast

from . import names
from .exits import replace_exits
from .expressions import Expressions, directive
from .liveness import find_live
from .templates import call, definition, load, located, texts, thunk


def convert_function(function, features):
    """Converts a def, and the functions in it.

    Args:
        function: The ast.FunctionDef, which is changed.
        features: The names of the optional features, a set.
    """
    for node in names.own_nodes(function.body):
        if isinstance(node, ast.FunctionDef) and not is_generator(node):
            convert_function(node, features)
    replace_exits(function)
    find_live(function)
    _Function(function, features).convert()


def is_generator(function):
    """Whether a def has a yield."""
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in names.own_nodes(function.body))


class _Function:
    """The work on the statements of one function, whose nested functions are converted."""

    def __init__(self, function, features):
        self._function = function
        args = names.arguments(function)
        self._globals = names.declarations(function.body, ast.Global)
        self._nonlocals = names.declarations(function.body, ast.Nonlocal)
        self._local = names.bound(function.body) - self._globals - self._nonlocals - set(args)
        self._expressions = Expressions(features, args[0] if args else None)
        kinds = (ast.If, ast.While, ast.For)
        self._converts = any(isinstance(n, kinds) for n in names.own_nodes(function.body))
        self._has_scope = bool(features & {"ALL", "NAME_SCOPES"})
        self._count = 0

    def convert(self):
        body = self._function.body
        has_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        text, body = (body[:1], body[1:]) if has_text else ([], body)
        body = self._block(body)
        if self._has_scope and body:
            scope = call("function_scope", ast.Constant(self._function.name))
            body = [located(self._function, ast.With([ast.withitem(scope)], body))]
        if self._converts:
            text += self._declared()
        self._function.body = [*text, *body] or [ast.Pass()]
        ast.fix_missing_locations(self._function)

    def _declared(self):
        """Statements that say where the variables are, which inner functions set."""
        found = []
        if self._globals:
            found.append(ast.Global(sorted(self._globals)))
        if self._nonlocals:
            found.append(ast.Nonlocal(sorted(self._nonlocals)))
        if self._local:
            targets = [ast.Name(n, ast.Store()) for n in sorted(self._local)]
            found.append(ast.If(ast.Constant(False), [ast.Assign(targets, ast.Constant(None))], []))
        return [ast.copy_location(s, self._function) for s in found]

    def _block(self, statements):
        return [new for one in statements for new in self._statement(one)]

    def _statement(self, one):
        if isinstance(one, (ast.Global, ast.Nonlocal)) and self._converts:
            return [ast.copy_location(ast.Pass(), one)]
        if isinstance(one, (ast.If, ast.While, ast.For)):
            self._count += 1
            make = getattr(self, f"_{type(one).__name__.lower()}")
            return [located(one, new) for new in make(one, self._count)]
        for part in ("body", "orelse", "finalbody"):
            if getattr(one, part, None) and not isinstance(one, names.SCOPES):
                setattr(one, part, self._block(getattr(one, part)))
        for inner in (*getattr(one, "handlers", ()), *getattr(one, "cases", ())):
            inner.body = self._block(inner.body)
        return [self._expression(one)]

    def _expression(self, node):
        """Converts the expressions of a statement whose blocks are converted, or an expression."""
        blocks = {}
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            if isinstance(getattr(node, part, None), list) and not isinstance(node, names.SCOPES):
                blocks[part] = getattr(node, part)
                setattr(node, part, [])
        node = self._expressions.visit(node)
        for part, block in blocks.items():
            setattr(node, part, block)
        return node

    # ---- the three statements

    def _if(self, one, number):
        modified = names.bound(one.body + one.orelse)
        first = sorted(modified & one.live)
        rest = sorted(modified - one.live)
        kept = self._composites(one.body + one.orelse, modified)
        test = self._expression(one.test)
        return [
            self._part("body", number, [], one.body),
            self._part("else", number, [], one.orelse),
            *self._state(number, first, kept, rest),
            self._call("if_stmt", number, [test, "body", "else"], [*first, *kept]),
        ]

    def _while(self, one, number):
        variables, kept = self._loop_variables(one, [*one.body, ast.Expr(one.test)])
        options = self._options(one)
        return [
            self._part("body", number, [], one.body),
            self._part("test", number, [], [ast.Return(one.test)]),
            *self._state(number, variables, kept),
            self._call("while_stmt", number, ["test", "body"], [*variables, *kept], options),
        ]

    def _for(self, one, number):
        target = ast.Assign([one.target], load("ag__item"))
        variables, kept = self._loop_variables(one, [target, *one.body])
        options = self._options(one)
        goes_on = getattr(one, "goes_on", None)
        test = thunk(self._expression(goes_on)) if goes_on else ast.Constant(None)
        body = [ast.copy_location(target, one.target), *one.body]
        values = self._expression(one.iter)
        return [
            self._part("body", number, ["ag__item"], body),
            *self._state(number, variables, kept),
            self._call("for_stmt", number, [values, test, "body"], [*variables, *kept], options),
        ]

    # ---- their parts

    def _loop_variables(self, one, body):
        modified = names.bound(body)
        return sorted(modified & one.live), self._composites(body, modified)

    @staticmethod
    def _composites(body, modified):
        """Attributes and elements of variables that stay the same."""
        return {t: node for t, (node, root) in names.composites(body).items()
                if root not in modified}  # fmt: skip

    def _options(self, loop):
        """The options of a loop, which statements in its body give; these are removed."""
        calls = [c for c in map(directive, loop.body) if c is not None]
        loop.body = [s for s in loop.body if directive(s) is None] or [ast.Pass()]
        keywords = [k for c in calls for k in c.keywords]
        keys = [ast.Constant(k.arg) for k in keywords]
        return ast.Dict(keys, [self._expression(k.value) for k in keywords])

    def _part(self, name, number, parameters, body):
        """A function that is a part of the statement."""
        shared = self._sharing(names.bound(body))
        return definition(f"ag__{name}_{number}", parameters, shared + self._block(body))

    def _sharing(self, variables):
        """The declarations by which a part sets variables of the function."""
        found = []
        if variables & self._globals:
            found.append(ast.Global(sorted(variables & self._globals)))
        if variables - self._globals:
            found.append(ast.Nonlocal(sorted(variables - self._globals)))
        return found

    def _state(self, number, first, kept, rest=()):
        """The functions that read and set the variables of a statement."""
        targets = [*map(load, first), *kept.values(), *map(load, rest)]
        values = [call("value_of", thunk(_with_context(t, ast.Load()))) for t in targets]
        getter = [ast.Return(ast.Tuple(values, ast.Load()))]
        setter = self._sharing({*first, *rest})
        for n, target in enumerate(targets):
            value = ast.Subscript(load("ag__values"), ast.Constant(n), ast.Load())
            undefined = ast.Attribute(load("ag__"), "UNDEFINED", ast.Load())
            now = call("value_of", thunk(_with_context(target, ast.Load())))
            gone = ast.If(
                ast.Compare(now, [ast.IsNot()], [undefined]),
                [ast.Delete([_with_context(target, ast.Del())])], [],
            )  # fmt: skip
            here = ast.Assign([_with_context(target, ast.Store())], value)
            setter.append(ast.If(ast.Compare(value, [ast.Is()], [undefined]), [gone], [here]))
        return [
            definition(f"ag__get_{number}", [], getter),
            definition(f"ag__set_{number}", ["ag__values"], setter),
        ]

    @staticmethod
    def _call(operator, number, args, variables, options=None):
        """The call of an operator. A str among args is the name of a part."""
        args = [load(f"ag__{a}_{number}") if isinstance(a, str) else a for a in args]
        state = [load(f"ag__get_{number}"), load(f"ag__set_{number}"), texts(variables)]
        options = [] if options is None else [options]
        return ast.Expr(call(operator, *args, *state, *options))


def _with_context(node, context):
    """A copy of a variable, attribute or element that is read, set or deleted."""
    fields = {name: value for name, value in ast.iter_fields(node) if name != "ctx"}
    return type(node)(**fields, ctx=context)
