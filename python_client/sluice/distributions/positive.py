# SPDX-License-Identifier: Apache-2.0
"""Distributions of positive numbers, of fractions, and of fractions that add up to 1."""

import numpy as np

from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.debug.assertions import (
    assert_less,
    assert_near,
    assert_positive,
    assert_same_float_dtype,
)
from ..ops.random import random
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .divergence import RegisterKL
from .numbers import DistributionOfNumbers, ReparameterizedNumbers
from .parts import OfConcentration, after, another_seed, covariance


def _mode_where(distribution, condition, mode, parameters):
    """A mode that is defined where a condition holds: that parameters are above 1."""
    if distribution.allow_nan_stats:
        return arrays.where_v2(condition, mode, np.nan * arrays.ones_like(mode))
    one = arrays.ones([], distribution.dtype)
    message = "mode not defined when any concentration <= 1"
    return after(mode, *(assert_less(one, p, message=message) for p in parameters))


class Gamma(ReparameterizedNumbers):
    """Gamma distributions, whose density is proportional to x^(concentration - 1) exp(-rate x).

    Args:
        concentration: The shape parameters, a tensor of any floating-point dtype.
        rate: The inverse scales, a tensor of that dtype.

    Raises:
        ValueError: The dtypes differ.
    """

    _PARAMETERS = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True,
                 name="Gamma"):  # fmt: skip
        given = dict(locals())
        checks = [lambda: assert_positive(concentration), lambda: assert_positive(rate)]
        self._concentration, self._rate = self._make(given, checks)

    @property
    def concentration(self):
        """The shape parameters, a tensor."""
        return self._concentration

    @property
    def rate(self):
        """The inverse scales, a tensor."""
        return self._rate

    def _sample_n(self, n, seed=None):
        return random.gamma([n], self._concentration, self._rate, self.dtype, seed)

    def _event(self, x):
        assert_same_float_dtype([x], self.dtype)
        return after(x, assert_positive(x)) if self.validate_args else x

    def _log_prob(self, x):
        x = self._event(x)
        norm = math.lgamma(self._concentration) - self._concentration * math.log(self._rate)
        return math.xlogy(self._concentration - 1, x) - self._rate * x - norm

    def _cdf(self, x):
        x = self._rate * self._event(x)
        return math.igamma(self._concentration + arrays.zeros_like(x), self._in_batch(x))

    def _entropy(self):
        k = self._concentration
        return k - math.log(self._rate) + math.lgamma(k) + (1 - k) * math.digamma(k)

    def _mean(self):
        return self._concentration / self._rate

    def _variance(self):
        return self._concentration / math.square(self._rate)

    def _stddev(self):
        return math.sqrt(self._concentration) / self._rate

    def _mode(self):
        mode = (self._concentration - 1) / self._rate
        condition = self._concentration > 1
        return _mode_where(self, condition, mode, [self._concentration])


@RegisterKL(Gamma, Gamma)
def _kl_gamma(a, b, name=None):
    with name_scope(name, "kl_gamma_gamma"):
        return (
            (a.concentration - b.concentration) * math.digamma(a.concentration)
            + math.lgamma(b.concentration)
            - math.lgamma(a.concentration)
            + b.concentration * (math.log(a.rate) - math.log(b.rate))
            + a.concentration * (b.rate / a.rate - 1)
        )


class Exponential(Gamma):
    """Exponential distributions, with the density rate exp(-rate x).

    Args:
        rate: The inverse means, a tensor of any floating-point dtype.
    """

    _PARAMETERS = ("rate",)

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        given = dict(locals())
        (self._rate,) = self._make(given, [lambda: assert_positive(rate)])
        self._concentration = arrays.ones([], self.dtype)

    def _log_survival_function(self, value):
        return self._log_prob(value) - math.log(self._rate)

    def _sample_n(self, n, seed=None):
        # Above 0, where the logarithm is infinite.
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        drawn = random.uniform(self._sample_shape(n), tiny, 1.0, self.dtype, seed)
        return -math.log(drawn) / self._rate


