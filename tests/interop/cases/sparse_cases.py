# SPDX-License-Identifier: Apache-2.0
"""Lines of data for sparse tensors and sets."""

import numpy as np

from interop.cases.case import (
    ANY,
    COMPLEX,
    F64,
    INDEX,
    INVALID,
    NAN,
    NUMBERS,
    REALS,
    Case,
    i32,
    i64,
    normal,
    of,
    positive,
)

ROWS = [[0, 1], [0, 3], [2, 0], [3, 3]]
OTHER = [[0, 0], [0, 3], [1, 1], [2, 0], [3, 2]]
CUBE = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 2], [1, 2, 1]]


def sparse(rows, shape, values=normal):
    """The three inputs of a sparse tensor."""
    rank = len(shape)
    return (
        index_rows(rows, rank),
        values(len(rows)),
        i64(shape),
    )


def index_rows(rows, rank):
    return i64(np.array(rows, dtype=np.int64).reshape(len(rows), rank))


def sparse_orders():
    for rows, shape in (
        ([[2, 0], [0, 3], [0, 1], [3, 3]], [4, 4]),
        (ROWS, [4, 4]),
        ([], [4, 4]),
        ([[5], [1]], [6]),
        ([[0, 1, 0, 1, 2], [0, 0, 1, 0, 0]], [1, 2, 2, 2, 3]),
    ):
        yield Case("SparseReorder", *sparse(rows, shape))
    yield Case("SparseReorder", *sparse([[2, 0], [0, 3]], [4, 4]), types=ANY)
    yield Case("SparseReorder", *sparse([[0, 2], [1, 7]], [2, 5]))
    yield Case("SparseReorder", *sparse([[1, 7], [-1, 2]], [2, 5]))
    yield Case("SparseReorder", i64([1, 2]), normal(2), i64([3, 3]), error=INVALID)
    yield Case("SparseReorder", i64([[1, 2]]), normal(1, 1), i64([3, 3]), error=INVALID)


def sparse_crosses():
    rows, values = i64([[0, 0], [1, 0], [1, 1]]), of(["a", "b", "c"], "string")
    dense = [i64([[1, 2], [3, 4]])]
    for sep in "_X_", "", " and ":
        sep = of(sep, "string")
        yield Case("SparseCrossV2", [rows], [values], [i64([2, 2])], dense, sep)
    sep = of(["x"], "string")
    yield Case("SparseCrossV2", [rows], [values], [i64([2, 2])], dense, sep, error=INVALID)


def sparse_reshapes():
    for new in ([16], [2, 8], [2, -1], [-1], [4, 2, 2], [1, 4, 1, 2, 2], [4, 4]):
        yield Case("SparseReshape", i64(ROWS), i64([4, 4]), i64(new))
    yield Case("SparseReshape", index_rows([], 2), i64([0, 4]), i64([4, 0]))
    for new in ([5], [-1, -1], [-2, 8], [3, -1], [0, -1]):
        yield Case("SparseReshape", i64(ROWS), i64([4, 4]), i64(new), error=INVALID)


