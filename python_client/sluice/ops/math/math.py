"""Arithmetic, comparison, special functions, reductions, scans and segments.

Long because: the docstring of each function stands beside it.
"""

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor, number
from ...graph.graph import name_scope
from ...graph.tensor_shape import TensorShape
from .. import raw_ops
from ..array.arrays import (
    cast,
    concat,
    expand_dims,
    ones_like,
    rank,
    reshape,
    shape,
    stop_gradient,
    where,
    zeros_like,
)
from ..building import binary, given, reduction, thin, unary, with_names

# ---- two tensors of one dtype, broadcast against each other

subtract = binary(
    "Sub",
    """Computes x - y element by element.

    Example:
        >>> sl.Session().run(sl.subtract([5, 6], [1, 2]))
        array([4, 4], dtype=int32)
    """,
)
multiply = binary(
    "Mul",
    """Computes x * y element by element.

    Example:
        >>> sl.Session().run(sl.multiply([1, 2, 3], 10))
        array([10, 20, 30], dtype=int32)
    """,
)
truediv = binary("RealDiv", "Computes x / y of floating-point or complex numbers.")
floordiv = binary(
    "FloorDiv",
    """Computes x / y, rounded down to an integer.

    Raises:
        errors.InvalidArgumentError: In run(): an integer y is 0.

    Example:
        >>> sl.Session().run(sl.floordiv([7, -7], 2))
        array([ 3, -4], dtype=int32)
    """,
)
floormod = mod = binary(
    "FloorMod",
    """Computes x - floor(x / y) * y. The result has the sign of y.

    Example:
        >>> sl.Session().run(sl.floormod([7, -7], 3))
        array([1, 2], dtype=int32)
    """,
)
pow = binary(  # noqa: A001
    "Pow",
    """Computes x to the power y.

    Example:
        >>> sl.Session().run(sl.pow([2, 3], 2))
        array([4, 9], dtype=int32)
    """,
)
maximum = binary(
    "Maximum",
    """Returns the larger of x and y, element by element.

    Example:
        >>> sl.Session().run(sl.maximum([1, 5], [3, 2]))
        array([3, 5], dtype=int32)
    """,
)
minimum = binary(
    "Minimum",
    """Returns the smaller of x and y, element by element.

    Example:
        >>> sl.Session().run(sl.minimum([1, 5], [3, 2]))
        array([1, 2], dtype=int32)
    """,
)
squared_difference = binary("SquaredDifference", "Computes conj(x - y) * (x - y).")
multiply_no_nan = binary("MulNoNan", "Computes x * y. Where y is 0 the result is 0, whatever x is.")
xdivy = binary("Xdivy", "Computes x / y. Where x is 0 the result is 0.")
xlogy = binary("Xlogy", "Computes x * log(y). Where x is 0 the result is 0.")
atan2 = thin("Atan2", "y x", "Computes the angle of the point (x, y), in radians within [-pi, pi].")
nextafter = thin("NextAfter", "x1 x2", "Returns the number next to x1 in the direction of x2.")
equal = binary(
    "Equal",
    """Tests whether x == y, element by element.

    Example:
        >>> sl.Session().run(sl.equal([1, 2], [1, 3]))
        array([ True, False])
    """,
)
not_equal = binary("NotEqual", "Tests whether x != y, element by element.")
less = binary(
    "Less",
    """Tests whether x < y, element by element.

    Example:
        >>> sl.Session().run(sl.less([1, 2, 3], 2))
        array([ True, False, False])
    """,
)
less_equal = binary("LessEqual", "Tests whether x <= y, element by element.")
greater = binary(
    "Greater",
    """Tests whether x > y, element by element.

    Example:
        >>> sl.Session().run(sl.greater([1, 2, 3], 2))
        array([False, False,  True])
    """,
)
greater_equal = binary("GreaterEqual", "Tests whether x >= y, element by element.")
logical_and = binary(
    "LogicalAnd",
    """Computes the logical AND of x and y.

    Example:
        >>> sl.Session().run(sl.logical_and([True, True], [True, False]))
        array([ True, False])
    """,
)
logical_or = binary("LogicalOr", "Computes the logical OR of x and y.")
igamma = thin("Igamma", "a x", "Computes the lower regularised incomplete gamma function P(a, x).")
igammac = thin(
    "Igammac", "a x", "Computes the upper regularised incomplete gamma function Q(a, x)."
)
betainc = thin("Betainc", "a b x", "Computes the regularised incomplete beta function I_x(a, b).")
polygamma = thin("Polygamma", "a x", "Computes the derivative of order a of digamma at x.")
zeta = thin("Zeta", "x q", "Computes the Hurwitz zeta function: the sum of (q + n)^-x over n >= 0.")

