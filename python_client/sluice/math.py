"""Arithmetic, comparison, special functions, reductions, scans and segments."""

import numpy as np

from . import dtypes, raw_ops
from .arrays import cast, concat, expand_dims, ones_like, rank, reshape, shape, zeros_like
from .building import all_axes, binary, given, reduction, thin, unary, with_names
from .convert import constant, convert_to_tensor

# ---- two tensors of one dtype, broadcast against each other

subtract = binary("Sub", "x - y.")
multiply = binary("Mul", "x * y.")
truediv = binary("RealDiv", "x / y, of floats and complex numbers.")
floordiv = binary(
    "FloorDiv", "The integer below or at x / y. InvalidArgumentError: integer y of 0."
)
floormod = mod = binary("FloorMod", "x - floor(x / y) * y: it has the sign of y.")
pow = binary("Pow", "x to the power y.")  # noqa: A001
maximum = binary("Maximum", "The larger one.")
minimum = binary("Minimum", "The smaller one.")
squared_difference = binary("SquaredDifference", "conj(x - y) * (x - y).")
divide_no_nan = binary("DivNoNan", "x / y, and 0 where y is 0.")
multiply_no_nan = binary("MulNoNan", "x * y, and 0 where y is 0, whatever x is.")
xdivy = binary("Xdivy", "x / y, and 0 where x is 0.")
xlogy = binary("Xlogy", "x * log(y), and 0 where x is 0.")
atan2 = thin("Atan2", "y x", "The angle of the point (x, y), in radians within [-pi, pi].")
nextafter = thin("NextAfter", "x1 x2", "The number next to x1 on the way to x2.")
equal = binary("Equal", "bool: x == y.")
not_equal = binary("NotEqual", "bool: x != y.")
less = binary("Less", "bool: x < y.")
less_equal = binary("LessEqual", "bool: x <= y.")
greater = binary("Greater", "bool: x > y.")
greater_equal = binary("GreaterEqual", "bool: x >= y.")
logical_and = binary("LogicalAnd", "Of bools.")
logical_or = binary("LogicalOr", "Of bools.")
igamma = thin("Igamma", "a x", "Lower regularised incomplete gamma function P(a, x).")
igammac = thin("Igammac", "a x", "Upper regularised incomplete gamma function Q(a, x).")
betainc = thin("Betainc", "a b x", "Regularised incomplete beta function I_x(a, b).")
polygamma = thin("Polygamma", "a x", "The a-th derivative of digamma at x.")
zeta = thin("Zeta", "x q", "Hurwitz zeta function: the sum of (q + n)^-x over n >= 0.")

truncatediv = binary("TruncateDiv", "x / y of integers, rounded towards 0.")
truncatemod = binary("TruncateMod", "x - truncatediv(x, y) * y: it has the sign of x.")

# ---- one tensor, element by element

logical_not = unary("LogicalNot", "Of bools.")
negative = unary("Neg", "-x.")
sign = unary("Sign", "-1, 0 or 1; of a complex number x / |x|.")
square = unary("Square", "x * x.")
sqrt = unary("Sqrt", "NaN below 0.")
rsqrt = unary("Rsqrt", "1 / sqrt(x).")
reciprocal = unary("Reciprocal", "1 / x.")
exp = unary("Exp", "e^x.")
expm1 = unary("Expm1", "e^x - 1, exact near 0.")
log = unary("Log", "Natural logarithm.")
log1p = unary("Log1p", "log(1 + x), exact near 0.")
sin = unary("Sin", "Of radians.")
cos = unary("Cos", "Of radians.")
tan = unary("Tan", "Of radians.")
asin = unary("Asin", "In radians.")
acos = unary("Acos", "In radians.")
atan = unary("Atan", "In radians.")
sinh = unary("Sinh", "(e^x - e^-x) / 2.")
cosh = unary("Cosh", "(e^x + e^-x) / 2.")
tanh = unary("Tanh", "sinh(x) / cosh(x).")
asinh = unary("Asinh", "The x of sinh.")
acosh = unary("Acosh", "The x >= 0 of cosh.")
atanh = unary("Atanh", "The x of tanh.")
sigmoid = unary("Sigmoid", "1 / (1 + e^-x).")
softplus = unary("Softplus", "log(1 + e^x).")
softsign = unary("Softsign", "x / (1 + |x|).")
erf = unary("Erf", "2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.")
erfc = unary("Erfc", "1 - erf(x), exact for large x.")
lgamma = unary("Lgamma", "log |gamma(x)|.")
digamma = unary("Digamma", "The derivative of lgamma.")
bessel_i0e = unary("BesselI0e", "e^-|x| times the modified Bessel function of order 0.")
bessel_i1e = unary("BesselI1e", "e^-|x| times the modified Bessel function of order 1.")
floor = unary("Floor", "The integer below or at x.")
ceil = unary("Ceil", "The integer above or at x.")
rint = unary("Rint", "The nearest integer; halves go to the even one.")
is_nan = unary("IsNan", "bool: is it NaN?")
is_inf = unary("IsInf", "bool: is it infinite?")
is_finite = unary("IsFinite", "bool: is it neither NaN nor infinite?")
invert_permutation = unary("InvertPermutation", "y with y[x[i]] = i; x int32 or int64 [n].")


