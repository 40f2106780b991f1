"""Readers: records of files whose names a queue gives."""

from . import dtypes, raw_ops
from .building import with_names
from .convert import convert_to_tensor


class Reader:
    """What all readers do. A run waits where the queue of names is empty; once it is closed and
    everything was read: OutOfRangeError."""

    def __init__(self, op, name, **attrs):
        self.reader_ref = raw_ops.apply_op(op, name, **attrs)

    def _queue(self, queue):
        return getattr(queue, "queue_ref", queue)

    def read(self, queue, name=None):
        """[key, value] of the next record, strings; the key says where it was."""
        return raw_ops.ReaderReadV2(
            reader_handle=self.reader_ref, queue_handle=self._queue(queue), name=name
        )

    def read_up_to(self, queue, num_records, name=None):
        """[keys, values] of up to num_records records."""
        return raw_ops.ReaderReadUpToV2(
            reader_handle=self.reader_ref, queue_handle=self._queue(queue),
            num_records=convert_to_tensor(num_records, dtypes.int64), name=name,
        )  # fmt: skip

    def num_records_produced(self, name=None):
        return raw_ops.ReaderNumRecordsProducedV2(reader_handle=self.reader_ref, name=name)

    def num_work_units_completed(self, name=None):
        """How many files were read to their ends."""
        return raw_ops.ReaderNumWorkUnitsCompletedV2(reader_handle=self.reader_ref, name=name)

    def serialize_state(self, name=None):
        return raw_ops.ReaderSerializeStateV2(reader_handle=self.reader_ref, name=name)

    def restore_state(self, state, name=None):
        return raw_ops.ReaderRestoreStateV2(reader_handle=self.reader_ref, state=state, name=name)

    def reset(self, name=None):
        """An operation that makes it as new."""
        return raw_ops.ReaderResetV2(reader_handle=self.reader_ref, name=name)

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


class IdentityReader(Reader):
    """A record is a name from the queue itself, as key and as value."""

    def __init__(self, name=None):
        super().__init__("IdentityReaderV2", name)


__all__ = with_names(globals())
