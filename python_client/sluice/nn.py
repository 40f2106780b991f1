"""Neural network functions: activations, normalisation, losses. Images are [batch, height, width,
channels]. Convolutions stand in convolution.py, sampled losses and embeddings in sampling.py."""

import numpy as np

from . import arrays, dtypes, math, raw_ops
from .building import all_axes, given, thin, unary, with_names
from .convert import convert_to_tensor
from .convolution import *  # noqa: F403
from .convolution import __all__ as _convolution
from .convolution import avg_pool_v2, max_pool_v2
from .linalg import l2_normalize, matmul
from .math import in_top_k, log_sigmoid, sigmoid, softplus, softsign, tanh, top_k, zero_fraction
from .random import uniform
from .sampling import *  # noqa: F403
from .sampling import __all__ as _sampling

relu = unary("Relu", "max(x, 0).")
relu6 = unary("Relu6", "min(max(x, 0), 6).")
elu = unary("Elu", "x where it is positive, else e^x - 1.")
selu = unary("Selu", "elu, scaled so that mean 0 and variance 1 stay (Klambauer et al., 2017).")
leaky_relu = thin("LeakyRelu", "features alpha=0.2", "max(x, alpha x).")
l2_loss = thin("L2Loss", "t", "sum(t^2) / 2, a scalar.")
local_response_normalization = lrn = thin(
    "LRN", "input depth_radius=5 bias=1.0 alpha=1.0 beta=0.5",
    "x / (bias + alpha * sum of the squares of nearby channels)^beta.",
)  # fmt: skip


def swish(features, name=None):
    """x * sigmoid(x)."""
    features = convert_to_tensor(features)
    return math.multiply(features, sigmoid(features), name)


def crelu(features, name=None, axis=-1):
    """relu(x) and relu(-x), joined along `axis`."""
    features = convert_to_tensor(features)
    return relu(arrays.concat([features, math.negative(features)], axis), name)


def _softmax(op, doc):
    def function(logits, axis=None, name=None, dim=None):
        logits, axis = convert_to_tensor(logits), given(axis, dim)
        rank = logits.shape.ndims
        if axis in (-1, None) or rank is not None and axis % rank == rank - 1:
            return raw_ops.apply_op(op, name, logits=logits)
        order = list(range(rank))
        order[axis], order[-1] = order[-1], order[axis]
        moved = raw_ops.apply_op(op, logits=arrays.transpose(logits, order))
        return arrays.transpose(moved, order, name)

    function.__doc__ = doc
    return function


softmax = _softmax("Softmax", "e^x / sum of e^x over `axis`.")
log_softmax = _softmax("LogSoftmax", "log of softmax, without overflow.")


def bias_add(value, bias, data_format="NHWC", name=None):
    """A vector added to each channel: the last dimension, in "NCHW" the second."""
    return raw_ops.BiasAdd(value=value, bias=bias, data_format=data_format or "NHWC", name=name)


def xw_plus_b(x, weights, biases, name=None):
    """x weights + biases."""
    return bias_add(matmul(x, weights), biases, name=name)


def relu_layer(x, weights, biases, name=None):
    """relu(x weights + biases)."""
    return relu(xw_plus_b(x, weights, biases), name)


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    """Zero with probability `rate`, else scaled by 1 / (1 - rate).

    noise_shape: what is drawn, broadcast to x: elements of a size of 1 there go together.
    keep_prob: 1 - rate, as older programs say it.
    """
    if (rate is None) == (keep_prob is None):
        raise ValueError("give rate, or keep_prob")
    rate = 1 - keep_prob if rate is None else rate
    x = convert_to_tensor(x)
    sides = arrays.shape(x) if noise_shape is None else noise_shape
    kept = uniform(sides, dtype=x.dtype, seed=seed) >= convert_to_tensor(rate, x.dtype)
    return math.multiply(math.truediv(x, 1 - rate), arrays.cast(kept, x.dtype), name)


