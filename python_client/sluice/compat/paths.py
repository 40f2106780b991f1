# SPDX-License-Identifier: Apache-2.0
"""Imports below sluice.compat.v1 and sluice.compat.v2: they give the package's own modules.

    import sluice.compat.v1 as tf
    from sluice.compat.v1.keras import layers
"""

import importlib
import importlib.abc
import importlib.machinery
import sys


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules of the package under other names.

    Args:
        name: The name of the package compat, a str.
    """

    def __init__(self, name):
        self._root, self._prefixes = name.rpartition(".")[0], (f"{name}.v1", f"{name}.v2")

    def find_spec(self, fullname, path=None, target=None):
        """Returns the ModuleSpec of a module below v1 or v2, else None."""
        del path, target
        prefix = next((p for p in self._prefixes if f"{fullname}.".startswith(f"{p}.")), None)
        if prefix is None:
            return None
        own = self._root + fullname[len(prefix) :]
        try:
            importlib.import_module(own)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{own}.".startswith(f"{error.name}."):
                raise
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=own, is_package=True)

    def create_module(self, spec):
        """Returns the module that has this name."""
        version = getattr(sys.modules[f"{self._root}.compat"], spec.name.split(".")[-1], None)
        module = version if spec.name in self._prefixes else sys.modules[spec.origin]
        spec.loader_state = getattr(module, "__spec__", None)
        return module

    def exec_module(self, module):
        """Gives the module its own ModuleSpec again."""
        module.__spec__ = module.__spec__.loader_state


def install(name):
    """Lets `import` find the modules.

    Args:
        name: The name of the package compat, a str.
    """
    sys.meta_path.insert(0, _Finder(name))
