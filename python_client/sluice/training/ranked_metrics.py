# SPDX-License-Identifier: Apache-2.0
"""Metrics of the k classes that get the largest predictions."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.building import with_names
from ..ops.math.weights import broadcast_weights
from ..ops.nn.ranking import top_k
from ..ops.sparse import sets
from ..ops.sparse.sparse_tensor import SparseTensor, to_dense
from .metric_parts import aggregated, collect, counter

_LABELS = """
    Args:
        labels: The right classes of each row, an int64 tensor or SparseTensor [..., count]; without
            the last dimension each row has one class.
"""
_PREDICTIONS = "        predictions: The value of each class, a float tensor [..., classes].\n"
_INDICES = "        predictions_idx: The best k classes of each row, an int64 tensor [..., k].\n"
_K = "        k: How many classes, an int.\n"
_K_IN_NAMES = "        k: What names say of the number of classes, an int. None: nothing.\n"
_CLASS = "        class_id: The only class that counts, an int. None: all.\n"
_MORE = """        weights: How much each row counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, a float64 scalar, and the update, which adds a batch and is the new
        value.
"""


def _at(name, k, class_id=None):
    """What names say of k and of a class."""
    text = f"{name}_at_{'k' if k is None else k}"
    return text if class_id is None else f"{text}_class{class_id}"


def _with_rows(labels, rank):
    """The labels as [..., count], where predictions have `rank` dimensions."""
    if isinstance(labels, SparseTensor):
        return labels
    labels = convert_to_tensor(labels)
    if rank is not None and labels.shape.ndims == rank - 1:
        labels = arrays.expand_dims(labels, -1)
    return labels


def _dense(labels):
    """The labels as a tensor, with -1 where there is none."""
    if isinstance(labels, SparseTensor):
        return to_dense(labels, default_value=-1, validate_indices=False)
    return labels


def _best(predictions, k):
    """The k classes with the largest predictions, an int64 tensor [..., k]."""
    return arrays.cast(top_k(predictions, k)[1], dtypes.int64)


def _counts(labels, best, kind, class_id):
    """Of each row: the number of classes of a kind, float64."""
    if class_id is not None:
        labels = _dense(labels)
        right = math.reduce_any(math.equal(labels, arrays.cast(class_id, labels.dtype)), -1)
        said = math.reduce_any(math.equal(best, arrays.cast(class_id, best.dtype)), -1)
        kinds = {"true_positive": right & said, "false_positive": ~right & said,
                 "false_negative": right & ~said}  # fmt: skip
        return arrays.cast(kinds[kind], dtypes.float64)
    if kind == "true_positive":
        rows = sets.intersection(best, labels)
    else:
        rows = sets.difference(best, labels, aminusb=kind == "false_positive")
    return arrays.cast(sets.size(rows), dtypes.float64)


def _counted(labels, best, kind, k, class_id, weights):
    """(variable of the sum so far, sum with this batch) of the classes of a kind."""
    counts = _counts(labels, best, kind, class_id)
    if weights is not None:
        counts *= broadcast_weights(arrays.cast(weights, dtypes.float64), counts)
    total = counter(_at(kind, k, class_id), dtype=dtypes.float64)
    return total, total.assign_add(math.reduce_sum(counts))


def _fraction(hits, others, name):
    return math.divide(hits, hits + others, name=name)


def _share_of_hits(default, other, labels, best, k, class_id, weights, collections, name):
    with name_scope(name, _at(default, k, class_id)) as scope:
        best = arrays.cast(best, dtypes.int64)
        labels = _with_rows(labels, best.shape.ndims)
        hits, new_hits = _counted(labels, best, "true_positive", k, class_id, weights)
        others, new_others = _counted(labels, best, other, k, class_id, weights)
        value = aggregated(lambda: _fraction(hits.value(), others.value(), scope))
        update = math.divide(new_hits, new_hits + new_others, name="update")
        return collect(value, update, *collections)


def _at_top_k(default, other, doc):
    def metric(labels, predictions_idx, k=None, class_id=None, weights=None,
               metrics_collections=None, updates_collections=None, name=None):  # fmt: skip
        collections = metrics_collections, updates_collections
        return _share_of_hits(
            default, other, labels, convert_to_tensor(predictions_idx), k, class_id, weights,
            collections, name,
        )  # fmt: skip

    metric.__doc__ = doc + "\n" + _LABELS + _INDICES + _K_IN_NAMES + _CLASS + _MORE
    return metric


def _at_k(default, other, doc):
    def metric(labels, predictions, k, class_id=None, weights=None, metrics_collections=None,
               updates_collections=None, name=None):  # fmt: skip
        with name_scope(name, _at(default, k, class_id)) as scope:
            best = _best(predictions, k)
            collections = metrics_collections, updates_collections
            return _share_of_hits(
                default, other, labels, best, k, class_id, weights, collections, scope
            )

    metric.__doc__ = doc + "\n" + _LABELS + _PREDICTIONS + _K + _CLASS + _MORE
    return metric


_PRECISION = "Computes the fraction of the best k classes that are labels."
_RECALL = "Computes the fraction of labels that are among the best k classes."
precision_at_k = _at_k("precision", "false_positive", _PRECISION)
recall_at_k = _at_k("recall", "false_negative", _RECALL)
precision_at_top_k = _at_top_k("precision", "false_positive", _PRECISION)
recall_at_top_k = _at_top_k("recall", "false_negative", _RECALL)
sparse_precision_at_k = _at_k("precision", "false_positive", _PRECISION + " Older name.")


def _average(labels, best, k):
    """Of each row: the mean, over labels, of the precision at the place of the label."""
    labels = _dense(labels)
    same = math.equal(arrays.expand_dims(best, -1), arrays.expand_dims(labels, -2))
    relevant = arrays.cast(math.reduce_any(same, -1), dtypes.float64)
    places = math.cumsum(arrays.ones_like(relevant), -1)
    precisions = math.divide(math.cumsum(relevant, -1), places)
    count = math.reduce_sum(arrays.cast(math.greater_equal(labels, 0), dtypes.int32), -1)
    count = arrays.cast(math.minimum(count, k), dtypes.float64)
    return math.divide(math.reduce_sum(precisions * relevant, -1), count)


def average_precision_at_k(labels, predictions, k, weights=None, metrics_collections=None,
                           updates_collections=None, name=None):  # fmt: skip
    """Computes the mean of the average precision of the best k classes, over all rows so far.

    The average precision of a row is the sum of the precisions at the places of its labels among
    the best k classes, by the number of its labels, at most k.

    Args:
        labels: The right classes of each row, an int64 tensor or SparseTensor [..., count]; without
            the last dimension each row has one class.
        predictions: The value of each class, a float tensor [..., classes].
        k: How many classes, an int.
        weights: How much each row counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, a float64 scalar, and the update, which adds a batch and is the new
        value. They are not a number as soon as a row has no label.

    Raises:
        ValueError: k is less than 1.
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(name, _at("average_precision", k)) as scope:
        best = _best(predictions, k)
        average = _average(_with_rows(labels, best.shape.ndims), best, k)
        rows = arrays.cast(arrays.size(average), dtypes.float64)
        if weights is not None:
            weights = broadcast_weights(arrays.cast(weights, dtypes.float64), average)
            average, rows = average * weights, math.reduce_sum(weights)
        most, total = (counter(n, dtype=dtypes.float64) for n in ("max_1", "total"))
        new_total, new_most = total.assign_add(math.reduce_sum(average)), most.assign_add(rows)
        value = aggregated(lambda: math.divide_no_nan(total.value(), most.value(), name="mean"))
        update = math.divide_no_nan(new_total, new_most, name=scope)
        return collect(value, update, metrics_collections, updates_collections)


def sparse_average_precision_at_k(labels, predictions, k, weights=None, metrics_collections=None,
                                  updates_collections=None, name=None):  # fmt: skip
    """Computes the mean average precision. Older name of average_precision_at_k().

    Args:
        labels: As of average_precision_at_k().
        predictions: As of average_precision_at_k().
        k: How many classes, an int.
        weights: How much each row counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
    """
    return average_precision_at_k(
        labels, predictions, k, weights, metrics_collections, updates_collections, name
    )


__all__ = with_names(globals())
