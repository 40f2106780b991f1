# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for Protobuf's messages."""

import numpy as np

from interop.cases.case import INVALID, Case, i32, of

LOST = "DATA_LOSS"


def varint(value):
    value &= 2**64 - 1
    head = bytearray()
    while value > 127:
        head.append(value & 127 | 128)
        value >>= 7
    return bytes(head) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    value = value if isinstance(value, bytes) else value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value


# The numbers that descriptors give to types.
DOUBLE, FLOAT, INT64, UINT64, INT32, FIXED64, FIXED32, BOOL, STRING, GROUP, MESSAGE, BYTES = range(
    1, 13
)
UINT32, ENUM, SFIXED32, SFIXED64, SINT32, SINT64 = range(13, 19)


def member(name, at, kind, repeated=False, of_type="", default="", packed=False, extends=""):
    made = text(1, name) + number(3, at) + number(4, 3 if repeated else 1) + number(5, kind)
    made += text(6, of_type) if of_type else b""
    made += text(7, default) if default else b""
    made += text(8, number(2, 1)) if packed else b""
    return made + (text(2, extends) if extends else b"")


# Name -> number, type, TensorFlow's dtype, a wider one, other properties.
FIELDS = {
    "d": (1, DOUBLE, "float64", None, {}),
    "f": (2, FLOAT, "float32", "float64", dict(default="1.5")),
    "i64": (3, INT64, "int64", None, {}),
    "u64": (4, UINT64, "uint64", None, {}),
    "i32": (5, INT32, "int32", "int64", dict(repeated=True)),
    "f64": (6, FIXED64, "uint64", None, dict(repeated=True)),
    "f32": (7, FIXED32, "uint32", "uint64", {}),
    "b": (8, BOOL, "bool", None, dict(default="true", repeated=False)),
    "s": (9, STRING, "string", None, dict(repeated=True)),
    "m": (11, MESSAGE, "string", None, dict(of_type=".t.M")),
    "y": (12, BYTES, "string", None, dict(default="abc")),
    "u32": (13, UINT32, "uint32", "uint64", {}),
    "e": (14, ENUM, "int32", None, dict(of_type=".t.E")),
    "sf32": (15, SFIXED32, "int32", "int64", {}),
    "sf64": (16, SFIXED64, "int64", None, {}),
    "s32": (17, SINT32, "int32", "int64", {}),
    "s64": (18, SINT64, "int64", None, {}),
    "pi": (19, INT32, "int32", None, dict(repeated=True, packed=True)),
    "pd": (20, DOUBLE, "float64", None, dict(repeated=True, packed=True)),
    "g": (21, GROUP, "string", None, dict(of_type=".t.M.G")),
}


def descriptors():
    inner = text(1, "G") + text(2, member("x", 1, INT32))
    message = text(1, "M") + b"".join(
        text(2, member(name, at, kind, **more)) for name, (at, kind, _, _, more) in FIELDS.items()
    )
    message += text(3, inner) + text(5, number(1, 100) + number(2, 200))
    enum = text(1, "E") + b"".join(
        text(2, text(1, name) + number(2, value)) for name, value in (("A", 0), ("B", 3))
    )
    extension = member("ext", 100, INT32, extends=".t.M")
    file = text(1, "t.proto") + text(2, "t") + text(4, message) + text(5, enum)
    file += text(7, extension) + text(12, "proto2")
    newer = text(1, "M") + text(2, member("i", 1, INT32)) + text(2, member("s", 2, STRING))
    newer = text(1, "u.proto") + text(2, "u") + text(4, newer) + text(12, "proto3")
    return text(1, file) + text(1, newer)


SOURCE = b"bytes://" + descriptors()


def bytes_of(values):
    return of(np.array(values, dtype=object), "string")


def decoding(messages, names, types=None, source=SOURCE, kind="t.M", **kw):
    types = types or [FIELDS[name][2] for name in names]
    return Case(
        "DecodeProtoV2", bytes_of(messages), field_names=names, output_types=types,
        message_type=kind, descriptor_source=source, **kw,
    )  # fmt: skip


FULL = (
    b"\x09\0\0\0\0\0\0\xf8\x3f\x15\0\0\x20\x40" + number(3, -3) + number(4, -1) + number(5, 5)
    + number(5, -6) + b"\x31" + b"\xff" * 8 + b"\x3d" + b"\xff" * 4 + number(8, 0) + text(9, "x")
    + text(9, b"\xff") + text(11, number(3, 1)) + text(12, "y") + number(13, -1) + number(14, 99)
    + b"\x7d\xfe\xff\xff\xff\x81\x01" + b"\xfe" * 8 + number(17, 5) + number(18, 6)
    + text(19, varint(1) + varint(-2)) + text(20, b"\0" * 16) + b"\xab\x01\x08\x05\xac\x01"
)  # fmt: skip


