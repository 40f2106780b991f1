# SPDX-License-Identifier: Apache-2.0
"""The first contents of tables: from tensors, or from a text file."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import device, get_default_graph, name_scope
from ...graph.elements import Tensor
from ...graph.keys import GraphKeys
from .. import raw_ops
from ..building import with_names
from ..functions.tracing import outermost


class TableContents:
    """The first contents of a table. KeyValueTensorInitializer and TextFileInitializer are such.

    Args:
        key_dtype: Dtype of the keys.
        value_dtype: Dtype of the values.
    """

    _shared_name = ""

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

    def initialize(self, table):
        """Adds the operation that initialises a table.

        Args:
            table: The table.

        Raises:
            NotImplementedError: Always: derived classes define it.
        """
        raise NotImplementedError

    def _check(self, table):
        for what, mine, its in (
            ("key", self._key_dtype, table.key_dtype),
            ("value", self._value_dtype, table.value_dtype),
        ):
            if mine != its:
                raise TypeError(f"Invalid {what} dtype, expected {its} but got {mine}.")


class KeyValueTensorInitializer(TableContents):
    """Fills a table from a tensor of keys and a tensor of values.

    Args:
        keys: A tensor of keys.
        values: A tensor of values, of the shape of keys.
        key_dtype: Dtype of the keys. None: it follows from them.
        value_dtype: Dtype of the values. None: it follows from them.
        name: Name of the operation, a str. None: "key_value_init".

    Example:
        >>> first = sl.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
        >>> table = sl.lookup.StaticHashTable(first, default_value=-1)
        >>> with sl.Session() as session:
        ...     session.run(sl.tables_initializer())
        ...     print(session.run(table.lookup(sl.constant(["b", "c"]))))
        [ 2 -1]
    """

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        with outermost(get_default_graph()).as_default():
            self._keys = convert_to_tensor(keys, key_dtype, "keys")
            self._values = convert_to_tensor(values, value_dtype, "values")
        self._name = "key_value_init" if name is None else name
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table):
        """Adds the operation that initialises a table, and lists it in the collection of them.

        Args:
            table: The table.

        Returns:
            The Operation.

        Raises:
            TypeError: The table has other dtypes.
        """
        self._check(table)
        with name_scope(self._name):
            op = raw_ops.LookupTableImportV2(
                table_handle=table.resource_handle, keys=self._keys, values=self._values
            )
        get_default_graph().add_to_collection(GraphKeys.TABLE_INITIALIZERS, op)
        return op


class TextFileIndex:
    """What of a line is a key or a value: WHOLE_LINE, LINE_NUMBER, or the number of a column."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(TableContents):
    """Fills a table from a text file: each line is an entry.

    Args:
        filename: Path of the file, as the task of the table sees it: a str or a string scalar.
        key_dtype: Dtype of the keys.
        key_index: What of a line is the key: TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER,
            or the number of a column, an int from 0 on.
        value_dtype: Dtype of the values.
        value_index: What of a line is the value, as key_index.
        vocab_size: How many lines are read, an int. None: all.
        delimiter: The character between columns, a str.
        name: Name of the operation, a str. None: "text_file_init".

    Raises:
        ValueError: The path is empty, an index is unknown, or a dtype does not fit its index.
    """

    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None,
                 delimiter="\t", name=None):  # fmt: skip
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError(f"Filename required for {name}.")
        super().__init__(key_dtype, value_dtype)
        integer = self._key_dtype.is_integer
        _check_index("key", key_index, self._key_dtype, integer or self._key_dtype == dtypes.string)
        _check_index("value", value_index, self._value_dtype, self._value_dtype == dtypes.string)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._path, self._name = filename, name
        with outermost(get_default_graph()).as_default(), device("/device:CPU:*"):
            self._filename = convert_to_tensor(filename, dtypes.string, "asset_path")
        self._key_index, self._value_index = key_index, value_index
        self._vocab_size, self._delimiter = vocab_size, delimiter

    def initialize(self, table):
        """Adds the operation that initialises a table, and lists it in the collection of them.

        A path that is constant is listed in the collection ASSET_FILEPATHS.

        Args:
            table: The table.

        Returns:
            The Operation.

        Raises:
            TypeError: The table has other dtypes.
        """
        self._check(table)
        graph = get_default_graph()
        with name_scope(self._name, "text_file_init"):
            op = raw_ops.InitializeTableFromTextFileV2(
                table_handle=table.resource_handle, filename=self._filename,
                key_index=self._key_index, value_index=self._value_index,
                vocab_size=self._vocab_size or -1, delimiter=self._delimiter,
            )  # fmt: skip
        graph.add_to_collection(GraphKeys.TABLE_INITIALIZERS, op)
        if self._filename.op.type == "Const":
            graph.add_to_collection(GraphKeys.ASSET_FILEPATHS, self._filename)
        return op

    @property
    def _shared_name(self):
        """The same for all tables with the same contents."""
        size = [self._vocab_size] if self._vocab_size else []
        parts = [self._path, *size, self._key_index, self._value_index]
        return "_".join(["hash_table", *map(str, parts)])


