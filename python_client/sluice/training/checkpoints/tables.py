# SPDX-License-Identifier: Apache-2.0
"""The tables of checkpoints: sorted keys in blocks.

The index of version 2 is one. Its keys are the names of variables, with BundleEntryProtos. A file
of version 1 is one too. Its empty key has a SavedTensorSlices, which lists the variables; the
other keys have the values.
"""

import collections
import struct

from ... import dtypes
from ...files import varints
from ...messages import BundleEntryProto, SavedTensorSlices

_FOOTER, _MAGIC, _TRAILER = 48, 0xDB4775248B80FB57, 5

# A variable: the number of its dtype, and its shape, a TensorShapeProto.
Entry = collections.namedtuple("Entry", "dtype shape")


def entries(data):
    """The variables of a table.

    Args:
        data: The bytes of the file.

    Returns:
        A dict: name -> Entry.

    Raises:
        ValueError: The file is damaged.
    """
    found = {}
    for key, value in _table(data):
        if not key and (listed := SavedTensorSlices.FromString(value).meta.tensor):
            return {one.name: _entry(one.type, one.shape) for one in listed}
        if key and not key.startswith(b"\0"):  # others: the header, and pieces of variables
            described = BundleEntryProto.FromString(value)
            found[key.decode()] = _entry(described.dtype, described.shape)
    return found


def _entry(number, shape):
    dtypes.as_dtype(number)
    return Entry(number, shape)


def _table(data):
    """(key, value) of a table file."""
    footer = data[-_FOOTER:]
    if len(footer) < _FOOTER or struct.unpack("<Q", footer[-8:])[0] != _MAGIC:
        raise ValueError("it does not end as a table does")
    _, at = _handle(footer, 0)
    handle, _ = _handle(footer, at)
    for _, where in _block(data, *handle):
        yield from _block(data, *_handle(where, 0)[0])


def _handle(data, at):
    offset, at = varints.decode(data, at)
    size, at = varints.decode(data, at)
    return (offset, size), at


def _block(data, offset, size):
    """The entries of a block: a key shares its beginning with the one before."""
    end = offset + size
    if end + _TRAILER > len(data) - _FOOTER:
        raise ValueError("a block is longer than the file")
    if data[end] != 0:
        raise ValueError("a block is compressed")
    restarts = struct.unpack_from("<I", data, end - 4)[0]
    end -= 4 * (restarts + 1)
    if end < offset:
        raise ValueError("a block has too many restarts")
    key, found, at = b"", [], offset
    while at < end:
        shared, at = varints.decode(data, at)
        own, at = varints.decode(data, at)
        length, at = varints.decode(data, at)
        if shared > len(key) or at + own + length > end:
            raise ValueError("an entry is longer than its block")
        key = key[:shared] + data[at : at + own]
        found.append((key, data[at + own : at + own + length]))
        at += own + length
    return found
