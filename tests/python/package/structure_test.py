# SPDX-License-Identifier: Apache-2.0
"""The modules of the package: how they import each other.

The sources are read, not imported. A module at the top of the package counts as a folder of its
own: the public modules lie above all others, dtypes, errors and messages below.
"""

import ast
import os
import re

import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "..", "python_client", "sluice")

# Packages that functions may import, because a user of this package need not have them:
# matplotlib draws the benchmark, tensorflow and wrapt belong to sluice.tensorflow, pyspark and
# pyarrow to sluice.spark; h5py, pydot and yaml write the files and pictures of Keras' models; PIL
# and scipy read and change images before training.
OPTIONAL = {
    "PIL", "h5py", "matplotlib", "pyarrow", "pydot", "pyspark", "scipy", "tensorflow", "wrapt",
    "yaml",
}  # fmt: skip
# Modules of the package that a function may import.
LATE = {
    ("graph.graph", "graph.picture"),  # a picture is drawn in notebooks only
    ("horovod.loading", "public"),  # sluice.hvd works over TensorFlow's client too
}
# Attributes with an underscore that are not a module's own: programs, or Python, know them.
KNOWN_ATTRIBUTES = {
    "_as_graph_element": "TensorFlow: what stands for a tensor or an operation has it",
    "_save_slice_info": "TensorFlow: programs set it of a variable that is a piece of a larger one",
    "_keras_history": "TensorFlow: where a layer of Keras made a tensor, which programs read",
    "_keras_mask": "TensorFlow: the mask of a tensor that a layer of Keras made",
    "_unsafe_unfinalize": "TensorFlow: programs call it of a Graph",
    "_get_or_make_slot": "TensorFlow: classes that derive from Optimizer call it",
    "_get_or_make_slot_with_initializer": "the same",
    "_zeros_slot": "the same",
    "_make_server_def": "a function of TensorFlow's, which sluice.tensorflow replaces",
    "_create_slots": "TensorFlow: classes that derive from Optimizer define it",
    "_attr_scope": "TensorFlow: gives operations attributes that their op does not declare",
    "_num_replicas_in_sync": "TensorFlow: classes that derive from StrategyExtended define it",
    "_convert_eval_steps_to_hooks": "TensorFlow: evaluations in memory call it of an Estimator",
    "_evaluate_build_graph": "the same",
    "_evaluate_run": "the same",
    "_jsc": "PySpark: the SparkContext of Java",
    "_exit": "Python: of os",
    "_asdict": "Python: of named tuples",
    "_fields": "Python: of named tuples",
    "_replace": "Python: of named tuples",
    "_getframe": "Python: of sys",
}
# Functions of one op that stand in another family's folder: TensorFlow's Python has them in the
# folder's public module, or the modules beside them need them.
ELSEWHERE = {
    ("ops.array.selecting", "SelectV2"),  # where()
    ("ops.math.elementary", "Softplus"),
    ("ops.math.elementary", "Softsign"),
    ("ops.nn.cross_entropy", "L2Loss"),
    ("ops.strings.strings", "Fingerprint"),
}
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


def families():
    """Op -> its family, and the set of all families."""
    folder, found = os.path.join(ROOT, "..", "..", "graph", "ops"), {}
    for name in os.listdir(folder):
        if name.endswith(".ops"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                ops = re.findall(r"^op (\w+)", file.read(), re.MULTILINE)
            found.update(dict.fromkeys(ops, name[: -len(".ops")]))
    return found, set(found.values())


def strange_ops(trees):
    """Functions of one op that stand in another folder of ops/ than their family's."""
    family_of, _ = families()
    for module, (_, tree) in trees.items():
        path = module.split(".")
        for node, _ in nodes(tree) if path[0] == "ops" and len(path) == 3 else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                made = node.func.id in ("thin", "unary", "binary")
                if made and isinstance(node.args[0], ast.Constant):
                    op = node.args[0].value
                    if (module, op) not in ELSEWHERE and family_of[op] != path[1]:
                        yield f"{module}: {op} is of the family {family_of[op]}"


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


def own_attributes(tree):
    """The names that a module's classes and functions have: of methods, of what a class or `self`
    is given. Those that it gives to other objects come apart."""
    own, given = set(), set()
    for node, _ in nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            (own if is_own(node.value) else given).add(node.attr)
    return own, given


def is_own(value):
    """Is it `self`, `cls` or `super()`?"""
    if isinstance(value, ast.Call):
        value = value.func
    return isinstance(value, ast.Name) and value.id in ("self", "cls", "super")


def attributes(tree):
    """(line, name) of the attributes of other objects, also of getattr(x, "name")."""
    for node, _ in nodes(tree):
        if isinstance(node, ast.Attribute) and not is_own(node.value):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("getattr", "hasattr", "setattr", "delattr"):
                if isinstance(node.args[1], ast.Constant) and not is_own(node.args[0]):
                    yield node.lineno, node.args[1].value


def private_attributes(trees):
    """Private attributes that a module reads of objects whose class is of another module.

    An attribute belongs to the modules whose classes have it. One that no class has belongs to the
    one module that gives it to objects.
    """
    found = {module: own_attributes(tree) for module, (_, tree) in trees.items()}
    of_classes = set().union(*(own for own, _ in found.values()))
    for module, (_, tree) in trees.items():
        own, given = found[module]
        own = own | {
            name
            for name in given - of_classes
            if not any(name in others for m, (_, others) in found.items() if m != module)
        }
        for line, name in attributes(tree):
            if is_private(name) and name not in own and name not in KNOWN_ATTRIBUTES:
                yield f"{module}:{line}: {name} belongs to another module"


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


def test_no_module_uses_private_attributes_of_another(trees):
    assert not list(private_attributes(trees))


def test_known_attributes_are_used(trees):
    used = {name for _, tree in trees.values() for _, name in attributes(tree)}
    assert set(KNOWN_ATTRIBUTES) <= used, set(KNOWN_ATTRIBUTES) - used


def test_folders_of_ops_are_families(trees):
    _, known = families()
    folders = {m.split(".")[1] for m, (is_folder, _) in trees.items() if is_folder and "ops." in m}
    assert folders <= known, folders - known


def test_functions_of_one_op_are_in_the_folder_of_its_family(trees):
    assert not list(strange_ops(trees))


def test_no_modules_import_each_other(trees):
    assert not list(cycles(graph_of(trees)))


def test_no_folders_import_each_other(trees):
    assert not list(cycles(folders_of(graph_of(trees), trees)))


def test_the_rules_find_violations():
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


def test_a_private_attribute_belongs_to_the_module_of_its_class():
    texts = {
        "a": "class A:\n    def __init__(self):\n        self._x = 1\n    def _f(self): ...\n"
        "def x_of(a):\n    return a._x + a._f()\n",
        "b": "def f(a):\n    return a.other._x + getattr(a, '_f')()\n",
        "c": "class C:\n    def __init__(self):\n        super()._f(self._y)\n",
        "d": "def mark(a):\n    a._marked = True\ndef is_marked(a):\n    return a._marked\n",
        "e": "def set(a):\n    a._x = 2\n    return a._marked\n",
    }
    broken = {module: (False, ast.parse(text)) for module, text in texts.items()}
    assert list(private_attributes(broken)) == [
        f"{place} belongs to another module"
        for place in ("b:2: _x", "b:2: _f", "e:2: _x", "e:3: _marked")
    ]
