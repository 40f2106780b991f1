# SPDX-License-Identifier: Apache-2.0
"""What heads measure in evaluations, as metrics of Keras."""

from collections import namedtuple

from ...keras.fitting.confusion import AUC, Precision, Recall
from ...keras.fitting.metrics import Accuracy, BinaryAccuracy, Mean
from ...ops import math

# One metric: its name without that of the head; a function of a name that makes it; a function of a
# Batch that returns what update_state() takes before the weights.
Measure = namedtuple("Measure", "key make seen")

# The labels as the loss takes them, predictions by name, weights, and the loss of each example.
Batch = namedtuple("Batch", "labels predictions weights unreduced")


def average_loss():
    return Measure("average_loss", Mean, lambda batch: (batch.unreduced,))


def mean_of_labels():
    return Measure("label/mean", Mean, lambda batch: (batch.labels,))


def mean_prediction(of):
    return Measure("prediction/mean", Mean, lambda batch: (batch.predictions[of],))


def of_class_ids(key, metric):
    """A metric of the labels and the predicted classes."""
    return Measure(key, metric, lambda batch: (batch.labels, batch.predictions["class_ids"]))


def accuracy():
    return of_class_ids("accuracy", Accuracy)


def of_probabilities(key, metric, of, part=lambda values: values):
    """A metric of the labels and the probabilities, or of a part of both."""
    return Measure(key, metric, lambda batch: (part(batch.labels), part(batch.predictions[of])))


def areas(of, suffix="", part=lambda values: values):
    """The areas under the curves."""
    curves = {"auc": AUC, "auc_precision_recall": _area_of_precision}
    return [of_probabilities(key + suffix, make, of, part) for key, make in curves.items()]


def _area_of_precision(name):
    return AUC(curve="PR", name=name)


def at_thresholds(thresholds, of):
    """The metrics of probabilities that count as 1 above a threshold."""
    found = []
    for threshold in thresholds:
        for key, metric, argument in (
            ("accuracy", BinaryAccuracy, "threshold"),
            ("precision", Precision, "thresholds"),
            ("recall", Recall, "thresholds"),
        ):
            make = _with(metric, argument, threshold)
            found.append(of_probabilities(f"{key}/positive_threshold_{threshold:g}", make, of))
    return found


def _with(metric, argument, value):
    return lambda name: metric(name=name, **{argument: value})


def of_one_class(number, label, of):
    """The metrics of one of several classes, each of which can be true."""

    def part(values):
        return values[..., number : number + 1]

    mean = Measure(f"probability_mean{label}", Mean, lambda batch: (part(batch.predictions[of]),))
    return [mean, *areas(of, label, part)]


class AccuracyBaseline(Mean):
    """The best accuracy of a prediction that is always the same, of labels 0 and 1."""

    def result(self):
        mean = super().result()
        return math.maximum(mean, 1 - mean)


def accuracy_baseline():
    return Measure("accuracy_baseline", AccuracyBaseline, lambda batch: (batch.labels,))
