# SPDX-License-Identifier: Apache-2.0
"""Samples of distributions that a decoder computes."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...ops import array as arrays
from ...ops import math
from ...ops.random.random import multinomial, uniform


def bernoulli_sample(probs, count, dtype=dtypes.int32, seed=None):
    """Draws ones and zeros.

    Args:
        probs: The probability of a one, a floating-point tensor [...].
        count: How many samples, an int32 scalar.
        dtype: Dtype of the samples.
        seed: Seed, an int. None: see set_random_seed().

    Returns:
        A tensor [count, ...].
    """
    shape = arrays.concat([[count], arrays.shape(probs)], 0)
    return arrays.cast(math.less(uniform(shape, seed=seed, dtype=probs.dtype), probs), dtype)


def categorical_sample(logits, seed=None):
    """Draws a class for each row.

    Args:
        logits: Unnormalised logarithms of the classes' probabilities, a tensor [..., classes].
        seed: Seed, an int. None: see set_random_seed().

    Returns:
        An int32 tensor [...].
    """
    logits = convert_to_tensor(logits)
    shape = arrays.shape(logits)
    rows = logits if logits.shape.ndims == 2 else arrays.reshape(logits, [-1, shape[-1]])
    dtype = dtypes.int64 if logits.dtype.size > 4 else dtypes.int32
    drawn = multinomial(rows, 1, seed=seed, output_dtype=dtype)
    drawn = arrays.reshape(arrays.cast(drawn, dtypes.int32), shape[:-1])
    drawn.set_shape(logits.shape[:-1])
    return drawn
