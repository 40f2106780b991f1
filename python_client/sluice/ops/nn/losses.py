# SPDX-License-Identifier: Apache-2.0
"""Losses: each is reduced to one number, weighted, and put in the collection of losses.

weights: one number, or a tensor that is broadcast against the losses; 0 leaves an element out.
"""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import (
    add_to_collection,
    get_collection,
    get_default_graph,
    name_scope,
)
from ...graph.keys import GraphKeys
from ...graph.state import state_of
from .. import array as arrays
from .. import math
from ..building import given, with_names
from ..math.weights import broadcast_weights, checked_weights, weights_beside, without_last
from .activations import relu
from .cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)


class Reduction:
    """How the losses of all elements are combined."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls):
        """Returns all ways.

        Returns:
            A tuple of str.
        """
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key):
        """Checks that a way is one of all().

        Args:
            key: The way, a str.

        Raises:
            ValueError: It is another one.
        """
        if key not in cls.all():
            raise ValueError(f"Invalid ReductionKey {key}.")


def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                          reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Multiplies losses by weights, and combines them.

    Args:
        losses: A tensor of losses.
        weights: How much each loss counts, a number or a tensor that is broadcast.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        A scalar; with Reduction.NONE a tensor of the shape of losses.

    Raises:
        ValueError: The weights do not fit, or the reduction is unknown.
    """
    with name_scope(scope, "weighted_loss"):
        state_of(get_default_graph()).loss_reduction = reduction
        weights = checked_weights(weights, losses)
        losses = convert_to_tensor(losses)
        kind = losses.dtype
        losses = arrays.cast(losses, dtypes.float32)
        weights = arrays.cast(weights, dtypes.float32)
        loss = math.multiply(losses, weights)
        if reduction != Reduction.NONE:
            loss = _reduced(math.reduce_sum(loss), losses, weights, reduction)
        loss = arrays.cast(loss, kind)
        add_loss(loss, loss_collection)
        return loss


def _reduced(total, losses, weights, reduction):
    """The sum of all losses by the number of those that count."""
    if reduction == Reduction.SUM:
        return total
    if reduction == Reduction.MEAN:
        count = math.reduce_sum(arrays.ones_like(losses) * weights)
    elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
        count = _present(losses, weights)
    elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
        with name_scope("num_elements") as scope:
            count = arrays.cast(arrays.size(losses, scope), losses.dtype)
    else:
        raise ValueError(f"Invalid Reduction Key {reduction}.")
    return math.divide_no_nan(math.reduce_sum(total), count, name="value")


def _present(losses, weights):
    """How many losses have a weight that is not 0."""
    with name_scope("num_present") as scope:
        none = math.equal(weights, 0.0)
        present = arrays.where(none, arrays.zeros_like(weights), arrays.ones_like(weights))
        return math.reduce_sum(broadcast_weights(present, losses), name=scope)


