# SPDX-License-Identifier: Apache-2.0
"""Activation functions."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.seeds import count_more_nodes, counted_as
from .. import array as arrays
from .. import math, raw_ops
from ..building import given, thin, unary, with_names
from ..math.elementary import sigmoid

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


def swish(features, name=None):
    """Computes x * sigmoid(x).

    Args:
        features: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of features.
    """
    features = convert_to_tensor(features)
    count_more_nodes(2)  # TensorFlow has more, which decide later seeds
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


_MOVED = 31  # how many nodes TensorFlow makes, which decide later seeds


def _softmax(op, doc):
    def function(logits, axis=None, name=None, dim=None):
        logits, axis = convert_to_tensor(logits), given(axis, dim)
        rank = logits.shape.ndims
        if axis in (-1, None) or rank is not None and axis % rank == rank - 1:
            return raw_ops.apply_op(op, name, logits=logits)
        order = list(range(rank))
        order[axis], order[-1] = order[-1], order[axis]
        with counted_as(_MOVED):
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


__all__ = with_names(globals())
