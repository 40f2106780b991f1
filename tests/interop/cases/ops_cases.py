# SPDX-License-Identifier: Apache-2.0
"""Lines of data for element-wise ops, comparisons, sums, casts and sequences."""

from interop.cases.case import (
    ANY,
    BIG,
    BIG64,
    COMPLEX,
    F32,
    F64,
    FLOATS,
    INDEX,
    INF,
    INT_EDGES,
    INTS,
    INVALID,
    NAN,
    NUMBERS,
    ODD,
    REALS,
    SIGNED,
    Case,
    between,
    i32,
    i64,
    nonzero,
    normal,
    of,
    positive,
)


def unary():
    everywhere = (
        "Exp Sin Cos Tan Tanh Sigmoid Expm1 Log1p Sinh Cosh Atan Asinh Square Neg Sign".split()
    )
    for op in everywhere:
        yield Case(op, between(-0.9, 3, 3, 7), types=FLOATS + COMPLEX)
        yield Case(op, normal(100), types=F64)
        yield Case(op, ODD, types=F64, like=1 if op == "Sign" else None)
    for op in "Log Sqrt Rsqrt Inv Reciprocal".split():
        yield Case(op, positive(3, 7), types=FLOATS + COMPLEX)
        yield Case(op, ODD, types=F64, like=2 if "qrt" in op else None)
    for op in "Asin Acos Atanh".split():
        yield Case(op, between(-0.95, 0.95, 33), types=FLOATS + COMPLEX)
        yield Case(op, ODD, types=F64)
    yield Case("Acosh", between(1, 5, 33), types=FLOATS + COMPLEX)
    names = "Erf Erfc Lgamma Digamma Ceil Floor Rint Round IsNan IsInf IsFinite Softplus Softsign"
    for op in (names + " Relu Relu6 Elu Selu LeakyRelu").split():
        yield Case(op, normal(5, 9), types=FLOATS)
        yield Case(op, positive(17), types=F64)
        yield Case(op, ODD, types=F64, rtol=2e-5, like={"Erf": 1, "Digamma": 2}.get(op))
        yield Case(op, normal(), types=F32)
        yield Case(op, normal(0, 3), types=F32)
    yield Case("LeakyRelu", normal(20), alpha=0.3)
    yield Case("LeakyRelu", normal(20), alpha=1.5)
    for op in "Abs Neg Sign Square Relu Relu6 Round".split():
        yield Case(op, normal(3, 5), types=REALS, like=1 if op == "Round" else None)
        yield Case(op, INT_EDGES, types=SIGNED, like=1 if op == "Round" else None)
    for op in "Abs Neg Square".split():
        yield Case(op, BIG)
        yield Case(op, BIG64)
    yield Case("Invert", normal(9), types=INTS)
    yield Case("LogicalNot", normal(9), types=("bool",))
    yield Case("Conj", normal(4, 3), types=COMPLEX)
    for op in "Real Imag Angle ComplexAbs".split():
        yield Case(op, normal(4, 3), types=("complex64",), Tout="float32")
        yield Case(op, normal(4, 3), types=("complex128",), Tout="float64")


PAIRS = [
    ((4, 5), (4, 5)),
    ((4, 5), ()),
    ((), (4, 5)),
    ((4, 5), (5,)),
    ((4, 1), (1, 5)),
    ((3, 1, 5), (4, 1)),
    ((0, 3), (1, 3)),
    ((2, 1, 3, 1, 2), (1, 4, 1, 5, 1)),
    ((), ()),
    ((1,), ()),
    ((2, 3, 4), (3, 1)),
    ((7, 130), (7, 1)),
    ((2, 2, 2, 2, 2, 2, 2, 2), (2, 1, 2, 1, 2, 1, 2, 1)),
]


