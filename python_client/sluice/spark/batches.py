# SPDX-License-Identifier: Apache-2.0
"""Rows as Arrow batches.

A row is a tuple or list, whose elements are columns, or a single value. An element is a number, a
text, bytes, or a list or array of numbers.
"""

import itertools

import numpy as np

ROWS = 1024  # of a batch


def encoded(rows):
    """Yields the rows as bytes of Arrow streams, each with at most ROWS rows.

    Args:
      rows: an iterator.

    Raises:
      pyarrow.ArrowInvalid: a column has different kinds of elements.
    """
    import pyarrow as pa

    while True:
        chunk = list(itertools.islice(rows, ROWS))
        if not chunk:
            return
        is_row = isinstance(chunk[0], (tuple, list))
        columns = list(zip(*chunk)) if is_row else [chunk]
        arrays = [_array(pa, column) for column in columns]
        names = [str(number) for number in range(len(arrays))]
        batch = pa.record_batch(arrays, names=names)
        batch = batch.replace_schema_metadata({"row": "tuple" if is_row else "value"})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield sink.getvalue().to_pybytes()


def _array(pa, column):
    if hasattr(column[0], "tolist"):  # numpy's
        column = [one.tolist() for one in column]
    return pa.array(column)


def decoded(data):
    """The rows of one of encoded()'s streams, a list."""
    import pyarrow as pa

    with pa.ipc.open_stream(data) as reader:
        table = reader.read_all()
    columns = [column.to_pylist() for column in table.columns]
    if table.schema.metadata[b"row"] == b"value":
        return columns[0]
    return list(zip(*columns))


def columns_of(rows, names):
    """Arrays, one for each column; empty ones without rows."""
    if not rows:
        return [np.array([]) for _ in names]
    if not isinstance(rows[0], (tuple, list)):
        return [np.array(rows)]
    return [np.array(column) for column in zip(*rows)]
