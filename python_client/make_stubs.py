# SPDX-License-Identifier: Apache-2.0
"""Writes the stubs of the package, python_client/stubs/, that type checkers read.

The build links them beside the modules.


    PYTHONPATH=build/python python3 python_client/make_stubs.py

Signatures are those of the imported package, and those of sluice.raw_ops follow from the registry
of ops. Types follow from the words of docstrings, which describe each argument and result. The test
tests/python/package/stubs_test.py says when the files are out of date.
"""

import ast
import importlib
import inspect
import os
import re
import sys
import textwrap
import types

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "sluice")
FOLDER = os.path.join(HERE, "stubs")
SKIPPED = """
    __init__ __main__ absent horovod.client_when_used horovod.loading imported_for
    launching.remote_agent modules
    ops.raw_ops processor public types
""".split()
SKIPPED_FOLDERS = ("cli", "tensorflow", "__pycache__")
_HEAD = """\
# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

"""
# Words at the beginning of an argument's description -> its type.
_ARGUMENTS = (
    (r"; or |^Dtypes of|^Dtype of .*list", "_Any"),
    (r"^What to fetch|^A tensor, Operation|^A dict: tensor|^An element: |^The elements, ", "_Any"),
    (r"^A (Sparse)?[Tt]ensor,? or (a )?(Sparse|Indexed)|IndexedSlices|SparseTensorValue", "_Any"),
    (r"^(A list of|Several) .*tensors|^Tensors|^Variables|^The tensors", "_Sequence[TensorLike]"),
    (r"^(The )?(\w+ )?[Dd]types? ", "DTypeLike"),
    (r"^(A|The|New) (new )?dtype", "DTypeLike"),
    (
        r"^(The )?[Ss]hape of|^The (new )?sizes|^The (new )?shape|^Sizes",
        "_Union[ShapeLike, Tensor]",
    ),
    (
        r"^A function|^The function|, a function|^The (activation|Python function)",
        "_Callable[..., _Any]",
    ),
    (r"^Whether|A bool\.", "_b.bool"),
    (r"an int, a list of ints", "_Union[_b.int, _Sequence[_b.int], TensorLike]"),
    (r"an int or an? .*(scalar|tensor|vector)", "TensorLike"),
    (r"an int or a list of ints", "_Union[_b.int, _Sequence[_b.int]]"),
    (r"a list of ints", "_Sequence[_b.int]"),
    (r"a list of str", "_Sequence[_b.str]"),
    (r"an int\b", "_b.int"),
    (r"\b(scalar|vector|matrix|tensors?)\b", "TensorLike"),
    (r"a float\b|seconds|Seconds", "_b.float"),
    (r", a str\b|, a path\b|^\"", "_b.str"),
    (r"^A dict", "_b.dict[_Any, _Any]"),
)
_RESULTS = (
    (r"^The values|or an Operation|the Operation\b.*read_value|read_value the Op", "_Any"),
    (r"^A tensor,? (or|a list)|if both are sparse|Without compute_uv|without zero_debias", "_Any"),
    (r"^A list of tensors|^A list of vectors", "_b.list[Tensor]"),
    (r"^A list of variables", "_b.list[Variable]"),
    (r"^A list of Operations", "_b.list[Operation]"),
    (r"^A list of ints", "_b.list[_b.int]"),
    (r"^A list of str", "_b.list[_b.str]"),
    (r"^A list", "_b.list[_Any]"),
    (r"^The Operation|^An Operation", "Operation"),
    (r"^A SparseTensor\b(?!Value)", "SparseTensor"),
    (r"^IndexedSlices", "IndexedSlices"),
    (r"^A (named )?tuple", "_b.tuple[_Any, ...]"),
    (r"^A context manager", "_ContextManager[_Any]"),
    (r"^An iterator", "_Iterator[_Any]"),
    (r"^A TensorShape", "TensorShape"),
    (r"^A function|^A decorator|^The function", "_Callable[..., _Any]"),
    (r"^A bool\.|^Whether", "_b.bool"),
    (r"^An int\b", "_b.int"),
    (r"^A str\b|^Its path, a str|^The path", "_b.str"),
    (r"^(The loss, a|The new value|The tensor\b)", "Tensor"),
    (r"^An? (\w+ ){0,3}(tensor|scalar|vector|matrix)\b", "Tensor"),
)
_KNOWN = (
    "Graph",
    "Session",
    "Variable",
    "DType",
    "TensorShape",
    "TensorArray",
    "DeviceSpec",
    "SparseTensor",
)
_IMPORTS = {
    "TensorLike": "types", "DTypeLike": "types", "ShapeLike": "types", "Tensor": "graph.elements",
    "Operation": "graph.elements", "IndexedSlices": "graph.elements",
    "SparseTensor": "ops.sparse.sparse_tensor", "TensorShape": "graph.tensor_shape",
    "Variable": "ops.state.variables", "Graph": "graph.graph", "DType": "dtypes",
    "Session": "session.session", "TensorArray": "ops.list.tensor_array",
    "DeviceSpec": "graph.device_spec",
}  # fmt: skip
_ATTRIBUTES = {
    "name": "_b.str", "graph": "Graph", "op": "Operation", "dtype": "DType",
    "outputs": "_b.list[Tensor]", "values": "_Any", "type": "_b.str", "initializer": "Operation",
}  # fmt: skip


