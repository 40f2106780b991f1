"""Neural network functions: activations, normalisation, losses. Images are [batch, height, width,
channels]. Convolutions stand in convolution.py, sampled losses and embeddings in sampling.py.

Long because: the docstring of each function stands beside it.
"""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.graph import name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..building import all_axes, given, thin, unary, with_names
from ..linalg.linalg import l2_normalize, matmul
from ..math.math import (
    in_top_k,
    log_sigmoid,
    sigmoid,
    softplus,
    softsign,
    tanh,
    top_k,
    zero_fraction,
)
from ..random.random import uniform
from ..state.variables import Variable
from .convolution import *  # noqa: F403
from .convolution import __all__ as _convolution
from .convolution import avg_pool_v2, max_pool_v2
from .sampling import *  # noqa: F403
from .sampling import __all__ as _sampling

relu = unary(
    "Relu",
    """Computes max(x, 0).

    Example:
        >>> sl.Session().run(sl.nn.relu([-1.0, 2.0]))
        array([0., 2.], dtype=float32)
    """,
)
relu6 = unary("Relu6", "Computes min(max(x, 0), 6).")
elu = unary("Elu", "Returns x where it is positive, else e^x - 1.")
selu = unary(
    "Selu", "Computes elu(x), scaled so that mean 0 and variance 1 stay (Klambauer et al., 2017)."
)
leaky_relu = thin(
    "LeakyRelu",
    "features alpha=0.2",
    """Computes max(x, alpha x).

    Args:
        alpha: The slope for negative x, a float.
    """,
)
l2_loss = thin(
    "L2Loss",
    "t",
    """Computes half the sum of squares, sum(t^2) / 2.

    Returns:
        A scalar of the dtype of `t`.

    Example:
        >>> sl.Session().run(sl.nn.l2_loss([3.0, 4.0]))
        12.5
    """,
)
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


def swish(features, name=None):
    """Computes x * sigmoid(x).

    Args:
        features: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of features.
    """
    features = convert_to_tensor(features)
    return math.multiply(features, sigmoid(features), name)


def crelu(features, name=None, axis=-1):
    """Joins relu(x) and relu(-x).

    Args:
        features: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.
        axis: The dimension along which they are joined, an int.

    Returns:
        A tensor of the dtype of features, twice as large along axis.
    """
    with name_scope(name, "CRelu") as scope:
        features = convert_to_tensor(features, name="features")
        return relu(arrays.concat([features, -features], axis, scope))


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

    function.__doc__ = f"""{doc}

    Args:
        logits: A tensor of any floating-point dtype.
        axis: The dimension of classes, an int. None: the last one.
        name: Name of the operation, a str. None: a default name.
        dim: Older name of axis.

    Returns:
        A tensor of the shape and dtype of logits.

    Example:
        >>> sl.Session().run(sl.nn.softmax([0.0, 0.0]))
        array([0.5, 0.5], dtype=float32)
    """
    return function


softmax = _softmax("Softmax", "Computes e^x / sum of e^x along a dimension.")
log_softmax = _softmax("LogSoftmax", "Computes the logarithm of softmax() without overflow.")


def bias_add(value, bias, data_format="NHWC", name=None):
    """Adds a vector to each channel.

    Args:
        value: A tensor [..., channels]; with "NCHW" the channels are dimension 1.
        bias: A tensor [channels] of the dtype of value.
        data_format: Order of the dimensions: "NHWC" (channels last) or "NCHW" (channels second).
            None: "NHWC".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of value.

    Example:
        >>> sl.Session().run(sl.nn.bias_add([[1, 2], [3, 4]], [10, 20]))
        array([[11, 22],
               [13, 24]], dtype=int32)
    """
    with name_scope(name, "BiasAdd") as scope:
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, value.dtype, "bias")
        data_format = data_format or "NHWC"
        return raw_ops.BiasAdd(value=value, bias=bias, data_format=data_format, name=scope)


def xw_plus_b(x, weights, biases, name=None):
    """Computes matmul(x, weights) + biases.

    Args:
        x: A matrix [n, in].
        weights: A matrix [in, out].
        biases: A vector [out].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A matrix [n, out].

    Example:
        >>> sl.Session().run(sl.nn.xw_plus_b([[1, 2]], [[1], [1]], [10]))
        array([[13]], dtype=int32)
    """
    with name_scope(name, "xw_plus_b") as scope:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights", dtype_hint=x.dtype)
        biases = convert_to_tensor(biases, name="biases", dtype_hint=x.dtype)
        return bias_add(matmul(x, weights), biases, name=scope)