def sparse_parts():
    for op_types in (ANY,):
        yield Case(
            "SparseConcat",
            [i64(ROWS), i64(OTHER)],
            [normal(4), normal(5)],
            [i64([4, 4]), i64([4, 5])],
            concat_dim=1,
            types=op_types,
        )
    for axis in (0, -2):
        yield Case(
            "SparseConcat",
            [i64(ROWS), i64(OTHER), index_rows([], 2)],
            [normal(4), normal(5), normal(0)],
            [i64([4, 4]), i64([5, 4]), i64([7, 4])],
            concat_dim=axis,
        )
    yield Case(
        "SparseConcat",
        [i64(ROWS), i64(OTHER)],
        [normal(4), normal(5)],
        [i64([4, 4]), i64([4, 5])],
        concat_dim=0,
        error=INVALID,
    )
    yield Case(
        "SparseConcat",
        [i64(ROWS), i64(OTHER)],
        [normal(4), normal(5)],
        [i64([4, 4]), i64([4, 4])],
        concat_dim=2,
        error=INVALID,
    )
    for axis, parts in ((0, 2), (1, 3), (1, 4), (0, 1), (1, 1)):
        yield Case("SparseSplit", i64(axis), *sparse(ROWS, [4, 4]), num_split=parts)
        yield Case("SparseSplit", i64(axis), *sparse(CUBE, [3, 5, 4]), num_split=min(parts, 3))
    yield Case("SparseSplit", i64(0), *sparse(ROWS, [4, 4]), num_split=2, types=ANY)
    yield Case("SparseSplit", i64(2), *sparse(ROWS, [4, 4]), num_split=2, error=INVALID)
    yield Case("SparseSplit", i64(0), *sparse(ROWS, [4, 4]), num_split=5, error=INVALID)


def sparse_slices():
    for start, size in (
        ([0, 0], [4, 4]),
        ([0, 1], [3, 3]),
        ([2, 0], [9, 1]),
        ([4, 4], [1, 1]),
        ([0, 0], [0, 4]),
    ):
        yield Case("SparseSlice", *sparse(ROWS, [4, 4]), i64(start), i64(size))
    yield Case("SparseSlice", *sparse(ROWS, [4, 4]), i64([0, 1]), i64([3, 3]), types=ANY)
    yield Case("SparseSlice", *sparse(ROWS, [4, 4]), i64([9, 0]), i64([1, 4]), like=2)
    yield Case("SparseSlice", *sparse(ROWS, [4, 4]), i64([0]), i64([3]), error=INVALID)
    yield Case(
        "SparseSliceGrad",
        normal(3),
        i64(ROWS),
        i64([0, 0]),
        i64([[0, 1], [0, 3], [2, 0]]),
        types=NUMBERS,
    )
    yield Case("SparseSliceGrad", normal(2), i64(ROWS), i64([1, 0]), i64([[1, 0], [2, 3]]))
    yield Case(
        "SparseSliceGrad", normal(1), i64(ROWS), i64([0, 0]), i64([[0, 1], [0, 3]]), error=INVALID
    )


def sparse_fills():
    yield Case("SparseFillEmptyRows", *sparse(ROWS, [6, 4]), normal(), types=ANY)
    yield Case("SparseFillEmptyRows", *sparse([[3, 1], [0, 2], [3, 0]], [5, 4]), normal())
    yield Case("SparseFillEmptyRows", *sparse([], [3, 4]), normal())
    yield Case("SparseFillEmptyRows", *sparse([], [0, 4]), normal())
    yield Case("SparseFillEmptyRows", *sparse(CUBE, [2, 3, 3]), normal())
    yield Case("SparseFillEmptyRows", *sparse(ROWS, [3, 4]), normal(), error=INVALID)
    yield Case("SparseFillEmptyRows", *sparse(ROWS, [0, 4]), normal(), error=INVALID)
    yield Case("SparseFillEmptyRows", *sparse(ROWS, [5, 4]), normal(1), error=INVALID)
    yield Case("SparseFillEmptyRowsGrad", i64([0, 1, 3]), normal(5), types=NUMBERS)
    yield Case("SparseFillEmptyRowsGrad", i64([]), normal(2))
    yield Case("SparseFillEmptyRowsGrad", i64([0, 5]), normal(5), error=INVALID)


ADDABLE = ("float32", "float64", "int8", "int16", "int32", "int64")


