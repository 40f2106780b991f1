# SPDX-License-Identifier: Apache-2.0
"""Lines of data for gathers, moves, diagonals and picks."""

import numpy as np

from interop.cases.case import (
    ANY,
    F32,
    F64,
    INDEX,
    INF,
    INVALID,
    NAN,
    NUMBERS,
    REALS,
    Case,
    arange,
    between,
    i32,
    i64,
    known,
    normal,
    of,
)


def gathers():
    yield Case("Gather", arange(4, 3), i32([3, 0, 3]), types=ANY)
    yield Case("GatherV2", arange(4, 3), i32([[3, 0], [1, 1]]), i32(0), types=ANY)
    yield Case("GatherV2", arange(4, 3), i64([2, 0]), i32(1))
    yield Case("GatherV2", arange(2, 4, 3), i32([3, 1]), i64(-2))
    yield Case("GatherV2", arange(4, 3), i32(2), i32(0))
    yield Case("GatherV2", arange(4, 3), i32([]), i32(0))
    yield Case("GatherV2", arange(2, 4, 3), i32([[3, 1], [0, 2]]), i32(1), batch_dims=1)
    yield Case("GatherV2", arange(2, 3, 4), i32([[3, 1], [0, 2]]), i32(2), batch_dims=1)
    yield Case(
        "GatherV2", arange(2, 3, 4), i32([[[3], [1], [0]], [[0], [2], [1]]]), i32(2), batch_dims=-1
    )
    yield Case("GatherV2", arange(3, 1000), i32([2, 0]), i32(0))
    yield Case(
        "GatherV2",
        arange(2),
        i32([0, 2]),
        i32(0),
        error=INVALID,
        text="indices[1] = 2 is not in [0, 2)",
    )
    yield Case(
        "GatherV2",
        arange(2),
        i32([[0], [-1]]),
        i32(0),
        error=INVALID,
        text="indices[1,0] = -1 is not in [0, 2)",
    )
    yield Case(
        "GatherV2", arange(2), i32(5), i32(0), error=INVALID, text="indices = 5 is not in [0, 2)"
    )
    yield Case("GatherV2", arange(2, 2), i32([0]), i32(2), error=INVALID)
    yield Case("GatherV2", normal(), i32([0]), i32(0), error=INVALID)
    yield Case("GatherV2", arange(0, 2), i32([0]), i32(0), error=INVALID)
    yield Case(
        "GatherV2", arange(2, 3), i32([[0], [1], [1]]), i32(1), batch_dims=1, error=INVALID, like=2
    )
    yield Case("GatherV2", arange(2, 3), i32([0]), i32(1), batch_dims=2, error=INVALID)
    yield Case(
        "GatherV2", arange(2, 3), i32([[0], [1]]), i32(0), batch_dims=1, error=INVALID, like=2
    )


def gathers_nd():
    yield Case("GatherNd", arange(4, 3), i32([[3], [0]]), types=ANY)
    yield Case("GatherNd", arange(4, 3), i64([[3, 1], [0, 2]]))
    yield Case("GatherNd", arange(4, 3), i32([[[3, 1]], [[0, 2]]]))
    yield Case("GatherNd", arange(4, 3), i32([1]))
    yield Case("GatherNd", arange(4, 3), of(np.zeros((2, 0)), "int32"))
    yield Case(
        "GatherNd",
        arange(3),
        i32([[5]]),
        error=INVALID,
        text="indices[0] = [5] does not index into",
    )
    yield Case("GatherNd", arange(3), i32([[-1]]), error=INVALID)
    yield Case("GatherNd", arange(3), i32([[0, 0]]), error=INVALID)
    yield Case("GatherNd", arange(3), i32(0), error=INVALID)