truncatediv = binary("TruncateDiv", "Computes x / y of integers, rounded towards 0.")
truncatemod = binary(
    "TruncateMod", "Computes x - truncatediv(x, y) * y. The result has the sign of x."
)

# ---- one tensor, element by element

logical_not = unary("LogicalNot", "Computes the logical NOT of x.")
negative = unary("Neg", "Computes -x.")
sign = unary("Sign", "Returns -1, 0 or 1 by the sign of x; x / |x| of a complex number.")
square = unary(
    "Square",
    """Computes x * x.

    Example:
        >>> sl.Session().run(sl.square([1, 2, 3]))
        array([1, 4, 9], dtype=int32)
    """,
)
sqrt = unary(
    "Sqrt",
    """Computes the square root of x; NaN where x is negative.

    Example:
        >>> sl.Session().run(sl.sqrt([4.0, 9.0]))
        array([2., 3.], dtype=float32)
    """,
)
rsqrt = unary("Rsqrt", "Computes 1 / sqrt(x).")
reciprocal = unary("Reciprocal", "Computes 1 / x.")
exp = unary(
    "Exp",
    """Computes e^x.

    Example:
        >>> sl.Session().run(sl.exp(0.0))
        1.0
    """,
)
expm1 = unary("Expm1", "Computes e^x - 1. The result is exact near 0.")
log = unary(
    "Log",
    """Computes the natural logarithm of x.

    Example:
        >>> sl.Session().run(sl.log(1.0))
        0.0
    """,
)
log1p = unary("Log1p", "Computes log(1 + x). The result is exact near 0.")
sin = unary("Sin", "Computes the sine of x, in radians.")
cos = unary("Cos", "Computes the cosine of x, in radians.")
tan = unary("Tan", "Computes the tangent of x, in radians.")
asin = unary("Asin", "Computes the inverse sine of x. The result is in radians.")
acos = unary("Acos", "Computes the inverse cosine of x. The result is in radians.")
atan = unary("Atan", "Computes the inverse tangent of x. The result is in radians.")
sinh = unary("Sinh", "Computes the hyperbolic sine, (e^x - e^-x) / 2.")
cosh = unary("Cosh", "Computes the hyperbolic cosine, (e^x + e^-x) / 2.")
tanh = unary(
    "Tanh",
    """Computes the hyperbolic tangent, sinh(x) / cosh(x).

    Example:
        >>> sl.Session().run(sl.tanh(0.0))
        0.0
    """,
)
asinh = unary("Asinh", "Computes the inverse of sinh.")
acosh = unary("Acosh", "Computes the inverse of cosh, which is 0 or more.")
atanh = unary("Atanh", "Computes the inverse of tanh.")
sigmoid = unary(
    "Sigmoid",
    """Computes 1 / (1 + e^-x).

    Example:
        >>> sl.Session().run(sl.sigmoid(0.0))
        0.5
    """,
)
softplus = unary("Softplus", "Computes log(1 + e^x).")
softsign = unary("Softsign", "Computes x / (1 + |x|).")
erf = unary(
    "Erf", "Computes the error function: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x."
)
erfc = unary("Erfc", "Computes 1 - erf(x). The result is exact for large x.")
lgamma = unary("Lgamma", "Computes log |gamma(x)|.")
digamma = unary("Digamma", "Computes the derivative of lgamma.")
bessel_i0e = unary("BesselI0e", "Computes e^-|x| times the modified Bessel function of order 0.")
bessel_i1e = unary("BesselI1e", "Computes e^-|x| times the modified Bessel function of order 1.")
floor = unary(
    "Floor",
    """Rounds x down to an integer. The dtype stays.

    Example:
        >>> sl.Session().run(sl.floor([1.7, -1.2]))
        array([ 1., -2.], dtype=float32)
    """,
)
ceil = unary("Ceil", "Rounds x up to an integer. The dtype stays.")
rint = unary("Rint", "Rounds x to the nearest integer; halves go to the even one. The dtype stays.")
is_nan = unary("IsNan", "Tests whether x is NaN.")
is_inf = unary("IsInf", "Tests whether x is infinite.")
is_finite = unary("IsFinite", "Tests whether x is neither NaN nor infinite.")
invert_permutation = unary(
    "InvertPermutation",
    """Computes y with y[x[i]] = i.

    Args:
        x: An int32 or int64 tensor [n] that holds each of 0 ... n - 1 once.
    """,
)


