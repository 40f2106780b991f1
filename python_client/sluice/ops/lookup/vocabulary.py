# SPDX-License-Identifier: Apache-2.0
"""Tables of ids that give keys outside of the vocabulary a bucket by their hash."""

import collections

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names
from ..control_flow.grouping import no_op
from ..sparse.sparse_tensor import SparseTensor
from ..strings import strings
from .tables import LookupTable, StaticHashTable


class HasherSpec(collections.namedtuple("HasherSpec", ["hasher", "key"])):
    """How a string gets its bucket.

    Args:
        hasher: "fasthash", "stronghash" or "legacy".
        key: The key of "stronghash", two ints; else None.
    """

    __slots__ = ()


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash with a key, which nobody can foresee without it.

    Args:
        key: Two ints.

    Raises:
        ValueError: There are not two.
        TypeError: They are not ints.
    """

    __slots__ = ()

    def __new__(cls, key):
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(isinstance(part, int) for part in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return HasherSpec.__new__(cls, "stronghash", key)


class _WithBuckets(LookupTable):
    """A table, or none, and buckets for the keys that it lacks."""

    def __init__(self, table, num_oov_buckets, hasher_spec, key_dtype, name):
        if not key_dtype.is_integer and key_dtype != dtypes.string:
            raise TypeError(f"Invalid key_dtype, expected integer or string, got {key_dtype}.")
        self._table, self._num_oov_buckets, self._hasher_spec = table, num_oov_buckets, hasher_spec
        self._table_name = (name or "hash_bucket").rstrip("/").rpartition("/")[2]
        super().__init__(key_dtype, dtypes.int64)

    @property
    def resource_handle(self):
        """The handle of the table, a resource scalar; None if there are buckets only."""
        return None if self._table is None else self._table.resource_handle

    @property
    def name(self):
        """The name of the table without its scopes, a str."""
        return self._table_name

    @property
    def initializer(self):
        """The Operation that fills the table."""
        if self._table is not None:
            return self._table.initializer
        with name_scope(None, "init"):
            return no_op()

    def size(self, name=None):
        """Counts the entries and buckets.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int64 scalar.
        """
        with name_scope(name, f"{self.name}_Size"):
            known = (
                convert_to_tensor(0, dtypes.int64) if self._table is None else self._table.size()
            )
            return known + self._num_oov_buckets

    def lookup(self, keys, name=None):
        """Returns the ids of keys; a bucket after the ids where the table lacks a key.

        Args:
            keys: A tensor or a SparseTensor of keys.
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int64 tensor of the shape of keys; a SparseTensor if keys is one.

        Raises:
            TypeError: The keys have another dtype.
            errors.FailedPreconditionError: In run(): the table is not initialised.
        """
        sparse = isinstance(keys, SparseTensor)
        dense = keys.values if sparse else keys
        self._check_keys(dense)
        if self._table is not None and self._table.key_dtype == dtypes.int64:
            dense = arrays.cast(dense, dtypes.int64)
        if self._num_oov_buckets == 0:
            ids = self._table.lookup(dense, name)
        else:
            with name_scope(name, f"{self.name}_Lookup"):
                ids = self._ids(dense)
        return SparseTensor(keys.indices, ids, keys.dense_shape) if sparse else ids

    def _ids(self, keys):
        texts = keys if keys.dtype == dtypes.string else strings.as_string(keys)
        buckets = self._buckets(texts)
        if self._table is None:
            return buckets
        ids = self._table.lookup(keys)
        buckets = math.add(buckets, self._table.size())
        known = math.not_equal(ids, self._table.default_value)
        return raw_ops.SelectV2(condition=known, t=ids, e=buckets)

    def _buckets(self, texts):
        hasher, key = self._hasher_spec
        more = {"num_buckets": self._num_oov_buckets, "name": "hash_bucket"}
        if hasher == "fasthash":
            return strings.to_hash_bucket_fast(texts, **more)
        if hasher == "legacy":
            return strings.to_hash_bucket(texts, **more)
        if hasher == "stronghash":
            return strings.to_hash_bucket_strong(texts, key=list(key), **more)
        raise ValueError(f"Unknown hasher {hasher}")


def _checked_key_dtype(source, key_dtype):
    """The dtype of keys over a table or initializer; TypeError where they do not fit."""
    key_dtype = source.key_dtype if key_dtype is None else dtypes.as_dtype(key_dtype)
    if source.key_dtype not in (dtypes.int64, dtypes.string):
        raise TypeError(
            f"Invalid key dtype, expected one of {[dtypes.int64, dtypes.string]}, but got"
            f" {source.key_dtype}."
        )
    if source.key_dtype.is_integer != key_dtype.is_integer:
        raise TypeError(
            f"Invalid key dtype, expected {'integer' if key_dtype.is_integer else 'non-integer'}"
            f" but got {source.key_dtype}."
        )
    if source.value_dtype != dtypes.int64:
        raise TypeError(
            f"Invalid value dtype, expected {dtypes.int64} but got {source.value_dtype}."
        )
    return key_dtype


class IdTableWithHashBuckets(_WithBuckets):
    """A table of ids that gives a key outside of the vocabulary a bucket by its hash.

    Args:
        table: A table from strings or int64 to int64 ids. None: there are buckets only.
        num_oov_buckets: How many buckets there are, an int.
        hasher_spec: How a key gets its bucket, a HasherSpec.
        name: Name of the table, a str. None: that of `table`.
        key_dtype: Dtype of the keys. None: that of `table`, else string.

    Raises:
        ValueError: There are neither a table nor buckets.
        TypeError: Dtypes or hasher_spec are not possible.
    """

    def __init__(self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None,
                 key_dtype=None):  # fmt: skip
        if table is not None:
            key_dtype = _checked_key_dtype(table, key_dtype)
        elif num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0 if no table is supplied.")
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {hasher_spec}")
        key_dtype = dtypes.string if key_dtype is None else dtypes.as_dtype(key_dtype)
        name = name or (table.name if table is not None else None)
        super().__init__(table, num_oov_buckets, hasher_spec, key_dtype, name)

    @property
    def init(self):
        """The Operation that fills the table. Older name of initializer."""
        return self.initializer


class StaticVocabularyTable(_WithBuckets):
    """A table of the ids of a vocabulary, with buckets for all other keys.

    Args:
        initializer: The vocabulary, such as a TextFileInitializer with int64 values. None: there
            are buckets only.
        num_oov_buckets: How many buckets there are, an int.
        lookup_key_dtype: Dtype of the keys. None: that of the initializer, else string.
        name: Name of the table, a str. None: a default name.

    Raises:
        ValueError: There are no buckets.
        TypeError: Dtypes are not possible.

    Example:
        >>> words = sl.lookup.KeyValueTensorInitializer(["a", "b"], [0, 1], sl.string, sl.int64)
        >>> table = sl.lookup.StaticVocabularyTable(words, num_oov_buckets=1)
        >>> with sl.Session() as session:
        ...     session.run(table.initializer)
        ...     print(session.run(table.lookup(sl.constant(["b", "z", "a"]))))
        [1 2 0]
    """

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None):
        if num_oov_buckets <= 0:
            raise ValueError(f"num_oov_buckets must be > 0. It is {num_oov_buckets}")
        table = None
        if initializer is not None:
            lookup_key_dtype = _checked_key_dtype(initializer, lookup_key_dtype)
            table = StaticHashTable(initializer, -1)
            name = name or table.name
        else:
            lookup_key_dtype = dtypes.string
        super().__init__(table, num_oov_buckets, FastHashSpec, lookup_key_dtype, name)


__all__ = [*with_names(globals()), "FastHashSpec"]