def scatters_nd():
    yield Case(
        "ScatterNd", i32([[1], [3], [1]]), arange(3, 2), i32([4, 2]), types=NUMBERS + ("string",)
    )
    yield Case("ScatterNd", i64([[1, 1], [0, 0]]), arange(2), i64([2, 3]))
    yield Case("ScatterNd", of(np.zeros((0, 1)), "int32"), arange(0), i32([3]))
    yield Case(
        "ScatterNd",
        i32([[4]]),
        arange(1),
        i32([4]),
        error=INVALID,
        text="indices[0] = [4] does not index into shape [4]",
    )
    yield Case("ScatterNd", i32([[-1]]), arange(1), i32([4]), error=INVALID)
    yield Case("ScatterNd", i32([[1]]), arange(2), i32([4]), error=INVALID)
    yield Case("ScatterNd", i32([[1]]), arange(1), i32([-4]), error=INVALID)
    yield Case("ScatterNd", i32([[0]]), arange(1), i32([0]), error=INVALID)
    for op in "TensorScatterUpdate TensorScatterAdd TensorScatterSub".split():
        yield Case(
            op, arange(4, 2), i32([[1], [3]]), arange(2, 2), types=("float32", "int32", "complex64")
        )
        yield Case(op, arange(4, 2), i32([[1, 0], [1, 0]]), arange(2))
        yield Case(op, arange(4), i32([[4]]), arange(1), error=INVALID)
    for op in "TensorScatterMax", "TensorScatterMin":
        yield Case(op, normal(4, 2), i32([[1], [3]]), normal(2, 2), types=("float32", "int32"))
    yield Case("ScatterNdNonAliasingAdd", arange(4), i32([[1], [1]]), arange(2))


def transposes():
    yield Case("Transpose", arange(2, 3), i32([1, 0]), types=ANY)
    yield Case("Transpose", arange(2, 3, 4), i32([2, 0, 1]), types=ANY)
    for perm in ([0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 3, 1], [0, 3, 1, 2], [1, 0, 3, 2]):
        yield Case("Transpose", arange(2, 3, 4, 5), i64(perm))
    yield Case("Transpose", arange(130, 70), i32([1, 0]), types=("float32", "uint8", "complex128"))
    yield Case("Transpose", arange(2, 1, 3, 1, 2, 2, 1, 2), i32([7, 0, 5, 3, 1, 2, 6, 4]))
    yield Case("Transpose", normal(), i32([]))
    yield Case("Transpose", normal(0, 3), i32([1, 0]))
    for op in ("Transpose", "ConjugateTranspose"):  # since 2.x axes are counted from the end too
        yield Case(op, arange(2, 3, 4), i32([-1, 0, -2]), like=2)
        yield Case(op, arange(2, 3), i64([0, -2]), error=INVALID, text="1 is missing", like=2)
    yield Case("Transpose", arange(2, 3), i32([0]), error=INVALID)
    yield Case("Transpose", arange(2, 3), i32([0, 0]), error=INVALID)
    yield Case("Transpose", arange(2, 3), i32([0, 2]), error=INVALID)
    yield Case("Transpose", arange(2, 3), i32([[0, 1]]), error=INVALID)
    yield Case(
        "ConjugateTranspose",
        normal(2, 3),
        i32([1, 0]),
        types=("complex64", "complex128", "float32"),
    )
    yield Case("ConjugateTranspose", normal(2, 3), i32([0, 1]), types=("complex64",))
    yield Case("InvertPermutation", of([3, 4, 0, 2, 1]), types=INDEX)
    yield Case("InvertPermutation", of([0, 0]), types=INDEX, error=INVALID)
    yield Case("InvertPermutation", of([0, 2]), types=INDEX, error=INVALID)
    yield Case("InvertPermutation", of([[0]]), types=INDEX, error=INVALID)


def reversals():
    yield Case("ReverseV2", arange(3, 4), i32([0]), types=NUMBERS + ("bool", "string"))
    yield Case("ReverseV2", arange(3, 4), i64([-1]))
    yield Case("ReverseV2", arange(3, 4, 2), i32([0, 2]))
    yield Case("ReverseV2", arange(3, 4), i32([]))
    yield Case("ReverseV2", arange(3, 4), i32([2]), error=INVALID)
    yield Case("ReverseV2", arange(3, 4), i32([0, -2]), error=INVALID)
    yield Case("Reverse", arange(3, 4), of([True, False], "bool"))
    yield Case("Reverse", arange(3, 4), of([True], "bool"), error=INVALID)
    yield Case(
        "ReverseSequence",
        arange(3, 4, 2),
        i64([2, 4, 0]),
        seq_dim=1,
        batch_dim=0,
        types=NUMBERS + ("bool",),
    )
    yield Case("ReverseSequence", arange(3, 4, 2), i32([1, 3, 2, 0]), seq_dim=0, batch_dim=1)
    yield Case("ReverseSequence", arange(3, 4), i64([5, 0, 0]), seq_dim=1, error=INVALID)
    yield Case("ReverseSequence", arange(3, 4), i64([-1, 0, 0]), seq_dim=1, error=INVALID)
    yield Case("ReverseSequence", arange(3, 4), i64([1, 0]), seq_dim=1, error=INVALID)
    yield Case("ReverseSequence", arange(3, 4), i64([1, 0, 2]), seq_dim=2, error=INVALID)
    yield Case("ReverseSequence", arange(3, 4), i64([1, 0, 2]), seq_dim=0, error=INVALID)


