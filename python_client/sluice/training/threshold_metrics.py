# SPDX-License-Identifier: Apache-2.0
"""Metrics over many thresholds, above which a prediction is true."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import control_dependencies
from ..ops import array as arrays
from ..ops import math
from ..ops.building import with_names
from ..ops.debug.assertions import assert_greater_equal, assert_less_equal
from ..ops.math.weights import broadcast_weights, weights_beside, without_last
from ..ops.state.variable_scope import variable_scope
from .metric_parts import aggregated, collect, counter

_EPSILON = 1e-7  # outermost thresholds, and what keeps ratios finite
_KINDS = {
    "tp": ("true_positives", lambda y, p: y & p),
    "fn": ("false_negatives", lambda y, p: y & ~p),
    "tn": ("true_negatives", lambda y, p: ~y & ~p),
    "fp": ("false_positives", lambda y, p: ~y & p),
}
_ARGUMENTS = """
    Args:
        labels: The right values, a tensor of bools or of numbers that are cast to bool.
        predictions: The predicted values, a float tensor of the shape of labels, within [0, 1].
"""
_MORE = """        weights: How much each element counts, a tensor that is broadcast. None: 1.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.
"""


def _counts(labels, predictions, thresholds, weights, kinds, check=True):
    """({kind: variable of the count so far}, {kind: count with this batch}), each a vector over
    thresholds."""
    predictions = arrays.cast(convert_to_tensor(predictions), dtypes.float32)
    checks = []
    if check:
        checks = [
            assert_greater_equal(predictions, 0.0, message="predictions must be in [0, 1]"),
            assert_less_equal(predictions, 1.0, message="predictions must be in [0, 1]"),
        ]
    with control_dependencies(checks):
        labels, predictions = without_last(labels, predictions)
        labels = arrays.cast(labels, dtypes.bool_)
    p = arrays.reshape(predictions, [1, -1])
    y = arrays.reshape(labels, [1, -1])
    limits = arrays.reshape(np.array(thresholds, np.float32), [-1, 1])
    positive = math.greater(p, limits)
    y = math.logical_and(y, arrays.ones_like(positive))
    if weights is not None:
        weights = weights_beside(predictions, arrays.cast(weights, dtypes.float32), widen=True)
        weights = arrays.reshape(broadcast_weights(weights, predictions), [1, -1])
    totals, updates = {}, {}
    for kind in kinds:
        name, chosen = _KINDS[kind]
        total = counter(name, [len(thresholds)])
        hits = arrays.cast(chosen(y, positive), dtypes.float32)
        hits = hits if weights is None else hits * weights
        totals[kind] = total
        updates[kind] = total.assign_add(math.reduce_sum(hits, 1))
    return totals, updates


def _metric(default, labels, predictions, thresholds, weights, collections, name, kinds, ratio,
            check=True):  # fmt: skip
    with variable_scope(name, default):
        totals, updates = _counts(labels, predictions, thresholds, weights, kinds, check)
        value = aggregated(lambda: ratio({k: t.value() for k, t in totals.items()}, "value"))
        update = ratio(updates, "update_op")
    return collect(value, update, *collections)


def _evenly(count):
    """Thresholds from just below 0 to just above 1."""
    inner = [(i + 1) / (count - 1) for i in range(count - 2)]
    return [-_EPSILON, *inner, 1 + _EPSILON]


def auc(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None,
        updates_collections=None, curve="ROC", name=None, summation_method="trapezoidal",
        thresholds=None):  # fmt: skip
    """Computes the area under the curve of true over false positives, or of precision over recall.

    Args:
        labels: The right values, a tensor of bools or of numbers that are cast to bool.
        predictions: The predicted values, a float tensor of the shape of labels, within [0, 1].
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        num_thresholds: How many points the curve has, an int.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        curve: "ROC" or "PR".
        name: Name of the operation, a str. None: a default name.
        summation_method: "trapezoidal", "careful_interpolation" (of "PR", after Davis and Goadrich,
            The relationship between precision-recall and ROC curves), "minoring" or "majoring".
        thresholds: The points, a list of floats, instead of num_thresholds.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.

    Raises:
        ValueError: curve or summation_method is another one.
    """
    if curve not in ("ROC", "PR"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    if thresholds is None:
        thresholds = _evenly(num_thresholds)
    else:
        thresholds = [-_EPSILON, *sorted(thresholds), 1 + _EPSILON]

    def area(c, part):
        if summation_method == "careful_interpolation" and curve == "PR":
            return _interpolated(c["tp"], c["fp"], c["fn"], part)
        small = 1e-6
        rate = math.divide(c["tp"] + small, c["tp"] + c["fn"] + small)
        if curve == "ROC":
            x, y = math.divide(c["fp"], c["fp"] + c["tn"] + small), rate
        else:
            x, y = rate, math.divide(c["tp"] + small, c["tp"] + c["fp"] + small)
        widths, pair = x[:-1] - x[1:], (y[:-1], y[1:])
        if summation_method in ("trapezoidal", "careful_interpolation"):
            heights = (pair[0] + pair[1]) / 2.0
        elif summation_method == "minoring":
            heights = math.minimum(*pair)
        elif summation_method == "majoring":
            heights = math.maximum(*pair)
        else:
            raise ValueError(f"Invalid summation_method: {summation_method}")
        return math.reduce_sum(widths * heights, name=part)

    return _metric(
        "auc", labels, predictions, thresholds, weights,
        (metrics_collections, updates_collections), name, ("tp", "fn", "tn", "fp"), area,
    )  # fmt: skip


def _interpolated(tp, fp, fn, name):
    """The area under precision over recall, where true positives are linear between points."""
    gained = tp[:-1] - tp[1:]
    said = tp + fp
    slope = math.divide_no_nan(gained, math.maximum(said[:-1] - said[1:], 0))
    intercept = tp[1:] - slope * said[1:]
    both = math.logical_and(said[:-1] > 0, said[1:] > 0)
    ratio = math.divide_no_nan(said[:-1], math.maximum(said[1:], 0))
    ratio = arrays.where(both, ratio, arrays.ones_like(said[1:]))
    areas = slope * (gained + intercept * math.log(ratio))
    areas = math.divide_no_nan(areas, math.maximum(tp[1:] + fn[1:], 0))
    return math.reduce_sum(areas, name=name)


def _at_thresholds(default, kinds, ratio, doc, check=True):
    def metric(labels, predictions, thresholds, weights=None, metrics_collections=None,
               updates_collections=None, name=None):  # fmt: skip
        return _metric(
            default, labels, predictions, list(thresholds), weights,
            (metrics_collections, updates_collections), name, kinds, ratio, check,
        )  # fmt: skip

    thresholds = "        thresholds: Above which a prediction is true, a list of floats.\n"
    metric.__doc__ = doc + "\n" + _ARGUMENTS + thresholds + _MORE
    return metric


def _share(above, *below):
    def ratio(c, part):
        return math.divide(c[above], _EPSILON + sum(c[k] for k in below), name=part)

    return ratio


def _count_of(kind):
    return lambda c, part: arrays.identity(c[kind], name=part)


precision_at_thresholds = _at_thresholds(
    "precision_at_thresholds", ("tp", "fp"), _share("tp", "tp", "fp"),
    "Computes the fraction of true predictions that are right, for each threshold.",
)  # fmt: skip
recall_at_thresholds = _at_thresholds(
    "recall_at_thresholds", ("tp", "fn"), _share("tp", "tp", "fn"),
    "Computes the fraction of true labels that are predicted, for each threshold.",
)  # fmt: skip
true_positives_at_thresholds = _at_thresholds(
    "true_positives", ("tp",), _count_of("tp"),
    "Counts the true labels that are predicted to be true, for each threshold.", check=False,
)  # fmt: skip
false_positives_at_thresholds = _at_thresholds(
    "false_positives", ("fp",), _count_of("fp"),
    "Counts the false labels that are predicted to be true, for each threshold.", check=False,
)  # fmt: skip
true_negatives_at_thresholds = _at_thresholds(
    "true_negatives", ("tn",), _count_of("tn"),
    "Counts the false labels that are predicted to be false, for each threshold.", check=False,
)  # fmt: skip
false_negatives_at_thresholds = _at_thresholds(
    "false_negatives", ("fn",), _count_of("fn"),
    "Counts the true labels that are predicted to be false, for each threshold.", check=False,
)  # fmt: skip


def _check_fraction(value, what):
    if not 0 <= value <= 1:
        raise ValueError(f"`{what}` must be in the range [0, 1].")


def sensitivity_at_specificity(labels, predictions, specificity, weights=None, num_thresholds=200,
                               metrics_collections=None, updates_collections=None,
                               name=None):  # fmt: skip
    """Computes the fraction of true labels that are predicted, at the threshold where a fraction of
    the false labels is.

    Args:
        labels: The right values, a tensor of bools or of numbers that are cast to bool.
        predictions: The predicted values, a float tensor of the shape of labels, within [0, 1].
        specificity: The fraction of the false labels that are predicted to be false, a float.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        num_thresholds: How many thresholds are tried, an int.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.

    Raises:
        ValueError: specificity is not within [0, 1].
    """
    _check_fraction(specificity, "specificity")

    def ratio(c, part):
        specificities = math.divide(c["tn"], c["tn"] + c["fp"] + _EPSILON)
        at = arrays.cast(math.argmin(math.abs(specificities - specificity), 0), dtypes.int32)
        return math.divide(c["tp"][at], c["tp"][at] + c["fn"][at] + _EPSILON, name=part)

    return _metric(
        "sensitivity_at_specificity", labels, predictions, _evenly(num_thresholds), weights,
        (metrics_collections, updates_collections), name, ("tp", "fn", "tn", "fp"), ratio,
    )  # fmt: skip


def specificity_at_sensitivity(labels, predictions, sensitivity, weights=None, num_thresholds=200,
                               metrics_collections=None, updates_collections=None,
                               name=None):  # fmt: skip
    """Computes the fraction of false labels that are predicted, at the threshold where a fraction
    of the true labels is.

    Args:
        labels: The right values, a tensor of bools or of numbers that are cast to bool.
        predictions: The predicted values, a float tensor of the shape of labels, within [0, 1].
        sensitivity: The fraction of the true labels that are predicted to be true, a float.
        weights: How much each element counts, a tensor that is broadcast. None: 1.
        num_thresholds: How many thresholds are tried, an int.
        metrics_collections: Collections that get the value, a list of str. None: none.
        updates_collections: Collections that get the update, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the value, and the update, which adds a batch and is the new value.

    Raises:
        ValueError: sensitivity is not within [0, 1].
    """
    _check_fraction(sensitivity, "sensitivity")

    def ratio(c, part):
        sensitivities = math.divide(c["tp"], c["tp"] + c["fn"] + _EPSILON)
        distance = math.abs(sensitivities - sensitivity)
        nearest = math.equal(distance, math.reduce_min(distance))
        # Of several thresholds at this distance the largest counts.
        at = math.reduce_max(arrays.where(nearest)[:, 0])
        at = arrays.cast(at, dtypes.int32)
        return math.divide(c["tn"][at], c["tn"][at] + c["fp"][at] + _EPSILON, name=part)

    return _metric(
        "specificity_at_sensitivity", labels, predictions, _evenly(num_thresholds), weights,
        (metrics_collections, updates_collections), name, ("tp", "fn", "tn", "fp"), ratio,
    )  # fmt: skip


__all__ = with_names(globals())
