# SPDX-License-Identifier: Apache-2.0
"""The package `sluice` in a process whose first import is `sluice.hvd`.

TensorFlow's interpreter may be one that cannot load Sluice's client, and must not load it. The
client is loaded when the program uses its first name.
"""

from . import clients, loading


def find(name):
    """A name of the package, as its __getattr__.

    Raises:
      AttributeError: it is not there, or sluice.hvd works over TensorFlow.
      ImportError: this interpreter cannot load the client.
    """
    if name.startswith("_") and name not in ("__all__", "__version__"):
        raise AttributeError(f"module 'sluice' has no attribute {name!r}")
    if clients.over_tensorflow():
        raise AttributeError(
            f"sluice.{name} is not there: sluice.hvd.over() chose TensorFlow, and one process has"
            " one client; use TensorFlow's client here"
        )
    return getattr(loading.load(), name)
