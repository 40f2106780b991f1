# Long because: a line of data for every op.
"""Ops as lines of data: inputs and attributes, or the error expected.

ops_test.py asks TensorFlow for the answers.

    Case("AddV2", normal(2, 3), normal(3), types=NUMBERS)        once for each dtype
    Case("Gather", of([1, 2]), of([5], "int32"), error=INVALID)  both must fail with this code

An input without a dtype of its own takes the case's. A list is an input of several tensors.
Attributes go by name.
"""

import numpy as np

INVALID = "INVALID_ARGUMENT"

FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + UNSIGNED
REALS = FLOATS + INTS
NUMBERS = REALS + COMPLEX
ANY = NUMBERS + ("bool", "string")
F32 = ("float32",)
F64 = ("float32", "float64")
INDEX = ("int32", "int64")


class Value:
    """An input whose elements are drawn for a dtype."""

    def __init__(self, draw, dtype=None, static=False):
        self.draw, self.dtype, self.static = draw, dtype, static


def _words(rng, shape):
    words = np.array(
        [b"", b"a", b"b", b"cd", b"\x00\xff", b"long enough not to be stored inline in a string"],
        dtype=object,
    )
    return words[rng.randint(0, len(words), size=shape)]


def _numbers(rng, shape, dtype, low, high):
    if dtype == "string":
        return _words(rng, shape)
    if dtype == "bool":
        return rng.rand(*shape) < 0.5
    if "int" in dtype:
        return rng.randint(
            0 if dtype.startswith("u") else int(np.floor(low)), int(np.ceil(high)) + 1, size=shape
        )
    values = rng.uniform(low, high, size=shape)
    return values + 1j * rng.uniform(low, high, size=shape) if "complex" in dtype else values


def between(low, high, *shape, **kw):
    return Value(lambda rng, dtype: _numbers(rng, shape, dtype, low, high), kw.get("dtype"))


def normal(*shape, **kw):
    return between(-4, 4, *shape, **kw)


def positive(*shape, **kw):
    return between(0.25, 5, *shape, **kw)


def nonzero(*shape, **kw):
    def draw(rng, dtype):
        values = _numbers(rng, shape, dtype, -4, 4)
        return np.where(np.asarray(values) == 0, np.asarray(3), values)

    return Value(draw, kw.get("dtype"))


def of(values, dtype=None):
    return Value(lambda rng, dtype: values, dtype)


def i32(values):
    return of(values, "int32")


def i64(values):
    return of(values, "int64")


def known(value):
    """The same, of a shape that the client knows: where its inference of shapes insists."""
    return Value(value.draw, value.dtype, True)


def arange(*shape):
    count = int(np.prod(shape))

    def draw(rng, dtype):
        if dtype == "string":
            return np.array([b"s%d" % i for i in range(count)], dtype=object).reshape(shape)
        return np.arange(count).reshape(shape) % (2 if dtype == "bool" else 100)

    return Value(draw)


class Case:
    """One line. `ours`: TensorFlow is not asked (it dies, or answers otherwise for a reason given).
    `like`: only TensorFlow of this major version is. `atol`: what sums of large terms lose.
    `gradient`: False where TensorFlow's is no measure."""

    def __init__(self, op, *inputs, **kw):
        self.op, self.inputs = op, inputs
        self.types = kw.pop("types", F32)
        self.error = kw.pop("error", None)
        self.text = kw.pop("text", None)
        self.ours = kw.pop("ours", None)
        self.like = kw.pop("like", None)
        self.rtol = kw.pop("rtol", None)
        self.atol = kw.pop("atol", None)
        self.gradient = kw.pop("gradient", True)
        self.attrs = kw


NAN, INF = float("nan"), float("inf")
TINY = of([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 1e-3, 50.0, -50.0, 1e4])
ODD = of(
    [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 2.5, 1e-3, -1e-3, 50.0, -50.0, 1e4, -1e4]
)
INT_EDGES = of([-128, -127, -1, 0, 1, 2, 127])
BIG = of([-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 1], "int32")
BIG64 = of([-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 1], "int64")


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
    yield Case("Xlog1py", positive(3, 4), positive(4), types=FLOATS)
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


