# SPDX-License-Identifier: Apache-2.0
"""Distributions of real numbers: normal, Student's, Laplace's and uniform."""

import math as numbers

import numpy as np

from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.debug.assertions import assert_less, assert_positive
from ..ops.random import random
from .divergence import RegisterKL
from .numbers import ReparameterizedNumbers
from .parts import after, another_seed
from .special import log_laplace_cdf, log_normal_cdf, normal_cdf, normal_quantile


class LocatedNumbers(ReparameterizedNumbers):
    """A distribution with a place and a scale."""

    @property
    def loc(self):
        """The places, a tensor."""
        return self._loc

    @property
    def scale(self):
        """The scales, a tensor."""
        return self._scale

    def _standard(self, x):
        return (x - self._loc) / self._scale

    def _mean(self):
        return self._in_batch(self._loc)

    _mode = _mean


class Normal(LocatedNumbers):
    """Normal distributions.

    Args:
        loc: The means, a tensor of any floating-point dtype.
        scale: The standard deviations, a tensor of that dtype.

    Raises:
        ValueError: The dtypes differ.
    """

    _PARAMETERS = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        self._loc, self._scale = self._make(locals(), [lambda: assert_positive(scale)])

    def _sample_n(self, n, seed=None):
        drawn = random.normal(self._sample_shape(n), dtype=self.dtype, seed=seed)
        return drawn * self._scale + self._loc

    def _log_prob(self, x):
        logarithm = 0.5 * numbers.log(2 * numbers.pi) + math.log(self._scale)
        return -0.5 * math.square(self._standard(x)) - logarithm

    def _cdf(self, x):
        return normal_cdf(self._standard(x))

    def _log_cdf(self, x):
        return log_normal_cdf(self._standard(x))

    def _survival_function(self, x):
        return normal_cdf(-self._standard(x))

    def _log_survival_function(self, x):
        return log_normal_cdf(-self._standard(x))

    def _quantile(self, p):
        return normal_quantile(p) * self._scale + self._loc

    def _entropy(self):
        return 0.5 * numbers.log(2 * numbers.pi * numbers.e) + math.log(self._stddev())

    def _stddev(self):
        return self._in_batch(self._scale)


@RegisterKL(Normal, Normal)
def _kl_normal(a, b, name=None):
    with name_scope(name, "kl_normal_normal"):
        ratio = math.square(a.scale) / math.square(b.scale)
        distance = math.squared_difference(a.loc, b.loc) / (2 * math.square(b.scale))
        return distance + 0.5 * (ratio - 1 - math.log(ratio))


class Laplace(LocatedNumbers):
    """Laplace distributions, with the density exp(-|x - loc| / scale) / (2 scale).

    Args:
        loc: The means, a tensor of any floating-point dtype.
        scale: The scales, a tensor of that dtype.

    Raises:
        ValueError: The dtypes differ.
    """

    _PARAMETERS = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        self._loc, self._scale = self._make(locals(), [lambda: assert_positive(scale)])

    def _sample_n(self, n, seed=None):
        # Above -1, where the logarithm is infinite.
        kind = self.dtype.as_numpy_dtype
        lowest = np.nextafter(kind(-1), kind(0))
        drawn = random.uniform(self._sample_shape(n), lowest, 1.0, self.dtype, seed)
        return self._loc - self._scale * math.sign(drawn) * math.log1p(-math.abs(drawn))

    def _log_prob(self, x):
        return -math.abs(self._standard(x)) - (numbers.log(2) + math.log(self._scale))

    def _cdf(self, x):
        z = self._standard(x)
        return 0.5 + 0.5 * math.sign(z) * (1 - math.exp(-math.abs(z)))

    def _log_cdf(self, x):
        return log_laplace_cdf(self._standard(x))

    def _log_survival_function(self, x):
        return log_laplace_cdf(-self._standard(x))

    def _entropy(self):
        return numbers.log(2) + 1 + math.log(self._in_batch(self._scale))

    def _stddev(self):
        return numbers.sqrt(2) * self._in_batch(self._scale)


