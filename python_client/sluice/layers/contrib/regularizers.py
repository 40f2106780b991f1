# SPDX-License-Identifier: Apache-2.0
"""Losses of weights."""

from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.keys import GraphKeys
from ...ops import math, raw_ops


def _none(_):
    return None


def _check(scale):
    if isinstance(scale, int):
        raise ValueError(f"the scale of a regularizer must be a float, not {scale!r}")
    if isinstance(scale, float) and scale < 0:
        raise ValueError(f"the scale of a regularizer must not be negative: it is {scale}")


def _scaled(scale, scope, default_scope, measure):
    """The function of a variable that multiplies its measure by the scale."""
    _check(scale)
    if isinstance(scale, float) and scale == 0:
        return _none

    def loss(weights):
        with name_scope(scope, default_scope) as name:
            factor = convert_to_tensor(scale, weights.dtype, "scale")
            return math.multiply(factor, measure(weights), name)

    return loss


def l1_regularizer(scale, scope=None):
    """Makes a loss: the sum of absolute weights, scaled.

    Args:
        scale: The factor, a float. 0: there is no loss.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A function of a variable that returns a scalar.

    Raises:
        ValueError: scale is negative, or an int.
    """
    return _scaled(
        scale, scope, "l1_regularizer", lambda weights: math.reduce_sum(math.abs(weights))
    )


def l2_regularizer(scale, scope=None):
    """Makes a loss: half the sum of squared weights, scaled.

    Args:
        scale: The factor, a float. 0: there is no loss.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A function of a variable that returns a scalar.

    Raises:
        ValueError: scale is negative, or an int.
    """
    return _scaled(scale, scope, "l2_regularizer", lambda weights: raw_ops.L2Loss(t=weights))


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    """Makes a loss: the sum of l1_regularizer() and l2_regularizer().

    Args:
        scale_l1: The factor of absolute weights, a float.
        scale_l2: The factor of squared weights, a float.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A function of a variable that returns a scalar.

    Raises:
        ValueError: A scale is negative, or an int.
    """
    _check(scale_l1)
    _check(scale_l2)
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope)


def sum_regularizer(regularizer_list, scope=None):
    """Makes a loss: the sum of others.

    Args:
        regularizer_list: Functions of a variable that return a scalar, or None.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A function of a variable that returns a scalar; None if there are no others.
    """
    functions = [function for function in regularizer_list if function is not None]
    if not functions:
        return None

    def total(weights):
        with name_scope(scope, "sum_regularizer") as name:
            parts = [function(weights) for function in functions]
            parts = [part for part in parts if part is not None]
            return math.add_n(parts, name=name) if parts else None

    return total


def apply_regularization(regularizer, weights_list=None):
    """Adds the loss of weights to the collection REGULARIZATION_LOSSES.

    Args:
        regularizer: A function of a variable that returns a scalar, or None.
        weights_list: The variables. None: the collection WEIGHTS.

    Returns:
        A scalar.

    Raises:
        ValueError: There are no weights, or a loss is not a scalar.
    """
    graph = get_default_graph()
    weights = weights_list or graph.get_collection(GraphKeys.WEIGHTS)
    if not weights:
        raise ValueError("there are no weights to regularize")
    with name_scope("get_regularization_penalty") as scope:
        parts = [regularizer(one) for one in weights]
        parts = [constant(0.0) if part is None else part for part in parts]
        for part in parts:
            if part.shape.ndims != 0:
                raise ValueError(f"a regularizer must return a scalar, not {part!r}")
        total = math.add_n(parts, name=scope)
    graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
    return total
