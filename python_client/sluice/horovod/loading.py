# SPDX-License-Identifier: Apache-2.0
"""Loads Sluice's client into the package, where the import of sluice.hvd left it out."""

import sys

from ..imported_for import check_interpreter


def is_loaded():
    """Whether the package has the names of the client."""
    return "sluice.public" in sys.modules


def load():
    """Loads the client. A second call does nothing.

    Returns:
      The package.

    Raises:
      ImportError: this interpreter cannot load it.
    """
    package = sys.modules["sluice"]
    if is_loaded():
        return package
    check_interpreter()
    # The client's modules look for names in the package while they are loaded.
    before = vars(package).pop("__getattr__", None)
    try:
        from .. import public
    except BaseException:
        if before is not None:
            package.__getattr__ = before
        raise
    names = {n: v for n, v in vars(public).items() if not n.startswith("_")}
    vars(package).update(names, __version__=public.__version__)
    return package
