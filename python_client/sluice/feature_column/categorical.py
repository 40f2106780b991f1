# SPDX-License-Identifier: Apache-2.0
"""Columns of ids: by a hash, by themselves, by a vocabulary; and with weights."""

import collections

import numpy as np

from .. import dtypes
from ..files import gfile
from ..graph.default_graph import control_dependencies
from ..ops import array as arrays
from ..ops import math, raw_ops
from ..ops.debug.assertions import assert_greater_equal, assert_less
from ..ops.lookup.indexing import index_table_from_file, index_table_from_tensor
from ..ops.sparse.sparse_tensor import SparseTensor
from ..ops.strings import strings
from .columns import (
    CategoricalColumn,
    IdsAndWeights,
    as_sparse,
    check_key,
    check_text_or_integer,
    int64,
)
from .parsing import any_length


class _KeyColumn(CategoricalColumn):
    """A column of one feature with any number of values."""

    @property
    def name(self):
        """The name, a str."""
        return self.key

    @property
    def parse_example_spec(self):
        """How the feature is parsed, a dict."""
        return {self.key: any_length(self.dtype)}

    def transform(self, features):
        """Returns the ids of the feature's values."""
        return self._ids(as_sparse(features.get(self.key)))

    def _ids(self, tensor):
        raise NotImplementedError

    def _check(self, tensor):
        check_text_or_integer(tensor.dtype, f"column_name: {self.key} input_tensor")
        if tensor.dtype.is_integer != self.dtype.is_integer:
            raise ValueError(
                "Column dtype and SparseTensors dtype must be compatible. key:"
                f" {self.key}, column dtype: {self.dtype}, tensor dtype: {tensor.dtype}"
            )


class HashedColumn(
    collections.namedtuple("HashedColumn", "key hash_bucket_size dtype"), _KeyColumn
):
    """See categorical_column_with_hash_bucket()."""

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return self.hash_bucket_size

    def _ids(self, tensor):
        self._check(tensor)
        values = tensor.values
        values = values if self.dtype == dtypes.string else strings.as_string(values)
        ids = strings.to_hash_bucket_fast(values, self.num_buckets, name="lookup")
        return SparseTensor(tensor.indices, ids, tensor.dense_shape)


class IdentityColumn(
    collections.namedtuple("IdentityColumn", "key number_buckets default_value"), _KeyColumn
):
    """See categorical_column_with_identity()."""

    dtype = dtypes.int64

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return self.number_buckets

    def _ids(self, tensor):
        if not tensor.dtype.is_integer:
            raise ValueError(
                f"Invalid input, not integer. key: {self.key} dtype: {tensor.dtype}"
            )
        values = int64(tensor.values, "values")
        count, zero = int64(self.num_buckets, "num_buckets"), int64(0, "zero")
        if self.default_value is None:
            above = f'Bucket index for categorical column "{self.name}" exceeds number of buckets'
            below = f'Negative bucket index for categorical column "{self.name}"'
            checks = [
                assert_less(
                    values, count, [values, count], message=above,
                    name="assert_less_than_num_buckets",
                ),
                assert_greater_equal(
                    values, zero, [values], message=below,
                    name="assert_greater_or_equal_0",
                ),
            ]  # fmt: skip
            with control_dependencies(checks):
                values = arrays.identity(values)
        else:
            others = arrays.fill(arrays.shape(values), int64(self.default_value), "default_values")
            outside = math.logical_or(values < zero, values >= count, name="out_of_range")
            values = raw_ops.SelectV2(condition=outside, t=others, e=values)
        return SparseTensor(tensor.indices, values, tensor.dense_shape)


class _VocabularyColumn(_KeyColumn):
    def _ids(self, tensor):
        self._check(tensor)
        kind = self.dtype
        if tensor.dtype.is_integer:
            kind, values = dtypes.int64, int64(tensor.values)
            tensor = SparseTensor(tensor.indices, values, tensor.dense_shape)
        return self._table(kind, f"{self.key}_lookup").lookup(tensor)

    def _table(self, kind, name):
        raise NotImplementedError


class VocabularyFileColumn(
    _VocabularyColumn,
    collections.namedtuple(
        "VocabularyFileColumn",
        "key vocabulary_file vocabulary_size num_oov_buckets dtype default_value",
    ),
):
    """See categorical_column_with_vocabulary_file()."""

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return self.vocabulary_size + self.num_oov_buckets

    def _table(self, kind, name):
        return index_table_from_file(
            self.vocabulary_file, self.num_oov_buckets, self.vocabulary_size, self.default_value,
            key_dtype=kind, name=name,
        )  # fmt: skip


class VocabularyListColumn(
    _VocabularyColumn,
    collections.namedtuple(
        "VocabularyListColumn", "key vocabulary_list dtype default_value num_oov_buckets"
    ),
):
    """See categorical_column_with_vocabulary_list()."""

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return len(self.vocabulary_list) + self.num_oov_buckets

    def _table(self, kind, name):
        return index_table_from_tensor(
            list(self.vocabulary_list), self.num_oov_buckets, self.default_value, dtype=kind,
            name=name,
        )  # fmt: skip


