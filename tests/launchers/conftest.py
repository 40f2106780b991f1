# SPDX-License-Identifier: Apache-2.0
"""The code that these tests share with those of tests/python."""

import os
import sys

PYTHON_TESTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python")
sys.path[:0] = [PYTHON_TESTS, os.path.join(PYTHON_TESTS, "launching")]

BUILD = os.environ.setdefault(
    "SLUICE_BUILD", os.path.join(os.path.dirname(os.path.dirname(PYTHON_TESTS)), "build")
)
PACKAGE = os.path.join(os.path.abspath(BUILD), "python")
sys.path.insert(0, PACKAGE)
os.environ["PYTHONPATH"] = PACKAGE
