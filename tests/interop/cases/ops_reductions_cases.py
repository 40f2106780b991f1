# SPDX-License-Identifier: Apache-2.0
"""Lines of data for reductions and segments."""

import numpy as np

from interop.cases.case import (
    F64,
    FLOATS,
    INF,
    INVALID,
    NAN,
    NUMBERS,
    REALS,
    SIGNED,
    Case,
    between,
    i32,
    i64,
    normal,
    of,
    positive,
)

AXES = [
    ((3, 4), [0]),
    ((3, 4), [1]),
    ((3, 4), [0, 1]),
    ((3, 4), []),
    ((3, 4), [-1]),
    ((2, 3, 4), [0, 2]),
    ((2, 3, 4), [1]),
    ((2, 3, 4), [-2, 0]),
    ((2, 3, 4, 5), [1, 3]),
    ((2, 3, 4, 5), [0, 2]),
    ((), []),
    ((5,), [0]),
    ((2, 1, 3), [1]),
    ((2, 2, 2, 2, 2, 2, 2, 2), [0, 2, 4, 6]),
    ((0, 3), [1]),
    ((3, 0), [0]),
    ((0, 3), [0]),
    ((2, 0, 3), [1]),
    ((0,), [0]),
    ((70, 300), [0]),
    ((70, 300), [1]),
]


def reductions():
    for op in "Sum Prod Max Min Mean EuclideanNorm".split():
        for shape, axes in AXES:
            data = positive(*shape) if op != "Prod" else between(0.9, 1.1, *shape)
            yield Case(
                op,
                data,
                i32(axes),
                types=("float32", "int32") if np.prod(shape) < 1000 else F64,
                keep_dims=len(axes) % 2 == 0,
            )
        yield Case(
            op,
            normal(3, 4),
            i64([1]),
            types=NUMBERS if op not in ("Max", "Min") else REALS,
            rtol=None,
        )
        yield Case(op, normal(3, 4), i32(-1), types=F64)
        yield Case(op, normal(3, 4), i32([2]), error=INVALID)
        yield Case(op, normal(3, 4), i32([-3]), error=INVALID)
        # Axes named twice: corner_cases.py, as in 1.15. 2.x refuses them.
    for op in "Sum Mean Max Min EuclideanNorm".split():
        yield Case(op, positive(300000), i32([0]), types=F64, rtol=3e-5)
        yield Case(op, positive(50000, 3), i32([0]), types=F64, rtol=3e-5)
        yield Case(op, positive(2, 3, 40000), i32([0, 2]), types=F64, rtol=3e-5)
        yield Case(op, positive(3, 5000, 7), i32([1]), types=F64, rtol=3e-5)
    for op in "Max Min".split():
        yield Case(
            op, of([[NAN, 1, 2], [NAN, NAN, NAN], [3, NAN, -INF]]), i32([1]), types=F64, like=1
        )
        yield Case(
            op, of([[NAN, 1, 2], [NAN, NAN, NAN], [3, NAN, -INF]]), i32([0]), types=F64, like=1
        )
    yield Case("Mean", of([-7, 2]), i32([0]), types=SIGNED)
    for shape in ((0,), (0, 3)):
        for kind in NUMBERS:
            like = 2 if kind == "bfloat16" else None  # 0 in 1.15
            yield Case("Mean", normal(*shape), i32([0]), types=(kind,), like=like)
    yield Case("Mean", of([100, 100, 100]), i32([0]), types=("int8", "uint8"), like=1)
    yield Case("Sum", of([100, 100, 100]), i32([0]), types=("int8", "uint8"))
    for op in "All Any".split():
        for shape, axes in AXES:
            yield Case(op, normal(*shape), i32(axes), types=("bool",))
        yield Case(op, normal(3), i32([1]), types=("bool",), error=INVALID)
    for op in "ArgMax ArgMin".split():
        for shape, axis in (
            ((3, 4), 0),
            ((3, 4), 1),
            ((3, 4), -1),
            ((5,), 0),
            ((2, 3, 4), 1),
            ((2, 700), 0),
            ((2, 700), 1),
        ):
            yield Case(
                op, normal(*shape), i32(axis), types=("float32", "int32"), output_type="int64"
            )
            yield Case(op, normal(*shape), i64(axis), output_type="int32")
        yield Case(op, normal(3, 4), i32(0), types=REALS)
        yield Case(op, of([2, 2, 1, 1, 2]), i32(0))
        yield Case(op, of([[NAN, 1, 2], [NAN, NAN, NAN], [-INF, INF, NAN]]), i32(1), types=F64)
        yield Case(op, normal(3), i32(1), error=INVALID)
        yield Case(
            op, normal(0, 2), i32(0), error=INVALID, text="Reduction axis 0 is empty in shape [0,2]"
        )
        yield Case(op, normal(0, 2), i32(1))
        yield Case(op, normal(3), i32([0]), error=INVALID)
    yield Case("L2Loss", normal(3, 4), types=FLOATS)
    yield Case("L2Loss", normal(100000), types=F64)
    yield Case("L2Loss", normal(0))