def shapes():
    for shape in ((), (3,), (2, 0, 4), (1, 2, 3, 4, 5, 6, 7, 1)):
        for op in ("Shape", "Size"):
            yield Case(op, normal(*shape), out_type="int32")
            yield Case(op, normal(*shape), out_type="int64")
        yield Case("Rank", normal(*shape))
    yield Case("Shape", normal(2, 2), types=ANY)
    yield Case("ShapeN", [normal(2, 3), normal(), normal(0, 1)], out_type="int64")
    for to in ([6], [2, 3], [-1], [3, -1], [1, 6, 1, 1], [-1, 2]):
        yield Case("Reshape", arange(2, 3), i32(to))
        yield Case("Reshape", arange(2, 3), i64(to), types=("string",))
    yield Case("Reshape", normal(1), i32([]))
    yield Case("Reshape", normal(0, 3), i32([3, 0]))
    yield Case("Reshape", normal(0, 3), i32([3, -1]))
    yield Case("Reshape", normal(0, 3), i32([0, -1]))
    yield Case("Reshape", normal(0, 3), i32([0, 0, -1]))
    yield Case("Reshape", normal(0), i32([-1, 0]))
    yield Case("Reshape", normal(4), i32([0, -1]), error=INVALID)
    yield Case(
        "Reshape",
        normal(5),
        i32([6]),
        error=INVALID,
        text="Input to reshape is a tensor with 5 values, but the requested shape has 6",
    )
    yield Case("Reshape", normal(5), i32([2, -1]), error=INVALID)
    yield Case("Reshape", normal(4), i32([-1, -1]), error=INVALID)
    yield Case("Reshape", normal(4), i32([-2, -2]), error=INVALID)
    yield Case("Reshape", normal(4), i32([[4]]), error=INVALID)
    yield Case(
        "Reshape", normal(4), i64([2**40, 2**40]), error=INVALID, ours="1.15 dies of a CHECK"
    )
    for dim in (0, 1, 2, -1, -3):
        yield Case("ExpandDims", normal(2, 3), i32(dim))
        yield Case("ExpandDims", normal(2, 3), i64(dim), types=("string",))
    yield Case("ExpandDims", normal(), i32(0))
    yield Case("ExpandDims", normal(2), i32(2), error=INVALID)
    yield Case("ExpandDims", normal(2), i32(-3), error=INVALID)
    yield Case("Squeeze", normal(1, 2, 1, 3), squeeze_dims=[])
    yield Case("Squeeze", normal(1, 2, 1, 3), squeeze_dims=[2])
    yield Case("Squeeze", normal(1, 2, 1, 3), squeeze_dims=[0, -2])
    yield Case("Squeeze", normal(2, 1), squeeze_dims=[0], error=INVALID)
    yield Case("Squeeze", normal(2, 1), squeeze_dims=[2], error=INVALID)
    yield Case("Bitcast", normal(3, 2), type="int32")
    yield Case("Bitcast", normal(3, 2), type="uint8")
    yield Case("Bitcast", normal(3, 2), type="float64")
    yield Case("Bitcast", normal(3, 4), types=("uint8",), type="float32")
    yield Case("Bitcast", normal(3, 3), type="float64", error=INVALID)
    yield Case("ConcatOffset", i32(1), [i32([2, 3, 5]), i32([2, 7, 5]), i32([2, 1, 5])])
    yield Case("ConcatOffset", i32(-1), [i32([2, 3]), i32([2, 4])])
    yield Case("ConcatOffset", i32(1), [i32([2, 3, 5]), i32([3, 7, 5])], error=INVALID)
    yield Case("ConcatOffset", i32(3), [i32([2, 3, 5]), i32([2, 7, 5])], error=INVALID)
    yield Case("Fill", i32([2, 3]), of(7), types=NUMBERS)
    yield Case("Fill", i64([2, 3]), of(b"x"), types=("string",))
    yield Case("Fill", i32([]), of(7))
    yield Case("Fill", i32([0, 3]), of(7))
    yield Case("Fill", i32([-1]), of(7), error=INVALID)
    yield Case("Fill", i32([2]), of([7, 8]), error=INVALID)
    yield Case("Fill", i32([[2]]), of(7), error=INVALID)
    yield Case("Fill", i64([2**40, 2**40]), of(7), error="ANY", ours="TensorFlow may die")
    yield Case("ZerosLike", normal(2, 3), types=ANY)
    yield Case("OnesLike", normal(2, 3), types=NUMBERS + ("bool",))
    for a, b in (
        ([2, 3], [3]),
        ([2, 1], [1, 5]),
        ([], [4]),
        ([4], []),
        ([2, 3], [2, 3]),
        ([0], [1]),
        ([5, 1, 3], [1, 3]),
        ([1], [1]),
        ([1, 1], [1]),
    ):
        yield Case("BroadcastGradientArgs", i32(a), i32(b))
        yield Case("BroadcastArgs", i32(a), i32(b))
        yield Case("BroadcastGradientArgs", i64(a), i64(b))
    for op in ("BroadcastArgs", "BroadcastGradientArgs"):
        yield Case(op, i32([2]), i32([3]), error=INVALID)
        yield Case(op, i32([[2]]), i32([3]), error=INVALID)
    yield Case("BroadcastTo", normal(3, 1), i32([2, 3, 4]), types=ANY)
    yield Case("BroadcastTo", normal(), i64([2, 3]))
    yield Case("BroadcastTo", normal(4), i32([4]))
    yield Case("BroadcastTo", normal(1), i32([0]))
    yield Case("BroadcastTo", normal(3), i32([4]), error=INVALID)
    yield Case("BroadcastTo", normal(2, 3), i32([3]), error=INVALID)
    yield Case("Tile", arange(2, 3), i32([2, 1]), types=ANY)
    yield Case("Tile", arange(2, 3), i64([1, 3]))
    yield Case("Tile", arange(2, 3), i32([3, 2]))
    yield Case("Tile", arange(2, 3), i32([0, 2]))
    yield Case("Tile", normal(), i32([]))
    yield Case("Tile", normal(2, 1, 3, 1, 2), i32([1, 2, 2, 3, 1]))
    yield Case("Tile", normal(2, 3), i32([2]), error=INVALID)
    yield Case("Tile", normal(2, 3), i32([2, -1]), error=INVALID)


