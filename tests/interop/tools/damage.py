# SPDX-License-Identifier: Apache-2.0
"""Damages the bytes that an op decodes, as a disk or a hostile program would."""

import struct
import zlib

# Ops whose input 0 holds files or messages: drawn noise would only be refused.
OPS = frozenset(
    "DecodeJpeg DecodeAndCropJpeg DecodePng DecodeGif DecodeBmp DecodeImage ExtractJpegShape "
    "DecodeWav ParseExample ParseExampleV2 ParseSingleExample ParseSequenceExample "
    "ParseSequenceExampleV2 ParseSingleSequenceExample ParseTensor DecodeCSV DecodeJSONExample "
    "DecodeCompressed DecodeProtoV2 DeserializeSparse DecodeBase64".split()
)
NUMBERS = (0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1,
           2**63, 2**64 - 1)  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n"


def damage(drawn, rng):
    """Changes texts of input 0."""
    value = drawn.inputs[0]
    dtype, array = value[0] if isinstance(value, list) else value
    if dtype != "string" or not array.size:
        return
    array = array.copy()
    texts = array.reshape(-1)
    at = rng.randint(texts.size)
    other = as_bytes(texts[rng.randint(texts.size)])
    texts[at] = damaged(as_bytes(texts[at]), other, rng)
    changed = dtype, texts.reshape(array.shape)
    if isinstance(value, list):
        value[0] = changed
    else:
        drawn.inputs[0] = changed
    drawn.how += " damaged"


def as_bytes(text):
    return text if isinstance(text, bytes) else str(text).encode()


def damaged(data, other, rng):
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = _once(data, other, rng)
    return with_sums(data) if data.startswith(PNG) and rng.rand() < 0.7 else data


def _once(data, other, rng):
    kind = rng.randint(7)
    at = rng.randint(len(data) + 1) if rng.rand() < 0.6 else rng.randint(min(len(data), 40) + 1)
    size = rng.randint(1, 1 << rng.randint(1, 8))
    if kind <= 1 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << rng.randint(8)]) + data[at + 1 :]
    if kind == 2:
        return data[:at]
    if kind == 3:
        number = encoded(NUMBERS[rng.randint(len(NUMBERS))], rng)
        return data[:at] + number + data[at + (len(number) if rng.rand() < 0.7 else 0) :]
    if kind == 4:
        return data[:at] + data[at + size :]
    if kind == 5:
        return data[:at] + data[at : at + size] + data[at:]
    place = rng.randint(len(other) + 1)
    return data[:at] + other[place : place + size] + data[at + (size if rng.rand() < 0.5 else 0) :]


def encoded(number, rng):
    """In either byte order, or as a varint."""
    if rng.rand() < 0.4:
        out = bytearray()
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        return bytes(out) + bytes([number])
    form = "<>"[rng.randint(2)] + "BHIQ"[rng.randint(4)]
    return struct.pack(form, number & 2 ** (8 * struct.calcsize(form)) - 1)


def with_sums(data):
    """The PNG file with the checksums of its chunks."""
    at, out = len(PNG), bytearray(data)
    while at + 12 <= len(out):
        (size,) = struct.unpack_from(">I", out, at)
        if at + 12 + size > len(out):
            break
        struct.pack_into(">I", out, at + 8 + size, zlib.crc32(bytes(out[at + 4 : at + 8 + size])))
        at += 12 + size
    return bytes(out)
