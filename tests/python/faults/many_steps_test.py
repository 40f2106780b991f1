# SPDX-License-Identifier: Apache-2.0
"""Many steps on a ps and two workers, some of which are aborted, leave nothing behind.

Two programs train. Of each 100 steps one is aborted: by its deadline while a node waits, by a node
that fails, or by a deadline that races with the step's end. The servers' memory, threads and
descriptors are sampled and printed as a plot.

SLUICE_STEPS is the number of steps, for all transports together. SLUICE_PLOTS names a folder for
pictures of the samples, which need matplotlib.
"""

import os
import threading

import numpy as np
import pytest
import sluice as sl
from faults.held import held_by
from faults.samples import Samples
from faults.server_processes import ServerProcesses
from faults.training import Trainee
from sluice.cli.bench_plots import matplotlib_or_raise

pytestmark = pytest.mark.alone

STEPS = int(os.environ.get("SLUICE_STEPS", "3600"))
PLOTS = os.environ.get("SLUICE_PLOTS")
TRANSPORTS = ("grpc", "tcp,grpc", "shm,grpc")
ABORT_EVERY = 100
SAMPLES = 60
WEIGHTS = 64
SECONDS = 60.0  # the deadline of a step that is not aborted
# What may be added between the second quarter and the last one of the samples.
MORE = {"MB": 16.0, "threads": 2, "descriptors": 6}


class Program(Trainee):
    """A program that also has steps to abort."""

    def __init__(self, cluster, worker, helpers):
        super().__init__(cluster, worker, helpers, WEIGHTS, SECONDS, print)
        with self.graph.as_default():
            with sl.device("/job:ps/task:0"):
                self._queue = sl.FIFOQueue(1, [sl.float32], [[]], shared_name=f"empty_{worker}")
                waited = self._queue.dequeue()
                self._bad = sl.placeholder(sl.float32, [WEIGHTS])
                sent = sl.identity(self._bad)
            with sl.device(f"/job:worker/task:{helpers[-1]}"):
                self._waits = waited + 1.0
                self._fails = sl.check_numerics(sent * 2.0, "the numbers are bad")
                self._ends = sl.reduce_sum(sent)

    def abort(self, number):
        """Runs a step that fails, or may fail; the error must be the one that it asked for."""
        kind = number % 3
        fetch, feeds, milliseconds, error = (
            (self._waits, {}, 2, sl.errors.DeadlineExceededError),
            (self._fails, {self._bad: np.full([WEIGHTS], np.nan)}, 60000,
             sl.errors.InvalidArgumentError),
            (self._ends, {self._bad: np.ones([WEIGHTS])}, 1, sl.errors.DeadlineExceededError),
        )[kind]  # fmt: skip
        try:
            got = self.session.run(fetch, feeds, sl.RunOptions(timeout_in_ms=milliseconds))
            assert kind == 2 and got == WEIGHTS, (fetch.name, got)
        except error:
            pass


def train(program, steps, errors):
    try:
        for _ in range(steps):
            wrong = program.train()
            assert not wrong, wrong
            if program.step % ABORT_EVERY == 0:
                program.abort(program.step // ABORT_EVERY)
    except Exception as error:
        errors.append(error)


def sample(cluster):
    held = [held_by(process.pid) for process in cluster.processes]
    return {
        "MB": cluster.resident_mb(),
        "threads": [threads for _, _, threads in held],
        "descriptors": [descriptors for descriptors, _, _ in held],
    }


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_steps_leave_nothing_behind(transport):
    if PLOTS:
        matplotlib_or_raise()  # before hours of steps
    steps = STEPS // (len(TRANSPORTS) * 2 * SAMPLES)
    cluster = ServerProcesses({"ps": 1, "worker": 2}, transport)
    errors = []
    try:
        programs = [Program(cluster, 0, [0, 1]), Program(cluster, 1, [1])]
        for program in programs:
            program.open()
        samples = Samples([cluster.name(task) for task in range(len(cluster))])
        for _ in range(SAMPLES):
            threads = [threading.Thread(target=train, args=(p, steps, errors)) for p in programs]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert not errors, errors
            samples.add(len(programs) * steps, sample(cluster))
        for program in programs:
            assert program.step == SAMPLES * steps
            program.close()
        assert not cluster.crashed()
    finally:
        cluster.close()
    print(samples.text(f"{transport}: {len(programs) * SAMPLES * steps} steps"))
    if PLOTS:
        print(samples.draw(os.path.join(PLOTS, "steps-" + transport.split(",")[0])))
    growth = samples.growth()
    assert all(growth[name] <= most for name, most in MORE.items()), growth
