# SPDX-License-Identifier: Apache-2.0
"""Whether this processor can run the build: asked before the C++ module is loaded."""

import ctypes
import os


def missing_feature():
    """Finds an instruction set that the build needs and this processor does not have.

    Returns: its name, such as "AVX2", or None.
    """
    library = ctypes.CDLL(os.path.join(os.path.dirname(__file__), "libsluice_cpu.so"))
    library.sluice_missing_cpu_feature.restype = ctypes.c_char_p
    name = library.sluice_missing_cpu_feature()
    return None if name is None else name.decode()


def check(missing=missing_feature):
    """Refuses a processor on which the C++ module would end the process with SIGILL.

    Args:
      missing: returns the name of a missing instruction set, or None.
    Raises:
      ImportError: one is missing.
    """
    name = missing()
    if name is not None:
        raise ImportError(
            f"this build of Sluice needs {name}, which this processor does not have; configure the "
            "build with -DSLUICE_MARCH=x86-64"
        )
