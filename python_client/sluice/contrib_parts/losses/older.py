# SPDX-License-Identifier: Apache-2.0
"""Losses as contrib has them: predictions first, and weights for the first dimensions."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.keys import GraphKeys
from ...layers.contrib.scopes import add_arg_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.nn import cross_entropy
from ...ops.nn import losses as of_nn
from ...ops.nn.activations import relu
from ...ops.nn.losses import Reduction


@add_arg_scope
def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    """Adds a loss to a collection. arg_scope() can set the defaults.

    Args:
        loss: The loss, a tensor.
        loss_collection: Collection that gets the loss, a str. None: none.
    """
    of_nn.add_loss(loss, loss_collection)


def _floats(tensor):
    return arrays.cast(convert_to_tensor(tensor), dtypes.float32)


def _without_ones(weights):
    """Weights without dimensions of size 1. The rank stays known where sizes are not."""
    weights = convert_to_tensor(weights)
    if weights.shape.ndims is None:
        return arrays.squeeze(weights)
    ones = [i for i, size in enumerate(weights.shape.as_list()) if size == 1]
    return arrays.squeeze(weights, ones) if ones else weights


def _checked(predictions, labels):
    """Both as float tensors of one shape."""
    if labels is None:
        raise ValueError("labels cannot be None.")
    predictions, labels = _floats(predictions), _floats(labels)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return predictions, labels


def compute_weighted_loss(losses, weights=1.0, scope=None):
    """Computes the weighted mean of losses, and adds it to the collection LOSSES.

    Args:
        losses: The loss of each element, a tensor.
        weights: A number, or a tensor whose dimensions are the first ones of losses. Elements of
            weight 0 do not count.
        scope: Name of the scope, a str. None: a default name.

    Returns:
        The mean, a scalar of the dtype of losses.

    Raises:
        ValueError: A rank is not known, or weights have more dimensions than losses.
    """
    with name_scope(scope or "weighted_loss") as scope:
        losses = convert_to_tensor(losses)
        weights = _floats(weights)
        dtype, losses = losses.dtype, _floats(losses)
        if losses.get_shape().ndims is None:
            raise ValueError("losses.get_shape().ndims cannot be None")
        rank = weights.get_shape().ndims
        if rank is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        if rank > 1 and weights.get_shape()[-1].is_compatible_with(1):
            weights, rank = arrays.squeeze(weights, [-1]), rank - 1
        for _ in range(losses.get_shape().ndims - rank if rank else 0):
            weights = arrays.expand_dims(weights, -1)
        mean = of_nn.compute_weighted_loss(
            losses, weights, scope, None, Reduction.SUM_BY_NONZERO_WEIGHTS
        )
        mean = arrays.cast(mean, dtype)
        add_loss(mean)
        return mean


def absolute_difference(predictions, labels=None, weights=1.0, scope=None):
    """Computes the mean of the absolute differences.

    Args:
        predictions: What a model computes, a tensor.
        labels: What it must compute, a tensor of that shape.
        weights: See compute_weighted_loss().
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar.
    """
    with name_scope(scope or "absolute_difference") as scope:
        predictions, labels = _checked(predictions, labels)
        losses = math.abs(math.subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope=scope)


def sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None):
    """Computes the cross entropy of independent classes.

    Args:
        logits: What a model computes, a float tensor [batch, classes].
        multi_class_labels: 0 or 1 for each class, a tensor of that shape.
        weights: See compute_weighted_loss().
        label_smoothing: How much labels are drawn to 0.5, a float.
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar.
    """
    with name_scope(scope or "sigmoid_cross_entropy_loss") as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        labels = arrays.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return compute_weighted_loss(losses, weights, scope=scope)


def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    """Computes the cross entropy of classes of which one is right.

    Args:
        logits: What a model computes, a float tensor [batch, classes].
        onehot_labels: The probability of each class, a tensor of that shape.
        weights: See compute_weighted_loss().
        label_smoothing: How much labels are drawn to 1 / classes, a float.
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar.
    """
    with name_scope(scope or "softmax_cross_entropy_loss") as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        labels = arrays.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            count = arrays.cast(arrays.shape(labels)[1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / count
        losses = cross_entropy.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
        return compute_weighted_loss(losses, weights, scope=scope)


def sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None):
    """Computes the cross entropy of classes of which one is right, by its number.

    Args:
        logits: What a model computes, a float tensor [batch, classes].
        labels: The right class, an integer tensor [batch] or [batch, 1].
        weights: See compute_weighted_loss().
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar.
    """
    with name_scope(scope or "sparse_softmax_cross_entropy_loss") as scope:
        labels = arrays.reshape(labels, [arrays.shape(labels)[0]])
        function = cross_entropy.sparse_softmax_cross_entropy_with_logits
        losses = function(labels=labels, logits=logits)
        return compute_weighted_loss(losses, _without_ones(weights), scope=scope)


def log_loss(predictions, labels=None, weights=1.0, epsilon=1e-7, scope=None):
    """Computes the cross entropy of probabilities.

    Args:
        predictions: Probabilities, a tensor.
        labels: 0 or 1, a tensor of that shape.
        weights: See compute_weighted_loss().
        epsilon: What is added before logarithms, a float.
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar.
    """
    with name_scope(scope or "log_loss") as scope:
        predictions, labels = _checked(predictions, labels)
        losses = -labels * math.log(predictions + epsilon)
        losses = losses - (1 - labels) * math.log(1 - predictions + epsilon)
        return compute_weighted_loss(losses, weights, scope=scope)


def hinge_loss(logits, labels=None, scope=None):
    """Computes the hinge loss of each element. It is not added to a collection.

    Args:
        logits: What a model computes, a float tensor.
        labels: 0 or 1, a tensor of that shape.
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A tensor of that shape.
    """
    with name_scope(scope or "hinge_loss"):
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        return relu(1.0 - (2.0 * _floats(labels) - 1.0) * logits)


def mean_squared_error(predictions, labels=None, weights=1.0, scope=None):
    """Computes the mean of the squared differences.

    Args:
        predictions: What a model computes, a tensor.
        labels: What it must compute, a tensor of that shape.
        weights: See compute_weighted_loss().
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar.
    """
    with name_scope(scope or "mean_squared_error") as scope:
        predictions, labels = _checked(predictions, labels)
        losses = math.square(math.subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope=scope)


def mean_pairwise_squared_error(predictions, labels=None, weights=1.0, scope=None):
    """Compares the differences of pairs of elements of an example.

    Args:
        predictions: What a model computes, a tensor [batch, ...].
        labels: What it must compute, a tensor of that shape.
        weights: A number, or a tensor [batch].
        scope: Name of the scope, a str. None: a default name.

    Returns:
        A scalar: the sum over the batch.
    """
    with name_scope(scope or "mean_pairwise_squared_error"):
        predictions, labels = _checked(predictions, labels)
        weights = _floats(weights)
        if weights.get_shape().ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        differences = math.subtract(predictions, labels)
        shape = arrays.shape(differences)
        axes = list(range(1, differences.get_shape().ndims))
        per_example = arrays.cast(math.reduce_prod(shape[1:]), dtypes.float32)
        counts = per_example * arrays.cast(
            math.not_equal(weights + arrays.zeros(shape[:1]), 0), dtypes.float32
        )
        squares = math.reduce_sum(math.square(differences), axes)
        first = 2.0 * math.divide_no_nan(squares, counts)
        total = math.square(math.reduce_sum(differences, axes))
        second = 2.0 * math.divide_no_nan(total, math.square(counts))
        loss = math.reduce_sum((first - second) * weights)
        add_loss(loss)
        return loss


def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    """Computes the mean of 1 - the cosine of vectors of length 1.

    Args:
        predictions: What a model computes, a tensor.
        labels: What it must compute, a tensor of that shape.
        axis: The dimension of the vectors, an int.
        weights: See compute_weighted_loss().
        scope: Name of the scope, a str. None: a default name.
        dim: The older name of axis.

    Returns:
        A scalar.

    Raises:
        ValueError: axis is not there.
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with name_scope(scope or "cosine_distance_loss") as scope:
        predictions, labels = _checked(predictions, labels)
        losses = 1 - math.reduce_sum(math.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(losses, weights, scope=scope)


__all__ = """
    absolute_difference compute_weighted_loss cosine_distance hinge_loss log_loss
    mean_pairwise_squared_error mean_squared_error sigmoid_cross_entropy softmax_cross_entropy
    sparse_softmax_cross_entropy
""".split()
