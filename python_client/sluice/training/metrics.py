# SPDX-License-Identifier: Apache-2.0
"""Metrics over many steps: each gives (value, update). The update adds a batch and is the new
value; local_variables_initializer() begins anew."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import control_dependencies, name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.building import with_names
from ..ops.math.weights import broadcast_weights, weights_beside, without_last
from ..ops.nn.confusion import confusion_matrix
from ..ops.state.variable_scope import variable_scope
from .metric_parts import aggregated, collect, counter


def _ratio(counters, above, below, values, collections):
    """(value, update) of the sum of all `above` by the sum of all `below`; 0 where that is 0."""
    top, bottom = counters
    new_top = top.assign_add(above)
    with control_dependencies([values]):
        new_bottom = bottom.assign_add(below)
    value = aggregated(lambda: math.divide_no_nan(top, math.maximum(bottom, 0), name="value"))
    update = math.divide_no_nan(new_top, math.maximum(new_bottom, 0), name="update_op")
    return collect(value, update, *collections)


def _weighted(values, weights):
    """(values * weights, weights), both of the values' shape, float32."""
    values = arrays.cast(values, dtypes.float32)
    if weights is None:
        return values, arrays.ones_like(values)
    weights = weights_beside(values, arrays.cast(weights, dtypes.float32), widen=True)
    weights = broadcast_weights(weights, values)
    return math.multiply(values, weights), weights


def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Computes the weighted mean of all numbers so far.

    Args:
        values: A tensor of numbers.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    with variable_scope(name, "mean"):
        values = arrays.cast(values, dtypes.float32)
        counters = counter("total"), counter("count")
        if weights is None:
            count = arrays.cast(arrays.size(values), dtypes.float32)
        else:
            values, weights = _weighted(values, weights)
            count = math.reduce_sum(weights)
        total = math.reduce_sum(values)
        return _ratio(counters, total, count, values, (metrics_collections, updates_collections))


def mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None,
                name=None):  # fmt: skip
    """Computes the weighted mean of tensors of one known shape, element by element.

    Args:
        values: A tensor of numbers.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    with variable_scope(name, "mean"):
        values = arrays.cast(values, dtypes.float32)
        counters = [counter(n, values.shape) for n in ("total_tensor", "count_tensor")]
        count = arrays.ones_like(values)
        if weights is not None:
            values, weights = _weighted(values, weights)
            count = math.multiply(count, weights)
        return _ratio(counters, values, count, values, (metrics_collections, updates_collections))


_OF_PAIRS = """

Args:
    labels: The right values, a tensor.
    predictions: The predicted values, a tensor of the shape of labels.
    weights: How much each element counts, a tensor that is broadcast. None: 1.
    metrics_collections: Collections that get the value, a list of str. None: none.
    updates_collections: Collections that get the update, a list of str. None: none.
    name: Name of the operation, a str. None: a default name.

Returns:
    A tuple: the value, and the update, which adds a batch and is the new value.
"""


def _of_one_rank(labels, predictions):
    """The two, without a last dimension of 1 that one has too many. ValueError: they differ."""
    labels, predictions = without_last(labels, predictions)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def _mean_of(function, default, doc):
    def metric(labels, predictions, weights=None, metrics_collections=None,
               updates_collections=None, name=None):  # fmt: skip
        labels, predictions = _of_one_rank(labels, predictions)
        values = function(labels, predictions)
        return mean(values, weights, metrics_collections, updates_collections, name or default)

    metric.__doc__ = doc + _OF_PAIRS
    return metric


accuracy = _mean_of(
    lambda y, p: arrays.cast(math.equal(arrays.cast(p, y.dtype), y), dtypes.float32), "accuracy",
    "Computes how often predictions, in the dtype of the labels, are right.",
)  # fmt: skip
mean_absolute_error = _mean_of(
    lambda y, p: math.abs(p - y),
    "mean_absolute_error",
    "Computes the mean of |prediction - label|.",
)
mean_squared_error = _mean_of(
    math.squared_difference, "mean_squared_error", "Computes the mean of (prediction - label)^2."
)


def root_mean_squared_error(labels, predictions, weights=None, metrics_collections=None,
                            updates_collections=None, name=None):  # fmt: skip
    """Computes the square root of the mean squared error so far.

    Args:
        labels: The right values, a tensor.
        predictions: The predicted values, a tensor of the shape of labels.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    value, update = mean_squared_error(
        labels, predictions, weights, None, None, name or "root_mean_squared_error"
    )
    root = aggregated(lambda: math.sqrt(value))
    return collect(root, math.sqrt(update), metrics_collections, updates_collections)


