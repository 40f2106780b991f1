# SPDX-License-Identifier: Apache-2.0
"""The first layers of models: features become one tensor, or a linear model of them."""

from .. import dtypes
from ..graph.default_graph import control_dependencies, get_default_graph, name_scope
from ..graph.keys import GraphKeys
from ..layers.layer import Layer
from ..ops import array as arrays
from ..ops import math, sparse
from ..ops.debug.assertions import assert_equal
from ..ops.math.products import matmul
from ..ops.nn.layers import bias_add
from ..ops.nn.sampling import safe_embedding_lookup_sparse
from ..ops.state.initializers import zeros
from ..ops.state.variable_scope import get_variable_scope, variable_scope
from .columns import (
    CategoricalColumn,
    DenseColumn,
    Features,
    Variables,
    check_batch,
    collect,
    sorted_columns,
)
from .embedding import EmbeddingColumn, IndicatorColumn
from .sequences import SequenceNumericColumn


def _collections(weight_collections):
    found = list(weight_collections or [])
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES):
        if key not in found:
            found.append(key)
    return found


def input_layer(features, feature_columns, weight_collections=None, trainable=True,
                cols_to_vars=None, cols_to_output_tensors=None):  # fmt: skip
    """Makes one tensor of the features of a batch.

    Args:
        features: A dict: name of the feature -> tensor or SparseTensor.
        feature_columns: Columns that become tensors, an iterable. They are taken in the order of
            their names.
        weight_collections: Collections that get the variables too, a list of str.
        trainable: Whether optimizers change the variables. A bool.
        cols_to_vars: A dict that gets: column -> its variables. None: none.
        cols_to_output_tensors: A dict that gets: column -> its tensor. None: none.

    Returns:
        A float32 tensor [batch, size].

    Raises:
        ValueError: A column becomes ids only, a feature is missing, or batches differ in size.
    """
    columns = sorted_columns(feature_columns, DenseColumn, "_DenseColumn")
    variables = Variables(_collections(weight_collections), trainable)
    with variable_scope(None, "input_layer"):
        features, outputs = Features(features), []
        for column in columns:
            with variable_scope(None, column.scope):
                tensor = column.dense(features, variables)
                outputs.append(as_rows(tensor, column))
                if cols_to_vars is not None:
                    cols_to_vars[column] = get_default_graph().get_collection(
                        GraphKeys.GLOBAL_VARIABLES, get_variable_scope().name
                    )
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = outputs[-1]
        check_batch(outputs, columns)
        return arrays.concat(outputs, 1)


def as_rows(tensor, column):
    """What a column makes of a batch, as one row for each example."""
    size = column.variable_shape.num_elements()
    return arrays.reshape(tensor, [arrays.shape(tensor)[0], size])


class _Weighted(Layer):
    """The weighted sum of a column."""

    def __init__(self, column, units, combiner, variables, name):
        super().__init__(variables.trainable, name)
        self.column, self._units, self._combiner = column, units, combiner
        self._variables = variables

    def build(self, _):
        column = self.column
        categorical = isinstance(column, CategoricalColumn)
        size = column.num_buckets if categorical else column.variable_shape.num_elements()
        self._weights = self.add_weight(
            "weights", [size, self._units], dtypes.float32, zeros(), trainable=self.trainable,
            use_resource=self._variables.use_resource,
        )  # fmt: skip
        collect(self._weights, self._variables.collections)
        self.built = True

    def call(self, features):
        column = self.column
        if not isinstance(column, CategoricalColumn):
            rows = as_rows(column.dense(features, self._variables), column)
            return matmul(rows, self._weights, name="weighted_sum")
        ids, weights = (
            None if part is None else _flat(part) for part in column.ids_and_weights(features)
        )
        return safe_embedding_lookup_sparse(
            self._weights, ids, weights, self._combiner, name="weighted_sum"
        )


def _flat(tensor):
    return sparse.reshape(tensor, arrays.stack([tensor.dense_shape[0], -1]))


class _Bias(Layer):
    def __init__(self, units, variables):
        super().__init__(variables.trainable, "bias_layer")
        self._units, self._variables = units, variables

    def build(self, _):
        self.bias = self.add_weight(
            "bias_weights", [self._units], dtypes.float32, zeros(), trainable=self.trainable,
            use_resource=self._variables.use_resource,
        )  # fmt: skip
        collect(self.bias, self._variables.collections)
        self.built = True

    def call(self, _):
        return self.bias