def abs(x, name=None):  # noqa: A001
    """Computes the absolute value of each element.

    Args:
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x; of complex64 it is float32, of complex128 float64.

    Raises:
        TypeError: x has no numeric dtype.

    Example:
        >>> sl.Session().run(sl.abs([-2, 3]))
        array([2, 3], dtype=int32)
    """
    with name_scope(name, "Abs") as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return raw_ops.ComplexAbs(x=x, Tout=_real_type(x.dtype), name=scope)
        return raw_ops.Abs(x=x, name=scope)


def add(x, y, name=None):
    """Adds two tensors element by element. Strings are joined.

    Args:
        x: A tensor of any numeric dtype, or of strings.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same dtype and of the broadcast shape.

    Raises:
        ValueError or errors.InvalidArgumentError: The dtypes or shapes do not fit.

    Example:
        >>> sl.Session().run(sl.add([1, 2], 10))
        array([11, 12], dtype=int32)
    """
    first = x if hasattr(x, "dtype") or not hasattr(y, "dtype") else y
    op = "Add" if convert_to_tensor(first).dtype == dtypes.string else "AddV2"
    return raw_ops.apply_op(op, name or "Add", x=x, y=y)


def round(x, name=None):  # noqa: A001
    """Rounds to the nearest integer; halves go to the even one. The dtype stays.

    Args:
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    return raw_ops.Round(x=x, name=name)


def divide(x, y, name=None):
    """Computes x / y as Python does: integers are divided as floating-point numbers.

    Args:
        x: A tensor of any numeric dtype.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the broadcast shape. Its dtype is that of x; for integers of 32 and 64 bits it
        is float64, for those of 8 and 16 bits float32.

    Example:
        >>> sl.Session().run(sl.divide([7, 8], 2))
        array([3.5, 4. ])
    """
    with name_scope(name, "truediv") as scope:
        dtype = y.dtype if not hasattr(x, "graph") and hasattr(y, "graph") else None
        x = convert_to_tensor(x, dtype, "x")
        y = convert_to_tensor(y, dtype_hint=x.dtype, name="y")
        if x.dtype != y.dtype:
            raise TypeError(f"{x.name} is {x.dtype.name}, but {y.name} is {y.dtype.name}")
        if x.dtype.is_integer:
            wide = x.dtype in (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
            kind = dtypes.float64 if wide else dtypes.float32
            x, y = cast(x, kind), cast(y, kind)
        return raw_ops.RealDiv(x=x, y=y, name=scope)


def divide_no_nan(x, y, name=None):
    """Computes x / y. Where y is 0 the result is 0.

    Args:
        x: A tensor of any floating-point dtype.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the broadcast shape.

    Raises:
        errors.InvalidArgumentError: The dtypes or shapes do not fit.
    """
    with name_scope(name, "div_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype, "y")
        return raw_ops.DivNoNan(x=x, y=y, name=scope)


def logical_xor(x, y, name=None):
    """Computes the exclusive OR of two bool tensors.

    Args:
        x: A bool tensor.
        y: A bool tensor. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool tensor of the broadcast shape.
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name or "LogicalXor")


