# SPDX-License-Identifier: Apache-2.0
"""Tables from the words of a vocabulary to their numbers, and back."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from ..building import with_names
from .initializers import (
    KeyValueTensorInitializer,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
)
from .tables import StaticHashTable
from .vocabulary import FastHashSpec, IdTableWithHashBuckets


def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None,
                          default_value=-1, hasher_spec=FastHashSpec, key_dtype=dtypes.string,
                          name=None, key_column_index=TextFileIndex.WHOLE_LINE,
                          value_column_index=TextFileIndex.LINE_NUMBER,
                          delimiter="\t"):  # fmt: skip
    """Makes a table from the lines of a file to their numbers.

    Args:
        vocabulary_file: Path of the file, a str or a string scalar.
        num_oov_buckets: How many buckets there are for other keys, an int.
        vocab_size: How many lines are read, an int. None: all.
        default_value: The value of other keys if there are no buckets, an int.
        hasher_spec: How a key gets its bucket, a HasherSpec.
        key_dtype: Dtype of the keys: string or an integer dtype.
        name: Name of the operation, a str. None: a default name.
        key_column_index: What of a line is the key, an int: see TextFileIndex.
        value_column_index: What of a line is the value, an int: see TextFileIndex.
        delimiter: The character between columns, a str.

    Returns:
        A table from key_dtype to int64.

    Raises:
        ValueError: The path is empty, or a number is out of its range.
        TypeError: Keys of this dtype are not possible.
    """
    _check_file(vocabulary_file)
    _check_buckets(num_oov_buckets)
    _check_size(vocab_size)
    key_dtype = _key_dtype(key_dtype)
    with name_scope(name, "string_to_index"):
        with name_scope(None, "hash_table"):
            first = TextFileIdTableInitializer(
                vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter,
                "table_init", dtypes.int64 if key_dtype.is_integer else key_dtype,
            )  # fmt: skip
            table = StaticHashTable(first, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, key_dtype)


def index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1,
                            hasher_spec=FastHashSpec, dtype=dtypes.string,
                            name=None):  # fmt: skip
    """Makes a table from the elements of a vector to their numbers.

    Args:
        mapping: A vector of different keys.
        num_oov_buckets: How many buckets there are for other keys, an int.
        default_value: The value of other keys if there are no buckets, an int.
        hasher_spec: How a key gets its bucket, a HasherSpec.
        dtype: Dtype of the keys: string or an integer dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A table from dtype to int64.

    Raises:
        ValueError: There is no vocabulary, it is not of dtype, or num_oov_buckets is negative.
        TypeError: Keys of this dtype are not possible.
    """
    if mapping is None:
        raise ValueError("vocabulary_list must be specified.")
    _check_buckets(num_oov_buckets)
    dtype = _key_dtype(dtype)
    with name_scope(name, "string_to_index"):
        keys = convert_to_tensor(mapping)
        integers = keys.dtype.is_integer
        if integers != dtype.is_integer or not integers and keys.dtype != dtype:
            kind = "integer" if dtype.is_integer else "non-integer" if integers else dtype
            raise ValueError(f"Expected {kind}, got {keys.dtype}.")
        values = arrays.cast(arrays.range(arrays.size(keys)), dtypes.int64)
        with name_scope(None, "hash_table"):
            keys = arrays.cast(keys, dtypes.int64) if integers else keys
            first = KeyValueTensorInitializer(keys, values, name="table_init")
            table = StaticHashTable(first, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, dtype)


def index_to_string_table_from_file(vocabulary_file, vocab_size=None, default_value="UNK",
                                    name=None, key_column_index=TextFileIndex.LINE_NUMBER,
                                    value_column_index=TextFileIndex.WHOLE_LINE,
                                    delimiter="\t"):  # fmt: skip
    """Makes a table from the numbers of lines of a file to the lines.

    Args:
        vocabulary_file: Path of the file, a str or a string scalar.
        vocab_size: How many lines are read, an int. None: all.
        default_value: The value of other numbers, a str.
        name: Name of the operation, a str. None: a default name.
        key_column_index: What of a line is the key, an int: see TextFileIndex.
        value_column_index: What of a line is the value, an int: see TextFileIndex.
        delimiter: The character between columns, a str.

    Returns:
        A table from int64 to string.

    Raises:
        ValueError: The path is empty, or vocab_size is not positive.
    """
    _check_file(vocabulary_file)
    _check_size(vocab_size)
    with name_scope(name, "index_to_string"):
        first = TextFileStringTableInitializer(
            vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter,
            "table_init",
        )  # fmt: skip
        return StaticHashTable(first, default_value)


def index_to_string_table_from_tensor(mapping, default_value="UNK", name=None):
    """Makes a table from the numbers of a vector's elements to the elements.

    Args:
        mapping: A string vector.
        default_value: The value of other numbers, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A table from int64 to string.

    Raises:
        ValueError: There is no vocabulary.
    """
    if mapping is None:
        raise ValueError("vocabulary_list must be specified.")
    with name_scope(name, "index_to_string"):
        values = convert_to_tensor(mapping, dtypes.string)
        keys = arrays.cast(arrays.range(arrays.size(values)), dtypes.int64)
        first = KeyValueTensorInitializer(keys, values, name="table_init")
        return StaticHashTable(first, default_value)


def _check_file(path):
    if path is None or isinstance(path, str) and not path:
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_size(vocab_size):
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")


def _check_buckets(count):
    if count < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {count}.")


def _key_dtype(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_integer and dtype != dtypes.string:
        raise TypeError("Only integer and string keys are supported.")
    return dtype


def _with_buckets(table, count, hasher_spec, key_dtype):
    if not count:
        return table
    return IdTableWithHashBuckets(table, count, hasher_spec, key_dtype=key_dtype)


__all__ = with_names(globals())
