# SPDX-License-Identifier: Apache-2.0
"""A hostile client beside an honest one: the honest one trains on, and no server dies.

The servers may use 256 descriptors, 2 GB and 500 threads each: in control groups where this process
may make some, else by the server's own limit of memory. The hostile client makes all attacks of
hostile_client.py at once: big tensors and strings, endless loops, thousands of calls, silent and
cut connections, floods, malformed bytes.

SLUICE_HOSTILE_SECONDS is the duration, SLUICE_HOSTILE_SEED the seed of the attacks. Times and the
most that each server held are printed. Elsewhere a hostile client computes on a machine of its own;
here it has the lowest priority, and a scheduling group of its own (without one, its priority counts
beside the honest client only), so that the times show what it makes the servers do. The servers
share one group with the honest client.
"""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest
import sluice as sl
from faults.cgroups import Cgroup
from faults.held import descriptors_of, listening_ports, peak_mb, settled, threads_of
from faults.hostile_client import PARTS
from faults.server_processes import ServerProcesses
from faults.training import Trainee

pytestmark = pytest.mark.alone

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = float(os.environ.get("SLUICE_HOSTILE_SECONDS", "0"))
SEED = int(os.environ.get("SLUICE_HOSTILE_SEED", "1"))
DESCRIPTORS, MEMORY_MB, THREADS = 256, 2048, 500
BESIDES_MB = 200  # the program, and what malloc keeps
WEIGHTS = 5000
DEADLINE = 30.0
SLACK = np.array([20, 4, 8])  # descriptors, segments, threads
ALONE_SECONDS = 3.0


class Honest:
    """Trains, and opens a new session after an error. `times` are those of its right steps."""

    def __init__(self, cluster):
        self._program = Trainee(cluster, 0, [0, 1], WEIGHTS, DEADLINE, lambda text: None)
        self.times, self.errors = [], []
        self._lost = True

    def train(self, until):
        while time.monotonic() < until:
            self.step()

    def median_step(self, seconds):
        """Trains, without an error. Begins anew with `times`."""
        self.train(time.monotonic() + seconds)
        assert self.times and not self.errors, self.errors
        times, self.times = self.times, []
        return median(times)

    def step(self):
        """One attempt."""
        program = self._program
        begin = time.monotonic()
        try:
            if self._lost:
                program.close()
                program.open()
                self._lost = False
                begin = time.monotonic()
            wrong = program.train()
            assert not wrong, wrong
            self.times.append(time.monotonic() - begin)
        except sl.errors.OpError as error:
            self._lost = True
            self.errors.append(f"{type(error).__name__}: {error.message.splitlines()[0]}")


class Hostile:
    """The processes of the hostile client; they end with this one."""

    def __init__(self, cluster):
        grpc = [cluster.target(task)[len("grpc://") :] for task in range(len(cluster))]
        others = [
            f"127.0.0.1:{port}"
            for process, address in zip(cluster.processes, grpc)
            for port in listening_ports(process.pid)
            if not address.endswith(f":{port}")
        ]
        addresses = [f"grpc={a}" for a in grpc] + [f"tcp={a}" for a in others]
        program = os.path.join(HERE, "hostile_client.py")
        self._processes = [
            subprocess.Popen(
                [sys.executable, program, str(SEED), str(part), *addresses],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            )
            for part in range(PARTS)
        ]  # fmt: skip
        for process in self._processes:
            assert process.stdout.readline() == "attacks\n"

    def stop(self):
        """How often they made each attack."""
        for process in self._processes:
            process.stdin.close()
        said = [json.loads(process.stdout.read()) for process in self._processes]
        return {name: count for counts in said for name, count in counts.items()}

    def kill(self):
        for process in self._processes:
            process.kill()
            process.wait()


class Watch:
    """What the servers hold: at first, and the most since then. Fails if one has ended."""

    def __init__(self, cluster):
        self._cluster = cluster
        self._pids = [process.pid for process in cluster.processes]
        self._first = [settled(pid, 0, time_budget=0.5) for pid in self._pids]
        self._most = {pid: (0, 0) for pid in self._pids}

    def look(self):
        crashed = self._cluster.crashed()
        logs = [self._cluster.log(n)[-3000:] for n in range(len(self._cluster))] if crashed else []
        assert not crashed, "\n".join(crashed + logs)
        for pid in self._pids:
            held = len(threads_of(pid)), len(descriptors_of(pid))
            self._most[pid] = tuple(map(max, self._most[pid], held))

    def check(self):
        """The limits were kept, and what the hostile client took comes back."""
        for task, (pid, first) in enumerate(zip(self._pids, self._first)):
            threads, descriptors = self._most[pid]
            last = settled(pid, first + SLACK, time_budget=60)
            name = self._cluster.name(task)
            print(f"{name}: at most {threads} threads, {descriptors} descriptors,", end=" ")
            print(f"{peak_mb(pid):.0f} MB; descriptors, segments, threads {first} -> {last}")
            assert threads <= THREADS
            assert peak_mb(pid) <= MEMORY_MB + BESIDES_MB
            assert (last <= first + SLACK).all()
        self.look()


class Confinement:
    """Limits of the servers."""

    def __init__(self):
        self._groups = []

    def launch(self, command):
        command = ["prlimit", f"--nofile={DESCRIPTORS}", *command]
        try:
            self._groups.append(Cgroup(memory=MEMORY_MB << 20, pids=THREADS))
        except OSError as error:
            print(f"no control group: {error}")
            return [*command, f"--memory_limit={MEMORY_MB}M"]
        return self._groups[-1].command(command)

    def close(self):
        for group in self._groups:
            group.close()


def median(times):
    return sorted(times)[len(times) // 2]


def report(honest, alone, attacks):
    print(f"seed {SEED}, attacks: {attacks}")
    print(f"honest steps: {len(honest.times)}, {len(honest.errors)} errors")
    for error in sorted(set(honest.errors))[:10]:
        print(f"  {error[:300]}")
    if honest.times:
        beside = median(honest.times)
        print(f"median of a step: {beside * 1e3:.1f} ms, {beside / alone:.1f} x that alone")
        print(f"longest step: {max(honest.times):.1f} s")
        tenth = len(honest.times) // 10 + 1
        parts = [honest.times[at : at + tenth] for at in range(0, len(honest.times), tenth)]
        print("medians of tenths of the steps, ms:", *(f"{median(p) * 1e3:.1f}" for p in parts))


@pytest.fixture
def confinement():
    made = Confinement()
    yield made
    made.close()


@pytest.mark.skipif(not SECONDS, reason="takes minutes; runs if SLUICE_HOSTILE_SECONDS is set")
def test_an_honest_client_trains_beside_a_hostile_one(confinement):
    cluster = ServerProcesses({"ps": 1, "worker": 2}, "tcp,grpc", launch=confinement.launch)
    hostile = None
    try:
        honest = Honest(cluster)
        alone = honest.median_step(ALONE_SECONDS)
        watch = Watch(cluster)
        hostile = Hostile(cluster)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            honest.train(time.monotonic() + 0.5)
            watch.look()
        attacks = hostile.stop()
        report(honest, alone, attacks)
        assert honest.times
        honest.times, end = [], time.monotonic() + 2 * DEADLINE
        while not honest.times and time.monotonic() < end:
            honest.step()
        assert honest.times, honest.errors[-3:]
        watch.check()
    finally:
        if hostile is not None:
            hostile.kill()
        cluster.close()
