# SPDX-License-Identifier: Apache-2.0
"""First values of weights, whose variance follows from the numbers of inputs and outputs."""

import math

from ... import dtypes
from ...ops.random import random


def variance_scaling_initializer(factor=2.0, mode="FAN_IN", uniform=False, seed=None,
                                 dtype=dtypes.float32):  # fmt: skip
    """Makes an initializer that draws numbers of variance factor / n.

    Args:
        factor: The factor, a float.
        mode: The meaning of n: "FAN_IN": inputs, "FAN_OUT": outputs, "FAN_AVG": the mean of both.
        uniform: Whether numbers are evenly distributed; else by a truncated normal distribution. A
            bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.

    Raises:
        TypeError: dtype is not one of floats, or mode is unknown.
    """
    if not dtypes.as_dtype(dtype).is_floating:
        raise TypeError(f"weights must be floats, not {dtypes.as_dtype(dtype).name}")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f'mode is "FAN_IN", "FAN_OUT" or "FAN_AVG", not {mode!r}')

    def initial(shape, dtype=dtype, partition_info=None):
        del partition_info
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating:
            raise TypeError(f"weights must be floats, not {dtype.name}")
        sizes = [float(size) for size in shape] or [1.0]
        field = math.prod(sizes[:-2])
        fan_in, fan_out = (sizes[-2] if len(sizes) > 1 else sizes[-1]) * field, sizes[-1] * field
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2}[mode]
        if uniform:
            limit = math.sqrt(3 * factor / n)
            return random.uniform(shape, -limit, limit, dtype, seed)
        # The ends that are cut off lower the variance by 1.3.
        return random.truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / n), dtype, seed)

    initial.__qualname__ = "initial"  # it is a default argument, which help() shows
    return initial


def xavier_initializer(uniform=True, seed=None, dtype=dtypes.float32):
    """Makes an initializer that keeps the variance of outputs and gradients (Glorot and Bengio,
    2010).

    Args:
        uniform: Whether numbers are evenly distributed; else by a truncated normal distribution. A
            bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer
