# SPDX-License-Identifier: Apache-2.0
"""Ops of later clients: ops of 1.15 whose arguments of one type now have an attribute for it,
and ops that took the place of others.
"""

from interop.cases.case import F64, FLOATS, INVALID, Case, i32, i64, normal, of


def later(op, *inputs, **kw):
    """Only a later TensorFlow has an answer."""
    return Case(op, *inputs, like=2, **kw)


def segment_ids():
    for op in "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split():
        yield later(op, normal(5, 3), i32([4, 0, 1, 1]), i64([0, 0, 1, 1]), types=FLOATS)
        yield later(op, normal(5, 3), i64([4, 0, 1]), i64([0, 0, 2]), types=F64)
        yield later(op, normal(5, 3), i64([1, 1]), i64([1, 0]), error=INVALID)
        counted = op + "WithNumSegments"
        yield later(counted, normal(5, 3), i32([4, 0]), i64([0, 2]), i32(5))
        for ids in (i32, i64):
            rows = i32([4, 0, 1, 4]), ids([0, 0, 1, 2])
            grad = op + "Grad"
            yield later(grad, normal(3, 2), *rows, i32(6), types=F64)
            named = op + "GradV2"
            yield later(named, normal(3, 2), *rows, i32(6), types=FLOATS)
            yield later(named, normal(3), i64([7, 7, 2]), ids([1, 2, 2]), i32(9), types=F64)
            yield later(named, normal(3, 2), i32([]), ids([]), i32(6))
            yield later(named, normal(3, 2), i32([6]), ids([0]), i32(6), error=INVALID)
            yield later(named, normal(3, 2), i32([0]), ids([3]), i32(6), error=INVALID)
            yield later(named, normal(3, 2), i32([0, 1]), ids([0]), i32(6), error=INVALID)


def top_k():
    for k in ("int16", "int32", "int64"):
        for places in ("int16", "int32", "int64"):
            yield later("TopKV2", normal(3, 9), of(4, k), index_type=places)


def real_transforms():
    for rank, length in (("", [5]), ("2D", [4, 5]), ("3D", [2, 3, 4])):
        x, half = normal(2, 3, 4, 5), length[:-1] + [length[-1] // 2 + 1]
        for t, c in (("float32", "complex64"), ("float64", "complex128")):
            tolerance = {"rtol": 1e-4, "atol": 1e-4}
            yield later("RFFT" + rank, x, i32(length), types=(t,), Tcomplex=c, **tolerance)
            spectrum = normal(2, *([3] * (3 - len(half))), *half)
            yield later("IRFFT" + rank, spectrum, i32(length), types=(c,), Treal=t, **tolerance)


def offsets():
    for value in (i32, i64):
        yield later("ConcatOffset", i32(1), [value([2, 3]), value([2, 5]), value([2, 0])])
        yield later("ConcatOffset", i32(1), [value([2, 3]), value([1, 5])], error=INVALID)


def dense_bincount():
    for t in ("int32", "int64", "float32", "float64"):
        none = of([], t)
        for ids in (i32, i64):
            size = ids(4)
            yield later("DenseBincount", ids([1, 2, 2, 5]), size, none)
            yield later("DenseBincount", ids([1, 2, 2, 5]), size, of([1, 2, 3, 4], t))
            for binary in (False, True):
                yield later(
                    "DenseBincount",
                    ids([[1, 2, 3], [2, 2, 9]]),
                    size,
                    of([[1, 2, 3], [4, 5, 6]], t),
                    binary_output=binary,
                )
    none = of([], "float32")
    yield later("DenseBincount", i32([]), i32(3), none)
    yield later("DenseBincount", i32([[], []]), i32(3), none)
    yield later("DenseBincount", i32(2), i32(3), none)
    yield later("DenseBincount", i32([1, 2]), i32(0), none)
    yield later("DenseBincount", i32([1, -2]), i32(3), none, error=INVALID)
    yield later("DenseBincount", i32([1, 2]), i32(-3), none, error=INVALID)
    yield later("DenseBincount", i32([1, 2]), i32([3]), none, error=INVALID)
    yield later("DenseBincount", i32([[[1, 2]]]), i32(3), none, error=INVALID)
    yield later("DenseBincount", i32([1, 2]), i32(3), of([1.0]), error=INVALID)


FAMILIES = (dense_bincount, segment_ids, top_k, real_transforms, offsets)
