# SPDX-License-Identifier: Apache-2.0
"""Distributions of classes as vectors, hard and relaxed, and of counts of events."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.nn.activations import log_softmax, softmax
from ..ops.random import random
from .counts import OfLogits
from .distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution
from .divergence import RegisterKL
from .numbers import DistributionOfNumbers
from .parts import logits_and_probs


class _OfClasses(OfLogits, Distribution):
    """A distribution of vectors with a number for each class."""

    def _set_classes(self, logits, probs, validate_args):
        self._logits, self._probs = logits_and_probs(logits, probs, True, validate_args)

    @property
    def event_size(self):
        """How many classes there are, an int32 scalar."""
        return arrays.shape(self._logits)[-1]

    def _batch_shape(self):
        return self._logits.shape[:-1]

    def _batch_shape_tensor(self):
        return arrays.shape(self._logits)[:-1]

    def _event_shape(self):
        return self._logits.shape[-1:]

    def _event_shape_tensor(self):
        return arrays.shape(self._logits)[-1:]

    def _sample_shape(self, n):
        return arrays.concat([[n], arrays.shape(self._logits)], 0)


class OneHotCategorical(_OfClasses):
    """One of k classes, as a vector with a 1 in its place.

    Args:
        logits: The logarithms of probabilities, up to a constant, a tensor [..., k] of any
            floating-point dtype. None: probs are given.
        probs: The probabilities, a tensor [..., k] of any floating-point dtype. None: logits are
            given.
    """

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False,
                 allow_nan_stats=True, name="OneHotCategorical"):  # fmt: skip
        given = dict(locals())
        with name_scope(name) as scope:
            self._set_classes(logits, probs, validate_args)
        super().__init__(
            dtypes.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            [self._logits, self._probs], scope,
        )  # fmt: skip

    def _sample_n(self, n, seed=None):
        size = self.event_size
        drawn = random.multinomial(arrays.reshape(self._logits, [-1, size]), n, seed)
        hot = arrays.one_hot(arrays.transpose(drawn), size, dtype=self.dtype)
        return arrays.reshape(hot, self._sample_shape(n))

    def _log_prob(self, x):
        return math.reduce_sum(arrays.cast(x, self._logits.dtype) * log_softmax(self._logits), -1)

    def _entropy(self):
        return -math.reduce_sum(log_softmax(self._logits) * self._probs, -1)

    def _mean(self):
        return arrays.identity(self._probs)

    def _mode(self):
        best = math.argmax(self._logits, -1)
        return arrays.one_hot(best, self.event_size, dtype=self.dtype)

    def _variance(self):
        return self._probs * (1 - self._probs)


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _kl_one_hot(a, b, name=None):
    with name_scope(name, "kl_categorical_categorical"):
        difference = log_softmax(a.logits) - log_softmax(b.logits)
        return math.reduce_sum(softmax(a.logits) * difference, -1)


class RelaxedOneHotCategorical(_OfClasses):
    """Vectors near a 1 in the place of one of k classes (Maddison et al., 2017).

    Args:
        temperature: How far they are from it, a floating-point scalar.
        logits: The logarithms of probabilities, up to a constant, a tensor [..., k] of any
            floating-point dtype. None: probs are given.
        probs: The probabilities, a tensor [..., k] of any floating-point dtype. None: logits are
            given.
    """

    def __init__(self, temperature, logits=None, probs=None, dtype=None, validate_args=False,
                 allow_nan_stats=True, name="RelaxedOneHotCategorical"):  # fmt: skip
        given = dict(locals())
        del dtype
        with name_scope(name) as scope:
            self._set_classes(logits, probs, validate_args)
            self._temperature = convert_to_tensor(temperature, self._logits.dtype)
        super().__init__(
            self._logits.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            [self._logits, self._probs, self._temperature], scope,
        )  # fmt: skip

    @property
    def temperature(self):
        """How far the vectors are from 0 and 1, a scalar."""
        return self._temperature

    def _sample_n(self, n, seed=None):
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        drawn = random.uniform(self._sample_shape(n), tiny, 1.0, self.dtype, seed)
        noise = -math.log(-math.log(drawn))
        return softmax((self._logits + noise) / self._temperature)

    def _log_prob(self, x):
        logs = math.log(x)
        size = arrays.cast(self.event_size, self.dtype)
        constant = math.lgamma(size) + (size - 1) * math.log(self._temperature)
        terms = log_softmax(self._logits - logs * self._temperature)
        return math.reduce_sum(terms, -1) + constant - math.reduce_sum(logs, -1)


class Poisson(DistributionOfNumbers):
    """Poisson distributions: how many events there are, at a rate.

    Args:
        rate: The rates, a tensor of any floating-point dtype. None: log_rate is given.
        log_rate: The logarithms of the rates. None: rate is given.

    Raises:
        ValueError: Both are given, or none.
    """

    _PARAMETERS = ("rate",)

    def __init__(self, rate=None, log_rate=None, validate_args=False, allow_nan_stats=True,
                 name="Poisson"):  # fmt: skip
        given = dict(locals())
        if (rate is None) == (log_rate is None):
            raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
        with name_scope(name) as scope:
            if rate is None:
                self._log_rate = convert_to_tensor(log_rate, name="log_rate")
                self._rate = math.exp(self._log_rate)
            else:
                self._rate = convert_to_tensor(rate, name="rate")
                self._log_rate = math.log(self._rate)
        self._set_up(given, self._rate.dtype, NOT_REPARAMETERIZED, [self._rate], scope)

    @property
    def rate(self):
        """The rates, a tensor."""
        return self._rate

    @property
    def log_rate(self):
        """The logarithms of the rates, a tensor."""
        return self._log_rate

    def _sample_n(self, n, seed=None):
        return random.poisson(self._rate, [n], self.dtype, seed)

    def _log_prob(self, x):
        return x * self._log_rate - math.lgamma(1 + x) - self._rate

    def _mean(self):
        return arrays.identity(self._rate)

    _variance = _mean

    def _mode(self):
        return math.floor(self._rate)
