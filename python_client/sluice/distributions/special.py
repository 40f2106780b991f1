# SPDX-License-Identifier: Apache-2.0
"""Cumulative distribution functions, their logarithms, and the quantile of the normal one."""

import numpy as np

from ..ops import array as arrays
from ..ops import math
from ..ops.array import where_v2


def normal_cdf(x):
    """P(X <= x) of the standard normal distribution, exact in both tails."""
    return 0.5 * math.erfc(-x * np.sqrt(0.5))


def log_normal_cdf(x):
    """Its logarithm. Far to the left it is a series (Abramowitz and Stegun, 26.2.12)."""
    bound, right = (-20.0, 8.0) if x.dtype.size == 8 else (-10.0, 5.0)
    far = math.minimum(x, bound)
    square = math.square(far)
    series = 1 - 1 / square + 3 / square**2 - 15 / square**3
    left = -0.5 * square - math.log(-far) - 0.5 * np.log(2 * np.pi) + math.log(series)
    middle = math.log(normal_cdf(math.maximum(x, bound)))
    return where_v2(x > right, -normal_cdf(-x), where_v2(x > bound, middle, left))


# Numerators and denominators, the constant first: M. J. Wichura, Algorithm AS 241: the percentage
# points of the normal distribution, Applied Statistics 37 (1988).
_CENTRE = (
    [3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
     45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727],
    [1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867,
     39307.895800092710610, 28729.085735721942674, 5226.4952788528545610],
)  # fmt: skip
_MIDDLE = (
    [1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
     3.64784832476320460504, 1.27045825245236838258, 0.241780725177450611770,
     0.0227238449892691845833, 7.74545014278341407640e-4],
    [1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
     0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4,
     1.05075007164441684324e-9],
)  # fmt: skip
_TAIL = (
    [6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
     0.296560571828504891230, 0.0265321895265761230930, 0.00124266094738807843860,
     2.71155556874348757815e-5, 2.01033439929228813265e-7],
    [1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15],
)  # fmt: skip


def _ratio(x, parts):
    above, below = (np.array(part, x.dtype.as_numpy_dtype) for part in parts)
    sums = []
    for factors in above, below:
        total = arrays.zeros_like(x)
        for factor in factors[::-1]:
            total = total * x + factor
        sums.append(total)
    return sums[0] / sums[1]


def normal_quantile(p):
    """The x with normal_cdf(x) = p; infinite at 0 and 1."""
    offset = p - 0.5
    inner = math.maximum(0.180625 - math.square(offset), 0.0)
    centre = offset * _ratio(inner, _CENTRE)
    outer = math.minimum(p, 1 - p)
    safe = where_v2(outer > 0, outer, 0.25 * arrays.ones_like(outer))
    root = math.sqrt(-math.log(safe))
    tail = where_v2(root <= 5, _ratio(root - 1.6, _MIDDLE), _ratio(root - 5, _TAIL))
    tail = where_v2(outer > 0, tail, np.inf * arrays.ones_like(outer))
    return where_v2(math.abs(offset) <= 0.425, centre, math.sign(offset) * tail)


def log_laplace_cdf(x):
    """The logarithm of P(X <= x) of the standard Laplace distribution."""
    right = math.log1p(-0.5 * math.exp(-math.abs(x)))
    return where_v2(x < 0, x - np.log(2), right)