def joins():
    yield Case("ConcatV2", [arange(2, 3), arange(2, 3)], i32(0), types=ANY)
    yield Case("ConcatV2", [arange(2, 3), arange(2, 1), arange(2, 2)], i32(1), types=ANY)
    yield Case("ConcatV2", [arange(2, 3), arange(2, 0), arange(2, 2)], i64(-1))
    yield Case("ConcatV2", [normal(2, 3, 4), normal(2, 5, 4)], i32(-2))
    yield Case("Concat", i32(1), [normal(2, 3, 4), normal(2, 5, 4)])
    yield Case("Concat", i32(0), [normal(0), normal(3)])
    two, text = [normal(2, 3), normal(2, 3)], "tensor should be a scalar integer, but got shape"
    yield Case("Concat", i32([[1]]), two, error=INVALID, text=f"concat_dim {text} [1,1]")
    yield Case("ConcatV2", two, i32([]), error=INVALID, text=f"axis {text} [0]")
    yield Case("ConcatV2", [normal(0, 2), normal(0, 2)], i32(0))
    yield Case("ConcatV2", [normal(2), normal(2)], i32(1), error=INVALID)
    yield Case("ConcatV2", [normal(2, 3), normal(3, 3)], i32(1), error=INVALID)
    yield Case("ConcatV2", [normal(2, 3), normal(2)], i32(0), error=INVALID)
    for axis in (0, 1, 2, -1, -3):
        yield Case("Pack", [arange(2, 3), arange(2, 3), arange(2, 3)], axis=axis)
    yield Case("Pack", [arange(2, 3), arange(2, 3)], types=ANY)
    yield Case("Pack", [normal()], axis=0)
    yield Case("Pack", [normal(2), normal(3)], error=INVALID)
    yield Case("Pack", [normal(2), normal(2)], axis=2, error=INVALID)
    for axis in (0, 1, 2, -1):
        yield Case("Unpack", arange(2, 2, 2), num=2, axis=axis)
    yield Case("Unpack", arange(2, 3), num=2, types=ANY)
    yield Case("Unpack", arange(3, 16), num=3)
    yield Case("Unpack", normal(0, 3), num=0)
    yield Case("Unpack", normal(2, 0), num=2)
    yield Case("Unpack", normal(2, 3), num=3, error=INVALID)
    yield Case("Unpack", normal(2, 3), num=2, axis=2, error=INVALID)
    for axis in (0, 1, -1):
        yield Case("Split", i32(axis), arange(4, 6), num_split=2, types=("float32", "string"))
    yield Case("Split", i32(0), arange(6, 2), num_split=3, types=ANY)
    yield Case("Split", i32(0), arange(64, 4), num_split=2)
    yield Case("Split", i32(0), arange(5), num_split=2, error=INVALID)
    yield Case("Split", i32(1), arange(4), num_split=2, error=INVALID)
    yield Case("SplitV", arange(6, 4), i32([1, 2, 3]), i32(0), num_split=3, types=ANY)
    yield Case("SplitV", arange(6, 4), i64([1, -1]), i32(1), num_split=2)
    yield Case("SplitV", arange(6, 4), i64([0, 4]), i32(1), num_split=2)
    yield Case("SplitV", arange(6), i32([1, 2]), i32(0), num_split=2, error=INVALID)
    yield Case(
        "SplitV",
        arange(6),
        i32([7, -1]),
        i32(0),
        num_split=2,
        error=INVALID,
        ours="a CHECK fails in 1.15, 2.21 answers",
    )
    yield Case(
        "SplitV",
        arange(6),
        i32([-2, 8]),
        i32(0),
        num_split=2,
        error=INVALID,
        ours="a CHECK fails in 1.15",
    )
    yield Case(
        "SplitV",
        arange(6),
        i32([6]),
        i32(1),
        num_split=1,
        error=INVALID,
        ours="one piece is not checked there",
    )
    yield Case("StringJoin", [normal(3, dtype="string"), normal(3, dtype="string")], separator="-")
    yield Case(
        "StringJoin", [normal(dtype="string"), normal(2, 2, dtype="string"), normal(dtype="string")]
    )
    yield Case("StringJoin", [normal(2, dtype="string"), normal(3, dtype="string")], error=INVALID)


