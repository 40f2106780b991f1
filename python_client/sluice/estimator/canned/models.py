# SPDX-License-Identifier: Apache-2.0
"""The models of ready-made estimators: functions that make logits of features."""

import inspect
import math as _math

from ... import nest
from ...feature_column.columns import Variables
from ...feature_column.dense_features import dense_features
from ...feature_column.input_layers import weighted_sum
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.elements import Tensor
from ...graph.keys import GraphKeys
from ...layers.dense import Dense
from ...layers.normalization import BatchNormalization
from ...layers.shaping import Dropout
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import assert_equal
from ...ops.nn.sparsity import zero_fraction
from ...ops.state.initializers import glorot_uniform, zeros
from ...ops.state.partitioned import min_max_variable_partitioner
from ...ops.state.variable_scope import get_variable, variable_scope
from ...training import summary
from ...training.optimizer import Optimizer
from ...training.optimizers import (
    AdagradOptimizer,
    AdamOptimizer,
    FtrlOptimizer,
    GradientDescentOptimizer,
    RMSPropOptimizer,
)
from ..base.modes import ModeKeys

_LARGE = 64 << 20  # bytes of the smallest part of a variable of features
# The optimizers that programs can name.
OPTIMIZERS = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}


def optimizer_of(given, learning_rate):
    """The Optimizer that a program named, made, or gave a function for."""
    if isinstance(given, str):
        if given not in OPTIMIZERS:
            raise ValueError(
                f"Unsupported optimizer name: {given}. Supported names are: "
                f"{tuple(sorted(OPTIMIZERS))}"
            )
        return OPTIMIZERS[given](learning_rate=learning_rate)
    given = given() if callable(given) else given
    if not isinstance(given, Optimizer) and not hasattr(given, "get_updates"):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {given}")
    return given


def check_features(features):
    """ValueError: features are not a dict."""
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s, not {type(features)}")


def partitioners(config):
    """How variables of layers, and those of features, are cut for the ps tasks."""
    # Without ps tasks each is one part: names of slots follow from that.
    ps_tasks = config.num_ps_replicas if config is not None else 0
    return (
        min_max_variable_partitioner(max_partitions=ps_tasks),
        min_max_variable_partitioner(max_partitions=ps_tasks, min_slice_size=_LARGE),
    )


def summarize(value, tag):
    """Adds the summaries of a layer's output."""
    summary.scalar(f"{tag}/fraction_of_zero_values", zero_fraction(value))
    summary.histogram(f"{tag}/activation", value)


def deep_logits(features, mode, units, hidden_units, columns, activation_fn, dropout, batch_norm,
                input_partitioner=None):  # fmt: skip
    """Logits of fully connected layers, in the current scope."""
    trains = mode == ModeKeys.TRAIN
    with variable_scope("input_from_feature_columns", partitioner=input_partitioner):
        net = dense_features(features, columns)
    for number, width in enumerate(hidden_units):
        with variable_scope(f"hiddenlayer_{number}") as scope:
            layer = Dense(
                width, activation_fn, kernel_initializer=glorot_uniform(), name=scope, _scope=scope
            )
            norm_name = f"batchnorm_{number}"
            norm = BatchNormalization(momentum=0.999, name=norm_name, _scope=norm_name)
        net = layer(net)
        if dropout is not None and trains:
            net = Dropout(rate=dropout)(net, training=True)
        if batch_norm:
            net = norm(net, training=trains)
        summarize(net, scope.name)
    with variable_scope("logits") as scope:
        layer = Dense(units, None, kernel_initializer=glorot_uniform(), name=scope, _scope=scope)
    logits = layer(net)
    summarize(logits, scope.name)
    return logits


def linear_logits(features, units, columns, sparse_combiner):
    """Logits of the weighted sum of columns, in the current scope."""
    return linear_parts(features, units, columns, sparse_combiner)[0]