def relu_layer(x, weights, biases, name=None):
    """Computes relu(matmul(x, weights) + biases).

    Args:
        x: A matrix [n, in].
        weights: A matrix [in, out].
        biases: A vector [out].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A matrix [n, out].
    """
    return relu(xw_plus_b(x, weights, biases), name)


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    """Sets elements to zero at random, and scales the others so that the expected sum stays.

    Args:
        x: A tensor of any floating-point dtype.
        keep_prob: Older form: 1 - rate.
        noise_shape: Shape of what is drawn, which is broadcast to x. None: that of x.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.
        rate: The probability of a zero, a number or a scalar.

    Returns:
        A tensor of the shape and dtype of x.

    Raises:
        ValueError: Not exactly one of rate and keep_prob is given.

    Example:
        >>> sl.Session().run(sl.nn.dropout(sl.ones([3]), rate=0.0))
        array([1., 1., 1.], dtype=float32)
    """
    if (rate is None) == (keep_prob is None):
        raise ValueError("give rate, or keep_prob")
    rate = 1 - keep_prob if rate is None else rate
    with name_scope(name, "dropout"):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(f"dropout() is for floats, but {x.name} is {x.dtype.name}")
        if not hasattr(rate, "graph") and not 0 <= rate < 1:
            raise ValueError(f"rate must be in [0, 1), keep_prob in (0, 1]: the rate is {rate}")
        if not hasattr(rate, "graph") and rate == 0:
            return x
        rate = convert_to_tensor(rate, x.dtype, "rate")
        sides = arrays.shape(x) if noise_shape is None else noise_shape
        drawn = uniform(sides, dtype=x.dtype, seed=seed)
        scale = 1 / (1 - rate)
        kept = drawn >= rate
        return x * scale * arrays.cast(kept, x.dtype)


# ---- normalisation


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


# ---- losses


def _check_named(function, sentinel, labels, logits):
    """The order of labels and logits changed between versions: they are given by name."""
    if sentinel is not None:
        raise ValueError(f"call {function} with named arguments: labels=..., logits=...")
    if labels is None or logits is None:
        raise ValueError(f"{function} needs both labels and logits")


def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=None,
                                      name=None, axis=None):  # fmt: skip
    """Computes the cross entropy of logits and probabilities, without a gradient to the labels.

    Args:
        labels: A tensor of the shape and dtype of logits: probabilities.
        logits: A tensor [..., classes] of any floating-point dtype.
        dim: Older name of axis.
        name: Name of the operation, a str. None: a default name.
        axis: The dimension of classes, an int. None: the last one.

    Returns:
        A tensor without the dimension of classes.

    Raises:
        ValueError: The arguments are not given by name, or both dim and axis are given.

    Example:
        >>> loss = sl.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0]], logits=[[50.0, 0]])
        >>> sl.Session().run(loss)
        array([0.], dtype=float32)
    """
    _check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    labels = arrays.stop_gradient(convert_to_tensor(labels, convert_to_tensor(logits).dtype))
    return softmax_cross_entropy_with_logits_v2(labels, logits, given(axis, dim), name)


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    """Computes the cross entropy of logits and probabilities.

    Args:
        labels: A tensor of the shape and dtype of logits: probabilities.
        logits: A tensor [..., classes] of any floating-point dtype.
        axis: The dimension of classes, an int. None: the last one.
        name: Name of the operation, a str. None: a default name.
        dim: Older name of axis.

    Returns:
        A tensor without the dimension of classes.

    Raises:
        ValueError: Both dim and axis are given.
    """
    axis = given(axis, dim)
    with name_scope(name, "softmax_cross_entropy_with_logits") as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, logits.dtype, "labels")
        return _softmax_cross_entropy(labels, logits, -1 if axis is None else axis, scope)


def _softmax_cross_entropy(labels, logits, axis, name):
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


def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """Computes the cross entropy of logits and class numbers.

    Args:
        labels: An int32 or int64 tensor [...] of class numbers.
        logits: A tensor [..., classes] of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [...].

    Example:
        >>> loss = sl.nn.sparse_softmax_cross_entropy_with_logits(labels=[0], logits=[[50.0, 0.0]])
        >>> sl.Session().run(loss)
        array([0.], dtype=float32)
    """
    _check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    op = "SparseSoftmaxCrossEntropyWithLogits"
    with name_scope(name, op):
        logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
        _check_class_numbers(labels, logits)
        sizes = arrays.shape(labels)
        if logits.shape.ndims in (None, 2):
            return raw_ops.apply_op(op, features=logits, labels=labels, name=name or op)[0]
        flat = arrays.reshape(logits, arrays.stack([-1, arrays.shape(logits)[-1]]))
        labels = arrays.reshape(labels, [-1])
        loss = raw_ops.apply_op(op, features=flat, labels=labels, name=name or op)[0]
        return arrays.reshape(loss, sizes)