def abs(x, name=None):  # noqa: A001
    """|x|; of complex numbers as the float of half the size."""
    x = convert_to_tensor(x)
    if x.dtype.is_complex:
        return raw_ops.ComplexAbs(x=x, Tout=_real_type(x.dtype), name=name)
    return raw_ops.Abs(x=x, name=name)


def add(x, y, name=None):
    """x + y, broadcast against each other; strings are joined."""
    first = x if hasattr(x, "dtype") or not hasattr(y, "dtype") else y
    op = "Add" if convert_to_tensor(first).dtype == dtypes.string else "AddV2"
    return raw_ops.apply_op(op, name or "Add", x=x, y=y)


def round(x, name=None):  # noqa: A001
    """The nearest integer, as the same dtype; halves go to the even one."""
    return raw_ops.Round(x=x, name=name)


def divide(x, y, name=None):
    """x / y; integers are divided as float64 (8 and 16 bits: as float32)."""
    if not hasattr(x, "graph") and hasattr(y, "graph"):
        x = convert_to_tensor(x, y.dtype)
    x = convert_to_tensor(x)
    if x.dtype.is_integer:
        wide = x.dtype in (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
        kind = dtypes.float64 if wide else dtypes.float32
        x, y = cast(x, kind), cast(convert_to_tensor(y, x.dtype), kind)
    return truediv(x, y, name)


def logical_xor(x, y, name=None):
    """Of bools: exactly one of the two."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name)


def scalar_mul(scalar, x, name=None):
    """A scalar times a tensor."""
    return multiply(scalar, x, name)


def reciprocal_no_nan(x, name=None):
    """1 / x, and 0 where x is 0."""
    x = convert_to_tensor(x)
    return divide_no_nan(ones_like(x), x, name)


def log_sigmoid(x, name=None):
    """log(sigmoid(x)), without overflow."""
    return negative(softplus(negative(x)), name)


def bessel_i0(x, name=None):
    """Modified Bessel function of order 0."""
    return multiply(exp(abs(x)), bessel_i0e(x), name)


def bessel_i1(x, name=None):
    """Modified Bessel function of order 1."""
    return multiply(exp(abs(x)), bessel_i1e(x), name)


def lbeta(x, name=None):
    """log |Beta(x)| of the last dimension: sum of lgamma(x) minus lgamma of the sum."""
    x = convert_to_tensor(x)
    return subtract(reduce_sum(lgamma(x), -1), lgamma(reduce_sum(x, -1)), name)


def polyval(coeffs, x, name=None):
    """coeffs[0] x^(n-1) + ... + coeffs[n-1], by Horner's rule; coeffs: a list of tensors."""
    x = convert_to_tensor(x)
    if not coeffs:
        return zeros_like(x)
    value = convert_to_tensor(coeffs[0], x.dtype)
    for coefficient in coeffs[1:]:
        value = add(convert_to_tensor(coefficient, x.dtype), multiply(value, x))
    return raw_ops.Identity(input=value, name=name)


# ---- complex numbers


def _real_type(dtype):
    return dtypes.float64 if dtype == dtypes.complex128 else dtypes.float32


def _part(op, of_real):
    def function(input, name=None):
        x = convert_to_tensor(input)
        if not x.dtype.is_complex:
            return of_real(x)
        return raw_ops.apply_op(op, name, input=x, Tout=_real_type(x.dtype))

    return function


real = _part("Real", lambda x: x)
imag = _part("Imag", zeros_like)
angle = _part("Angle", lambda x: multiply(cast(less(x, 0), x.dtype), np.pi))
real.__doc__ = "The real part."
imag.__doc__ = "The imaginary part; zeros of real numbers."
angle.__doc__ = "The argument in radians; 0 or pi of real numbers."


def complex(real, imag, name=None):  # noqa: A001
    """real + imag i: complex64 of float32, complex128 of float64."""
    if not hasattr(real, "graph") and hasattr(imag, "graph"):
        real = convert_to_tensor(real, imag.dtype)
    real = convert_to_tensor(real)
    kind = dtypes.complex128 if real.dtype == dtypes.float64 else dtypes.complex64
    return raw_ops.Complex(real=real, imag=imag, Tout=kind, name=name)


def conj(x, name=None):
    """The complex conjugate; real numbers as they are."""
    x = convert_to_tensor(x)
    return raw_ops.Conj(input=x, name=name) if x.dtype.is_complex else x


# ---- reductions

reduce_sum = reduction("Sum", "The sum.")
reduce_mean = reduction("Mean", "The mean.")
reduce_max = reduction("Max", "The largest element.")
reduce_min = reduction("Min", "The smallest element.")
reduce_prod = reduction("Prod", "The product.")
reduce_all = reduction("All", "Are all true?")
reduce_any = reduction("Any", "Is any true?")
reduce_euclidean_norm = reduction("EuclideanNorm", "sqrt of the sum of squares.")


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """The mean of |x - mean|^2 over `axis` (None: all)."""
    x = convert_to_tensor(input_tensor)
    away = subtract(x, reduce_mean(x, axis, True))
    squares = real(multiply(away, conj(away))) if x.dtype.is_complex else square(away)
    return reduce_mean(squares, axis, keepdims, name)


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """The square root of reduce_variance."""
    return sqrt(reduce_variance(input_tensor, axis, keepdims), name)


def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None,
                     keep_dims=None):  # fmt: skip
    """log of the sum of e^x over `axis` (None: all), without overflow."""
    x = convert_to_tensor(input_tensor)
    axis, keepdims = given(axis, reduction_indices), bool(given(keepdims, keep_dims))
    axis = all_axes(x) if axis is None else axis
    top = reduce_max(x, axis, True)
    top = raw_ops.StopGradient(
        input=raw_ops.SelectV2(condition=is_finite(top), t=top, e=zeros_like(top))
    )
    total = add(log(reduce_sum(exp(subtract(x, top)), axis, True)), top)
    return reduce_sum(total, axis, keepdims, name)  # of one element each


