# SPDX-License-Identifier: Apache-2.0
"""Metrics of one batch, and lists of metrics."""

from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.nn.confusion import confusion_matrix as counted


def accuracy(predictions, labels, weights=None, name=None):
    """Computes how many predictions are true.

    Args:
        predictions: A tensor of integers, strings or bools.
        labels: The truth, a tensor of the same dtype and shape.
        weights: The weight of each element, a tensor. None: 1.
        name: Name of the operations, a str. None: "accuracy".

    Returns:
        A float32 scalar.

    Raises:
        ValueError: The dtypes or shapes differ, or the dtype is another.
    """
    if not (labels.dtype.is_integer or labels.dtype.name in ("bool", "string")):
        raise ValueError(
            f"Labels should have bool, integer, or string dtype, not {labels.dtype.name}"
        )
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(
            "Dtypes of predictions and labels should match. Given: predictions "
            f"({predictions.dtype.name}) and labels ({labels.dtype.name})"
        )
    with name_scope(name, "accuracy"):
        right = arrays.cast(math.equal(predictions, labels), "float32")
        if weights is None:
            return math.reduce_mean(right)
        right = math.multiply(right, weights)
        total = math.multiply(weights, arrays.ones_like(right))
        return math.divide_no_nan(math.reduce_sum(right), math.reduce_sum(total))


def aggregate_metrics(*value_update_tuples):
    """Divides pairs of a value and an update into two lists.

    Args:
        *value_update_tuples: The pairs, as metrics return them.

    Returns:
        A tuple of two lists.

    Raises:
        ValueError: There are none.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples):
    """Divides pairs of a value and an update into two dicts.

    Args:
        names_to_tuples: A dict: name -> pair, as metrics return it.

    Returns:
        A tuple of two dicts.
    """
    return tuple(
        {name: pair[i] for name, pair in names_to_tuples.items()} for i in range(2)
    )


def confusion_matrix(labels, predictions, num_classes=None, dtype="int32", name=None,
                     weights=None):  # fmt: skip
    """Calls math.confusion_matrix().

    Args:
        labels: The true classes, an integer vector.
        predictions: The predicted ones, an integer vector.
        num_classes: How many classes there are, an int. None: one more than the largest.
        dtype: Dtype of the counts.
        name: Name of the operations, a str. None: a default name.
        weights: The weight of each element. None: 1.

    Returns:
        A tensor [classes, classes]: rows are labels.
    """
    return counted(labels, predictions, num_classes, dtype=dtype, name=name, weights=weights)
