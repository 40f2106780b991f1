# SPDX-License-Identifier: Apache-2.0
"""Columns that make dense tensors of ids: counts, and rows of a table that is trained."""

import collections
import math as _math

from .. import dtypes
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.keys import GraphKeys
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import math, sparse
from ..ops.nn.sampling import safe_embedding_lookup_sparse
from ..ops.state.initializers import truncated_normal
from ..ops.state.variable_scope import get_variable
from ..training.warm_start import init_from_checkpoint
from .categorical import WeightedColumn
from .columns import CategoricalColumn, DenseColumn, Sequence
from .sequences import SequenceColumn, lengths_of


class _OfIds(DenseColumn):
    """A column that makes a dense tensor of the ids of another one."""

    _function = "embedding_column"  # the function that makes it, which errors name

    @property
    def parse_example_spec(self):
        """How the features are parsed, a dict."""
        return self.categorical_column.parse_example_spec

    def dense(self, features, variables):
        """Makes the tensor [batch, ...]."""
        if isinstance(self.categorical_column, SequenceColumn):
            raise ValueError(
                f"In {self._function}: {self.name}. categorical_column must not be of type"
                " _SequenceCategoricalColumn. Suggested fix A: If you wish to use DenseFeatures,"
                " use a non-sequence categorical_column_with_*. Suggested fix B: If you wish to"
                " create sequence input, use SequenceFeatures instead of DenseFeatures. Given (type"
                f" {type(self.categorical_column)}): {self.categorical_column}"
            )
        return self._dense(features, variables)

    def sequence(self, features, variables):
        """Makes the tensor [batch, steps, ...], and the lengths."""
        if not isinstance(self.categorical_column, SequenceColumn):
            raise ValueError(
                f"In {self._function}: {self.name}. categorical_column must be of type"
                " SequenceCategoricalColumn to use SequenceFeatures. Suggested fix: Use one of"
                " sequence_categorical_column_with_*. Given (type"
                f" {type(self.categorical_column)}): {self.categorical_column}"
            )
        values = self._dense(features, variables)
        ids, _ = self.categorical_column.ids_and_weights(features)
        return Sequence(values, lengths_of(ids))

    def _dense(self, features, variables):
        raise NotImplementedError


class IndicatorColumn(_OfIds, collections.namedtuple("IndicatorColumn", "categorical_column")):
    """See indicator_column()."""

    _function = "indicator_column"

    @property
    def name(self):
        """The name, a str."""
        return f"{self.categorical_column.name}_indicator"

    @property
    def variable_shape(self):
        """The shape of the tensor without the batch, a TensorShape."""
        return TensorShape([1, self.categorical_column.num_buckets])

    def transform(self, features):
        """Returns how often each id occurs."""
        ids, weights = self.categorical_column.ids_and_weights(features)
        count = self.categorical_column.num_buckets
        if weights is not None:
            merged = sparse.merge(ids, weights, count)
            merged = sparse.slice(merged, [0, 0], merged.dense_shape)
            return arrays.scatter_nd(merged.indices, merged.values, merged.dense_shape)
        one_hot = arrays.one_hot(sparse.to_dense(ids, default_value=-1), count, 1.0, 0.0)
        return math.reduce_sum(one_hot, axis=[-2])

    def _dense(self, features, variables):
        del variables
        return features.get(self)


class EmbeddingColumn(
    _OfIds,
    collections.namedtuple(
        "EmbeddingColumn",
        "categorical_column dimension combiner initializer max_norm trainable checkpoint"
        " collection",
    ),
):
    """See embedding_column()."""

    @property
    def name(self):
        """The name, a str."""
        return f"{self.categorical_column.name}_embedding"

    @property
    def ckpt_to_load_from(self):
        """The path of the checkpoint with the table, a str; None if there is none."""
        return self.checkpoint[0]

    @property
    def tensor_name_in_ckpt(self):
        """The table's name in the checkpoint, a str; None if there is none."""
        return self.checkpoint[1]

    @property
    def variable_shape(self):
        """The shape of the tensor without the batch, a TensorShape."""
        return TensorShape([self.dimension])

    def transform(self, features):
        """Returns the ids."""
        return features.get(self.categorical_column)

    def _dense(self, features, variables):
        ids, weights = self.categorical_column.ids_and_weights(features)
        table = variables.tables.get(self)
        table = self.make_table(variables) if table is None else table
        return safe_embedding_lookup_sparse(
            table, ids, weights, self.combiner, name=f"{self.name}_weights",
            max_norm=self.max_norm,
        )  # fmt: skip

    def make_table(self, variables, make=None):
        """Makes the table.

        Args:
            variables: How variables are made, a Variables.
            make: A function of the column that makes it. None: get_variable() does.

        Returns:
            A variable.
        """
        table = self._table(variables) if make is None else make(self)
        path, saved = self.checkpoint
        if path is not None:
            init_from_checkpoint(path, {saved: table})
        return table

    def _table(self, variables):
        collections = list(variables.collections)
        if collections and GraphKeys.GLOBAL_VARIABLES not in collections:
            collections.append(GraphKeys.GLOBAL_VARIABLES)
        return get_variable(
            "embedding_weights", [self.categorical_column.num_buckets, self.dimension],
            dtypes.float32, self.initializer, trainable=self.trainable and variables.trainable,
            collections=collections or None, use_resource=variables.use_resource,
        )  # fmt: skip


