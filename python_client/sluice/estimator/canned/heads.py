# SPDX-License-Identifier: Apache-2.0
"""Heads: what makes predictions, loss and metrics of a model's logits."""

import inspect

from ... import dtypes
from ...feature_column.columns import Features
from ...feature_column.numeric import NumericColumn, numeric_column
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...graph.keys import GraphKeys
from ...keras.fitting.losses import Reduction
from ...keras.fitting.metrics import Mean
from ...ops import array as arrays
from ...ops import math
from ...ops.control_flow.grouping import group
from ...ops.debug.assertions import assert_equal, assert_rank_at_least
from ...ops.math.weights import broadcast_weights
from ...ops.nn import losses
from ...ops.sparse.sparse_tensor import SparseTensor
from ...training import metrics, summary, threshold_metrics
from ...training.global_step import get_global_step
from ..base.export_outputs import PredictOutput
from ..base.modes import ModeKeys
from ..base.spec import EstimatorSpec
from .measures import Batch

SUM, SUM_OVER_BATCH_SIZE = losses.Reduction.SUM, losses.Reduction.SUM_OVER_BATCH_SIZE
AVERAGE = Reduction.SUM_OVER_BATCH_SIZE  # what heads of programs do by default
_OF_KERAS = {
    Reduction.AUTO: SUM_OVER_BATCH_SIZE,
    Reduction.SUM: SUM,
    Reduction.SUM_OVER_BATCH_SIZE: SUM_OVER_BATCH_SIZE,
}
SERVING, CLASSIFY, REGRESS, PREDICT = "serving_default", "classification", "regression", "predict"


