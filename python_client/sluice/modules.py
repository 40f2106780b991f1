# SPDX-License-Identifier: Apache-2.0
"""The public names of the package's modules: dir(), `from module import *` and help() agree."""

import sys
import types

_public = []  # the modules that programs see


def make(name, doc, names):
    """Makes a module that holds names of other modules.

    Args:
        name: Name of the module below the package, a str such as "debugging".
        doc: The module's docstring.
        names: A dict: name -> object.

    Returns:
        The module, which `import` finds from now on.
    """
    module = types.ModuleType(f"{__package__}.{name}", doc)
    module.__dict__.update(names)
    module.__all__ = sorted(names)
    module.__package__ = module.__name__.rpartition(".")[0]
    sys.modules[module.__name__] = module
    return module


def add(module, names, source):
    """Gives a module names of another one.

    Args:
        module: The module that gets the names.
        names: A str of entries "name" or "name=name in the source", divided by spaces.
        source: The module that has the objects.
    """
    given = {}
    for entry in names.split():
        name, _, target = entry.partition("=")
        given[name] = getattr(source, target or name)
    vars(module).update(given)
    module.__all__ = [*module.__all__, *given]
    module._shared = {*getattr(module, "_shared", ()), *given}


def put_at(name, module):
    """Lets `import` find a module also at another place.

    Args:
        name: Name of the place below the package, a str such as "io.gfile".
        module: The module.
    """
    sys.modules[f"{__package__}.{name}"] = module


def show_public_names(module):
    """Lets dir() of a module show the names in its __all__, and no others.

    Args:
        module: A module.
    """
    names = sorted(set(module.__all__))
    module.__all__ = names
    module.__dir__ = lambda: list(names)
    _public.append(module)


def public_path(function):
    """Finds where programs find a function of the package.

    Args:
        function: A function or class.

    Returns:
        Its path, a str such as "sluice.math.add": in a module of the package where it has one.
    """
    name = function.__name__
    for module in _public:
        if hasattr(module, "__file__") and vars(module).get(name) is function:
            return f"{module.__name__}.{name}"
    return f"{function.__module__}.{name}"
