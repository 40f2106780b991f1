# SPDX-License-Identifier: Apache-2.0
"""Rules that draw a valid line for an op: what its inputs' shapes and values must agree on.

RULES[op](op, rng) is a Case (cases/case.py). Ops without a rule are drawn from the lines alone.
"""

import functools

import numpy as np

from interop.cases.case import Case, Value, between, nonzero, normal, of, positive
from interop.rules.draws import axis_of, broadcast_pair, full, index, pick, shape_of, subset, table


def unary(op, rng):
    low, high = pick(rng, (-4, 4), (-0.9, 0.9), (0.1, 9), (-50, 50))
    return Case(op, between(low, high, *shape_of(rng)))


def binary(op, rng):
    a, b = broadcast_pair(rng)
    right = nonzero if any(w in op for w in ("Div", "Mod", "div")) else normal
    if op in ("Pow", "Igamma", "Igammac", "Zeta", "Polygamma", "LeftShift", "RightShift"):
        right = functools.partial(between, 0, 5)
        return Case(op, between(1, 5, *a), right(*b))
    return Case(op, normal(*a), right(*b))


def same(op, rng):
    """Two inputs of one shape."""
    shape = shape_of(rng)
    return Case(op, normal(*shape), normal(*shape))


def reduction(op, rng):
    shape = shape_of(rng)
    axes = subset(rng, len(shape))
    if shape and rng.rand() < 0.2:
        axes = axis_of(rng, len(shape))
    return Case(op, between(-3, 3, *shape), index(rng, axes), keep_dims=bool(rng.randint(2)))


def arg(op, rng):
    shape = full(rng, 1)
    return Case(
        op,
        between(-3, 3, *shape),
        index(rng, axis_of(rng, len(shape))),
        output_type=pick(rng, "int32", "int64"),
    )


def scan(op, rng):
    shape = shape_of(rng, 1)
    flags = {"exclusive": bool(rng.randint(2)), "reverse": bool(rng.randint(2))}
    return Case(op, between(-2, 2, *shape), index(rng, axis_of(rng, len(shape))), **flags)


def transpose(op, rng):
    shape = shape_of(rng)
    return Case(op, normal(*shape), index(rng, [int(i) for i in rng.permutation(len(shape))]))


def reshape(op, rng):
    shape = shape_of(rng)
    new = list(shape)
    rng.shuffle(new)
    new = [int(n) for n in new]
    if len(new) > 1 and rng.rand() < 0.5:
        new[:2] = [new[0] * new[1]]
    if new and 0 not in new and rng.rand() < 0.4:
        new[rng.randint(len(new))] = -1
    return Case(op, normal(*shape), index(rng, new))


def concat(op, rng):
    shape = shape_of(rng, 1)
    axis = axis_of(rng, len(shape))
    parts = []
    for _ in range(rng.randint(1 if op == "ConcatV2" else 2, 5)):
        part = list(shape)
        part[axis] = int(rng.randint(4))
        parts.append(normal(*part))
    if op == "Concat":
        return Case(op, of(axis % len(shape), "int32"), parts)
    if len(parts) == 1:
        parts.append(normal(*shape))
    return Case(op, parts, index(rng, axis))


def pack(op, rng):
    shape, axis = shape_of(rng, 0, 5), None
    axis = int(rng.randint(-len(shape) - 1, len(shape) + 1))
    return Case(op, [normal(*shape) for _ in range(rng.randint(1, 5))], axis=axis)


def unpack(op, rng):
    shape = shape_of(rng, 1)
    axis = axis_of(rng, len(shape))
    return Case(op, normal(*shape), num=shape[axis], axis=axis)


def split(op, rng):
    shape = shape_of(rng, 1)
    axis, ways = axis_of(rng, len(shape)), int(rng.randint(1, 4))
    shape[axis] = ways * int(rng.randint(4))
    return Case(op, of(axis, "int32"), normal(*shape), num_split=ways)


def split_v(op, rng):
    shape = shape_of(rng, 1)
    axis = axis_of(rng, len(shape))
    sizes = [int(n) for n in rng.randint(4, size=rng.randint(1, 4))]
    shape[axis] = sum(sizes)
    if rng.rand() < 0.3:
        sizes[rng.randint(len(sizes))] = -1
    return Case(op, normal(*shape), index(rng, sizes), of(axis, "int32"), num_split=len(sizes))


def slice_(op, rng):
    shape = shape_of(rng)
    begin = [int(rng.randint(n + 1)) for n in shape]
    size = [-1 if rng.rand() < 0.3 else int(rng.randint(n - b + 1)) for n, b in zip(shape, begin)]
    dtype = pick(rng, "int32", "int64")
    return Case(op, normal(*shape), of(begin, dtype), of(size, dtype))


