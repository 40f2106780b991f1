# SPDX-License-Identifier: Apache-2.0
"""sluice.hvd on several ranks: all operations against NumPy, training, and faults."""

import os
import re
import subprocess
import sys

import pytest
from conftest import BUILD, ROOT

OPERATIONS = os.path.join(ROOT, "tests", "interop", "programs", "hvd_ranks.py")
CHECKS = os.path.join(ROOT, "tests", "interop", "programs", "hvd_checks.py")
EXAMPLES = os.path.join(ROOT, "tests", "interop", "programs", "hvd_examples.py")
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


@pytest.mark.parametrize("size", [2, 3])
def test_what_programs_of_horovod_expect(size):
    status, said = run(size, CHECKS)
    assert status == 0, said
    assert said.count("passed test_optimizers_of_keras") == size, said


@pytest.mark.parametrize("size", [2, 4])
def test_programs_like_those_of_horovod(size):
    status, said = run(size, EXAMPLES)
    assert status == 0, said
    assert said.count("passed test_a_benchmark_with_synthetic_data") == size, said


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
    assert status == 0 and said.count("failed: FailedPreconditionError") == 2, said


BROADCASTS = {
    "every rank is the root": "hvd.broadcast(sl.zeros([3]), hvd.rank(), name='x')",
    "no rank is the root": "hvd.broadcast(sl.zeros([3]), (hvd.rank() + 1) % hvd.size(), name='x')",
    "one rank differs": "hvd.broadcast(sl.zeros([3]), 1 if hvd.rank() == 2 else 0, name='x')",
    "unknown shapes": "hvd.broadcast(sl.placeholder_with_default([1.0], [None]), hvd.rank(), 'x')",
    "shapes": "hvd.broadcast(sl.zeros([1 + hvd.rank()]), 0, name='x')",
    "dtypes": "hvd.broadcast(sl.zeros([3], [sl.int32, sl.float32, sl.int32][hvd.rank()]), 0)",
}


@pytest.mark.parametrize("made", BROADCASTS.values(), ids=BROADCASTS.keys())
def test_all_ranks_get_the_error_of_a_broadcast(made):
    status, said = run(3, "-c", PREFIX + f"made = {made}\nfails('disagree', '; member ')\n")
    assert status == 0 and said.count("failed: FailedPreconditionError") == 3, said


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


MONITORED = """
import os
data = sl.data.Dataset.from_tensor_slices([1.0] * (2 + hvd.rank()))
value = sl.data.make_one_shot_iterator(data).get_next()
made = hvd.broadcast(hvd.allreduce(value, op=hvd.Sum, name="x"), 0, name="y")
sl.train.get_or_create_global_step()
steps = 0
try:
    with sl.train.MonitoredTrainingSession(
        hvd.target(), config=hvd.config(), hooks=HOOKS
    ) as session:
        while not session.should_stop():
            assert session.run(made) == hvd.size()
            steps += 1
            if (hvd.rank(), steps) == GONE:
                os._exit(0)  # as if it were killed, but the launcher does not end the others
    print("data end")
except sl.errors.UnknownError as error:
    print("failed:", *str(error).splitlines())
print("steps:", steps)
"""


@pytest.mark.parametrize("hooks", ["[]", "[hvd.BroadcastGlobalVariablesHook(0)]"])
def test_data_of_ranks_end_at_different_steps(hooks):
    program = PREFIX + "GONE = None\n" + MONITORED.replace("HOOKS", hooks)
    status, said = run(3, "-c", program)
    assert status == 0, said
    # No rank fails in a step that rank 0 has completed.
    assert said.count("steps: 2") == 3, said
    assert "[0] data end" in said and said.count("failed: ") == 2, said
    errors = re.findall(r"failed: .*", said)
    assert all("/job:worker/replica:0/task:0" in error for error in errors), said


def test_monitored_sessions_end_when_a_rank_is_gone():
    program = PREFIX + "GONE = (0, 1)\n" + MONITORED.replace("HOOKS", "[]")
    status, said = run(3, "-c", program)
    assert status == 0, said
    errors = re.findall(r"failed: .*", said)
    assert len(errors) == 2, said
    assert all("/job:worker/replica:0/task:0" in error for error in errors), said