def blocks():
    for fmt, shape, deep in (("NHWC", (2, 4, 6, 3), (2, 2, 3, 12)),):
        yield Case(
            "SpaceToDepth",
            arange(*shape),
            block_size=2,
            data_format=fmt,
            types=("float32", "uint8", "int64", "string", "complex128"),
        )
        yield Case(
            "DepthToSpace",
            arange(*deep),
            block_size=2,
            data_format=fmt,
            types=("float32", "uint8", "int64", "string", "complex128"),
        )
    yield Case("SpaceToDepth", arange(1, 6, 3, 2), block_size=3)
    yield Case("DepthToSpace", arange(1, 2, 3, 9), block_size=3)
    yield Case("SpaceToDepth", arange(1, 5, 4, 2), block_size=2, error=INVALID)
    yield Case("DepthToSpace", arange(1, 2, 2, 6), block_size=2, error=INVALID)
    yield Case("SpaceToDepth", arange(4, 4, 2), block_size=2, error=INVALID)
    yield Case(
        "SpaceToBatchND",
        arange(2, 4, 6, 3),
        known(i32([2, 3])),
        i32([[0, 0], [0, 0]]),
        types=("float32", "int64", "uint8"),
    )
    yield Case("SpaceToBatchND", arange(1, 3, 5), known(i32([2, 2])), i32([[1, 0], [2, 1]]))
    yield Case("SpaceToBatchND", arange(2, 3), known(i64([4])), i64([[3, 2]]))
    yield Case("SpaceToBatchND", arange(1, 3), known(i32([2])), i32([[0, 0]]), error=INVALID)
    yield Case("SpaceToBatchND", arange(1, 4), known(i32([0])), i32([[0, 0]]), error=INVALID)
    yield Case("SpaceToBatchND", arange(1, 4), known(i32([2])), i32([[-2, 0]]), error=INVALID)
    yield Case("SpaceToBatchND", arange(4), known(i32([2])), i32([[0, 0]]), error=INVALID)
    yield Case(
        "BatchToSpaceND",
        arange(12, 2, 2, 3),
        known(i32([2, 3])),
        i32([[0, 0], [0, 0]]),
        types=("float32", "int64", "uint8"),
    )
    yield Case("BatchToSpaceND", arange(4, 2, 3), known(i32([2, 2])), i32([[1, 0], [2, 1]]))
    yield Case("BatchToSpaceND", arange(3, 2), known(i32([2])), i32([[0, 0]]), error=INVALID)
    yield Case("BatchToSpaceND", arange(2, 2), known(i32([2])), i32([[3, 2]]), error=INVALID)
    yield Case("BatchToSpaceND", arange(2, 2), known(i32([2])), i32([[-1, 0]]), error=INVALID)
    yield Case("SpaceToBatch", arange(1, 4, 4, 2), i32([[0, 0], [1, 1]]), block_size=2)
    yield Case("BatchToSpace", arange(4, 2, 2, 2), i32([[0, 1], [1, 0]]), block_size=2)


