# SPDX-License-Identifier: Apache-2.0
"""Files of any file system that core/io/file_system.h knows, as Python's io objects."""

import io
import os

from .. import _sluice

_BUFFER = 256 << 10  # bytes


class _Source(io.RawIOBase):
    """The bytes of a file, for a BufferedReader."""

    def __init__(self, path):
        self._file, self._at = _sluice.ReadableFile(path), 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def readinto(self, buffer):
        size = max(0, min(len(buffer), self._file.size() - self._at))
        buffer[:size] = self._file.read_at(self._at, size)
        self._at += size
        return size

    def seek(self, offset, whence=io.SEEK_SET):
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size()}[whence]
        if start + offset < 0:
            raise ValueError(f"a file has no byte {start + offset}")
        self._at = start + offset
        return self._at


class _Sink(io.RawIOBase):
    """A file that is written front to back, for a BufferedWriter."""

    def __init__(self, path, mode):
        self._file = _sluice.WritableFile(path, mode)
        self._at = _sluice.describe_file(path)[0] if mode == "a" else 0

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        self._file.append(data)
        self._at += len(data)
        return len(data)

    def tell(self):
        return self._at

    def close(self):
        if not self.closed:
            super().close()
            self._file.close()


def name_of(path):
    """Gives a path as the C++ functions take it.

    Args:
      path: a str, bytes or os.PathLike.
    Returns: bytes, which need not be UTF-8.
    """
    return os.fsencode(path)


def open_file(path, mode):
    """Opens a file as the built-in `open` does.

    Args:
      path: with or without a scheme ("file:///tmp/x").
      mode: "r", "w" or "a", with "b" for bytes, and with "+" for files of this machine. Text is
        UTF-8, and its line ends stay as they are.
    Returns: a file object of `io`.
    Raises:
      UnimplementedError: the scheme is not known; it is named.
      OpError: of a class by the system's reason.
      OSError: the same, for a mode with "+".
    """
    name = name_of(path)
    if "+" in mode:
        text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
        return open(_sluice.local_path(name), mode, **text)
    if "r" in mode:
        opened = io.BufferedReader(_Source(name), _BUFFER)
    else:
        opened = io.BufferedWriter(_Sink(name, mode.replace("b", "")), _BUFFER)
    return opened if "b" in mode else io.TextIOWrapper(opened, "utf-8", newline="")


def write_whole(path, data):
    """Writes a file so that a reader sees the old one or the new one, nothing between.

    Args:
      path: where; its folder must be there.
      data: bytes.
    Raises:
      OpError: of a class by the system's reason; nothing was changed.
    """
    name = name_of(path)
    temporary = name + b".tmp" + os.urandom(8).hex().encode()
    try:
        with open_file(temporary, "wb") as file:
            file.write(data)
        _sluice.rename_file(temporary, name)
    except BaseException:
        if _sluice.file_exists(temporary):
            _sluice.remove_file(temporary)
        raise
