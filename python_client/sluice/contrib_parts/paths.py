# SPDX-License-Identifier: Apache-2.0
"""Modules at the places of contrib's sources, which programs of 1.15 import.

    from sluice.contrib.rnn.python.ops import rnn_cell
    from sluice.contrib.layers.python.layers import initializers

Each finds its names in the public module of contrib: both of these, in contrib.rnn and
contrib.layers.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

_CONTRIB = __name__.removesuffix("_parts.paths")


class _Module(types.ModuleType):
    """A module that finds its names in a public module of contrib."""

    def __getattr__(self, name):
        public = sys.modules[_public_name(self.__name__)]
        if name == "__all__":
            return list(public.__all__)
        if not name.startswith("__"):
            found = getattr(public, name, None)
            if found is not None and not isinstance(found, types.ModuleType):
                return found
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _public_name(path):
    """The name of the public module for a module of the sources, a str, or None."""
    public, between, rest = path.partition(".python")
    inside = between and public.startswith(_CONTRIB + ".") and (not rest or rest[0] == ".")
    return public if inside and public in sys.modules else None


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes the modules when a program imports them."""

    def find_spec(self, fullname, path=None, target=None):
        """Returns the ModuleSpec of a module below a folder `python` of contrib, else None."""
        del path, target
        name = fullname.rpartition(".")[2]
        if _public_name(fullname) is None or name.startswith("_") or name != name.lower():
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        """Returns the module of a ModuleSpec."""
        return _Module(spec.name, __doc__)

    def exec_module(self, module):
        """Does nothing: the module finds names when they are asked for."""


def install(modules):
    """Lets `import` find the modules.

    Args:
        modules: The public modules of contrib, a list.
    """
    for module in (sys.modules[_CONTRIB], *modules):
        if not hasattr(module, "__path__"):
            module.__path__ = []  # else `import` looks for nothing below it
    sys.meta_path.append(_Finder())