def segments():
    for op in "SegmentSum SegmentMean SegmentProd SegmentMax SegmentMin".split():
        types = NUMBERS if op not in ("SegmentMax", "SegmentMin") else REALS
        yield Case(op, positive(5, 3), i32([0, 0, 1, 2, 2]), types=types)
        yield Case(op, positive(5), i64([0, 0, 1, 1, 1]))
        yield Case(op, positive(4, 2), i32([0, 0, 3, 3]))
        yield Case(op, positive(4, 2), i32([2, 2, 3, 5]))
        yield Case(op, positive(0, 2), i32([]))
        yield Case(
            op, positive(3), i32([0, 2, 1]), error=INVALID, text="segment ids are not increasing"
        )
        yield Case(op, positive(3), i32([0, 1]), error=INVALID)
        yield Case(op, positive(3), i32([[0], [1], [1]]), error=INVALID)
        for ids, text in (
            ([-1, -1, 0], "Segment id -1 out of range [0, 1), possibly because"),
            ([0, 1, 2, 0], "Segment id 1 out of range [0, 1), possibly because"),
            ([0, 1, 0, 1], "segment ids are not increasing"),
            ([0, 0, -1], "segment ids must be >= 0"),
        ):
            yield Case(op, positive(len(ids)), i32(ids), error=INVALID, text=text)
    for (
        op
    ) in "UnsortedSegmentSum UnsortedSegmentProd UnsortedSegmentMax UnsortedSegmentMin".split():
        types = NUMBERS if op[15:] in ("Sum", "Prod") else REALS
        yield Case(op, positive(5, 3), i32([2, 0, 1, 2, 2]), i32(4), types=types)
        yield Case(op, positive(5, 3), i64([2, -1, 1, 2, -5]), i64(3))
        yield Case(op, positive(2, 3, 2), i32([[0, 1, 0], [1, 1, 2]]), i32(3))
        yield Case(
            op, positive(3), i32([0, 1, 2]), i32(0), error=INVALID, ours="older versions differ"
        )
        yield Case(op, positive(0, 2), i32([]), i32(2))
        yield Case(op, positive(3), i32([0, 1, 2]), i32(2), error=INVALID)
        yield Case(op, positive(3), i32([0, 1]), i32(2), error=INVALID)
        yield Case(op, positive(3), i32([0, 1, 1]), i32(-2), error=INVALID)
    for op in "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split():
        yield Case(op, normal(5, 3), i32([4, 0, 1, 1]), i32([0, 0, 1, 1]), types=F64)
        yield Case(op, normal(5, 3), i32([4, 0, 1]), i32([0, 0, 2]), types=F64)
        yield Case(op, normal(5, 3), i32([]), i32([]))
        yield Case(op, normal(5, 3), i32([5]), i32([0]), error=INVALID)
        yield Case(op, normal(5, 3), i32([-1]), i32([0]), error=INVALID)
        yield Case(
            op,
            normal(5, 3),
            i32([1, 1]),
            i32([1, 0]),
            error=INVALID,
            text="segment ids are not increasing",
        )
        yield Case(op, normal(5, 3), i32([1, 1]), i32([0]), error=INVALID)
        yield Case(op + "Grad", normal(2, 3), i32([0, 1]), i32([0, 2]), i32(5), error=INVALID,
                   text="Invalid number of segments: Segment id 2 out of range [0, 2)")  # fmt: skip
        yield Case(op + "WithNumSegments", normal(5, 3), i32([4, 0, 1]), i32([0, 0, 2]), i32(5))
        yield Case(
            op + "WithNumSegments",
            normal(5, 3),
            i32([4, 0, 1]),
            i32([0, 0, 2]),
            i32(2),
            error=INVALID,
        )
    for op in "SparseSegmentMeanGrad SparseSegmentSqrtNGrad".split():
        yield Case(op, normal(3, 2), i32([4, 0, 1, 4]), i32([0, 0, 1, 2]), i32(6), types=F64)
        yield Case(op, normal(3, 2), i32([6]), i32([0]), i32(6), error=INVALID)
        yield Case(op, normal(3, 2), i32([0]), i32([3]), i32(6), error=INVALID)


FAMILIES = (reductions, segments)