def mean_relative_error(labels, predictions, normalizer, weights=None, metrics_collections=None,
                        updates_collections=None, name=None):  # fmt: skip
    """Computes the mean of |prediction - label| / normalizer, which is 0 where normalizer is 0.

    Args:
        labels: The right values, a tensor.
        predictions: The predicted values, a tensor of the shape of labels.
        normalizer: A tensor of the shape of labels.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    labels, predictions = _of_one_rank(labels, predictions)
    normalizer, predictions = without_last(normalizer, predictions)
    error = math.divide_no_nan(math.abs(predictions - labels), normalizer)
    name = name or "mean_relative_error"
    return mean(error, weights, metrics_collections, updates_collections, name)


def percentage_below(values, threshold, weights=None, metrics_collections=None,
                     updates_collections=None, name=None):  # fmt: skip
    """Computes the fraction of values below a threshold.

    Args:
        values: A tensor of numbers.
        threshold: The threshold, a number or a scalar.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    below = math.less(values, threshold)
    name = name or "percentage_below_threshold"
    return mean(below, weights, metrics_collections, updates_collections, name)


def _bools(labels, predictions):
    return [arrays.cast(v, dtypes.bool_) for v in _of_one_rank(labels, predictions)]


def _sum(default, chosen, doc):
    def metric(labels, predictions, weights=None, metrics_collections=None,
               updates_collections=None, name=None):  # fmt: skip
        x, _ = _weighted(chosen(*_bools(labels, predictions)), weights)
        with name_scope(name, default):
            count = counter("count")
            value = aggregated(lambda: arrays.identity(count.value()))
            update = count.assign_add(math.reduce_sum(x), name="update_op")
        return collect(value, update, metrics_collections, updates_collections)

    metric.__doc__ = doc + _OF_PAIRS
    return metric


def _share_of_hits(name, default, hits, other, misses, collections):
    """(value, update) of the sum of hits by that of hits and misses; 0 where that is 0."""
    with variable_scope(name, default):
        counters, updates = [], []
        for kind, counted in (("true_positives", hits), (other, misses)):
            with name_scope(kind):
                counters.append(counter("count"))
                updates.append(counters[-1].assign_add(math.reduce_sum(counted)))
        right, wrong = counters
        value = aggregated(
            lambda: math.divide_no_nan(right.value(), right.value() + wrong.value(), name="value")
        )
        update = math.divide_no_nan(updates[0], updates[0] + updates[1], name="update_op")
    return collect(value, update, *collections)


true_positives = _sum(
    "true_positives", lambda y, p: y & p, "Counts the true labels that are predicted to be true."
)
false_positives = _sum(
    "false_positives", lambda y, p: ~y & p, "Counts the false labels that are predicted to be true."
)
true_negatives = _sum(
    "true_negatives",
    lambda y, p: ~y & ~p,
    "Counts the false labels that are predicted to be false.",
)
false_negatives = _sum(
    "false_negatives", lambda y, p: y & ~p, "Counts the true labels that are predicted to be false."
)


