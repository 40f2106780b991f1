# SPDX-License-Identifier: Apache-2.0
"""Metrics of right and wrong decisions, at one threshold of the prediction or at many."""

import numpy as np

from ... import dtypes, linalg, math, nn
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...ops import array as arrays
from ...ops.control_flow.grouping import group
from ...ops.debug.assertions import assert_greater_equal, assert_less_equal
from ..base import settings
from ..base.state import get_session
from ..base.values import batch_set_value, set_value
from .metrics import Mean, Metric, add_known

_COUNTS = ("true_positives", "true_negatives", "false_positives", "false_negatives")


def _thresholds(given, default=0.5):
    found = [default] if given is None else list(given) if isinstance(given, (list, tuple)) else [
        given
    ]  # fmt: skip
    if any(t is None or not 0 <= t <= 1 for t in found):
        raise ValueError(f"Threshold values must be in [0, 1]. Invalid values: {found}")
    return [float(t) for t in found]


class _Counting(Metric):
    """Counts decisions in variables with an element for each threshold."""

    counted = ()  # names of the variables, of _COUNTS

    def _make(self, thresholds, names=None):
        self.thresholds_used = thresholds
        self._counts = {
            what: self.add_weight(name, [len(thresholds)])
            for what, name in zip(self.counted, names or self.counted)
        }
        vars(self).update(zip(names or self.counted, self._counts.values()))

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch.

        Args:
            y_true: The labels 0 and 1, a tensor.
            y_pred: The predictions from 0 to 1, a tensor of the same shape.
            sample_weight: How much each label counts, a tensor. None: all the same.

        Returns:
            An Operation.
        """
        y_pred = arrays.cast(convert_to_tensor(y_pred), self._dtype)
        limits = (
            assert_greater_equal(y_pred, 0.0, message="predictions must be >= 0"),
            assert_less_equal(y_pred, 1.0, message="predictions must be <= 1"),
        )  # fmt: skip
        y_true, y_pred, weights = self._flat(y_true, y_pred, sample_weight, limits)
        limits = arrays.expand_dims(convert_to_tensor(self.thresholds_used, self._dtype), 1)
        said = math.greater(arrays.expand_dims(y_pred, 0), limits)
        true = arrays.expand_dims(arrays.cast(y_true, dtypes.bool_), 0)
        parts = {
            "true_positives": (true, said), "false_negatives": (true, math.logical_not(said)),
            "false_positives": (math.logical_not(true), said),
            "true_negatives": (math.logical_not(true), math.logical_not(said)),
        }  # fmt: skip
        updates = []
        for what, variable in self._counts.items():
            found = arrays.cast(math.logical_and(*parts[what]), self._dtype)
            found = found if weights is None else found * weights
            updates.append(variable.assign_add(math.reduce_sum(found, 1)))
        return group(*updates)

    def _flat(self, y_true, y_pred, weights, limits):
        y_true = arrays.cast(convert_to_tensor(y_true), self._dtype)
        y_pred = arrays.identity(y_pred)
        top_k, class_id = getattr(self, "top_k", None), getattr(self, "class_id", None)
        if top_k is not None:
            y_pred = _only_best(y_pred, top_k)
        if class_id is not None:
            y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
        if weights is not None:
            weights = arrays.cast(convert_to_tensor(weights), self._dtype)
            # As in TensorFlow 1.15, only weights of a lower rank wait for the limits.
            with control_dependencies(limits):
                for _ in range(y_pred.shape.ndims - weights.shape.ndims):
                    weights = arrays.expand_dims(weights, -1)
            weights = arrays.reshape(weights * arrays.ones_like(y_pred), [1, -1])
        return arrays.reshape(y_true, [-1]), arrays.reshape(y_pred, [-1]), weights

    def _value(self, what):
        return arrays.identity(self._counts[what])

    def reset_states(self):
        """Sets all counts to 0."""
        size = len(self.thresholds_used)
        batch_set_value([(v, [0.0] * size) for v in self.variables])

    def _shown(self, value):
        return value[0] if len(self.thresholds_used) == 1 else value


def _only_best(y_pred, k):
    """The k largest predictions; the others become negative infinity."""
    _, places = nn.top_k(y_pred, k, sorted=False)
    best = math.reduce_sum(arrays.one_hot(places, y_pred.shape.as_list()[-1]), -2)
    return y_pred * best + -1e10 * (1 - best)


def _count(name, what, own_name, summary):
    """The class that counts one kind of decisions."""

    class Count(_Counting):
        counted = (what,)

        def __init__(self, thresholds=None, name=None, dtype=None):
            super().__init__(name or own_name, dtype)
            self.init_thresholds = thresholds
            self.thresholds = _thresholds(thresholds)
            self._make(self.thresholds, ["accumulator"])

        def result(self):
            """Returns the counts.

            Returns:
                A tensor.
            """
            return self._shown(self._value(what))

        def get_config(self):
            return {**super().get_config(), "thresholds": self.init_thresholds}

    Count.__name__ = Count.__qualname__ = name
    Count.__doc__ = f"""{summary}

    Args:
        thresholds: Predictions above it are decisions for 1: a float or a list. None: 0.5.
        name: Name of the metric, a str. None: {own_name}.
        dtype: Dtype of the variables. None: the default one.
    """
    return Count


FalsePositives = _count("FalsePositives", "false_positives", "false_positives",
                        "How many zeros were taken for ones.")  # fmt: skip
FalseNegatives = _count("FalseNegatives", "false_negatives", "false_negatives",
                        "How many ones were taken for zeros.")  # fmt: skip
TruePositives = _count("TruePositives", "true_positives", "true_positives",
                       "How many ones were found.")  # fmt: skip
TrueNegatives = _count("TrueNegatives", "true_negatives", "true_negatives",
                       "How many zeros were found.")  # fmt: skip


class _Ratio(_Counting):
    def __init__(self, thresholds=None, top_k=None, class_id=None, name=None, dtype=None):
        super().__init__(name, dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        default = 0.5 if top_k is None else -1e9
        if thresholds is None:
            self.thresholds = [default]
        else:
            self.thresholds = _thresholds(thresholds)
        self._make(self.thresholds)

    def result(self):
        true, wrong = (self._value(what) for what in self.counted)
        return self._shown(math.divide_no_nan(true, true + wrong))

    def get_config(self):
        return {**super().get_config(), "thresholds": self.init_thresholds, "top_k": self.top_k,
                "class_id": self.class_id}  # fmt: skip


class Precision(_Ratio):
    """Which share of the decisions for 1 is right.

    Args:
        thresholds: Predictions above it are decisions for 1: a float or a list. None: 0.5.
        top_k: Only the k largest predictions are decisions for 1, an int. None: the thresholds say
            it.
        class_id: The class that counts, an int. None: all.
        name: Name of the metric, a str. None: precision.
        dtype: Dtype of the variables. None: the default one.
    """

    counted = ("true_positives", "false_positives")


class Recall(_Ratio):
    """Which share of the ones is found.

    Args:
        thresholds: Predictions above it are decisions for 1: a float or a list. None: 0.5.
        top_k: Only the k largest predictions are decisions for 1, an int. None: the thresholds say
            it.
        class_id: The class that counts, an int. None: all.
        name: Name of the metric, a str. None: recall.
        dtype: Dtype of the variables. None: the default one.
    """

    counted = ("true_positives", "false_negatives")


class _AtOther(_Counting):
    counted = _COUNTS

    def __init__(self, value, num_thresholds, name, dtype):
        super().__init__(name, dtype)
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.num_thresholds, self._at = num_thresholds, value
        inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.thresholds = [0.5] if num_thresholds == 1 else [0.0, *inner, 1.0]
        self._make(self.thresholds)

    def _rates(self):
        tp, tn, fp, fn = (self._value(what) for what in _COUNTS)
        return math.divide_no_nan(tp, tp + fn), math.divide_no_nan(tn, tn + fp)

    def _best(self, given, wanted):
        return wanted[arrays.cast(math.argmin(math.abs(given - self._at), 0), dtypes.int32)]


class SensitivityAtSpecificity(_AtOther):
    """The share of the ones that is found, at a given share of the zeros that is found.

    Args:
        specificity: The share of the zeros, a float.
        num_thresholds: How many thresholds are tried, an int.
        name: Name of the metric, a str. None: the class's name.
        dtype: Dtype of the variables. None: the default one.
    """

    def __init__(self, specificity, num_thresholds=200, name=None, dtype=None):
        if not 0 <= specificity <= 1:
            raise ValueError("`specificity` must be in the range [0, 1].")
        self.specificity = specificity
        super().__init__(specificity, num_thresholds, name, dtype)

    def result(self):
        sensitivities, specificities = self._rates()
        return self._best(specificities, sensitivities)

    def get_config(self):
        return {**super().get_config(), "num_thresholds": self.num_thresholds,
                "specificity": self.specificity}  # fmt: skip


class SpecificityAtSensitivity(_AtOther):
    """The share of the zeros that is found, at a given share of the ones that is found.

    Args:
        sensitivity: The share of the ones, a float.
        num_thresholds: How many thresholds are tried, an int.
        name: Name of the metric, a str. None: the class's name.
        dtype: Dtype of the variables. None: the default one.
    """

    def __init__(self, sensitivity, num_thresholds=200, name=None, dtype=None):
        if not 0 <= sensitivity <= 1:
            raise ValueError("`sensitivity` must be in the range [0, 1].")
        self.sensitivity = sensitivity
        super().__init__(sensitivity, num_thresholds, name, dtype)

    def result(self):
        sensitivities, specificities = self._rates()
        return self._best(sensitivities, specificities)

    def get_config(self):
        return {**super().get_config(), "num_thresholds": self.num_thresholds,
                "sensitivity": self.sensitivity}  # fmt: skip


class AUC(_Counting):
    """The area under a curve, as a sum over thresholds.

    Args:
        num_thresholds: How many thresholds there are, an int above 1.
        curve: "ROC": sensitivity over false positives, or "PR": precision over recall (Davis and
            Goadrich, 2006).
        summation_method: "interpolation", "minoring" or "majoring": the height between thresholds.
        name: Name of the metric, a str. None: auc.
        dtype: Dtype of the variables. None: the default one.
        thresholds: The thresholds between 0 and 1, a list. None: evenly spaced.
    """

    counted = _COUNTS

    def __init__(self, num_thresholds=200, curve="ROC", summation_method="interpolation",
                 name=None, dtype=None, thresholds=None):  # fmt: skip
        if curve not in ("ROC", "PR"):
            raise ValueError(f'Invalid AUC curve value "{curve}".')
        if summation_method not in ("interpolation", "minoring", "majoring"):
            raise ValueError(f'Invalid AUC summation method value "{summation_method}".')
        super().__init__(name, dtype)
        self.curve, self.summation_method = curve, summation_method
        if thresholds is not None:
            inner = sorted(thresholds)
        elif num_thresholds <= 1:
            raise ValueError("`num_thresholds` must be > 1.")
        else:
            inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.num_thresholds, edge = len(inner) + 2, settings.epsilon()
        self.thresholds = [-edge, *inner, 1.0 + edge]
        self._make(self.thresholds)

    def result(self):
        tp, tn, fp, fn = (self._value(what) for what in _COUNTS)
        if self.curve == "PR" and self.summation_method == "interpolation":
            return _area_of_precision(tp, fp, fn)
        recall = math.divide_no_nan(tp, tp + fn)
        x, y = math.divide_no_nan(fp, fp + tn), recall
        if self.curve == "PR":
            x, y = recall, math.divide_no_nan(tp, tp + fp)
        if self.summation_method == "interpolation":
            heights = (y[:-1] + y[1:]) / 2.0
        else:
            choose = math.minimum if self.summation_method == "minoring" else math.maximum
            heights = choose(y[:-1], y[1:])
        return math.reduce_sum((x[:-1] - x[1:]) * heights)

    def get_config(self):
        config = {"num_thresholds": self.num_thresholds, "curve": self.curve,
                  "summation_method": self.summation_method,
                  "thresholds": self.thresholds[1:-1]}  # fmt: skip
        return {**super().get_config(), **config}


def _area_of_precision(tp, fp, fn):
    """The area under precision over recall, where precision is interpolated between thresholds by
    a straight line of true positives over positives."""
    positives = tp + fp
    more_true, more = tp[:-1] - tp[1:], positives[:-1] - positives[1:]
    slope = math.divide_no_nan(more_true, math.maximum(more, 0.0))
    start = tp[1:] - slope * positives[1:]
    both = math.logical_and(positives[:-1] > 0.0, positives[1:] > 0.0)
    ratio = math.divide_no_nan(positives[:-1], math.maximum(positives[1:], 0.0))
    ratio = arrays.where(both, ratio, arrays.ones_like(positives[1:]))
    area = slope * (more_true + start * math.log(ratio))
    return math.reduce_sum(math.divide_no_nan(area, math.maximum(tp[1:] + fn[1:], 0.0)))


class MeanIoU(Metric):
    """The mean over classes of the intersection over the union.

    Args:
        num_classes: How many classes there are, an int.
        name: Name of the metric, a str. None: the class's name.
        dtype: Accepted. Counts are float64.
    """

    def __init__(self, num_classes, name=None, dtype=None):
        super().__init__(name, dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight(
            "total_confusion_matrix", [num_classes, num_classes], dtype="float64"
        )

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch.

        Args:
            y_true: The labels as integers, a tensor.
            y_pred: The predicted classes, a tensor.
            sample_weight: How much each label counts, a tensor. None: all the same.

        Returns:
            An Operation.
        """
        true, said = (
            arrays.reshape(arrays.cast(convert_to_tensor(y), dtypes.int64), [-1])
            for y in (y_true, y_pred)
        )
        weights = None if sample_weight is None else arrays.reshape(
            arrays.cast(convert_to_tensor(sample_weight), dtypes.float64), [-1]
        )  # fmt: skip
        found = math.confusion_matrix(
            true, said, self.num_classes, dtype=dtypes.float64, weights=weights
        )
        return self.total_cm.assign_add(found)

    def result(self):
        rows, columns = (math.reduce_sum(self.total_cm, axis) for axis in (0, 1))
        right = linalg.diag_part(arrays.identity(self.total_cm))
        union = rows + columns - right
        seen = math.reduce_sum(arrays.cast(math.not_equal(union, 0), dtypes.float64))
        total = math.reduce_sum(math.divide_no_nan(right, union))
        return arrays.cast(math.divide_no_nan(total, seen), self._dtype)

    def reset_states(self):
        """Sets all counts to 0."""
        zeros = [[0.0] * self.num_classes for _ in range(self.num_classes)]
        set_value(self.total_cm, zeros)

    def get_config(self):
        return {**super().get_config(), "num_classes": self.num_classes}


