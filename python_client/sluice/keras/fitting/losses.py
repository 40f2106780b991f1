# SPDX-License-Identifier: Apache-2.0
"""Losses: functions of the right and the predicted values, with one loss for each example; and the
classes that reduce these to one number."""

import numpy as np

from ... import math, nn
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.seeds import count_more_nodes
from ...graph.state import state_of
from ...ops import array as arrays
from ...ops.math.rounding import clip_by_value
from ...ops.nn.losses import Reduction as _Sums
from ...ops.nn.losses import compute_weighted_loss
from ...strategies import contexts
from ..base import settings
from ..base.crossentropy import (
    binary_crossentropy as _binary,
)
from ..base.crossentropy import (
    categorical_crossentropy as _categorical,
)
from ..base.crossentropy import (
    sparse_categorical_crossentropy as _sparse,
)
from ..base.making import document, wrapper_class
from ..base.serializing import deserialize_keras_object, find, serialize_keras_object


class Reduction:
    """How the losses of the examples are combined: AUTO is SUM_OVER_BATCH_SIZE."""

    AUTO, NONE, SUM = "auto", "none", "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"


_REDUCTIONS = ("auto", "none", "sum", "sum_over_batch_size")
_DOC = """{}

    Args:
        y_true: The right values, a tensor.
        y_pred: The predicted values, a tensor of the same shape.{}

    Returns:
        A tensor with one loss for each example.
    """


def _pair(y_true, y_pred):
    y_pred = convert_to_tensor(y_pred)
    return arrays.cast(convert_to_tensor(y_true), y_pred.dtype), y_pred


def _mean(x):
    return math.reduce_mean(x, -1)


def mean_squared_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return _mean(math.squared_difference(y_pred, y_true))


def mean_absolute_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return _mean(math.abs(y_pred - y_true))


def _of_broadcast(weights, losses):
    """How many more nodes Keras has than losses of 1.x: it multiplies weights by ones."""
    if not hasattr(weights, "graph"):
        return 3
    known = weights.shape.is_fully_defined() and losses.shape.is_fully_defined()
    return -5 if known and weights.shape == losses.shape else 4


def mean_absolute_percentage_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    least = math.maximum(math.abs(y_true), settings.epsilon())
    count_more_nodes(2)  # TensorFlow has more, here and below, which decide later seeds
    return 100.0 * _mean(math.abs((y_true - y_pred) / least))


def mean_squared_logarithmic_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    logs = [math.log(math.maximum(y, settings.epsilon()) + 1.0) for y in (y_pred, y_true)]
    count_more_nodes(4)
    return _mean(math.squared_difference(*logs))


def _signs(y_true):
    """Labels 0 and 1 as -1 and 1; others as they are."""
    binary = math.reduce_all(math.logical_or(math.equal(y_true, 0), math.equal(y_true, 1)))
    count_more_nodes(6)
    return arrays.where_v2(binary, 2.0 * y_true - 1.0, y_true)


