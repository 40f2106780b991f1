# SPDX-License-Identifier: Apache-2.0
"""Which functions are converted: those of programs, called from converted code.

Not converted are functions of this package, of NumPy and of Python's library, classes, generators
and coroutines, functions without source, and what do_not_convert() marks.
"""

import functools
import os
import sysconfig
import threading
import types
import unittest

import numpy as np

from .. import logging
from .converting import convert
from .features import names_of
from .source import NoSourceError

OPERATORS = {}  # name -> what converted code calls as ag__.name; the folder operators/ fills it
OVERLOADS = {}  # a function of Python -> what converted code calls in its place
OVERLOADS_OF_FEATURES = {}  # the name of a feature -> the same, if it is on

_UNCHANGING = 0x20 | 0x80 | 0x100 | 0x200  # generators and coroutines, in a code object's flags
_state = threading.local()  # .on: whether functions are converted here; None: nobody said
_warned = set()


class Operators(types.SimpleNamespace):
    """What converted code knows as `ag__`, for one choice of optional features."""

    def converted(self, f):
        """What a call of `f` in converted code calls."""
        return _replaced(f, self)


@functools.lru_cache(maxsize=None)
def _operators(features):
    return Operators(**OPERATORS, features=features)


def _replaced(f, operators):
    try:
        found = OVERLOADS.get(f)
        for feature, overloads in OVERLOADS_OF_FEATURES.items():
            if feature in operators.features or "ALL" in operators.features:
                found = overloads.get(f, found)
        if found is not None:
            return found
    except TypeError:  # it cannot be hashed
        pass
    if isinstance(f, functools.partial):
        inner = _replaced(f.func, operators)
        return f if inner is f.func else functools.partial(inner, *f.args, **f.keywords)
    if isinstance(f, types.FunctionType):
        return _converted(f, operators)
    if isinstance(f, types.MethodType):
        if not isinstance(f.__func__, types.FunctionType) or _is_test(f):
            return f
        made = _converted(f.__func__, operators)
        return f if made is f.__func__ else types.MethodType(made, f.__self__)
    if isinstance(f, type):
        return f
    call = type(f).__call__ if callable(f) else None
    if isinstance(call, types.FunctionType):
        made = _converted(call, operators)
        return f if made is call else types.MethodType(made, f)
    return f


def _is_test(method):
    return isinstance(method.__self__, unittest.TestCase)


def _converted(function, operators):
    """A converted function; the same one if it must stay as it is."""
    code = function.__code__
    if code.co_flags & _UNCHANGING or of_library(code.co_filename):
        return function
    try:
        return convert(function, operators)
    except (NoSourceError, SyntaxError) as e:
        _warn(function, e)
        return function


def _warn(function, error):
    """Says once that a function runs as it is. Code of exec() has no source, as is known."""
    code = function.__code__
    if code not in _warned and code.co_filename != "<string>":
        _warned.add(code)
        logging.warning(
            "%s cannot be converted by AutoGraph and runs as it is: `if` and loops on tensors fail"
            " in it. Cause: %s", function.__qualname__, error,
        )  # fmt: skip


@functools.lru_cache(maxsize=None)
def of_library(path):
    """Whether a file is of this package, of NumPy or of Python's library."""
    path = os.path.abspath(path) if os.path.exists(path) else path
    if any(path.startswith(folder) for folder in _LIBRARIES):
        return True
    return path.startswith(_PYTHON) and not path.startswith(_PACKAGES)


_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LIBRARIES = tuple(p + os.sep for p in (_HERE, os.path.dirname(os.path.abspath(np.__file__))))
_paths = sysconfig.get_paths()
_PYTHON = tuple({_paths[k] + os.sep for k in ("stdlib", "platstdlib")}) + ("<frozen",)
_PACKAGES = tuple(
    {os.path.join(_paths[k], "") for k in ("purelib", "platlib")}
    | {os.path.join(_paths["stdlib"], name) for name in ("site-packages", "dist-packages")}
)


# ---- where functions enter


class _Status:
    """Whether functions are converted inside of a `with`."""

    def __init__(self, on):
        self._on = on

    def __enter__(self):
        self._before = getattr(_state, "on", None)
        _state.on = self._on

    def __exit__(self, *_):
        _state.on = self._before


def enabled():
    """A context in which the functions of data sets and layers are converted."""
    return _Status(True)


def disabled():
    """A context in which the functions of data sets and layers are not converted."""
    return _Status(False)


def converted(f, features=None):
    """Converts what a program gave to the package.

    Args:
        f: A callable.
        features: The optional features, a Feature or several. None: none.

    Returns:
        A callable: the same one if there is nothing to convert, or if conversion is off here.
    """
    if getattr(_state, "on", None) is False:
        return f
    return _replaced(f, _operators(names_of(features)))


def converted_inside(f):
    """Converts what a program gave to the package if converted code calls the package here."""
    return converted(f) if getattr(_state, "on", None) else f


def operators_of(features):
    """What converted code calls, with some optional features."""
    return _operators(names_of(features))
