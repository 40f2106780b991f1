# SPDX-License-Identifier: Apache-2.0
"""Ready-made estimators: deep, linear, both together, and constant ones."""

import inspect

from ...ops.control_flow.grouping import group
from ...ops.nn.activations import relu
from ...ops.state.updates import assign_add
from ...ops.state.variable_scope import variable_scope
from ...training.global_step import get_global_step
from ...training.sync_replicas import SyncReplicasOptimizer
from ..base.estimator import Estimator
from . import linear_sdca, models
from .classes import head_of_classes
from .heads import SUM, ready_made
from .numbers import RegressionHead

_ARGUMENTS = {
    "head": "The Head: see BinaryClassHead and others.",
    "hidden_units": "Sizes of the hidden layers, an iterable of ints.",
    "feature_columns": "The columns of the features, an iterable.",
    "model_dir": "Directory of checkpoints and summaries, a str. None: that of config, else a\n"
    "            temporary one.",
    "n_classes": "How many classes, an int.",
    "label_dimension": "How many numbers a label has, an int.",
    "weight_column": "The feature with the weight of each example: its name, or a column of\n"
    "            numeric_column(). None: 1.",
    "label_vocabulary": "The classes, a list of str, if labels are strings. None: labels are\n"
    "            numbers.",
    "optimizer": 'The Optimizer, a function that returns it, or one of "Adagrad", "Adam", "Ftrl",\n'
    '            "RMSProp" and "SGD".',
    "linear_optimizer": "That of the linear part: see dnn_optimizer.",
    "dnn_optimizer": "That of the deep part: an Optimizer, a function that returns it, or one of\n"
    '            "Adagrad", "Adam", "Ftrl", "RMSProp" and "SGD".',
    "activation_fn": "A function of the output of a hidden layer.",
    "dnn_activation_fn": "A function of the output of a hidden layer.",
    "dropout": "The fraction of a hidden layer's output that training drops, a float. None: none.",
    "dnn_dropout": "The fraction of a hidden layer's output that training drops, a float. None:\n"
    "            none.",
    "input_layer_partitioner": "How variables of features are cut, a partitioner. None: in parts\n"
    "            of 64 MB for the ps tasks.",
    "partitioner": "How variables are cut, a partitioner. None: in parts of 64 MB for the ps\n"
    "            tasks.",
    "config": "A RunConfig. None: a default one.",
    "warm_start_from": "The path of a checkpoint or a SavedModel whose values variables begin\n"
    "            with, or WarmStartSettings. None: none.",
    "loss_reduction": "How the losses of a batch become one, of losses.Reduction.",
    "batch_norm": "Whether each hidden layer is normalised over the batch. A bool.",
    "sparse_combiner": 'How the weights of the ids of one column become one: "sum", "mean" or\n'
    '            "sqrtn".',
    "linear_sparse_combiner": 'How the weights of the ids of one column become one: "sum", "mean"\n'
    '            or "sqrtn".',
    "linear_feature_columns": "The columns of the linear part, an iterable. None: no linear part.",
    "dnn_feature_columns": "The columns of the deep part, an iterable. None: no deep part.",
    "dnn_hidden_units": "Sizes of the hidden layers, a list of ints.",
}


def _described(doc, example=""):
    """Gives a class its docstring, with what its arguments are."""

    def describe(cls):
        names = list(inspect.signature(cls.__init__).parameters)[1:]
        lines = [f"        {name}: {_ARGUMENTS[name]}" for name in names]
        cls.__doc__ = "\n".join([doc, "", "    Args:", *lines, example and "\n" + example])
        return cls

    return describe


# ---- the parts of model functions


def deep_model_fn(head, hidden_units, columns, optimizer, activation_fn, dropout, partitioner,
                  batch_norm):  # fmt: skip
    """Returns the model function of a DNNEstimator: its arguments are those of the class."""

    def model_fn(features, labels, mode, config):
        models.check_features(features)
        chosen = models.optimizer_of(optimizer, 0.05)
        parts, input_parts = models.partitioners(config)
        with variable_scope("dnn", partitioner=parts, use_resource=True):
            logits = models.deep_logits(
                features, mode, head.logits_dimension, hidden_units, columns, activation_fn,
                dropout, batch_norm, partitioner or input_parts,
            )  # fmt: skip
            return head.create_estimator_spec(
                features=features, mode=mode, labels=labels, optimizer=chosen, logits=logits
            )

    return model_fn


