# SPDX-License-Identifier: Apache-2.0
"""Modules at the places of TensorFlow's own sources, which programs of 1.15 import.

    from sluice.python.ops import array_ops, math_ops
    from sluice.python.keras.layers import Layer

A module finds a name in the public modules that TensorFlow makes of it. It has no names of its own
but those of `private`: what programs use although TensorFlow does not publish it; and modules such
as gen_nn_ops have a function of each op.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

from .. import logging
from . import op_functions, places, private

_NOT_THERE = object()
_ROOT = __name__.rpartition(".")[0]
_LOG = f"{__name__}.platform.tf_logging"


class _Module(types.ModuleType):
    """A module that finds its names in others."""

    def __getattr__(self, name):
        path = self.__name__[len(__name__) + 1 :]
        if name == "__all__":
            return sorted({n for place in self._places() for n in dir(place) if n[0] != "_"})
        own = private.NAMES.get(path, {})
        if name in own:
            return own[name]
        if op_functions.has_first(path) and (function := op_functions.find(path, name)):
            return function
        if f"{path}.{name}" in places.MODULES:
            return importlib.import_module(f"{self.__name__}.{name}")
        for place in self._places() if not name.startswith("__") else ():
            found = getattr(place, name, _NOT_THERE)
            if isinstance(found, types.ModuleType):
                if not places.known(f"{path}.{name}"):
                    continue
                return importlib.import_module(f"{self.__name__}.{name}")
            if found is not _NOT_THERE:
                return found
        if (function := op_functions.find(path, name)) is not None:
            return function
        if name.endswith(("_ops", "_impl")) and name[0] != "_":
            # A module here, or one that this module imports.
            folder = path if path in places.FOLDERS else "ops"
            return importlib.import_module(f"{__name__}.{folder}.{name}")
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if self.__name__ == _LOG and not name.startswith("__"):
            setattr(logging, name, value)  # tests put a function of theirs in the place of info()

    def _places(self):
        path = self.__name__[len(__name__) + 1 :]
        return places.of(sys.modules[_ROOT], path)


def __getattr__(name):
    if name.endswith("_ops"):
        return importlib.import_module(f"{__name__}.ops.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes the modules below this one when a program imports them."""

    def find_spec(self, fullname, path=None, target=None):
        """Returns the ModuleSpec of a module below this one, else None."""
        del path, target
        below = fullname.startswith(__name__ + ".")
        if not below or not places.known(fullname[len(__name__) + 1 :]):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        """Returns the module of a ModuleSpec."""
        return _Module(spec.name)

    def exec_module(self, module):
        """Does nothing: the module finds names when they are asked for."""


sys.meta_path.append(_Finder())
