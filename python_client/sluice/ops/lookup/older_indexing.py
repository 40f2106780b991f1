# SPDX-License-Identifier: Apache-2.0
"""Older functions of vocabularies of strings, which only contrib has."""

from ..building import with_names
from . import indexing
from .vocabulary import FastHashSpec


def string_to_index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None,
                                    default_value=-1, hasher_spec=FastHashSpec,
                                    name=None):  # fmt: skip
    """Makes a table from the lines of a file to their numbers. Older form of
    index_table_from_file().

    Args:
        vocabulary_file: Path of the file, a str or a string scalar.
        num_oov_buckets: How many buckets there are for other keys, an int.
        vocab_size: How many lines are read, an int. None: all.
        default_value: The value of other keys if there are no buckets, an int.
        hasher_spec: How a key gets its bucket, a HasherSpec.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A table from string to int64.

    Raises:
        ValueError: The path is empty, or a number is out of its range.
    """
    return indexing.index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name
    )


def string_to_index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1,
                                      hasher_spec=FastHashSpec, name=None):  # fmt: skip
    """Makes a table from the elements of a vector to their numbers. Older form of
    index_table_from_tensor().

    Args:
        mapping: A vector of different strings.
        num_oov_buckets: How many buckets there are for other keys, an int.
        default_value: The value of other keys if there are no buckets, an int.
        hasher_spec: How a key gets its bucket, a HasherSpec.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A table from string to int64.

    Raises:
        ValueError: mapping is None or has no strings, or num_oov_buckets is negative.
    """
    return indexing.index_table_from_tensor(
        mapping, num_oov_buckets, default_value, hasher_spec, name=name
    )


def string_to_index(tensor, mapping, default_value=-1, name=None):
    """Looks up the numbers of strings in a vocabulary. tables_initializer() fills the table.

    Args:
        tensor: A string tensor or SparseTensor.
        mapping: The vocabulary, a vector of different strings.
        default_value: The value of other strings, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int64 tensor or SparseTensor of the shape of `tensor`.

    Raises:
        ValueError: mapping is None.
    """
    table = indexing.index_table_from_tensor(mapping, default_value=default_value, name=name)
    return table.lookup(tensor)


def index_to_string(tensor, mapping, default_value="UNK", name=None):
    """Looks up the strings of numbers in a vocabulary. tables_initializer() fills the table.

    Args:
        tensor: An int64 tensor or SparseTensor.
        mapping: The vocabulary, a string vector.
        default_value: The value of other numbers, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string tensor or SparseTensor of the shape of `tensor`.

    Raises:
        ValueError: mapping is None.
        TypeError: `tensor` is not int64.
    """
    table = indexing.index_to_string_table_from_tensor(mapping, default_value, name)
    return table.lookup(tensor)


__all__ = with_names(globals())
