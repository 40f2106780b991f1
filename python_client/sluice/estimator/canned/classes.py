# SPDX-License-Identifier: Apache-2.0
"""Heads of classifiers."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...keras.fitting.confusion import Precision, Recall
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import assert_greater_equal, assert_less
from ...ops.lookup.indexing import index_table_from_tensor, index_to_string_table_from_tensor
from ...ops.math.elementary import sigmoid
from ...ops.nn import losses
from ...ops.nn.activations import softmax
from ...ops.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from ...ops.sparse.sparse_tensor import SparseTensor, to_indicator
from ...ops.strings.strings import as_string
from ...training import metrics, threshold_metrics
from ..base.export_outputs import ClassificationOutput, RegressionOutput
from . import heads, measures
from .heads import AVERAGE, Head


class _Classes(Head):
    """What heads of one class out of several have in common."""

    def __init__(self, weight_column, label_vocabulary, loss_reduction, loss_fn, name):
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
            raise ValueError(f"label_vocabulary should be a list, not {label_vocabulary!r}")
        self._vocabulary = label_vocabulary

    def _class_names(self, count, logits):
        names = self._vocabulary or as_string(arrays.range(count))
        return _for_each(names, logits)

    def _named(self, class_ids):
        if self._vocabulary:
            table = index_to_string_table_from_tensor(
                list(self._vocabulary), name="class_string_lookup"
            )
            return table.lookup(class_ids)
        return as_string(class_ids, name="str_classes")

    def _ids_of(self, labels, count, dtype_wanted, kind):
        if self._vocabulary is None:
            if not kind(labels.dtype):
                raise ValueError(
                    f"Labels dtype should be {dtype_wanted}. Instead got {labels.dtype!r}."
                )
            ids = labels
        else:
            if labels.dtype != dtypes.string:
                raise ValueError(
                    "Labels dtype should be string if there is a vocabulary. Instead got"
                    f" {labels.dtype!r}"
                )
            table = index_table_from_tensor(list(self._vocabulary), name="class_id_lookup")
            ids = table.lookup(labels)
        return ids

    def _classification(self, predictions):
        return ClassificationOutput(
            predictions["probabilities"],
            self._class_names(predictions["all_classes"].shape.as_list()[-1],
                              predictions["probabilities"]),
        )  # fmt: skip


def _for_each(row, logits):
    """A vector once for each element of the batch."""
    row = convert_to_tensor(row)
    batch = arrays.shape(logits)[0]
    return arrays.tile(arrays.expand_dims(row, 0), [batch, 1])


def _within(labels, count):
    with name_scope(None, "assert_range"):
        limit = arrays.cast(count, labels.dtype)
        checks = [
            assert_less(labels, limit, message=f"Labels must be <= {count - 1}"),
            assert_greater_equal(
                labels, arrays.cast(0, labels.dtype), message="Labels must be >= 0"
            ),
        ]
        with control_dependencies(checks):
            return arrays.identity(labels)


class MultiClassHead(_Classes):
    """The head of a classifier with more than two classes: softmax cross-entropy.

    Predictions are logits, probabilities, class_ids, classes, all_class_ids and all_classes.

    Args:
        n_classes: How many classes, an int above 2.
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        label_vocabulary: The classes, a list of str, if labels are strings. None: labels are
            numbers below n_classes.
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        loss_fn: A function of labels and logits that returns the loss of each example. None: the
            cross-entropy.
        name: Name of the head, a str. None: none.

    Raises:
        ValueError: An argument is not possible.
    """

    def __init__(self, n_classes, weight_column=None, label_vocabulary=None,
                 loss_reduction=AVERAGE, loss_fn=None, name=None):  # fmt: skip
        if n_classes is None or n_classes <= 2:
            raise ValueError(f"n_classes must be > 2: {n_classes}.")
        super().__init__(weight_column, label_vocabulary, loss_reduction, loss_fn, name)
        self._count = n_classes

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits, an int."""
        return self._count

    def _predictions(self, logits):
        with name_scope(None, "predictions"):
            all_ids = _for_each(arrays.range(self._count), logits)
            all_classes = self._class_names(self._count, logits)
            ids = arrays.expand_dims(math.argmax(logits, axis=-1, name="class_ids"), -1)
            return {
                "logits": logits,
                "probabilities": softmax(logits, name="probabilities"),
                "class_ids": ids,
                "classes": self._named(ids),
                "all_class_ids": all_ids,
                "all_classes": all_classes,
            }

    def _label_ids(self, labels, logits):
        ids = self._ids_of(labels, self._count, "integer", lambda t: t.is_integer)
        return _within(ids, self._count)

    def _unreduced(self, labels, logits):
        found = losses.sparse_softmax_cross_entropy(labels, logits, reduction=losses.Reduction.NONE)
        return arrays.expand_dims(found, -1)

    def _metrics(self, labels, predictions, weights, unreduced):
        return {
            "average_loss": metrics.mean(unreduced, weights, name="average_loss"),
            "accuracy": metrics.accuracy(
                labels, predictions["class_ids"], weights, name="accuracy"
            ),
        }

    def _measures(self):
        return [measures.average_loss(), measures.accuracy()]

    def _exports(self, predictions):
        output = self._classification(predictions)
        return {heads.SERVING: output, heads.CLASSIFY: output}


