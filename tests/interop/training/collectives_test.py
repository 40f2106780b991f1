# SPDX-License-Identifier: Apache-2.0
"""Programs with collective operations, one process for each worker: tests/interop/programs/
collectives/.

A program passes if all its processes end well within a time limit. Otherwise the test fails and
prints the output of each process, with the stacks of its threads if it ran too long, and the log of
the servers.

With SLUICE_PLAIN_TENSORFLOW=1 the programs run on TensorFlow's own servers.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from interop.tools.cluster import TESTS, Cluster

pytestmark = pytest.mark.waits

FOLDER = os.path.join(TESTS, "interop", "programs", "collectives")
PLAIN = bool(os.environ.get("SLUICE_PLAIN_TENSORFLOW"))
ONE_X = sys.version_info < (3, 8)  # TensorFlow 1.15's last Python is 3.7
SECONDS = 60  # the programs print their stacks after 50 s
OPERATIONS = [
    "test_all_reduce", "test_sums_are_equal_on_all_workers", "test_all_gather",
    "test_broadcast_from_every_root", "test_while_loop", "test_cond", "test_threads",
    "test_sparse_gradients",
]  # fmt: skip

LEADER = "/job:worker/replica:0/task:0"


@contextlib.contextmanager
def servers(size, log):
    """A cluster of `size` workers, whose standard error goes to the file `log`."""
    with open(log, "w") as errors:
        if PLAIN:
            cluster = Cluster({"worker": size}, kind="tensorflow", errors=errors, leader=LEADER)
        else:
            cluster = Cluster({"worker": size}, extra=["--log_level=info"], errors=errors)
        with cluster:
            yield cluster


class Worker:
    """A process that runs a program. `environment` is added to its TF_CONFIG."""

    def __init__(self, cluster, task, program, arguments, output, environment):
        self.name = f"worker {task}"
        self._output = output
        described = {"cluster": cluster.spec, "task": {"type": "worker", "index": task}}
        described.update(environment)
        with open(output, "w") as out:
            self.process = subprocess.Popen(
                [sys.executable, os.path.join(FOLDER, program), *arguments], stdout=out,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env=dict(os.environ, TF_CONFIG=json.dumps(described)),
            )  # fmt: skip

    def output(self):
        with open(self._output, errors="replace") as text:
            return text.read()

    def kill(self):
        """Ends it and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def result(self):
        """The values that it reported."""
        found = {}
        for line in re.findall(r"^result (.*)$", self.output(), re.MULTILINE):
            found.update(json.loads(line))
        return found


def end(workers):
    """Waits for all; ends those that run too long. Returns what went wrong, in words."""
    deadline = time.monotonic() + SECONDS
    while any(w.process.poll() is None for w in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    wrong = []
    for worker in workers:
        status = worker.process.poll()
        if status is None:
            wrong.append(f"{worker.name} still runs after {SECONDS} s")
        elif status != 0:
            wrong.append(f"{worker.name} ended with status {status}")
        worker.kill()
    return wrong


def run(cluster, folder, program, *arguments, **environment):
    """Runs a program on all workers. Returns what went wrong, and the workers."""
    folder.mkdir(exist_ok=True)
    workers = []
    try:
        for task in range(len(cluster.spec["worker"])):
            output = str(folder / f"{program}-{task}.txt")
            workers.append(Worker(cluster, task, program, arguments, output, environment))
    finally:
        wrong = end(workers)
    return wrong, workers


def succeed(size, folder, program, *arguments, times=1, **environment):
    """Runs a program on a cluster, which must end well. Returns the workers of the last run."""
    log = str(folder / "servers.log")
    with servers(size, log) as cluster:
        for _ in range(times):
            wrong, workers = run(cluster, folder, program, *arguments, **environment)
            if wrong:
                break
    if wrong:
        text = "; ".join(wrong)
        for worker in workers:
            text += f"\n--- {worker.name}\n{worker.output()[-8000:]}"
        with open(log, errors="replace") as lines:
            text += f"\n--- servers\n{lines.read()[-6000:]}"
        pytest.fail(text, pytrace=False)
    return workers


def equal_on_all(workers, name):
    values = [worker.result()[name] for worker in workers]
    assert all(value == values[0] for value in values), values
    return values[0]


KEYS = ["attributes"] if ONE_X else ["attributes", "tensors"]
SERVED = {"environment": "google"}  # in TF_CONFIG: start no server, one runs already
# What operations.py leaves out for TensorFlow's servers.
LESS = "--parallel_iterations 1"
if ONE_X:
    LESS += " --dtypes float32 float64 int32 int64 --merges Add Mul --roots 0"


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("keys", KEYS)
def test_operations(tmp_path, keys, size):
    less = LESS.split() if PLAIN else []
    workers = succeed(size, tmp_path, "operations.py", "--keys", keys, *less)
    for worker in workers:
        assert re.findall(r"^passed (\w+) in", worker.output(), re.MULTILINE) == OPERATIONS
    equal_on_all(workers, "sums")
    equal_on_all(workers, "embedding")


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory):
    """A list of one worker, which trains on whole batches."""
    return succeed(1, tmp_path_factory.mktemp("one"), "mirrored_loop.py")


@pytest.mark.parametrize("size", [1, 2, 3])
def test_mirrored_loop(tmp_path, one_worker, size):
    workers = succeed(size, tmp_path, "mirrored_loop.py") if size > 1 else one_worker
    check_losses(workers, one_worker[0].result())


def check_losses(workers, expected):
    losses = equal_on_all(workers, "losses")
    equal_on_all(workers, "variables")
    assert len(losses) == 50 and losses[-1] < 0.5 * losses[0]
    np.testing.assert_allclose(losses, expected["losses"], atol=1e-4)
    assert workers[0].result()["sum"] == pytest.approx(expected["sum"], rel=1e-4)


def test_another_run_on_the_same_servers(tmp_path, one_worker):
    workers = succeed(2, tmp_path, "mirrored_loop.py", times=2)
    check_losses(workers, one_worker[0].result())


if ONE_X:  # later releases have no tf.estimator, and their Keras has no graph mode

    @pytest.mark.parametrize("size", [1, 2])
    def test_estimator(tmp_path, size):
        workers = succeed(size, tmp_path, "estimator.py", str(tmp_path / "model"), **SERVED)
        losses = equal_on_all(workers, "losses")
        assert len(losses) == 40 and losses[-1] < 1e-3 * losses[0], losses
        chief = workers[0].result()
        assert chief["checkpoint"].endswith("model.ckpt-40")
        np.testing.assert_allclose(chief["weights"], [1.0, -2.0, 0.5], atol=0.05)

    def test_keras_fit(tmp_path):
        workers = succeed(2, tmp_path, "keras_fit.py", **SERVED)
        losses = equal_on_all(workers, "losses")
        assert losses[1] < losses[0]

elif not PLAIN:  # TensorFlow's own servers have communicators for NCCL only

    def test_communicators(tmp_path):
        succeed(2, tmp_path, "communicators.py")
