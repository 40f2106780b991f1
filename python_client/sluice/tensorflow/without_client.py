# SPDX-License-Identifier: Apache-2.0
"""The package `sluice` in a process that imports only `sluice.tensorflow`."""


def __getattr__(name):
    raise AttributeError(
        f"sluice.{name} is not there: this process imported sluice.tensorflow, which leaves out"
        " Sluice's own client; use TensorFlow's client here, or import sluice in another process"
    )
