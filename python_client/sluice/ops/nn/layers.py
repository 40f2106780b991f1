# SPDX-License-Identifier: Apache-2.0
"""Layers: biases, products with weights, dropout."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from ..math.products import matmul
from ..random.random import uniform
from .activations import relu


def bias_add(value, bias, data_format=None, name=None):
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
    with name_scope(name, "dropout", [x]):
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
        result = x * scale * arrays.cast(kept, x.dtype)
        result.set_shape(x.shape)  # a placeholder of the rate may have no shape
        return result


__all__ = with_names(globals())