def squared_hinge(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return _mean(math.square(math.maximum(1.0 - _signs(y_true) * y_pred, 0.0)))


def hinge(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return _mean(math.maximum(1.0 - _signs(y_true) * y_pred, 0.0))


def categorical_hinge(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    right = math.reduce_sum(y_true * y_pred, -1)
    wrong = math.reduce_max((1.0 - y_true) * y_pred, -1)
    return math.maximum(0.0, wrong - right + 1.0)


def huber_loss(y_true, y_pred, delta=1.0):
    y_true, y_pred = _pair(y_true, y_pred)
    error = math.abs(y_pred - y_true)
    small = math.minimum(error, delta)
    return 0.5 * small * small + delta * (error - small)


def logcosh(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    x = y_pred - y_true
    count_more_nodes(1)
    return _mean(x + nn.softplus(-2.0 * x) - np.float32(np.log(2.0)))


def kullback_leibler_divergence(y_true, y_pred):
    y_true, y_pred = (clip_by_value(y, settings.epsilon(), 1.0) for y in _pair(y_true, y_pred))
    return math.reduce_sum(y_true * math.log(y_true / y_pred), -1)


def poisson(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return _mean(y_pred - y_true * math.log(y_pred + settings.epsilon()))


def cosine_similarity(y_true, y_pred, axis=-1):
    y_true, y_pred = (nn.l2_normalize(y, axis) for y in _pair(y_true, y_pred))
    return math.reduce_sum(y_true * y_pred, axis)


def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _pair(y_true, y_pred)
    count_more_nodes(3 if label_smoothing else 1)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return _mean(_binary(y_true, y_pred, from_logits))


def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _pair(y_true, y_pred)
    count_more_nodes(1)
    if label_smoothing:
        classes = arrays.cast(arrays.shape(y_true)[1], y_pred.dtype)
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / classes
    return _categorical(y_true, y_pred, from_logits)


def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, axis=-1):
    return _sparse(y_true, y_pred, from_logits, axis)


WORDS = {
    "from_logits": "Whether predictions are logits, not probabilities. A bool.",
    "label_smoothing": "How far labels are moved towards the mean of all, a float from 0 to 1.",
    "axis": "The dimension of classes, an int.",
    "delta": "Where squares become absolute values, a float.",
}
_FUNCTIONS = {
    "mean_squared_error": "Computes mean((y_true - y_pred)^2).",
    "mean_absolute_error": "Computes mean(abs(y_true - y_pred)).",
    "mean_absolute_percentage_error": "Computes 100 * mean(abs(y_true - y_pred) / abs(y_true)).",
    "mean_squared_logarithmic_error": "Computes mean((log(y_true + 1) - log(y_pred + 1))^2).",
    "squared_hinge": "Computes mean(max(1 - y_true * y_pred, 0)^2); labels are -1 and 1.",
    "hinge": "Computes mean(max(1 - y_true * y_pred, 0)); labels are -1 and 1.",
    "categorical_hinge": "Computes max(0, 1 + the largest wrong one - the right one).",
    "logcosh": "Computes mean(log(cosh(y_pred - y_true))).",
    "kullback_leibler_divergence": "Computes sum(y_true * log(y_true / y_pred)).",
    "poisson": "Computes mean(y_pred - y_true * log(y_pred)).",
    "cosine_similarity": "Computes the cosine of the angle between both.",
    "binary_crossentropy": "Computes the mean cross entropy of labels that are 0 or 1.",
    "categorical_crossentropy": "Computes the cross entropy of labels that are one-hot vectors.",
    "sparse_categorical_crossentropy": "Computes the cross entropy of labels that are integers.",
}
for _name, _summary in _FUNCTIONS.items():
    _more = [n for n in WORDS if n in globals()[_name].__code__.co_varnames[:4]]
    globals()[_name].__doc__ = _DOC.format(
        _summary, "".join(f"\n        {n}: {WORDS[n]}" for n in _more)
    )
mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine = cosine_proximity = cosine_similarity


class Loss:
    """A loss of a batch. Derived classes define call().

    Args:
        reduction: How the losses of the examples are combined: a constant of Reduction.
        name: Name of the operations, a str.
    """

    def __init__(self, reduction=Reduction.AUTO, name=None):
        if reduction not in _REDUCTIONS:
            raise ValueError(f"Invalid Reduction Key {reduction}.")
        self.reduction, self.name = reduction, name

    def __call__(self, y_true, y_pred, sample_weight=None):
        averages = self.reduction in (Reduction.AUTO, Reduction.SUM_OVER_BATCH_SIZE)
        if averages and contexts.has_strategy():
            raise ValueError(
                "Please use `tf.keras.losses.Reduction.SUM` or `tf.keras.losses.Reduction.NONE`: a "
                "replica of a strategy does not know the size of the batch of all. With NONE, "
                "divide the sum of the losses by it, as compute_average_loss() does."
            )
        with name_scope(self.name or type(self).__name__):
            return self.reduced(self.call(y_true, y_pred), sample_weight)

    def reduced(self, losses, sample_weight=None):
        """Combines the losses of the examples.

        Args:
            losses: The losses, a tensor.
            sample_weight: How much each counts, a tensor. None: all the same.

        Returns:
            A scalar; with Reduction.NONE a tensor.
        """
        weights = 1.0 if sample_weight is None else convert_to_tensor(sample_weight)
        rank = getattr(getattr(weights, "shape", None), "ndims", 0)
        if rank and rank > losses.shape.ndims:
            weights = arrays.squeeze(weights, [-1])
        elif rank and rank < losses.shape.ndims:
            weights = arrays.expand_dims(weights, -1)
        count_more_nodes(_of_broadcast(weights, losses))
        losses = compute_weighted_loss(losses, weights, loss_collection=None, reduction=_Sums.NONE)
        if self.reduction == Reduction.SUM:
            state_of(get_default_graph()).loss_reduction = _Sums.SUM
        if self.reduction == Reduction.NONE:
            return losses
        total = math.reduce_sum(losses)
        if self.reduction == Reduction.SUM:
            return total
        with name_scope("num_elements") as scope:
            count = arrays.cast(arrays.size(losses, scope), losses.dtype)
        return math.divide_no_nan(math.reduce_sum(total), count, name="value")

    def call(self, y_true, y_pred):
        """Computes the losses of the examples.

        Args:
            y_true: The right values, a tensor.
            y_pred: The predicted values, a tensor.

        Returns:
            A tensor.

        Raises:
            NotImplementedError: The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define call()")

    def get_config(self):
        """Returns the arguments that make an equal loss.

        Returns:
            A dict.
        """
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config):
        """Makes a loss of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            A loss.
        """
        return cls(**config)


class FunctionLoss(Loss):
    """A loss that calls a function of (y_true, y_pred).

    Args:
        fn: The function.
        reduction: How the losses of the examples are combined: a constant of Reduction.
        name: Name of the operations, a str.
        **kwargs: Further arguments of the function.
    """

    def __init__(self, fn, reduction=Reduction.AUTO, name=None, **kwargs):
        super().__init__(reduction, name)
        self.fn, self.options = fn, kwargs

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, **self.options)

    def get_config(self):
        return {**super().get_config(), **self.options}


def _class(name, function, own_name, **options):
    """The class of a loss function; options become arguments."""
    words = {n: WORDS[n] for n in options}
    words["reduction"] = "How the losses of the examples are combined, a str."
    words["name"] = "Name of the operations, a str."
    doc = document(f"The loss {function.__name__}() of a batch.", words)
    arguments = {**options, "reduction": Reduction.AUTO, "name": own_name}
    return wrapper_class(FunctionLoss, __name__, name, function, arguments, doc)


MeanSquaredError = _class("MeanSquaredError", mse, "mean_squared_error")
MeanAbsoluteError = _class("MeanAbsoluteError", mae, "mean_absolute_error")
MeanAbsolutePercentageError = _class(
    "MeanAbsolutePercentageError", mape, "mean_absolute_percentage_error"
)
MeanSquaredLogarithmicError = _class(
    "MeanSquaredLogarithmicError", msle, "mean_squared_logarithmic_error"
)
BinaryCrossentropy = _class("BinaryCrossentropy", binary_crossentropy, "binary_crossentropy",
                            from_logits=False, label_smoothing=0)  # fmt: skip
CategoricalCrossentropy = _class(
    "CategoricalCrossentropy", categorical_crossentropy, "categorical_crossentropy",
    from_logits=False, label_smoothing=0,
)  # fmt: skip
SparseCategoricalCrossentropy = _class(
    "SparseCategoricalCrossentropy", sparse_categorical_crossentropy,
    "sparse_categorical_crossentropy", from_logits=False,
)  # fmt: skip
Hinge = _class("Hinge", hinge, "hinge")
SquaredHinge = _class("SquaredHinge", squared_hinge, "squared_hinge")
CategoricalHinge = _class("CategoricalHinge", categorical_hinge, "categorical_hinge")
Poisson = _class("Poisson", poisson, "poisson")
LogCosh = _class("LogCosh", logcosh, "logcosh")
KLDivergence = _class("KLDivergence", kld, "kullback_leibler_divergence")
CosineSimilarity = _class("CosineSimilarity", cosine_similarity, "cosine_similarity", axis=-1)
Huber = _class("Huber", huber_loss, "huber_loss", delta=1.0)

_ALIASES = "mse MSE mae MAE mape MAPE msle MSLE kld KLD cosine cosine_proximity".split()
_CLASSES = """
    BinaryCrossentropy CategoricalCrossentropy CategoricalHinge CosineSimilarity Hinge Huber
    KLDivergence LogCosh MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError
    MeanSquaredLogarithmicError Poisson SparseCategoricalCrossentropy SquaredHinge
""".split()
FUNCTIONS = {name: globals()[name] for name in [*_FUNCTIONS, *_ALIASES]}
_KNOWN = {**FUNCTIONS, **{name: globals()[name] for name in [*_CLASSES, "Loss", "huber_loss"]}}


def serialize(loss):
    """Describes a loss.

    Args:
        loss: A loss or a function.

    Returns:
        A dict of "class_name" and "config"; of a function its name.
    """
    return serialize_keras_object(loss)


def deserialize(name, custom_objects=None):
    """Returns the loss that serialize() described.

    Args:
        name: A name or a dict.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A function or a Loss.

    Raises:
        ValueError: The name is not known.
    """
    return deserialize_keras_object(name, _KNOWN, custom_objects, "loss function")


def get(identifier):
    """Returns the loss that an argument stands for.

    Args:
        identifier: A name, a dict of serialize(), a function, a Loss, or None.

    Returns:
        A function or a Loss; None for None.

    Raises:
        ValueError: It stands for nothing.
    """
    return find(identifier, _KNOWN, "loss function")


__all__ = sorted({*FUNCTIONS, *_CLASSES, "Loss", "Reduction", "deserialize", "get", "serialize"})
