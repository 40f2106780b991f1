# SPDX-License-Identifier: Apache-2.0
"""Moments and normalisation."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..array.axes import all_axes
from ..building import given, thin, with_names
from ..state.variables import Variable

local_response_normalization = lrn = thin(
    "LRN",
    "input depth_radius=5 bias=1.0 alpha=1.0 beta=0.5",
    """Divides each element by a power of the sum of squares of nearby channels.

    Args:
        input: A tensor [batch, height, width, channels] of any floating-point dtype.
        depth_radius: How many channels on each side count, an int.
        bias: Added to the sum, a float.
        alpha: Factor of the sum, a float.
        beta: The power, a float.
    """,
)


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    """Computes the mean and the variance along dimensions.

    Args:
        x: A tensor of any floating-point dtype.
        axes: The dimensions, a list of ints.
        shift: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.
        keep_dims: Older name of keepdims.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.

    Returns:
        A tuple: the mean and the variance.

    Example:
        >>> sl.Session().run(sl.nn.moments([1.0, 3.0], axes=[0]))
        (2.0, 1.0)
    """
    del shift  # of use only to sums of squares
    keepdims = bool(given(keepdims, keep_dims))
    with name_scope(name, "moments"):
        x = x if isinstance(x, Variable) else convert_to_tensor(x)  # each use reads it
        narrow = x.dtype in (dtypes.float16, dtypes.bfloat16)
        wide = arrays.cast(x, dtypes.float32) if narrow else x
        mean = math.reduce_mean(wide, axes, True, "mean")
        away = math.squared_difference(wide, arrays.stop_gradient(mean))
        variance = math.reduce_mean(away, axes, True, "variance")
        if not keepdims:
            mean, variance = arrays.squeeze(mean, axes), arrays.squeeze(variance, axes)
        return arrays.cast(mean, x.dtype), arrays.cast(variance, x.dtype)


def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """Computes the mean and the variance along dimensions, with weights.

    Args:
        x: A tensor of any floating-point dtype.
        axes: The dimensions, a list of ints.
        frequency_weights: How often each element counts, a tensor that is broadcast with x.
        name: Name of the operation, a str. None: a default name.
        keep_dims: Older name of keepdims.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.

    Returns:
        A tuple: the mean and the variance.
    """
    keepdims = bool(given(keepdims, keep_dims))
    with name_scope(name, "weighted_moments"):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        wide = arrays.cast(x, dtypes.float32) if x.dtype == dtypes.float16 else x
        weights = arrays.cast(weights, wide.dtype)
        weighted = math.reduce_sum(weights * wide, axes, True, "weighted_input_sum")
        each = weights + arrays.zeros_like(wide)  # of x's shape
        share = math.reciprocal(
            math.reduce_sum(each, axes, True, "sum_of_weights"), "inv_weight_sum"
        )
        mean = math.multiply(weighted, share)
        away = weights * math.squared_difference(wide, mean)
        away = math.reduce_sum(away, axes, True, "weighted_distsq")
        variance = math.multiply(away, share)
        if not keepdims:
            mean, variance = arrays.squeeze(mean, axes), arrays.squeeze(variance, axes)
        return arrays.cast(mean, x.dtype), arrays.cast(variance, x.dtype)


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """Computes (x - mean) / sqrt(variance + variance_epsilon) * scale + offset.

    Args:
        x: A tensor of any floating-point dtype.
        mean: The mean, a tensor that is broadcast with x.
        variance: The variance, a tensor that is broadcast with x.
        offset: A tensor that is broadcast with x. None: 0.
        scale: A tensor that is broadcast with x. None: 1.
        variance_epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    with name_scope(name, "batchnorm"):
        x = convert_to_tensor(x)
        if not hasattr(variance, "dtype"):
            variance = convert_to_tensor(variance, x.dtype)
        factor = math.rsqrt(variance + variance_epsilon)
        factor = factor if scale is None else factor * scale
        scaled = x * arrays.cast(factor, x.dtype)
        shift = -mean * factor if offset is None else offset - mean * factor
        return scaled + arrays.cast(shift, x.dtype)


def fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC",
                     is_training=True, name=None):  # fmt: skip
    """Normalises images by their own moments, or by given ones.

    Args:
        x: A tensor [batch, height, width, channels] of dtype float32, float16 or bfloat16.
        scale: A float32 tensor [channels].
        offset: A float32 tensor [channels].
        mean: The mean to use if is_training is False, a float32 tensor [channels].
        variance: The variance to use if is_training is False, a float32 tensor [channels].
        epsilon: A small float, so that nothing is divided by 0.
        data_format: Order of the dimensions: "NHWC" (channels last) or "NCHW" (channels second).
            None: "NHWC".
        is_training: Whether the images' own moments are used. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the normalised images, the mean and the variance.
    """
    x = convert_to_tensor(x, name="input")
    scale, offset = convert_to_tensor(scale, name="scale"), convert_to_tensor(offset, name="offset")
    empty = np.zeros(0, np.float32)
    mean, variance = (convert_to_tensor(empty) if v is None else v for v in (mean, variance))
    parts = raw_ops.FusedBatchNormV3(
        x=x, scale=scale, offset=offset, mean=mean, variance=variance,
        epsilon=max(epsilon, 1.001e-5), data_format=data_format, is_training=is_training, name=name,
    )  # fmt: skip
    return tuple(parts[:3])


def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """Computes the sums that normalize_moments() takes.

    Args:
        x: A tensor of any floating-point dtype.
        axes: The dimensions, a list of ints.
        shift: Subtracted from x first, a scalar. None: 0.
        keep_dims: Older name of keepdims.
        name: Name of the operation, a str. None: a default name.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.

    Returns:
        A tuple: how many elements, the sum of x - shift, the sum of (x - shift)^2, and shift.
    """
    x, keepdims = convert_to_tensor(x), bool(given(keepdims, keep_dims))
    axes = all_axes(x) if axes is None else axes
    sizes = arrays.gather(arrays.shape(x), axes)
    count = arrays.cast(math.reduce_prod(sizes), x.dtype)
    away = x if shift is None else x - shift
    mean_ss = math.reduce_sum(away, axes, keepdims)
    return count, mean_ss, math.reduce_sum(math.square(away), axes, keepdims, name), shift


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """Computes the mean and the variance from the results of sufficient_statistics().

    Args:
        counts: How many elements, a scalar.
        mean_ss: The sum of x - shift, a tensor.
        variance_ss: The sum of (x - shift)^2, a tensor.
        shift: The tensor that was subtracted from x, or None.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the mean and the variance.
    """
    by = math.reciprocal(convert_to_tensor(counts))
    away = math.multiply(mean_ss, by)
    mean = away if shift is None else math.add(away, shift)
    variance = math.subtract(math.multiply(variance_ss, by), math.square(away), name)
    return mean, variance


def batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None,
                                         variance_epsilon=None, scale_after_normalization=None,
                                         name=None, input=None, mean=None,
                                         variance=None):  # fmt: skip
    """Normalises a tensor. Older form of batch_normalization().

    Args:
        t: A tensor of any floating-point dtype.
        m: The mean, a tensor.
        v: The variance, a tensor.
        beta: The offset, a tensor.
        gamma: The scale, a tensor. It is used with scale_after_normalization only.
        variance_epsilon: A small float, so that nothing is divided by 0.
        scale_after_normalization: Whether gamma is used. A bool.
        name: Name of the operation, a str. None: a default name.
        input: Another name of t.
        mean: Another name of m.
        variance: Another name of v.

    Returns:
        A tensor of the shape and dtype of t.
    """
    return batch_normalization(
        given(t, input), given(m, mean), given(v, variance), beta,
        gamma if scale_after_normalization else None, variance_epsilon, name,
    )  # fmt: skip


__all__ = with_names(globals())