def precision(labels, predictions, weights=None, metrics_collections=None,
              updates_collections=None, name=None):  # fmt: skip
    """Computes the fraction of true predictions that are right.

    Args:
        labels: The right values, a tensor.
        predictions: The predicted values, a tensor of the shape of labels.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    y, p = _bools(labels, predictions)
    hits, _ = _weighted(y & p, weights)
    wrong, _ = _weighted(~y & p, weights)
    collections = metrics_collections, updates_collections
    return _share_of_hits(name, "precision", hits, "false_positives", wrong, collections)


def recall(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
           name=None):  # fmt: skip
    """Computes the fraction of true labels that are predicted.

    Args:
        labels: The right values, a tensor.
        predictions: The predicted values, a tensor of the shape of labels.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    y, p = _bools(labels, predictions)
    hits, _ = _weighted(y & p, weights)
    missed, _ = _weighted(y & ~p, weights)
    collections = metrics_collections, updates_collections
    return _share_of_hits(name, "recall", hits, "false_negatives", missed, collections)


def mean_iou(labels, predictions, num_classes, weights=None, metrics_collections=None,
             updates_collections=None, name=None):  # fmt: skip
    """Computes the mean over classes of the intersection of labels and predictions by their union.

    Args:
        labels: The right values, a tensor.
        predictions: The predicted values, a tensor of the shape of labels.
        num_classes: How many classes, an int.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update: the confusion matrix.
    """
    flat = [arrays.reshape(v, [-1]) for v in (labels, predictions)]
    weights = None if weights is None else arrays.reshape(weights, [-1])
    with name_scope(name, "mean_iou"):
        total = counter("total_confusion_matrix", [num_classes, num_classes], dtypes.float64)
        batch = confusion_matrix(*flat, num_classes, dtypes.float64, weights=weights)
        update = total.assign_add(batch, name="update_op")
        value = aggregated(lambda: _mean_intersection(total.value(), num_classes))
    return collect(value, update, metrics_collections, updates_collections)


def _mean_intersection(matrix, num_classes):
    common = arrays.gather_nd(matrix, [[i, i] for i in range(num_classes)])
    either = math.reduce_sum(matrix, 0) + math.reduce_sum(matrix, 1) - common
    seen = math.count_nonzero(either, dtype=dtypes.float64)
    value = math.divide_no_nan(math.reduce_sum(math.divide_no_nan(common, either)), seen)
    return arrays.cast(value, dtypes.float32)


def mean_per_class_accuracy(labels, predictions, num_classes, weights=None,
                            metrics_collections=None, updates_collections=None,
                            name=None):  # fmt: skip
    """Computes the mean over classes of the fraction of their labels that is predicted.

    Args:
        labels: The right values, a tensor.
        predictions: The predicted values, a tensor of the shape of labels.
        num_classes: How many classes, an int.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, the accuracy of each class.
    """
    labels, predictions = (arrays.reshape(v, [-1]) for v in (labels, predictions))
    with variable_scope(name, "mean_accuracy"):
        counted, weights = _weighted(math.equal(labels, predictions), weights)
        total, count = counter("total", [num_classes]), counter("count", [num_classes])
        labels = arrays.cast(labels, dtypes.int64)
        hits = math.unsorted_segment_sum(counted, labels, num_classes)
        all_of = math.unsorted_segment_sum(weights, labels, num_classes)
        new_total, new_count = total.assign_add(hits), count.assign_add(all_of)
        value = aggregated(
            lambda: math.reduce_mean(math.divide_no_nan(total, math.maximum(count, 0)))
        )
        update = math.divide_no_nan(new_total, math.maximum(new_count, 0), name="update_op")
    return collect(value, update, metrics_collections, updates_collections)


def mean_cosine_distance(labels, predictions, dim, weights=None, metrics_collections=None,
                         updates_collections=None, name=None):  # fmt: skip
    """Computes the mean of 1 - the products of labels and predictions along a dimension.

    Args:
        labels: Vectors of length 1, a float tensor.
        predictions: The predicted vectors of length 1, a tensor of the shape of labels.
        dim: The dimension of the vectors, an int.
        weights: How much each vector counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    products = math.multiply(convert_to_tensor(predictions), labels)
    similarity = math.reduce_sum(products, dim, keepdims=True)
    value, update = mean(similarity, weights, name=name or "mean_cosine_distance")
    distance, update = aggregated(lambda: math.subtract(1.0, value)), math.subtract(1.0, update)
    return collect(distance, update, metrics_collections, updates_collections)


__all__ = with_names(globals())