def diagonals():
    matrix = NUMBERS + ("bool",)
    yield Case(
        "Diag", arange(3), types=("float32", "float64", "int32", "int64", "complex64", "complex128")
    )
    yield Case("Diag", arange(2, 3))
    yield Case(
        "DiagPart",
        arange(3, 3),
        types=("float32", "float64", "int32", "int64", "complex64", "complex128"),
    )
    yield Case("DiagPart", arange(2, 3, 2, 3))
    yield Case("DiagPart", arange(2, 3), error=INVALID)
    yield Case("MatrixDiag", arange(2, 3), types=matrix)
    yield Case("MatrixDiagPart", arange(2, 3, 4), types=matrix)
    yield Case("MatrixDiagPart", arange(4, 3))
    yield Case("MatrixDiagPart", arange(4), error=INVALID)
    yield Case("MatrixSetDiag", arange(2, 3, 4), normal(2, 3), types=matrix)
    yield Case("MatrixSetDiag", arange(3, 4), normal(4), error=INVALID)
    for low, high in ((0, 0), (1, 1), (1, -1), (-1, 0), (0, 9), (-1, -1)):
        yield Case(
            "MatrixBandPart",
            arange(4, 3, 3) if high < 4 else arange(9, 9),
            i64(low),
            i64(high),
            types=matrix if low == 0 == high else F32,
        )
    yield Case("MatrixBandPart", arange(3, 3), i64(4), i64(0), error=INVALID)
    yield Case("MatrixBandPart", arange(3), i64(0), i64(0), error=INVALID)
    yield Case("MatrixDiagV2", arange(2, 3), i32(1), i32(-1), i32(-1), of(9))
    yield Case("MatrixDiagPartV2", arange(3, 4), i32([-1, 1]), of(7))
    yield Case("MatrixSetDiagV2", arange(3, 4), of([9, 9, 9]), i32(1))
    for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"):
        yield Case("MatrixDiagPartV3", arange(2, 3, 5), i32([-2, 3]), of(7), align=align)
        yield Case(
            "MatrixDiagV3", arange(2, 3, 3), i32([-1, 1]), i32(3), i32(-1), of(9), align=align
        )
        yield Case("MatrixSetDiagV3", arange(4, 4), normal(3, 4), i32([-1, 1]), align=align)
    yield Case("MatrixDiagPartV3", arange(3, 4), i32([1, 0]), of(7), error=INVALID)
    yield Case("MatrixDiagPartV3", arange(3, 4), i32([4]), of(7), error=INVALID)
    yield Case("MatrixDiagV3", arange(3), i32(0), i32(2), i32(2), of(9), error=INVALID)


