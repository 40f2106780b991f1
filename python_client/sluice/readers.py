"""Readers: records of files whose names a queue gives."""

from . import dtypes, raw_ops
from .building import with_names
from .convert import convert_to_tensor


class Reader:
    """What all readers do. A run waits where the queue of names is empty; once it is closed and
    everything was read: OutOfRangeError."""

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
        """[key, value] of the next record, strings; the key says where it was."""
        return self._apply("ReaderRead", name, queue_handle=self._queue(queue))

    def read_up_to(self, queue, num_records, name=None):
        """[keys, values] of up to num_records records."""
        return self._apply(
            "ReaderReadUpTo", name, queue_handle=self._queue(queue),
            num_records=convert_to_tensor(num_records, dtypes.int64),
        )  # fmt: skip

    def num_records_produced(self, name=None):
        return self._apply("ReaderNumRecordsProduced", name)

    def num_work_units_completed(self, name=None):
        """How many files were read to their ends."""
        return self._apply("ReaderNumWorkUnitsCompleted", name)

    def serialize_state(self, name=None):
        return self._apply("ReaderSerializeState", name)

    def restore_state(self, state, name=None):
        return self._apply("ReaderRestoreState", name, state=state)

    def reset(self, name=None):
        """An operation that makes it as new."""
        return self._apply("ReaderReset", name)

    @property
    def supports_serialize(self):
        return False


class WholeFileReader(Reader):
    """A record is a file: its name and its bytes."""

    def __init__(self, name=None):
        super().__init__("WholeFileReaderV2", name)


class TextLineReader(Reader):
    """A record is a line, without its end."""

    def __init__(self, skip_header_lines=None, name=None):
        super().__init__("TextLineReaderV2", name, skip_header_lines=skip_header_lines)


class FixedLengthRecordReader(Reader):
    """A record is record_bytes bytes, hop_bytes (0: record_bytes) after the one before; a file has
    a header and a footer that are left out. encoding: "ZLIB", "GZIP" or None."""

    def __init__(self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None,
                 name=None, encoding=None):  # fmt: skip
        super().__init__(
            "FixedLengthRecordReaderV2", name, record_bytes=record_bytes,
            header_bytes=header_bytes, footer_bytes=footer_bytes, hop_bytes=hop_bytes,
            encoding=encoding,
        )  # fmt: skip


class TFRecordReader(Reader):
    """A record of TensorFlow's own format. options: a compression, "ZLIB" or "GZIP"."""

    def __init__(self, name=None, options=None):
        super().__init__("TFRecordReaderV2", name, compression_type=options)


class LMDBReader(Reader):
    """A record is a key and its value, in the order of the keys, of a database of LMDB's: its
    folder, or the file in it."""

    def __init__(self, name=None, options=None):
        del options  # as in TensorFlow
        super().__init__("LMDBReader", name)


class IdentityReader(Reader):
    """A record is a name from the queue itself, as key and as value."""

    def __init__(self, name=None):
        super().__init__("IdentityReaderV2", name)


__all__ = with_names(globals())