def decoded():
    names = list(FIELDS)
    wide = [FIELDS[name][3] or FIELDS[name][2] for name in names]
    for kw in ({}, dict(sanitize=True)):
        yield decoding([FULL], names, **kw)
        yield decoding([FULL, FULL], names, wide, **kw)
        yield decoding([FULL + number(3, 8)], ["i64", "s", "m"], **kw)
        yield decoding([text(11, number(3, 1)) + text(11, number(4, 2))], ["m"], **kw)
        yield decoding([number(100, 7)], ["t.ext", "i64"], ["int32", "int64"], **kw)
        yield decoding([number(99, 7) + number(3, 1) + text(98, "zz")], ["i64"], **kw)
    # 1.15 gives no default to an enumeration.
    absent = [name for name in names if name != "e"]
    yield decoding([b"", number(5, 1) + number(5, 2), b""], absent)
    yield decoding(number(5, 1) + number(5, 2), ["i32", "f", "i64"])
    yield decoding([[number(5, 1)], [b""]], ["i32", "y"])
    yield decoding([b"", number(1, 7)], ["i", "s"], ["int32", "string"], kind="u.M")
    # Packed or not, either is read; a field of another type is skipped.
    yield decoding([text(5, varint(5) + varint(6)) + number(5, 7)], ["i32"])
    yield decoding([number(19, 5) + text(19, varint(6))], ["pi"])
    lost = "TensorFlow's buffer has no place for it"
    yield decoding([text(3, varint(5) + varint(6))], ["i64"], ours=lost)
    yield decoding([number(19, 5) + text(19, b"")], ["pi"], ours=lost)
    yield decoding([b"\x1d\0\0\0\0" + number(3, 7) + number(9, 1)], ["i64", "s"])
    yield decoding([number(17, 2**32 + 5) + number(5, 2**40 + 1)], ["s32", "i32"])
    in_text = dict(message_format="text")
    yield decoding(
        [b'i64: 5 i32: 3 i32: 4 s: "a" m { f: 2 }', b""], ["i64", "i32", "s", "m"], **in_text
    )
    for source in (b"local://", b""):
        example = dict(source=source, kind="tensorflow.Example")
        yield decoding([text(1, b"")], ["features"], ["string"], **example)


def bad_messages():
    names = ["i64", "s", "pi", "pd", "g", "f64"]
    for bad in (
        b"\x18",
        b"\x4a\x05a",
        b"\x1c",
        b"\0",
        b"\xab\x01\x08\x05",
        b"\xab\x01\x08\x05\xb4\x01",
        b"\x1e",
        b"\x18" + b"\xff" * 11,
        b"\x09\0\0",
        b"\x31\0\0",
        b"\xa2\x01\x03\0\0\0",
        b"\xf8\x07",
        b"\x4a" + varint(-1),
        b"\xab\x01" * 200,
    ):
        yield decoding([b"", bad], names, error=LOST)
        yield decoding([b"", bad], names, error=LOST, sanitize=True)
    for bad in (b"\x9a\x01\x02\x07", b"\xa2\x01\xff\xff\xff\xff\x07"):
        yield decoding([b"", bad], names, error=LOST)
    nested = b"m {" * 20000
    for bad in (b"i64: x", b"zzz: 1", b"m { i64: 1", nested):
        lost = dict(error=LOST, message_format="text", text="Unable to parse text protobuf")
        yield decoding(
            [bad], ["i64"], ours="TensorFlow overflows its stack" if bad is nested else None, **lost
        )


def bad_requests():
    def bad(message, *args, **kw):
        return decoding([b""], *args, error=INVALID, text=message, **kw)

    yield bad("Unexpected output type for t.M.i64", ["i64"], ["int32"])
    yield bad("Unexpected output type for t.M.u32", ["u32"], ["int64"])
    yield bad("Unexpected output type for t.M.m", ["m"], ["float32"])
    yield bad("Unknown field: nope in message type t.M", ["nope"], ["int32"])
    yield bad("Unknown field: ext in message type t.M", ["ext"], ["int32"])
    yield bad("No descriptor found for message type t.N", ["i64"], kind="t.N")
    yield bad("must have the same length", ["i64", "i32"], ["int64"])
    yield bad("format must be one of binary or text", ["i64"], message_format="json")
    for source in (b"bytes://zzz", b"/nothing/here", b"/tmp", b"/dev/zero"):
        endless = "1.15 reads it" if source == b"/dev/zero" else None
        yield bad("Source does not represent", ["i64"], source=source, ours=endless)
    yield bad("No descriptor found", ["i64"], source=b"bytes://")
    yield bad("No descriptor found", ["i64"], source=b"local://")
    alone = text(1, text(1, "a") + text(3, "b"))
    yield bad("Failed to load FileDescriptorProto", ["i64"], source=b"bytes://" + alone)
    dies = "2.x ends the program, for no field"
    yield decoding([], ["i64"], error=INVALID, text="at least one value", ours=dies)


