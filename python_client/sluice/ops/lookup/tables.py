# SPDX-License-Identifier: Apache-2.0
"""Tables that are filled once."""

import uuid

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.tensor_shape import TensorShape
from .. import raw_ops
from ..building import with_names
from ..functions.tracing import outermost
from ..sparse.sparse_tensor import SparseTensor


class LookupTable:
    """A table that gives a value for a key. Tables of all kinds derive from it.

    Args:
        key_dtype: Dtype of the keys.
        value_dtype: Dtype of the values.
    """

    _resource_handle = None

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)

    @property
    def key_dtype(self):
        """The dtype of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self):
        """The dtype of the values."""
        return self._value_dtype

    @property
    def resource_handle(self):
        """The handle that operations of the table take, a resource scalar."""
        return self._resource_handle

    @property
    def name(self):
        """The name of the table without its scopes, a str."""
        return self._resource_handle.op.name.rpartition("/")[2]

    def size(self, name=None):
        """Counts the entries.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int64 scalar.
        """
        with name_scope(name, f"{self.name}_Size"):
            return raw_ops.LookupTableSizeV2(table_handle=self.resource_handle)

    def lookup(self, keys, name=None):
        """Returns the values of keys.

        Args:
            keys: A tensor of keys.
            name: Name of the operation, a str. None: a default name.

        Raises:
            NotImplementedError: Always: derived classes define it.
        """
        raise NotImplementedError

    def _check_keys(self, keys):
        if keys.dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}."
            )

    def __repr__(self):
        return (
            f"<sluice.{type(self).__name__} '{self.name}' {self._key_dtype.name} -> "
            f"{self._value_dtype.name}>"
        )


class FilledTable(LookupTable):
    """A table that an operation fills once. StaticHashTable is such.

    Args:
        default_value: The value of keys that the table lacks, a scalar.
        initializer: The first contents, such as a KeyValueTensorInitializer.
    """

    def __init__(self, default_value, initializer):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = convert_to_tensor(default_value, self._value_dtype)
        self._default_value.shape.merge_with(TensorShape([]))
        with outermost(get_default_graph()).as_default():
            self._resource_handle = self._create_resource()
            self._init_op = initializer.initialize(self)

    def _create_resource(self):
        raise NotImplementedError

    @property
    def initializer(self):
        """The Operation that fills the table."""
        return self._init_op

    @property
    def default_value(self):
        """The value of keys that the table lacks, a tensor."""
        return self._default_value

    def lookup(self, keys, name=None):
        """Returns the values of keys; the default value where the table lacks a key.

        Args:
            keys: A tensor or a SparseTensor of keys.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor of the shape of keys; a SparseTensor if keys is one.

        Raises:
            TypeError: The keys have another dtype.
            errors.FailedPreconditionError: In run(): the table is not initialised.
        """
        sparse = isinstance(keys, SparseTensor)
        dense = keys.values if sparse else keys
        self._check_keys(dense)
        with name_scope(name, f"{self.name}_Lookup"):
            values = raw_ops.LookupTableFindV2(
                table_handle=self.resource_handle, keys=dense, default_value=self._default_value
            )
        values.set_shape(dense.shape)
        return SparseTensor(keys.indices, values, keys.dense_shape) if sparse else values


class _HashTable(FilledTable):
    """A HashTableV2 node with a name and a name under which sessions share it."""

    def __init__(self, initializer, default_value, shared_name, name):
        self._shared_name, self._name = shared_name, name or "hash_table"
        super().__init__(default_value, initializer)

    def _create_resource(self):
        return raw_ops.HashTableV2(
            shared_name=self._shared_name, key_dtype=self.key_dtype, value_dtype=self.value_dtype,
            name=self._name,
        )  # fmt: skip

    def export(self, name=None):
        """Returns all keys and all values.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tuple: a tensor of keys, and a tensor of their values.
        """
        with name_scope(name, f"{self.name}_Export") as scope:
            keys, values = raw_ops.LookupTableExportV2(
                table_handle=self.resource_handle, Tkeys=self.key_dtype, Tvalues=self.value_dtype,
                name=scope if self._exports_under_scope else None,
            )  # fmt: skip
        values.set_shape(keys.shape.concatenate(self._default_value.shape))
        return keys, values

    _exports_under_scope = False


class StaticHashTable(_HashTable):
    """A hash table that is filled once, by its initializer or tables_initializer().

    Args:
        initializer: The first contents, such as a KeyValueTensorInitializer.
        default_value: The value of keys that the table lacks, a scalar.
        name: Name of the table, a str. None: "hash_table".

    Example:
        >>> first = sl.lookup.KeyValueTensorInitializer([1, 2], ["one", "two"])
        >>> table = sl.lookup.StaticHashTable(first, default_value="many")
        >>> with sl.Session() as session:
        ...     session.run(table.initializer)
        ...     print(session.run(table.lookup(sl.constant([2, 7]))))
        [b'two' b'many']
    """

    def __init__(self, initializer, default_value, name=None):
        shared = initializer._shared_name or f"hash_table_{uuid.uuid4()}"
        super().__init__(initializer, default_value, shared, name)


class HashTable(_HashTable):
    """A hash table that is filled once, by its initializer or tables_initializer().

    Args:
        initializer: The first contents, such as a KeyValueTensorInitializer.
        default_value: The value of keys that the table lacks, a scalar.
        shared_name: Name under which several sessions share the table, a str. None: they do not.
        name: Name of the table, a str. None: "hash_table".
    """

    _exports_under_scope = True

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        super().__init__(initializer, default_value, shared_name or "", name)

    @property
    def init(self):
        """The Operation that fills the table. Older name of initializer."""
        return self.initializer


__all__ = with_names(globals())
