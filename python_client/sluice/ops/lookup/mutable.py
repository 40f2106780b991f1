# SPDX-License-Identifier: Apache-2.0
"""Tables that steps change. A Saver saves them with the variables."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import colocate_with, get_default_graph, name_scope
from ...graph.keys import GraphKeys
from .. import raw_ops
from ..building import with_names
from .tables import LookupTable


class _SavedTable:
    """What a Saver takes for a table: its keys and its values are saved as two tensors."""

    def __init__(self, table, name):
        self.table, self.name = table, name
        keys, values = table.export()
        self.tensors = [(f"{name}-keys", keys), (f"{name}-values", values)]

    @property
    def op(self):
        """The Operation of the table."""
        return self.table.resource_handle.op

    @property
    def device(self):
        """The device that the program requested for what is saved, a str."""
        return self.tensors[0][1].device

    def restore(self, values):
        """Adds the operation that replaces the contents."""
        keys, values = values
        handle = self.table.resource_handle
        with name_scope(None, f"{self.name}_table_restore"), colocate_with(handle.op):
            return raw_ops.LookupTableImportV2(table_handle=handle, keys=keys, values=values)


class _MutableTable(LookupTable):
    """A table with insert() and remove()."""

    _default_name = "default_value"

    def __init__(self, key_dtype, value_dtype, default_value, name, checkpoint):
        super().__init__(key_dtype, value_dtype)
        self._checkpoint, self._name = checkpoint, name
        self._default_value = convert_to_tensor(
            default_value, self._value_dtype, self._default_name
        )
        self._resource_handle = self._create_resource()
        if checkpoint:
            get_default_graph().add_to_collection(
                GraphKeys.SAVEABLE_OBJECTS, _SavedTable(self, name)
            )

    def _create_resource(self):
        raise NotImplementedError

    def _scope(self, name, what):
        return name_scope(name, f"{self.name}_{what}")

    def _at_home(self):
        return colocate_with(self.resource_handle.op)

    def size(self, name=None):
        """Counts the entries.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int64 scalar.
        """
        with self._at_home():
            return super().size(name)

    def lookup(self, keys, name=None):
        """Returns the values of keys; the default value where the table lacks a key.

        Args:
            keys: A tensor of keys.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor: the shape of keys, then that of a value.

        Raises:
            TypeError: The keys have another dtype.
        """
        with self._scope(name, "lookup_table_find"):
            keys = convert_to_tensor(keys, self._key_dtype, "keys")
            with self._at_home():
                return raw_ops.LookupTableFindV2(
                    table_handle=self.resource_handle, keys=keys, default_value=self._default_value
                )

    def insert(self, keys, values, name=None):
        """Adds entries, or replaces the values of keys that are there.

        Args:
            keys: A tensor of keys.
            values: A tensor of their values: the shape of keys, then that of a value.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            TypeError: Keys or values have another dtype.
        """
        with self._scope(name, "lookup_table_insert"):
            keys = convert_to_tensor(keys, self._key_dtype, "keys")
            values = convert_to_tensor(values, self._value_dtype, "values")
            with self._at_home():
                return raw_ops.LookupTableInsertV2(
                    table_handle=self.resource_handle, keys=keys, values=values
                )

    def remove(self, keys, name=None):
        """Removes entries. Keys that the table lacks are ignored.

        Args:
            keys: A tensor of keys.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            TypeError: The keys have another dtype.
        """
        self._check_keys(keys)
        with self._scope(name, "lookup_table_remove"):
            return raw_ops.LookupTableRemoveV2(table_handle=self.resource_handle, keys=keys)

    def export(self, name=None):
        """Returns all keys and all values.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tuple: a tensor of keys, and a tensor of their values.
        """
        with self._scope(name, "lookup_table_export_values"), self._at_home():
            keys, values = raw_ops.LookupTableExportV2(
                table_handle=self.resource_handle, Tkeys=self.key_dtype, Tvalues=self.value_dtype
            )
            return keys, values


class MutableHashTable(_MutableTable):
    """A hash table that steps change.

    Args:
        key_dtype: Dtype of the keys.
        value_dtype: Dtype of the values.
        default_value: The value of keys that the table lacks; a vector where values are vectors.
        name: Name of the table, a str.
        checkpoint: Whether a Saver saves the table. A bool.

    Example:
        >>> counts = sl.contrib.lookup.MutableHashTable(sl.string, sl.int64, 0)
        >>> insert = counts.insert(["a", "b"], [1, 2])
        >>> with sl.Session() as session:
        ...     session.run(insert)
        ...     print(session.run(counts.lookup(["b", "c"])))
        [2 0]
    """

    _default_name = "Const"

    def __init__(self, key_dtype, value_dtype, default_value, name="MutableHashTable",
                 checkpoint=True):  # fmt: skip
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)

    def _create_resource(self):
        shape = self._default_value.shape
        shared = {
            "use_node_name_sharing": self._checkpoint, "key_dtype": self._key_dtype,
            "value_dtype": self._value_dtype, "name": self._name,
        }  # fmt: skip
        if shape.ndims == 0:
            return raw_ops.MutableHashTableV2(**shared)
        return raw_ops.MutableHashTableOfTensorsV2(value_shape=shape.as_list(), **shared)


class DenseHashTable(_MutableTable):
    """A hash table that steps change, in one block of memory.

    Two keys must be known that never occur.

    Args:
        key_dtype: Dtype of the keys.
        value_dtype: Dtype of the values.
        default_value: The value of keys that the table lacks, a tensor of the shape of a value.
        empty_key: A key that never occurs: it marks empty places.
        deleted_key: Another key that never occurs: it marks removed entries.
        initial_num_buckets: How many places there are at first, a power of 2. None: 131072.
        name: Name of the table, a str.
        checkpoint: Whether a Saver saves the table. A bool.
    """

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key,
                 initial_num_buckets=None, name="MutableDenseHashTable",
                 checkpoint=True):  # fmt: skip
        self._places = initial_num_buckets
        self._marks = empty_key, deleted_key
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)

    def _create_resource(self):
        empty, deleted = self._marks
        more = {} if self._places is None else {"initial_num_buckets": self._places}
        return raw_ops.MutableDenseHashTableV2(
            empty_key=convert_to_tensor(empty, self._key_dtype, "empty_key"),
            deleted_key=convert_to_tensor(deleted, self._key_dtype, "deleted_key"),
            use_node_name_sharing=self._checkpoint, value_dtype=self._value_dtype,
            value_shape=self._default_value.shape.as_list(), name=self._name, **more,
        )  # fmt: skip

    def insert_or_assign(self, keys, values, name=None):
        """Adds entries, or replaces the values of keys that are there.

        Args:
            keys: A tensor of keys.
            values: A tensor of their values: the shape of keys, then that of a value.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            TypeError: Keys or values have another dtype.
        """
        return self.insert(keys, values, name)

    def erase(self, keys, name=None):
        """Removes entries. Keys that the table lacks are ignored.

        Args:
            keys: A tensor of keys.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            TypeError: The keys have another dtype.
        """
        return self.remove(keys, name)


__all__ = with_names(globals())
