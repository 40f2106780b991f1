# SPDX-License-Identifier: Apache-2.0
"""Metrics: what is measured over the batches of an epoch."""

import abc
import functools

from ... import dtypes, math, nn
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import (
    control_dependencies,
    get_default_graph,
    name_scope,
)
from ...ops import array as arrays
from ...ops.control_flow.grouping import group
from ...ops.state.kinds import VariableAggregation, VariableSynchronization
from ...strategies import contexts
from ..base import values
from ..base.making import document, wrapper_class
from ..base.serializing import deserialize_keras_object, find, serialize_keras_object
from ..engine.layer import Layer
from ..engine.measured import keep_metric
from ..engine.registry import aggregations
from . import losses


class Metric(Layer, metaclass=abc.ABCMeta):
    """A value over batches, kept in variables. Derived classes define update_state() and result().

    Args:
        name: Name of the metric, a str. None: the class's name.
        dtype: Dtype of the variables. None: the default one.
        **kwargs: As of Layer.

    Raises:
        TypeError: The class does not define these methods.
    """

    def __init__(self, name=None, dtype=None, **kwargs):
        super().__init__(name=name, dtype=dtype or "float32", **kwargs)
        self.stateful, self.built = True, True

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "update_state" in vars(cls):
            cls.update_state = _kept(cls.update_state)

    def __call__(self, *args, **kwargs):
        with name_scope(self._name):
            return self.after(self.update_state(*args, **kwargs))

    def after(self, update):
        """Returns the result after an update.

        Args:
            update: What update_state() returned.

        Returns:
            A tensor.
        """
        with control_dependencies([update]):
            return keep_metric(arrays.identity(self.result()), self)

    def add_weight(self, name, shape=(), aggregation=VariableAggregation.SUM,
                   synchronization=VariableSynchronization.ON_READ, initializer=None,
                   dtype=None):  # fmt: skip
        """Makes a variable of the metric.

        Args:
            name: Name of the variable, a str.
            shape: Shape of the variable, a list of ints.
            aggregation: How values that the replicas of a strategy assign become one: see
                VariableAggregation.
            synchronization: Accepted. It has no effect.
            initializer: A function of (shape, dtype), or its name. None: zeros.
            dtype: Dtype of the variable. None: that of the metric.

        Returns:
            A Variable.
        """
        del synchronization
        kinds = VariableSynchronization
        in_replica = contexts.has_strategy() and not contexts.in_cross_replica_context()
        return super().add_weight(
            name, shape, dtype, initializer or "zeros", trainable=False, aggregation=aggregation,
            synchronization=kinds.ON_READ if in_replica else kinds.AUTO, collections=[],
        )  # fmt: skip

    @abc.abstractmethod
    def update_state(self, *args, **kwargs):
        """Adds a batch.

        Args:
            *args: What is measured.
            **kwargs: Further arguments.

        Returns:
            An Operation, or a tensor that it makes.

        Raises:
            NotImplementedError: The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define update_state()")

    @abc.abstractmethod
    def result(self):
        """Computes the value.

        Returns:
            A tensor.

        Raises:
            NotImplementedError: The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define result()")

    def rename(self, name):
        """Gives the metric another name.

        Args:
            name: The name, a str.
        """
        self._name = name

    def reset_states(self):
        """Sets all variables to 0."""
        values.batch_set_value([(v, 0) for v in self.variables])

    def get_config(self):
        """Returns the arguments that make an equal metric.

        Returns:
            A dict.
        """
        return {"name": self._name, "dtype": self.dtype}


def _kept(update_state):
    """The method of a class, whose operations become updates of the metric."""

    @functools.wraps(update_state)
    def kept(self, *args, **kwargs):
        if vars(self).get("_is_updating"):  # by the method of a derived class
            return update_state(self, *args, **kwargs)
        graph = get_default_graph()
        known = len(graph.get_operations())
        vars(self)["_is_updating"] = True
        try:
            update = update_state(self, *args, **kwargs)
        finally:
            vars(self)["_is_updating"] = False
        if update is None:
            # A class of a program need not return what it does: all its assignments count.
            made = graph.get_operations()[known:]
            update = group(*(op for op in made if op.type.startswith("Assign")))
        self._updates.append((getattr(update, "op", update), False))
        return update

    return kept


