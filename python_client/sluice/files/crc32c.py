# SPDX-License-Identifier: Apache-2.0
"""The checksum of record files: CRC-32C (Castagnoli)."""

import numpy as np

_POLYNOMIAL = 0x82F63B78  # reflected
_LANES = 1024  # parts of long data that are summed side by side
_LONG = 16 << 10  # bytes


def _table():
    found = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
        found.append(byte)
    return found


_TABLE = _table()
_ARRAY = np.array(_TABLE, np.uint32)


def masked(data):
    """The checksum in the form in which record files have it.

    Args:
      data: bytes.
    Returns: an int.
    """
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def crc32c(data):
    """CRC-32C of bytes, an int."""
    state = 0xFFFFFFFF
    if len(data) >= _LONG:
        size = len(data) // _LANES * _LANES
        state = _of_lanes(np.frombuffer(data, np.uint8, size).reshape(_LANES, -1), state)
        data = data[size:]
    for byte in data:
        state = _TABLE[(state ^ byte) & 255] ^ state >> 8
    return state ^ 0xFFFFFFFF


def _of_lanes(lanes, state):
    """The state after all rows, which follow each other. A state is linear in the bytes: that of
    two rows is the first one's, moved over as many zero bytes as the second has, plus the
    second one's."""
    states = np.zeros(len(lanes), np.uint32)
    states[0] = state
    for column in np.ascontiguousarray(lanes.T):
        states = _ARRAY[(states ^ column) & 255] ^ states >> 8
    move = _power(_ZERO_BYTE, lanes.shape[1])
    while len(states) > 1:
        states = _times(move, states[::2]) ^ states[1::2]
        move = _times(move, move)
    return int(states[0])


def _times(matrix, vectors):
    """The product of a matrix over GF(2), 32 columns, and several vectors."""
    found = np.zeros_like(vectors)
    for bit, column in enumerate(matrix):
        found ^= np.where(vectors >> np.uint32(bit) & np.uint32(1), column, np.uint32(0))
    return found


def _power(matrix, exponent):
    found = np.uint32(1) << np.arange(32, dtype=np.uint32)
    while exponent:
        if exponent & 1:
            found = _times(matrix, found)
        matrix, exponent = _times(matrix, matrix), exponent >> 1
    return found


_BITS = np.uint32(1) << np.arange(32, dtype=np.uint32)
_ZERO_BYTE = _ARRAY[_BITS & 255] ^ _BITS >> np.uint32(8)
