# SPDX-License-Identifier: Apache-2.0
"""tools/run_pytest.py: which files it runs."""

import importlib.util
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_spec = importlib.util.spec_from_file_location(
    "run_pytest", os.path.join(ROOT, "tools", "run_pytest.py")
)
run_pytest = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(run_pytest)

LONG = [f"tests/interop/x/{name}.py" for name in run_pytest.LONG]
SHORT = ["tests/interop/x/doctor_test.py", "tests/interop/y/graphs_test.py"]


def test_the_halves_of_a_day_make_the_whole_and_share_the_short_files():
    for day in (20786, 20787):
        first, left_out = run_pytest.in_half(LONG + SHORT, 0, day)
        second, _ = run_pytest.in_half(LONG + SHORT, 1, day)
        assert set(first) | set(second) == set(LONG + SHORT)
        assert set(first) & set(second) == {*SHORT, "tests/interop/x/ops_test.py"}
        assert set(first) | set(left_out) == set(LONG + SHORT)


def test_a_half_is_the_other_one_on_the_next_day():
    assert run_pytest.in_half(LONG, 0, 20786) == run_pytest.in_half(LONG, 1, 20787)