def sparse_arithmetic():
    a, b = sparse(ROWS, [4, 4]), sparse(OTHER, [4, 4])
    for t in ADDABLE:
        yield Case("SparseAdd", *a, *b, of(0, t), types=(t,))
        yield Case("SparseAdd", *a, *b, of(2, t), types=(t,))
    yield Case("SparseAdd", *a, *b, of(0.5, "float32"), types=("complex64",))
    yield Case("SparseAdd", *a, *b, of(0.5, "float64"), types=("complex128",))
    yield Case("SparseAdd", *sparse([], [4, 4]), *b, of(0, "float32"))
    yield Case(
        "SparseAdd", i64([[0]]), of([NAN]), i64([1]), *sparse([[0]], [1]), of(0.0, "float32")
    )
    yield Case("SparseAdd", *a, *sparse(OTHER, [4, 5]), of(0, "float32"), error=INVALID)
    yield Case("SparseAdd", *a, *b, of([0], "float32"), error=INVALID)
    both = [[0, 0], [0, 1], [0, 3], [1, 1], [2, 0], [3, 2], [3, 3]]
    yield Case(
        "SparseAddGrad", normal(7), i64(ROWS), i64(OTHER), i64(both), types=ADDABLE + COMPLEX
    )
    yield Case("SparseAddGrad", normal(3), i64(ROWS), i64(OTHER), i64(both[1:4]))
    yield Case("SparseAddGrad", normal(2), i64(ROWS), i64(OTHER), i64(both[1:4]), error=INVALID)
    for op in ("SparseSparseMaximum", "SparseSparseMinimum"):
        yield Case(op, *a, *b, types=REALS)
        yield Case(op, *sparse([], [4, 4]), *b)
        yield Case(op, *a, *sparse(OTHER, [4, 5]), error=INVALID)
        for row in ([0, 4], [-1, 0]):
            outside, refused = sparse([row], [4, 4]), {"error": INVALID, "like": 2}
            yield Case(op, *a, *outside, text="out of bounds", **refused)
            yield Case(op, *outside, *b, text="out of bounds", **refused)
    for t in INDEX:
        yield Case(
            "SparseTensorDenseAdd",
            of(ROWS, t),
            normal(4),
            of([4, 4], t),
            normal(4, 4),
            types=NUMBERS,
        )
        yield Case(
            "SparseTensorDenseAdd",
            of(CUBE, t),
            normal(5),
            of([2, 3, 4], t),
            normal(2, 3, 4),
            types=F64,
        )
        yield Case(
            "SparseTensorDenseAdd",
            of(ROWS, t),
            normal(4),
            of([4, 5], t),
            normal(4, 4),
            error=INVALID,
        )
    yield Case(
        "SparseTensorDenseAdd", i64([[4, 0]]), normal(1), i64([4, 4]), normal(4, 4), error=INVALID
    )
    for op, right in (
        ("SparseDenseCwiseAdd", normal),
        ("SparseDenseCwiseMul", normal),
        ("SparseDenseCwiseDiv", positive),
    ):
        yield Case(op, *a, right(4, 4), types=[t for t in REALS if op[-1] != "v" or "int" not in t])
        for dense in ((4,), (1,), (), (4, 1), (1, 4)):
            yield Case(op, *a, right(*dense), types=F64)
        yield Case(op, *sparse(CUBE, [2, 3, 3]), right(3, 1), types=F64)
        yield Case(op, *a, right(3), error=INVALID)
        yield Case(op, *a, right(2, 4, 4), error=INVALID)
    yield Case("SparseDenseCwiseDiv", *a, of([1, 2, 3, -3]), types=("int32", "int64", "int8"))
    yield Case("SparseDenseCwiseDiv", *a, of([1, 2, 3, 7]), types=("int16", "uint8", "uint16"))
    yield Case(
        "SparseDenseCwiseDiv",
        *a,
        of([0, 0, 0, 0]),
        types=("int32",),
        error=INVALID,
        ours="TensorFlow dies of SIGFPE",
    )


PRODUCTS = ("float32", "float64", "complex64", "complex128", "int32")


