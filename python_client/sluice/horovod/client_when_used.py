# SPDX-License-Identifier: Apache-2.0
"""The package `sluice` in a process whose first import is `sluice.hvd`.

TensorFlow's interpreter may be one that cannot load Sluice's client, and must not load it. The
client is loaded when the program uses its first name.
"""

import sys

from ..imported_for import check_interpreter


def __getattr__(name):
    if name.startswith("_") and name not in ("__all__", "__version__"):
        raise AttributeError(f"module 'sluice' has no attribute {name!r}")
    from . import clients

    if clients.over_tensorflow():
        raise AttributeError(
            f"sluice.{name} is not there: sluice.hvd.over() chose TensorFlow, and one process has"
            " one client; use TensorFlow's client here"
        )
    load()
    return getattr(sys.modules["sluice"], name)


def load():
    """Loads Sluice's client into the package.

    Raises:
      ImportError: this interpreter cannot load it.
    """
    package = sys.modules["sluice"]
    check_interpreter()
    vars(package).pop("__getattr__", None)  # what the client's modules look up must not come here
    try:
        from .. import public
    except BaseException:
        package.__getattr__ = __getattr__
        raise
    names = {n: v for n, v in vars(public).items() if not n.startswith("_")}
    vars(package).update(names, __version__=public.__version__)
