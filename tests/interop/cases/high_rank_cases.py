# SPDX-License-Identifier: Apache-2.0
"""Ranks 6 to 8, and 0, of the element-wise, reduction and array families."""

import itertools

from interop.cases.case import (
    F64,
    INVALID,
    Case,
    between,
    i32,
    i64,
    nonzero,
    normal,
    of,
    positive,
)

SHAPES = ((2, 1, 2, 3, 1, 2), (1, 2, 1, 3, 2, 1, 2), (2, 1, 2, 1, 3, 2, 1, 2))
RANKS = ((), *SHAPES)
ALTERNATE = ((2, 1, 3, 1, 2, 1), (2, 1, 3, 1, 2, 1, 2), (2, 1, 3, 1, 2, 1, 2, 1))
SOME = ("float32", "int64")

UNARY = (
    "Abs Neg Sign Square Exp Expm1 Log Log1p Sqrt Rsqrt Inv Reciprocal Sin Cos Tan Sinh Cosh Tanh "
    "Asin Atan Asinh Acosh Atanh Erf Erfc Lgamma Digamma Sigmoid Ceil Floor Rint Round IsNan IsInf "
    "IsFinite Softplus Softsign Relu Relu6 Elu Selu LeakyRelu OnesLike ZerosLike Identity Snapshot "
    "BesselI0e BesselI1e"
).split()


def unary_ranks():
    for op, shape in itertools.product(UNARY, RANKS):
        low, high = {"Acosh": (1, 4), "Asin": (-0.9, 0.9), "Atanh": (-0.9, 0.9)}.get(op, (0.1, 0.9))
        yield Case(op, between(low, high, *shape), rtol=2e-5)
    for shape in RANKS:
        yield Case("Invert", normal(*shape), types=("int32", "uint8"))
        yield Case("PopulationCount", normal(*shape), types=("int32",))
        yield Case("LogicalNot", normal(*shape), types=("bool",))
        for op in "Real Imag ComplexAbs Angle".split():
            yield Case(op, normal(*shape), types=("complex64",), Tout="float32")
        yield Case("Conj", normal(*shape), types=("complex128",))
        for to in ("int32", "bool", "float16", "complex64"):
            yield Case("Cast", normal(*shape), types=SOME, DstT=to)
        yield Case("Bitcast", normal(*shape), types=F64, type="int32")
        yield Case("Bucketize", normal(*shape), types=SOME, boundaries=[-1.0, 0.0, 2.0])
        yield Case("CheckNumerics", normal(*shape), message="")
        yield Case("ClipByValue", normal(*shape), of(-1), of(1), types=SOME)
        yield Case("AddN", [normal(*shape)] * 3, types=SOME)
        for op in "ReluGrad SigmoidGrad TanhGrad EluGrad SoftplusGrad SqrtGrad".split():
            yield Case(op, between(0.1, 0.9, *shape), normal(*shape))


BINARY = (
    "Add AddV2 Sub Mul RealDiv Div DivNoNan MulNoNan FloorDiv FloorMod Mod Pow Maximum Minimum "
    "SquaredDifference Atan2 Xdivy Xlogy Xlog1py NextAfter Equal NotEqual Less LessEqual Greater "
    "GreaterEqual Igamma Igammac Zeta"
).split()
WHOLE = "TruncateDiv TruncateMod BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift".split()


def limited(shape, first, second):
    """The cases for TensorFlow 1.15, which supports ranks to `first`, and 2.x, to `second`."""
    if len(shape) > second:
        return {"ours": f"TensorFlow takes ranks to {second}"}
    return {"like": 2} if len(shape) > first else {}


def pairs():
    """Two shapes of rank up to 8."""
    for shape in RANKS:
        yield shape, shape
    for shape in SHAPES:
        yield shape, ()
        yield shape[-2:], shape
        ends = (shape[0], *[1] * (len(shape) - 2), shape[-1])
        yield shape, ends
    for shape in ALTERNATE:
        other = tuple(2 if n == 1 else 1 for n in shape)
        yield shape, other  # every dimension broadcasts, in turns
        yield other[2:], shape


