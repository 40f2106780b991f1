# SPDX-License-Identifier: Apache-2.0
"""Columns of sequences: each step of an example has a value."""

import collections

from .. import dtypes
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import math, sparse
from . import categorical
from .columns import (
    CategoricalColumn,
    FeatureColumn,
    IdsAndWeights,
    Sequence,
    as_sparse,
    int64,
)
from .numeric import checked_shape
from .parsing import any_length


class SequenceColumn(
    CategoricalColumn, collections.namedtuple("SequenceColumn", "categorical_column")
):
    """The ids of sequences: a column whose ids are not combined over the steps."""

    @property
    def name(self):
        """The name, a str."""
        return self.categorical_column.name

    @property
    def parse_example_spec(self):
        """How the feature is parsed, a dict."""
        return self.categorical_column.parse_example_spec

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return self.categorical_column.num_buckets

    def transform(self, features):
        """Returns the ids."""
        return features.get(self.categorical_column)

    def ids_and_weights(self, features):
        """Returns the ids [batch, steps, ids of a step]."""
        found = self.categorical_column.ids_and_weights(features)
        return IdsAndWeights(*(None if part is None else _by_step(part) for part in found))


class SequenceNumericColumn(
    FeatureColumn,
    collections.namedtuple("SequenceNumericColumn", "key shape default_value dtype normalizer_fn"),
):
    """See sequence_numeric_column()."""

    @property
    def name(self):
        """The name, a str."""
        return self.key

    @property
    def parse_example_spec(self):
        """How the feature is parsed, a dict."""
        return {self.key: any_length(self.dtype)}

    @property
    def variable_shape(self):
        """The shape of a step, a TensorShape."""
        return TensorShape(self.shape)

    def transform(self, features):
        """Returns the numbers, a SparseTensor."""
        tensor = as_sparse(features.get(self.key))
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    def sequence(self, features, variables):
        """Makes the tensor [batch, steps, ...], and the lengths."""
        del variables
        tensor = features.get(self)
        values = sparse.to_dense(tensor, default_value=self.default_value)
        sizes = arrays.concat([arrays.shape(values)[:1], [-1], list(self.shape)], 0)
        values = arrays.reshape(values, sizes)
        each = self.variable_shape.num_elements() if tensor.shape.ndims == 2 else 1
        return Sequence(values, lengths_of(tensor, each))


def _by_step(tensor):
    sizes = tensor.dense_shape
    sizes = [sizes[0], sizes[1], math.reduce_prod(sizes[2:])]
    return sparse.reshape(tensor, arrays.stack(sizes))


def lengths_of(tensor, each=1):
    """How many steps each row has.

    Args:
        tensor: A SparseTensor [batch, steps, ...].
        each: How many values a step has, an int.

    Returns:
        An int64 vector.
    """
    rows, places = tensor.indices[:, 0], tensor.indices[:, 1]
    lengths = math.segment_max(places + arrays.ones_like(places), rows)
    lengths = int64(math.ceil(lengths / each))
    batch = arrays.cast(tensor.dense_shape[:1], dtypes.int32)
    lacking = batch - arrays.shape(lengths)[:1]  # rows at the end without values
    return arrays.concat([lengths, arrays.zeros(lacking, lengths.dtype)], 0)


# ---- the functions


def sequence_numeric_column(key, shape=(1,), default_value=0.0, dtype=dtypes.float32,
                            normalizer_fn=None):  # fmt: skip
    """Makes a column of sequences of numbers.

    Args:
        key: Name of the feature. As in TensorFlow, a key that is not a str is accepted.
        shape: Shape of a step, a list of ints or an int.
        default_value: The value after the end of shorter sequences, a number.
        dtype: Dtype of the feature.
        normalizer_fn: A function of the SparseTensor that is applied first. None: none.

    Returns:
        A column that becomes a sequence.

    Raises:
        ValueError: An argument is invalid.
        TypeError: normalizer_fn is not a function.
    """
    dtype = dtypes.as_dtype(dtype)
    shape = checked_shape(shape, key)
    if not dtype.is_integer and not dtype.is_floating:
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def sequence_categorical_column_with_identity(key, num_buckets, default_value=None):
    """Makes a column of sequences whose ids are the values themselves.

    Args:
        key: Name of the feature, a str.
        num_buckets: How many ids there are, an int.
        default_value: The id of values outside of [0, num_buckets), an int. None: they fail.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid.
    """
    return SequenceColumn(
        categorical.categorical_column_with_identity(key, num_buckets, default_value)
    )


def sequence_categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    """Makes a column of sequences whose ids are buckets of a hash.

    Args:
        key: Name of the feature, a str.
        hash_bucket_size: How many buckets there are, an int.
        dtype: Dtype of the feature: string or an integer dtype.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid.
    """
    return SequenceColumn(
        categorical.categorical_column_with_hash_bucket(key, hash_bucket_size, dtype)
    )


def sequence_categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None,
                                                     num_oov_buckets=0, default_value=None,
                                                     dtype=dtypes.string):  # fmt: skip
    """Makes a column of sequences whose ids are numbers of a file's lines.

    Args:
        key: Name of the feature, a str.
        vocabulary_file: Path of the file, a str.
        vocabulary_size: How many lines count, an int. None: all: the file is read now.
        num_oov_buckets: How many buckets there are for other values, an int.
        default_value: The id of other values if there are no buckets, an int. None: -1.
        dtype: Dtype of the feature: string or an integer dtype.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid, or the file does not exist.
    """
    return SequenceColumn(categorical.categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
    ))  # fmt: skip


def sequence_categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None,
                                                     default_value=-1,
                                                     num_oov_buckets=0):  # fmt: skip
    """Makes a column of sequences whose ids are places in a list.

    Args:
        key: Name of the feature, a str.
        vocabulary_list: The values, a list of str or of ints, all different.
        dtype: Dtype of the feature: string or an integer dtype. None: that of the values.
        default_value: The id of other values if there are no buckets, an int.
        num_oov_buckets: How many buckets there are for other values, an int.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid.
    """
    return SequenceColumn(categorical.categorical_column_with_vocabulary_list(
        key, vocabulary_list, dtype, default_value, num_oov_buckets
    ))  # fmt: skip
