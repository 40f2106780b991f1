# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/ run to their end."""

import glob
import os
import subprocess
import sys

import pytest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = sorted(glob.glob(os.path.join(os.path.dirname(TESTS), "examples", "[0-9]*.py")))


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("path", EXAMPLES, ids=os.path.basename)
def test_example(path):
    done = subprocess.run(
        [sys.executable, path], timeout=120, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
