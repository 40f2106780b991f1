# SPDX-License-Identifier: Apache-2.0
"""The input layer of ready-made estimators: it makes all its variables first."""

from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops.state.variable_scope import variable_scope
from .columns import DenseColumn, Features, Variables, check_batch, sorted_columns
from .embedding import EmbeddingColumn
from .input_layers import as_rows


def dense_features(features, feature_columns, name="input_layer", trainable=True):
    """One tensor of the features of a batch: see input_layer()."""
    columns = sorted_columns(feature_columns, DenseColumn, "DenseColumn")
    variables = Variables([], trainable, use_resource=True)
    with variable_scope(name, auxiliary_name_scope=False):
        for column in columns:
            if isinstance(column, EmbeddingColumn):
                with variable_scope(column.name, auxiliary_name_scope=False):
                    variables.tables[column] = column.make_table(variables)
    with name_scope(name):
        features, outputs = Features(features), []
        for column in columns:
            with name_scope(column.name):
                outputs.append(as_rows(column.dense(features, variables), column))
        check_batch(outputs, columns)
        return arrays.concat(outputs, 1)
