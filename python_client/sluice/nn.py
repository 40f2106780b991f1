"""Neural network functions. Images are [batch, height, width, channels]."""

from . import dtypes, raw_ops
from .convert import constant, convert_to_tensor
from .ops import (
    _unary,
    add,
    cast,
    floor,
    gather,
    multiply,
    random_uniform,
    shape,
    sigmoid,
    tanh,
    truediv,
)

relu = _unary("Relu", "relu")
relu6 = _unary("Relu6", "relu6")
elu = _unary("Elu", "elu")
softplus = _unary("Softplus", "softplus")
softmax = _unary("Softmax", "softmax")
log_softmax = _unary("LogSoftmax", "log_softmax")
l2_loss = _unary("L2Loss", "l2_loss")


def bias_add(value, bias, name=None):
    """A vector added along the last dimension."""
    return raw_ops.BiasAdd(value=value, bias=bias, name=name)


def _four(window):
    return [1, window, window, 1] if isinstance(window, int) else list(window)


def conv2d(input, filter, strides, padding, name=None):
    """Convolution with a filter [height, width, in channels, out channels]; padding "SAME" or
    "VALID"."""
    return raw_ops.Conv2D(
        input=input, filter=filter, strides=_four(strides), padding=padding, name=name
    )


def max_pool(value, ksize, strides, padding, name=None):
    """The largest element of each window."""
    return raw_ops.MaxPool(
        input=value, ksize=_four(ksize), strides=_four(strides), padding=padding, name=name
    )


def avg_pool(value, ksize, strides, padding, name=None):
    """The mean of each window; what lies outside the image does not count."""
    return raw_ops.AvgPool(
        value=value, ksize=_four(ksize), strides=_four(strides), padding=padding, name=name
    )


def softmax_cross_entropy_with_logits(labels, logits, name=None):
    """The loss [batch] of logits [batch, classes] against probabilities of the same shape."""
    return raw_ops.SoftmaxCrossEntropyWithLogits(features=logits, labels=labels, name=name)[0]


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """The loss [batch] of logits [batch, classes] against class numbers [batch]."""
    return raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=logits, labels=labels, name=name)[0]


def embedding_lookup(params, ids, name=None):
    """Rows of params; their gradient is IndexedSlices."""
    return gather(params, ids, name=name)


def in_top_k(predictions, targets, k, name=None):
    return raw_ops.InTopKV2(predictions=predictions, targets=targets, k=k, name=name)


def dropout(x, rate, seed=None, name=None):
    """Zero with probability `rate`, else scaled by 1 / (1 - rate)."""
    x = convert_to_tensor(x)
    kept = random_uniform(shape(x), dtype=x.dtype, seed=seed) >= constant(rate, x.dtype)
    return multiply(truediv(x, 1 - rate), cast(kept, x.dtype), name)


__all__ = [n for n, v in list(globals().items()) if callable(v) and not n.startswith("_")]
_KEPT = (add, floor, sigmoid, tanh, dtypes)
