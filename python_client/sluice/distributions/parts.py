# SPDX-License-Identifier: Apache-2.0
"""What several distributions compute alike."""

import functools
import hashlib

from ..graph.convert import convert_to_tensor
from ..graph.default_graph import control_dependencies
from ..ops import array as arrays
from ..ops import math
from ..ops.array.diagonals import set_diag
from ..ops.debug.assertions import (
    assert_equal,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_non_negative,
    assert_positive,
    assert_rank_at_least,
)
from ..ops.nn.activations import softmax


def after(x, *checks):
    """x, which is not read before some checks have passed."""
    with control_dependencies(checks):
        return arrays.identity(x)


def another_seed(seed, salt):
    """The seed of a second operation of one sample, which is TensorFlow's."""
    if seed is None:
        return None
    return int(hashlib.md5(f"{seed}{salt}".encode()).hexdigest()[:8], 16) & 0x7FFFFFFF


def broadcast_shape(tensors):
    """The static shape of tensors that are broadcast against each other."""
    return functools.reduce(arrays.broadcast_static_shape, (t.shape for t in tensors))


def broadcast_shape_tensor(tensors):
    """The same when a step runs, an int32 vector."""
    return functools.reduce(arrays.broadcast_dynamic_shape, (arrays.shape(t) for t in tensors))


def logits_and_probs(logits, probs, several, checked):
    """Both from the one that is given: of one event, or of several classes."""
    if (logits is None) == (probs is None):
        raise ValueError("Must pass probs or logits, but not both.")
    if probs is None:
        logits = convert_to_tensor(logits, name="logits")
        _check_floating(logits, "logits")
        return logits, softmax(logits) if several else math.sigmoid(logits)
    probs = convert_to_tensor(probs, name="probs")
    _check_floating(probs, "probs")
    if checked:
        probs = _checked(probs, several)
    if several:
        return math.log(probs), probs
    return math.log(probs) - math.log1p(-probs), probs


def _check_floating(tensor, what):
    if not tensor.dtype.is_floating:
        raise TypeError(f"{what} must having floating type.")


def _checked(probs, several):
    one = convert_to_tensor(1, probs.dtype)
    if several:
        message = "probs does not sum to 1."
        bound = assert_near(math.reduce_sum(probs, -1), one, message=message)
    else:
        bound = assert_less_equal(probs, one, message="probs has components greater than 1.")
    return after(probs, assert_non_negative(probs), bound)


class OfLogits:
    """The parameters of a distribution that is given by probabilities or their logarithms."""

    @property
    def logits(self):
        """The logarithms of probabilities, up to a constant, a tensor [..., k]."""
        return self._logits

    @property
    def probs(self):
        """The probabilities, a tensor [..., k]."""
        return self._probs


class OfConcentration:
    """The parameters of a Dirichlet distribution, and the shapes that follow from them."""

    @property
    def concentration(self):
        """The parameters of the Dirichlet distribution, a tensor [..., k]."""
        return self._concentration

    @property
    def total_concentration(self):
        """The sums of the parameters, a tensor [...]."""
        return self._total

    def _set_concentration(self, concentration, checked):
        self._concentration = convert_to_tensor(concentration, name="concentration")
        if checked:
            self._concentration = _checked_concentration(self._concentration)
        self._total = math.reduce_sum(self._concentration, -1)

    def _batch_shape(self):
        return self._total.shape

    def _batch_shape_tensor(self):
        return arrays.shape(self._total)

    def _event_shape(self):
        return self._concentration.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self):
        return arrays.shape(self._concentration)[-1:]


def _checked_concentration(concentration):
    """The parameters of several classes, checked when a step runs."""
    return after(
        concentration,
        assert_positive(concentration, message="Concentration parameter must be positive."),
        assert_rank_at_least(
            concentration, 1, message="Concentration parameter must have >=1 dimensions."
        ),
        assert_less(
            1,
            arrays.shape(concentration)[-1],
            message="Concentration parameter must have event_size >= 2.",
        ),
    )


def checked_counts(counts):
    """Counts that must be whole numbers, none of them negative."""
    whole = assert_equal(counts, math.floor(counts), message="counts must be whole numbers")
    return after(counts, assert_non_negative(counts), whole)


def log_combinations(total, counts):
    """The logarithm of the number of orders in which events with these counts can happen."""
    orders = math.reduce_sum(math.lgamma(counts + 1), [-1])
    return math.lgamma(total + 1) - orders


def covariance(mean, other, variance):
    """A matrix with -mean other^T beside the diagonal, and the variance on it."""
    product = mean[..., :, None] * other[..., None, :]
    return set_diag(-product, variance)
