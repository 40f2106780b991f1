#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the tests of one ctest run, honestly.

    count_results.py CTEST_JUNIT_XML GTEST_XML_FOLDER

A ctest that is a GoogleTest program counts as its cases; any other counts as one. A program that
failed without a failed case (it crashed, ran too long, or a sanitizer spoke at its end) is one
failure more. Prints each failed, skipped and disabled test, then `P passed, F failed`.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree


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


def main(arguments):
    junit, folder = arguments[1:3]
    passed = failed = 0
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
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
        failed += len(bad)
        for test in bad:
            print(f"   FAILED {name}: {test}")
        for test, why in skipped:
            print(f"   skipped {name}: {test}: {why}")
        if not ok and not bad:
            failed += 1
            print(f"   FAILED {name}: ended badly although no case failed")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
