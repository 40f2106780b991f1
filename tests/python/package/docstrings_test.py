# SPDX-License-Identifier: Apache-2.0
"""help(), dir() and docstrings: every public callable says what it takes, returns and raises."""

import ast
import doctest
import inspect
import os
import pydoc
import re
import subprocess
import sys
import textwrap
import types

import numpy as np
import sluice as sl

# Classes of the protobuf library: their fields are in the .proto files.
MESSAGE = type(sl.GraphDef)
EXAMPLES_NEEDED = 100


def modules():
    """The public modules of the package, itself first."""
    found = [sl]
    for module in found:
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, types.ModuleType) and value not in found:
                found.append(value)
    return found


def is_ours(value):
    return (getattr(value, "__module__", None) or "").startswith("sluice")


def callables():
    """(name, callable) of everything public, each once."""
    seen = set()
    for module in modules():
        for name in module.__all__:
            value = getattr(module, name)
            full = f"{module.__name__}.{name}"
            if isinstance(value, (types.ModuleType, MESSAGE)) or id(value) in seen:
                continue
            if not callable(value) or isinstance(value, sl.DType):
                continue
            if not is_ours(value) or module is sl.raw_ops:
                continue
            seen.add(id(value))
            yield full, value
            if inspect.isclass(value):
                yield from methods(full, value, seen)


def methods(full, cls, seen):
    """The public methods and properties that a class and those it is made of define."""
    for owner in cls.__mro__:
        if not is_ours(owner):
            continue
        for name, value in vars(owner).items():
            if isinstance(value, staticmethod):
                value = value.__func__
            documented = inspect.isfunction(value) or isinstance(value, property)
            if name.startswith("_") or not documented or id(value) in seen:
                continue
            seen.add(id(value))
            yield f"{full}.{name}", value


def arguments(value):
    """The names of a callable's arguments."""
    if isinstance(value, property):
        return []
    names = list(inspect.signature(value).parameters)
    is_method = "." in getattr(value, "__qualname__", "") and not inspect.isclass(value)
    names = names[1:] if is_method and names[:1] in (["self"], ["cls"]) else names
    return [n for n in names if not n.startswith("_")]


def section(doc, title):
    """The text of a section, or None."""
    found = re.search(rf"^{title}:\n((?:    .*\n|\n)*)", doc + "\n", re.MULTILINE)
    return found and textwrap.dedent(found.group(1))


def described(doc):
    """The arguments that the section Args describes."""
    text = section(doc, "Args") or ""
    return re.findall(r"^\**(\w+): \S", text, re.MULTILINE)


def gives_value(value):
    """Whether a function returns a value: as its source says; without source, yes."""
    if inspect.isclass(value) or isinstance(value, property):
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(value))))
    except (OSError, TypeError, SyntaxError):
        return True
    if not isinstance(tree.body[0], ast.FunctionDef):
        return True
    return any(
        isinstance(n, (ast.Yield, ast.YieldFrom)) or isinstance(n, ast.Return) and n.value
        for n in ast.walk(tree.body[0])
    )


def wrongs_of(value):
    """The missing parts of a docstring."""
    doc = inspect.getdoc(value)
    if not doc:
        return ["no docstring"]
    wrongs = []
    summary = doc.partition("\n\n")[0]
    if not summary.rstrip().endswith((".", ":", "?")) and not summary.startswith("Args"):
        wrongs.append(f"the summary is not a sentence: {summary[-40:]!r}")
    wanted, have = arguments(value), described(doc)
    missing = [n for n in wanted if n not in have]
    if missing:
        wrongs.append(f"Args lacks {missing}")
    unknown = [n for n in have if n not in wanted and not n.startswith("_")]
    if unknown:
        wrongs.append(f"Args describes {unknown}, which it does not take")
    if gives_value(value) and not section(doc, "Returns"):
        wrongs.append("no section Returns")
    return wrongs


def test_sections():
    wrongs, count = [], 0
    for name, value in callables():
        count += 1
        wrongs += [f"{name}: {wrong}" for wrong in wrongs_of(value)]
    print(f"{count} callables have docstrings")
    assert not wrongs, f"{len(wrongs)} wrong:\n" + "\n".join(wrongs)
    assert count > 900, count


def test_raw_ops_have_docstrings():
    names = dir(sl.raw_ops)
    wrongs = [f"{n}: {w}" for n in names for w in wrongs_of(getattr(sl.raw_ops, n))]
    assert not wrongs, "\n".join(wrongs)
    assert len(names) > 1000, len(names)


def test_every_callable_has_a_signature():
    for _, value in callables():
        if not isinstance(value, property):
            inspect.signature(value)
    messages = [v for m in modules() for v in vars(m).values() if isinstance(v, MESSAGE)]
    assert sl.ConfigProto in messages
    for message in messages:
        assert not wrongs_of(message), message


def test_dir_shows_public_names_only():
    for module in modules():
        assert dir(module) == sorted(set(module.__all__)), module
        assert module.__doc__, module
        for name in dir(module):
            value = getattr(module, name)
            assert not name.startswith("_"), f"{module.__name__}.{name}"
            if isinstance(value, types.ModuleType):
                assert value in modules(), f"{module.__name__} shows {name}"
            elif callable(value) and not is_ours(value) and module is not sl.logging:
                raise AssertionError(f"{module.__name__} shows {name} of {value.__module__}")


def test_import_of_everything():
    names = {}
    exec("from sluice import *", names)  # noqa: S102
    assert names["matmul"] is sl.matmul and names["train"] is sl.train
    assert set(names) - {"__builtins__"} == set(sl.__all__)


def test_groups_are_modules():
    import sluice.contrib.training
    import sluice.debugging
    import sluice.manip
    import sluice.spectral

    assert sluice.debugging.assert_equal is sl.assert_equal
    assert sluice.spectral.fft is sl.fft and sluice.manip.tile is sl.tile
    assert sluice.contrib.training.RandomStrategy
    for module in modules():
        assert isinstance(module, types.ModuleType), module


def test_help():
    for module in modules():
        text = pydoc.render_doc(module, renderer=pydoc.plaintext)
        assert module.__doc__.split("\n")[0] in text, module
    for thing in (sl.matmul, sl.Session, sl.GraphDef, sl.raw_ops.MatMul, sl.float32):
        assert pydoc.render_doc(thing, renderer=pydoc.plaintext)


def test_pydoc_as_a_program():
    for name in ("sluice", "sluice.train", "sluice.nn", "sluice.debugging"):
        said = subprocess.run(
            [sys.executable, "-m", "pydoc", name], stdout=subprocess.PIPE, timeout=100,
            env={**os.environ, "PAGER": "cat"}, check=True, text=True,
        ).stdout  # fmt: skip
        if name != "sluice.debugging":  # made by the package: pydoc looks for a file
            assert f"Help on {'package' if name == 'sluice' else 'module'} {name}" in said, said


def test_examples():
    """Every example in a docstring runs, in a graph of its own."""
    finder = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    count, said = 0, []
    for name, value in callables():
        doc = inspect.getdoc(value) or ""
        if ">>>" not in doc:
            continue
        count += 1
        with sl.Graph().as_default():
            test = finder.get_doctest(doc, {"sl": sl, "np": np}, name, None, 0)
            runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)
    assert count >= EXAMPLES_NEEDED, count
    print(f"{count} callables have examples, {runner.tries} statements ran")