def _check_index(what, index, dtype, line_fits):
    if index < -2:
        raise ValueError(f"Invalid {what} index {index}.")
    if index == TextFileIndex.LINE_NUMBER and dtype != dtypes.int64:
        raise ValueError(
            f"Signature mismatch. {what.title()}s must be dtype {dtypes.int64}, got {dtype}."
        )
    if index == TextFileIndex.WHOLE_LINE and not line_fits:
        kinds = "integer or string" if what == "key" else f"dtype {dtypes.string}"
        raise ValueError(f"Signature mismatch. {what.title()}s must be {kinds}, got {dtype}.")


class TextFileStringTableInitializer(TextFileInitializer):
    """Fills a table that gives strings for int64 ids from a text file.

    Args:
        filename: Path of the file, as the task of the table sees it: a str or a string scalar.
        key_column_index: What of a line is the key, an int: see TextFileIndex.
        value_column_index: What of a line is the value, an int: see TextFileIndex.
        vocab_size: How many lines are read, an int. None: all.
        delimiter: The character between columns, a str.
        name: Name of the operation, a str.

    Raises:
        ValueError: The path is empty, an index is unknown, or a dtype does not fit its index.
    """

    def __init__(self, filename, key_column_index=TextFileIndex.LINE_NUMBER,
                 value_column_index=TextFileIndex.WHOLE_LINE, vocab_size=None, delimiter="\t",
                 name="text_file_string_table_init"):  # fmt: skip
        super().__init__(filename, dtypes.int64, key_column_index, dtypes.string,
                         value_column_index, vocab_size, delimiter, name)  # fmt: skip


class TextFileIdTableInitializer(TextFileInitializer):
    """Fills a table that gives int64 ids from a text file.

    Args:
        filename: Path of the file, as the task of the table sees it: a str or a string scalar.
        key_column_index: What of a line is the key, an int: see TextFileIndex.
        value_column_index: What of a line is the value, an int: see TextFileIndex.
        vocab_size: How many lines are read, an int. None: all.
        delimiter: The character between columns, a str.
        name: Name of the operation, a str.
        key_dtype: Dtype of the keys.

    Raises:
        ValueError: The path is empty, an index is unknown, or a dtype does not fit its index.
    """

    def __init__(self, filename, key_column_index=TextFileIndex.WHOLE_LINE,
                 value_column_index=TextFileIndex.LINE_NUMBER, vocab_size=None, delimiter="\t",
                 name="text_file_id_table_init", key_dtype=dtypes.string):  # fmt: skip
        super().__init__(filename, key_dtype, key_column_index, dtypes.int64,
                         value_column_index, vocab_size, delimiter, name)  # fmt: skip


__all__ = with_names(globals())
