# SPDX-License-Identifier: Apache-2.0
"""sluice.hvd over TensorFlow's client, on several ranks: all operations, and a training program."""

import os
import re
import subprocess
import sys

import pytest

from interop.tools.cluster import BUILD, TESTS

pytestmark = pytest.mark.alone

OPERATIONS = os.path.join(TESTS, "interop", "programs", "hvd_ranks.py")
MNIST = os.path.join(os.path.dirname(TESTS), "examples", "horovod", "mnist.py")


def run(size, program):
    done = subprocess.run(
        [os.path.join(BUILD, "sluice"), "run", "-np", str(size), sys.executable, program,
         "--tensorflow"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_operations():
    said = run(3, OPERATIONS)
    assert said.count("passed test_training") == 4 * 3, said


def test_mnist():
    said = run(2, MNIST)
    losses = [float(text) for text in re.findall(r"^\[0\] step \d+: loss (\S+)", said, re.M)]
    assert losses[-1] < 0.8 * losses[0], said
