# SPDX-License-Identifier: Apache-2.0
"""Inputs that the fuzzer does not draw, and allowed differences from TensorFlow's answers.

The differences are rows of op_differences.tsv: a pattern of ops, one of what `differs` in
fuzz_ops.py says, the client's major version if it is of one alone, when it holds, and the reason.
A row without a reason is about a difference that the ops' blocks in graph/ops state (`differs`).
"""

import csv
import functools
import glob
import os
import re

import numpy as np

import interop

# Pattern of ops -> why they are not drawn.
EXCLUDED = {
    "Abort": "ends the process, as it should",
    "Placeholder.*|Const|ImmutableConst|FakeParam": "no inputs to vary",
    "ReadFile|WriteFile|MatchingFiles|Save.*|Restore.*|MergeV2Checkpoints": "files",
    "Print.*|Timestamp|NonDeterministicInts": "prints, or never the same",
}
# Pattern of ops -> why their values (not their shapes) are free.
FREE = {
    "(Batch)?Svd|Qr|Eig|(Batch)?SelfAdjointEig.*": "signs of vectors are free",
    "Empty": "memory as it is",
    "LookupTableExport.*": "in any order",
}


def excluded(op):
    return next((why for pattern, why in EXCLUDED.items() if re.fullmatch(pattern, op)), "")


def ignores_values(op):
    return any(re.fullmatch(pattern, op) for pattern in FREE)


# ---- when a row holds: of a draw -----------------------------------------------------------------


def odd_numbers(drawn):
    """An input has a number that is not finite or near the dtype's largest."""
    for dtype, array in drawn.tensors():
        if "float" in dtype or "complex" in dtype:
            largest = np.abs(array.astype(np.complex128))
            if not np.all(largest < (60000 if dtype == "float16" else 1e29)):
                return True
    return False


def many_halves(drawn):
    """Thousands of half numbers are added up."""
    sizes = [a.size for dtype, a in drawn.tensors() if dtype in ("float16", "bfloat16")]
    return max(sizes, default=0) > 1000


def large_integers(drawn):
    return any(
        "int" in dtype and np.any(abs(a.astype(float)) > 2**30) for dtype, a in drawn.tensors()
    )


def gaps(drawn):
    """Of the rows that indices name, some are named by none."""
    named = np.concatenate([a.ravel() for _, a in drawn.inputs[0]])
    return len(set(named)) <= max(named, default=-1)


def halves(drawn):
    return any("float16" in dtype for dtype, _ in drawn.tensors())


def nearly_singular(drawn):
    """Rounding decides about one of its matrices; least squares square them."""
    most = 1e2 if drawn.op.endswith("SolveLs") else 1e4
    for dtype, array in drawn.tensors():
        if "float" not in dtype and "complex" not in dtype or array.ndim < 2 or not array.size:
            continue
        kind = np.complex128 if "complex" in dtype else np.float64
        with np.errstate(all="ignore"):
            wide = array.astype(kind).reshape(-1, *array.shape[-2:])
            wide = wide[np.isfinite(wide).all(axis=(1, 2))]
            values = np.linalg.svd(wide, compute_uv=False)
            first, last = values[..., 0], values[..., -1]
            if not np.all((first > 0) & (first <= most * last)):
                return True
    return False


def nothing(drawn):
    """An input has no elements, or asks for none."""
    return any(a.size == 0 or "int" in dtype and 0 in a for dtype, a in drawn.tensors())


def repeated_rows(drawn):
    """A matrix of indices holds one of them twice."""
    matrices = [a for dtype, a in drawn.tensors() if dtype == "int64" and a.ndim == 2]
    return any(len(np.unique(a, axis=0)) < len(a) for a in matrices)


def small_pivot(drawn):
    """Elimination row by row, of tridiagonal matrices, divides by something small."""
    diagonals = drawn.inputs[0][1].astype(np.complex128)
    if drawn.attrs.get("partial_pivoting", True):
        return False
    for above, main, below in diagonals.reshape(-1, 3, diagonals.shape[-1]):
        pivot = main[0]
        for i in range(1, len(main)):
            if abs(pivot) < 1e-3:
                return True
            pivot = main[i] - below[i] * above[i - 1] / pivot
        if abs(pivot) < 1e-3:
            return True
    return False


def out_of_order(drawn):
    vectors = [a for dtype, a in drawn.tensors() if "int" in dtype and a.ndim == 1]
    return any(np.any(a[1:] < a[:-1]) for a in vectors)


def wide_strides(drawn):
    """A window moves by more than its size."""
    window = drawn.attrs.get("ksizes", (1, *drawn.inputs[-1][1].shape[:-1]))
    return any(s > k for s, k in zip(drawn.attrs["strides"][1:-1], window[1:-1]))


def encoding(pattern):
    def is_drawn(drawn):
        return re.search(pattern, str(drawn.attrs.get("input_encoding")), re.I) is not None

    return is_drawn


WHEN = {
    "": lambda drawn: True,
    "big5 or gbk": encoding("big5|gbk"),
    "byte order marks": encoding("UTF-?(16|32)'?$"),
    "gaps": gaps,
    "halves": halves,
    "large integers": large_integers,
    "later run": lambda drawn: bool(drawn.before),
    "many halves": many_halves,
    "narrow integers": lambda drawn: drawn.inputs[0][0].endswith(("int8", "int16")),
    "nearly singular": nearly_singular,
    "negative step": lambda drawn: drawn.inputs[-1][1] < 0,
    "nothing": nothing,
    "odd numbers": odd_numbers,
    "out of order": out_of_order,
    "repeated rows": repeated_rows,
    "small pivot": small_pivot,
    "tiny scale": lambda drawn: np.any(drawn.inputs[2][1] < 1e-8),
    "unsorted": lambda drawn: not drawn.attrs.get("sorted", True),
    "unvalidated": lambda drawn: drawn.attrs.get("validate_indices") is False,
    "wide strides": wide_strides,
}


@functools.lru_cache(None)
def rows(major):
    """(ops, difference, when, reason) of what may differ from that TensorFlow."""
    path = os.path.join(os.path.dirname(interop.__file__), "data", "op_differences.tsv")
    with open(path, newline="") as table:
        lines = (line for line in table if not line.startswith("#"))
        listed = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        (re.compile(row["ops"]), re.compile(row["difference"]), WHEN[row["when"]], row["reason"])
        for row in listed
        if row["client"] in ("", str(major))
    ]


@functools.lru_cache(None)
def known_differences():
    """Op -> how it differs from TensorFlow: the line `differs = ...` of its block in graph/ops."""
    ops = os.path.join(os.path.dirname(interop.__file__), "..", "..", "graph", "ops")
    known = {}
    for file in glob.glob(os.path.join(ops, "*.ops")):
        with open(file, encoding="utf-8") as text:
            for block in re.split(r"^(?=op )", text.read(), flags=re.MULTILINE):
                differs = re.search(r"^  differs = (.*)$", block, re.MULTILINE)
                if differs:
                    known[re.match(r"op (\w+)", block)[1]] = differs[1]
    return known


def reason(drawn, difference, major):
    """Why this difference may be; "" if it may not."""
    for ops, what, holds, why in rows(major):
        if ops.fullmatch(drawn.op) and what.search(difference) and holds(drawn):
            why = why or known_differences().get(drawn.op)
            if why:
                return why
    return ""
