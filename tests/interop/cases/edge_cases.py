# SPDX-License-Identifier: Apache-2.0
"""Cases that the fuzzer found: what is checked where there is nothing to compute."""

from interop.cases.case import INVALID, Case, between, i32, i64, known, normal, of, positive

F64 = ("float64",)


def edges():
    rank_one = [i64([[0], [1]]), i64([5, 6]), i64([4])]
    yield Case("EditDistance", *rank_one, *rank_one, types=("int64",), error=INVALID)
    yield Case("Split", i32([1]), normal(4, 6), num_split=2, error=INVALID)
    for sizes in ([3, 0, -1], [0, 5, -1], [-1, 0]):
        yield Case("Reshape", normal(2, 0, 4), i32(sizes))
    yield Case("LinSpace", of(1.0), of(float("nan")), i32(4), types=F64)
    ends = [(-2.0, 2.0), (-1.0, 2.0), (-2.0, 1.0)]
    for low, high in ends:
        first = {"mode": "MIN_FIRST", "like": 1}
        yield Case("QuantizeV2", normal(50), of(low), of(high), T="qint8", **first)
        yield Case("QuantizeV2", normal(50), of(low), of(high), T="quint8", **first)
    # Of a mask, the bits beyond the slices count too.
    one = i32([1]), i32([2]), i32([1])
    yield Case("StridedSlice", normal(3, 4), *one, ellipsis_mask=6, error=INVALID)
    yield Case("GatherNd", normal(2, 0, 2), i32([[0]]), error=INVALID)
    yield Case("MatrixDiagV2", normal(2, 0), i32(1), i32(-1), i32(-1), of(9), types=("int32",))
    vectors = [positive(2, dtype="float32") for _ in range(4)]
    yield Case("FusedBatchNormV2", normal(1, 2, 2, 2, 2), *vectors, U="float32", error=INVALID)
    # A window a little larger than the image has no place.
    sliding = {"strides": [1, 2, 2, 1], "padding": "VALID"}
    yield Case("Conv2D", normal(2, 1, 8, 1), normal(4, 2, 1, 1), types=F64, **sliding)
    yield Case("MaxPool", normal(2, 1, 8, 1), ksize=[1, 4, 2, 1], types=F64, **sliding)
    yield Case("MaxPool", normal(2, 1, 8, 1), ksize=[1, 6, 2, 1], error=INVALID, **sliding)
    # REFLECT leaves out the edge, which nothing has not.
    none = normal(2, 0), i32([[0, 0], [0, 0]])
    yield Case("MirrorPad", *none, mode="REFLECT", types=F64, error=INVALID)
    yield Case("MirrorPad", *none, mode="SYMMETRIC", types=F64)
    yield Case("MirrorPadGrad", *none, mode="REFLECT", types=F64, error=INVALID)
    yield Case("ShardedFilename", of(b"m", "string"), i32([1]), i32(2), error=INVALID)
    boxes = known(of([[[0.0, 0.0, 1.0, 1.0]]], "float32"))
    colours = between(0, 1, 2, 1, dtype="float32")
    yield Case("DrawBoundingBoxesV2", normal(1, 4, 4, 3), boxes, colours, error=INVALID)
    colours = between(0, 1, 0, 0, dtype="float32")
    yield Case("DrawBoundingBoxesV2", normal(1, 4, 4, 3), boxes, colours, error=INVALID)


FAMILIES = (edges,)
