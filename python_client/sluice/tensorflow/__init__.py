# SPDX-License-Identifier: Apache-2.0
"""TensorFlow programs, as they are, on Sluice's servers.

    python -m sluice.tensorflow train.py ARGS...

runs a program of TensorFlow 1.15, or of 2.x with tf.compat.v1, in TensorFlow's interpreter. Each
tf.train.Server it makes, and its sessions without a target, are served by sluice-server: a process
beside the program, which ends when the program ends. install() does the same in a program that is
started otherwise, or for all programs of an interpreter, from sitecustomize.py.

This package runs in any Python from 3.7 and needs nothing of Sluice's client. Import it as
`import sluice.tensorflow`: that leaves the client out.
"""

from .patches import install

__all__ = ["install"]