class StudentT(LocatedNumbers):
    """Student's t distributions.

    Args:
        df: The degrees of freedom, a tensor of any floating-point dtype.
        loc: The places, a tensor of that dtype.
        scale: The scales, a tensor of that dtype. They are not the standard deviations.

    Raises:
        ValueError: The dtypes differ.
    """

    _PARAMETERS = ("df", "loc", "scale")

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        given = dict(locals())
        self._df, self._loc, self._scale = self._make(given, [lambda: assert_positive(df)])

    @property
    def df(self):
        """The degrees of freedom, a tensor."""
        return self._df

    def _sample_n(self, n, seed=None):
        normal = random.normal(self._sample_shape(n), dtype=self.dtype, seed=seed)
        df = self._in_batch(self._df)
        seed = another_seed(seed, "student_t")
        gamma = random.gamma([n], 0.5 * df, 0.5, self.dtype, seed)
        return normal * math.rsqrt(gamma / df) * self._scale + self._loc

    def _log_prob(self, x):
        square = math.square(self._standard(x))
        half = 0.5 * (self._df + 1)
        norm = (
            math.log(math.abs(self._scale))
            + 0.5 * math.log(self._df)
            + 0.5 * numbers.log(numbers.pi)
            + math.lgamma(0.5 * self._df)
            - math.lgamma(half)
        )
        return -half * math.log1p(square / self._df) - norm

    def _cdf(self, x):
        y = (x - self._loc) / math.abs(self._scale)
        ratio = self._df / (math.square(y) + self._df)
        df, ratio = 0.5 * self._df + arrays.zeros_like(ratio), ratio + arrays.zeros_like(self._df)
        tail = 0.5 * math.betainc(df, 0.5 * arrays.ones_like(df), ratio)
        return arrays.where_v2(y < 0, tail, 1 - tail)

    def _entropy(self):
        df = self._in_batch(self._df)
        half = 0.5 * (df + 1)
        beta = math.lbeta(0.5 * arrays.stack([df, arrays.ones_like(df)], -1))
        digammas = math.digamma(half) - math.digamma(0.5 * df)
        return math.log(math.abs(self._scale)) + 0.5 * math.log(df) + beta + half * digammas

    def _where_mean(self, what, value):
        """A statistic that is defined where the mean is."""
        if self.allow_nan_stats:
            return self._defined_where(self._df > 1, value)
        message = f"{what} not defined for components of df <= 1"
        one = arrays.ones([], self.dtype)
        return after(value, assert_less(one, self._df, message=message))

    def _mean(self):
        return self._where_mean("mean", self._in_batch(self._loc))

    def _variance(self):
        df = self._in_batch(self._df)
        finite = df > 2
        below = arrays.where_v2(finite, df - 2, arrays.ones_like(df))
        value = math.square(self._scale) * df / below
        value = arrays.where_v2(finite, value, np.inf * arrays.ones_like(df))
        return self._where_mean("variance", value)

    def _mode(self):
        return arrays.identity(self._loc)


class Uniform(ReparameterizedNumbers):
    """Uniform distributions on [low, high).

    Args:
        low: The low ends, a tensor of any floating-point dtype.
        high: The high ends, a tensor of that dtype.

    Raises:
        ValueError: The dtypes differ.
    """

    _PARAMETERS = ("low", "high")

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True,
                 name="Uniform"):  # fmt: skip
        given = dict(locals())
        message = "uniform not defined when low >= high."
        checks = [lambda: assert_less(low, high, message=message)]
        self._low, self._high = self._make(given, checks)

    @property
    def low(self):
        """The low ends, a tensor."""
        return self._low

    @property
    def high(self):
        """The high ends, a tensor."""
        return self._high

    def range(self, name="range"):
        """Computes high - low.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor of the batch shape.
        """
        with self._scope(name):
            return self._high - self._low

    def _sample_n(self, n, seed=None):
        drawn = random.uniform(self._sample_shape(n), dtype=self.dtype, seed=seed)
        return self._low + self.range() * drawn

    def _prob(self, x):
        x = self._in_batch(x)
        outside = math.logical_or(x < self._low, x >= self._high)
        inside = arrays.ones_like(x) / self.range()
        found = arrays.where_v2(outside, arrays.zeros_like(x), inside)
        return arrays.where_v2(math.is_nan(x), x, found)

    def _cdf(self, x):
        x = self._in_batch(x)
        within = (x - self._low) / self.range()
        found = arrays.where_v2(x < self._low, arrays.zeros_like(x), within)
        return arrays.where_v2(x >= self._high, arrays.ones_like(x), found)

    def _entropy(self):
        return math.log(self.range())

    def _mean(self):
        return (self._low + self._high) / 2

    def _variance(self):
        return math.square(self.range()) / 12

    def _stddev(self):
        return self.range() / numbers.sqrt(12)
