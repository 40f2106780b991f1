# SPDX-License-Identifier: Apache-2.0
"""Special functions."""

from ...graph.convert import convert_to_tensor
from ..building import thin, unary, with_names
from .arithmetic import multiply, subtract
from .complex_numbers import abs
from .elementary import exp
from .reductions import reduce_sum

igamma = thin("Igamma", "a x", "Computes the lower regularised incomplete gamma function P(a, x).")


igammac = thin(
    "Igammac", "a x", "Computes the upper regularised incomplete gamma function Q(a, x)."
)


betainc = thin("Betainc", "a b x", "Computes the regularised incomplete beta function I_x(a, b).")


polygamma = thin("Polygamma", "a x", "Computes the derivative of order a of digamma at x.")


zeta = thin("Zeta", "x q", "Computes the Hurwitz zeta function: the sum of (q + n)^-x over n >= 0.")


erf = unary(
    "Erf", "Computes the error function: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x."
)


erfc = unary("Erfc", "Computes 1 - erf(x). The result is exact for large x.")


lgamma = unary("Lgamma", "Computes log |gamma(x)|.")


digamma = unary("Digamma", "Computes the derivative of lgamma.")


bessel_i0e = unary("BesselI0e", "Computes e^-|x| times the modified Bessel function of order 0.")


bessel_i1e = unary("BesselI1e", "Computes e^-|x| times the modified Bessel function of order 1.")


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


__all__ = with_names(globals())