class WeightedColumn(
    CategoricalColumn,
    collections.namedtuple("WeightedColumn", "categorical_column weight_feature_key dtype"),
):
    """See weighted_categorical_column()."""

    @property
    def name(self):
        """The name, a str."""
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self):
        """How the features are parsed, a dict."""
        found = self.categorical_column.parse_example_spec
        if self.weight_feature_key in found:
            key = self.weight_feature_key
            raise ValueError(f"Parse config {found[key]} already exists for {key}.")
        return {**found, self.weight_feature_key: any_length(self.dtype)}

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return self.categorical_column.num_buckets

    def transform(self, features):
        """Returns the ids and their weights."""
        weights = features.get(self.weight_feature_key)
        if weights.dtype != self.dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        weights = as_sparse(weights, 0)
        if not weights.dtype.is_floating:
            values = arrays.cast(weights.values, dtypes.float32)
            weights = SparseTensor(weights.indices, values, weights.dense_shape)
        return IdsAndWeights(features.get(self.categorical_column), weights)

    def ids_and_weights(self, features):
        """Returns the ids and their weights."""
        return features.get(self)


# ---- the functions


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    """Makes a column whose ids are buckets of a hash.

    Args:
        key: Name of the feature, a str.
        hash_bucket_size: How many buckets there are, an int.
        dtype: Dtype of the feature: string or an integer dtype.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid.
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(
            "hash_bucket_size must be at least 1. hash_bucket_size:"
            f" {hash_bucket_size}, key: {key}"
        )
    check_key(key)
    dtype = dtypes.as_dtype(dtype)
    check_text_or_integer(dtype, f"column_name: {key}")
    return HashedColumn(key, hash_bucket_size, dtype)


def categorical_column_with_identity(key, num_buckets, default_value=None):
    """Makes a column whose ids are the feature's values themselves.

    Args:
        key: Name of the feature, a str.
        num_buckets: How many ids there are, an int.
        default_value: The id of values outside of [0, num_buckets), an int. None: they fail.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid.

    Example:
        >>> ids = sl.feature_column.categorical_column_with_identity("id", 3)
        >>> column = sl.feature_column.indicator_column(ids)
        >>> x = sl.feature_column.input_layer({"id": sl.constant([[2], [0]])}, [column])
        >>> sl.Session().run(x)
        array([[0., 0., 1.],
               [1., 0., 0.]], dtype=float32)
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}"
        )
    check_key(key)
    return IdentityColumn(key, num_buckets, default_value)


def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None,
                                            num_oov_buckets=0, default_value=None,
                                            dtype=dtypes.string):  # fmt: skip
    """Makes a column whose ids are numbers of a file's lines.

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
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not gfile.exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with gfile.GFile(vocabulary_file) as file:
            vocabulary_size = sum(1 for _ in file)
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_buckets(key, num_oov_buckets, default_value is not None)
    dtype = dtypes.as_dtype(dtype)
    check_text_or_integer(dtype, f"column_name: {key}")
    check_key(key)
    default_value = -1 if default_value is None else default_value
    return VocabularyFileColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype, default_value
    )


def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1,
                                            num_oov_buckets=0):  # fmt: skip
    """Makes a column whose ids are places in a list.

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

    Example:
        >>> words = sl.feature_column.categorical_column_with_vocabulary_list("word", ["a", "b"])
        >>> column = sl.feature_column.indicator_column(words)
        >>> x = sl.feature_column.input_layer({"word": sl.constant([["b"], ["c"]])}, [column])
        >>> with sl.Session() as session:
        ...     session.run(sl.tables_initializer())
        ...     print(session.run(x))
        [[0. 1.]
         [0. 0.]]
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(
            f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}"
        )
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(
            f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}"
        )
    own = np.array(vocabulary_list)
    own = dtypes.string if own.dtype.kind in "USO" else dtypes.as_dtype(own.dtype)
    _check_buckets(key, num_oov_buckets, default_value != -1)
    check_text_or_integer(own, f"column_name: {key} vocabulary")
    dtype = own if dtype is None else dtypes.as_dtype(dtype)
    if dtype.is_integer != own.is_integer:
        raise ValueError(
            f"dtype {dtype} and vocabulary dtype {own} do not match, column_name: {key}"
        )
    check_text_or_integer(dtype, f"column_name: {key}")
    check_key(key)
    return VocabularyListColumn(key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


def _check_buckets(key, count, has_default):
    if count and has_default:
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
    if count and count < 0:
        raise ValueError(f"Invalid num_oov_buckets {count} in {key}.")


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=dtypes.float32):
    """Makes a column of ids with weights.

    Args:
        categorical_column: A column that becomes ids.
        weight_feature_key: Name of the feature with the weights, a str.
        dtype: Dtype of that feature.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: The dtype is not one of numbers.
    """
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    if dtype is None or not dtype.is_integer and not dtype.is_floating:
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedColumn(categorical_column, weight_feature_key, dtype)
