# SPDX-License-Identifier: Apache-2.0
"""What programs use of TensorFlow's sources for estimators."""

from ..estimator.base import run_config
from ..estimator.base.modes import TaskType
from ..estimator.base.tpu_estimator import TPUEstimatorSpec
from ..estimator.canned import classes, estimators, models
from ..estimator.canned.heads import Head, ready_made
from ..estimator.canned.numbers import RegressionHead
from ..ops.nn.activations import relu
from ..ops.nn.losses import Reduction


class PredictionKeys:
    """The keys of what canned estimators predict."""

    CLASSES, CLASS_IDS, LOGISTIC, LOGITS = "classes", "class_ids", "logistic", "logits"
    ALL_CLASSES, ALL_CLASS_IDS = "all_classes", "all_class_ids"
    PREDICTIONS, PROBABILITIES, TOP_K = "predictions", "probabilities", "top_k"


class MetricKeys:
    """The keys of what canned estimators measure."""

    LOSS, LOSS_MEAN, LOSS_REGULARIZATION = "loss", "average_loss", "regularization_loss"
    ACCURACY, ACCURACY_BASELINE, PRECISION = "accuracy", "accuracy_baseline", "precision"
    RECALL, AUC, AUC_PR = "recall", "auc", "auc_precision_recall"
    LABEL_MEAN, PREDICTION_MEAN = "label/mean", "prediction/mean"
    ACCURACY_AT_THRESHOLD = "accuracy/positive_threshold_%g"
    PRECISION_AT_THRESHOLD = "precision/positive_threshold_%g"
    RECALL_AT_THRESHOLD = "recall/positive_threshold_%g"
    PRECISION_AT_RECALL = "precision_at_recall_%g"
    PROBABILITY_MEAN_AT_CLASS = "probability_mean/class%d"
    AUC_AT_CLASS, AUC_PR_AT_CLASS = "auc/class%d", "auc_precision_recall/class%d"
    PROBABILITY_MEAN_AT_NAME = "probability_mean/%s"
    AUC_AT_NAME, AUC_PR_AT_NAME = "auc/%s", "auc_precision_recall/%s"


def get_optimizer_instance(opt, learning_rate=None):
    """Makes an optimizer.

    Args:
        opt: An Optimizer, a function that returns one, or its name: "Adagrad", "Adam", "Ftrl",
            "RMSProp" or "SGD".
        learning_rate: The learning rate of an optimizer that is given by name, a float.

    Returns:
        An Optimizer.

    Raises:
        ValueError: The name is unknown or has no learning rate, or opt is something else.
    """
    if isinstance(opt, str) and opt in models.OPTIMIZERS and not learning_rate:
        raise ValueError("learning_rate must be specified when opt is string.")
    return models.optimizer_of(opt, learning_rate)


def multi_class_head(n_classes, weight_column=None, label_vocabulary=None,
                     loss_reduction=Reduction.SUM, loss_fn=None, name=None):  # fmt: skip
    """Makes the head of an estimator for one class out of several: see MultiClassHead."""
    return ready_made(classes.MultiClassHead(
        n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name
    ))  # fmt: skip


def binary_head(weight_column=None, thresholds=None, label_vocabulary=None,
                loss_reduction=Reduction.SUM, loss_fn=None, name=None):  # fmt: skip
    """Makes the head of an estimator for one class out of two: see BinaryClassHead."""
    return ready_made(classes.BinaryClassHead(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    ))  # fmt: skip


def head_of_classes(n_classes, weight_column, label_vocabulary, loss_reduction):
    """Makes the head of an estimator for one class out of n_classes."""
    if n_classes == 2:
        return binary_head(weight_column, None, label_vocabulary, loss_reduction)
    return multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)


def regression_head(weight_column=None, label_dimension=1, loss_reduction=Reduction.SUM,
                    loss_fn=None, inverse_link_fn=None, name=None):  # fmt: skip
    """Makes the head of an estimator for numbers: see RegressionHead."""
    return ready_made(RegressionHead(
        label_dimension, weight_column, loss_reduction, loss_fn, inverse_link_fn, name
    ))  # fmt: skip


def dnn_model_fn(features, labels, mode, head, hidden_units, feature_columns, optimizer="Adagrad",
                 activation_fn=relu, dropout=None, input_layer_partitioner=None, config=None,
                 use_tpu=False, batch_norm=False):  # fmt: skip
    """Makes the model of a DNNEstimator: see there."""
    del use_tpu
    model_fn = estimators.deep_model_fn(
        head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
        input_layer_partitioner, batch_norm,
    )  # fmt: skip
    return model_fn(features, labels, mode, config)


def linear_model_fn(features, labels, mode, head, feature_columns, optimizer, partitioner, config,
                    sparse_combiner="sum"):  # fmt: skip
    """Makes the model of a LinearEstimator: see there."""
    model_fn = estimators.linear_model_fn(
        head, feature_columns, optimizer, partitioner, sparse_combiner
    )
    return model_fn(features, labels, mode, config)


NAMES = {
    "estimator.canned.dnn": {"_dnn_model_fn": dnn_model_fn},
    "estimator.canned.head": {
        "_Head": Head,
        "_binary_logistic_head_with_sigmoid_cross_entropy_loss": binary_head,
        "_binary_logistic_or_multi_class_head": head_of_classes,
        "_multi_class_head_with_softmax_cross_entropy_loss": multi_class_head,
        "_regression_head": regression_head,
    },
    "estimator.canned.linear": {
        "_compute_fraction_of_zero": models.share_of_zeros, "_linear_model_fn": linear_model_fn,
    },
    "estimator.canned.metric_keys": {"MetricKeys": MetricKeys},
    "estimator.canned.optimizers": {"get_optimizer_instance": get_optimizer_instance},
    "estimator.canned.prediction_keys": {"PredictionKeys": PredictionKeys},
    "estimator.export.export": {
        "SINGLE_FEATURE_DEFAULT_NAME": "feature", "SINGLE_LABEL_DEFAULT_NAME": "label",
        "SINGLE_RECEIVER_DEFAULT_NAME": "input",
    },
    "estimator.model_fn": {
        "AVERAGE_LOSS_METRIC_KEY": "average_loss", "LOSS_METRIC_KEY": "loss",
        "_TPUEstimatorSpec": TPUEstimatorSpec,
    },
    "estimator.run_config": {
        "TaskType": TaskType, "get_default_session_config": run_config.default_session_config,
    },
}  # fmt: skip