def binary():
    for op in "AddV2 Add Sub Mul Maximum Minimum SquaredDifference".split():
        for a, b in PAIRS:
            yield Case(op, normal(*a), normal(*b), types=("float32", "int32"))
        yield Case(op, normal(3, 4), normal(4), types=NUMBERS)
        yield Case(op, BIG, of([-1], "int32"))
        yield Case(op, BIG64, of([-1], "int64"))
        yield Case(op, normal(2), normal(3), error=INVALID, text="Incompatible shapes: [2] vs. [3]")
        yield Case(
            op,
            normal(2, 3),
            normal(2, 1, 2),
            error=INVALID,
            text="Incompatible shapes: [2,3] vs. [2,1,2]",
        )
    yield Case("Add", normal(3, 1), normal(2), types=("string",))
    for op in "RealDiv DivNoNan MulNoNan Xdivy Xlogy".split():
        yield Case(op, positive(3, 4), positive(4), types=FLOATS + COMPLEX)
        yield Case(op, of([0, 1, 0, -1, NAN, 2.0]), of([0, 0, 2, 2, 0, INF]), types=F64)
        yield Case(op, positive(3), positive(3, 1))
    yield Case("Xlog1py", positive(3, 4), positive(4), types=FLOATS + COMPLEX)
    yield Case("Xlog1py", of([0, 1, 2]), of([-1, 2, 3]), types=COMPLEX)
    for op in "Div FloorDiv TruncateDiv FloorMod Mod TruncateMod".split():
        yield Case(op, normal(5, 6), nonzero(5, 6), types=REALS)
        yield Case(op, normal(5, 6), nonzero(6), types=("int32", "int64"))
        yield Case(op, of([7, -7, 7, -7]), of([2, 2, -2, -2]), types=SIGNED)
        if op not in ("TruncateDiv", "TruncateMod"):
            yield Case(op, of([7.5, -7.5, 7.5, -7.5, 1, 0]), of([2, 2, -2, -2, 0, 0]), types=F64)
            yield Case(
                op,
                of([1, 2]),
                of([1, 0]),
                types=INDEX,
                error=INVALID,
                text="Integer division by zero",
            )
        yield Case(op, BIG, of([-1], "int32"), ours="TensorFlow dies of SIGFPE")
    for op in "TruncateDiv TruncateMod".split():
        yield Case(op, of([1, 2]), of([1, 0]), types=INDEX, error="INTERNAL")
        yield Case(op, of([7.5, -7.5, 7.5, -7.5]), of([2, 2, -2, -2]), types=F64)
    yield Case("TruncateDiv", of([1.0, -1.0, 0.0, -0.5]), of([0.0, 0.0, 0.0, 2.0]), types=F64)
    yield Case("FloorDiv", normal(3, 4), nonzero(4), types=FLOATS)
    for a, b in PAIRS:
        yield Case("Pow", positive(*a), normal(*b))
    yield Case("Pow", positive(3, 4), normal(4), types=FLOATS + COMPLEX)
    yield Case("Pow", of([0, 0, -2, -2, 2, INF, 1]), of([0, -1, 2, 3, 0.5, 2, NAN]), types=F64)
    yield Case("Pow", normal(9), between(0, 3, 9), types=SIGNED)
    yield Case(
        "Pow",
        of([2, 3]),
        of([2, -1]),
        types=INDEX,
        error=INVALID,
        text="Integers to negative integer powers are not allowed",
    )
    yield Case("Maximum", of([NAN, 1, 1, -0.0]), of([1, NAN, 2, 0.0]), types=F64, like=1)
    yield Case("Minimum", of([NAN, 1, 1, -0.0]), of([1, NAN, 2, 0.0]), types=F64, like=1)
    yield Case("Atan2", normal(4, 5), normal(5), types=F64)
    yield Case("Atan2", of([0, -0.0, 0, 1, -1, INF]), of([0, 0, -1, 0, 0, INF]), types=F64)
    yield Case("Complex", normal(3, 1), normal(4), types=F32, Tout="complex64")
    yield Case("Complex", normal(3, 1), normal(4), types=("float64",), Tout="complex128")
    for op in "BitwiseAnd BitwiseOr BitwiseXor".split():
        yield Case(op, normal(4, 3), normal(3), types=INTS)
    for op in "LeftShift RightShift".split():
        yield Case(op, normal(4, 3), between(0, 7, 3), types=INTS)
    for op in "LogicalAnd LogicalOr".split():
        yield Case(op, normal(4, 3), normal(3), types=("bool",))


def comparison():
    for op in "Equal NotEqual Less LessEqual Greater GreaterEqual".split():
        for a, b in PAIRS[:8]:
            yield Case(op, between(-1, 1, *a), between(-1, 1, *b), types=("float32", "int64"))
        types = (
            NUMBERS + ("bool", "string") if "qual" in op and op in ("Equal", "NotEqual") else REALS
        )
        yield Case(op, between(0, 1, 4, 3), between(0, 1, 3), types=types)
        yield Case(op, of([NAN, NAN, 1, INF, 0.0]), of([NAN, 1, NAN, INF, -0.0]), types=F64)
        yield Case(op, normal(2), normal(3), error=INVALID, text="Incompatible shapes: [2] vs. [3]")
    for op in "Equal NotEqual".split():
        yield Case(op, normal(2), normal(3), incompatible_shape_error=False)
        yield Case(op, normal(2), normal(2), incompatible_shape_error=False)
        yield Case(op, normal(2), normal(1), incompatible_shape_error=False)
    yield Case("ApproximateEqual", of([1, 2, 3.0]), of([1.00000001, 2.1, 3.05]), types=F64)
    yield Case(
        "ApproximateEqual", of([1, 2, 3.0]), of([1.00000001, 2.1, 3.05]), types=F64, tolerance=0.07
    )
    yield Case("ApproximateEqual", of([1, 3, 3.0]), of([2, 1.5, 3.5]), types=F64, tolerance=1.0)


