# SPDX-License-Identifier: Apache-2.0
"""Names in syntax trees: which ones statements bind and read, in the scope of one function."""

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)


def own_nodes(tree):
    """The nodes of a tree or of a list of trees that belong to the scope around it. Of a nested
    scope: the node itself, and what is evaluated outside of it."""
    todo = list(tree) if isinstance(tree, list) else [tree]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, SCOPES):
            todo += _around(node)
        else:
            todo += ast.iter_child_nodes(node)


def _around(scope):
    """The parts of a nested scope that the scope around it evaluates."""
    if isinstance(scope, COMPREHENSIONS):
        bindings = [n for n in ast.walk(scope) if isinstance(n, ast.NamedExpr)]
        return [scope.generators[0].iter, *(n.target for n in bindings)]
    outside = list(getattr(scope, "decorator_list", []))
    if isinstance(scope, ast.ClassDef):
        return [*outside, *scope.bases, *scope.keywords]
    defaults = [d for d in (*scope.args.defaults, *scope.args.kw_defaults) if d is not None]
    return [*outside, *defaults]


def bound(tree):
    """The names that a tree binds or deletes in its own scope, a set."""
    found = set()
    for node in own_nodes(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.split(".")[0])
        elif type(node).__name__ in ("ExceptHandler", "MatchAs", "MatchStar") and node.name:
            found.add(node.name)
        elif type(node).__name__ == "MatchMapping" and node.rest:
            found.add(node.rest)
    return found


def loaded(tree):
    """The names that a tree reads in any scope, a set."""
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Load}


def arguments(function):
    """The names of the parameters of a def or lambda, in order."""
    args = function.args
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return [a.arg for a in (*named, args.vararg, args.kwarg) if a is not None]


def read(tree):
    """The names that a tree reads, those that its nested scopes have from outside among them."""
    found = set()
    for node in own_nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, SCOPES):
            found |= free(node)
    return found


def free(scope):
    """The names that a nested scope has from the scopes around it."""
    if isinstance(scope, COMPREHENSIONS):
        parts = []
        for child in ast.iter_child_nodes(scope):
            is_for = isinstance(child, ast.comprehension)
            parts += ast.iter_child_nodes(child) if is_for else [child]
        return read(parts) - bound([g.target for g in scope.generators])
    if isinstance(scope, ast.Lambda):
        return read(scope.body) - set(arguments(scope))
    declared = declarations(scope.body, ast.Nonlocal)
    own = bound(scope.body) - declared
    if isinstance(scope, ast.ClassDef):
        return read(scope.body) | declared
    own -= declarations(scope.body, ast.Global)
    return (read(scope.body) | declared) - own - set(arguments(scope))


def declarations(tree, kind):
    """The names in the statements of a kind, ast.Global or ast.Nonlocal, of one scope."""
    return {name for node in own_nodes(tree) if isinstance(node, kind) for name in node.names}


def composites(tree):
    """Attributes and elements of variables that statements assign, such as self.x and x["key"].

    Returns:
        A dict: source text -> (the node, the name of the variable).
    """
    found = {}
    for node in own_nodes(tree):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            root = _root(node)
            if root is not None:
                found[ast.unparse(node)] = node, root
    return dict(sorted(found.items()))


def _root(node):
    """The variable of a chain of attributes and simple elements; None of another expression."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript):
            if not isinstance(node.slice, (ast.Constant, ast.Name)):
                return None
        elif not isinstance(node, ast.Attribute):
            return None
        node = node.value
    return node.id