def scalar_mul(scalar, x, name=None):
    """Multiplies a tensor by a scalar.

    Args:
        scalar: A number or a scalar tensor of the dtype of x.
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    x = convert_to_tensor(x)
    return multiply(convert_to_tensor(scalar, x.dtype), x, name)


def reciprocal_no_nan(x, name=None):
    """Computes 1 / x. Where x is 0 the result is 0.

    Args:
        x: A tensor of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    x = convert_to_tensor(x)
    return divide_no_nan(ones_like(x), x, name)


def log_sigmoid(x, name=None):
    """Computes log(sigmoid(x)) without overflow.

    Args:
        x: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    with name_scope(name, "LogSigmoid") as scope:
        return negative(softplus(-convert_to_tensor(x, name="x")), scope)


def bessel_i0(x, name=None):
    """Computes the modified Bessel function of order 0.

    Args:
        x: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    return multiply(exp(abs(x)), bessel_i0e(x), name)


def bessel_i1(x, name=None):
    """Computes the modified Bessel function of order 1.

    Args:
        x: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    return multiply(exp(abs(x)), bessel_i1e(x), name)


def lbeta(x, name=None):
    """Computes log |Beta(x)| over the last dimension: the sum of lgamma(x) minus lgamma of the sum.

    Args:
        x: A tensor [..., n] of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [...] of the dtype of x.
    """
    x = convert_to_tensor(x)
    return subtract(reduce_sum(lgamma(x), -1), lgamma(reduce_sum(x, -1)), name)


def polyval(coeffs, x, name=None):
    """Evaluates a polynomial by Horner's rule: coeffs[0] x^(n-1) + ... + coeffs[n-1].

    Args:
        coeffs: A list of tensors, the coefficient of the highest power first.
        x: A tensor. The coefficients have its dtype and are broadcast with it.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of x; zeros if coeffs is empty.
    """
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


def _part(op, of_real, doc):
    def function(input, name=None):
        x = convert_to_tensor(input)
        if not x.dtype.is_complex:
            return of_real(x)
        return raw_ops.apply_op(op, name, input=x, Tout=_real_type(x.dtype))

    function.__doc__ = f"""{doc}

    Args:
        input: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape: float32 of complex64, float64 of complex128, else of the dtype
        of input.
    """
    return function


real = _part("Real", lambda x: x, "Returns the real part of each element.")
imag = _part(
    "Imag", zeros_like, "Returns the imaginary part of each element, which is 0 for real numbers."
)
angle = _part(
    "Angle", lambda x: multiply(cast(less(x, 0), x.dtype), np.pi),
    "Computes the angle of each complex number in radians; of real numbers it is 0 or pi.",
)  # fmt: skip


def complex(real, imag, name=None):  # noqa: A001
    """Makes complex numbers of real and imaginary parts.

    Args:
        real: A float32 or float64 tensor.
        imag: A tensor of the dtype of real. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A complex64 tensor of float32 parts, a complex128 tensor of float64 parts.
    """
    if not hasattr(real, "graph") and hasattr(imag, "graph"):
        real = convert_to_tensor(real, imag.dtype)
    real = convert_to_tensor(real)
    kind = dtypes.complex128 if real.dtype == dtypes.float64 else dtypes.complex64
    return raw_ops.Complex(real=real, imag=imag, Tout=kind, name=name)


def conj(x, name=None):
    """Computes the complex conjugate. Real numbers stay as they are.

    Args:
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    x = convert_to_tensor(x)
    return raw_ops.Conj(input=x, name=name) if x.dtype.is_complex else x


# ---- reductions

