# SPDX-License-Identifier: Apache-2.0
"""Faults of collective operations between server processes.

In each trial a member does not come, disagrees, dies, stops, is cut off or gives up. All others
must fail in time with an error that names it, nobody gets a wrong value, and after the repair the
next round is right.

SLUICE_FAULT_TRIALS is the number of trials of each kind. SLUICE_FAULT_SEED is the first seed; a
report has its own, which repeats the random choices of the trial, but not the timing.
SLUICE_FAULT_LANES is the number of clusters of each transport, which have trials at the same time.
With SLUICE_TEST_VERBOSE set, trials that pass are reported too.
"""

import faulthandler
import os
import time
from concurrent.futures import ThreadPoolExecutor

import faults_of_load
import faults_of_programs
import faults_of_servers
import pytest
from collective_trial import TRANSPORTS, Clusters, Trial, TrialError
from faults.stalls import Stalls

pytestmark = pytest.mark.alone

TRIALS = int(os.environ.get("SLUICE_FAULT_TRIALS", "0"))
SEED = int(os.environ.get("SLUICE_FAULT_SEED", "1"))
LANES = int(os.environ.get("SLUICE_FAULT_LANES", "4"))
FEW, FEW_THAT_WAIT = 20, 8  # trials in continuous integration
HANG_SECONDS = 150  # of a trial
STALL_SECONDS = 1.0  # within which no error can be expected to come in time
MOST_RUNS = 3  # of a trial during which the machine stalls
MODULES = (faults_of_load, faults_of_programs, faults_of_servers)
KINDS = {kind.__name__: kind for module in MODULES for kind in module.KINDS}


@pytest.fixture(scope="module")
def clusters():
    made = Clusters(LANES)
    yield made
    made.close()


@pytest.fixture(scope="module")
def stalls():
    made = Stalls()
    yield made
    made.close()


def run_trial(kind, seed, clusters, stalls):
    """The report of a failure, or None. A trial that fails while the machine stands still shows
    nothing, and runs again."""
    for run in range(1, MOST_RUNS + 1):
        begin = time.monotonic()
        report = run_once(kind, seed, clusters)
        stall = 0.0 if report is None else stalls.longest(since=begin)
        if stall < STALL_SECONDS or run == MOST_RUNS:
            return report
        print(f"{kind.__name__} {seed}: runs again, nothing ran for {stall:.1f} s", flush=True)


def run_once(kind, seed, clusters):
    """The report of a failure, or None."""
    trial = Trial(kind.__name__, seed, clusters, links=kind in faults_of_servers.LINKED)
    report = None
    try:
        kind(trial)
        trial.close()
        if os.environ.get("SLUICE_TEST_VERBOSE"):
            print(trial.report("passed"), flush=True)
    except TrialError as failed:
        report = str(failed)
    except Exception as error:
        report = trial.report(f"{type(error).__name__}: {error}")
    trial.give_back(sound=report is None)
    return report


def run_trials(kind, seeds, clusters, stalls):
    """Reports of failures by their seeds."""
    # A client that hangs ends this process; the servers end with it.
    faulthandler.dump_traceback_later(HANG_SECONDS * (1 + len(seeds) // LANES), exit=True)
    try:
        with ThreadPoolExecutor(LANES * len(TRANSPORTS)) as pool:
            reports = pool.map(lambda seed: run_trial(kind, seed, clusters, stalls), seeds)
            return {seed: report for seed, report in zip(seeds, reports) if report is not None}
    finally:
        faulthandler.cancel_dump_traceback_later()


def count_of(kind):
    if kind in faults_of_programs.ONCE:
        return 1
    return TRIALS or (FEW_THAT_WAIT if kind in faults_of_servers.SLOW else FEW)


@pytest.mark.parametrize("name", KINDS)
def test_fault(name, clusters, stalls):
    kind, count = KINDS[name], count_of(KINDS[name])
    reports = run_trials(kind, range(SEED, SEED + count), clusters, stalls)
    for report in reports.values():
        print(report, flush=True)
    print(f"{name}: {count - len(reports)} of {count} trials passed, seeds {SEED} and later")
    if not TRIALS:
        # On a busy machine, an error that races with a deadline may say less than it should.
        again = ((seed, run_trial(kind, seed, clusters, stalls)) for seed in reports)
        reports = {seed: report for seed, report in again if report is not None}
    assert not reports, f"trials failed: {list(reports)}"