# ---- normalisation


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    """(mean, variance) over `axes`, in float32 for half."""
    del shift  # of use only to sums of squares
    keepdims = bool(given(keepdims, keep_dims))
    x = convert_to_tensor(x)
    narrow = x.dtype in (dtypes.float16, dtypes.bfloat16)
    wide = arrays.cast(x, dtypes.float32) if narrow else x
    mean = math.reduce_mean(wide, axes, True)
    away = math.squared_difference(wide, arrays.stop_gradient(mean))
    variance = math.reduce_mean(away, axes, keepdims)
    mean = mean if keepdims else arrays.squeeze(mean, axes)
    return arrays.cast(mean, x.dtype, name), arrays.cast(variance, x.dtype)


def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """(mean, variance) over `axes`, each element counting as often as its weight says."""
    keepdims = bool(given(keepdims, keep_dims))
    x = convert_to_tensor(x)
    weights = convert_to_tensor(frequency_weights, x.dtype) + arrays.zeros_like(x)
    total = math.reduce_sum(weights, axes, True)
    mean = math.reduce_sum(weights * x, axes, True) / total
    away = math.squared_difference(x, mean)
    variance = math.reduce_sum(weights * away, axes, True) / total
    if not keepdims:
        mean, variance = arrays.squeeze(mean, axes), arrays.squeeze(variance, axes)
    return arrays.identity(mean, name), variance


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """(x - mean) / sqrt(variance + epsilon) * scale + offset; the last two may be None."""
    x = convert_to_tensor(x)
    mean, variance, offset, scale = (
        v if v is None else convert_to_tensor(v, x.dtype) for v in (mean, variance, offset, scale)
    )
    factor = math.rsqrt(math.add(variance, variance_epsilon))
    factor = factor if scale is None else factor * scale
    shift = -(mean * factor) if offset is None else offset - mean * factor
    return math.add(math.multiply(x, factor), shift, name)


def fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC",
                     is_training=True, name=None):  # fmt: skip
    """(y, mean, variance): images normalised by their own moments, or by those given when
    is_training is False. scale, offset: [channels]."""
    empty = convert_to_tensor(np.zeros(0, np.float32))
    parts = raw_ops.FusedBatchNormV3(
        x=x, scale=scale, offset=offset, mean=empty if mean is None else mean,
        variance=empty if variance is None else variance, epsilon=max(epsilon, 1.001e-5),
        data_format=data_format, is_training=is_training, name=name,
    )  # fmt: skip
    return tuple(parts[:3])


# ---- losses


def softmax_cross_entropy_with_logits(labels=None, logits=None, dim=None, name=None, axis=None):
    """softmax_cross_entropy_with_logits_v2 without a gradient to the labels."""
    labels = arrays.stop_gradient(convert_to_tensor(labels, convert_to_tensor(logits).dtype))
    return softmax_cross_entropy_with_logits_v2(labels, logits, given(axis, dim), name)


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    """The loss of logits [..., classes] against probabilities of the same shape: without `axis`,
    the last one."""
    axis = given(axis, dim)
    axis = -1 if axis is None else axis
    logits = convert_to_tensor(logits)
    labels = convert_to_tensor(labels, logits.dtype)
    rank = logits.shape.ndims
    if rank is None or rank == 2 and axis in (-1, 1):
        return raw_ops.SoftmaxCrossEntropyWithLogits(features=logits, labels=labels, name=name)[0]
    order = [d for d in range(rank) if d != axis % rank] + [axis % rank]
    logits, labels = arrays.transpose(logits, order), arrays.transpose(labels, order)
    sizes = arrays.shape(logits)
    classes = sizes[rank - 1]
    flat = [arrays.reshape(v, arrays.stack([-1, classes])) for v in (logits, labels)]
    loss = raw_ops.SoftmaxCrossEntropyWithLogits(features=flat[0], labels=flat[1])[0]
    return arrays.reshape(loss, sizes[:-1], name)