reduce_sum = reduction(
    "Sum",
    """Adds up the elements along dimensions.

    Example:
        >>> x = [[1, 2], [3, 4]]
        >>> sl.Session().run([sl.reduce_sum(x), sl.reduce_sum(x, axis=0)])
        [10, array([4, 6], dtype=int32)]
    """,
)
reduce_mean = reduction(
    "Mean",
    """Computes the mean of the elements along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_mean([[1.0, 2.0], [3.0, 6.0]], axis=1, keepdims=True))
        array([[1.5],
               [4.5]], dtype=float32)
    """,
)
reduce_max = reduction(
    "Max",
    """Returns the largest element along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_max([[1, 5], [3, 4]], axis=1))
        array([5, 4], dtype=int32)
    """,
)
reduce_min = reduction(
    "Min",
    """Returns the smallest element along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_min([[1, 5], [3, 4]], axis=1))
        array([1, 3], dtype=int32)
    """,
)
reduce_prod = reduction(
    "Prod",
    """Multiplies the elements along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_prod([1, 2, 3, 4]))
        24
    """,
)
reduce_all = reduction(
    "All",
    """Tests whether all elements along dimensions are true.

    Example:
        >>> sl.Session().run(sl.reduce_all([[True, False], [True, True]], axis=1))
        array([False,  True])
    """,
)
reduce_any = reduction(
    "Any",
    """Tests whether any element along dimensions is true.

    Example:
        >>> sl.Session().run(sl.reduce_any([[True, False], [False, False]], axis=1))
        array([ True, False])
    """,
)
reduce_euclidean_norm = reduction(
    "EuclideanNorm", "Computes the square root of the sum of squares along dimensions."
)


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the variance along dimensions: the mean of |x - mean|^2.

    Args:
        input_tensor: A tensor of any floating-point or complex dtype.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A real tensor without the reduced dimensions.
    """
    x = convert_to_tensor(input_tensor)
    away = subtract(x, reduce_mean(x, axis, True))
    squares = real(multiply(away, conj(away))) if x.dtype.is_complex else square(away)
    return reduce_mean(squares, axis, keepdims, name)


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the standard deviation along dimensions: the square root of the variance.

    Args:
        input_tensor: A tensor of any floating-point or complex dtype.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A real tensor without the reduced dimensions.
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims), name)


def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None,
                     keep_dims=None):  # fmt: skip
    """Computes the logarithm of the sum of e^x along dimensions, without overflow.

    Args:
        input_tensor: A tensor of any floating-point dtype.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.
        reduction_indices: Older name of axis.
        keep_dims: Older name of keepdims.

    Returns:
        A tensor of the same dtype, without the reduced dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.
    """
    x = convert_to_tensor(input_tensor)
    axis, keepdims = given(axis, reduction_indices), bool(given(keepdims, keep_dims))
    with name_scope(name, "ReduceLogSumExp"):
        top = reduce_max(x, axis, True)
        top = stop_gradient(where(is_finite(top), top, zeros_like(top)))
        total = log(reduce_sum(exp(subtract(x, top)), axis, keepdims))
        return add(total, top if keepdims else reshape(top, shape(total)))


def count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None,
                  reduction_indices=None, keep_dims=None, input=None):  # fmt: skip
    """Counts the elements along dimensions that are not zero; of strings, those that are not empty.

    Args:
        input_tensor: A tensor of any numeric dtype, of bools or of strings.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.
        reduction_indices: Older name of axis.
        keep_dims: Older name of keepdims.
        input: Another name of input_tensor.

    Returns:
        A tensor of dtype `dtype`, without the reduced dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.

    Example:
        >>> sl.Session().run(sl.count_nonzero([0, 3, 0, 4]))
        2
    """
    x = convert_to_tensor(given(input_tensor, input))
    axis, keepdims = given(axis, reduction_indices), bool(given(keepdims, keep_dims))
    zero = number("" if x.dtype == dtypes.string else 0, x.dtype)
    return cast(reduce_sum(cast(not_equal(x, zero), dtypes.int64), axis, keepdims), dtype, name)


def zero_fraction(value, name=None):
    """Computes the fraction of elements that are zero.

    Args:
        value: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 scalar within [0, 1]; NaN for a tensor without elements.
    """
    with name_scope(name, "zero_fraction"):
        value = convert_to_tensor(value, name="value")
        zeros = cast(equal(value, number(0, value.dtype)), dtypes.float32)
        return reduce_mean(zeros, name="fraction")


def add_n(inputs, name=None):
    """Adds up tensors of one shape and dtype.

    Args:
        inputs: A list of tensors, at least one.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError or errors.InvalidArgumentError: The list is empty, or shapes or dtypes differ.

    Example:
        >>> sl.Session().run(sl.add_n([[1, 2], [3, 4], [5, 6]]))
        array([ 9, 12], dtype=int32)
    """
    inputs = [convert_to_tensor(x) for x in inputs]
    if len(inputs) == 1:
        return raw_ops.Identity(input=inputs[0], name=name) if name else inputs[0]
    return raw_ops.AddN(inputs=inputs, name=name)


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """Adds up tensors of one shape and dtype, as add_n() does.

    Args:
        inputs: A list of tensors, at least one.
        shape: Shape of the inputs. None: it follows from them.
        tensor_dtype: Accepted. The dtype follows from the inputs.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape and dtype.
    """
    del tensor_dtype
    inputs = [convert_to_tensor(x) for x in inputs]
    known = TensorShape(shape)
    for x in inputs:
        known = known.merge_with(x.shape)
    if len(inputs) == 1:
        return inputs[0] if name is None else raw_ops.Identity(input=inputs[0], name=name)
    return raw_ops.AccumulateNV2(inputs=inputs, shape=known, name=name)


def argmax(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """Returns the index of the largest element along a dimension; of several, the first.

    Args:
        input: A tensor of any numeric dtype.
        axis: The dimension, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
        dimension: Older name of axis.
        output_type: Dtype of the result, int32 or int64.

    Returns:
        A tensor of indices, without the dimension `axis`.

    Raises:
        ValueError: Both axis and dimension are given.

    Example:
        >>> sl.Session().run(sl.argmax([[1, 9, 3], [7, 5, 6]], axis=1))
        array([1, 0])
    """
    axis = given(axis, dimension)
    return arg_max(input, 0 if axis is None else axis, output_type, name)


def argmin(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """Returns the index of the smallest element along a dimension; of several, the first.

    Args:
        input: A tensor of any numeric dtype.
        axis: The dimension, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
        dimension: Older name of axis.
        output_type: Dtype of the result, int32 or int64.

    Returns:
        A tensor of indices, without the dimension `axis`.

    Raises:
        ValueError: Both axis and dimension are given.

    Example:
        >>> sl.Session().run(sl.argmin([4, 1, 3]))
        1
    """
    axis = given(axis, dimension)
    return arg_min(input, 0 if axis is None else axis, output_type, name)


arg_max = thin(
    "ArgMax",
    "input dimension output_type=9",
    """Returns the index of the largest element along a dimension. Older form of argmax().

    Args:
        dimension: The dimension, an int32 or int64 scalar.

    Returns:
        A tensor of indices, without the dimension.
    """,
)
arg_min = thin(
    "ArgMin",
    "input dimension output_type=9",
    """Returns the index of the smallest element along a dimension. Older form of argmin().

    Args:
        dimension: The dimension, an int32 or int64 scalar.

    Returns:
        A tensor of indices, without the dimension.
    """,
)


def top_k(input, k=1, sorted=True, name=None):
    """Finds the k largest elements of the last dimension.

    Args:
        input: A tensor [..., n] of any real dtype.
        k: How many elements, an int or an int32 scalar, at most n.
        sorted: Whether the largest comes first. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple. `values`: a tensor [..., k]; `indices`: an int32 tensor [..., k] of their
        places.

    Example:
        >>> values, indices = sl.Session().run(sl.nn.top_k([1.0, 7.0, 5.0], k=2))
        >>> values, indices
        (array([7., 5.], dtype=float32), array([1, 2], dtype=int32))
    """
    return raw_ops.TopKV2(input=input, k=k, sorted=sorted, name=name)


in_top_k = thin(
    "InTopKV2",
    "predictions targets k",
    """Tests whether the right class is among the k most likely ones.

    Args:
        predictions: A float32 tensor [batch, classes].
        targets: An int32 or int64 tensor [batch] of the right classes.
        k: How many classes count, an int.

    Returns:
        A bool tensor [batch].
    """,
)


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Finds the bin of a histogram that each value belongs to.

    Args:
        values: A tensor of any real dtype.
        value_range: A pair [low, high] of the dtype of values. Values outside are in the first or
            the last bin.
        nbins: How many bins of equal width, an int or a scalar tensor.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape of values with numbers from 0 to nbins - 1.
    """
    values = convert_to_tensor(values)
    low, high = (convert_to_tensor(value_range, values.dtype)[i] for i in (0, 1))
    share = truediv(subtract(values, low), subtract(high, low))
    places = floor(multiply(cast(convert_to_tensor(nbins), values.dtype), share))
    top = cast(subtract(convert_to_tensor(nbins), 1), values.dtype)
    return cast(clip_by_value(places, cast(0, values.dtype), top), dtype, name)


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Counts how many values are in each bin of a histogram.

    Args:
        values: A tensor of any real dtype.
        value_range: A pair [low, high] of the dtype of values. Values outside count in the first or
            the last bin.
        nbins: How many bins of equal width, an int or a scalar tensor.
        dtype: Dtype of the result, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [nbins] of counts.
    """
    values = convert_to_tensor(values)
    return raw_ops.HistogramFixedWidth(
        values=values, value_range=convert_to_tensor(value_range, values.dtype), nbins=nbins,
        dtype=dtypes.as_dtype(dtype), name=name,
    )  # fmt: skip


def is_strictly_increasing(x, name=None):
    """Tests whether each element, in row-major order, is larger than the one before it.

    Args:
        x: A tensor of any real dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]), name=name)


