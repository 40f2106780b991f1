# SPDX-License-Identifier: Apache-2.0
"""Attention that only moves forward (Raffel et al., 2017)."""

import functools

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.functions.loops import scan
from ...ops.random.random import normal
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable, variable_scope
from .mechanisms import (
    MemoryAttention,
    keys_layer,
    scores_of_layers,
    scores_of_products,
)


def safe_cumprod(x, *args, **kwargs):
    """Computes products of the elements so far, of numbers in [0, 1].

    Args:
        x: A floating-point tensor.
        *args: Further arguments of cumsum().
        **kwargs: Further ones.

    Returns:
        A tensor of the shape of x.
    """
    with name_scope(None, "SafeCumprod"):
        x = convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        logarithms = math.log(math.clip_by_value(x, tiny, 1))
        return math.exp(math.cumsum(logarithms, *args, **kwargs))


def monotonic_attention(p_choose_i, previous_attention, mode):
    """Computes how likely it is that attention stops at each step of the memory.

    Args:
        p_choose_i: The probability that it stops at a step that it reaches, a tensor [batch, time].
        previous_attention: The last result, a tensor [batch, time].
        mode: A str: "recursive": exact and slow. "parallel": fast, less exact for probabilities
            near 1. "hard": for probabilities that are 0 or 1.

    Returns:
        A tensor [batch, time].

    Raises:
        ValueError: mode is unknown.
    """
    p = convert_to_tensor(p_choose_i, name="p_choose_i")
    last = convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch = p.shape[0].value or arrays.shape(p)[0]
        passed = arrays.concat([arrays.ones([batch, 1]), 1 - p[:, :-1]], 1)
        reached = scan(
            lambda x, yz: arrays.reshape(yz[0] * x + yz[1], [batch]),
            [arrays.transpose(passed), arrays.transpose(last)], arrays.zeros([batch]),
        )  # fmt: skip
        return p * arrays.transpose(reached)
    if mode == "parallel":
        passed = safe_cumprod(1 - p, axis=1, exclusive=True)
        ratios = last / math.clip_by_value(passed, 1e-10, 1.0)
        return p * passed * math.cumsum(ratios, axis=1)
    if mode == "hard":
        p = p * math.cumsum(last, axis=1)
        return p * math.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _probability(score, last, sigmoid_noise, mode, seed):
    """Alignments of scores, to which noise is added while training."""
    if sigmoid_noise > 0:
        noise = normal(arrays.shape(score), dtype=score.dtype, seed=seed)
        score = score + sigmoid_noise * noise
    if mode == "hard":
        p = arrays.cast(score > 0, score.dtype)
    else:
        p = math.sigmoid(score)
    return monotonic_attention(p, last, mode)


class _Monotonic(MemoryAttention):
    """Attention that is at the first step of the memory before the first query."""

    def _set_up(self, query_layer, memory, lengths, settings, num_units, dtype, mask, name):
        noise, seed, first_bias, mode = settings
        super().__init__(
            query_layer, memory,
            functools.partial(_probability, sigmoid_noise=noise, mode=mode, seed=seed), lengths,
            keys_layer(num_units, dtype, "memory_layer"), score_mask_value=mask, name=name,
        )  # fmt: skip
        self._num_units, self._score_bias_init, self._name = num_units, first_bias, name

    def _bias(self, dtype):
        first = initializers.constant(self._score_bias_init, dtype=dtype)
        return get_variable("attention_score_bias", [], dtype, initializer=first)

    def initial_alignments(self, batch_size, dtype):
        """Returns the alignments before the first step: one at the first step of the memory.

        Args:
            batch_size: How many memories, an int or an int32 scalar.
            dtype: Dtype of the alignments.

        Returns:
            A tensor [batch_size, time].
        """
        first = arrays.zeros([batch_size], dtypes.int32)
        return arrays.one_hot(first, self._alignments_size, dtype=dtype)


class BahdanauMonotonicAttention(_Monotonic):
    """Attention that only moves forward, with the scores of BahdanauAttention.

    Args:
        num_units: Size of keys and queries, an int.
        memory: The memory, a tensor [batch, time, ...].
        memory_sequence_length: How many steps of the memory count, an integer vector [batch]. None:
            all.
        normalize: Whether the weights are normalised. A bool.
        score_mask_value: The score of steps that do not count, a number. None: -inf.
        sigmoid_noise: Standard deviation of noise that is added to scores, a float.
        sigmoid_noise_seed: Seed of the noise, an int. None: see set_random_seed().
        score_bias_init: First value of what is added to scores, a float.
        mode: As of monotonic_attention().
        dtype: Dtype of the variables. None: float32.
        name: Name of the operations, a str.
    """

    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False,
                 score_mask_value=None, sigmoid_noise=0.0, sigmoid_noise_seed=None,
                 score_bias_init=0.0, mode="parallel", dtype=None,
                 name="BahdanauMonotonicAttention"):  # fmt: skip
        self._normalize = normalize
        self._set_up(
            keys_layer(num_units, dtype, "query_layer"), memory, memory_sequence_length,
            (sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode), num_units, dtype,
            score_mask_value, name,
        )  # fmt: skip

    def __call__(self, query, state):
        with variable_scope(None, "bahdanau_monotonic_attention"):
            score = scores_of_layers(self, query) + self._bias(query.dtype)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


class LuongMonotonicAttention(_Monotonic):
    """Attention that only moves forward, with the scores of LuongAttention.

    Args:
        num_units: Size of keys and queries, an int.
        memory: The memory, a tensor [batch, time, ...].
        memory_sequence_length: How many steps of the memory count, an integer vector [batch]. None:
            all.
        scale: Whether a variable multiplies the products. A bool.
        score_mask_value: The score of steps that do not count, a number. None: -inf.
        sigmoid_noise: Standard deviation of noise that is added to scores, a float.
        sigmoid_noise_seed: Seed of the noise, an int. None: see set_random_seed().
        score_bias_init: First value of what is added to scores, a float.
        mode: As of monotonic_attention().
        dtype: Dtype of the variables. None: float32.
        name: Name of the operations, a str.
    """

    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False,
                 score_mask_value=None, sigmoid_noise=0.0, sigmoid_noise_seed=None,
                 score_bias_init=0.0, mode="parallel", dtype=None,
                 name="LuongMonotonicAttention"):  # fmt: skip
        self._scale = scale
        self._set_up(
            None, memory, memory_sequence_length,
            (sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode), num_units, dtype,
            score_mask_value, name,
        )  # fmt: skip

    def __call__(self, query, state):
        with variable_scope(None, "luong_monotonic_attention"):
            score = scores_of_products(self, query) + self._bias(query.dtype)
        alignments = self._probability_fn(score, state)
        return alignments, alignments