def gradients():
    for op in "SigmoidGrad TanhGrad SqrtGrad RsqrtGrad InvGrad ReciprocalGrad".split():
        yield Case(op, between(0.1, 0.9, 3, 7), normal(3, 7), types=FLOATS + COMPLEX)
        yield Case(op, ODD, of([1.0] * 17), types=F64)
    for op in "ReluGrad Relu6Grad EluGrad SeluGrad SoftplusGrad SoftsignGrad LeakyReluGrad".split():
        yield Case(op, normal(3, 7), normal(3, 7), types=FLOATS)
        yield Case(op, of([1.0] * 17), ODD, types=F64)
    for op in "ReluGrad Relu6Grad".split():
        yield Case(op, normal(3, 7), between(-2, 9, 3, 7), types=REALS)
    yield Case("LeakyReluGrad", normal(5), normal(5), alpha=0.7)
    yield Case("ReluGrad", normal(5), normal(4), error=INVALID)
    yield Case("ReluGrad", normal(0), normal(0))


def sums():
    yield Case("AddN", [normal(3, 4)], types=NUMBERS)
    yield Case("AddN", [normal(3, 4), normal(3, 4), normal(3, 4)], types=NUMBERS)
    yield Case("AddN", [normal(5000)] * 11, atol=1e-5)
    yield Case("AddN", [normal(), normal()])
    yield Case("AddN", [normal(0), normal(0)])
    yield Case("AddN", [normal(2), normal(3)], error=INVALID)
    for axis in (0, 1, -1, -3):
        for exclusive in (False, True):
            for reverse in (False, True):
                yield Case(
                    "Cumsum", normal(2, 3, 4), i32(axis), exclusive=exclusive, reverse=reverse
                )
                yield Case(
                    "Cumprod", positive(2, 3, 4), i64(axis), exclusive=exclusive, reverse=reverse
                )
    yield Case("Cumsum", between(0, 2, 9), i32(0), types=NUMBERS)
    yield Case("Cumprod", between(0, 2, 9), i32(0), types=NUMBERS)
    yield Case("Cumsum", normal(0, 3), i32(0))
    yield Case("Cumsum", normal(3), i32(1), error=INVALID)
    yield Case("Cumsum", normal(3), i32([0]), error=INVALID)


def choice():
    for shapes in (
        ((4, 5), (4, 5)),
        ((4,), (4, 5)),
        ((), (4, 5)),
        ((), ()),
        ((3,), (3,)),
        ((0,), (0, 2)),
        ((2,), (2, 3, 4)),
    ):
        yield Case(
            "Select",
            normal(*shapes[0], dtype="bool"),
            normal(*shapes[1]),
            normal(*shapes[1]),
            types=("float32", "string"),
        )
    yield Case("Select", normal(4, 5, dtype="bool"), normal(4, 5), normal(4, 5), types=ANY)
    yield Case("Select", normal(3, dtype="bool"), normal(4, 5), normal(4, 5), error=INVALID)
    yield Case("Select", normal(4, dtype="bool"), normal(4, 5), normal(5, 4), error=INVALID)
    for c, t, e in (
        ((4, 5), (4, 5), (4, 5)),
        ((4, 1), (5,), ()),
        ((), (4, 5), (1, 5)),
        ((2, 1, 3), (4, 1), (2, 1, 1)),
        ((0, 1), (1, 2), ()),
    ):
        yield Case(
            "SelectV2",
            normal(*c, dtype="bool"),
            normal(*t),
            normal(*e),
            types=("float32", "string"),
        )
    yield Case("SelectV2", normal(4, 1, dtype="bool"), normal(4, 5), normal(5), types=ANY)
    yield Case("SelectV2", normal(3, dtype="bool"), normal(2), normal(2), error=INVALID)
    yield Case("ClipByValue", normal(20), of(-1), of(2), types=REALS)
    yield Case("ClipByValue", of([NAN, 1, -INF, INF, 5]), of(-1), of(2), types=F64)
    yield Case("ClipByValue", normal(3, 4), of(-1), of(1), types=F64)
    yield Case("ClipByValue", normal(3, 4), normal(3, 4), positive(3, 4))
    yield Case("ClipByValue", normal(3, 4), normal(3), positive(3, 4), error=INVALID)
    yield Case("Where", normal(), error=INVALID)
    for shape in ((7,), (3, 4), (2, 0, 3), (2, 3, 2, 2)):
        yield Case("Where", between(0, 1, *shape), types=("bool", "int32"))
    yield Case("Where", between(0, 1, 9), types=NUMBERS + ("bool",))
    yield Case("Where", of([0.0, -0.0, NAN, 1e-30]))
    yield Case("Where", between(0, 1, 70000, 3), types=("bool",))


