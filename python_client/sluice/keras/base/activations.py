# SPDX-License-Identifier: Apache-2.0
"""Activations: functions of a layer's output."""

from ... import math, nn
from ...graph.convert import constant
from ...graph.seeds import count_more_nodes
from ...ops import array as arrays
from ...ops.building import with_names
from ...ops.math.rounding import clip_by_value
from .serializing import deserialize_keras_object, find


def elu(x, alpha=1.0):
    """Computes x where it is positive, else alpha * (exp(x) - 1).

    Args:
        x: A tensor.
        alpha: The factor, a float.

    Returns:
        A tensor.
    """
    result = nn.elu(x)
    return result if alpha == 1 else arrays.where_v2(x > 0, result, alpha * result)


def exponential(x):
    """Computes exp(x).

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    return math.exp(x)


def hard_sigmoid(x):
    """Computes 0.2 * x + 0.5, not below 0 and not above 1.

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    slope, middle = constant(0.2, x.dtype), constant(0.5, x.dtype)
    x = math.add(math.multiply(x, slope), middle)
    return clip_by_value(x, 0.0, 1.0)


def linear(x):
    """Returns its argument.

    Args:
        x: A tensor.

    Returns:
        The tensor.
    """
    return x


def relu(x, alpha=0.0, max_value=None, threshold=0):
    """Computes x where it is at least the threshold, else alpha * (x - threshold).

    Args:
        x: A tensor.
        alpha: The slope below the threshold, a float.
        max_value: The largest value, a float. None: no limit.
        threshold: The threshold, a float.

    Returns:
        A tensor.
    """
    if alpha != 0.0 and max_value is None and threshold == 0:
        return nn.leaky_relu(x, alpha)
    below = None
    if alpha != 0.0:
        below = nn.relu(-x + threshold) if threshold != 0 else nn.relu(-x)
    clip = max_value is not None
    if threshold != 0:
        x = x * arrays.cast(x > threshold, x.dtype)
    elif max_value == 6:
        x, clip = nn.relu6(x), False
    else:
        x = nn.relu(x)
    if clip:
        x = clip_by_value(x, 0.0, float(max_value))
    return x if below is None else x - alpha * below


def selu(x):
    """Computes the scaled exponential linear unit (Klambauer et al., 2017).

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    count_more_nodes(7)  # TensorFlow has more, which decide seeds
    return nn.selu(x)


def sigmoid(x):
    """Computes 1 / (1 + exp(-x)).

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    return math.sigmoid(x)


def softmax(x, axis=-1):
    """Computes exp(x) / sum(exp(x)) along an axis.

    Args:
        x: A tensor of rank 2 or more.
        axis: Dimension to work along, an int.

    Returns:
        A tensor.

    Raises:
        ValueError: The rank is below 2.
    """
    if x.shape.ndims == 2:
        return nn.softmax(x)
    if (x.shape.ndims or 0) < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    exponents = math.exp(x - math.reduce_max(x, axis, True))
    return exponents / math.reduce_sum(exponents, axis, True)


def softplus(x):
    """Computes log(exp(x) + 1).

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    return nn.softplus(x)


def softsign(x):
    """Computes x / (abs(x) + 1).

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    return nn.softsign(x)


def tanh(x):
    """Computes the hyperbolic tangent.

    Args:
        x: A tensor.

    Returns:
        A tensor.
    """
    return math.tanh(x)


_KNOWN = {f.__name__: f for f in (elu, exponential, hard_sigmoid, linear, relu, selu, sigmoid,
                                  softmax, softplus, softsign, tanh)}  # fmt: skip


def serialize(activation):
    """Returns the name of an activation.

    Args:
        activation: The function.

    Returns:
        A str.
    """
    return activation.__name__


def deserialize(name, custom_objects=None):
    """Returns the activation of a name.

    Args:
        name: The name, a str.
        custom_objects: A dict: name -> function, of the program. None: none.

    Returns:
        A function.

    Raises:
        ValueError: The name is not known.
    """
    return deserialize_keras_object(name, _KNOWN, custom_objects, "activation function")


def get(identifier):
    """Returns the activation that an argument stands for.

    Args:
        identifier: A name, a function, or None for linear().

    Returns:
        A function.

    Raises:
        ValueError: It stands for nothing.
    """
    return linear if identifier is None else find(identifier, _KNOWN, "activation function")


__all__ = with_names(globals())