def picks():
    for axis in (-1, 0, 1, 2):
        yield Case("OneHot", i32([[0, 2, 5], [-1, 1, 3]]), i32(4), of(5), of(2), axis=axis)
    yield Case("OneHot", i64([1, 0]), i32(3), of(1), of(0), types=NUMBERS + ("bool",))
    yield Case("OneHot", i64([1, 0]), i32(3), of(b"on"), of(b"off"), types=("string",))
    yield Case("OneHot", of([1, 0], "uint8"), i32(3), of(1), of(0))
    yield Case("OneHot", i64(1), i32(3), of(1), of(0))
    yield Case("OneHot", i64([1]), i32(0), of(1), of(0))
    yield Case("OneHot", i64([1]), i32(-1), of(1), of(0), error=INVALID)
    yield Case("OneHot", i64([1]), i32([3]), of(1), of(0), error=INVALID)
    yield Case("OneHot", i64([1]), i32(3), of([1]), of(0), error=INVALID)
    yield Case("OneHot", i64([1]), i32(3), of(1), of(0), axis=2, error=INVALID)
    for op in "Unique UniqueWithCounts".split():
        yield Case(op, between(0, 3, 12), types=REALS + ("bool", "string"))
        yield Case(op, between(0, 3, 12), out_idx="int64")
        yield Case(op, normal(0))
        yield Case(op, of([0.0, -0.0, 1, 0, 1]), types=F64)
        yield Case(op, normal(2, 2), error=INVALID)
    for op in "UniqueV2 UniqueWithCountsV2".split():
        yield Case(op, of([[1, 0], [1, 0], [2, 0]]), i64([0]))
        yield Case(op, of([[1, 0, 1], [1, 0, 1]]), i64([1]), types=("float32", "int32"))
        yield Case(op, of([3, 1, 3]), i32([]), types=("int64",))
        yield Case(op, normal(4, 2), i64([0]), types=("string",))
        yield Case(op, of([[3, 1]]), i32([]), error=INVALID)
        yield Case(op, of([[3, 1]]), i32([2]), error=INVALID)
    yield Case(
        "DynamicPartition", arange(6, 2), i32([0, 2, 0, 1, 2, 2]), num_partitions=4, types=ANY
    )
    yield Case("DynamicPartition", arange(2, 3), i32([[0, 1, 0], [1, 1, 0]]), num_partitions=2)
    yield Case("DynamicPartition", arange(0, 2), i32([]), num_partitions=2)
    yield Case("DynamicPartition", arange(3), i32([0, 2, 1]), num_partitions=2, error=INVALID)
    yield Case("DynamicPartition", arange(3), i32([0, -1, 1]), num_partitions=2, error=INVALID)
    yield Case("DynamicPartition", arange(3), i32([0, 1]), num_partitions=2, error=INVALID)
    for op in "DynamicStitch ParallelDynamicStitch".split():
        yield Case(op, [i32([0, 2]), i32([1, 3])], [arange(2, 2), normal(2, 2)], types=ANY)
        yield Case(op, [i32(1), i32([[0, 2], [3, 4]])], [normal(3), normal(2, 2, 3)])
        yield Case(op, [i32([]), i32([0])], [normal(0, 3), normal(1, 3)])
        yield Case(op, [i32([]), i32([])], [normal(0), normal(0)])
        yield Case(op, [i32([-1])], [normal(1)], error=INVALID, like=2)
        yield Case(op, [i32([0, 1])], [normal(3)], error=INVALID)
        yield Case(op, [i32([0]), i32([1])], [normal(1, 2), normal(1, 3)], error=INVALID)
    yield Case("DynamicStitch", [i32([0, 1, 0]), i32([1])], [arange(3), normal(1)])
    for k in (0, 1, 3, 7):
        yield Case("TopKV2", normal(4, 7), i32(k), types=("float32", "int32"))
        yield Case("TopK", normal(4, 7), k=k)
    yield Case("TopKV2", between(0, 2, 3, 9), i32(4), types=REALS)
    yield Case("TopKV2", of([1, 3, 3, 2, 3]), i32(4))
    # A heap's order is its library's: 2.x was built with another one than 1.15.
    for n, k, like in ((4, 3, None), (9, 9, None), (40, 2, None), (40, 12, 1), (300, 250, 1)):
        yield Case("TopKV2", between(0, 2, 3, n), i32(k), sorted=False, types=REALS, like=like)
    yield Case("TopKV2", normal(5), i32(2))
    yield Case("TopKV2", normal(2, 3, 4), i32(2))
    yield Case("TopKV2", normal(3), i32(4), error=INVALID)
    yield Case("TopKV2", normal(3), i32(-1), error=INVALID)
    yield Case("TopKV2", normal(), i32(0), error=INVALID)
    yield Case("TopKV2", normal(3), i32([1]), error=INVALID)
    scores = of([[0.1, 0.9, 0.5], [0.3, 0.3, 0.2], [NAN, 1, 2], [1, 2, 3], [1, 2, INF]], "float32")
    for k in (0, 1, 2, 3):
        yield Case("InTopKV2", scores, of([2, 0, 1, 5, 1]), of(k), types=INDEX)
        yield Case("InTopK", scores, of([2, 1, 1, -1, 0]), k=k, types=INDEX)
    yield Case("InTopKV2", normal(3), i32([0]), i32(1), error=INVALID)
    yield Case("InTopKV2", normal(3, 2), i32([0]), i32(1), error=INVALID)
    yield Case("SparseToDense", i32([[0, 1], [2, 0]]), i32([3, 2]), of([5, 6]), of(1), types=REALS)
    yield Case(
        "SparseToDense", i64([1, 3]), i64([4]), of([b"x", b"y"]), of(b"-"), types=("string",)
    )
    yield Case("SparseToDense", i32([1, 3]), i32([4]), of(5), of(1))
    yield Case("SparseToDense", i32(2), i32([4]), of(5), of(1))
    for at, text in (
        ([3, 1], "indices[1] = [1] is out of order"),
        ([1, 1], "indices[1] = [1] is repeated"),
        ([1, 10], "indices[1] = [10] is out of bounds: need 0 <= index < [4]"),
    ):
        yield Case("SparseToDense", i32(at), i32([4]), of([5, 6]), of(1), error=INVALID, text=text)
    yield Case("SparseToDense", i32([1, 1]), i32([4]), of([5, 6]), of(1), error=INVALID)
    yield Case("SparseToDense", i32([3, 1]), i32([4]), of([5, 6]), of(1), validate_indices=False)
    yield Case("SparseToDense", i32([4]), i32([4]), of([5]), of(1), error=INVALID)
    yield Case("SparseToDense", i32([1]), i32([4]), of([5, 6]), of(1), error=INVALID)


FAMILIES = (gathers, gathers_nd, scatters_nd, transposes, reversals, blocks, diagonals, picks)
