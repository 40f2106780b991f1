# SPDX-License-Identifier: Apache-2.0
"""The ledger of ops: op x dtype x case, and what shows each cell.

    ledger.py             counts and the cells that nothing shows
    ledger.py --table     every cell

data/kernels.tsv holds the dtypes for which TensorFlow 1.15 has a CPU kernel, of our ops. A
cell is covered by a line of a cases/*_cases.py, by a draw of fuzz_ops_test.py made for it, or by a
script that ledger_reasons.py names; else ledger_reasons.py says why it is empty.
"""

import collections
import pathlib
import re
import sys

import numpy as np

from interop.tools import ledger_reasons
from interop.tools.fuzz_ops import make_draws
from interop.tools.op_draws import Drawn, main_inputs
from interop.tools.op_nodes import op_def, tf

TESTS = pathlib.Path(__file__).parent.parent.parent
CASES = ("value", "empty", "scalar", "high rank", "bad input", "gradient")
SHAPES = ("empty", "scalar", "high rank", "bad input")
SHORT = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "c64": "complex64", "c128": "complex128", "str": "string", "res": "resource",
    "var": "variant",
}  # fmt: skip

KNOWN = set(SHORT.values())

Cell = collections.namedtuple("Cell", "op attr dtype case")


def rows():
    """(op, family, {attr: dtypes}) of kernels.tsv; an op without constraint has {"": ["*"]}."""
    for line in (TESTS / "interop/data/kernels.tsv").read_text().splitlines()[1:]:
        op, family, text = line.split("\t")
        attrs = {}
        for part in text.split():
            if "=" in part:
                name, types = part.split("=")
                attrs[name] = [SHORT.get(t, t) for t in types.split(",")]
        yield op, family, attrs or {"": ["*"]}


def gradients():
    lines = (TESTS / "graph/gradients.tsv").read_text().splitlines()[1:]
    return dict(line.split("\t")[:2] for line in lines)


def shapes_of(drawn):
    """Which of the cases its shapes are: of the inputs that are of the op's own dtype."""
    typed = [holder[i][1] for holder, i in main_inputs(drawn)]
    if any(array.size == 0 for array in typed):
        yield "empty"
    if any(array.ndim == 0 for array in typed[:1]):
        yield "scalar"
    if any(array.ndim >= 5 for array in typed):
        yield "high rank"


class Ledger:
    """Every cell with what shows it: `covered`; and `gaps`, what no line of the cases shows."""

    def __init__(self, draws):
        self.draws = draws
        self.rows = list(rows())
        self.kinds = gradients()
        self.covered = {}
        self._read_cases()

    def cells(self):
        for op, _, attrs in self.rows:
            for attr, dtypes in attrs.items():
                for dtype in dtypes:
                    yield Cell(op, attr, dtype, "value")
            for case in SHAPES:
                yield Cell(op, "", "", case)
            yield Cell(op, "", "", "gradient")

    def _read_cases(self):
        for op, lines in self.draws.all_lines.items():
            if op_def(op) is None:
                continue
            for case in lines:
                for dtype in case.types:
                    self._read(op, case, dtype)

    def _read(self, op, case, dtype):
        drawn = Drawn(op, 0)
        rng = np.random.RandomState(0)
        if len(case.inputs) != len(op_def(op).input_arg):
            return
        try:
            drawn.inputs = [
                [self.draws.value(v, dtype, rng) for v in value]
                if isinstance(value, list)
                else self.draws.value(value, dtype, rng)
                for value in case.inputs
            ]
        except (TypeError, ValueError):
            return
        drawn.attrs = case.attrs
        for name in shapes_of(drawn):
            self._cover(Cell(op, "", "", name), "cases")
        if case.error is not None:
            self._cover(Cell(op, "", "", "bad input"), "cases")
            return
        for attr, types in self.draws.types(drawn).items():
            for one in types if isinstance(types, list) else [types]:
                self._cover(Cell(op, attr, one, "value"), "cases")
        self._cover(Cell(op, "", "*", "value"), "cases")
        if self.kinds.get(op) == "gradient" and ("float" in dtype or "complex" in dtype):
            self._cover(Cell(op, "", "", "gradient"), "gradients_compare_test.py")

    def _cover(self, cell, by):
        self.covered.setdefault(cell, by)

    def gaps(self):
        """Cells that a draw made for them can show."""
        return [
            cell
            for cell in self.cells()
            if cell not in self.covered
            and cell.case != "gradient"
            and not ledger_reasons.script(cell)
            and not ledger_reasons.reason(cell)
            and not self.beyond(cell)
        ]

    @staticmethod
    def beyond(cell):
        """Why this client cannot ask for it, or nothing."""
        definition = op_def(cell.op)
        if definition is None:
            return "this client lacks the op; the other one has it"
        for attr in definition.attr:
            allowed = attr.allowed_values.list.type
            if attr.name == cell.attr and allowed and cell.dtype in KNOWN:
                if tf.as_dtype(cell.dtype).as_datatype_enum not in allowed:
                    return "a kernel that this client's interface of the op excludes"
        return ""

    def verdict(self, cell):
        """(kind, what): covered, reason, or empty."""
        if cell.case == "gradient" and self.kinds.get(cell.op) != "gradient":
            return "reason", "TensorFlow 1.15 has no gradient"
        by = self.covered.get(cell) or ledger_reasons.script(cell)
        if by:
            return "covered", by
        why = ledger_reasons.reason(cell) or self.beyond(cell)
        if why:
            return "reason", why
        if cell.case != "gradient" and self.draws.fill(cell) is not None:
            return "covered", "fuzz_ops_test.py"
        return "empty", ""


def missing_kernels(ledger):
    """(op, attr, dtype) that 1.15 has and we have not."""
    found = []
    for op, _, attrs in ledger.rows:
        ours = ledger.draws.kernels.ours.get(op)
        for attr, dtypes in attrs.items():
            for dtype in dtypes:
                if ours is None or (
                    attr and not any(dtype in kernel.get(attr, {dtype}) for kernel in ours)
                ):
                    if not re.match("q|resource|variant", dtype):
                        found.append((op, attr, dtype))
    return found


def main():
    ledger = Ledger(make_draws())
    counts, table = collections.Counter(), "--table" in sys.argv
    for cell in ledger.cells():
        kind, what = ledger.verdict(cell)
        counts[kind, cell.case] += 1
        if table or kind == "empty":
            where = f"{cell.attr}={cell.dtype}" if cell.dtype else ""
            print(f"{cell.op:40} {where:26} {cell.case:10} {kind:8} {what}")
    for missing in missing_kernels(ledger):
        print("no kernel:", *missing)
    for case in CASES:
        print(f"{case:10}", {k: counts[k, case] for k in ("covered", "reason", "empty")})
    return sum(n for (kind, _), n in counts.items() if kind == "empty")


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
