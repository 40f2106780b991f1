# SPDX-License-Identifier: Apache-2.0
"""TFRecord files, read and written by the client."""

import struct
import zlib

from .. import errors, messages
from .crc32c import masked
from .files import open_file

_AT_ONCE = 1 << 20  # bytes
_DEFAULT_MEMORY = 9  # of zlib, from 1 to 9


class TFRecordCompressionType:
    """How a TFRecord file is compressed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How a TFRecord file is compressed, and with which parameters of zlib.

    Args:
        compression_type: A TFRecordCompressionType, or "ZLIB", "GZIP", "". None: not compressed.
        flush_mode: What flush() does, a constant of zlib, an int. None: nothing.
        input_buffer_size: Accepted. It has no effect.
        output_buffer_size: Accepted. It has no effect.
        window_bits: Size of the window as a power of two, an int.
        compression_level: From 0 (fast) to 9 (small), an int.
        compression_method: The method, an int: zlib.DEFLATED.
        mem_level: How much memory it takes, from 1 to 9, an int.
        compression_strategy: A constant of zlib, an int.

    Raises:
        ValueError: There is no such compression.
    """

    compression_type_map = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(self, compression_type=None, flush_mode=None, input_buffer_size=None,
                 output_buffer_size=None, window_bits=None, compression_level=None,
                 compression_method=None, mem_level=None, compression_strategy=None):  # fmt: skip
        self.get_compression_type_string(compression_type)
        self.compression_type, self.flush_mode = compression_type, flush_mode
        self.input_buffer_size, self.output_buffer_size = input_buffer_size, output_buffer_size
        self.window_bits, self.compression_level = window_bits, compression_level
        self.compression_method, self.mem_level = compression_method, mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options):
        """Returns the name of a compression.

        Args:
            options: A TFRecordOptions, a TFRecordCompressionType, a name, or None.

        Returns:
            "ZLIB", "GZIP" or "".

        Raises:
            ValueError: There is no such compression.
        """
        if isinstance(options, TFRecordOptions):
            options = options.compression_type
        if not options:
            return ""
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f"{options!r} is not a compression: use ZLIB, GZIP or none")

    def _compressor(self):
        kind = self.get_compression_type_string(self)
        if not kind:
            return None

        def given(value, default):
            return default if value is None else value

        return zlib.compressobj(
            given(self.compression_level, zlib.Z_DEFAULT_COMPRESSION),
            given(self.compression_method, zlib.DEFLATED),
            given(self.window_bits, zlib.MAX_WBITS + (16 if kind == "GZIP" else 0)),
            given(self.mem_level, _DEFAULT_MEMORY),
            given(self.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
        )


class TFRecordWriter:
    """Writes a TFRecord file on this machine. It can be used in a `with`.

    Args:
        path: Path of the file, a str.
        options: A TFRecordOptions, or a compression. None: not compressed.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "x.tfrecord")
        >>> with sl.io.TFRecordWriter(path) as writer:
        ...     writer.write(b"first")
        >>> list(sl.io.tf_record_iterator(path))
        [b'first']
    """

    def __init__(self, path, options=None):
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(options)
        self._compressor, self._flush = options._compressor(), options.flush_mode
        self._file = open_file(path, "wb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def write(self, record):
        """Appends a record.

        Args:
            record: The record, bytes or a str.

        Raises:
            errors.FailedPreconditionError: The file is closed.
        """
        data = record.encode() if isinstance(record, str) else bytes(record)
        length = struct.pack("<Q", len(data))
        parts = length, struct.pack("<I", masked(length)), data, struct.pack("<I", masked(data))
        self._append(b"".join(parts))

    def _append(self, data):
        if self._file is None:
            raise errors.FailedPreconditionError("the file is closed")
        self._file.write(self._compressor.compress(data) if self._compressor else data)

    def flush(self):
        """Hands all records to the system.

        Raises:
            errors.FailedPreconditionError: The file is closed.
        """
        self._append(b"")
        if self._compressor and self._flush:
            self._file.write(self._compressor.flush(self._flush))
        self._file.flush()

    def close(self):
        """Closes the file."""
        if self._file is None:
            return
        if self._compressor:
            self._file.write(self._compressor.flush())
        file, self._file = self._file, None
        file.close()


class _Decompressed:
    """The bytes of a compressed file, which may have several parts."""

    def __init__(self, file):
        self._file, self._rest, self._stream, self._ready = file, b"", None, b""

    def read(self, size):
        while len(self._ready) < size:
            if self._stream is None or self._stream.eof:
                self._rest = self._rest or self._file.read(_AT_ONCE)
                if not self._rest:
                    break
                self._stream = zlib.decompressobj(zlib.MAX_WBITS + 32)  # of either kind
            more = self._rest or self._file.read(_AT_ONCE)
            if not more:
                raise errors.DataLossError("the compressed file ends too early")
            try:
                self._ready += self._stream.decompress(more, _AT_ONCE)
            except zlib.error as e:
                raise errors.DataLossError(f"the compressed file is damaged: {e}") from None
            self._rest = self._stream.unconsumed_tail or self._stream.unused_data
        found, self._ready = self._ready[:size], self._ready[size:]
        return found


def tf_record_iterator(path, options=None):
    """Reads the records of a TFRecord file on this machine.

    Args:
        path: Path of the file, a str.
        options: A TFRecordOptions, or a compression. None: not compressed.

    Returns:
        An iterator of bytes.

    Raises:
        errors.NotFoundError: While it is iterated: there is no such file.
        errors.DataLossError: While it is iterated: the file is damaged.
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    return _records(path, kind)


def _records(path, kind):
    with open_file(path, "rb") as file:
        source, at = _Decompressed(file) if kind else file, 0
        while True:
            header = source.read(12)
            if len(header) < 12:  # the writer has not come further, as TensorFlow sees it
                return
            place = f"{at} of {path}"
            size = struct.unpack("<Q", _checked(header, 8, place))[0]
            data = _checked(_read(source, size + 4), size, place)
            yield data
            at += size + 16


def _read(source, size):
    """As many bytes, or all until the end: in parts, so that memory grows with what is there."""
    parts = []
    while size:
        part = source.read(min(size, _AT_ONCE))
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _checked(data, size, place):
    """The bytes before a checksum."""
    if len(data) < size + 4:
        raise errors.DataLossError(f"truncated record at {place}")
    found = data[:size]
    if struct.unpack("<I", data[size:])[0] != masked(found):
        raise errors.DataLossError(f"corrupted record at {place}")
    return found


def summary_iterator(path):
    """Reads the Events of an event file on this machine.

    Args:
        path: Path of the file, a str.

    Returns:
        An iterator of Events.
    """
    return map(messages.Event.FromString, tf_record_iterator(path))


__all__ = [
    "TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "summary_iterator",
    "tf_record_iterator",
]  # fmt: skip
