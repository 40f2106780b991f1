# SPDX-License-Identifier: Apache-2.0
"""Metrics over thresholds, against counts of NumPy."""

import numpy as np
import sluice as sl

_DRAWN = np.random.RandomState(3)
P = _DRAWN.rand(2, 30).astype(np.float32)
Y = P + 0.3 * _DRAWN.randn(2, 30) > 0.5
LIMITS = [0.25, 0.5, 0.8]


def found(metric, *more, **named):
    """The value of a metric after both rows, which the last update returns too."""
    with sl.Graph().as_default(), sl.Session() as session:
        labels, predictions = sl.placeholder(sl.bool, [30]), sl.placeholder(sl.float32, [30])
        value, update = metric(labels, predictions, *more, **named)
        session.run(sl.local_variables_initializer())
        for y, p in zip(Y, P):
            last = session.run(update, {labels: y, predictions: p})
        np.testing.assert_allclose(session.run(value), last, rtol=1e-6)
        return last


def counts(limit):
    """(true positives, false positives, true negatives, false negatives)."""
    said = P > limit
    return [np.sum(c) for c in (Y & said, ~Y & said, ~Y & ~said, Y & ~said)]


def test_counts_and_ratios_at_thresholds():
    mt = sl.metrics
    tp, fp, tn, fn = np.array([counts(limit) for limit in LIMITS]).T
    np.testing.assert_array_equal(found(mt.true_positives_at_thresholds, LIMITS), tp)
    np.testing.assert_array_equal(found(mt.false_positives_at_thresholds, LIMITS), fp)
    np.testing.assert_array_equal(found(mt.true_negatives_at_thresholds, LIMITS), tn)
    np.testing.assert_array_equal(found(mt.false_negatives_at_thresholds, LIMITS), fn)
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    np.testing.assert_allclose(found(mt.precision_at_thresholds, LIMITS), precision, rtol=1e-5)
    np.testing.assert_allclose(found(mt.recall_at_thresholds, LIMITS), recall, rtol=1e-5)


def test_areas_under_curves():
    pairs = P[Y][:, None] - P[~Y][None]
    area = np.mean(pairs > 0)
    assert abs(found(sl.metrics.auc) - area) < 0.01
    assert abs(found(sl.metrics.auc, num_thresholds=1000) - area) < 0.003
    low, high = (
        found(sl.metrics.auc, curve="PR", summation_method=m) for m in ("minoring", "majoring")
    )
    for method in ("trapezoidal", "careful_interpolation"):
        assert low <= found(sl.metrics.auc, curve="PR", summation_method=method) <= high


def test_one_rate_where_the_other_is_given():
    rates = np.array([counts(limit) for limit in np.arange(1, 199) / 199])
    tp, fp, tn, fn = rates.T
    sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
    value = found(sl.metrics.sensitivity_at_specificity, 0.75)
    assert abs(value - sensitivity[np.argmin(abs(specificity - 0.75))]) < 1e-5
    value = found(sl.metrics.specificity_at_sensitivity, 0.75)
    distance = abs(sensitivity - 0.75)
    nearest = np.flatnonzero(distance == distance.min())[-1]
    assert abs(value - specificity[nearest]) < 1e-5
