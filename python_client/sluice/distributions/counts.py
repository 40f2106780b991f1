# SPDX-License-Identifier: Apache-2.0
"""Distributions of events, of classes, and of how often each class is drawn."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import math
from ..ops.debug.assertions import assert_equal
from ..ops.functions.loops import map_fn
from ..ops.nn.activations import log_softmax, softmax
from ..ops.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from ..ops.random import random
from .distribution import NOT_REPARAMETERIZED, Distribution
from .divergence import RegisterKL
from .numbers import DistributionOfNumbers
from .parts import (
    OfConcentration,
    OfLogits,
    after,
    another_seed,
    checked_counts,
    covariance,
    log_combinations,
    logits_and_probs,
)


def _whole(x, kind):
    """Numbers that must be whole ones of a kind that ints stand for."""
    if not x.dtype.is_floating:
        return x
    message = f"must be a whole number, of {kind}"
    return after(x, assert_equal(x, math.floor(x), message=message))


class Bernoulli(DistributionOfNumbers):
    """Distributions of events that happen (1) or not (0).

    Args:
        logits: The logarithms of p / (1 - p), a tensor of any floating-point dtype. None: probs are
            given.
        probs: The probabilities p of 1, a tensor of any floating-point dtype. None: logits are
            given.

    Raises:
        ValueError: Both logits and probs are given, or none.
        TypeError: They are not floating-point numbers.
    """

    _PARAMETERS = ("logits",)

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False,
                 allow_nan_stats=True, name="Bernoulli"):  # fmt: skip
        given = dict(locals())
        with name_scope(name) as scope:
            both = logits_and_probs(logits, probs, False, validate_args)
        self._logits, self._probs = both
        self._set_up(given, dtypes.as_dtype(dtype), NOT_REPARAMETERIZED, list(both), scope)

    @property
    def logits(self):
        """The logarithms of p / (1 - p), a tensor."""
        return self._logits

    @property
    def probs(self):
        """The probabilities p of 1, a tensor."""
        return self._probs

    def _sample_n(self, n, seed=None):
        drawn = random.uniform(self._sample_shape(n), dtype=self._probs.dtype, seed=seed)
        return arrays.cast(drawn < self._probs, self.dtype)

    def _log_prob(self, event):
        event = _whole(event, "0 and 1") if self.validate_args else event
        event = arrays.cast(event, self._logits.dtype)
        logits = arrays.ones_like(event) * self._logits
        event = arrays.ones_like(self._logits) * event
        return -sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self):
        logits = self._logits
        return -logits * (math.sigmoid(logits) - 1) + math.softplus(-logits)

    def _mean(self):
        return arrays.identity(self._probs)

    def _variance(self):
        return self._probs * (1 - self._probs)

    def _mode(self):
        return arrays.cast(self._probs > 0.5, self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _kl_bernoulli(a, b, name=None):
    with name_scope(name, "kl_bernoulli_bernoulli"):
        parts = [
            math.sigmoid(sign * a.logits)
            * (math.softplus(-sign * b.logits) - math.softplus(-sign * a.logits))
            for sign in (1.0, -1.0)
        ]
        return parts[0] + parts[1]


class Categorical(OfLogits, Distribution):
    """Distributions of classes 0 to k - 1.

    Args:
        logits: The logarithms of probabilities, up to a constant, a tensor [..., k] of any
            floating-point dtype. None: probs are given.
        probs: The probabilities, a tensor [..., k] of any floating-point dtype. None: logits are
            given.

    Raises:
        ValueError: Both logits and probs are given, or none.
        TypeError: They are not floating-point numbers.
    """

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False,
                 allow_nan_stats=True, name="Categorical"):  # fmt: skip
        given = dict(locals())
        with name_scope(name) as name:
            both = logits_and_probs(logits, probs, True, validate_args)
            self._logits, self._probs = both
            size = self._logits.shape.with_rank_at_least(1)[-1:]
            if size.is_fully_defined():
                self._event_size = convert_to_tensor(int(size[0]), dtypes.int32)
            else:
                self._event_size = arrays.shape(self._logits)[-1]
        super().__init__(
            dtypes.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            list(both), name,
        )  # fmt: skip

    @property
    def event_size(self):
        """The number k of classes, an int32 scalar."""
        return self._event_size

    def _batch_shape(self):
        return self._logits.shape[:-1]

    def _batch_shape_tensor(self):
        return arrays.shape(self._logits)[:-1]

    def _event_shape(self):
        return TensorShape([])

    def _sample_n(self, n, seed=None):
        logits = arrays.reshape(self._logits, [-1, self._event_size])
        kind = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        drawn = random.multinomial(logits, n, seed, output_dtype=kind)
        shape = arrays.concat([[n], self.batch_shape_tensor()], 0)
        return arrays.cast(arrays.reshape(arrays.transpose(drawn), shape), self.dtype)

    def _broadcast(self, k, parameters):
        """Classes and parameters [..., k] of one batch shape."""
        if self.validate_args:
            k = _whole(k, "a class")
        if k.dtype.is_floating:
            k = arrays.cast(k, dtypes.int32)
        elif not k.dtype.is_integer:
            raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({self.dtype})")
        parameters *= arrays.ones_like(k[..., None], dtype=parameters.dtype)
        k *= arrays.ones(arrays.shape(parameters)[:-1], k.dtype)
        k.set_shape(parameters.shape[:-1])
        return k, parameters

    def _log_prob(self, k):
        k, logits = self._broadcast(k, self._logits)
        return -sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _cdf(self, k):
        """The probability of the classes before k, as TensorFlow defines it."""
        k, probs = self._broadcast(k, self._probs)
        below = arrays.sequence_mask(k, self._event_size, probs.dtype)
        return math.reduce_sum(below * probs, -1)

    def _entropy(self):
        return -math.reduce_sum(log_softmax(self._logits) * self._probs, -1)

    def _mode(self):
        mode = arrays.cast(math.argmax(self._logits, -1), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@RegisterKL(Categorical, Categorical)
def _kl_categorical(a, b, name=None):
    with name_scope(name, "kl_categorical_categorical"):
        difference = log_softmax(a.logits) - log_softmax(b.logits)
        return math.reduce_sum(softmax(a.logits) * difference, -1)


class CountsOfClasses(Distribution):
    """A distribution of how often each of k classes is drawn, in a number of draws."""

    @property
    def total_count(self):
        """The number of draws, a tensor."""
        return self._total_count

    def _set_total(self, total_count, validate_args):
        self._total_count = convert_to_tensor(total_count, name="total_count")
        if validate_args:
            self._total_count = checked_counts(self._total_count)

    def _event(self, counts):
        if not self.validate_args:
            return counts
        counts = checked_counts(counts)
        message = "counts must sum to `self.total_count`"
        total = math.reduce_sum(counts, -1)
        return after(counts, assert_equal(self._total_count, total, message=message))


class Multinomial(OfLogits, CountsOfClasses):
    """Multinomial distributions: how often each of k classes is drawn, with fixed probabilities.

    Args:
        total_count: The number of draws, a tensor of the dtype of the probabilities.
        logits: The logarithms of probabilities, up to a constant, a tensor [..., k] of any
            floating-point dtype. None: probs are given.
        probs: The probabilities, a tensor [..., k] of any floating-point dtype. None: logits are
            given.

    Raises:
        ValueError: Both logits and probs are given, or none.
        TypeError: They are not floating-point numbers.
    """

    def __init__(self, total_count, logits=None, probs=None, validate_args=False,
                 allow_nan_stats=True, name="Multinomial"):  # fmt: skip
        given = dict(locals())
        with name_scope(name) as name:
            self._set_total(total_count, validate_args)
            both = logits_and_probs(logits, probs, True, validate_args)
            self._logits, self._probs = both
            self._expected = self._total_count[..., None] * self._probs
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            [self._total_count, *both], name,
        )  # fmt: skip

    def _batch_shape(self):
        return self._expected.shape[:-1]

    def _batch_shape_tensor(self):
        return arrays.shape(self._expected)[:-1]

    def _event_shape(self):
        return self._expected.shape[-1:]

    def _event_shape_tensor(self):
        return arrays.shape(self._expected)[-1:]

    def _sample_n(self, n, seed=None):
        k = self.event_shape_tensor()[0]
        draws = arrays.cast(self._total_count, dtypes.int32)
        draws *= arrays.ones_like(self._logits[..., 0], dtype=dtypes.int32)
        logits = arrays.ones_like(draws[..., None], dtype=self.dtype) * self._logits

        def counts(args):
            drawn = random.multinomial(args[0][None], args[1], seed)
            drawn = arrays.one_hot(arrays.reshape(drawn, [n, -1]), depth=k, dtype=self.dtype)
            return math.reduce_sum(drawn, -2)

        flat = arrays.reshape(logits, [-1, k]), n * arrays.reshape(draws, [-1])
        drawn = arrays.transpose(map_fn(counts, flat, dtype=self.dtype), [1, 0, 2])
        return arrays.reshape(drawn, arrays.concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _log_prob(self, counts):
        counts = self._event(counts)
        powers = math.reduce_sum(counts * log_softmax(self._logits), -1)
        return powers + log_combinations(self._total_count, counts)

    def _mean(self):
        return arrays.identity(self._expected)

    def _probs_in_batch(self):
        return self._probs * arrays.ones_like(self._total_count)[..., None]

    def _variance(self):
        return self._expected - self._expected * self._probs_in_batch()

    def _covariance(self):
        return covariance(self._expected, self._probs_in_batch(), self._variance())


class DirichletMultinomial(OfConcentration, CountsOfClasses):
    """Multinomial distributions whose probabilities are drawn from a Dirichlet distribution.

    Args:
        total_count: The number of draws, a tensor of the dtype of concentration.
        concentration: The parameters of the Dirichlet distribution, a tensor [..., k] of any
            floating-point dtype.
    """

    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True,
                 name="DirichletMultinomial"):  # fmt: skip
        given = dict(locals())
        with name_scope(name) as name:
            self._set_total(total_count, validate_args)
            self._set_concentration(concentration, validate_args)
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            [self._total_count, self._concentration], name,
        )  # fmt: skip

    def _sample_n(self, n, seed=None):
        k = self.event_shape_tensor()[0]
        logits = math.log(random.gamma([n], self._concentration, None, self.dtype, seed))
        drawn = random.multinomial(
            arrays.reshape(logits, [-1, k]), arrays.cast(self._total_count, dtypes.int32),
            another_seed(seed, "dirichlet_multinomial"),
        )  # fmt: skip
        counts = math.reduce_sum(arrays.one_hot(drawn, depth=k, dtype=self.dtype), -2)
        return arrays.reshape(counts, arrays.concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _log_prob(self, counts):
        counts = self._event(counts)
        ordered = math.lbeta(self._concentration + counts) - math.lbeta(self._concentration)
        return ordered + log_combinations(self._total_count, counts)

    def _mean(self):
        return self._total_count * (self._concentration / self._total[..., None])

    def _scaled_mean(self):
        total = self._total[..., None]
        scale = math.sqrt((1 + total / self._total_count) / (1 + total))
        return scale, scale * self._mean()

    def _variance(self):
        scale, mean = self._scaled_mean()
        return mean * (self._total_count * scale - mean)

    def _covariance(self):
        _, mean = self._scaled_mean()
        return covariance(mean, mean, self._variance())
