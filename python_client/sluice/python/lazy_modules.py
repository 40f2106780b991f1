# SPDX-License-Identifier: Apache-2.0
"""The names of TensorFlow's util.all_util and util.lazy_loader."""

import importlib
import sys
import types


def remove_undocumented(*args, **kwargs):
    """Does nothing: modules keep their names.

    Args:
        *args: Accepted.
        **kwargs: Accepted.
    """
    del args, kwargs


def make_all(module_name, doc_string_modules=None):
    """Returns the public names of a module, a list of str.

    Args:
        module_name: The name of an imported module, a str.
        doc_string_modules: Accepted. It has no effect.
    """
    del doc_string_modules
    return sorted(name for name in vars(sys.modules[module_name]) if not name.startswith("_"))


class LazyLoader(types.ModuleType):
    """A module that is imported when a program first uses it.

    Args:
        local_name: The name that the program has for it, a str.
        parent_module_globals: The dict in which the program has it.
        name: The name of the module, a str.
    """

    def __init__(self, local_name, parent_module_globals, name):
        super().__init__(name)
        self._local_name, self._globals = local_name, parent_module_globals

    def _imported(self):
        module = importlib.import_module(self.__name__)
        self._globals[self._local_name] = module
        return module

    def __getattr__(self, name):
        return getattr(self._imported(), name)

    def __dir__(self):
        return dir(self._imported())


OF_ALL = {"make_all": make_all, "remove_undocumented": remove_undocumented}
OF_LOADER = {"LazyLoader": LazyLoader}
