# SPDX-License-Identifier: Apache-2.0
"""A layer that makes one tensor of feature columns."""

from ... import dtypes
from ...feature_column.columns import DenseColumn, Features, Variables, check_batch, sorted_columns
from ...feature_column.embedding import EmbeddingColumn
from ...feature_column.input_layers import as_rows
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ..engine.layer import Layer


class DenseFeatures(Layer):
    """Makes one tensor of the features of a batch, as input_layer() does.

    Args:
        feature_columns: Columns that become tensors, an iterable. They are taken in the order of
            their names.
        trainable: Whether optimizers change the variables. A bool.
        name: Name of the layer, a str. None: the class's name.
        **kwargs: Arguments of Layer.

    Raises:
        ValueError: A column becomes ids only.
    """

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(trainable, name, **kwargs)
        what = "those that become tensors"
        self._columns = sorted_columns(feature_columns, DenseColumn, what)
        self._variables = Variables([], trainable, use_resource=True)

    def build(self, input_shape):
        shared = {}  # name of the collection of shared columns -> the table
        for column in self._columns:
            if not isinstance(column, EmbeddingColumn):
                continue
            table = shared.get(column.collection)
            if table is None:
                with name_scope(column.scope):
                    table = column.make_table(self._variables, self._table)
            if column.collection is not None:
                shared[column.collection] = table
            self._variables.tables[column] = table
        self.built = True

    def _table(self, column):
        return self.add_weight(
            "embedding_weights", [column.categorical_column.num_buckets, column.dimension],
            dtypes.float32, column.initializer, trainable=self.trainable and column.trainable,
        )  # fmt: skip

    def call(self, features, cols_to_output_tensors=None):
        """Makes the tensor.

        Args:
            features: A dict: name of the feature -> tensor or SparseTensor.
            cols_to_output_tensors: A dict that gets: column -> its tensor. None: none.

        Returns:
            A float32 tensor [batch, size].

        Raises:
            ValueError: features is not a dict, or a feature is missing.
        """
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        features, outputs = Features(features), []
        for column in self._columns:
            with name_scope(column.name):
                outputs.append(as_rows(column.dense(features, self._variables), column))
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = outputs[-1]
        check_batch(outputs, self._columns)
        return arrays.concat(outputs, 1)

    def compute_output_shape(self, input_shape):
        """Computes the shape of the output.

        Args:
            input_shape: A dict: name of the feature -> its shape.

        Returns:
            A TensorShape.
        """
        first = TensorShape(next(iter(input_shape.values()))).as_list()[0]
        size = sum(column.variable_shape.num_elements() for column in self._columns)
        return TensorShape([first, size])


__all__ = ["DenseFeatures"]