class Mean(Metric):
    """The mean of all values.

    Args:
        name: Name of the metric, a str.
        dtype: Dtype of the variables. None: the default one.
    """

    def __init__(self, name="mean", dtype=None):
        super().__init__(name, dtype)
        self.total, self.count = self.add_weight("total"), self.add_weight("count")

    def update_state(self, values, sample_weight=None):
        """Adds values.

        Args:
            values: The values, a tensor.
            sample_weight: How much each counts, a tensor. None: all the same.

        Returns:
            The new count, a tensor.
        """
        values = arrays.cast(convert_to_tensor(values), self._dtype)
        count = None
        if sample_weight is not None:
            weights = arrays.cast(sample_weight, self._dtype)
            values, weights = _weighted(values, weights, math.reduce_mean)
            count = math.reduce_sum(weights)
            values = values * weights
        total = self.total.assign_add(math.reduce_sum(values))
        with control_dependencies([total]):
            if count is None:
                count = arrays.cast(arrays.size(values), self._dtype)
            return self.count.assign_add(count)

    def result(self):
        return math.divide_no_nan(self.total, self.count)


aggregations["mean"] = Mean


class Sum(Metric):
    """The sum of all values.

    Args:
        name: Name of the metric, a str.
        dtype: Dtype of the variable. None: the default one.
    """

    def __init__(self, name="sum", dtype=None):
        super().__init__(name, dtype)
        self.total = self.add_weight("total")

    def update_state(self, values, sample_weight=None):
        """Adds values.

        Args:
            values: The values, a tensor.
            sample_weight: How much each counts, a tensor. None: all the same.

        Returns:
            The new sum, a tensor.
        """
        values = arrays.cast(convert_to_tensor(values), self._dtype)
        if sample_weight is not None:
            weights = arrays.cast(sample_weight, self._dtype)
            values, weights = _weighted(values, weights, math.reduce_sum)
            values = values * weights
        return self.total.assign_add(math.reduce_sum(values))

    def result(self):
        return arrays.identity(self.total)


def _weighted(values, weights, reduce):
    """Values and weights of one shape. Weights may lack the last dimension, or have one of size 1
    more; where they still do not fit, `reduce` takes values together over the dimensions that
    weights lack."""
    rank, own = values.shape.ndims, weights.shape.ndims
    if own and own - rank == 1:
        weights = arrays.squeeze(weights, [-1])
    elif own and rank - own == 1:
        weights = arrays.expand_dims(weights, -1)
    own = weights.shape.ndims
    if own and not _fits(weights.shape, values.shape):
        values = reduce(values, list(range(own, rank)))
    return values, weights * arrays.ones_like(values)


def _fits(weights, values):
    """Whether weights of a shape can be repeated to that of the values, as far as is known."""
    if weights.ndims != values.ndims:
        return False
    pairs = zip(weights.as_list(), values.as_list())
    return all(None in (w, v) or w in (1, v) for w, v in pairs)


