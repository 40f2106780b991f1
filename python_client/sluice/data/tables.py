# SPDX-License-Identifier: Apache-2.0
"""Data sets of rows: CSV files and databases."""

import collections
import csv
import gzip
import os

import numpy as np

from .. import dtypes, gfile
from ..files.files import open_file
from ..graph.convert import constant, convert_to_tensor
from ..graph.elements import Tensor
from ..graph.static_values import static_value
from ..ops import raw_ops
from .batching import ignore_errors as without_errors
from .choosing import mapped_in_line
from .dataset import Dataset
from .features import of_files, shuffled_and_repeated
from .readers import parameter
from .shapes import scalar, shapes_of
from .structure import mapped

_BUFFER = 4 << 20  # bytes that are read at once
_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)


def _default(value):
    """The default of a column as a tensor; a dtype means that the column must be there."""
    if not isinstance(value, Tensor) and value in _TYPES:
        return constant([], value)
    return convert_to_tensor(value, name="record_defaults")


class CsvDataset(Dataset):
    """The rows of CSV files: tuples of scalars. The tasks read the files.

    Args:
        filenames: Names of the files: a str, a list of str or a tensor.
        record_defaults: For each column its default, a tensor, or its dtype where it must be there.
        compression_type: "ZLIB", "GZIP", or "" or None for none.
        buffer_size: How many bytes are read at once, an int or int64 scalar. None: 4 MiB.
        header: Whether the first line of a file is left out. A bool.
        field_delim: The character between fields, a str.
        use_quote_delim: Whether quotation marks enclose fields. A bool.
        na_value: Another text that means an empty field, a str.
        select_cols: Which columns are wanted, ascending, a list of ints. None: all.
    """

    def __init__(self, filenames, record_defaults, compression_type=None, buffer_size=None,
                 header=False, field_delim=",", use_quote_delim=True, na_value="",
                 select_cols=None):  # fmt: skip
        filenames = convert_to_tensor(filenames, dtypes.string, "filenames")
        kind = parameter("compression_type", compression_type, "", dtypes.string)
        defaults = [_default(value) for value in record_defaults]
        spec = tuple(scalar(tensor.dtype) for tensor in defaults)
        variant = raw_ops.CSVDataset(
            filenames=filenames, compression_type=kind, record_defaults=defaults,
            buffer_size=parameter("buffer_size", buffer_size, _BUFFER),
            header=convert_to_tensor(header, dtypes.bool_, "header"),
            field_delim=convert_to_tensor(field_delim, dtypes.string, "field_delim"),
            use_quote_delim=convert_to_tensor(use_quote_delim, dtypes.bool_, "use_quote_delim"),
            na_value=convert_to_tensor(na_value, dtypes.string, "na_value"),
            select_cols=parameter("select_cols", select_cols, []),
            output_shapes=shapes_of(spec)["output_shapes"],
        )  # fmt: skip
        super().__init__(variant, spec)


class SqlDataset(Dataset):
    """The rows that a query of a database gives: tuples of scalars.

    Args:
        driver_name: The kind of database, a str: "sqlite".
        data_source_name: Which database: the name of its file, a str.
        query: The query, a str.
        output_types: Dtypes of the columns, a tuple.
    """

    def __init__(self, driver_name, data_source_name, query, output_types):
        given = {
            "driver_name": driver_name, "data_source_name": data_source_name, "query": query,
        }  # fmt: skip
        inputs = {n: convert_to_tensor(v, dtypes.string, n) for n, v in given.items()}
        spec = mapped(lambda dtype: scalar(dtypes.as_dtype(dtype)), output_types)
        super().__init__(raw_ops.SqlDataset(**inputs, **shapes_of(spec)), spec)


def make_csv_dataset(file_pattern, batch_size, column_names=None, column_defaults=None,
                     label_name=None, select_columns=None, field_delim=",", use_quote_delim=True,
                     na_value="", header=True, num_epochs=None, shuffle=True,
                     shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None,
                     num_parallel_reads=None, sloppy=False, num_rows_for_inference=100,
                     compression_type=None, ignore_errors=False):  # fmt: skip
    """Reads CSV files as batches of columns. What is not given about the columns is found in the
    files, which this machine must have then.

    Args:
        file_pattern: Patterns of the files' names: a str or a list of str.
        batch_size: How many rows a batch has, an int or int64 scalar.
        column_names: Names of the columns, a list of str. None: as the first line says.
        column_defaults: As `record_defaults` of CsvDataset, a list. None: dtypes are guessed.
        label_name: Name of the column that is the label, a str. None: none is.
        select_columns: Which columns are wanted, a list of ints or names. None: all.
        field_delim: The character between fields, a str.
        use_quote_delim: Whether quotation marks enclose fields. A bool.
        na_value: Another text that means an empty field, a str.
        header: Whether the first line of a file has the names. A bool.
        num_epochs: How often all is read, an int. None: without end.
        shuffle: Whether the order is random. A bool.
        shuffle_buffer_size: From how many rows the next one is drawn, an int.
        shuffle_seed: Seed of the order, an int.
        prefetch_buffer_size: How many batches wait, an int. None: the task chooses.
        num_parallel_reads: How many files are read at once, an int. None: one.
        sloppy: Whether the order may vary. A bool.
        num_rows_for_inference: From how many rows dtypes are guessed, an int. None: from all.
        compression_type: "GZIP", or "" or None for none. "ZLIB" if nothing has to be found.
        ignore_errors: Whether rows with errors are left out. A bool.

    Returns:
        A Dataset of dicts, or of tuples of a dict and the label.

    Raises:
        ValueError: No file matches, or the columns do not fit.
    """
    filenames = _files(file_pattern)
    names = Dataset.from_tensor_slices(filenames)
    if shuffle:
        names = names.shuffle(len(filenames), shuffle_seed)
    text = _Text(filenames, field_delim, use_quote_delim, compression_type)
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = text.names()
    if len(column_names) != len(set(column_names)):
        raise ValueError(f"Cannot have duplicate column names. They are {column_names}")
    chosen = None if select_columns is None else _places(select_columns, column_names)
    if column_defaults is None:
        column_defaults = text.defaults(
            len(column_names), chosen, header, na_value, num_rows_for_inference
        )
    if chosen is not None:
        if len(column_defaults) != len(chosen):
            raise ValueError(
                "If specified, column_defaults and select_columns must have same length."
            )
        column_names = [column_names[i] for i in chosen]
    if label_name is not None and label_name not in column_names:
        raise ValueError(f"`label_name` provided must be one of the columns. It is {label_name!r}")

    def read(filename):
        rows = CsvDataset(
            filename, column_defaults, compression_type, None, header, field_delim,
            use_quote_delim, na_value, chosen,
        )  # fmt: skip
        return rows.apply(without_errors()) if ignore_errors else rows

    def named(*columns):
        features = collections.OrderedDict(zip(column_names, columns))
        return features if label_name is None else (features, features.pop(label_name))

    reads = 1 if num_parallel_reads is None else num_parallel_reads
    rows = shuffled_and_repeated(
        of_files(names, read, reads, sloppy), num_epochs, shuffle, shuffle_buffer_size,
        shuffle_seed,
    )  # fmt: skip
    batches = mapped_in_line(rows.batch(batch_size, drop_remainder=num_epochs is None), named)
    return batches.prefetch(-1 if prefetch_buffer_size is None else prefetch_buffer_size)


