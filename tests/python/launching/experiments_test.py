# SPDX-License-Identifier: Apache-2.0
"""launch, grid_search and random_search on processes of this machine, without Spark."""

import os
import re
import subprocess

import pytest
from conftest import ROOT
from processes import PYTHON, SECONDS
from sluice.spark import grid_search, launch, random_search


def score(x, y=1.0):
    print("tries", x, y)
    if x == 2:
        raise ValueError("two")
    if x == 4:
        os._exit(5)
    return x * y if x < 9 else "many"


def test_results_are_ranked_and_failures_come_last():
    trials = launch(None, score, {"x": [1, 2, 3, 4, 9]}, processes=2)
    assert [t.arguments["x"] for t in trials] == [3, 1, 2, 4, 9]
    assert [t.metric for t in trials] == [3.0, 1.0, None, None, None]
    assert [t.log for t in trials[:2]] == ["tries 3 1.0\n", "tries 1 1.0\n"]
    assert "ValueError: two" in trials[2].error
    assert trials[3].error == "the process ended with status 5"
    assert "no metric in the result 'many'" in trials[4].error


def test_grids_and_random_values():
    trials = grid_search(None, score, {"x": [3], "y": [5, 4]}, direction="min")
    assert [t.metric for t in trials] == [12.0, 15.0]
    draws = [
        [t.arguments for t in random_search(None, score, {"x": [5, 8], "y": [0.0, 1.0]}, 1, seed=7)]
        for _ in range(2)
    ]
    assert draws[0] == draws[1]
    assert all(d["x"] in range(5, 9) and 0 <= d["y"] <= 1 for d in draws[0])


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: launch(None, score, {"x": [1], "y": [1, 2]}), "must have one length"),
        (lambda: launch(None, score, {"x": [1]}, direction="up"), '"max" or "min"'),
        (lambda: random_search(None, score, {"x": [2, 1]}), "[lowest, highest]"),
    ],
)
def test_wrong_arguments(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)


def test_example():
    program = os.path.join(ROOT, "examples", "spark", "search.py")
    done = subprocess.run(
        [PYTHON, program, "--samples", "1"], capture_output=True, text=True, timeout=3 * SECONDS
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout
    ranked = [float(text) for text in re.findall(r"accuracy (\S+)", said)[:2]]
    assert ranked[0] >= ranked[1] and ranked[0] > 0.9, said
    assert said.count("failed: ValueError: a layer needs units, not 0") == 2, said
    assert "the log of the best: trained" in said