def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """Computes the cross entropy of independent logits: -labels log(sigmoid(x)) - (1 - labels)
    log(1 - sigmoid(x)).

    Args:
        labels: A tensor of the shape and dtype of logits: probabilities.
        logits: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape of logits.
    """
    _check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss") as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _check_one_shape(labels, logits)
        zeros = arrays.zeros_like(logits)
        positive = logits >= zeros
        above = arrays.where(positive, logits, zeros)
        below = arrays.where(positive, -logits, logits)  # -|logits|
        return math.add(above - logits * labels, math.log1p(math.exp(below)), scope)


def _check_one_shape(labels, logits):
    if not labels.shape.is_compatible_with(logits.shape):
        raise ValueError(
            f"logits {logits.name} and labels {labels.name} must have one shape, but have "
            f"{logits.shape} and {labels.shape}"
        )


def _check_class_numbers(labels, logits):
    """The shapes of sparse_softmax_cross_entropy_with_logits()."""
    if logits.shape.ndims == 0:
        raise ValueError(f"the logits {logits.name} must not be a scalar")
    if logits.shape.ndims is not None and not labels.shape.is_compatible_with(logits.shape[:-1]):
        raise ValueError(
            f"labels {labels.name} must have the shape of the logits without the last dimension, "
            f"{logits.shape[:-1]}, but have {labels.shape}; one-hot labels are for "
            "softmax_cross_entropy_with_logits"
        )


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None,
                                       targets=None):  # fmt: skip
    """Computes sigmoid_cross_entropy_with_logits() with a weight for positive labels.

    Args:
        labels: A tensor of the shape and dtype of logits: probabilities.
        logits: A tensor of any floating-point dtype.
        pos_weight: Factor of the term of positive labels, a number or a tensor.
        name: Name of the operation, a str. None: a default name.
        targets: Older name of labels.

    Returns:
        A tensor of the shape of logits.
    """
    logits, labels = convert_to_tensor(logits), convert_to_tensor(given(labels, targets))
    _check_one_shape(labels, logits)
    weight = 1 + (pos_weight - 1) * convert_to_tensor(labels, logits.dtype)
    rest = math.log1p(math.exp(-math.abs(logits))) + relu(-logits)
    return math.add((1 - convert_to_tensor(labels, logits.dtype)) * logits, weight * rest, name)


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """Computes the Poisson loss e^log_input - log_input * targets.

    Args:
        targets: A tensor of the shape and dtype of log_input.
        log_input: A tensor of any floating-point dtype: the logarithm of the expected value.
        compute_full_loss: Whether Stirling's formula for log(targets!) is added. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape of log_input.
    """
    log_input = convert_to_tensor(log_input)
    targets = convert_to_tensor(targets, log_input.dtype)
    loss = math.exp(log_input) - log_input * targets
    if compute_full_loss:
        inner = (targets >= 0) & (targets <= 1)
        full = targets * math.log(targets) - targets + 0.5 * math.log(2 * np.pi * targets)
        loss += raw_ops.SelectV2(condition=inner, t=arrays.zeros_like(targets), e=full)
    return arrays.identity(loss, name)


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
        shift: What was subtracted from x, or None.
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


def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None,
         data_format=None, dilations=None):  # fmt: skip
    """Computes the largest element or the mean of windows, for one to three spatial dimensions.

    Args:
        input: A tensor [batch, spatial..., channels] of any floating-point dtype.
        window_shape: Size of the window in each spatial dimension, a list of ints.
        pooling_type: "MAX" or "AVG".
        padding: "SAME" or "VALID".
        dilation_rate: The distance of the window's elements: 1 only.
        strides: The steps of the window in each spatial dimension, a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.
        data_format: Order of the dimensions: "NHWC" (channels last) or "NCHW" (channels second).
            None: "NHWC".
        dilations: Another name of dilation_rate.

    Returns:
        A tensor [batch, spatial..., channels].

    Raises:
        ValueError: pooling_type is unknown.
        NotImplementedError: dilation_rate is above 1.
    """
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