def sparse_products():
    for ta in (False, True):
        for tb in (False, True):
            rows = [[0, 1], [0, 3], [2, 0], [2, 3]]
            b = (4, 5) if not ta else (3, 5)
            for t in INDEX:
                yield Case(
                    "SparseTensorDenseMatMul",
                    of(rows, t),
                    normal(4),
                    i64([3, 4]),
                    normal(*(b[::-1] if tb else b)),
                    adjoint_a=ta,
                    adjoint_b=tb,
                    types=[t for t in PRODUCTS if not ((ta or tb) and t.startswith("c"))],
                )
                if ta or tb:  # TensorFlow 1.15 forgets to conjugate
                    yield Case(
                        "SparseTensorDenseMatMul",
                        of(rows, t),
                        normal(4),
                        i64([3, 4]),
                        normal(*(b[::-1] if tb else b)),
                        adjoint_a=ta,
                        adjoint_b=tb,
                        types=COMPLEX,
                        like=2,
                    )
            wide = (4, 70) if not ta else (3, 70)
            yield Case(
                "SparseTensorDenseMatMul",
                i64(rows),
                normal(4),
                i64([3, 4]),
                normal(*(wide[::-1] if tb else wide)),
                adjoint_a=ta,
                adjoint_b=tb,
            )
    yield Case("SparseTensorDenseMatMul", index_rows([], 2), normal(0), i64([3, 4]), normal(4, 2))
    yield Case("SparseTensorDenseMatMul", i64(ROWS), normal(4), i64([4, 4]), normal(4, 0))
    yield Case(
        "SparseTensorDenseMatMul",
        i64(ROWS),
        normal(4),
        i64([4, 4]),
        normal(5, 2),
        error=INVALID,
        text="Did you forget a transpose?",
    )
    yield Case(
        "SparseTensorDenseMatMul",
        i64([[0, 4]]),
        normal(1),
        i64([4, 4]),
        normal(4, 2),
        error=INVALID,
        text="k (4) from index[0,1] out of bounds (>=4)",
    )
    yield Case(
        "SparseTensorDenseMatMul",
        i64([[4, 0]]),
        normal(1),
        i64([4, 4]),
        normal(4, 2),
        error=INVALID,
    )
    # Nothing to multiply with: no index is read.
    yield Case(
        "SparseTensorDenseMatMul", i64([[0, -100], [3, 3]]), normal(2), i64([4, 4]), normal(4, 0)
    )
    yield Case(
        "SparseTensorDenseMatMul", i64(ROWS), normal(4), i64([4, 4]), normal(4), error=INVALID
    )


def sparse_reductions():
    for op in (
        "SparseReduceSum",
        "SparseReduceSumSparse",
        "SparseReduceMax",
        "SparseReduceMaxSparse",
    ):
        types = NUMBERS if "Sum" in op else REALS
        yield Case(op, *sparse(CUBE, [2, 3, 3]), i32([1]), types=types)
        for keep in (False, True):
            for axes in ([0], [1, 2], [0, 2], [-1], [0, 1, 2], [], 1):
                yield Case(op, *sparse(CUBE, [2, 3, 4]), i32(axes), keep_dims=keep)
        yield Case(op, *sparse([], [2, 3]), i32([1]))
        yield Case(op, *sparse(CUBE, [2, 3, 3]), i32([3]), error=INVALID)
    yield Case("SparseSoftmax", *sparse(CUBE, [2, 3, 3]), types=F64)
    yield Case("SparseSoftmax", *sparse(ROWS, [4, 4]), types=F64)
    yield Case("SparseSoftmax", *sparse([], [4, 4]), types=F64)
    yield Case("SparseSoftmax", *sparse([[1]], [4]), error=INVALID)


FAMILIES = (
    sparse_orders,
    sparse_crosses,
    sparse_reshapes,
    sparse_parts,
    sparse_slices,
    sparse_fills,
    sparse_arithmetic,
    sparse_products,
    sparse_reductions,
)