def linear_parts(features, units, columns, sparse_combiner):
    """(logits of linear_logits(), variables: a dict, column or "bias" -> list)."""
    made = {}
    variables = Variables([GraphKeys.MODEL_VARIABLES], True, use_resource=True)
    logits = weighted_sum(features, columns, units, sparse_combiner, variables, made)
    bias = made["bias"]
    weights = [v for column, group in made.items() if column != "bias" for v in group]
    if units > 1:
        summary.histogram("bias", bias[0] if len(bias) == 1 else arrays.concat(bias, 0))
    else:
        summary.scalar("bias", bias[0][0])
    summary.scalar("fraction_of_zero_weights", share_of_zeros(weights))
    return logits, made


def share_of_zeros(variables):
    """The fraction of all elements that are zero, of variables or lists of their parts."""
    with name_scope(None, "zero_fraction"):
        variables = nest.flatten(variables)
        fractions = [zero_fraction(v) for v in variables]
        sizes = [v.shape.num_elements() for v in variables]
        total = math.add_n([f * float(s) for f, s in zip(fractions, sizes)])
        return total / float(sum(sizes) or 1)


def baseline_logits(features, units, weight_column):
    """Logits that do not depend on the features."""
    key = getattr(weight_column, "key", weight_column)
    sizes = [arrays.shape(f)[0] for k, f in features.items() if k != key]
    with control_dependencies([assert_equal(sizes[0], size) for size in sizes[1:]]):
        with variable_scope("baseline"):
            bias = get_variable("bias", [units], initializer=zeros())
            return math.multiply(bias, arrays.ones(arrays.stack([sizes[0], units])))


def linear_rate(columns, most):
    """The learning rate of a linear model of so many columns."""
    return min(most, 1.0 / _math.sqrt(len(columns)))


def linear_logit_fn_builder(units, feature_columns, sparse_combiner="sum"):
    """Makes the function of a linear model.

    Args:
        units: How many logits, an int.
        feature_columns: The columns of the features, an iterable.
        sparse_combiner: How the weights of the ids of one column become one: "sum", "mean" or
            "sqrtn".

    Returns:
        A function of features that returns logits.
    """
    return lambda features: linear_logits(features, units, feature_columns, sparse_combiner)


def dnn_logit_fn_builder(units, hidden_units, feature_columns, activation_fn, dropout,
                         input_layer_partitioner, batch_norm):  # fmt: skip
    """Makes the function of fully connected layers.

    Args:
        units: How many logits, an int.
        hidden_units: Sizes of the hidden layers, an iterable of ints.
        feature_columns: The columns of the features, an iterable.
        activation_fn: A function of the output of a hidden layer.
        dropout: The fraction of a hidden layer's output that training drops, a float. None: none.
        input_layer_partitioner: How variables of features are cut, a partitioner.
        batch_norm: Whether each hidden layer is normalised over the batch. A bool.

    Returns:
        A function of features and mode that returns logits.
    """
    return lambda features, mode: deep_logits(
        features, mode, units, hidden_units, feature_columns, activation_fn, dropout, batch_norm,
        input_layer_partitioner,
    )  # fmt: skip


def call_logit_fn(logit_fn, features, mode, params, config):
    """Calls a function of features that returns logits.

    Args:
        logit_fn: The function. It gets mode, params and config if it has such arguments.
        features: A dict: name -> tensor.
        mode: What the model is for, of ModeKeys.
        params: A dict of the estimator.
        config: The RunConfig.

    Returns:
        A tensor, or a dict: name -> tensor.

    Raises:
        ValueError: The function returns something else.
    """
    given = {"mode": mode, "params": params, "config": config}
    names = inspect.signature(logit_fn).parameters
    found = logit_fn(features=features, **{k: v for k, v in given.items() if k in names})
    named = found if isinstance(found, dict) else {"": found}
    if not all(isinstance(k, str) and isinstance(v, Tensor) for k, v in named.items()):
        raise ValueError(
            "logit_fn should return a Tensor or a dictionary mapping strings to Tensors. logit_fn"
            f" returned: {found}"
        )
    return found
