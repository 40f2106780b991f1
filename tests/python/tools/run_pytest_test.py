# SPDX-License-Identifier: Apache-2.0
"""tools/run_pytest.py: which files it runs."""

import importlib.util
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_spec = importlib.util.spec_from_file_location(
    "run_pytest", os.path.join(ROOT, "tools", "run_pytest.py")
)
run_pytest = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(run_pytest)

LONG = [f"tests/interop/x/{name}.py" for name in run_pytest.LONG]
SHORT = [f"tests/interop/y/{name}_test.py" for name in ("errors", "maps", "trees", "lists")]


def test_the_halves_of_a_day_make_the_whole_and_share_the_short_files():
    for day in (20786, 20787):
        first, left_out = run_pytest.in_half(LONG + SHORT, 0, day)
        second, _ = run_pytest.in_half(LONG + SHORT, 1, day)
        assert set(first) | set(second) == set(LONG + SHORT)
        assert set(first) & set(second) == {*SHORT, "tests/interop/x/ops_test.py"}
        assert set(first) | set(left_out) == set(LONG + SHORT)


def test_a_half_is_the_other_one_on_the_next_day():
    assert run_pytest.in_half(LONG, 0, 20786) == run_pytest.in_half(LONG, 1, 20787)


def test_the_long_files_begin_first_and_the_others_in_another_order_each_day():
    orders = [run_pytest.in_order(SHORT + LONG, day) for day in range(20786, 20790)]
    assert all(order[: len(LONG)] == LONG for order in orders)
    assert len(set(map(tuple, orders))) > 1


def test_files_that_would_begin_too_late_are_left_out_by_name(tmp_path):
    slow, late = tmp_path / "ops_test.py", tmp_path / "later_test.py"
    slow.write_text("import time\n\ndef test_slow():\n    time.sleep(1.2)\n")
    late.write_text("def test_late():\n    assert False\n")
    command = [sys.executable, os.path.join(ROOT, "tools", "run_pytest.py"), "--jobs", "1"]
    command += ["--results", str(tmp_path), "--within", "1", str(late), str(slow)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert "LEFT OUT 1 files, no time: later_test" in run.stdout
    assert run.stdout.endswith("1 passed, 0 failed\n")
    assert run.returncode == 0