def _files(patterns):
    patterns = patterns if isinstance(patterns, list) else [patterns]
    found = sorted(name for pattern in patterns for name in gfile.Glob(pattern))
    if not found:
        raise ValueError(f"No files match {patterns}.")
    return found


def _places(columns, names):
    """The places of columns that are given by places or names, ascending."""
    found = []
    for column in columns:
        if not isinstance(column, int):
            if column not in names:
                raise ValueError(
                    f"Value '{column}' specified in select_columns not a valid column index or"
                    " name."
                )
            column = names.index(column)
        if not 0 <= column < len(names):
            raise ValueError(
                f"Column index {column} specified in select_columns out of valid range. There are"
                f" {len(names)}"
            )
        found.append(column)
    if len(set(found)) != len(found):
        raise ValueError(f"select_columns contains duplicate columns: {columns}")
    return sorted(found)


def _is_int(text, dtype):
    try:
        return np.iinfo(dtype).min <= int(text) <= np.iinfo(dtype).max
    except ValueError:
        return False


def _is_float(text, dtype):
    try:
        with np.errstate(over="ignore"):
            return bool(dtype(text) < np.inf)
    except ValueError:
        return False


# The dtypes of columns, each with a test of a field's text.
_WIDER = [
    (dtypes.int32, lambda text: _is_int(text, np.int32)),
    (dtypes.int64, lambda text: _is_int(text, np.int64)),
    (dtypes.float32, lambda text: _is_float(text, np.float32)),
    (dtypes.float64, lambda text: _is_float(text, np.float64)),
    (dtypes.string, lambda text: True),
]


def _wide_enough(text, kind):
    """The first dtype, from a place of _WIDER on, that holds a field."""
    return next(i for i in range(kind, len(_WIDER)) if _WIDER[i][1](text))


class _Text:
    """The files as the client reads them, to find the columns."""

    def __init__(self, filenames, delimiter, quotes, compression):
        quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
        self._filenames, self._format = filenames, {"delimiter": delimiter, "quoting": quoting}
        self._compression = compression

    def _rows(self, filename):
        kind = self._compression
        kind = static_value(kind).item() if isinstance(kind, Tensor) else kind
        kind = kind.decode() if isinstance(kind, bytes) else kind
        if kind == "GZIP":
            with gzip.open(os.fspath(filename), "rt") as file:
                yield from csv.reader(file, **self._format)
        elif kind:
            raise ValueError(f"compression_type ({kind}) is not supported for probing columns")
        else:
            with open_file(filename, "r") as file:
                yield from csv.reader(file, **self._format)

    def names(self):
        """The names in the first lines."""
        found = [next(self._rows(name), None) for name in self._filenames]
        if found[0] is None:
            raise ValueError(
                "Received StopIteration when reading the header line of"
                f" {self._filenames[0]}.  Empty file?"
            )
        if any(row != found[0] for row in found):
            raise ValueError("Files have different column names in the header row.")
        return found[0]

    def defaults(self, count, chosen, header, na_value, most):
        """The defaults of columns whose dtypes follow from the first rows."""
        places = range(count) if chosen is None else chosen
        kinds = [None] * len(places)
        rows = (row for name in self._filenames for row in self._data(name, header))
        for number, row in enumerate(rows):
            if most is not None and number >= most:
                break
            if len(row) != count:
                raise ValueError(
                    "Problem inferring types: CSV row has different number of fields than"
                    f" expected. It has {len(row)}, not {count}: {row}"
                )
            for i, place in enumerate(places):
                if row[place] not in ("", na_value):
                    kinds[i] = _wide_enough(row[place], kinds[i] or 0)
        found = [dtypes.string if kind is None else _WIDER[kind][0] for kind in kinds]
        return [constant(["" if dtype == dtypes.string else 0], dtype) for dtype in found]

    def _data(self, name, header):
        rows = self._rows(name)
        if header:
            next(rows, None)
        return rows