class FunctionMetric(Mean):
    """The mean of what a function of (y_true, y_pred) returns.

    Args:
        fn: The function.
        name: Name of the metric, a str.
        dtype: Dtype of the variables. None: the default one.
        **kwargs: Further arguments of the function.
    """

    def __init__(self, fn, name=None, dtype=None, **kwargs):
        super().__init__(name=name, dtype=dtype)
        self.fn, self.options = fn, kwargs

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch.

        Args:
            y_true: The right values, a tensor.
            y_pred: The predicted values, a tensor.
            sample_weight: How much each example counts, a tensor. None: all the same.

        Returns:
            The new count, a tensor.
        """
        y_true = arrays.cast(convert_to_tensor(y_true), self._dtype)
        y_pred = arrays.cast(convert_to_tensor(y_pred), self._dtype)
        if None not in (y_true.shape.ndims, y_pred.shape.ndims):
            more = y_pred.shape.ndims - y_true.shape.ndims
            if more == 1 and y_pred.shape.as_list()[-1] == 1:
                y_pred = arrays.squeeze(y_pred, [-1])
            elif more == -1 and y_true.shape.as_list()[-1] == 1:
                y_true = arrays.squeeze(y_true, [-1])
        return super().update_state(self.fn(y_true, y_pred, **self.options), sample_weight)

    def get_config(self):
        return {**super().get_config(), **self.options}


def binary_accuracy(y_true, y_pred, threshold=0.5):
    """Computes which share of labels 0 and 1 is right.

    Args:
        y_true: The labels, a tensor.
        y_pred: The predictions, a tensor of the same shape.
        threshold: Predictions above it are 1, a float.

    Returns:
        A tensor with a number for each example.
    """
    y_pred = arrays.cast(y_pred > threshold, y_pred.dtype)
    return math.reduce_mean(arrays.cast(math.equal(y_true, y_pred), dtypes.float32), -1)


def categorical_accuracy(y_true, y_pred):
    """Tests whether the largest prediction is of the right class.

    Args:
        y_true: The labels as one-hot vectors, a tensor.
        y_pred: The predictions, a tensor of the same shape.

    Returns:
        A tensor with 0 or 1 for each example.
    """
    same = math.equal(math.argmax(y_true, -1), math.argmax(y_pred, -1))
    return arrays.cast(same, dtypes.float32)


def sparse_categorical_accuracy(y_true, y_pred):
    """Tests whether the largest prediction is of the right class.

    Args:
        y_true: The labels as integers, a tensor.
        y_pred: The predictions, a tensor with a dimension of classes more.

    Returns:
        A tensor with 0 or 1 for each example.
    """
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    ranks = y_true.shape.ndims, y_pred.shape.ndims
    if None not in ranks and ranks[0] == ranks[1]:
        y_true = arrays.squeeze(y_true, [-1])
    found = arrays.cast(math.argmax(y_pred, -1), y_true.dtype)
    return arrays.cast(math.equal(y_true, found), dtypes.float32)


def top_k_categorical_accuracy(y_true, y_pred, k=5):
    """Tests whether the right class is among the k largest predictions.

    Args:
        y_true: The labels as one-hot vectors, a tensor.
        y_pred: The predictions, a tensor of the same shape.
        k: How many predictions count, an int.

    Returns:
        A tensor with 0 or 1 for each example.
    """
    return arrays.cast(nn.in_top_k(y_pred, math.argmax(y_true, -1), k), dtypes.float32)


def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5):
    """Tests whether the right class is among the k largest predictions.

    Args:
        y_true: The labels as integers, a tensor.
        y_pred: The predictions, a tensor with a dimension of classes more.
        k: How many predictions count, an int.

    Returns:
        A tensor with 0 or 1 for each example.
    """
    labels = arrays.cast(arrays.reshape(y_true, [-1]), dtypes.int32)
    return arrays.cast(nn.in_top_k(y_pred, labels, k), dtypes.float32)


def _accuracy(y_true, y_pred):
    return arrays.cast(math.equal(y_true, y_pred), dtypes.float32)


_WORDS = {
    **losses.WORDS, "threshold": "Predictions above it are 1, a float.",
    "k": "How many predictions count, an int.",
}  # fmt: skip


def _class(name, function, own_name, options_first=False, **options):
    """The class of a function of (y_true, y_pred); options become arguments."""
    words = {n: _WORDS[n] for n in options}
    words["name"] = "Name of the metric, a str."
    words["dtype"] = "Dtype of the variables. None: the default one."
    doc = document(f"The mean of {function.__name__.strip('_')}() over all examples.", words)
    names = {"name": own_name, "dtype": None}
    arguments = {**options, **names} if options_first else {**names, **options}
    return wrapper_class(FunctionMetric, __name__, name, function, arguments, doc)


Accuracy = _class("Accuracy", _accuracy, "accuracy")
BinaryAccuracy = _class("BinaryAccuracy", binary_accuracy, "binary_accuracy", threshold=0.5)
CategoricalAccuracy = _class("CategoricalAccuracy", categorical_accuracy, "categorical_accuracy")
SparseCategoricalAccuracy = _class(
    "SparseCategoricalAccuracy", sparse_categorical_accuracy, "sparse_categorical_accuracy"
)
TopKCategoricalAccuracy = _class(
    "TopKCategoricalAccuracy", top_k_categorical_accuracy, "top_k_categorical_accuracy",
    options_first=True, k=5,
)  # fmt: skip
SparseTopKCategoricalAccuracy = _class(
    "SparseTopKCategoricalAccuracy", sparse_top_k_categorical_accuracy,
    "sparse_top_k_categorical_accuracy", options_first=True, k=5,
)  # fmt: skip
MeanSquaredError = _class("MeanSquaredError", losses.mse, "mean_squared_error")
MeanAbsoluteError = _class("MeanAbsoluteError", losses.mae, "mean_absolute_error")
MeanAbsolutePercentageError = _class(
    "MeanAbsolutePercentageError", losses.mape, "mean_absolute_percentage_error"
)
MeanSquaredLogarithmicError = _class(
    "MeanSquaredLogarithmicError", losses.msle, "mean_squared_logarithmic_error"
)
Hinge = _class("Hinge", losses.hinge, "hinge")
SquaredHinge = _class("SquaredHinge", losses.squared_hinge, "squared_hinge")
CategoricalHinge = _class("CategoricalHinge", losses.categorical_hinge, "categorical_hinge")
LogCoshError = _class("LogCoshError", losses.logcosh, "logcosh")
Poisson = _class("Poisson", losses.poisson, "poisson")
KLDivergence = _class("KLDivergence", losses.kld, "kullback_leibler_divergence")
CosineSimilarity = _class(
    "CosineSimilarity", losses.cosine_similarity, "cosine_similarity", axis=-1
)
BinaryCrossentropy = _class(
    "BinaryCrossentropy", losses.binary_crossentropy, "binary_crossentropy", from_logits=False,
    label_smoothing=0,
)  # fmt: skip
CategoricalCrossentropy = _class(
    "CategoricalCrossentropy", losses.categorical_crossentropy, "categorical_crossentropy",
    from_logits=False, label_smoothing=0,
)  # fmt: skip
SparseCategoricalCrossentropy = _class(
    "SparseCategoricalCrossentropy", losses.sparse_categorical_crossentropy,
    "sparse_categorical_crossentropy", from_logits=False, axis=-1,
)  # fmt: skip


class RootMeanSquaredError(Mean):
    """The root of the mean of (y_true - y_pred)^2.

    Args:
        name: Name of the metric, a str.
        dtype: Dtype of the variables. None: the default one.
    """

    def __init__(self, name="root_mean_squared_error", dtype=None):
        super().__init__(name, dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch.

        Args:
            y_true: The right values, a tensor.
            y_pred: The predicted values, a tensor.
            sample_weight: How much each value counts, a tensor. None: all the same.

        Returns:
            The new count, a tensor.
        """
        y_true, y_pred = (arrays.cast(y, self._dtype) for y in (y_true, y_pred))
        return super().update_state(math.squared_difference(y_pred, y_true), sample_weight)

    def result(self):
        return math.sqrt(math.divide_no_nan(self.total, self.count))


