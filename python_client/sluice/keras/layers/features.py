# SPDX-License-Identifier: Apache-2.0
"""Layers that make one tensor of feature columns: of single features, or of sequences."""

from ... import dtypes
from ...feature_column import configs
from ...feature_column.columns import DenseColumn, Features, Variables, check_batch, sorted_columns
from ...feature_column.embedding import EmbeddingColumn, IndicatorColumn
from ...feature_column.input_layers import as_rows
from ...feature_column.sequences import SequenceNumericColumn
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ...ops.debug.assertions import assert_equal
from ..engine.layer import Layer


class _ColumnsLayer(Layer):
    """A layer of feature columns, which makes their tables first."""

    kinds, what = (), ""  # the classes of columns that it takes, and words for them

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(trainable, name, **kwargs)
        self._columns = sorted_columns(feature_columns, self.kinds, self.what)
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

    def _sizes(self, input_shape):
        """The sizes of the input, and how many values the columns have."""
        if isinstance(input_shape, dict):
            input_shape = next(iter(input_shape.values()))
        size = sum(column.variable_shape.num_elements() for column in self._columns)
        return [*TensorShape(input_shape).as_list(), None], size

    def get_config(self):
        base = {name: getattr(self, name) for name in ("name", "trainable", "dtype")}
        return {**base, "feature_columns": [configs.serialize(c) for c in self._columns]}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        columns = [configs.deserialize(c, custom_objects) for c in config["feature_columns"]]
        return cls(**{**config, "feature_columns": columns})


def _checked(features):
    if not isinstance(features, dict):
        raise ValueError("We expected a dictionary here. Instead we got: ", features)
    return Features(features)


class DenseFeatures(_ColumnsLayer):
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

    kinds, what = DenseColumn, "those that become tensors"

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
        features, outputs = _checked(features), []
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
            input_shape: A shape that begins with the size of the batch, or a dict: name of the
                feature -> its shape.

        Returns:
            A TensorShape.
        """
        sizes, size = self._sizes(input_shape)
        return TensorShape([sizes[0], size])


class SequenceFeatures(_ColumnsLayer):
    """Makes one sequence of the sequences of a batch.

    Args:
        feature_columns: Columns that become sequences, an iterable: sequence_numeric_column(), and
            embedding_column() or indicator_column() of sequence_categorical_column_with_...().
            They are taken in the order of their names.
        trainable: Whether optimizers change the variables. A bool.
        name: Name of the layer, a str. None: the class's name.
        **kwargs: Arguments of Layer.

    Raises:
        ValueError: A column does not become a sequence.
    """

    kinds = EmbeddingColumn, IndicatorColumn, SequenceNumericColumn
    what = "those that become sequences"

    def call(self, features):
        """Makes the sequence.

        Args:
            features: A dict: name of the feature -> SparseTensor.

        Returns:
            A tuple: a float32 tensor [batch, steps, size], and the lengths, an int64 tensor
            [batch].

        Raises:
            ValueError: features is not a dict, a feature is missing, or a column is not one of a
                sequence.
            errors.InvalidArgumentError: In run(): sequences of one example differ in length.
        """
        features, outputs, lengths = _checked(features), [], []
        for column in self._columns:
            with name_scope(column.name):
                values, length = column.sequence(features, self._variables)
                size = column.variable_shape.num_elements()
                sizes = arrays.concat([arrays.shape(values)[:2], [size]], 0)
                outputs.append(arrays.reshape(values, sizes))
                lengths.append(length)
        check_batch(lengths, self._columns)
        length = lengths[0]
        if lengths[1:]:
            with name_scope("assert_all_equal"):
                checks = [assert_equal(length, other) for other in lengths[1:]]
                with control_dependencies(checks):
                    length = arrays.identity(length)
        check_batch(outputs, self._columns)
        return arrays.concat(outputs, -1), length

    def compute_output_shape(self, input_shape):
        """Computes the shape of the sequence.

        Args:
            input_shape: A shape that begins with the sizes of the batch and of the steps.

        Returns:
            A TensorShape.
        """
        sizes, size = self._sizes(input_shape)
        return TensorShape([*sizes[:2], size])


__all__ = ["DenseFeatures"]