def sections(doc):
    """The words for each argument, and for the result, of a docstring."""
    args, name = {}, None
    found = re.search(r"^Args:\n((?:    .*\n|\n)*)", doc + "\n", re.MULTILINE)
    for line in found.group(1).split("\n") if found else ():
        begin = re.match(r"    \**(\w+): (.*)", line)
        if begin:
            name = begin.group(1)
            args[name] = begin.group(2)
        elif name:
            args[name] += " " + line.strip()
    result = re.search(r"^Returns:\n((?:    .*\n)*)", doc + "\n", re.MULTILINE)
    return args, " ".join(result.group(1).split()) if result else ""


def type_of(words, table, otherwise="_Any"):
    """A type for words."""
    kind = next((kind for pattern, kind in table if re.search(pattern, words)), None)
    known = re.match(r"^(?:A|An|The) (\w+)[.,;:]?(?: |$)", words)
    if kind != "_Any" and known and known.group(1) in _KNOWN:
        kind = known.group(1)
    if kind is None:
        return otherwise
    return f"_Optional[{kind}]" if re.search(r"\bNone\b", words) and kind != "_Any" else kind


def signature(value, doc, method=False):
    """The text between def and the colon, without the name."""
    words, result = sections(doc)
    parameters = list(inspect.signature(value).parameters.values())
    texts, star = [], False
    for i, p in enumerate(parameters):
        if p.kind == p.KEYWORD_ONLY and not star:
            texts.append("*")
            star = True
        star = star or p.kind == p.VAR_POSITIONAL
        text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        if not (method and i == 0):
            kind = type_of(words.get(p.name, ""), _ARGUMENTS)
            if p.default is None and not kind.startswith(("_Optional", "_Any")):
                kind = f"_Optional[{kind}]"
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                kind = "_Any"
            text += f": {kind}"
        texts.append(text + (" = ..." if p.default is not p.empty else ""))
    returns = type_of(result, _RESULTS) if result else "None" if doc else "_Any"
    return f"({', '.join(texts)}) -> {returns}"


def function_stub(name, value, indent="", decorators=(), method=False):
    doc = inspect.getdoc(value) or ""
    lines = [f"{indent}@{d}" for d in decorators]
    return [*lines, f"{indent}def {name}{signature(value, doc, method)}: ..."]


def class_stub(name, cls):
    """The stub of a class: attributes, constructor, methods, operators."""
    bases = _public_bases(cls)
    shown = [b.__name__ for b in bases] or (["_b.Exception"] if issubclass(cls, Exception) else [])
    shown = shown or (["_b.tuple[_Any, ...]"] if issubclass(cls, tuple) else [])
    shown = shown or (["_b.int"] if issubclass(cls, int) else [])
    lines = [f"class {name}({', '.join(shown)}):" if shown else f"class {name}:"]
    members = {}
    for owner in reversed(cls.__mro__):  # private bases are not in stubs: their members are
        if _ours(owner) and (owner is cls or owner.__name__[0] == "_"):
            members.update(vars(owner))
    for attribute in _attributes(cls):
        if attribute not in members and not any(hasattr(b, attribute) for b in bases):
            lines.append(f"    {attribute}: {_ATTRIBUTES.get(attribute, '_Any')}")
    if "__init__" in members or "__new__" in members:
        words = inspect.getdoc(cls) or ""
        text = signature(cls, words).rpartition(" -> ")[0]
        lines.append(f"    def __init__(self{', ' if text != '()' else ''}{text[1:]} -> None: ...")
    for key, value in members.items():
        lines += _member(key, value)
    return lines if len(lines) > 1 else [lines[0] + " ..."]