def strided(rng):
    """Shape, begin, end, strides and masks."""
    shape = shape_of(rng)
    count = rng.randint(len(shape) + 1)
    masks = {
        name: int(rng.randint(1 << count)) if rng.rand() < p else 0
        for name, p in (
            ("begin_mask", 0.4),
            ("end_mask", 0.4),
            ("new_axis_mask", 0.15),
            ("shrink_axis_mask", 0.25),
        )
    }
    masks["ellipsis_mask"] = 1 << int(rng.randint(count)) if count and rng.rand() < 0.2 else 0
    begin = [int(rng.randint(-n - 1, n + 2)) for n in shape[:count]]
    end = [int(rng.randint(-n - 1, n + 3)) for n in shape[:count]]
    strides = [int(rng.choice([1, 1, 1, 2, 3, -1, -2])) for _ in range(count)]
    dtype = pick(rng, "int32", "int64")
    return shape, [of(v, dtype) for v in (begin, end, strides)], masks


def strided_slice(op, rng):
    shape, spec, masks = strided(rng)
    return Case(op, normal(*shape), *spec, **masks)


def pad(op, rng):
    shape = shape_of(rng)
    paddings = [[int(n) for n in rng.randint(3, size=2)] for _ in shape]
    paddings = of(paddings, pick(rng, "int32", "int64"))
    if not shape:
        paddings = between(0, 0, 0, 2, dtype="int32")
    if op == "PadV2":
        return Case(op, normal(*shape), paddings, normal())
    return Case(op, normal(*shape), paddings)


def mirror(op, rng):
    shape = full(rng, 1)
    mode = pick(rng, "REFLECT", "SYMMETRIC")
    less = 1 if mode == "REFLECT" else 0
    paddings = [[int(rng.randint(min(3, n - less + 1))) for _ in range(2)] for n in shape]
    if op == "MirrorPadGrad":
        shape = [n + a + b for n, (a, b) in zip(shape, paddings)]
    return Case(op, normal(*shape), index(rng, paddings), mode=mode)


def gather(op, rng):
    shape, at = full(rng, 1, 4), shape_of(rng, 0, 2)
    if op == "Gather":
        return Case(op, normal(*shape), below(rng, shape[0], at))
    batch = 0
    axis = int(rng.randint(batch, len(shape)))
    return Case(
        op, normal(*shape), below(rng, shape[axis], at), index(rng, axis), batch_dims=batch
    )


def below(rng, limit, shape, dtype=None):
    return of(rng.randint(max(1, limit), size=shape), dtype or pick(rng, "int32", "int64"))


def gather_nd(op, rng):
    shape = full(rng, 1, 4)
    depth = rng.randint(1, len(shape) + 1)
    return Case(op, normal(*shape), _coordinates(rng, shape, depth, shape_of(rng, 0, 2)))


def _coordinates(rng, shape, depth, outer):
    columns = [rng.randint(max(1, n), size=outer) for n in shape[:depth]]
    rows = [list(row) for row in zip(*[c.reshape(-1) for c in columns])]
    dtype = pick(rng, "int32", "int64")
    flat = of(rows, dtype)

    def draw(r, d):
        return np.array(flat.draw(r, d)).reshape(list(outer) + [depth])

    return Value(draw, dtype)


def scatter_nd(op, rng):
    shape, outer = full(rng, 1, 4), shape_of(rng, 1, 2)
    depth = rng.randint(1, len(shape) + 1)
    where = _coordinates(rng, shape, depth, outer)
    updates = normal(*(outer + shape[depth:]))
    if op == "ScatterNd":
        return Case(op, where, updates, of(shape, where.dtype))
    return Case(op, normal(*shape), where, updates)


def segment(op, rng):
    shape = shape_of(rng, 1)
    ids = sorted(int(n) for n in rng.randint(6, size=shape[0]))
    return Case(op, between(-3, 3, *shape), index(rng, ids))


def unsorted(op, rng):
    shape = shape_of(rng, 1)
    count = int(rng.randint(1, 7))
    ids = rng.randint(-1, count, size=shape[: rng.randint(1, len(shape) + 1)])
    return Case(op, between(-3, 3, *shape), of(ids, pick(rng, "int32", "int64")), index(rng, count))


def sparse_segment(op, rng):
    shape = full(rng, 1, 4)
    rows = int(rng.randint(6))
    ids = sorted(int(n) for n in rng.randint(5, size=rows))
    inputs = [normal(*shape), below(rng, shape[0], [rows]), of(ids, "int32")]
    if "Num" in op:
        inputs.append(of(int(rng.randint(5, 8)), "int32"))
    return Case(op, *inputs)