def count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None,
                  reduction_indices=None, keep_dims=None, input=None):  # fmt: skip
    """How many elements are not zero (strings: not empty) over `axis` (None: all)."""
    x = convert_to_tensor(given(input_tensor, input))
    axis, keepdims = given(axis, reduction_indices), bool(given(keepdims, keep_dims))
    zero = constant("" if x.dtype == dtypes.string else 0, x.dtype)
    return cast(reduce_sum(cast(not_equal(x, zero), dtypes.int64), axis, keepdims), dtype, name)


def zero_fraction(value, name=None):
    """The fraction of elements that are zero, float32."""
    value = convert_to_tensor(value)
    return reduce_mean(cast(equal(value, constant(0, value.dtype)), dtypes.float32), name=name)


def add_n(inputs, name=None):
    """The sum of tensors of one shape and dtype."""
    return raw_ops.AddN(inputs=list(inputs), name=name)


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """add_n: the tensors' shape and dtype may be stated."""
    del shape, tensor_dtype
    return add_n(inputs, name)


def argmax(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """The index of the largest element along `axis` (0); the first of several."""
    axis = given(axis, dimension)
    return arg_max(input, 0 if axis is None else axis, output_type, name)


def argmin(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """The index of the smallest element along `axis` (0); the first of several."""
    axis = given(axis, dimension)
    return arg_min(input, 0 if axis is None else axis, output_type, name)


arg_max = thin("ArgMax", "input dimension output_type=9", "argmax, by its older name.")
arg_min = thin("ArgMin", "input dimension output_type=9", "argmin, by its older name.")


def top_k(input, k=1, sorted=True, name=None):
    """The k largest elements of the last dimension, and their indices (int32)."""
    return raw_ops.TopKV2(input=input, k=k, sorted=sorted, name=name)


in_top_k = thin(
    "InTopKV2", "predictions targets k",
    "bool [batch]: is class targets[i] among the k largest of predictions[i]?",
)  # fmt: skip


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Which of nbins equal parts of value_range [low, high] each value is in; what is outside is in
    the first or the last."""
    values = convert_to_tensor(values)
    low, high = (convert_to_tensor(value_range, values.dtype)[i] for i in (0, 1))
    share = truediv(subtract(values, low), subtract(high, low))
    places = floor(multiply(cast(convert_to_tensor(nbins), values.dtype), share))
    top = cast(subtract(convert_to_tensor(nbins), 1), values.dtype)
    return cast(clip_by_value(places, cast(0, values.dtype), top), dtype, name)


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """How many values are in each of nbins equal parts of value_range [low, high]; what is outside
    counts in the first or the last."""
    values = convert_to_tensor(values)
    return raw_ops.HistogramFixedWidth(
        values=values, value_range=convert_to_tensor(value_range, values.dtype), nbins=nbins,
        dtype=dtypes.as_dtype(dtype), name=name,
    )  # fmt: skip


def is_strictly_increasing(x, name=None):
    """bool scalar: is each element of x, flattened, larger than the one before it?"""
    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]), name=name)


def is_non_decreasing(x, name=None):
    """bool scalar: is each element of x, flattened, at least the one before it?"""
    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]), name=name)


# ---- scans, counts, segments

cumsum = thin(
    "Cumsum",
    "x axis=0 exclusive=False reverse=False",
    "Sums of what comes before, with (or without: exclusive) the element itself.",
)
cumprod = thin(
    "Cumprod",
    "x axis=0 exclusive=False reverse=False",
    "Products of what comes before, with (or without: exclusive) the element itself.",
)
cumulative_logsumexp = thin("CumulativeLogsumexp", "x axis=0 exclusive=False reverse=False",
                            "log of cumsum of e^x.")  # fmt: skip

_SORTED = "[n, ...] of rows of one segment; segment_ids [n] ascend. Row i belongs to segment i."
_UNSORTED = "[num_segments, ...] of rows of one segment; ids below 0 count nowhere."
segment_sum = thin("SegmentSum", "data segment_ids", "Sums " + _SORTED)
segment_mean = thin("SegmentMean", "data segment_ids", "Means " + _SORTED)
segment_prod = thin("SegmentProd", "data segment_ids", "Products " + _SORTED)
segment_max = thin("SegmentMax", "data segment_ids", "Maxima " + _SORTED)
segment_min = thin("SegmentMin", "data segment_ids", "Minima " + _SORTED)
unsorted_segment_sum = thin(
    "UnsortedSegmentSum", "data segment_ids num_segments", "Sums " + _UNSORTED
)
unsorted_segment_prod = thin(
    "UnsortedSegmentProd", "data segment_ids num_segments", "Products " + _UNSORTED
)
unsorted_segment_max = thin(
    "UnsortedSegmentMax", "data segment_ids num_segments", "Maxima " + _UNSORTED
)
unsorted_segment_min = thin(
    "UnsortedSegmentMin", "data segment_ids num_segments", "Minima " + _UNSORTED
)


def _segment_counts(data, segment_ids, num_segments):
    """How many rows each segment has, at least 1, of a shape to divide by."""
    ids = convert_to_tensor(segment_ids)
    ones = ones_like(ids)
    counts = maximum(cast(unsorted_segment_sum(ones, ids, num_segments), data.dtype), 1)
    rest = subtract(rank(data), rank(ids))
    tail = raw_ops.Fill(dims=expand_dims(rest, 0), value=1)
    return reshape(counts, concat([shape(counts), tail], 0))


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """Means of rows of one segment; 0 for a segment without rows."""
    data = convert_to_tensor(data)
    sums = unsorted_segment_sum(data, segment_ids, num_segments)
    return truediv(sums, _segment_counts(data, segment_ids, num_segments), name)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """Sums of rows of one segment, divided by the root of their number."""
    data = convert_to_tensor(data)
    sums = unsorted_segment_sum(data, segment_ids, num_segments)
    return truediv(sums, sqrt(_segment_counts(data, segment_ids, num_segments)), name)


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    """How often each number occurs in an int32 tensor; with weights, their sums.

    The result has max(arr) + 1 elements, at least `minlength`, at most `maxlength`.
    """
    arr = cast(convert_to_tensor(arr), dtypes.int32)
    top = reduce_max(concat([reshape(arr, [-1]), [-1]], 0))
    size = add(top, 1)
    size = size if minlength is None else maximum(size, minlength)
    size = size if maxlength is None else minimum(size, maxlength)
    values = constant([], dtype) if weights is None else weights
    return raw_ops.Bincount(arr=arr, size=size, weights=values)


def confusion_matrix(labels, predictions, num_classes=None, dtype=dtypes.int32, name=None,
                     weights=None):  # fmt: skip
    """[num_classes, num_classes]: how often class i (row) was taken for class j (column).

    labels, predictions: [n] class numbers. weights [n] count instead of 1.
    """
    labels = cast(convert_to_tensor(labels), dtypes.int64)
    predictions = cast(convert_to_tensor(predictions), dtypes.int64)
    if num_classes is None:
        num_classes = add(maximum(reduce_max(labels), reduce_max(predictions)), 1)
    num_classes = cast(convert_to_tensor(num_classes), dtypes.int64)
    values = ones_like(predictions) if weights is None else weights
    size = raw_ops.Pack(values=[num_classes, num_classes])
    places = raw_ops.Pack(values=[labels, predictions], axis=1)
    return raw_ops.ScatterNd(
        indices=places, updates=cast(convert_to_tensor(values), dtype), shape=size, name=name
    )


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """max(min(t, clip_value_max), clip_value_min)."""
    t = convert_to_tensor(t)
    return maximum(minimum(t, clip_value_max), clip_value_min, name=name)


__all__ = with_names(globals())