def _pair(labels, predictions):
    predictions = arrays.cast(predictions, dtypes.float32)
    labels = arrays.cast(labels, dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def _loss(name, function, doc, example):
    """A loss of labels and predictions of one shape."""

    def loss(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
             reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
        with name_scope(scope, name) as scope:
            losses = function(*_pair(labels, predictions))
            return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)

    loss.__doc__ = f"""{doc}

    Args:
        labels: The right values, a tensor of the shape of the predictions.
        predictions: The predicted values, a tensor.
        weights: How much each loss counts, a number or a tensor that is broadcast.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.

    Raises:
        ValueError: The weights do not fit, or the reduction is unknown.

    Example:
        >>> loss = sl.losses.{name}(labels=[1.0, 2.0], predictions=[1.0, 4.0])
        >>> sl.Session().run(loss)
        {example}
    """
    return loss


absolute_difference = _loss(
    "absolute_difference", lambda y, p: math.abs(math.subtract(p, y)),
    "Computes |prediction - label|.", 1.0,
)  # fmt: skip
mean_squared_error = _loss(
    "mean_squared_error", lambda y, p: math.squared_difference(p, y),
    "Computes (prediction - label)^2.", 2.0,
)  # fmt: skip


def huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None,
               loss_collection=GraphKeys.LOSSES,
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Computes error^2 / 2 for errors up to delta, beyond it delta * (|error| - delta / 2).

    Args:
        labels: The right values, a tensor of the shape of the predictions.
        predictions: The predicted values, a tensor.
        weights: How much each loss counts, a number or a tensor that is broadcast.
        delta: Where the loss becomes linear, a float.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.
    """
    with name_scope(scope, "huber_loss") as scope:
        y, p = _pair(labels, predictions)
        error = math.abs(math.subtract(p, y))
        small = math.minimum(error, delta)
        linear = math.subtract(error, small)
        half = convert_to_tensor(0.5, small.dtype)
        square = math.multiply(half, math.multiply(small, small))
        losses = math.add(square, math.multiply(delta, linear))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def log_loss(labels, predictions, weights=1.0, epsilon=1e-7, scope=None,
             loss_collection=GraphKeys.LOSSES,
             reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Computes -y log(p + epsilon) - (1 - y) log(1 - p + epsilon).

    Args:
        labels: The right values, a tensor of the shape of the predictions.
        predictions: The predicted values, a tensor.
        weights: How much each loss counts, a number or a tensor that is broadcast.
        epsilon: A small float, so that no logarithm is infinite.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.
    """
    with name_scope(scope, "log_loss") as scope:
        y, p = _pair(labels, predictions)
        yes = -math.multiply(y, math.log(p + epsilon))
        losses = yes - math.multiply(1 - y, math.log(1 - p + epsilon))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Computes max(0, 1 - (2 label - 1) logit) for labels 0 and 1.

    Args:
        labels: The right values, a tensor of the shape of the predictions.
        logits: The logits, a tensor.
        weights: How much each loss counts, a number or a tensor that is broadcast.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.
    """
    with name_scope(scope, "hinge_loss") as scope:
        y, x = _pair(labels, logits)
        ones = arrays.ones_like(y)
        y = math.subtract(2 * y, ones)
        losses = relu(math.subtract(ones, math.multiply(y, x)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def cosine_distance(labels, predictions, axis=None, weights=1.0, scope=None,
                    loss_collection=GraphKeys.LOSSES, reduction=Reduction.SUM_BY_NONZERO_WEIGHTS,
                    dim=None):  # fmt: skip
    """Computes 1 - the sum of products along a dimension, for vectors of length 1.

    Args:
        labels: The right values, a tensor of the shape of the predictions.
        predictions: The predicted values, a tensor.
        axis: The dimension, an int.
        weights: How much each loss counts, a number or a tensor that is broadcast.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.
        dim: Older name of axis.

    Returns:
        The loss, a scalar unless reduction is NONE.

    Raises:
        ValueError: axis is not given.
    """
    axis = given(axis, dim)
    if axis is None:
        raise ValueError("cosine_distance: axis must be given")
    with name_scope(scope, "cosine_distance_loss") as scope:
        y, p = _pair(labels, predictions)
        losses = 1 - math.reduce_sum(math.multiply(p, y), [axis], True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES,
                          reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Computes the cross entropy of independent classes.

    Args:
        multi_class_labels: The labels, a tensor [batch, classes] of 0 and 1.
        logits: The logits, a tensor [batch, classes].
        weights: How much each loss counts, a number or a tensor that is broadcast.
        label_smoothing: How far labels are moved towards equal ones, a float within [0, 1].
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.
    """
    with name_scope(scope, "sigmoid_cross_entropy_loss") as scope:
        logits = convert_to_tensor(logits)
        labels = arrays.cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES,
                          reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Computes the cross entropy of classes of which one holds.

    Args:
        onehot_labels: The labels, a tensor [batch, classes] of probabilities.
        logits: The logits, a tensor [batch, classes].
        weights: How much each loss counts, a number or a tensor that is broadcast.
        label_smoothing: How far labels are moved towards equal ones, a float within [0, 1].
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.
    """
    with name_scope(scope, "softmax_cross_entropy_loss") as scope:
        logits = convert_to_tensor(logits)
        labels = arrays.cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing:
            classes = arrays.cast(arrays.shape(labels)[-1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        labels = arrays.stop_gradient(labels, name="labels_stop_gradient")
        losses = softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None,
                                 loss_collection=GraphKeys.LOSSES,
                                 reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):  # fmt: skip
    """Computes the cross entropy of class numbers.

    Args:
        labels: The class numbers, an int32 or int64 tensor [batch].
        logits: The logits, a tensor [batch, classes].
        weights: How much each loss counts, a number or a tensor that is broadcast.
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.
        reduction: How losses are combined: a constant of Reduction.

    Returns:
        The loss, a scalar unless reduction is NONE.
    """
    with name_scope(scope, "sparse_softmax_cross_entropy_loss") as scope:
        labels, logits = without_last(labels, logits, 1)
        weights = weights_beside(labels, weights)
        losses = sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None,
                                loss_collection=GraphKeys.LOSSES):  # fmt: skip
    """Computes the mean, over pairs of elements of each sample, of the squared error of their
    difference.

    Args:
        labels: The right values, a tensor of the shape of the predictions.
        predictions: The predicted values, a tensor.
        weights: How much each sample counts, a number or a tensor [batch].
        scope: Name scope of the operations, a str. None: a default name.
        loss_collection: Collection that gets the loss, a str. None: none.

    Returns:
        The loss, a scalar.
    """
    with name_scope(scope, "mean_pairwise_squared_error"):
        y, p = _pair(labels, predictions)
        w = checked_weights(arrays.cast(convert_to_tensor(weights), dtypes.float32), y)
        error = p - y
        axes = arrays.range(1, arrays.rank(error))
        counted = arrays.cast(math.not_equal(w + 0 * error, 0), dtypes.float32)
        present = math.reduce_sum(counted, axes, True)
        squares = math.reduce_sum(math.square(error), axes, True)
        own = 2 * math.divide_no_nan(squares, math.maximum(present - 1, 0), name="value")
        total = math.reduce_sum(error, axes, True)
        others = math.multiply(present, math.maximum(present - 1, 0))
        across = 2 * math.divide_no_nan(math.square(total), others, name="value")
        sum_of_all = math.reduce_sum((own - across) * w)
        loss = arrays.where(
            math.reduce_sum(present) > 0, sum_of_all, arrays.zeros_like(sum_of_all), name="value"
        )
        add_loss(loss, loss_collection)
        return loss


def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    """Adds a loss to a collection.

    Args:
        loss: The loss, a tensor.
        loss_collection: Collection that gets the loss, a str. None: none.
    """
    if loss_collection is not None:
        add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    """Returns the losses of the default graph.

    Args:
        scope: A regular expression that their names must begin with. None: all.
        loss_collection: Collection that gets the loss, a str. None: none.

    Returns:
        A list of tensors.
    """
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    """Returns the regularisation losses of the default graph.

    Args:
        scope: A regular expression that their names must begin with. None: all.

    Returns:
        A list of tensors.
    """
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope=None, name="total_regularization_loss"):
    """Adds up the regularisation losses of the default graph.

    Args:
        scope: A regular expression that their names must begin with. None: all.
        name: Name of the operation, a str.

    Returns:
        A scalar; 0 if there are none.
    """
    found = get_regularization_losses(scope)
    return math.add_n(found, name=name) if found else convert_to_tensor(0.0)


def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    """Adds up all losses of the default graph.

    Args:
        add_regularization_losses: Whether regularisation losses count. A bool.
        name: Name of the operation, a str.
        scope: A regular expression that their names must begin with. None: all.

    Returns:
        A scalar.
    """
    found = get_losses(scope)
    if add_regularization_losses:
        found = found + get_regularization_losses(scope)
    return math.add_n(found, name=name)


__all__ = with_names(globals())