def binary_ranks():
    for (a, b), op in itertools.product(pairs(), BINARY):
        low = 1.1 if op == "Zeta" else 0.2
        yield Case(op, between(low, 4, *a), positive(*b), rtol=2e-5)
    for (a, b), op in itertools.product(pairs(), WHOLE):
        yield Case(op, positive(*a), nonzero(*b), types=("int32",))
    for (a, b), op in itertools.product(pairs(), ("LogicalAnd", "LogicalOr")):
        yield Case(op, normal(*a), normal(*b), types=("bool",))
    for a, b in pairs():
        yield Case("Complex", normal(*a), normal(*b), Tout="complex64")
        yield Case("AddV2", normal(*a), normal(*b), types=("complex128", "int8", "float16"))
        yield Case("SelectV2", normal(*a, dtype="bool"), normal(*b), normal(), types=SOME)
        yield Case("SelectV2", normal(*b, dtype="bool"), normal(*a), normal(*b), types=SOME)
        yield Case("BroadcastGradientArgs", i32(a or [1]), i32(b or [1]), types=("int32",))
        yield Case("BroadcastArgs", i32(a or [1]), i32(b or [1]), types=("int32",))
    for shape in SHAPES:
        yield Case("Add", normal(*shape), normal(*shape[:-1], 5), error=INVALID)
        same = normal(*shape, dtype="bool"), normal(*shape), normal(*shape)
        yield Case("Select", *same, types=("float32", "string"))
        first = normal(shape[0], dtype="bool"), normal(*shape), normal(*shape)
        yield Case("Select", *first, types=("float32", "string"))
        yield Case("ApproximateEqual", normal(*shape), normal(*shape), types=F64)
        yield Case("Betainc", *[between(0.1, 0.9, *shape) for _ in range(3)], rtol=1e-4)


def axes_of(rank):
    """None, one, those that alternate either way, two blocks, all."""
    yield []
    yield [0]
    yield [-1]
    yield list(range(0, rank, 2))
    yield list(range(1, rank, 2))
    yield [0, 1, rank - 1]
    yield [-2, 2, 3]
    yield list(range(rank))


def reduction_ranks():
    for shape in SHAPES:
        for axes, keep in itertools.product(axes_of(len(shape)), (False, True)):
            for op in "Sum Mean Prod Max Min EuclideanNorm".split():
                yield Case(op, between(0.5, 2, *shape), i32(axes), types=SOME, keep_dims=keep)
            for op in ("All", "Any"):
                yield Case(op, normal(*shape), i64(axes), types=("bool",), keep_dims=keep)
            words = normal(*shape, dtype="string")
            yield Case("ReduceJoin", words, i32(axes), types=("int32",), separator="-")
        for axis in (0, 2, len(shape) - 1, -3):
            for op in ("ArgMax", "ArgMin"):
                yield Case(op, normal(*shape), i32(axis), types=SOME, **limited(shape, 5, 7))
            for op in ("Cumsum", "Cumprod"):
                yield Case(op, positive(*shape), i32(axis), types=SOME, exclusive=True)
                yield Case(op, positive(*shape), i32(axis), types=SOME, reverse=True)
        for op in "Sum Max".split():
            yield Case(op, normal(*shape), i32([len(shape)]), error=INVALID)
            yield Case(op, normal(*shape[:3], 0, *shape[4:]), i32([3]), types=F64)
        yield Case("L2Loss", normal(*shape), types=F64, rtol=2e-5)
        yield Case("Softmax", normal(*shape), like=1)  # 2.x's oneDNN takes ranks to 5
        yield Case("LogSoftmax", normal(*shape))
        yield Case("TopKV2", normal(*shape), i32(2), types=SOME)
        yield Case("NthElement", normal(*shape), i32(1))
        for op in "SegmentSum SegmentMax SegmentMean".split():
            ids = i32(list(range(shape[0])))
            yield Case(op, normal(*shape), ids)
        yield Case("UnsortedSegmentSum", normal(*shape), i32([3] * shape[0]), i32(4))
    for op in "Sum Mean Prod Max Min EuclideanNorm".split():
        for keep in (False, True):
            yield Case(op, normal(), i32([]), types=SOME, keep_dims=keep)
        yield Case(op, normal(), i32([0]), error=INVALID)
    yield Case("L2Loss", normal())
    for op in ("Cumsum", "ArgMax"):
        yield Case(op, normal(), i32(0), error=INVALID)


