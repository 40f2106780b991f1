#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the tests of one ctest run, honestly.

    count_results.py BUILD_FOLDER RESULTS_FOLDER

RESULTS_FOLDER has ctest-junit.xml and the XML files of GoogleTest programs. A ctest that is a
GoogleTest program counts as its cases; any other counts as one. A program that failed without a
failed case (it crashed, ran too long, or a sanitizer spoke at its end) is one failure more.

If one or two cases of the whole run failed, they run a second time, alone. What passes then counts
as passed and is reported as unstable: it needs mending, but a loaded machine is not a broken build.

Prints each failed, unstable, skipped and disabled test, then `P passed, F failed`.
"""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

FEW_CASES = 2  # failed cases that run again


def count_cases(path):
    """(passed, failed, skipped) of a GoogleTest XML file: names; (name, why) of the skipped."""
    passed, failed, skipped = [], [], []
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            name = f"{suite.get('name')}.{case.get('name')}"
            skip = case.find("skipped")
            if case.find("failure") is not None:
                failed.append(name)
            elif skip is not None:
                why = (skip.get("message") or skip.text or "no reason given").strip()
                skipped.append((name, why.split("\n")[-1]))
            elif case.get("status") == "notrun":
                skipped.append((name, "disabled"))
            else:
                passed.append(name)
    return passed, failed, skipped


def fails_again(build, name, test, folder):
    """Whether this case of a GoogleTest program fails when it runs alone."""
    environment = {**os.environ, "GTEST_FILTER": test, "GTEST_OUTPUT": f"xml:{folder}/"}
    command = ["ctest", "--test-dir", build, "--no-tests=error", "-R", f"^{name}$"]
    status = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    results = os.path.join(folder, name + ".xml")
    if status.returncode or not os.path.exists(results):
        return True
    passed, _, _ = count_cases(results)
    return test not in passed


def main(arguments):
    build, folder = arguments[1:3]
    passed = failed = 0
    bad_cases = []
    junit = ElementTree.parse(os.path.join(folder, "ctest-junit.xml"))
    for case in junit.getroot().iter("testcase"):
        name = case.get("name")
        ok = case.get("status") == "run" and case.find("failure") is None
        cases = os.path.join(folder, name + ".xml")
        if not os.path.exists(cases):
            passed, failed = passed + ok, failed + (not ok)
            if not ok:
                print(f"   FAILED {name}: crashed, ran too long or could not start")
            continue
        good, bad, skipped = count_cases(cases)
        passed += len(good)
        bad_cases += [(name, test) for test in bad]
        for test, why in skipped:
            print(f"   skipped {name}: {test}: {why}")
        if not ok and not bad:
            failed += 1
            print(f"   FAILED {name}: ended badly although no case failed")
    again = len(bad_cases) <= FEW_CASES
    for name, test in bad_cases:
        if again and not fails_again(build, name, test, os.path.join(folder, "second")):
            passed += 1
            print(f"   UNSTABLE {name}: passed at its second run only: {test}")
        else:
            failed += 1
            print(f"   FAILED {name}: {test}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