def _public_bases(cls):
    """The classes of the package that a class is made of; of private ones theirs."""
    found = []
    for base in cls.__bases__:
        if _ours(base) and base.__name__ != cls.__name__:
            found += [base] if base.__name__[0] != "_" else _public_bases(base)
    return found


def _member(key, value):
    if isinstance(value, property):
        doc = inspect.getdoc(value) or ""
        kind = type_of(re.sub(r"^The [^,]*, an? ", "A ", doc), _RESULTS)
        kind = _ATTRIBUTES.get(key, kind)
        return ["    @property", f"    def {key}(self) -> {kind}: ..."]
    if key.startswith("_"):
        if not (key.startswith("__") and inspect.isfunction(value)):
            return []
        if key in ("__init__", "__new__", "__repr__", "__str__", "__hash__", "__eq__", "__ne__"):
            return []
        return [f"    def {key}(self, *args: _Any, **kwargs: _Any) -> _Any: ..."]
    if isinstance(value, staticmethod):
        return function_stub(key, value.__func__, "    ", ["staticmethod"])
    if isinstance(value, classmethod):
        return function_stub(key, value.__func__, "    ", ["classmethod"], True)
    if inspect.isfunction(value):
        return function_stub(key, value, "    ", (), True)
    return [f"    {key}: _Any"]


def _attributes(cls):
    """The attributes that a class' own methods set on self."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError):
        return []
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                found[node.attr] = None
    return [name for name in found if not name.startswith("_")]


def _ours(value):
    return (getattr(value, "__module__", None) or "").startswith("sluice")


_MESSAGES = """\
class _Fields(_b.type):
    def __getattr__(cls, name: _b.str) -> _Any: ...

class _Message(metaclass=_Fields):
    def __init__(self, **fields: _Any) -> None: ...
    def __getattr__(self, name: _b.str) -> _Any: ...
    def __setattr__(self, name: _b.str, value: _Any) -> None: ...