def permutations(rank):
    yield list(range(rank))
    yield list(reversed(range(rank)))
    yield [*range(1, rank), 0]
    yield [rank - 1, *range(rank - 1)]
    yield [1, 0, *range(2, rank - 2), rank - 1, rank - 2]
    yield [*range(0, rank, 2), *range(1, rank, 2)]


def moved_ranks():
    """Ops that move or repeat elements."""
    moved = ("float32", "int8", "string", "complex128")
    for shape in SHAPES:
        rank = len(shape)
        for order in permutations(rank):
            yield Case("Transpose", normal(*shape), i32(order), types=moved)
        yield Case("ConjugateTranspose", normal(*shape), i32(order), types=("complex64",))
        yield Case("Tile", normal(*shape), i32([1, 2] * (rank // 2) + [2] * (rank % 2)))
        yield Case("Tile", normal(*shape), i64([1] * (rank - 1) + [3]), types=moved)
        yield Case("Tile", normal(*shape), i32([1] * (rank - 1) + [0]))
        yield Case("BroadcastTo", normal(*shape), i32([3 if n == 1 else n for n in shape]))
        yield Case("BroadcastTo", normal(*shape[-3:]), i32(shape), types=moved)
        yield Case("BroadcastTo", normal(), i32(shape), types=moved)
        for axis in (0, 3, -1):
            longer = list(shape)
            longer[axis] = 4
            parts = [normal(*shape), normal(*longer), normal(*shape)]
            yield Case("ConcatV2", parts, i32(axis), types=moved)
            yield Case("Concat", i32(axis % rank), parts)
            yield Case("Pack", [normal(*shape)] * 2, axis=axis, types=moved)
            yield Case("Unpack", normal(*longer), num=4, axis=axis, types=moved)
            yield Case("Split", i32(axis), normal(*longer), num_split=2, types=moved)
            yield Case(
                "SplitV", normal(*longer), i64([1, -1]), i32(axis), num_split=2, Tlen="int64"
            )
            yield Case("UniqueV2", normal(*shape), i64([axis % rank]), types=SOME)
            yield Case("GatherV2", normal(*longer), i32([3, 0, 1]), i32(axis), types=moved)
            yield Case("GatherV2", normal(*longer), i64([[3, 0], [1, 1]]), i32(axis), types=moved)
            yield Case("ReverseV2", normal(*longer), i32([axis]), types=moved)
            yield Case("Roll", normal(*longer), i32([1, -2]), i32([axis, 1]))
            yield Case("ExpandDims", normal(*shape), i32(axis))
            batch = (axis + 1) % rank
            lengths = i64([1] * longer[batch])
            dims = {"seq_dim": axis % rank, "batch_dim": batch, **limited(shape, 5, 5)}
            yield Case("ReverseSequence", normal(*longer), lengths, **dims)
        yield Case("Gather", normal(*shape), i32([[0]]))
        yield Case("ReverseV2", normal(*shape), i32(list(range(0, rank, 2))), types=moved)
        yield Case("Reverse", normal(*shape), of([i % 2 == 0 for i in range(rank)], "bool"))
        yield Case("Squeeze", normal(*shape), types=moved)
        yield Case("Reshape", normal(*shape), i32([-1, 2]), types=moved)
        yield Case("Reshape", normal(24 * (2 if rank == 8 else 1)), i32([*shape[:-1], -1]))
        for op in ("Shape", "Size", "Rank"):
            yield Case(op, normal(*shape))
        yield Case("Fill", i32(shape), normal(), types=moved)
        yield Case("OneHot", between(0, 3, *shape, dtype="int32"), i32(4), of(1), of(0), axis=2)
        yield Case("Where", normal(*shape), types=("bool", "float32"))
        at = [[0] * rank, [n - 1 for n in shape]]
        yield Case("GatherNd", normal(*shape), i32(at), types=moved, **limited(shape, 7, 7))
        yield Case("GatherNd", normal(*shape), i64([p[:4] for p in at]), types=moved)
        yield Case("ScatterNd", i32(at), normal(2), i32(shape), types=SOME, **limited(shape, 7, 7))
        yield Case("ScatterNd", i32([p[:3] for p in at]), normal(2, *shape[3:]), i32(shape))
        yield Case(
            "TensorScatterUpdate",
            normal(*shape),
            i32(at),
            normal(2),
            types=SOME,
            **limited(shape, 7, 7),
        )
        yield Case("DynamicStitch", [i32([2, 0]), i32([1])], [normal(2, *shape), normal(1, *shape)])
        parts = of([i % 2 for i in range(shape[0])], "int32")
        yield Case("DynamicPartition", normal(*shape), parts, num_partitions=2)
        yield Case("MatrixDiag", normal(*shape))
        yield Case("MatrixBandPart", normal(*shape), i64(0), i64(1))
    for shape in ((1, 2, 1, 3, 2, 3), (1, 2, 1, 2, 1, 3, 3)):
        yield Case("MatrixDiagPart", normal(*shape))
        yield Case("MatrixSetDiag", normal(*shape), normal(*shape[:-2], min(shape[-2:])))
        yield Case("BatchMatMulV2", normal(*shape), normal(3, shape[-1], 2), rtol=2e-5)


def padded_ranks():
    for shape in SHAPES:
        rank = len(shape)
        for pads in ([[1, 0]] * rank, [[0, 1], [0, 0]] * (rank // 2) + [[0, 0]] * (rank % 2)):
            limit = limited(shape, 6, 6)
            yield Case("Pad", normal(*shape), i32(pads), types=SOME, **limit)
            yield Case("PadV2", normal(*shape), i64(pads), of(7), types=SOME, **limit)
        for mode in ("REFLECT", "SYMMETRIC"):
            pads = [[0, 0]] * (rank - 1) + [[1, 1]]
            yield Case("MirrorPad", normal(*shape), i32(pads), mode=mode)
    for op, more in (("Pad", ()), ("PadV2", (of(7),))):
        yield Case(op, normal(), of([], "int32"), *more, error="ANY", ours="a matrix is wanted")


def sliced_ranks():
    moved = ("float32", "int8", "string", "complex128")
    for shape in SHAPES:
        rank = len(shape)
        zero, ends = [0] * rank, [n - 1 for n in shape]
        yield Case("Slice", normal(*shape), i32(zero), i32(shape), types=moved)
        yield Case("Slice", normal(*shape), i64(ends), i64([1] * rank), types=moved)
        yield Case("Slice", normal(*shape), i32([0, 0, 1] + zero[3:]), i32([-1] * rank))
        yield Case("Slice", normal(*shape), i32(zero), i32([1] * (rank - 1) + [0]))
        yield Case("Slice", normal(*shape), i32(zero), i32([9] * rank), error=INVALID)
        ones = i32([1] * rank)
        yield Case("StridedSlice", normal(*shape), i32(zero), i32(shape), ones, types=moved)
        back = i32([-1] * rank), i32([-9] * rank), i32([-1] * rank)
        yield Case("StridedSlice", normal(*shape), *back, types=moved)
        two = i32(zero), i32(shape), i32([2] * rank)
        yield Case("StridedSlice", normal(*shape), *two, types=moved)
        for masks in (
            {"begin_mask": 5, "end_mask": 2},
            {"shrink_axis_mask": 0b010101},
            {"shrink_axis_mask": 0b000001, "ellipsis_mask": 0b000010},
        ):
            spec = i32(zero), i32([1] * rank), ones
            yield Case("StridedSlice", normal(*shape), *spec, types=moved, **masks)
        few = i32([0, 0, 0]), i32([0, 0, 1]), i32([1, 1, 1])
        masks = {"new_axis_mask": 1, "ellipsis_mask": 2, "shrink_axis_mask": 4}
        yield Case("StridedSlice", normal(*shape), *few, **masks)
        grads = i32(shape), i32(zero), i32(shape), i32([2] * rank)
        yield Case(
            "StridedSliceGrad",
            *grads,
            normal(*[(n + 1) // 2 for n in shape]),
            **limited(shape, 7, 8),
        )


def scalar_arrays():
    moved = ("float32", "int8", "string", "complex128")
    none = of([], "int32")
    for op in ("Shape", "Size", "Rank", "Where"):
        yield Case(op, normal(), types=("float32",), error=INVALID if op == "Where" else None)
    yield Case("Transpose", normal(), none, types=moved)
    yield Case("Tile", normal(), none, types=moved)
    yield Case("BroadcastTo", normal(), none, types=moved)
    yield Case("Reshape", normal(), none, types=moved)
    yield Case("Reshape", normal(1, 1), none, types=moved)
    yield Case("Reshape", normal(), i32([1, 1, -1]), types=moved)
    yield Case("Squeeze", normal(), types=moved)
    yield Case("ExpandDims", normal(), i32(-1), types=moved)
    yield Case("ReverseV2", normal(), none, types=moved)
    yield Case("Slice", normal(), none, none, types=moved)
    yield Case("StridedSlice", normal(), none, none, none, types=moved)
    new = i32([0, 0]), i32([0, 0]), i32([1, 1])
    yield Case("StridedSlice", normal(), *new, new_axis_mask=3)
    yield Case("StridedSlice", normal(), i32([0]), i32([1]), i32([1]), error=INVALID)
    yield Case("Pack", [normal(), normal()], types=moved)
    yield Case("Fill", none, normal(), types=moved)
    yield Case("Concat", i32(0), [normal(), normal()], error=INVALID)
    yield Case("ConcatV2", [normal(), normal()], i32(0), error=INVALID)
    yield Case("OneHot", i32(2), i32(4), of(1), of(0), types=SOME)
    yield Case("GatherV2", normal(3), i32(1), i32(0), types=moved)
    yield Case("GatherV2", normal(), i32(0), i32(0), error=INVALID)
    yield Case("Unpack", normal(), num=1, error=INVALID)
    whole = "TensorFlow's optimizer takes a split in one away before the kernel can refuse"
    yield Case("Split", i32(0), normal(), num_split=1, error=INVALID, ours=whole)
    yield Case("Unique", normal(), error=INVALID)
    yield Case("InvertPermutation", i32(0), types=("int32",), error=INVALID)
    yield Case("Diag", normal(), error=INVALID)
    yield Case("MatrixDiag", normal(), error=INVALID)
    yield Case("Softmax", normal(), error=INVALID, like=1)
    yield Case("TopKV2", normal(), i32(1), error=INVALID)
    yield Case("BiasAdd", normal(), normal(), error=INVALID)
    yield Case("RealDiv", normal(), nonzero(), types=F64)


FAMILIES = (
    unary_ranks,
    binary_ranks,
    reduction_ranks,
    moved_ranks,
    padded_ranks,
    sliced_ranks,
    scalar_arrays,
)