class Head:
    """The base class of heads.

    Args:
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        loss_fn: A function of labels and logits, and of features if it has such an argument, that
            returns the loss of each example [batch, ..., 1]. None: the head's own.
        name: Name of the head, a str, which metrics have at their end. None: none.

    Raises:
        ValueError: loss_reduction or loss_fn is not possible.
    """

    _is_canned = False

    def __init__(self, weight_column=None, loss_reduction=AVERAGE, loss_fn=None, name=None):
        way = _OF_KERAS.get(loss_reduction, loss_reduction)
        if way not in losses.Reduction.all() or way == losses.Reduction.NONE:
            raise ValueError(f"Invalid loss_reduction: {loss_reduction}")
        if loss_fn is not None:
            names = set(inspect.signature(loss_fn).parameters)
            more = names - {"labels", "logits", "features", "loss_reduction"}
            if not {"labels", "logits"} <= names or more:
                raise ValueError(
                    f"loss_fn must take labels and logits, and may take features, not {names}"
                )
        self._weight_column, self._reduction = weight_column, way
        self._given_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def name(self):
        """The name, a str or None."""
        return self._name

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits, an int."""
        raise NotImplementedError

    @property
    def loss_reduction(self):
        """How the losses of a batch become one, a str."""
        return self._given_reduction

    def predictions(self, logits, keys=None):
        """Makes the predictions.

        Args:
            logits: A float tensor [batch, ..., logits_dimension].
            keys: The names of the predictions to return, a list of str. None: all.

        Returns:
            A dict: name -> tensor.

        Raises:
            ValueError: A name is unknown.
        """
        found = self._predictions(checked_logits(logits, self.logits_dimension))
        for key in keys or ():
            if key not in found:
                raise ValueError(
                    f"Prediction key must be in PredictionKeys, given: {key}. Valid prediction keys"
                    f" include {sorted(found)}."
                )
        return {key: found[key] for key in keys} if keys else found

    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        """Makes the loss.

        Args:
            labels: The labels, a tensor.
            logits: A float tensor [batch, ..., logits_dimension].
            features: A dict: name -> tensor. It must have the weights.
            mode: Accepted. It has no effect.
            regularization_losses: Scalars to add, a list. None: none.

        Returns:
            A float scalar.
        """
        del mode
        logits = checked_logits(logits, self.logits_dimension)
        total = self._losses(labels, logits, features or {})[0]
        if regularization_losses:
            total = math.add_n([total, math.add_n(regularization_losses)])
        return total

    def metrics(self, regularization_losses=None):
        """Makes the metrics of evaluations.

        Args:
            regularization_losses: Scalars that are added to the loss, a list. None: none.

        Returns:
            A dict: name -> metric of keras.metrics.
        """
        with name_scope("metrics"):
            found = {m.key: m.make(name=self._key(m.key)) for m in self._measures()}
            if regularization_losses is not None:
                found["regularization_loss"] = Mean("regularization_loss")
        return {self._key(key): metric for key, metric in found.items()}

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        """Adds a batch to metrics.

        Args:
            eval_metrics: What metrics() returned.
            features: A dict: name -> tensor. It must have the weights.
            logits: A float tensor [batch, ..., logits_dimension].
            labels: The labels, a tensor.
            regularization_losses: Scalars that are added to the loss, a list. None: none.

        Returns:
            eval_metrics.
        """
        logits = checked_logits(logits, self.logits_dimension)
        _, unreduced, weights, labels = self._losses(labels, logits, features or {})
        batch = Batch(labels, self._predictions(logits), weights, unreduced)
        for measure in self._measures():
            metric = eval_metrics[self._key(measure.key)]
            metric.update_state(*measure.seen(batch), sample_weight=weights)
        if regularization_losses is not None:
            metric = eval_metrics[self._key("regularization_loss")]
            metric.update_state(math.add_n(regularization_losses))
        return eval_metrics

    # ---- what each kind of head says

    def _predictions(self, logits):
        """The predictions by name."""
        raise NotImplementedError

    def _dense_labels(self, labels):
        """The labels as a dense tensor."""
        return labels

    def _label_ids(self, labels, logits):
        """The labels as the loss takes them."""
        raise NotImplementedError

    def _unreduced(self, labels, logits):
        """The loss of each example [batch, ..., 1 or more]."""
        raise NotImplementedError

    def _metrics(self, labels, predictions, weights, unreduced):
        """The metrics of ready-made estimators, by name without that of the head."""
        raise NotImplementedError

    def _measures(self):
        """The Measures of evaluations, a list."""
        raise NotImplementedError

    def _exports(self, predictions):
        """What is exported besides the predictions."""
        raise NotImplementedError

    _labels_dimension = 1
    _weights_per_logit = False

    # ---- the spec

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None,
                              trainable_variables=None, train_op_fn=None, update_ops=None,
                              regularization_losses=None):  # fmt: skip
        """Makes what a model function returns.

        Args:
            features: A dict: name -> tensor. It must have the weights.
            mode: What the model is for, of ModeKeys.
            logits: A float tensor [batch, ..., logits_dimension].
            labels: The labels. PREDICT does not require them.
            optimizer: The Optimizer. TRAIN requires it, or train_op_fn.
            trainable_variables: The variables that it changes, a list. None: all trainable ones.
            train_op_fn: A function of the loss that returns the operation of a step.
            update_ops: Operations that run with each step, a list. None: those of the collection
                UPDATE_OPS.
            regularization_losses: Scalars to add to the loss, a list. None: none.

        Returns:
            An EstimatorSpec.

        Raises:
            ValueError: Both or none of optimizer and train_op_fn are given, or shapes do not fit.
        """
        with name_scope(self._name, "head"):
            logits = checked_logits(logits, self.logits_dimension)
            predictions = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                exports = {**self._exports(predictions), PREDICT: PredictOutput(predictions)}
                return EstimatorSpec(mode, predictions, export_outputs=exports)
            labels_given = labels
            loss, unreduced, weights, labels = self._losses(labels, logits, features)
            regularization, total = None, loss
            if regularization_losses:
                regularization = math.add_n(regularization_losses)
                total = math.add_n([loss, regularization])
            if mode == ModeKeys.EVAL and not self._is_canned:
                regularization_losses = regularization_losses or None
                found = self.update_metrics(
                    self.metrics(regularization_losses), features, logits, labels_given,
                    regularization_losses=regularization_losses,
                )  # fmt: skip
                return EstimatorSpec(mode, predictions, total, eval_metric_ops=found)
            if mode == ModeKeys.EVAL:
                with name_scope(None, "metrics"):
                    found = self._metrics(labels, predictions, weights, unreduced)
                    if regularization is not None:
                        found["regularization_loss"] = metrics.mean(
                            regularization, name="regularization_loss"
                        )
                found = {self._key(key): value for key, value in found.items()}
                return EstimatorSpec(mode, predictions, total, eval_metric_ops=found)
            train_op = train_op_of(total, optimizer, trainable_variables, train_op_fn, update_ops)
            mean_loss = None
            if self._is_canned and self._reduction == SUM:
                mean_loss = loss / math.reduce_sum(weights * arrays.ones_like(unreduced))
        self._summarize(total, mean_loss, regularization)
        return EstimatorSpec(mode, predictions, total, train_op)

    def _summarize(self, loss, mean_loss, regularization):
        with name_scope(""):
            for key, value in (("loss", loss), ("average_loss", mean_loss),
                               ("regularization_loss", regularization)):  # fmt: skip
                if value is not None:
                    summary.scalar(self._key(key), value)

    def _key(self, key):
        return f"{key}/{self._name}" if self._name else key

    def _losses(self, labels, logits, features):
        """(the loss, that of each example, weights, labels as the loss takes them)."""
        labels = self._dense_labels(labels)
        labels = self._label_ids(matched_labels(labels, logits, self._labels_dimension), logits)
        if self._loss_fn is not None:
            unreduced = self._call_loss_fn(labels, logits, features)
        else:
            unreduced = self._unreduced(labels, logits)
        weights = _checked_weights(features, self._weight_column, logits, self._weights_per_logit)
        # The loss of a head that a program makes is in no collection.
        collection = GraphKeys.LOSSES if self._is_canned else None
        total = losses.compute_weighted_loss(
            unreduced, weights, loss_collection=collection, reduction=self._reduction
        )
        return total, unreduced, weights, labels

    def _call_loss_fn(self, labels, logits, features):
        wanted = inspect.signature(self._loss_fn).parameters
        more = {"features": features} if "features" in wanted else {}
        with name_scope(None, "call_loss_fn"):
            found = self._loss_fn(labels=labels, logits=logits, **more)
            size = self._labels_dimension
            wanted = arrays.concat([arrays.shape(logits)[:-1], [size]], 0)
            check = assert_equal(
                arrays.shape(found), wanted,
                message=f"loss_fn must return Tensor of shape [D0, D1, ... DN, {size}]",
            )  # fmt: skip
            with control_dependencies([check]):
                return arrays.identity(found)


def ready_made(head):
    """The head as one of a ready-made estimator: its evaluations have the metrics of
    sluice.metrics, and a loss that is a sum has a summary of its average, too."""
    head._is_canned = True
    return head


def weight_column_of(head):
    """The feature with the weight of each example: its name, a column, or None."""
    return head._weight_column


def train_op_of(loss, optimizer, trainable_variables, train_op_fn, update_ops):
    if (optimizer is None) == (train_op_fn is None):
        raise ValueError("either optimizer or train_op_fn must be given")
    if optimizer is None:
        train_op = train_op_fn(loss)
    elif hasattr(optimizer, "get_updates"):  # of Keras
        if trainable_variables is None:
            trainable_variables = get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)
        train_op = group(*optimizer.get_updates(loss, list(trainable_variables)))
    else:
        chosen = {} if trainable_variables is None else {"var_list": trainable_variables}
        train_op = optimizer.minimize(loss, global_step=get_global_step(), **chosen)
    if update_ops is None:
        update_ops = get_default_graph().get_collection(GraphKeys.UPDATE_OPS)
    return group(train_op, *update_ops) if update_ops else train_op


# ---- shapes


def checked_logits(logits, dimension):
    """The logits as float32. ValueError: their last dimension has another size."""
    with name_scope(None, "logits"):
        logits = arrays.cast(logits, dtypes.float32)
        message = "logits shape must be [D0, D1, ... DN, logits_dimension]"
        check = assert_rank_at_least(logits, 2, message=message)
        sizes = None if logits.shape.ndims is None else logits.shape.as_list()
        if sizes is not None and sizes[-1] is not None:
            if sizes[-1] != dimension:
                raise ValueError(f"{message}, got {logits.shape}.")
            return logits
        check = assert_equal(dimension, arrays.shape(logits)[-1], message=message)
        with control_dependencies([check]):
            return arrays.identity(logits)


def matched_labels(labels, logits, dimension=1):
    """The labels [batch, ..., dimension]. ValueError: they have another shape, or are missing."""
    if labels is None:
        raise ValueError(
            "You must provide a labels Tensor. Given: None. Does the input_fn return labels?"
        )
    if isinstance(labels, (SparseTensor, dict)):
        raise ValueError("SparseTensor labels are not supported. labels must be a Tensor")
    with name_scope(None, "labels"):
        labels = convert_to_tensor(labels)
        ranks = labels.shape.ndims, logits.shape.ndims
        if None not in ranks and ranks[0] == ranks[1] - 1:
            labels = arrays.expand_dims(labels, -1)
        message = (
            f"labels shape must be [D0, D1, ... DN, {dimension}]. Suggested Fix: check your"
            " n_classes argument to the estimator and/or the shape of your label."
        )
        check = assert_rank_at_least(labels, 2, message=message)
        sizes = None if labels.shape.ndims is None else labels.shape.as_list()
        if sizes is not None and sizes[-1] not in (None, dimension):
            raise ValueError(
                f"Mismatched label shape. Expected labels dimension={dimension}. Received"
                f" {sizes[-1]}. {message}"
            )
        with control_dependencies([check]):
            wanted = arrays.concat([arrays.shape(logits)[:-1], [dimension]], 0)
            check = assert_equal(wanted, arrays.shape(labels), message=message)
            with control_dependencies([check]):
                return arrays.identity(labels)


def _checked_weights(features, column, logits, per_logit):
    """The weights [batch, ..., 1], or 1."""
    if column is None:
        return 1.0
    with name_scope(None, "weights"):
        column = numeric_column(column) if isinstance(column, str) else column
        if not isinstance(column, NumericColumn):
            raise TypeError(f"Weight column must be a string or numeric_column(), not {column!r}")
        weights = arrays.cast(column.dense(Features(features), None), dtypes.float32)
        message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
        shapes = arrays.shape(weights), arrays.shape(logits)
        ranks = weights.shape.ndims, logits.shape.ndims
        if None not in ranks and ranks[0] == ranks[1] - 1:
            check = assert_equal(shapes[1][:-1], shapes[0], message=message)
            with control_dependencies([check]):
                return arrays.expand_dims(weights, -1)
        wanted = arrays.concat([shapes[1][:-1], [1]], 0)
        if per_logit and weights.shape.as_list()[-1] != 1:
            wanted = shapes[1]
        with control_dependencies([assert_equal(wanted, shapes[0], message=message)]):
            return arrays.identity(weights)


# ---- metrics that several heads have


def _floats(values, weights):
    values = arrays.cast(values, dtypes.float32)
    return values, broadcast_weights(weights, values)


def mean_of(values, weights, name):
    """The weighted mean of values."""
    with name_scope(name, "mean") as scope:
        values, weights = _floats(values, weights)
        return metrics.mean(values, weights, name=scope)


def area_of(labels, values, weights, name, curve="ROC"):
    """The area under a curve."""
    with name_scope(name, "auc") as scope:
        values, weights = _floats(values, weights)
        return threshold_metrics.auc(labels, values, weights, curve=curve, name=scope)


def at_threshold(metric, labels, values, weights, threshold, name):
    """A metric at one threshold."""
    with name_scope(name, "at_threshold") as scope:
        value, update = metric(labels, values, (threshold,), weights, name=scope)
        return arrays.squeeze(value), arrays.squeeze(update)