class MeanRelativeError(Mean):
    """The mean of |y_true - y_pred| / normalizer.

    Args:
        normalizer: What differences are divided by, a tensor or an array.
        name: Name of the metric, a str. None: the class's name.
        dtype: Dtype of the variables. None: the default one.
    """

    def __init__(self, normalizer, name=None, dtype=None):
        super().__init__(name, dtype)
        self.normalizer = arrays.cast(convert_to_tensor(normalizer), self._dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch.

        Args:
            y_true: The right values, a tensor.
            y_pred: The predicted values, a tensor.
            sample_weight: How much each value counts, a tensor. None: all the same.

        Returns:
            An Operation.
        """
        true, said = (arrays.cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred))
        return super().update_state(
            math.divide_no_nan(math.abs(true - said), self.normalizer), sample_weight
        )

    def get_config(self):
        return {**super().get_config(), "normalizer": get_session().run(self.normalizer)}


class MeanTensor(Metric):
    """The mean of each element of tensors that have one shape.

    Args:
        name: Name of the metric, a str.
        dtype: Dtype of the variables. None: the default one.
    """

    def __init__(self, name="mean_tensor", dtype=None):
        super().__init__(name, dtype)
        self.total = self.count = None

    def update_state(self, values, sample_weight=None):
        """Adds a tensor.

        Args:
            values: The tensor, of known shape.
            sample_weight: How much each element counts, a tensor. None: all the same.

        Returns:
            An Operation.
        """
        values = arrays.cast(convert_to_tensor(values), self._dtype)
        if self.total is None:
            shape = values.shape.as_list()
            self.total = self.add_weight("total", shape)
            self.count = self.add_weight("count", shape)
            get_session()  # it gives them their first values
        elif not self.total.shape.is_compatible_with(values.shape):
            raise ValueError(
                "MeanTensor input values must always have the same shape. Expected shape (set "
                f"during the first call): {self.total.shape}. Got: {values.shape}"
            )
        counts = arrays.ones_like(values)
        if sample_weight is not None:
            weights = arrays.cast(convert_to_tensor(sample_weight), self._dtype)
            for _ in range(values.shape.ndims - weights.shape.ndims):
                weights = arrays.expand_dims(weights, -1)
            counts, values = counts * weights, values * weights
        return group(self.total.assign_add(values), self.count.assign_add(counts))

    def result(self):
        if self.total is None:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call the MeanTensor instance or "
                "use `.update_state(value)` before retrieving the result."
            )
        return math.divide_no_nan(arrays.identity(self.total), arrays.identity(self.count))

    def reset_states(self):
        """Sets all elements to 0."""
        batch_set_value([(v, np.zeros(v.shape.as_list())) for v in self.variables])


__all__ = [
    "AUC", "FalseNegatives", "FalsePositives", "MeanIoU", "MeanRelativeError", "MeanTensor",
    "Precision", "Recall", "SensitivityAtSpecificity", "SpecificityAtSensitivity", "TrueNegatives",
    "TruePositives",
]  # fmt: skip
add_known({name: globals()[name] for name in __all__})