class Beta(DistributionOfNumbers):
    """Beta distributions of fractions x, with densities proportional to
    x^(concentration1 - 1) (1 - x)^(concentration0 - 1).

    Args:
        concentration1: A tensor of any floating-point dtype.
        concentration0: A tensor of that dtype.

    Raises:
        ValueError: The dtypes differ.
    """

    _PARAMETERS = ("concentration1", "concentration0")

    def __init__(self, concentration1=None, concentration0=None, validate_args=False,
                 allow_nan_stats=True, name="Beta"):  # fmt: skip
        given = dict(locals())
        with name_scope(name) as scope:
            parts = [convert_to_tensor(given[key], name=key) for key in self._PARAMETERS]
            if validate_args:
                message = "Concentration parameter must be positive."
                parts = [after(part, assert_positive(part, message=message)) for part in parts]
            dtype = assert_same_float_dtype(parts)
            self._total = parts[0] + parts[1]
        self._one, self._zero = parts
        self._set_up(given, dtype, FULLY_REPARAMETERIZED, [*parts, self._total], scope)

    @property
    def concentration1(self):
        """The parameters of x, a tensor."""
        return self._one

    @property
    def concentration0(self):
        """The parameters of 1 - x, a tensor."""
        return self._zero

    @property
    def total_concentration(self):
        """The sums of both parameters, a tensor."""
        return self._total

    def _sample_n(self, n, seed=None):
        seeds = seed, another_seed(seed, "beta")
        drawn = [
            random.gamma([n], self._in_batch(part), None, self.dtype, one)
            for part, one in zip((self._one, self._zero), seeds)
        ]
        return drawn[0] / (drawn[0] + drawn[1])

    def _log_prob(self, x):
        if self.validate_args:
            one = arrays.ones([], self.dtype)
            low = assert_positive(x, message="sample must be positive")
            x = after(x, low, assert_less(x, one, message="sample must be less than `1`."))
        powers = math.xlogy(self._one - 1, x) + (self._zero - 1) * math.log1p(-x)
        return powers - _log_beta(self)

    def _cdf(self, x):
        x = self._in_batch(x)
        return math.betainc(*(part + arrays.zeros_like(x) for part in (self._one, self._zero)), x)

    def _entropy(self):
        parts = [(part - 1) * math.digamma(part) for part in (self._one, self._zero)]
        total = (self._total - 2) * math.digamma(self._total)
        return _log_beta(self) - parts[0] - parts[1] + total

    def _mean(self):
        return self._one / self._total

    def _variance(self):
        mean = self._mean()
        return mean * (1 - mean) / (1 + self._total)

    def _mode(self):
        mode = (self._one - 1) / (self._total - 2)
        condition = math.logical_and(self._one > 1, self._zero > 1)
        return _mode_where(self, condition, mode, [self._one, self._zero])


def _log_beta(distribution):
    """The logarithm of the beta function of the parameters."""
    parts = distribution.concentration1, distribution.concentration0
    return math.lgamma(parts[0]) + math.lgamma(parts[1]) - math.lgamma(parts[0] + parts[1])


@RegisterKL(Beta, Beta)
def _kl_beta(a, b, name=None):
    with name_scope(name, "kl_beta_beta"):
        return (
            _log_beta(b)
            - _log_beta(a)
            - math.digamma(a.concentration1) * (b.concentration1 - a.concentration1)
            - math.digamma(a.concentration0) * (b.concentration0 - a.concentration0)
            + math.digamma(a.total_concentration)
            * (b.total_concentration - a.total_concentration)
        )


class Dirichlet(OfConcentration, Distribution):
    """Dirichlet distributions of k fractions that add up to 1.

    Args:
        concentration: The parameters, a tensor [..., k] of any floating-point dtype.
    """

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        given = dict(locals())
        with name_scope(name) as name:
            self._set_concentration(concentration, validate_args)
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            [self._concentration, self._total], name,
        )  # fmt: skip

    def _sample_n(self, n, seed=None):
        drawn = random.gamma([n], self._concentration, None, self.dtype, seed)
        return drawn / math.reduce_sum(drawn, -1, keepdims=True)

    def _log_prob(self, x):
        if self.validate_args:
            message = "sample last-dimension must sum to `1`"
            one = arrays.ones([], self.dtype)
            whole = assert_near(one, math.reduce_sum(x, -1), message=message)
            x = after(x, assert_positive(x, message="samples must be positive"), whole)
        powers = math.reduce_sum(math.xlogy(self._concentration - 1, x), -1)
        return powers - math.lbeta(self._concentration)

    def _classes(self):
        return arrays.cast(self.event_shape_tensor()[0], self.dtype)

    def _entropy(self):
        parts = (self._concentration - 1) * math.digamma(self._concentration)
        total = (self._total - self._classes()) * math.digamma(self._total)
        return math.lbeta(self._concentration) + total - math.reduce_sum(parts, -1)

    def _mean(self):
        return self._concentration / self._total[..., None]

    def _scaled_mean(self):
        scale = math.rsqrt(1 + self._total[..., None])
        return scale, scale * self._mean()

    def _variance(self):
        scale, mean = self._scaled_mean()
        return mean * (scale - mean)

    def _covariance(self):
        _, mean = self._scaled_mean()
        return covariance(mean, mean, self._variance())

    def _mode(self):
        mode = (self._concentration - 1) / (self._total[..., None] - self._classes())
        condition = math.reduce_all(self._concentration > 1, -1, keepdims=True)
        return _mode_where(self, condition, mode, [self._concentration])


@RegisterKL(Dirichlet, Dirichlet)
def _kl_dirichlet(a, b, name=None):
    with name_scope(name, "kl_dirichlet_dirichlet"):
        total = math.digamma(math.reduce_sum(a.concentration, -1, keepdims=True))
        digammas = math.digamma(a.concentration) - total
        parts = (a.concentration - b.concentration) * digammas
        norms = math.lbeta(b.concentration) - math.lbeta(a.concentration)
        return math.reduce_sum(parts, -1) + norms