def add_known(classes):
    """Lets names stand for classes of metrics of other files.

    Args:
        classes: A dict: name -> class.
    """
    _KNOWN.update(classes)


def serialize(metric):
    """Describes a metric.

    Args:
        metric: A metric or a function.

    Returns:
        A dict of "class_name" and "config"; of a function its name.
    """
    return serialize_keras_object(metric)


def deserialize(config, custom_objects=None):
    """Returns the metric that serialize() described.

    Args:
        config: A name or a dict.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A function or a Metric.

    Raises:
        ValueError: The name is not known.
    """
    return deserialize_keras_object(config, _KNOWN, custom_objects, "metric function")


def get(identifier):
    """Returns the metric that an argument stands for.

    Args:
        identifier: A name, a dict of serialize(), a function or a Metric.

    Returns:
        A function or a Metric.

    Raises:
        ValueError: It stands for nothing.
    """
    if identifier is None:
        raise ValueError(f"Could not interpret metric function identifier: {identifier}")
    return find(identifier, _KNOWN, "metric function")


_ACCURACIES = """
    binary_accuracy categorical_accuracy sparse_categorical_accuracy
    sparse_top_k_categorical_accuracy
    top_k_categorical_accuracy
""".split()
_SHARED = """
    KLD MAE MAPE MSE MSLE binary_crossentropy categorical_crossentropy cosine cosine_proximity hinge
    kld kullback_leibler_divergence mae mape mean_absolute_error mean_absolute_percentage_error
    mean_squared_error mean_squared_logarithmic_error mse msle poisson
    sparse_categorical_crossentropy squared_hinge
""".split()
globals().update({name: losses.FUNCTIONS[name] for name in _SHARED})
_CLASSES = [n for n, v in list(globals().items()) if isinstance(v, type) and issubclass(v, Metric)]
_KNOWN = {name: globals()[name] for name in [*_ACCURACIES, *_SHARED, *_CLASSES]}
_KNOWN["accuracy"] = _accuracy
_accuracy.__name__ = "accuracy"
_NOT_PUBLIC = ("FunctionMetric", "accuracy")
__all__ = sorted(n for n in [*_KNOWN, "deserialize", "get", "serialize"] if n not in _NOT_PUBLIC)