def cast():
    all_types = NUMBERS + ("bool",)
    for to in all_types:
        yield Case(
            "Cast",
            normal(3, 5),
            types=[t for t in all_types if t != "bfloat16" or not to.startswith("u")],
            DstT=to,
        )
        yield Case("Cast", of([-1.5, 1.5, 300.5, -300.5, 70000, 0.49]), types=F64, DstT=to)
        yield Case("Cast", of([-129, 255, 256, 65537, 2**31 - 1, -(2**31)]), types=INDEX, DstT=to)
    for to in ("int8", "uint8", "int16", "int32", "int64"):
        yield Case("Cast", of([NAN, INF, -INF, 1e30, -1e30, 3e9, -3e9]), types=F64, DstT=to)
    yield Case("Cast", of([NAN, 0.0, -0.0, 1e-30]), types=F64, DstT="bool")
    quantised = ("qint8", "quint8", "qint16", "quint16", "qint32")
    for kind in quantised:
        yield Case("Cast", of([0, 1, 100, -3, 200]), types=("int32", "float32"), DstT=kind)
        for to in ("float32", "int32", "uint8", "bfloat16", "bool", "complex64", *quantised):
            yield Case("Cast", of([0, 1, 100, -3, 200]), types=(kind,), DstT=to)
    yield Case("Cast", of([1e5, 65504, 65520, 1e-8, 6e-8]), DstT="float16")
    yield Case("Cast", of([1.00390625, 1.01171875, NAN, INF, 3.4e38]), DstT="bfloat16")
    for to in ("bfloat16", "float16"):
        yield Case("Cast", normal(50), DstT=to, Truncate=True)


def sequence():
    for dtype in ("int32", "int64", "float32", "float64"):
        yield Case("Range", of(0), of(10), of(3), types=(dtype,))
        yield Case("Range", of(10), of(0), of(-3), types=(dtype,))
        yield Case("Range", of(5), of(5), of(1), types=(dtype,))
        yield Case(
            "Range", of(0), of(5), of(0), types=(dtype,), error=INVALID, text="Requires delta != 0"
        )
        yield Case("Range", of(6), of(5), of(1), types=(dtype,), error=INVALID)
        yield Case("Range", of(4), of(5), of(-1), types=(dtype,), error=INVALID)
    yield Case("Range", of(0.0), of(1.0), of(0.1), types=F64)
    for start, limit, delta in ((0, 0.6, 0.1), (0.3, 0.9, 0.2), (-0.7, 1.33, 0.07), (2, -1, -0.3)):
        yield Case("Range", of(start), of(limit), of(delta), types=F64)
        yield Case("Range", of(start), of(limit), of(delta), types=("float16", "bfloat16"), like=2)
    yield Case("Range", of([[0]]), of(5), of(1), types=("int32",), error=INVALID)
    yield Case(
        "Range", i64(-(2**63)), i64(2**63 - 1), i64(1), error="ANY", ours="too many elements"
    )
    yield Case("LinSpace", of(1.0), of(10.0), i32(5), types=F64)
    yield Case("LinSpace", of(1.0), of(10.0), i64(1), types=F64)
    yield Case("LinSpace", of(10.0), of(-10.0), i32(7), types=F64)
    yield Case("LinSpace", of(1.0), of(10.0), i32(0), error=INVALID, text="Requires num > 0: 0")
    yield Case("LinSpace", of([1.0]), of(10.0), i32(3), error=INVALID)
    yield Case(
        "Bucketize",
        normal(30),
        types=("float32", "float64", "int32", "int64"),
        boundaries=[-2.0, 0.0, 1.0, 3.0],
    )


FAMILIES = (unary, binary, comparison, gradients, sums, choice, cast, sequence)