def is_non_decreasing(x, name=None):
    """Tests whether each element, in row-major order, is at least the one before it.

    Args:
        x: A tensor of any real dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]), name=name)


# ---- scans, counts, segments

cumsum = thin(
    "Cumsum",
    "x axis=0 exclusive=False reverse=False",
    """Computes cumulative sums along a dimension.

    Args:
        axis: Dimension to work along, an int32 or int64 scalar. Default: 0.
        exclusive: Whether a sum leaves out the element at its own place. A bool.
        reverse: Whether the sums run from the end to the start. A bool.

    Returns:
        A tensor of the shape and dtype of `x`.

    Example:
        >>> sl.Session().run(sl.cumsum([1, 2, 3]))
        array([1, 3, 6], dtype=int32)
    """,
)
cumprod = thin(
    "Cumprod",
    "x axis=0 exclusive=False reverse=False",
    """Computes cumulative products along a dimension.

    Args:
        axis: Dimension to work along, an int32 or int64 scalar. Default: 0.
        exclusive: Whether a product leaves out the element at its own place. A bool.
        reverse: Whether the products run from the end to the start. A bool.

    Returns:
        A tensor of the shape and dtype of `x`.
    """,
)
cumulative_logsumexp = thin(
    "CumulativeLogsumexp",
    "x axis=0 exclusive=False reverse=False",
    """Computes the logarithm of the cumulative sums of e^x along a dimension.

    Args:
        axis: Dimension to work along, an int32 or int64 scalar. Default: 0.
        exclusive: Whether a sum leaves out the element at its own place. A bool.
        reverse: Whether the sums run from the end to the start. A bool.

    Returns:
        A tensor of the shape and dtype of `x`.
    """,
)

_SORTED = """ the rows of each segment.

    Args:
        segment_ids: An int32 or int64 tensor [n] in ascending order: row i belongs to segment
            segment_ids[i].

    Returns:
        A tensor [segments, ...] of the dtype of `data`.
