# SPDX-License-Identifier: Apache-2.0
"""The modules of the package: how they import each other.

The sources are read, not imported. A module at the top of the package counts as a folder of its
own: the public modules lie above all others, dtypes, errors and messages below.
"""

import ast
import os

import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "python_client", "sluice")

# Packages that functions may import, because a user of this package need not have them:
# matplotlib draws the benchmark, tensorflow and wrapt belong to sluice.tensorflow.
OPTIONAL = {"matplotlib", "tensorflow", "wrapt"}
# Modules of the package that a function may import.
LATE = {("graph.graph", "graph.picture")}  # a picture is drawn in notebooks only
NATIVE = "_sluice"  # the extension module, whose name Python's convention gives


def sources():
    """Module, such as "ops.math" or "ops.math.scans" -> (is it a folder's __init__, tree)."""
    found = {}
    for folder, _, names in os.walk(ROOT):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                parts = os.path.relpath(path, ROOT)[: -len(".py")].split(os.sep)
                is_folder = parts[-1] == "__init__"
                with open(path, encoding="utf-8") as file:
                    found[".".join(parts[:-1] if is_folder else parts)] = is_folder, file.read()
    return {module: (kind, ast.parse(text)) for module, (kind, text) in found.items()}


class Import:
    """One name of one import statement.

    `module` is the module of this package that it reaches, or None; `package` the other package;
    `name` what the statement asks for; `local` what it is called here; `late`: in a function.
    """

    def __init__(self, line, module, package, name, local, late):
        self.line, self.module, self.package = line, module, package
        self.name, self.local, self.late = name, local, late


def imports(module, tree, modules):
    """All imports of a module."""
    is_folder = modules[module]
    own = module.split(".") if is_folder else module.split(".")[:-1]
    for node, late in nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.split(".")[0]
                yield Import(node.lineno, None, package, alias.name, alias.asname, late)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                package = node.module.split(".")[0]
                yield Import(node.lineno, None, package, alias.name, alias.asname, late)
        elif isinstance(node, ast.ImportFrom):
            base = own[: len(own) - node.level + 1] + (node.module or "").split(".")
            base = ".".join(part for part in base if part)
            for alias in node.names:
                whole = f"{base}.{alias.name}".strip(".")
                reached = whole if whole in modules or whole == NATIVE else base
                name = None if reached == whole else alias.name
                yield Import(node.lineno, reached, None, name, alias.asname or alias.name, late)


def nodes(tree, late=False):
    """All nodes below one, each with whether it is in a function."""
    for child in ast.iter_child_nodes(tree):
        yield child, late
        inner = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        yield from nodes(child, late or inner)


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


def late_imports(trees):
    modules = {module: kind for module, (kind, _) in trees.items()}
    for module, (_, tree) in trees.items():
        for one in imports(module, tree, modules):
            if one.late and one.package not in OPTIONAL and (module, one.module) not in LATE:
                yield f"{module}:{one.line}: a function imports {one.module or one.package}"


def private_names(trees):
    modules = {module: kind for module, (kind, _) in trees.items()}
    for module, (_, tree) in trees.items():
        known = {}  # what a module is called here -> the module
        for one in imports(module, tree, modules):
            if one.module is not None and one.name is None:
                known[one.local] = one.module
            if one.name is not None and one.module is not None and is_private(one.name):
                yield f"{module}:{one.line}: {one.module} has the private {one.name}"
        for node, _ in nodes(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                other = known.get(node.value.id)
                if other is not None and is_private(node.attr):
                    yield f"{module}:{node.lineno}: {other} has the private {node.attr}"


def graph_of(trees):
    """Module -> the modules that it imports when it is imported itself."""
    modules = {module: kind for module, (kind, _) in trees.items()}
    return {
        module: {
            one.module
            for one in imports(module, tree, modules)
            if one.module in modules and one.module != module and not one.late
        }
        for module, (_, tree) in trees.items()
    }


def folders_of(graph, trees):
    """The same of folders."""

    def folder(module):
        is_folder, _ = trees[module]
        return module if is_folder or "." not in module else module.rpartition(".")[0]

    found = {}
    for module, reached in graph.items():
        own = found.setdefault(folder(module), set())
        own.update(folder(other) for other in reached if folder(other) != folder(module))
    return found


def cycles(graph):
    """The path of each cycle that a search in depth meets."""
    done, path = set(), []

    def visit(node):
        if node in path:
            yield " -> ".join([*path[path.index(node) :], node])
        elif node not in done:
            path.append(node)
            for other in sorted(graph.get(node, ())):
                yield from visit(other)
            done.add(path.pop())

    for node in sorted(graph):
        yield from visit(node)


@pytest.fixture(scope="module")
def trees():
    found = sources()
    assert len(found) > 150, len(found)
    return found


def test_no_function_imports_a_module(trees):
    assert not list(late_imports(trees))


def test_no_module_uses_private_names_of_another(trees):
    assert not list(private_names(trees))


def test_no_modules_import_each_other(trees):
    assert not list(cycles(graph_of(trees)))


def test_no_folders_import_each_other(trees):
    assert not list(cycles(folders_of(graph_of(trees), trees)))


def test_the_rules_find_what_breaks_them():
    texts = {
        "": (True, ""),
        "a": (True, "from . import x\nfrom ..b.y import _hidden\n"),
        "a.x": (False, "from ..b import y\nx = y._hidden + y.__doc__\n"),
        "b": (True, ""),
        "b.y": (False, "from .z import z\ndef f():\n    import json\n    import wrapt\n"),
        "b.z": (False, "from . import y\nfrom ..a.x import x\n"),
    }
    broken = {module: (kind, ast.parse(text)) for module, (kind, text) in texts.items()}
    assert list(late_imports(broken)) == ["b.y:3: a function imports json"]
    assert list(private_names(broken)) == [
        "a:2: b.y has the private _hidden", "a.x:2: b.y has the private _hidden"
    ]  # fmt: skip
    graph = graph_of(broken)
    assert "b.y -> b.z -> b.y" in list(cycles(graph))
    assert list(cycles(folders_of(graph, broken))) == ["a -> b -> a"]