class SharedEmbeddingColumn(EmbeddingColumn):
    """See shared_embedding_columns()."""

    @property
    def name(self):
        """The name, a str."""
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def scope(self):
        """The name of the variable scope of the column, a str."""
        return self.collection

    def _dense(self, features, variables):
        with name_scope(None, self.name):
            return super()._dense(features, variables)

    def _table(self, variables):
        found = get_default_graph().get_collection(self.collection)
        if len(found) > 1:
            raise ValueError(f"the collection {self.collection} must have one variable only")
        if not found:
            found = [super()._table(variables)]
            get_default_graph().add_to_collection(self.collection, found[0])
        shape = [self.categorical_column.num_buckets, self.dimension]
        if found[0].shape.as_list() != shape:
            raise ValueError(
                f"the collection {self.collection} has a variable of shape {found[0].shape}, not "
                f"{shape}"
            )
        return found[0]


# ---- the functions


def indicator_column(categorical_column):
    """Makes a column of how often each id occurs.

    Args:
        categorical_column: A column that becomes ids.

    Returns:
        A column that becomes a tensor.
    """
    return IndicatorColumn(categorical_column)


def _checked_initializer(dimension, initializer, checkpoint):
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (checkpoint[0] is None) != (checkpoint[1] is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified. Given: {initializer}")
    return initializer or truncated_normal(0.0, 1 / _math.sqrt(dimension))


def embedding_column(categorical_column, dimension, combiner="mean", initializer=None,
                     ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None,
                     trainable=True):  # fmt: skip
    """Makes a column of the rows that a trained table has for ids.

    Args:
        categorical_column: A column that becomes ids.
        dimension: Size of a row, an int.
        combiner: How the rows of one example become one: "mean", "sum" or "sqrtn".
        initializer: A function of (shape, dtype). None: a truncated normal distribution.
        ckpt_to_load_from: Path of a checkpoint that the table begins with, a str. None: none.
        tensor_name_in_ckpt: Name of the table in that checkpoint, a str.
        max_norm: Rows with a larger norm are scaled down to it, a float. None: no limit.
        trainable: Whether optimizers change the table. A bool.

    Returns:
        A column that becomes a tensor.

    Raises:
        ValueError: An argument is invalid.
    """
    checkpoint = ckpt_to_load_from, tensor_name_in_ckpt
    initializer = _checked_initializer(dimension, initializer, checkpoint)
    return EmbeddingColumn(
        categorical_column, dimension, combiner, initializer, max_norm, trainable, checkpoint, None
    )


def shared_embedding_columns(categorical_columns, dimension, combiner="mean", initializer=None,
                             shared_embedding_collection_name=None, ckpt_to_load_from=None,
                             tensor_name_in_ckpt=None, max_norm=None, trainable=True):  # fmt: skip
    """Makes columns of the rows that one trained table has for the ids of several columns.

    Args:
        categorical_columns: Columns of one kind that become ids, a list.
        dimension: Size of a row, an int.
        combiner: How the rows of one example become one: "mean", "sum" or "sqrtn".
        initializer: A function of (shape, dtype). None: a truncated normal distribution.
        shared_embedding_collection_name: Name of the collection that has the table, a str. None: it
            follows from the names of the columns.
        ckpt_to_load_from: Path of a checkpoint that the table begins with, a str. None: none.
        tensor_name_in_ckpt: Name of the table in that checkpoint, a str.
        max_norm: Rows with a larger norm are scaled down to it, a float. None: no limit.
        trainable: Whether optimizers change the table. A bool.

    Returns:
        A list of columns that become tensors.

    Raises:
        ValueError: An argument is invalid, or the columns differ in kind or in size.
    """
    checkpoint = ckpt_to_load_from, tensor_name_in_ckpt
    initializer = _checked_initializer(dimension, initializer, checkpoint)
    ordered = sorted(categorical_columns, key=lambda column: column.name)
    plain = [c.categorical_column if isinstance(c, WeightedColumn) else c for c in ordered]
    if not isinstance(plain[0], CategoricalColumn):
        raise ValueError(
            "All categorical_columns must be subclasses of _CategoricalColumn. Given:"
            f" {plain[0]}, of type: {type(plain[0])}"
        )
    for column in plain[1:]:
        if not isinstance(column, type(plain[0])):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same type,"
                f" or be weighted_categorical_column of the same type. Given column: {plain[0]} of"
                f" type: {type(plain[0])} does not match given column: {column} of type:"
                f" {type(column)}"
            )
        if column.num_buckets != plain[0].num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number"
                f" of buckets. Given column: {plain[0]} with buckets: {plain[0].num_buckets} does "
                f" not match column: {column} with buckets: {column.num_buckets}"
            )
    name = shared_embedding_collection_name
    name = name or "_".join(c.name for c in ordered) + "_shared_embedding"
    return [
        SharedEmbeddingColumn(
            c, dimension, combiner, initializer, max_norm, trainable, checkpoint, name
        )
        for c in categorical_columns
    ]