def strided(shape, begin, end, strides, **kw):
    return Case("StridedSlice", arange(*shape), i32(begin), i32(end), i32(strides), **kw)


def slices():
    yield Case("Slice", arange(3, 4), i32([1, 1]), i32([2, -1]), types=ANY)
    yield Case("Slice", arange(3, 4), i64([0, 0]), i64([3, 4]))
    yield Case("Slice", arange(3, 4), i32([1, 0]), i32([1, 4]))
    yield Case("Slice", arange(32, 16), i32([8, 0]), i32([3, 16]))
    yield Case("Slice", arange(3, 4), i32([3, 4]), i32([0, 0]))
    yield Case("Slice", normal(), i32([]), i32([]))
    yield Case("Slice", arange(2, 3, 4, 5), i32([1, 0, 2, 1]), i32([1, 2, 1, 3]))
    yield Case("Slice", arange(3), i32([4]), i32([0]), error=INVALID)
    yield Case("Slice", arange(3), i32([-1]), i32([1]), error=INVALID)
    yield Case("Slice", arange(3), i32([1]), i32([3]), error=INVALID)
    yield Case("Slice", arange(3), i32([1]), i32([-2]), error=INVALID)
    yield Case("Slice", arange(3), i32([1, 0]), i32([1, 1]), error=INVALID)
    yield strided((5,), [1], [4], [2])
    yield strided((5,), [4], [0], [-2])
    yield strided((5,), [-1], [-10], [-1])
    yield strided((5,), [-100], [100], [1])
    yield strided((5,), [100], [-100], [-3])
    yield strided((5,), [3], [1], [1])
    yield strided((5,), [0], [0], [-1], begin_mask=1, end_mask=1)
    yield strided((5,), [2], [0], [2], end_mask=1)
    yield strided((3, 4), [1], [2], [1], shrink_axis_mask=1)
    yield strided((3, 4), [-1], [0], [1], shrink_axis_mask=1)
    yield strided((3, 4), [0, 1], [0, 2], [1, 1], begin_mask=1, end_mask=1, shrink_axis_mask=2)
    yield strided((3, 4), [0, 0], [0, 0], [1, 1], new_axis_mask=1)
    yield strided((3, 4), [0, 0], [0, 0], [1, 1], begin_mask=1, end_mask=1, new_axis_mask=2)
    yield strided(
        (2, 3, 4),
        [1, 0, 0, 2],
        [0, 0, 0, 3],
        [1, 1, 1, 1],
        end_mask=1,
        ellipsis_mask=2,
        new_axis_mask=4,
        shrink_axis_mask=8,
    )
    yield strided((2, 3, 4), [0, 1], [0, 3], [1, 1], ellipsis_mask=1)
    yield strided((2, 3, 4), [1, 0], [2, 0], [1, 1], ellipsis_mask=2)
    yield strided((2, 3, 4), [0], [0], [1], ellipsis_mask=1)
    yield strided((2, 3, 4), [], [], [])
    yield strided((0, 3), [0], [5], [1])
    yield strided((2, 3), [1, 1, 0], [2, 2, 0], [1, 1, 1], ellipsis_mask=4)
    yield Case("StridedSlice", arange(4, 5), i64([0, 4]), i64([4, 0]), i64([2, -2]), types=ANY)
    yield strided((40, 16), [8], [11], [1])
    yield strided(
        (3,),
        [5],
        [6],
        [1],
        shrink_axis_mask=1,
        error=INVALID,
        text="slice index 5 of dimension 0 out of bounds.",
    )
    yield strided(
        (3,),
        [-4],
        [6],
        [1],
        shrink_axis_mask=1,
        error=INVALID,
        text="slice index -1 of dimension 0 out of bounds.",
    )
    yield strided((3,), [0], [2], [0], error=INVALID)
    yield strided((3,), [0, 0], [1, 1], [1, 1], error=INVALID)
    yield strided((3,), [0, 0], [1], [1], error=INVALID)
    yield strided((3,), [1], [2], [-1], shrink_axis_mask=1, error=INVALID)
    yield strided((2, 2), [0, 0], [1, 1], [1, 1], ellipsis_mask=3, error=INVALID)
    for shape, b, e, s, masks in (
        ([5], [1], [4], [2], {}),
        ([5], [4], [0], [-2], {}),
        ([3, 4], [1], [2], [1], dict(shrink_axis_mask=1)),
        (
            [2, 3, 4],
            [1, 0, 0, 2],
            [0, 0, 0, 3],
            [1, 1, 1, 1],
            dict(end_mask=1, ellipsis_mask=2, new_axis_mask=4, shrink_axis_mask=8),
        ),
        ([2, 3], [0], [2], [1], {}),
    ):
        dy = {(5,): (2,), (3, 4): (4,), (2, 3, 4): (1, 3, 1), (2, 3): (2, 3)}[tuple(shape)]
        yield Case(
            "StridedSliceGrad",
            i32(shape),
            i32(b),
            i32(e),
            i32(s),
            arange(*dy),
            types=("float32", "int8", "complex128"),
            **masks,
        )
    yield Case("StridedSliceGrad", i32([5]), i32([1]), i32([4]), i32([1]), arange(2), error=INVALID)


