# SPDX-License-Identifier: Apache-2.0
"""Lines of data for ragged tensors: values, and splits that say where rows begin."""

import numpy as np

from interop.cases.case import (
    F32,
    FLOATS,
    INDEX,
    INF,
    INVALID,
    NAN,
    Case,
    arange,
    i32,
    i64,
    of,
)

EVERYTHING = (*FLOATS, "int8", "int32", "int64", "bool", "string", "complex64")


def ranges():
    types = ("float32", "float64", "int32", "int64")
    rows = (
        (0, 5, 1),
        (5, 0, -2),
        (0, -3, 1),
        ([0, 5, 8], [3, 5, 12], [1, 1, 3]),
        (0, [3, 5, 0], 1),
        ([0, 3], 10, [2, -1]),
        ([], [], []),
    )
    for splits in INDEX:
        for starts, limits, deltas in rows:
            yield Case(
                "RaggedRange", of(starts), of(limits), of(deltas), types=types, Tsplits=splits
            )
    yield Case("RaggedRange", of(0.0), of(1.0), of(0.1), types=("float32", "float64"))
    bad = {"types": types, "error": INVALID}
    for numbers in ((1.0, INF, INF), (0.0, 1.0, NAN), (0.0, INF, 1.0)):
        floats = {"types": ("float32", "float64"), "error": INVALID, "like": 2}
        yield Case("RaggedRange", *(of(number) for number in numbers), **floats)
    yield Case("RaggedRange", of([0]), of([5]), of([0]), text="Requires delta != 0", **bad)
    yield Case("RaggedRange", of([0, 1]), of([1, 2, 3]), of(1), text="the same shape", **bad)
    yield Case("RaggedRange", of([[0]]), of(5), of(1), text="must be a scalar or vector", **bad)


def gathers():
    def case(outer, indices, values=None, types=F32, **kw):
        rank = np.ndim(indices) + len(outer) - 1
        for index in (i32, i64):
            yield Case(
                "RaggedGather",
                outer,
                values or arange(5, 2),
                index(np.array(indices, dtype=np.int64)),
                types=types,
                OUTPUT_RAGGED_RANK=rank,
                **kw,
            )

    for splits in (i32, i64):
        rows, nested = splits([0, 2, 2, 5]), splits([0, 1, 3])
        for indices in ([2, 0, 1, 2], [[0, 2], [1, 1]], [], 1, [[[0]]]):
            yield from case([rows], indices)
        for indices in ([1, 0, 1], [[0], [1]], 1):
            yield from case([nested, rows], indices)
        for indices in ([3], [-1], [[0, 9]]):
            yield from case([rows], indices, error=INVALID, text=" is not in [0, 3)")
        for wrong, text in (
            ([0, 2, 1, 5], "must be sorted"),
            ([0, 2, 2, 9], "must not point past values"),
        ):
            yield from case([splits(wrong)], [0], error=INVALID, text=text)
    yield from case([i64([0, 2, 5])], [1, 1, 0], arange(5), types=EVERYTHING)
    yield from case([i64([0])], [], arange(0, 3))
    yield from case([i64([0, 1])], [0], of(7.0), error=INVALID)


def to_sparse():
    def case(outer, values, **kw):
        return Case("RaggedTensorToSparse", outer, values, **kw)

    for splits in (i32, i64):
        rows, nested = splits([0, 2, 2, 5]), splits([0, 1, 3])
        for values in (arange(5), arange(5, 2), arange(5, 2, 3), arange(5, 0)):
            yield case([rows], values)
            yield case([nested, rows], values)
        for wrong, text in (
            ([0, 2, 1, 5], "non decreasing"),
            ([0, 2, 2, 9], "must match the length"),
            ([1, 5], "must be 0"),
        ):
            yield case([splits(wrong)], arange(5), error=INVALID, like=2, text=text)
    yield case([i64([0, 2, 5])], arange(5), types=EVERYTHING)
    yield case([i64([0, 0, 0])], arange(0, 3))
    yield case([i64([0])], arange(0))


def to_tensor():
    def case(shape, values, default, kinds, *partitions, index=i64, **kw):
        return Case(
            "RaggedTensorToTensor",
            index(shape),
            values,
            default,
            [index(partition) for partition in partitions],
            row_partition_types=[kind.encode() for kind in kinds.split()],
            **kw,
        )

    rows, nested = [0, 3, 3, 6], [0, 2, 3]
    ids, of_rows = [0, 0, 0, 2, 2, 2], [0, 0, 1]
    for index in (i32, i64):
        for shape in (-1, [-1, -1], [2, 2], [5, 4], [-1, 1], [0, -1], [-1, 0]):
            yield case(shape, arange(6), of(9), "ROW_SPLITS", rows, index=index)
            yield case(shape, arange(6), of(9), "FIRST_DIM_SIZE VALUE_ROWIDS", 3, ids, index=index)
    for shape in (-1, [-1, -1, -1], [2, 2, 2], [3, 3, 3], [-1, 1, -1]):
        yield case(shape, arange(6), of(9), "ROW_SPLITS ROW_SPLITS", nested, rows)
        kinds = "FIRST_DIM_SIZE VALUE_ROWIDS VALUE_ROWIDS"
        yield case(shape, arange(6), of(9), kinds, 2, of_rows, ids)
    for default in (7, [5, 6], [5]):
        yield case(-1, arange(6, 2), of(default), "ROW_SPLITS", rows)
    yield case(-1, arange(6), arange(), "ROW_SPLITS", rows, types=EVERYTHING)
    yield case(-1, arange(0), of(9), "ROW_SPLITS", [0, 0])
    bad = {"error": INVALID, "like": 2}
    for shape, values in (([3, 3, 3], arange(6)), ([3], arange(6)), ([-1, -1, 3], arange(6, 2))):
        yield case(shape, values, of(9), "ROW_SPLITS", rows, text="are incompatible", **bad)
    yield case(-1, arange(6, 2), of([5, 6, 7]), "ROW_SPLITS", rows, text="shape[-1] = 3", **bad)
    yield case(-2, arange(6), of(9), "ROW_SPLITS", rows, text="fully unknown shape", **bad)
    kinds = "FIRST_DIM_SIZE VALUE_ROWIDS"
    for wrong, text in (
        ([0, 0, 0, 2, 2, 2], "next_value_rowid=2"),
        ([5] * 6, "current_value_rowid=5"),
    ):
        yield case(-1, arange(6), of(9), kinds, 2, wrong, text=text, **bad)


FAMILIES = (ranges, gathers, to_sparse, to_tensor)
