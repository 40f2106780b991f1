#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test files by pytest, each in a process of its own, and counts their checks.

    run_pytest.py [--python PATH] [--seconds 300] [--jobs 2] [--results FOLDER] [--half N]
                  [--within S] FILE...

A process for each file: TensorFlow's state, the environment and what a test leaves behind stay in
it, and a file that hangs is ended alone. Several run at a time. A file that is marked `waits`
(mostly it waits) runs when the others have ended, beside files of its kind; one that is marked
`alone` (it measures time) runs last, beside none. A test counts as its checks, if it says how many
it made (tests/interop/conftest.py), else as one.

A file of which one or two tests failed runs a second time, alone, when all others have ended; at
most two files of a run do. What passes then counts as passed and is reported as unstable, with the
output of its first run: it needs mending, but a loaded machine is not a broken build.

With --half 0 or 1 the files that take longest are shared with another run, which has the other
half: each day the halves change. With --within, files that have not begun after so many seconds are
left out, each day others.

Prints a line for each file, the output of those that failed, each skipped test with its reason, the
unstable files, those that were left out, and `P passed, F failed`.
"""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
import zlib

# Files that take longest begin first, so that no processor waits for the last of them.
LONG = (
    "builds_test", "client_programs_test", "client_models_test", "models_test", "functions_test",
    "ops_test", "fuzz_ops_test", "random_programs_test", "narrow_test", "gradients_compare_test",
    "programs_test", "values_test", "random_clients_test", "graphs_test", "checkpoint_test",
    "gpu_double_test", "connections_test", "sessions_test", "doctor_test", "train_test",
)  # fmt: skip
UNSHARED = ("ops_test",)  # it records cases for the stage that plays them


SECOND_RUNS = 2  # files that may run again
FEW_TESTS = 2  # failed tests of a file that runs again


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def mark_of(path):
    """The mark of all tests of a file: waits, alone or none."""
    with open(path, encoding="utf-8") as file:
        found = re.search(r"^pytestmark = pytest\.mark\.(waits|alone)$", file.read(), re.MULTILINE)
    return found.group(1) if found else ""


def in_order(paths, day):
    """The long ones first, the others in another order each day."""

    def place(path):
        name = name_of(path)
        return LONG.index(name) if name in LONG else len(LONG), zlib.crc32(f"{day} {path}".encode())

    return sorted(paths, key=place)


def in_half(paths, half, day):
    """(those of this half and those that are not shared, those of the other half)"""
    shared = sorted(p for p in paths if name_of(p) in LONG and name_of(p) not in UNSHARED)
    other = [path for place, path in enumerate(shared) if (place + day) % 2 != half]
    return [path for path in paths if path not in other], other


class Outcome:
    """The output of one file's process."""

    def __init__(self, path, status, seconds, output, results):
        self.path, self.status, self.seconds, self.output = path, status, seconds, output
        self.passed = self.failed = 0
        self.failed_tests = []
        self.skipped = []
        if os.path.exists(results):
            for case in ElementTree.parse(results).getroot().iter("testcase"):
                self._count(case)
        if status != 0 and not self.failed:
            self.failed = 1

    def _count(self, case):
        skipped = case.find("skipped")
        bad = case.find("failure") is not None or case.find("error") is not None
        said = {p.get("name"): int(p.get("value")) for p in case.iter("property")
                if p.get("name") in ("passed", "failed")}  # fmt: skip
        if bad:
            self.failed_tests.append(case.get("name"))
        if skipped is not None:
            self.skipped.append((case.get("name"), skipped.get("message")))
        elif said:
            self.passed += said["passed"]
            self.failed += max(said["failed"], int(bad))
        else:
            self.passed += not bad
            self.failed += bad

    def may_run_again(self):
        """Whether pytest ended by itself and few of its tests failed."""
        return self.status == 1 and 1 <= len(self.failed_tests) <= FEW_TESTS

    def report(self):
        print(f"   {self.seconds:5.0f} s  {self.path}: {self.passed} passed, {self.failed} failed")
        for reason in sorted({reason for _, reason in self.skipped}):
            names = [name for name, why in self.skipped if why == reason]
            print(f"   skipped {self.path}: {reason}: {', '.join(names)}")
        if self.failed:
            for line in self.output.splitlines()[-80:]:
                print("   |", line)
            print(f"   FAILED {self.path} (status {self.status})")
        sys.stdout.flush()


def run(path, options):
    """The outcome of a file; None if it would begin too late."""
    begin = time.monotonic()
    if options.within is not None and begin > options.begin + options.within:
        return None
    results = os.path.join(options.results, path.replace(os.sep, ".") + ".xml")
    if os.path.exists(results):
        os.remove(results)
    command = [options.python, "-m", "pytest", "-q", "--junitxml", results, path]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=options.seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += f"\nstill running after {options.seconds} s".encode()
        status = 124
    seconds = time.monotonic() - begin
    return Outcome(path, status, seconds, output.decode(errors="replace"), results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the tests")
    parser.add_argument("--seconds", type=int, default=300, help="a file that takes longer fails")
    parser.add_argument("--jobs", type=int, default=2, help="files at a time")
    parser.add_argument("--results", default="build/test-results", help="folder of JUnit files")
    parser.add_argument("--half", type=int, choices=(0, 1), help="of the files that take longest")
    parser.add_argument("--within", type=int, help="seconds: files that begin later are left out")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    options.begin = time.monotonic()
    today = int(time.time()) // 86400
    if options.half is not None:
        options.files, other = in_half(options.files, options.half, today)
        print("   of the other half today:", ", ".join(map(name_of, other)))
    # A shell's background jobs begin with SIGINT ignored, and tests send it to themselves.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.makedirs(options.results, exist_ok=True)
    outcomes = []
    for mark, jobs in (("", options.jobs), ("waits", options.jobs), ("alone", 1)):
        paths = in_order([path for path in options.files if mark_of(path) == mark], today)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            running = [pool.submit(run, path, options) for path in paths]
            outcomes += report(running)
    unstable = run_again(outcomes, options)
    passed, failed = sum(o.passed for o in outcomes), sum(o.failed for o in outcomes)
    for outcome in unstable:
        tests = ", ".join(outcome.failed_tests)
        print(f"   UNSTABLE {outcome.path}: passed at its second run only: {tests}")
    left_out = sorted(set(options.files) - {outcome.path for outcome in outcomes})
    if left_out:
        print(f"   LEFT OUT {len(left_out)} files, no time:", ", ".join(map(name_of, left_out)))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not (passed or left_out) else 0


def run_again(outcomes, options):
    """Replaces outcomes of files that pass alone; returns what their first runs were."""
    unstable = []
    again = [place for place, outcome in enumerate(outcomes) if outcome.may_run_again()]
    if len(again) > SECOND_RUNS:
        return unstable
    for place in again:
        second = run(outcomes[place].path, options)
        if second:
            second.report()
        if second and not second.failed:
            unstable.append(outcomes[place])
            outcomes[place] = second
    return unstable


def report(futures):
    """The outcomes as they come, each printed."""
    for future in concurrent.futures.as_completed(futures):
        outcome = future.result()
        if outcome:
            outcome.report()
            yield outcome


if __name__ == "__main__":
    sys.exit(main())