"""


def module_stub(name, module):
    """The stub of a module of the package."""
    lines, imports = [], set()
    public = list(getattr(module, "__all__", ()))
    own = vars(module)
    if module.__name__ == "sluice.raw_ops":  # which has those functions that were used so far
        own = [name for name in own if name not in set(public)]
    names = dict.fromkeys([*own, *public])
    message = type(importlib.import_module("sluice.messages").GraphDef)
    for key in names:
        value = getattr(module, key)
        if key.startswith("_") or key == "annotations":
            continue
        home = (getattr(value, "__module__", None) or "").replace("sluice.", "", 1)
        if isinstance(value, types.ModuleType):
            if key in public:
                imports.add(_import_of_module(key, value))
        elif isinstance(value, message):
            if name == "messages":
                lines.append(f"class {key}(_Message): ...")
            elif key in public:
                imports.add(f"from sluice.messages import {key} as {key}")
        elif callable(value) and _ours(value) and home != name:
            if key in public:
                imports.add(_import(key, value))
        elif inspect.isclass(value) and _ours(value):
            same = value.__name__ != key
            lines += [f"{key} = {value.__name__}"] if same else class_stub(key, value)
        elif callable(value) and _ours(value) and not type(value).__module__.startswith("sluice"):
            lines += function_stub(key, value)
        elif key in public:
            kind = type(value).__name__ if type(value).__name__ in _IMPORTS else "_Any"
            lines.append(f"{key}: {kind}")
    text = "\n".join(lines)
    text = (_MESSAGES if name == "messages" else "") + text
    used = re.sub(r"\b(def|class) \w+", "", text)
    for word, home in _IMPORTS.items():
        if home != name and re.search(rf"\b{word}\b", used):
            imports.add(f"from sluice.{home} import {word} as {word}")
    for bases in re.findall(r"^class \w+\(([\w, ]+)\):", text, re.MULTILINE):
        for cls in bases.split(", "):
            base = getattr(module, cls, None)
            if base is not None and base.__module__ != module.__name__ and _ours(base):
                imports.add(_import(cls, base))
    return _HEAD + "".join(f"{i}\n" for i in sorted(imports)) + "\n" + text + "\n"


def _import(key, value):
    """The line that imports a function or class as `key`."""
    home = sys.modules[value.__module__]
    own = value.__name__
    if own.startswith("_") or getattr(home, own, None) is not value:
        own = next(k for k, v in vars(home).items() if v is value and not k.startswith("_"))
    home = home.__name__.partition(".")[2]
    if own == key:
        return f"from sluice.{home} import {key} as {key}"
    hidden = f"_{home.replace('.', '_')}_{own}"  # a checker takes other names for private ones
    return f"from sluice.{home} import {own} as {hidden}\n{key} = {hidden}"


def _import_of_module(key, value):
    home, _, own = value.__name__.partition(".")
    if own == key:
        return f"from sluice import {key} as {key}"
    if not own:
        return f"import sluice as _\n{key} = _"
    if getattr(value, "__file__", None) is not None:
        home, _, own = value.__name__.rpartition(".")
        return f"from {home} import {own} as {key}"
    home = "sluice.groups" if "." in own else home
    own = own.replace(".", "_")
    return f"from {home} import {own} as _{own}\n{key} = _{own}"


def stubs():
    """All stubs.

    Returns:
        A dict: name of the file -> its text.
    """
    # The package is the one in the build folder, which has the extension module.
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != HERE]
    import sluice

    files = {}
    for name, file in _modules():
        module = importlib.import_module("sluice." + name)
        files[file + "i"] = module_stub(name, module)
    for full, module in sorted(sys.modules.items()):
        made = full.startswith("sluice.") and getattr(module, "__file__", None) is None
        if made and hasattr(module, "__all__"):
            own = full.partition(".")[2]
            folder = "groups/" if "." in own else ""
            files[folder + own.replace(".", "_") + ".pyi"] = _group_stub(module)
    files["groups/__init__.pyi"] = _HEAD  # of modules below others that have no file
    files["__init__.pyi"] = _package_stub(sluice)
    return files


def _modules():
    """(name, file) of the modules that have stubs, both relative to the package."""
    for folder, _, entries in sorted(os.walk(PACKAGE)):
        relative = os.path.relpath(folder, PACKAGE)
        if {*relative.split(os.sep)} & {*SKIPPED_FOLDERS}:
            continue
        for entry in sorted(entries):
            name, ending = os.path.splitext(os.path.normpath(os.path.join(relative, entry)))
            dotted = name.replace(os.sep, ".").removesuffix(".__init__")
            if ending == ".py" and dotted not in SKIPPED:
                yield dotted, name + ending


def written():
    """The stubs that are there.

    Returns:
        A set of names of files, as stubs() gives them.
    """
    return {
        os.path.relpath(os.path.join(folder, entry), FOLDER)
        for folder, _, entries in os.walk(FOLDER)
        for entry in entries
    }


def _group_stub(module):
    """The stub of a module that only has names of others."""
    lines = []
    for key in module.__all__:
        value = getattr(module, key)
        if isinstance(value, types.ModuleType):
            lines.append(_import_of_module(key, value))
        elif hasattr(value, "__name__"):
            lines.append(_import(key, value))
        else:
            lines.append(f"{key}: _Any")
    return _HEAD + "\n".join(lines) + "\n"


def _package_stub(sluice):
    lines = []
    for key in sorted(k for k in vars(sluice) if not k.startswith("_")):
        value = getattr(sluice, key)
        if isinstance(value, types.ModuleType):
            if key in sluice.__all__:
                lines.append(_import_of_module(key, value))
        elif isinstance(value, type(sluice.GraphDef)):
            lines.append(f"from sluice.messages import {key} as {key}")
        elif isinstance(value, sluice.DType):
            lines.append(f"{key}: _DType")
        elif callable(value) and _ours(value) and not type(value).__module__.startswith("sluice"):
            lines.append(_import(key, value))
        else:
            lines.append(f"{key}: _Any")
    head = _HEAD + "from sluice.dtypes import DType as _DType\n"
    return head + "\n".join(lines) + "\n__version__: _b.str\n"


def main():
    wanted = stubs()
    for name in written() - set(wanted):
        os.remove(os.path.join(FOLDER, name))
    for name, text in wanted.items():
        path = os.path.join(FOLDER, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    print(f"{len(wanted)} stubs written")


if __name__ == "__main__":
    main()