class BinaryClassHead(_Classes):
    """The head of a classifier with two classes: sigmoid cross-entropy.

    Predictions are logits, logistic, probabilities, class_ids, classes, all_class_ids and
    all_classes.

    Args:
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        thresholds: Above which a probability is a true prediction: evaluations have accuracy,
            precision and recall there. Floats within (0, 1). None: none.
        label_vocabulary: The two classes, a list of str, if labels are strings. None: labels are
            numbers within [0, 1].
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        loss_fn: A function of labels and logits that returns the loss of each example. None: the
            cross-entropy.
        name: Name of the head, a str. None: none.

    Raises:
        ValueError: An argument is not possible.
    """

    def __init__(self, weight_column=None, thresholds=None, label_vocabulary=None,
                 loss_reduction=AVERAGE, loss_fn=None, name=None):  # fmt: skip
        super().__init__(weight_column, label_vocabulary, loss_reduction, loss_fn, name)
        self._thresholds = tuple(thresholds or ())
        for threshold in self._thresholds:
            if not 0 < threshold < 1:
                raise ValueError(f"thresholds not in (0, 1): {self._thresholds}.")

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits, an int."""
        return 1

    def _predictions(self, logits):
        with name_scope(None, "predictions"):
            logistic = sigmoid(logits, name="logistic")
            both = arrays.concat([arrays.zeros_like(logits), logits], -1, name="two_class_logits")
            probabilities = softmax(both, name="probabilities")
            ids = arrays.expand_dims(math.argmax(both, axis=-1, name="class_ids"), -1)
            return {
                "logits": logits,
                "logistic": logistic,
                "probabilities": probabilities,
                "class_ids": ids,
                "all_class_ids": _for_each(arrays.range(2), logits),
                "all_classes": self._class_names(2, logits),
                "classes": self._named(ids),
            }

    def _label_ids(self, labels, logits):
        ids = self._ids_of(labels, 2, "number", lambda t: t != dtypes.string)
        return _within(arrays.cast(ids, dtypes.float32, name="labels"), 2)

    def _unreduced(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _metrics(self, labels, predictions, weights, unreduced):
        ids, values = predictions["class_ids"], predictions["logistic"]
        label_mean = heads.mean_of(labels, weights, "label/mean")
        found = {
            "average_loss": metrics.mean(unreduced, weights, name="average_loss"),
            "accuracy": metrics.accuracy(labels, ids, weights, name="accuracy"),
            "precision": metrics.precision(labels, ids, weights, name="precision"),
            "recall": metrics.recall(labels, ids, weights, name="recall"),
            "prediction/mean": heads.mean_of(values, weights, "prediction/mean"),
            "label/mean": label_mean,
            "accuracy_baseline": tuple(math.maximum(v, 1 - v) for v in label_mean),
            "auc": heads.area_of(labels, values, weights, "auc"),
            "auc_precision_recall": heads.area_of(
                labels, values, weights, "auc_precision_recall", "PR"
            ),
        }
        found.update(_at_thresholds(self._thresholds, labels, values, weights))
        return found

    def _measures(self):
        return [
            measures.average_loss(),
            measures.accuracy(),
            measures.of_class_ids("precision", Precision),
            measures.of_class_ids("recall", Recall),
            measures.mean_prediction("logistic"),
            measures.mean_of_labels(),
            measures.accuracy_baseline(),
            *measures.areas("logistic"),
            *measures.at_thresholds(self._thresholds, "logistic"),
        ]

    def _exports(self, predictions):
        output = self._classification(predictions)
        return {
            heads.SERVING: output,
            heads.CLASSIFY: output,
            heads.REGRESS: RegressionOutput(predictions["logistic"]),
        }


class MultiLabelHead(Head):
    """The head of a classifier of which any number of classes are true: sigmoid cross-entropy.

    Labels are zeros and ones, an integer tensor [batch, ..., n_classes], or a SparseTensor
    [batch, ..., any] of the classes that are true. Predictions are logits and probabilities.

    Args:
        n_classes: How many classes, an int above 1.
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        thresholds: Above which a probability is a true prediction: evaluations have accuracy,
            precision and recall there. Floats within (0, 1). None: none.
        label_vocabulary: The classes, a list of str, if labels are strings. None: labels are
            numbers below n_classes.
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        loss_fn: A function of labels and logits that returns the loss of each example. None: the
            cross-entropy.
        classes_for_class_based_metrics: The classes of which evaluations have metrics, an iterable
            of names or numbers. None: none.
        name: Name of the head, a str. None: none.

    Raises:
        ValueError: An argument is not possible.
    """

    def __init__(self, n_classes, weight_column=None, thresholds=None, label_vocabulary=None,
                 loss_reduction=AVERAGE, loss_fn=None,
                 classes_for_class_based_metrics=None, name=None):  # fmt: skip
        if n_classes is None or n_classes < 2:
            raise ValueError(f"n_classes must be > 1 for multi-label classification: {n_classes}")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._count, self._thresholds = n_classes, tuple(thresholds or ())
        self._vocabulary = label_vocabulary
        for threshold in self._thresholds:
            if not 0 < threshold < 1:
                raise ValueError(f"thresholds not in (0, 1): {self._thresholds}.")
        self._labels_dimension = n_classes
        if label_vocabulary is not None:
            if not isinstance(label_vocabulary, (list, tuple)):
                raise ValueError(f"label_vocabulary must be a list, not {label_vocabulary!r}")
            if len(label_vocabulary) != n_classes:
                raise ValueError(
                    f"Length of label_vocabulary must be n_classes ({n_classes}), it is"
                    f" {len(label_vocabulary)}."
                )
        self._shown_classes = [self._number_of(c) for c in classes_for_class_based_metrics or ()]

    def _number_of(self, named):
        """The number of a class. ValueError: there is none."""
        if isinstance(named, str):
            if self._vocabulary is None or named not in self._vocabulary:
                raise ValueError(f"label_vocabulary must have the class {named}")
            return self._vocabulary.index(named)
        if not 0 <= named < self._count:
            raise ValueError(
                f"All classes_for_class_based_metrics must be in [0, {self._count}), not {named}"
            )
        return named

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits, an int."""
        return self._count

    def _predictions(self, logits):
        with name_scope(None, "predictions"):
            return {"logits": logits, "probabilities": sigmoid(logits, name="probabilities")}

    def _dense_labels(self, labels):
        if not isinstance(labels, SparseTensor):
            return labels
        ids = labels.values
        if ids.dtype == dtypes.string:
            table = index_table_from_tensor(list(self._vocabulary or ()), name="class_id_lookup")
            ids = table.lookup(ids)
        elif not ids.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {ids.dtype}.")
        else:
            ids = _within(ids, self._count)
        ids = SparseTensor(labels.indices, ids, labels.dense_shape)
        return arrays.cast(to_indicator(ids, self._count), dtypes.int64)

    def _label_ids(self, labels, logits):
        return _within(arrays.cast(labels, dtypes.float32), 2)

    def _unreduced(self, labels, logits):
        found = losses.sigmoid_cross_entropy(labels, logits, reduction=losses.Reduction.NONE)
        return math.reduce_mean(found, axis=-1, keepdims=True)

    def _metrics(self, labels, predictions, weights, unreduced):
        values = predictions["probabilities"]
        found = {
            "average_loss": metrics.mean(unreduced, weights, name="average_loss"),
            "auc": heads.area_of(labels, values, weights, "auc"),
            "auc_precision_recall": heads.area_of(
                labels, values, weights, "auc_precision_recall", "PR"
            ),
        }
        found.update(_at_thresholds(self._thresholds, labels, values, weights))
        return found

    def _measures(self):
        found = [
            measures.average_loss(),
            *measures.areas("probabilities"),
            *measures.at_thresholds(self._thresholds, "probabilities"),
        ]
        for number in self._shown_classes:
            name = self._vocabulary[number] if self._vocabulary else f"class{number}"
            found += measures.of_one_class(number, f"/{name}", "probabilities")
        return found

    def _exports(self, predictions):
        names = self._vocabulary or as_string(arrays.range(self._count))
        values = predictions["probabilities"]
        output = ClassificationOutput(values, _for_each(names, values))
        return {heads.SERVING: output, heads.CLASSIFY: output}


def _at_thresholds(thresholds, labels, values, weights):
    """The metrics of probabilities that count as 1 from a threshold on."""
    found = {}
    for threshold in thresholds:
        key = f"accuracy/positive_threshold_{threshold:g}"
        hits = arrays.cast(math.greater_equal(values, threshold), dtypes.float32)
        found[key] = metrics.accuracy(labels, hits, weights, name=key)
        for kind in ("precision", "recall"):
            key = f"{kind}/positive_threshold_{threshold:g}"
            metric = getattr(threshold_metrics, f"{kind}_at_thresholds")
            found[key] = heads.at_threshold(metric, labels, values, weights, threshold, key)
    return found


def head_of_classes(n_classes, weight_column, label_vocabulary, loss_reduction):
    """The head of a ready-made classifier with two classes or more."""
    if n_classes == 2:
        head = BinaryClassHead(
            weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction
        )
    else:
        head = MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)
    return heads.ready_made(head)
