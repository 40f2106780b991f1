# SPDX-License-Identifier: Apache-2.0
"""A kernel ends soon after its step's deadline.

Each would use the processor for 10 s or more. `python long_kernels.py` runs more of them.
"""

import os
import sys

import pytest

pytestmark = pytest.mark.alone

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import long_kernels  # noqa: E402

# The test measures the processor's time: a busy machine makes it hardly longer.
MOST_SECONDS = 3


@pytest.mark.parametrize("name", long_kernels.FEW)
def test_ends_with_its_step(name):
    late, seconds = long_kernels.measure(long_kernels.FEW[name])
    assert late
    assert seconds < MOST_SECONDS
