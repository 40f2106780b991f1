# SPDX-License-Identifier: Apache-2.0
"""Faults while two programs train on a ps and two workers, over each transport.

In each trial a task dies, stops or restarts, or a connection stalls, breaks, is slow or changes
bits. Every call must end within its deadline, with an error that names the task. No step may have a
wrong value. The programs that do not use the task or connection go on. After the repair, training
that continues from the last saved weights has the values of a run without a fault. In the end the
servers hold no more memory, threads, descriptors and segments than before the first fault.

SLUICE_FAULT_TRIALS is the number of trials of each kind. SLUICE_FAULT_SEED is the first seed; a
report has its own, which repeats the random choices of the trial, but not the timing.
SLUICE_FAULT_LANES is the number of clusters of each transport, which have trials at the same time.
With SLUICE_TEST_VERBOSE set, trials that pass are reported too.
"""

import faulthandler
import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from faults import training_faults
from faults.held import resident_mb, settled, threads_of
from faults.server_processes import ServerProcesses
from faults.training_trial import SIZES, TrainingTrial, VoidTrialError
from faults.trial_record import TrialError

pytestmark = pytest.mark.alone

TRIALS = int(os.environ.get("SLUICE_FAULT_TRIALS", "0"))
SEED = int(os.environ.get("SLUICE_FAULT_SEED", "1"))
LANES = int(os.environ.get("SLUICE_FAULT_LANES", "2"))
KINDS = {kind.__name__: kind for kind in training_faults.KINDS}
TRANSPORTS = ("grpc", "tcp,grpc", "shm,grpc")
FEW, FEW_THAT_WAIT = 20, 12  # trials in continuous integration, which has a minute for all
MARGIN = 2.0 if TRIALS else 20.0  # seconds beyond a deadline
HANG_SECONDS = 120  # of a trial
MOST_REPORTS = 3
# Beyond those before the first fault: descriptors of calls under way, segments, threads of pools.
SLACK, SLACK_MB = np.array([10, 0, 2]), 96


class Lane:
    """A cluster that has one trial at a time."""

    def __init__(self, transport):
        self._transport = transport
        self.trials = 0
        self._start()

    def _start(self):
        self.cluster = ServerProcesses({"ps": 1, "worker": 2}, self._transport, links=True)
        for number in range(len(SIZES)):  # makes what exists once
            trial = TrainingTrial("none", number, self.cluster, MARGIN, slow=False)
            trial.use_size(SIZES[number])
            trial.begin()
            training_faults.none(trial)
            trial.recover()
            trial.close()
        pids = [process.pid for process in self.cluster.processes]
        self._before = [settled(pid, 0, time_budget=0.5) for pid in pids]
        self._mb_before = self.cluster.resident_mb()

    def run(self, kind, seed):
        """The report of a failure, or None."""
        self.trials += 1
        trial = TrainingTrial(kind.__name__, seed, self.cluster, MARGIN, slow=bool(TRIALS))
        try:
            trial.begin()
            kind(trial)
            trial.recover()
            trial.close()
            if os.environ.get("SLUICE_TEST_VERBOSE"):
                print(trial.report("passed"), flush=True)
            return None
        except VoidTrialError:
            print(f"{kind.__name__} {seed} is void: the machine is too slow", flush=True)
            trial.abandon()
            return None
        except TrialError as failed:
            report = str(failed)
        except Exception as error:
            report = trial.report(f"{type(error).__name__}: {error}")
        self.cluster.close()
        self._start()  # the next trial has servers without a past
        return report

    def held(self):
        """What each server holds now and held before the faults: (line, whether it is too much)."""
        rows = zip(self.cluster.processes, self._before, self._mb_before)
        for task, (process, before, mb_before) in enumerate(rows):
            last, mb = settled(process.pid, before + SLACK), resident_mb(process.pid)
            line = f"{self._transport} {self.cluster.name(task)}, {self.trials} trials: descriptors"
            line += f", segments, threads {before} -> {last}, {mb_before:.0f} -> {mb:.0f} MB"
            much = (last > before + SLACK).any() or mb > mb_before + SLACK_MB
            yield line + (f" {Counter(threads_of(process.pid))}" if much else ""), much
        for name in self.cluster.files():
            yield f"{self._transport}: {name} was left", True

    def close(self):
        self.cluster.close()


class Lanes:
    def __init__(self):
        self.files = set(os.listdir("/dev/shm"))
        with ThreadPoolExecutor() as pool:
            lanes = pool.map(Lane, [transport for transport in TRANSPORTS for _ in range(LANES)])
            self.all = list(lanes)

    def of(self, transport):
        first = TRANSPORTS.index(transport) * LANES
        return self.all[first : first + LANES]

    def close(self):
        for lane in self.all:
            lane.close()


@pytest.fixture(scope="module")
def lanes():
    made = Lanes()
    yield made
    made.close()


def run_trials(kind, seeds, lanes):
    """Reports of failures. A seed always has the same transport."""
    transports = TRANSPORTS[:2] if kind in training_faults.LINKED else TRANSPORTS
    reports = []

    def run(lane, own):
        while own:
            report = lane.run(kind, own.pop())
            if report is not None:
                reports.append(report)

    threads = []
    for number, transport in enumerate(transports):
        own = [seed for seed in reversed(seeds) if seed % len(transports) == number]
        for lane in lanes.of(transport):
            threads.append(threading.Thread(target=run, args=(lane, own)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return reports


@pytest.mark.parametrize("name", KINDS)
def test_fault(name, lanes):
    kind = KINDS[name]
    count = TRIALS or (FEW_THAT_WAIT if kind in training_faults.SLOW else FEW)
    # A client that hangs ends this process; the servers end with it.
    faulthandler.dump_traceback_later(HANG_SECONDS * (1 + count // (2 * LANES)), exit=True)
    try:
        reports = run_trials(kind, range(SEED, SEED + count), lanes)
    finally:
        faulthandler.cancel_dump_traceback_later()
    for report in reports[:MOST_REPORTS]:
        print(report, flush=True)
    print(f"{name}: {count - len(reports)} of {count} trials passed, seeds {SEED} and later")
    assert not reports, f"{len(reports)} of {count} trials failed"


def test_faults_leave_nothing_behind(lanes):
    with ThreadPoolExecutor() as pool:
        found = [
            row for rows in pool.map(lambda lane: list(lane.held()), lanes.all) for row in rows
        ]
    print("\n".join(line for line, _ in found))
    assert not any(much for _, much in found)
    lanes.close()
    assert not {name for name in set(os.listdir("/dev/shm")) - lanes.files if "sluice" in name}
