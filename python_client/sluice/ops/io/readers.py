# SPDX-License-Identifier: Apache-2.0
"""Readers: records of files whose names a queue gives."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import raw_ops
from ..building import with_names


class Reader:
    """The base class of readers, which return records of the files whose names a queue returns.

    A run waits while the queue is empty. If it is closed and everything was read, it fails with
    OutOfRangeError.

    Args:
        op: The op of the reader, a str.
        name: Name of the operation, a str. None: a default name.
        **attrs: Attributes of the op.
    """

    def __init__(self, op, name, **attrs):
        self.reader_ref = raw_ops.apply_op(op, name, **attrs)

    def _apply(self, op, name, **inputs):
        """A node of the reader's own generation: the older ops are those of references."""
        newer = self.reader_ref.dtype == dtypes.resource
        op += "V2" if newer else ""
        return raw_ops.apply_op(op, name, reader_handle=self.reader_ref, **inputs)

    def _queue(self, queue):
        handle = getattr(queue, "queue_ref", queue)
        if self.reader_ref.dtype == dtypes.resource or handle.dtype != dtypes.resource:
            return handle
        return raw_ops.FakeQueue(resource=handle)  # the same queue, as a reference

    def read(self, queue, name=None):
        """Reads a record.

        Args:
            queue: The queue of file names.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A named tuple of string scalars. `key`: where the record was; `value`: the record.
        """
        return self._apply("ReaderRead", name, queue_handle=self._queue(queue))

    def read_up_to(self, queue, num_records, name=None):
        """Reads several records.

        Args:
            queue: The queue of file names.
            num_records: The most records, an int or an int64 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A named tuple of string vectors. `keys`: where the records were; `values`: the records.
        """
        return self._apply(
            "ReaderReadUpTo", name, queue_handle=self._queue(queue),
            num_records=convert_to_tensor(num_records, dtypes.int64),
        )  # fmt: skip

    def num_records_produced(self, name=None):
        """Returns how many records were read.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int64 scalar.
        """
        return self._apply("ReaderNumRecordsProduced", name)

    def num_work_units_completed(self, name=None):
        """Returns how many files were read to the end.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int64 scalar.
        """
        return self._apply("ReaderNumWorkUnitsCompleted", name)

    def serialize_state(self, name=None):
        """Returns the state of the reader.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A string scalar.
        """
        return self._apply("ReaderSerializeState", name)

    def restore_state(self, state, name=None):
        """Adds an operation that restores the state of the reader.

        Args:
            state: The result of serialize_state(), a string scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return self._apply("ReaderRestoreState", name, state=state)

    def reset(self, name=None):
        """Adds an operation that restores the initial state of the reader.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return self._apply("ReaderReset", name)

    @property
    def supports_serialize(self):
        """Whether the state can be serialised. It is False."""
        return False


class WholeFileReader(Reader):
    """A reader whose records are files: the key is the name, the value the bytes.

    Args:
        name: Name of the operation, a str. None: a default name.
    """

    def __init__(self, name=None):
        super().__init__("WholeFileReaderV2", name)


class TextLineReader(Reader):
    """A reader whose records are lines.

    Args:
        skip_header_lines: How many lines at the start of each file are skipped, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
    """

    def __init__(self, skip_header_lines=None, name=None):
        super().__init__("TextLineReaderV2", name, skip_header_lines=skip_header_lines)


class FixedLengthRecordReader(Reader):
    """A reader whose records have a fixed number of bytes.

    Args:
        record_bytes: How many bytes, an int.
        header_bytes: How many bytes at the start of each file are skipped, an int. None: 0.
        footer_bytes: How many bytes at the end of each file are skipped, an int. None: 0.
        hop_bytes: Bytes from one record to the next, an int. None: record_bytes.
        name: Name of the operation, a str. None: a default name.
        encoding: Compression: "ZLIB", "GZIP" or None.
    """

    def __init__(self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None,
                 name=None, encoding=None):  # fmt: skip
        super().__init__(
            "FixedLengthRecordReaderV2", name, record_bytes=record_bytes,
            header_bytes=header_bytes, footer_bytes=footer_bytes, hop_bytes=hop_bytes,
            encoding=encoding,
        )  # fmt: skip


class TFRecordReader(Reader):
    """A reader of records in TensorFlow's format.

    Args:
        name: Name of the operation, a str. None: a default name.
        options: Compression: "ZLIB", "GZIP" or None.
    """

    def __init__(self, name=None, options=None):
        super().__init__("TFRecordReaderV2", name, compression_type=options)


class LMDBReader(Reader):
    """A reader of LMDB databases. A record is a key and its value.

    Args:
        name: Name of the operation, a str. None: a default name.
        options: Accepted. It has no effect.
    """

    def __init__(self, name=None, options=None):
        del options  # as in TensorFlow
        super().__init__("LMDBReader", name)


class IdentityReader(Reader):
    """A reader whose records are the strings of the queue themselves.

    Args:
        name: Name of the operation, a str. None: a default name.
    """

    def __init__(self, name=None):
        super().__init__("IdentityReaderV2", name)


__all__ = with_names(globals())
