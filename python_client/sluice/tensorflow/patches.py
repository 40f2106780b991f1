# SPDX-License-Identifier: Apache-2.0
"""Patches TensorFlow as soon as the program imports it."""

import functools
import os
import sys

from . import servers, sessions

_PATCHES = {
    "tensorflow.python.training.server_lib": servers.patch,
    "tensorflow.python.client.session": sessions.patch,
}
_installed = {}  # of install(): the options


def install(server_options=()):
    """Has sluice-server serve this process's tf.train.Server and sessions without a target.

    Call it before the first server and the first session are made; TensorFlow may be imported
    already or later. Another call changes nothing.

    Args:
      server_options: a list of options for each sluice-server, like "--transport=tcp".

    Raises:
      ImportError: this Python has no TensorFlow, or has one that this package does not know.

    Example:
      import sluice.tensorflow
      sluice.tensorflow.install()
      import tensorflow as tf
      print(tf.train.Server.create_local_server().target)
    """
    try:
        import wrapt  # TensorFlow 1.15 and 2.x need it too
    except ImportError as error:
        raise ImportError(
            f"{sys.executable} has no TensorFlow: its package wrapt is not there; start the program"
            " with the Python that has TensorFlow"
        ) from error
    if _installed:
        return
    _installed["options"] = list(server_options)
    _keep_from_proxies()
    patched = set()
    for module in _PATCHES:
        wrapt.register_post_import_hook(functools.partial(_patch, patched), module)
    wrapt.register_post_import_hook(functools.partial(_check, patched), "tensorflow")


def _keep_from_proxies():
    """Has TensorFlow's client reach servers of this machine directly, as it reaches its own."""
    excepted = os.environ.get("no_grpc_proxy", os.environ.get("no_proxy", ""))
    names = [name for name in excepted.split(",") if name]
    os.environ["no_grpc_proxy"] = ",".join([*names, "localhost", "127.0.0.1"])


def _patch(patched, module):
    _PATCHES[module.__name__](module, _installed["options"])
    patched.add(module.__name__)


def _check(patched, tensorflow):
    missing = sorted(set(_PATCHES) - patched)
    if missing:
        version = getattr(tensorflow, "__version__", "of unknown version")
        raise ImportError(
            f"sluice.tensorflow does not know TensorFlow {version}: it has no {', '.join(missing)}"
        )