def encoding(sizes, values, names, types=None, source=SOURCE, kind="t.M", **kw):
    types = types or [FIELDS[name][2] for name in names]
    values = [
        of(np.array(value, dtype=object) if dtype == "string" else value, dtype)
        for value, dtype in zip(values, types)
    ]
    return Case(
        "EncodeProto", i32(sizes), values, field_names=names, message_type=kind,
        descriptor_source=source, **kw,
    )  # fmt: skip


def encoded():
    yield encoding([[1, 2]], [[[5]], [[3, -4]]], ["i64", "i32"])
    yield encoding([[2, 1]], [[[3, 4]], [[5]]], ["i32", "i64"])
    yield encoding([[1, 0]], [[[3, 4]], [[5]]], ["i32", "i64"])
    yield encoding([[-1, 1]], [[[3, 4]], [[5]]], ["i32", "i64"])
    yield encoding([[[1, 0]], [[2, 1]]], [[[[3, 4]], [[3, 4]]], [[[5]], [[6]]]], ["i32", "i64"])
    yield encoding([[2], [1], [0]], [[[3, -4], [1, 2], [0, 0]]], ["pi"])
    yield encoding([[2]], [[[3, 4]]], ["i64"])
    yield encoding([[1, 1]], [[[5]], [[6]]], ["i64", "i64"])
    one = [1.5, 2.5, -3, 4, 5, 6, 7, True, b"x\xff", b"\x18\x05", b"y", 8, 3, -9, -10, -11, -12]
    names = [name for name in FIELDS if name not in ("pi", "pd", "g")]
    yield encoding([[1] * len(one)], [[[value]] for value in one], names)
    yield encoding([[1]], [[[2**40 + 7]]], ["i32"], ["int64"])
    yield encoding([[1]], [[[2**40 + 7]]], ["u32"], ["uint64"])
    yield encoding([[1]], [[[1e300]]], ["f"], ["float64"])
    yield encoding([[1]], [[[b"\x08\x05"]]], ["g"])
    yield encoding([[1]], [[[b"not a message"]]], ["m"])
    yield encoding(np.zeros((0, 1)), [np.zeros((0, 3))], ["i64"])
    yield encoding([[0]], [np.zeros((1, 0))], ["i64"])


def bad_encodings():
    def bad(message, *args, **kw):
        return encoding(*args, error=INVALID, text=message, **kw)

    yield bad("but saw: 3 > 2 at message 0 field 0", [[3]], [[[3, 4]]], ["i32"])
    yield bad("Incompatible type for field i64", [[1]], [[[5]]], ["i64"], ["float32"])
    yield bad("Incompatible type for field u32", [[1]], [[[5]]], ["u32"], ["int64"])
    yield bad("Unknown field: zz in message type t.M", [[1]], [[[5]]], ["zz"], ["int64"])
    yield bad("Unknown field: t.ext", [[1]], [[[5]]], ["t.ext"], ["int32"])
    yield bad("Length of inputs list must match", [[1]], [[[5]]], ["i64", "i32"], ["int64"])
    yield bad("No descriptor found", [[1]], [[[5]]], ["i64"], kind="t.N")
    sizes = "sizes should be batch_size + [len(field_names)]"
    yield bad(sizes, [[1, 2]], [[[5]]], ["i64"])
    yield bad(sizes, [[1], [1]], [[[5]]], ["i64"])
    yield bad(sizes, [[[1]]], [[[5]]], ["i64"])
    yield bad(sizes, 1, [[[5]]], ["i64"])
    yield encoding([[1, 1]], [[[5]], [[5], [6]]], ["i64", "i32"], error=INVALID)
    yield encoding([[1, 1]], [[[5]], [5]], ["i64", "i32"], error=INVALID)
    yield encoding([1], [5], ["i64"], error=INVALID, ours="1.15 dies")


FAMILIES = (decoded, bad_messages, bad_requests, encoded, bad_encodings)