def linear_model(features, feature_columns, units=1, sparse_combiner="sum",
                 weight_collections=None, trainable=True, cols_to_vars=None):  # fmt: skip
    """Makes a linear model of features: their weighted sum and a bias.

    Args:
        features: A dict: name of the feature -> tensor or SparseTensor.
        feature_columns: Columns, an iterable.
        units: How many outputs there are, an int.
        sparse_combiner: How the weights of the ids of one column become one: "sum", "mean" or
            "sqrtn".
        weight_collections: Collections that get the variables too, a list of str.
        trainable: Whether optimizers change the variables. A bool.
        cols_to_vars: A dict that gets: column -> its variables, and "bias". None: none.

    Returns:
        A float32 tensor [batch, units].

    Raises:
        ValueError: A column is another one, a feature is missing, or batches differ in size.
    """
    variables = Variables(_collections(weight_collections), trainable)
    return weighted_sum(features, feature_columns, units, sparse_combiner, variables, cols_to_vars)


def weighted_sum(features, feature_columns, units, sparse_combiner, variables, cols_to_vars=None):
    """The linear model of linear_model(), with variables made as `variables` says."""
    columns = sorted_columns(feature_columns)
    with variable_scope(None, "linear_model") as scope:
        model = scope.name.rpartition("/")[2]
    layers = []
    for column in columns:
        with variable_scope(None, column.scope) as scope:
            name = scope.name.rpartition("/")[2]
        layers.append(_Weighted(column, units, sparse_combiner, variables, name))
    bias = _Bias(units, variables)
    with name_scope(model), variable_scope(model):
        for column in columns:
            if not isinstance(column, (DenseColumn, CategoricalColumn)):
                raise ValueError(f"column {column.name} cannot be in a linear model")
        features, sums = Features(features), []
        layers.sort(key=lambda layer: layer.name)
        for layer in layers:
            sums.append(layer(features))
            if cols_to_vars is not None:
                cols_to_vars[layer.column] = get_default_graph().get_collection(
                    GraphKeys.GLOBAL_VARIABLES, layer.scope_name
                )
        check_batch(sums, [layer.column for layer in layers])
        total = math.add_n(sums, name="weighted_sum_no_bias")
        added = bias(features, scope=get_variable_scope())
        if cols_to_vars is not None:
            cols_to_vars["bias"] = list(bias.bias) if hasattr(bias.bias, "__len__") else [bias.bias]
        return bias_add(total, added, name="weighted_sum")


def sequence_input_layer(features, feature_columns, weight_collections=None, trainable=True):
    """Makes one sequence of the sequences of a batch.

    Args:
        features: A dict: name of the feature -> SparseTensor.
        feature_columns: Columns that become sequences, an iterable: sequence_numeric_column(), and
            embedding_column() or indicator_column() of sequence_categorical_column_with_...().
        weight_collections: Collections that get the variables too, a list of str.
        trainable: Whether optimizers change the variables. A bool.

    Returns:
        A tuple: a float32 tensor [batch, steps, size], and the lengths, an int64 tensor [batch].

    Raises:
        ValueError: A column does not become a sequence, or a feature is missing.
        errors.InvalidArgumentError: In run(): sequences of one example differ in length.
    """
    kinds = (EmbeddingColumn, IndicatorColumn, SequenceNumericColumn)
    columns = sorted_columns(feature_columns, kinds, "SequenceDenseColumn")
    variables = Variables(_collections(weight_collections), trainable)
    with variable_scope(None, "sequence_input_layer"):
        features, outputs, lengths = Features(features), [], []
        for column in columns:
            with variable_scope(None, column.scope):
                values, length = column.sequence(features, variables)
                size = column.variable_shape.num_elements()
                sizes = arrays.concat([arrays.shape(values)[:2], [size]], 0)
                outputs.append(arrays.reshape(values, sizes))
                lengths.append(length)
        check_batch(outputs, columns)
        checks = [assert_equal(lengths[0], other) for other in lengths[1:]]
        with control_dependencies(checks):
            return arrays.concat(outputs, -1), arrays.identity(lengths[0])