"""
_UNSORTED = """ the rows of each segment. The rows may be in any order.

    Args:
        segment_ids: An int32 or int64 tensor of the first dimensions of `data`. Rows with a
            negative id are left out.
        num_segments: How many segments the result has, an int32 or int64 scalar.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.
"""
segment_sum = thin("SegmentSum", "data segment_ids", "Adds up" + _SORTED)
segment_mean = thin("SegmentMean", "data segment_ids", "Computes the means of" + _SORTED)
segment_prod = thin("SegmentProd", "data segment_ids", "Multiplies" + _SORTED)
segment_max = thin("SegmentMax", "data segment_ids", "Takes the maxima of" + _SORTED)
segment_min = thin("SegmentMin", "data segment_ids", "Takes the minima of" + _SORTED)
_BY_ID = "data segment_ids num_segments"
unsorted_segment_sum = thin("UnsortedSegmentSum", _BY_ID, "Adds up" + _UNSORTED)
unsorted_segment_prod = thin("UnsortedSegmentProd", _BY_ID, "Multiplies" + _UNSORTED)
unsorted_segment_max = thin("UnsortedSegmentMax", _BY_ID, "Takes the maxima of" + _UNSORTED)
unsorted_segment_min = thin("UnsortedSegmentMin", _BY_ID, "Takes the minima of" + _UNSORTED)


def _segment_counts(data, segment_ids, num_segments):
    """How many rows each segment has, at least 1, of a shape to divide by."""
    ids = convert_to_tensor(segment_ids)
    ones = ones_like(ids)
    counts = maximum(cast(unsorted_segment_sum(ones, ids, num_segments), data.dtype), 1)
    rest = subtract(rank(data), rank(ids))
    tail = raw_ops.Fill(dims=expand_dims(rest, 0), value=1)
    return reshape(counts, concat([shape(counts), tail], 0))


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """Computes the means of the rows of each segment; 0 for a segment without rows.

    Args:
        data: A tensor [n, ...] of any floating-point or complex dtype.
        segment_ids: An int32 or int64 tensor of the first dimensions of data. Negative ids count
            nowhere.
        num_segments: How many segments, an int or a scalar tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [num_segments, ...] of the dtype of data.
    """
    data = convert_to_tensor(data)
    sums = unsorted_segment_sum(data, segment_ids, num_segments)
    return truediv(sums, _segment_counts(data, segment_ids, num_segments), name)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """Adds up the rows of each segment and divides by the square root of their number.

    Args:
        data: A tensor [n, ...] of any floating-point or complex dtype.
        segment_ids: An int32 or int64 tensor of the first dimensions of data. Negative ids count
            nowhere.
        num_segments: How many segments, an int or a scalar tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [num_segments, ...] of the dtype of data.
    """
    data = convert_to_tensor(data)
    sums = unsorted_segment_sum(data, segment_ids, num_segments)
    return truediv(sums, sqrt(_segment_counts(data, segment_ids, num_segments)), name)


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    """Counts how often each number occurs; with weights, adds up their weights.

    Args:
        arr: An int32 tensor of numbers that are 0 or more.
        weights: A tensor of the shape of arr. None: each number counts 1.
        minlength: Smallest length of the result, an int. None: no limit.
        maxlength: Largest length of the result, an int. None: no limit. Numbers beyond it are left
            out.
        dtype: Dtype of the result if there are no weights.

    Returns:
        A tensor [max(arr) + 1], within the limits; of the dtype of weights if given.

    Example:
        >>> sl.Session().run(sl.bincount([1, 2, 2, 3]))
        array([0, 1, 2, 1], dtype=int32)
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
    """Counts how often examples of one class were predicted as another class.

    Args:
        labels: An integer tensor [n] of right classes.
        predictions: An integer tensor [n] of predicted classes.
        num_classes: How many classes, an int. None: the largest class that occurs, plus 1.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.
        weights: A tensor [n]: how much each example counts. None: 1.

    Returns:
        A tensor [num_classes, num_classes]; rows are right classes, columns predicted ones.

    Raises:
        errors.InvalidArgumentError: In run(): a class is not below num_classes.

    Example:
        >>> sl.Session().run(sl.confusion_matrix([0, 1, 1], [0, 1, 0]))
        array([[1, 0],
               [1, 1]], dtype=int32)
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
    """Moves elements that are outside of a range to its nearest end.

    Args:
        t: A tensor of any real dtype.
        clip_value_min: The low end of the range: a number, or a tensor that is broadcast with t.
        clip_value_max: The high end of the range: a number, or a tensor that is broadcast with t.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of t.

    Raises:
        ValueError: The limits are larger than t.

    Example:
        >>> sl.Session().run(sl.clip_by_value([-5, 0, 5], -1, 1))
        array([-1,  0,  1], dtype=int32)
    """
    with name_scope(name, "clip_by_value") as scope:
        t = convert_to_tensor(t, name="t")
        clipped = maximum(minimum(t, clip_value_max), clip_value_min, name=scope)
    if not t.shape.is_compatible_with(clipped.shape):
        raise ValueError(
            f"the limits of clip_by_value() have shape {clipped.shape}, but {t.name} has {t.shape}"
        )
    return clipped


__all__ = with_names(globals())