def linear_model_fn(head, columns, optimizer, partitioner, sparse_combiner):
    """Returns the model function of a LinearEstimator: its arguments are those of the class."""

    def model_fn(features, labels, mode, config):
        models.check_features(features)
        _, parts = models.partitioners(config)
        with variable_scope("linear", partitioner=partitioner or parts):
            if isinstance(optimizer, linear_sdca.LinearSDCA):
                return linear_sdca.estimator_spec(optimizer, head, columns, features, labels, mode)
            logits = models.linear_logits(features, head.logits_dimension, columns, sparse_combiner)
            chosen = models.optimizer_of(optimizer, models.linear_rate(columns, 0.2))
            return head.create_estimator_spec(
                features=features, mode=mode, labels=labels, optimizer=chosen, logits=logits
            )

    return model_fn


def _baseline(head, optimizer, weight_column):
    def model_fn(features, labels, mode):
        logits = models.baseline_logits(features, head.logits_dimension, weight_column)

        def train_op_fn(loss):
            return models.optimizer_of(optimizer, 0.3).minimize(loss, get_global_step())

        return head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
        )

    return model_fn


def _combined(head, linear_columns, linear_optimizer, dnn_columns, dnn_optimizer, hidden_units,
              activation_fn, dropout, partitioner, batch_norm, sparse_combiner):  # fmt: skip
    def model_fn(features, labels, mode, config):
        models.check_features(features)
        parts, input_parts = models.partitioners(config)
        input_parts = partitioner or input_parts
        logits, steps = [], []
        if dnn_columns:
            if not hidden_units:
                raise ValueError(
                    "dnn_hidden_units must be defined when dnn_feature_columns is specified."
                )
            optimizer = _not_synchronous(models.optimizer_of(dnn_optimizer, 0.001))
            with variable_scope("dnn", partitioner=parts, use_resource=True) as scope:
                steps.append((optimizer, scope.name))
                logits.append(models.deep_logits(
                    features, mode, head.logits_dimension, hidden_units, dnn_columns,
                    activation_fn, dropout, batch_norm, input_parts,
                ))  # fmt: skip
        if linear_columns:
            rate = models.linear_rate(linear_columns, 0.005)
            optimizer = _not_synchronous(models.optimizer_of(linear_optimizer, rate))
            with variable_scope("linear", partitioner=input_parts) as scope:
                steps.append((optimizer, scope.name))
                logits.append(models.linear_logits(
                    features, head.logits_dimension, linear_columns, sparse_combiner
                ))  # fmt: skip
                models.summarize(logits[-1], scope.name)
        both = logits[0] + logits[1] if len(logits) == 2 else logits[0]

        def train_op_fn(loss):
            step = get_global_step()
            train = group(*(
                o.minimize(loss, var_list=step.graph.get_collection("trainable_variables", name))
                for o, name in steps
            ))  # fmt: skip
            with step.graph.control_dependencies([train]):
                return assign_add(step, 1).op

        return head.create_estimator_spec(
            features=features, mode=mode, logits=both, labels=labels, train_op_fn=train_op_fn
        )

    return model_fn


def _not_synchronous(optimizer):
    if isinstance(optimizer, SyncReplicasOptimizer):
        raise ValueError("SyncReplicasOptimizer does not support multi optimizers case.")
    return optimizer


def _some_columns(linear, deep):
    if not linear and not deep:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    return tuple(linear or ()), tuple(deep or ())


# ---- deep


