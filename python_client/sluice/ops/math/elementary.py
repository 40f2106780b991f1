# SPDX-License-Identifier: Apache-2.0
"""Exponential, trigonometric and hyperbolic functions."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..array import zeros_like
from ..building import binary, thin, unary, with_names
from .arithmetic import add, multiply, negative

xdivy = binary("Xdivy", "Computes x / y. Where x is 0 the result is 0.")


xlogy = binary("Xlogy", "Computes x * log(y). Where x is 0 the result is 0.")


atan2 = thin("Atan2", "y x", "Computes the angle of the point (x, y), in radians within [-pi, pi].")


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


__all__ = with_names(globals())
