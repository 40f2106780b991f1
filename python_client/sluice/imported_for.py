# SPDX-License-Identifier: Apache-2.0
"""Why this package is imported, and whether it can be."""

import importlib.util
import sys

# The modules of Python's import machinery, and how their functions call the module to import.
_MACHINERY = {"importlib._bootstrap": "name", "runpy": "mod_name"}


def imported_for(name):
    """Whether the package's import, now under way, is part of the import of its module `name`.

    Python imports a package before the modules in it, and does not say for which of them: only the
    calls that are under way tell.
    """
    frame = sys._getframe(1)
    while frame is not None:
        variable = _MACHINERY.get(frame.f_globals.get("__name__"))
        wanted = frame.f_locals.get(variable) if variable else None
        if isinstance(wanted, str) and (wanted + ".").startswith(name + "."):
            return True
        frame = frame.f_back
    return False


def check_interpreter():
    """Raises ImportError in an interpreter for which the extension module was not built."""
    package = __name__.rpartition(".")[0]
    if importlib.util.find_spec(package + "._sluice") is None:
        raise ImportError(
            "Sluice's client cannot be imported by Python %d.%d: its extension module %s._sluice is"
            " not there, or was built for another version; use the Python that Sluice was built"
            " with (any Python can `import sluice.tensorflow`)" % (*sys.version_info[:2], package)
        )