@_described("A classifier of fully connected layers.")
class DNNClassifier(Estimator):
    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2,
                 weight_column=None, label_vocabulary=None, optimizer="Adagrad",
                 activation_fn=relu, dropout=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=SUM, batch_norm=False):  # fmt: skip
        head = head_of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = deep_model_fn(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@_described("A regression of fully connected layers.")
class DNNRegressor(Estimator):
    def __init__(self, hidden_units, feature_columns, model_dir=None, label_dimension=1,
                 weight_column=None, optimizer="Adagrad", activation_fn=relu, dropout=None,
                 input_layer_partitioner=None, config=None, warm_start_from=None,
                 loss_reduction=SUM, batch_norm=False):  # fmt: skip
        head = ready_made(RegressionHead(label_dimension, weight_column, loss_reduction))
        model_fn = deep_model_fn(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@_described("Fully connected layers with any head.")
class DNNEstimator(Estimator):
    def __init__(self, head, hidden_units, feature_columns, model_dir=None, optimizer="Adagrad",
                 activation_fn=relu, dropout=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, batch_norm=False):  # fmt: skip
        model_fn = deep_model_fn(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


# ---- linear


@_described("A linear classifier.")
class LinearClassifier(Estimator):
    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column=None,
                 label_vocabulary=None, optimizer="Ftrl", config=None, partitioner=None,
                 warm_start_from=None, loss_reduction=SUM, sparse_combiner="sum"):  # fmt: skip
        linear_sdca.check_use(optimizer, n_classes, sparse_combiner, True)
        head = head_of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = linear_model_fn(
            head, tuple(feature_columns or ()), optimizer, partitioner, sparse_combiner
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@_described("A linear regression.")
class LinearRegressor(Estimator):
    def __init__(self, feature_columns, model_dir=None, label_dimension=1, weight_column=None,
                 optimizer="Ftrl", config=None, partitioner=None, warm_start_from=None,
                 loss_reduction=SUM, sparse_combiner="sum"):  # fmt: skip
        linear_sdca.check_use(optimizer, label_dimension, sparse_combiner, False)
        head = ready_made(RegressionHead(label_dimension, weight_column, loss_reduction))
        model_fn = linear_model_fn(
            head, tuple(feature_columns or ()), optimizer, partitioner, sparse_combiner
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@_described("A linear model with any head.")
class LinearEstimator(Estimator):
    def __init__(self, head, feature_columns, model_dir=None, optimizer="Ftrl", config=None,
                 partitioner=None, sparse_combiner="sum"):  # fmt: skip
        model_fn = linear_model_fn(
            head, tuple(feature_columns or ()), optimizer, partitioner, sparse_combiner
        )
        super().__init__(model_fn, model_dir, config)


# ---- deep and linear


@_described("A classifier of a linear model and of fully connected layers, trained together.")
class DNNLinearCombinedClassifier(Estimator):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl",
                 dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None,
                 dnn_activation_fn=relu, dnn_dropout=None, n_classes=2, weight_column=None,
                 label_vocabulary=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=SUM, batch_norm=False,
                 linear_sparse_combiner="sum"):  # fmt: skip
        linear, deep = _some_columns(linear_feature_columns, dnn_feature_columns)
        head = head_of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = _combined(
            head, linear, linear_optimizer, deep, dnn_optimizer, dnn_hidden_units,
            dnn_activation_fn, dnn_dropout, input_layer_partitioner, batch_norm,
            linear_sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@_described("A regression of a linear model and of fully connected layers, trained together.")
class DNNLinearCombinedRegressor(Estimator):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl",
                 dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None,
                 dnn_activation_fn=relu, dnn_dropout=None, label_dimension=1, weight_column=None,
                 input_layer_partitioner=None, config=None, warm_start_from=None,
                 loss_reduction=SUM, batch_norm=False, linear_sparse_combiner="sum"):  # fmt: skip
        linear, deep = _some_columns(linear_feature_columns, dnn_feature_columns)
        head = ready_made(RegressionHead(label_dimension, weight_column, loss_reduction))
        model_fn = _combined(
            head, linear, linear_optimizer, deep, dnn_optimizer, dnn_hidden_units,
            dnn_activation_fn, dnn_dropout, input_layer_partitioner, batch_norm,
            linear_sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@_described("A linear model and fully connected layers with any head, trained together.")
class DNNLinearCombinedEstimator(Estimator):
    def __init__(self, head, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl",
                 dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None,
                 dnn_activation_fn=relu, dnn_dropout=None, input_layer_partitioner=None,
                 config=None, batch_norm=False, linear_sparse_combiner="sum"):  # fmt: skip
        linear, deep = _some_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = _combined(
            head, linear, linear_optimizer, deep, dnn_optimizer, dnn_hidden_units,
            dnn_activation_fn, dnn_dropout, input_layer_partitioner, batch_norm,
            linear_sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config)


# ---- constant


@_described("A classifier that learns how often each class occurs, and looks at no feature.")
class BaselineClassifier(Estimator):
    def __init__(self, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None,
                 optimizer="Ftrl", config=None, loss_reduction=SUM):  # fmt: skip
        head = head_of_classes(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(_baseline(head, optimizer, weight_column), model_dir, config)


@_described("A regression that learns the mean of the labels, and looks at no feature.")
class BaselineRegressor(Estimator):
    def __init__(self, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl",
                 config=None, loss_reduction=SUM):  # fmt: skip
        head = ready_made(RegressionHead(label_dimension, weight_column, loss_reduction))
        super().__init__(_baseline(head, optimizer, None), model_dir, config)


@_described("A constant model with any head.")
class BaselineEstimator(Estimator):
    def __init__(self, head, model_dir=None, optimizer="Ftrl", config=None):
        super().__init__(_baseline(head, optimizer, None), model_dir, config)


__all__ = """
    BaselineClassifier BaselineEstimator BaselineRegressor DNNClassifier DNNEstimator
    DNNLinearCombinedClassifier DNNLinearCombinedEstimator DNNLinearCombinedRegressor DNNRegressor
    LinearClassifier LinearEstimator LinearRegressor
""".split()