def matmul(op, rng):
    n, k, m = (int(v) for v in rng.choice([0, 1, 2, 3, 5, 8, 17], size=3))
    a, b = bool(rng.randint(2)), bool(rng.randint(2))
    left, right = [n, k][:: -1 if a else 1], [k, m][:: -1 if b else 1]
    if op in ("MatMul", "SparseMatMul"):
        return Case(op, normal(*left), normal(*right), transpose_a=a, transpose_b=b)
    outer = shape_of(rng, 0, 3)
    if op == "BatchMatMul":
        both = outer, outer
    else:
        both = outer, [1 if rng.rand() < 0.3 else d for d in outer][rng.randint(2) :]
    return Case(op, normal(*both[0], *left), normal(*both[1], *right), adj_x=a, adj_y=b)


def tile(op, rng):
    shape = shape_of(rng, 0, 5)
    times = [int(rng.choice([0, 1, 1, 2, 3])) for _ in shape]
    return Case(op, normal(*shape), index(rng, times))


def broadcast_to(op, rng):
    shape = shape_of(rng)
    source = [1 if rng.rand() < 0.3 else n for n in shape][rng.randint(len(shape) + 1) :]
    return Case(op, normal(*source), index(rng, shape))


def reverse(op, rng):
    shape = shape_of(rng)
    if op == "Reverse":
        return Case(op, normal(*shape), of([bool(rng.randint(2)) for _ in shape], "bool"))
    return Case(op, normal(*shape), index(rng, subset(rng, len(shape))))


def roll(op, rng):
    shape = full(rng, 1)
    axes = [int(rng.randint(len(shape))) for _ in range(rng.randint(1, 3))]
    shifts = [int(rng.randint(-9, 9)) for _ in axes]
    return Case(op, normal(*shape), index(rng, shifts), index(rng, axes))


def one_hot(op, rng):
    shape = shape_of(rng, 0, 4)
    ids = of(rng.randint(-1, 5, size=shape), pick(rng, "uint8", "int32", "int64"))
    axis = int(rng.randint(-1, len(shape) + 1))
    return Case(op, ids, of(int(rng.randint(6)), "int32"), normal(), normal(), axis=axis)


def select(op, rng):
    shape = shape_of(rng)
    if op == "SelectV2":
        a, b = broadcast_pair(rng)
        return Case(op, between(0, 1, *pick(rng, a, b, []), dtype="bool"), normal(*a), normal(*b))
    mask = pick(rng, shape, shape[:1], [])
    return Case(op, between(0, 1, *mask, dtype="bool"), normal(*shape), normal(*shape))


def expand(op, rng):
    shape = shape_of(rng, 0, 5)
    return Case(op, normal(*shape), index(rng, int(rng.randint(-len(shape) - 1, len(shape) + 1))))


def squeeze(op, rng):
    shape = [int(n) for n in rng.choice([1, 1, 2, 3], size=rng.randint(7))]
    dims = [i for i, n in enumerate(shape) if n == 1 and rng.rand() < 0.5]
    return Case(op, normal(*shape), squeeze_dims=dims)


def top_k(op, rng):
    shape = shape_of(rng, 1, 4)
    k = int(rng.randint(shape[-1] + 1))
    if op == "TopK":
        return Case(op, between(-3, 3, *shape), k=k)
    return Case(op, between(-3, 3, *shape), of(k, "int32"))


def bands(op, rng):
    shape = shape_of(rng, 2)
    return Case(
        op,
        normal(*shape),
        of(int(rng.randint(-1, shape[-2] + 1)), "int64"),
        of(int(rng.randint(-1, shape[-1] + 1)), "int64"),
    )


def fill(op, rng):
    return Case(op, index(rng, shape_of(rng)), normal())


def dense_softmax(op, rng):
    rows, classes = (int(n) for n in rng.randint(6, size=2))
    if op.startswith("Sparse"):
        labels = below(rng, classes, [rows if classes else 0])
        return Case(op, normal(rows if classes else 0, classes), labels)
    return Case(op, normal(rows, classes), positive(rows, classes))


def last_axis(op, rng):
    return Case(op, normal(*shape_of(rng, 1)))


def convolution(op, rng):
    n, h, w, c, o, kh, kw = (int(v) for v in rng.choice([1, 2, 3, 4, 5, 6], size=7))
    stride, dilation = (int(v) for v in rng.choice([1, 1, 2, 3], size=2))
    return Case(
        op,
        normal(n, h, w, c),
        normal(kh, kw, c, o),
        strides=[1, stride, stride, 1],
        dilations=[1, dilation, dilation, 1],
        padding=pick(rng, "SAME", "VALID"),
        atol=1e-3,
    )


