# SPDX-License-Identifier: Apache-2.0
"""Numbers of variable length, as Protocol Buffers and tables of checkpoints have them."""


def encode(number):
    """The bytes of a number."""
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def decode(data, at):
    """The number that begins at a place, and where it ends."""
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result, at
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")