def sparse_softmax_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """The loss of logits [..., classes] against class numbers [...]."""
    logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
    if logits.shape.ndims in (None, 2):
        return raw_ops.SparseSoftmaxCrossEntropyWithLogits(
            features=logits, labels=labels, name=name
        )[0]
    sizes = arrays.shape(labels)
    flat = arrays.reshape(logits, arrays.stack([-1, arrays.shape(logits)[-1]]))
    loss = raw_ops.SparseSoftmaxCrossEntropyWithLogits(
        features=flat, labels=arrays.reshape(labels, [-1])
    )[0]
    return arrays.reshape(loss, sizes, name)


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """-labels log(sigmoid(x)) - (1 - labels) log(1 - sigmoid(x)), element by element."""
    logits = convert_to_tensor(logits)
    rest = math.log1p(math.exp(-math.abs(logits)))
    return math.add(relu(logits) - logits * labels, rest, name)


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None,
                                       targets=None):  # fmt: skip
    """sigmoid_cross_entropy_with_logits whose first term counts pos_weight times. targets: an older
    name of the labels."""
    logits, labels = convert_to_tensor(logits), given(labels, targets)
    weight = 1 + (pos_weight - 1) * convert_to_tensor(labels, logits.dtype)
    rest = math.log1p(math.exp(-math.abs(logits))) + relu(-logits)
    return math.add((1 - convert_to_tensor(labels, logits.dtype)) * logits, weight * rest, name)


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """e^c - z c; in full with Stirling's formula for z!: + z log z - z + log(2 pi z) / 2."""
    log_input = convert_to_tensor(log_input)
    targets = convert_to_tensor(targets, log_input.dtype)
    loss = math.exp(log_input) - log_input * targets
    if compute_full_loss:
        inner = (targets >= 0) & (targets <= 1)
        full = targets * math.log(targets) - targets + 0.5 * math.log(2 * np.pi * targets)
        loss += raw_ops.SelectV2(condition=inner, t=arrays.zeros_like(targets), e=full)
    return arrays.identity(loss, name)


def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """(count, sum of x - shift, sum of (x - shift)^2, shift) over `axes`."""
    x, keepdims = convert_to_tensor(x), bool(given(keepdims, keep_dims))
    axes = all_axes(x) if axes is None else axes
    sizes = arrays.gather(arrays.shape(x), axes)
    count = arrays.cast(math.reduce_prod(sizes), x.dtype)
    away = x if shift is None else x - shift
    mean_ss = math.reduce_sum(away, axes, keepdims)
    return count, mean_ss, math.reduce_sum(math.square(away), axes, keepdims, name), shift


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """(mean, variance) of what sufficient_statistics() gave."""
    by = math.reciprocal(convert_to_tensor(counts))
    away = math.multiply(mean_ss, by)
    mean = away if shift is None else math.add(away, shift)
    variance = math.subtract(math.multiply(variance_ss, by), math.square(away), name)
    return mean, variance


def batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None,
                                         variance_epsilon=None, scale_after_normalization=None,
                                         name=None, input=None, mean=None,
                                         variance=None):  # fmt: skip
    """batch_normalization by older names; gamma only with scale_after_normalization."""
    return batch_normalization(
        given(t, input), given(m, mean), given(v, variance), beta,
        gamma if scale_after_normalization else None, variance_epsilon, name,
    )  # fmt: skip


def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None,
         data_format=None, dilations=None):  # fmt: skip
    """max_pool or avg_pool (pooling_type "MAX", "AVG") of one to three spatial dimensions, with
    windows of this shape. NotImplementedError: windows with holes."""
    if set(given(dilation_rate, dilations) or [1]) != {1}:
        raise NotImplementedError("pool: windows with holes (dilation_rate)")
    functions = {"MAX": max_pool_v2, "AVG": avg_pool_v2}
    if pooling_type not in functions:
        raise ValueError(f'pooling_type is "MAX" or "AVG", not "{pooling_type}"')
    ksize = list(window_shape)
    return functions[pooling_type](
        input, ksize, [1] * len(ksize) if strides is None else strides, padding, data_format, name
    )


__all__ = [
    *with_names(globals()), *_convolution, *_sampling, "in_top_k", "l2_normalize", "log_sigmoid",
    "sigmoid", "softplus", "softsign", "tanh", "top_k", "zero_fraction",
]  # fmt: skip