def pool(op, rng):
    n, h, w, c = (int(v) for v in rng.choice([1, 2, 3, 5, 8], size=4))
    kh, kw, sh, sw = (int(v) for v in rng.choice([1, 2, 3], size=4))
    return Case(
        op,
        normal(n, h, w, c),
        ksize=[1, kh, kw, 1],
        strides=[1, sh, sw, 1],
        padding=pick(rng, "SAME", "VALID"),
    )


RULES = table(
    (
        unary,
        "Abs Acos Acosh Asin Asinh Atan Atanh BesselI0e BesselI1e Ceil Conj Cos Cosh Digamma "
        "Elu Erf Erfc Exp Expm1 Floor Identity Inv Invert IsFinite IsInf IsNan L2Loss LeakyRelu "
        "Lgamma Log Log1p LogicalNot Neg OnesLike PopulationCount Rank Reciprocal Relu Relu6 Rint "
        "Round Rsqrt Selu Shape Sigmoid Sign Sin Sinh Size Snapshot Softplus Softsign Sqrt Square "
        "StopGradient Tan Tanh Where ZerosLike CheckNumerics AsString DeepCopy Real Imag Angle "
        "ComplexAbs Fingerprint PreventGradient DebugGradientRefIdentity DebugGradientIdentity",
    ),
    (
        binary,
        "Add AddV2 Sub Mul Div RealDiv FloorDiv TruncateDiv FloorMod TruncateMod Mod Maximum "
        "Minimum Pow SquaredDifference DivNoNan MulNoNan Xdivy Xlogy Xlog1py Atan2 Igamma Igammac "
        "IgammaGradA Zeta Polygamma NextAfter Less LessEqual Greater GreaterEqual Equal NotEqual "
        "LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift Complex "
        "RandomGammaGrad",
    ),
    (
        same,
        "EluGrad InvGrad LeakyReluGrad ReciprocalGrad Relu6Grad ReluGrad RsqrtGrad SeluGrad "
        "SigmoidGrad SoftplusGrad SoftsignGrad SqrtGrad TanhGrad ApproximateEqual",
    ),
    (reduction, "Sum Prod Max Min Mean All Any EuclideanNorm ReduceJoin"),
    (arg, "ArgMax ArgMin"),
    (scan, "Cumsum Cumprod CumulativeLogsumexp"),
    (transpose, "Transpose ConjugateTranspose"),
    (reshape, "Reshape"),
    (concat, "ConcatV2 Concat"),
    (pack, "Pack"),
    (unpack, "Unpack"),
    (split, "Split"),
    (split_v, "SplitV"),
    (slice_, "Slice"),
    (strided_slice, "StridedSlice"),
    (pad, "Pad PadV2"),
    (mirror, "MirrorPad MirrorPadGrad"),
    (gather, "Gather GatherV2 ResourceGather"),
    (gather_nd, "GatherNd ResourceGatherNd"),
    (
        scatter_nd,
        "ScatterNd TensorScatterUpdate TensorScatterAdd TensorScatterSub "
        "TensorScatterMax TensorScatterMin ScatterNdNonAliasingAdd",
    ),
    (segment, "SegmentSum SegmentMean SegmentProd SegmentMin SegmentMax"),
    (unsorted, "UnsortedSegmentSum UnsortedSegmentProd UnsortedSegmentMin UnsortedSegmentMax"),
    (
        sparse_segment,
        "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN "
        "SparseSegmentSumWithNumSegments SparseSegmentMeanWithNumSegments "
        "SparseSegmentSqrtNWithNumSegments",
    ),
    (matmul, "MatMul BatchMatMul BatchMatMulV2 SparseMatMul"),
    (tile, "Tile"),
    (broadcast_to, "BroadcastTo"),
    (reverse, "Reverse ReverseV2"),
    (roll, "Roll"),
    (one_hot, "OneHot"),
    (select, "Select SelectV2"),
    (expand, "ExpandDims"),
    (squeeze, "Squeeze"),
    (top_k, "TopK TopKV2"),
    (bands, "MatrixBandPart BatchMatrixBandPart"),
    (fill, "Fill"),
    (dense_softmax, "SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits"),
    (last_axis, "Softmax LogSoftmax MatrixDiag FFT IFFT"),
    (convolution, "Conv2D"),
    (pool, "MaxPool AvgPool"),
)
# Gather takes no axis on a variable.
RULES["ResourceGather"] = lambda op, rng: Case(op, *gather("Gather", rng).inputs)
