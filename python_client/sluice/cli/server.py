# SPDX-License-Identifier: Apache-2.0
"""sluice server: the program sluice-server, with its own options."""

import os
import shutil
import sys

from .. import _sluice


def path():
    """Finds the program: beside the package's build folder, or in PATH.

    Returns: its path, or None.
    """
    build = os.path.join(os.path.dirname(os.path.abspath(_sluice.__file__)), "..", "..")
    beside = os.path.normpath(os.path.join(build, "sluice-server"))
    return beside if os.access(beside, os.X_OK) else shutil.which("sluice-server")


def run(arguments):
    """Becomes sluice-server.

    Args:
      arguments: a list of str, the options of sluice-server.
    Raises:
      OSError: the program is not there.
    """
    program = path()
    if program is None:
        raise FileNotFoundError(
            "sluice-server is neither in the build folder nor in PATH: build it with ./run build"
        )
    sys.stdout.flush()
    os.execv(program, ["sluice-server", *arguments])
