# SPDX-License-Identifier: Apache-2.0
"""sluice.hvd on several ranks: all operations against NumPy, training, and faults."""

import os
import re
import subprocess
import sys

import pytest
from conftest import BUILD, ROOT

OPERATIONS = os.path.join(ROOT, "tests", "interop", "programs", "hvd_ranks.py")
MNIST = os.path.join(ROOT, "examples", "horovod", "mnist.py")


def run(size, *arguments, environment=()):
    """Runs a Python program as ranks; (exit status, output)."""
    done = subprocess.run(
        [os.path.join(BUILD, "sluice"), "run", "-np", str(size), sys.executable, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280,
        env=dict(os.environ, **dict(environment)),
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.parametrize("size", [2, 3, 4])
def test_operations(size):
    status, said = run(size, OPERATIONS)
    assert status == 0, said
    assert said.count("passed test_training") == 4 * size, said


def test_mnist():
    status, said = run(2, MNIST)
    assert status == 0, said
    losses = [float(text) for text in re.findall(r"^\[0\] step \d+: loss (\S+)", said, re.M)]
    assert losses[-1] < 0.8 * losses[0], said


PREFIX = """
import sluice.hvd as hvd, sluice as sl
hvd.init()
def run(fetches):
    with sl.Session(hvd.target(), config=hvd.config()) as session:
        return session.run(fetches)
def fails(*texts):
    try:
        run(made)
    except sl.errors.OpError as error:
        assert all(text in error.message for text in texts), error.message
        print("failed:", type(error).__name__, flush=True)
"""


@pytest.mark.parametrize(
    "values",
    ["([1.0], [1])", "([1.0], [1.0, 2.0])"],
    ids=["dtype", "shape"],
)
def test_ranks_that_disagree_all_get_the_error(values):
    program = (
        PREFIX + f"made = hvd.allreduce(sl.constant({values}[hvd.rank()]), name='x')\nfails()\n"
    )
    status, said = run(2, "-c", program)
    assert status == 0 and said.count("failed: InvalidArgumentError") == 2, said


def test_a_rank_that_ends_early_is_named_by_the_others():
    program = (
        PREFIX
        + """
made = hvd.allreduce(sl.constant([1.0]), name="x")
assert run(made)[0] == 1.0
if hvd.rank() == 1:
    hvd.shutdown()
else:
    fails("/job:worker/replica:0/task:1")
"""
    )
    status, said = run(3, "-c", program)
    assert status == 0 and said.count("failed: ") == 2, said


def test_a_monitored_session_ends_when_another_rank_has_ended():
    program = (
        PREFIX
        + """
made = hvd.allreduce(sl.constant([1.0]), name="x")
sl.train.get_or_create_global_step()
try:
    with sl.train.MonitoredTrainingSession(
        hvd.target(), config=hvd.config(), hooks=[hvd.BroadcastGlobalVariablesHook(0)]
    ) as session:
        for _ in range(2 + hvd.rank()):
            session.run(made)
except sl.errors.UnknownError as error:
    print("failed:", error)
"""
    )
    status, said = run(2, "-c", program)
    assert status == 0 and "failed: rank 1 goes on, but rank 0 has ended" in said, said
