# SPDX-License-Identifier: Apache-2.0
"""The stubs that type checkers read agree with the package."""

import ast
import os
import sys

import sluice as sl

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "..", "python_client"))
import make_stubs  # noqa: E402

COMMAND = "PYTHONPATH=build/python python3 python_client/make_stubs.py"


def test_stubs_are_up_to_date():
    wanted = make_stubs.stubs()
    have = make_stubs.written()
    stale = sorted(have ^ set(wanted))
    for name in have & set(wanted):
        with open(os.path.join(make_stubs.FOLDER, name)) as file:
            if file.read() != wanted[name]:
                stale.append(name)
    assert not stale, f"run {COMMAND}: it changes {', '.join(stale)}"


def test_stubs_can_be_parsed():
    for name, text in make_stubs.stubs().items():
        ast.parse(text, name)


def test_types():
    texts = make_stubs.stubs()
    for name, text in (
        (
            "ops/math/elementary.pyi",
            "def exp(x: TensorLike, name: _Optional[_b.str] = ...) -> Tensor:",
        ),
        ("raw_ops.pyi", "def MatMul(*, a: TensorLike, b: TensorLike, transpose_a: _b.bool"),
        ("graph/convert.pyi", "def placeholder(dtype: DTypeLike, shape: "),
        ("training/optimizers.pyi", "class AdamOptimizer(Optimizer):"),
        ("__init__.pyi", "from sluice.ops.math.elementary import exp as exp"),
    ):
        assert text in texts[name], f"{text} is not in {name}"
    for op in dir(sl.raw_ops):
        assert f"\ndef {op}(" in texts["raw_ops.pyi"], op


def test_the_package_is_marked_as_typed():
    assert os.path.exists(os.path.join(make_stubs.PACKAGE, "py.typed"))
    from sluice.types import DTypeLike, ShapeLike, TensorLike

    assert TensorLike and DTypeLike and ShapeLike
