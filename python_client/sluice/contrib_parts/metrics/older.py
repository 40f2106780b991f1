# SPDX-License-Identifier: Apache-2.0
"""The functions of metrics under older names: predictions come before labels."""

from ... import metrics
from ...ops import array as arrays
from ...ops.nn.ranking import in_top_k
from ...ops.sparse import sets
from .plain import accuracy, aggregate_metric_map, aggregate_metrics, confusion_matrix

_SWAPPED = "predictions labels"
# Older name -> (name in metrics, the arguments before weights, the one after it with its default).
_ROWS = {
    **{f"streaming_{name}": (name, _SWAPPED, "") for name in """
        accuracy precision recall true_positives true_negatives false_positives false_negatives
        mean_absolute_error mean_squared_error root_mean_squared_error
    """.split()},
    "streaming_mean": ("mean", "values", ""),
    "streaming_mean_tensor": ("mean_tensor", "values", ""),
    "streaming_percentage_less": ("percentage_below", "values threshold", ""),
    "streaming_mean_iou": ("mean_iou", _SWAPPED + " num_classes", ""),
    "streaming_mean_relative_error": ("mean_relative_error", _SWAPPED + " normalizer", ""),
    "streaming_mean_cosine_distance": ("mean_cosine_distance", _SWAPPED + " dim", ""),
    "streaming_precision_at_thresholds": ("precision_at_thresholds", _SWAPPED + " thresholds", ""),
    "streaming_recall_at_thresholds": ("recall_at_thresholds", _SWAPPED + " thresholds", ""),
    "streaming_sparse_average_precision_at_k": ("average_precision_at_k", _SWAPPED + " k", ""),
    "streaming_specificity_at_sensitivity": (
        "specificity_at_sensitivity", _SWAPPED + " sensitivity", "num_thresholds"
    ),
    "streaming_sensitivity_at_specificity": (
        "sensitivity_at_specificity", _SWAPPED + " specificity", "num_thresholds"
    ),
}  # fmt: skip


def _older(target, first, more):
    """A function that calls one of metrics by its arguments' names."""
    names = [*first.split(), "weights", *more.split(), "metrics_collections"]
    names += ["updates_collections", "name"]
    function = getattr(metrics, target)

    def call(*args, **kwargs):
        if len(args) > len(names):
            raise TypeError(f"{call.__name__}() takes {len(names)} arguments")
        given = dict(zip(names, args))
        for key, value in kwargs.items():
            if key not in names or key in given:
                raise TypeError(f"{call.__name__}() got an unexpected argument {key!r}")
            given[key] = value
        missing = [key for key in first.split() if key not in given]
        if missing:
            raise TypeError(f"{call.__name__}() lacks the argument {missing[0]!r}")
        return function(**given)

    call.__doc__ = (
        f"Calls metrics.{target}(), whose docstring describes the arguments.\n\n"
        f"Args:\n    *args: {', '.join(names)}.\n    **kwargs: The same by name.\n\n"
        "Returns:\n    A tuple: the value, and the operation that adds a batch.\n"
    )
    return call


for _name, _row in _ROWS.items():
    _made = _older(*_row)
    _made.__name__ = _made.__qualname__ = _name
    globals()[_name] = _made


def streaming_auc(predictions, labels, weights=None, num_thresholds=200, metrics_collections=None,
                  updates_collections=None, curve="ROC", name=None):  # fmt: skip
    """Calls metrics.auc().

    Args:
        predictions: Probabilities, a floating-point tensor.
        labels: The truth, a bool tensor.
        weights: The weight of each element. None: 1.
        num_thresholds: How many thresholds there are, an int.
        metrics_collections: Collections that get the value, a list of str.
        updates_collections: Collections that get the update, a list of str.
        curve: A str: "ROC" or "PR".
        name: Name of the operations, a str. None: a default name.

    Returns:
        A tuple: the value, and the operation that adds a batch.
    """
    return metrics.auc(
        labels, predictions, weights, num_thresholds, metrics_collections, updates_collections,
        curve, name,
    )  # fmt: skip


def _at_k(target):
    function = getattr(metrics, target)

    def call(predictions, labels, k, class_id=None, weights=None, metrics_collections=None,
             updates_collections=None, name=None):  # fmt: skip
        return function(
            labels, predictions, k, class_id=class_id, weights=weights,
            metrics_collections=metrics_collections, updates_collections=updates_collections,
            name=name,
        )  # fmt: skip

    call.__doc__ = f"""Calls metrics.{target}().

    Args:
        predictions: Scores of classes, a floating-point tensor [..., classes].
        labels: The true classes, an int64 tensor [..., count] or a SparseTensor.
        k: How many of the best classes count, an int.
        class_id: The only class that counts, an int. None: all.
        weights: The weight of each element. None: 1.
        metrics_collections: Collections that get the value, a list of str.
        updates_collections: Collections that get the update, a list of str.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A tuple: the value, and the operation that adds a batch.
    """
    return call


streaming_sparse_recall_at_k = _at_k("recall_at_k")
streaming_sparse_precision_at_k = _at_k("precision_at_k")


def streaming_recall_at_k(predictions, labels, k, weights=None, metrics_collections=None,
                          updates_collections=None, name=None):  # fmt: skip
    """Computes how often the true class is among the k best.

    Args:
        predictions: Scores of classes, a float32 tensor [batch, classes].
        labels: The true classes, an integer vector [batch].
        k: How many of the best classes count, an int.
        weights: The weight of each element. None: 1.
        metrics_collections: Collections that get the value, a list of str.
        updates_collections: Collections that get the update, a list of str.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A tuple: the value, and the operation that adds a batch.
    """
    found = arrays.cast(in_top_k(predictions, labels, k), "float32")
    return metrics.mean(
        found, weights, metrics_collections, updates_collections, name or f"recall_at_{k}"
    )


set_difference, set_intersection = sets.difference, sets.intersection
set_size, set_union = sets.size, sets.union
__all__ = [
    *_ROWS, "accuracy", "aggregate_metric_map", "aggregate_metrics", "confusion_matrix",
    "set_difference", "set_intersection", "set_size", "set_union", "streaming_auc",
    "streaming_recall_at_k", "streaming_sparse_precision_at_k", "streaming_sparse_recall_at_k",
]  # fmt: skip