def pads():
    for types in (ANY,):
        yield Case("Pad", arange(2, 3), i32([[1, 0], [2, 1]]), types=types)
        yield Case(
            "PadV2",
            arange(2, 3),
            i32([[1, 0], [2, 1]]),
            of(1) if types != ("string",) else of(b"p"),
            types=NUMBERS,
        )
    yield Case("PadV2", arange(3), i64([[1, 2]]), of(b"p"), types=("string",))
    yield Case("Pad", normal(), of(np.zeros((0, 2)), "int32"))
    yield Case("Pad", normal(0, 2), i32([[1, 1], [0, 0]]))
    yield Case("Pad", arange(2, 1, 2, 1, 2), i32([[1, 0], [0, 1], [0, 0], [2, 2], [0, 1]]))
    yield Case("Pad", arange(3), i32([[-1, 0]]), error=INVALID)
    yield Case("Pad", arange(3), i32([[1, 0], [0, 0]]), error=INVALID)
    yield Case("Pad", arange(3), i32([1, 0]), error=INVALID)
    for mode in ("REFLECT", "SYMMETRIC"):
        yield Case(
            "MirrorPad",
            arange(3, 4),
            i32([[2, 1], [0, 3]]),
            mode=mode,
            types=NUMBERS + ("bool", "string"),
        )
        yield Case("MirrorPad", arange(5), i64([[3, 4]]), mode=mode)
        yield Case("MirrorPad", arange(2, 2, 3), i32([[1, 1], [0, 1], [2, 0]]), mode=mode)
        yield Case("MirrorPad", arange(3), i32([[4, 0]]), mode=mode, error=INVALID)
        yield Case("MirrorPad", arange(3), i32([[-1, 0]]), mode=mode, error=INVALID)
        yield Case(
            "MirrorPadGrad",
            normal(6, 7),
            i32([[2, 1], [0, 3]]),
            mode=mode,
            types=("float32", "float64", "int32"),
        )
        yield Case("MirrorPadGrad", normal(12), i64([[3, 4]]), mode=mode)
        yield Case("MirrorPadGrad", normal(3), i32([[2, 2]]), mode=mode, error=INVALID)
    yield Case("MirrorPad", arange(3), i32([[3, 0]]), mode="REFLECT", error=INVALID)


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


def moves():
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


FAMILIES = (
    unary,
    binary,
    comparison,
    gradients,
    sums,
    choice,
    cast,
    sequence,
    reductions,
    segments,
    shapes,
    joins,
    slices,
    pads,
    gathers,
    moves,
    diagonals,
    picks,
)
