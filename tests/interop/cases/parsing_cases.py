# SPDX-License-Identifier: Apache-2.0
"""Cases of parsing ops: serialised examples, CSV, JSON, compressed strings, serialised tensors."""

import gzip
import struct
import zlib

import numpy as np

from interop.cases.case import ANY, INVALID, Case, normal, of

STRING = ("string",)


def texts(values):
    return of(np.array(values, dtype=object), "string")  # other arrays forget NULs at the end


def f32(values):
    return of(values, "float32")


# ---- the wire format ----


def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def floats(*values, packed=True):
    parts = [struct.pack("<f", v) for v in values]
    one = field(1, b"".join(parts)) if parts else b""
    return field(2, one if packed else b"".join(b"\x0d" + p for p in parts))


def ints(*values, packed=True):
    parts = [varint(v) for v in values]
    one = field(1, b"".join(parts)) if parts else b""
    return field(3, one if packed else b"".join(b"\x08" + p for p in parts))


def strings(*values):
    return field(1, b"".join(field(1, v) for v in values))


def entry(key, feature):
    return field(1, field(1, key) + field(2, feature))


def features(**given):
    return b"".join(entry(key.encode(), value) for key, value in given.items())


def example(**given):
    return field(1, features(**given))


def rows(*given):
    return b"".join(field(1, row) for row in given)


def sequence(context=b"", **lists):
    parts = b"".join(entry(key.encode(), value) for key, value in lists.items())
    return field(1, context) + (field(2, parts) if parts else b"")


# ---- ParseExample and its relatives ----

EMPTY = {"float32": [], "int64": [], "string": []}


def parse_example(serialized, dense=(), sparse=(), names=(), **more):
    """dense: (key, dtype, shape, default); sparse: (key, dtype)."""
    return Case(
        "ParseExample",
        texts(serialized),
        texts(list(names)),
        [texts(key) for key, _ in sparse],
        [texts(key) for key, _, _, _ in dense],
        [of(value, dtype) for _, dtype, _, value in dense],
        types=STRING,
        sparse_types=[dtype for _, dtype in sparse],
        dense_shapes=[shape for _, _, shape, _ in dense],
        **more,
    )


def parse_single(serialized, dense=(), sparse=(), **more):
    return Case(
        "ParseSingleExample",
        texts(serialized),
        [of(value, dtype) for _, dtype, _, value in dense],
        types=STRING,
        num_sparse=len(sparse),
        sparse_keys=[key for key, _ in sparse],
        dense_keys=[key for key, _, _, _ in dense],
        sparse_types=[dtype for _, dtype in sparse],
        dense_shapes=[shape for _, _, shape, _ in dense],
        **more,
    )


def parse_v2(serialized, dense=(), sparse=(), ragged=(), names=(), **more):
    """ragged: (key, dtype, dtype of splits)."""
    return Case(
        "ParseExampleV2",
        texts(serialized),
        texts(list(names)),
        texts([key for key, _ in sparse]),
        texts([key for key, _, _, _ in dense]),
        texts([key for key, _, _ in ragged]),
        [of(value, dtype) for _, dtype, _, value in dense],
        types=STRING,
        num_sparse=len(sparse),
        sparse_types=[dtype for _, dtype in sparse],
        ragged_value_types=[dtype for _, dtype, _ in ragged],
        ragged_split_types=[splits for _, _, splits in ragged],
        dense_shapes=[shape for _, _, shape, _ in dense],
        **more,
    )


ONE = example(f=floats(1.5), i=ints(-7), s=strings(b"x\x00y"))
FULL = [
    example(f=floats(1, 2), i=ints(1, 2, 3), s=strings(b"a", b"", b"long " * 9), skipped=ints(1)),
    example(s=strings(b"b"), i=ints(-1, 2**40, -(2**63), packed=False), f=floats(3, 4)),
    example(f=floats(-0.5, 9, packed=False), i=ints(), s=strings()),
    example(f=floats(5, 6)),
]
SPARSE = (("i", "int64"), ("s", "string"), ("none", "float32"))
RAGGED = (("i", "int64", "int32"), ("s", "string", "int64"), ("none", "float32", "int64"))
PAIR = ("f", "float32", [2], [])


def required(dtype, shape=()):
    return (dtype[0], dtype, list(shape), EMPTY[dtype])


def good_examples():
    """(serialized, dense, sparse) that the ops accept."""
    yield [ONE], [required(d) for d in ("float32", "int64", "string")], []
    yield [ONE, ONE], [required("float32", [1]), required("int64", [1, 1])], [("s", "string")]
    yield FULL, [PAIR], SPARSE
    yield FULL, [("f", "float32", [2, 1], [[7], [8]])], SPARSE
    yield FULL, [], [("f", "float32")]
    yield [example()] * 3, [("f", "float32", [2], [1, 2]), ("t", "string", [], b"d")], SPARSE
    yield [b"", ONE], [("i", "int64", [], 11), ("f", "float32", [1], [2])], []
    yield FULL, [("i", "int64", [None], -9), ("s", "string", [None, 1], b"pad"), PAIR], []
    yield FULL, [("f", "float32", [None, 2], [0.25])], [("s", "string")]
    yield [ONE] * 70, [required("float32")], [("i", "int64"), ("s", "string")]
    twice = field(1, entry(b"f", floats(1)) + entry(b"f", floats(2)) + entry(b"i", ints(3)))
    yield [twice, twice + twice], [required("float32")], [("i", "int64")]
    last_empty = field(1, entry(b"f", floats(1)) + entry(b"f", b""))
    yield [last_empty], [required("float32")], []
    yield [last_empty], [], [("f", "float32")]
    yield [b"\x22\x03abc\x18\x05" + ONE], [required("int64")], []  # fields that are not known
    packed_twice = field(2, field(1, struct.pack("<f", 1)) + field(1, struct.pack("<f", 2)))
    yield [example(f=packed_twice)], [required("float32")], [("none", "int64")]
    yield [example(f=b"\x12\x07\x0a\x05abcde")], [], [("f", "float32")]  # a byte too many
    yield [example(f=ints(1, 300, 2**63 - 1, -5))], [], [("f", "int64")]


def bad_examples():
    """(serialized, dense, sparse, text) for which they fail."""
    need = [required("float32")]
    parse = "Could not parse example input"
    yield ONE[:-1], [], [("s", "string")], parse
    yield b"\x0b", need, [], parse
    yield field(1, field(1, field(1, b"f"))), need, [], parse
    yield field(1, field(1, field(3, b"f") + field(2, b""))), need, [], parse
    yield field(1, b"\x12\x00"), need, [], parse
    yield example(f=field(4, b"")), need, [], "Unsupported datatype"
    yield example(), need, [], "Feature: f (data type: float) is required but could not be found."
    yield example(f=b""), need, [], "is required but could not be found."
    yield example(f=ints(1)), need, [], "Data types don't match. Data type: int64 but expected"
    yield example(f=b"\x12\x06\x0a\x08abcd"), [], [("f", "float32")], "Can't parse serialized"
    yield example(f=ints(1)), [], [("f", "float32")], "Data types don't match. Expected type: float"
    for wrong in (b"\x12\x02\x10\x01", b"\x12\x06\x0d\x00\x00\x00\x00\x0d"):
        yield example(f=wrong), [], [("f", "float32")], "Can't parse serialized Example"
    long_varint = field(3, field(1, b"\x80" * 10 + b"\x01"))
    yield example(i=long_varint), [], [("i", "int64")], "Can't parse serialized Example"
    yield example(i=field(3, field(1, b"\x81"))), [required("int64")], [], "Can't parse serialized"
    yield example(s=field(1, b"\x0a\x09ab")), [], [("s", "string")], "Can't parse serialized"


def examples():
    for serialized, dense, sparse in good_examples():
        yield parse_example(serialized, dense, sparse)
        yield parse_single(serialized[0], dense, sparse)
        yield parse_v2(serialized, dense, sparse)
        yield parse_v2(serialized[0], dense, sparse)
    for serialized in (FULL, [ONE], FULL[0], example(), [example()] * 3, []):
        yield parse_v2(serialized, ragged=RAGGED)
        yield parse_v2(serialized, [("f", "float32", [None], 0)], SPARSE[2:], RAGGED[:2])
    for serialized, dense, sparse, text in bad_examples():
        if "Can't" not in text:  # TensorFlow 2's texts of a single example have a reason
            yield parse_single(serialized, dense, sparse, error=INVALID, text=text)
        else:
            yield parse_single(serialized, dense, sparse, error=INVALID)
        yield parse_example([serialized], dense, sparse, error=INVALID, text=text)
        yield parse_v2([ONE, serialized], dense, sparse, error=INVALID, text=text)
    text = "Name: n2, Key: f, Index: 1.  Number of float values != expected.  Values size: 1 but"
    bad = [example(f=floats(1, 2)), ONE, b"\x0b"]
    yield parse_example(bad, [PAIR], names=[b"n1", b"n2", b"n3"], error=INVALID, text=text)
    text = "Number of int64 values is not a multiple of stride length. Saw 3 values but output"
    yield parse_example(FULL[:1], [("i", "int64", [None, 2], 0)], error=INVALID, text=text)
    yield parse_single(FULL[0], [("i", "int64", [None, 2], 0)], error=INVALID)
    yield parse_single(FULL[0], [("s", "string", [2], [])], error=INVALID)
    yield parse_single(FULL[0], [("s", "string", [4], [])], error=INVALID)
    yield parse_example([ONE], [required("float32")], names=[b"a", b"b"], error=INVALID)
    yield parse_example(ONE, [required("float32")], error=INVALID)
    yield parse_single([ONE], [required("float32")], error=INVALID)
    yield parse_v2([[ONE]], [required("float32")], error=INVALID)
    for dense in (("f", "float32", [2], [1]), ("f", "float32", [None], [1, 2])):
        yield parse_example([ONE], [dense], error=INVALID)
        yield parse_single(ONE, [dense], error=INVALID)
        yield parse_v2([ONE], [dense], error=INVALID)
    yield parse_example([], [PAIR, ("j", "int64", [None], 0)], SPARSE)
    twice = {"error": INVALID, "text": "is given twice", "ours": "TensorFlow finds no feature then"}
    yield parse_example([ONE], [required("float32")], [("f", "float32")], **twice)
    value_first = field(1, field(1, field(2, floats(4)) + field(1, b"f")))
    yield parse_example([value_first], [required("float32")], like=2)  # 1.15 refuses it


# ---- DecodeCSV ----


def csv(records, *columns, **more):
    """columns: (dtype, default)."""
    values = [of(value, dtype) for dtype, value in columns]
    return Case("DecodeCSV", texts(records), values, types=STRING, **more)


INT, LONG, FLOAT, DOUBLE, TEXT = (
    ("int32", [1]), ("int64", [2]), ("float32", [3]), ("float64", [4]), ("string", [b"none"]),
)  # fmt: skip


def csv_records():
    yield csv(
        [b"1,2,3.5,-4e3,five", b" 6 , 7,.5, 1 ,", b",,,,", b"1,2,inf,nan,\xff\x00"],
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        TEXT,
    )
    yield csv(b"1,a", INT, TEXT)
    yield csv([[b"1"], [b"2"]], INT)
    yield csv([], INT, TEXT)
    yield csv([b'"a,b","say ""hi""",""', b'"1\n2",x,"3"'], TEXT, TEXT, TEXT)
    yield csv([b"1\t2", b'"3"\t4'], INT, LONG, field_delim="\t")
    yield csv([b'a"b,c'], TEXT, TEXT, use_quote_delim=False)
    yield csv([b"NA,NA", b"4,NAN"], INT, TEXT, na_value="NA")
    yield csv([b"\n1,2\r\n"], INT, INT, error=INVALID)
    yield csv([b"\r\n1,2", b"3,\n4"], INT, INT)
    yield csv([b"0,1,2,3", b"4,5,6,7"], INT, FLOAT, select_cols=[1, 3])
    yield csv([b"0,1,", b"4,5,x"], INT, TEXT, select_cols=[0, 2])
    yield csv([b"1"] * 1000, INT)
    yield csv([b"5,"], ("int32", []), TEXT)
    yield csv([b"5"], ("int32", 3))
    yield csv([b"0x10,-0x1p3"], FLOAT, DOUBLE, like=2)  # 1.15 does not read hexadecimal doubles
    yield csv([b""], INT, error=INVALID, text="Expect 1 fields but have 0 in record 0")
    yield csv(
        [b"1,2", b"1"], INT, INT, error=INVALID, text="Expect 2 fields but have 1 in record 1"
    )
    yield csv([b"1", b""], ("int32", []), error=INVALID)
    text = "Field 0 is required but missing in record 0!"
    yield csv([b",1"], ("int32", []), INT, error=INVALID, text=text)
    for dtype, name, bad in (
        ("int32", "int32", b"3000000000"), ("int64", "int64", b"1.5"), ("int32", "int32", b"x"),
        ("float32", "float", b"1,5"), ("float64", "double", b"abc"),
    ):  # fmt: skip
        text = f"Field 0 in record 0 is not a valid {name}: " + bad.decode().split(",")[0]
        if b"," not in bad:
            yield csv([bad], (dtype, [0]), error=INVALID, text=text)
        else:
            yield csv([bad], (dtype, [0]), error=INVALID)
    yield csv([b'a"b'], TEXT, error=INVALID, text="Unquoted fields cannot have quotes/CRLFs inside")
    yield csv([b'"a"b"'], TEXT, error=INVALID, text="Quote inside a string has to be escaped")
    yield csv([b'"ab'], TEXT, error=INVALID, text="Quoted field has to end with quote followed by")
    yield csv([b'"'], TEXT, error=INVALID, text="Quoted field has to end with quote followed by")
    yield csv([b"1"], ("int32", [1, 2]), error=INVALID, text="only be 1 default per field")
    yield csv(
        [b"1"], INT, field_delim=",,", error=INVALID, text="field_delim should be only 1 char"
    )
    for columns in ([1, 0], [0, 0], [-1, 0], [0]):
        yield csv([b"1,2"], INT, INT, select_cols=columns, error=INVALID)
    yield csv([b"1,2"], INT, INT, select_cols=[0, 5], error=INVALID)


# ---- tensors, compressed strings, JSON ----


def tensor(dtype, dims, *parts):
    shape = b"".join(field(2, b"\x08" + varint(d)) for d in dims)
    return b"\x08" + varint(dtype) + field(2, shape) + b"".join(parts)


def tensors():
    for shape in ((), (3,), (2, 0), (2, 3)):
        yield Case("SerializeTensor", normal(*shape), types=ANY)
    content = field(4, struct.pack("<3f", 1, 2, 3))
    yield Case("ParseTensor", texts(tensor(1, [3], content)), types=STRING, out_type="float32")
    short = tensor(9, [2, 2], field(10, varint(5) + varint(-6)))
    yield Case("ParseTensor", texts(short), types=STRING, out_type="int64")
    words = tensor(7, [2], field(8, b"a"), field(8, b"b\x00"))
    yield Case("ParseTensor", texts(words), types=STRING, out_type="string")
    yield Case("ParseTensor", texts(tensor(10, [], b"\x58\x01")), types=STRING, out_type="bool")
    yield Case("ParseTensor", texts(tensor(1, [0, 4])), types=STRING, out_type="float32")
    for bad in (b"junk", tensor(1, [3], content)[:-1]):
        yield Case("ParseTensor", texts(bad), types=STRING, out_type="float32", error=INVALID)
    kw = {"error": INVALID, "text": "Cannot parse tensor from proto"}
    for bad in (b"", tensor(1, [4], content)):
        yield Case("ParseTensor", texts(bad), types=STRING, out_type="float32", **kw)
    mismatch = "Type mismatch between parsed tensor (float) and dtype (int32)"
    good = tensor(1, [3], content)
    yield Case(
        "ParseTensor", texts(good), types=STRING, out_type="int32", error=INVALID, text=mismatch
    )
    yield Case("ParseTensor", texts([good]), types=STRING, out_type="float32", error=INVALID)


def compressed():
    data = [b"", b"hello", b"many words " * 60000, bytes(range(256)) * 40]

    def decode(values, kind, **more):
        return Case("DecodeCompressed", texts(values), types=STRING, compression_type=kind, **more)

    zipped = gzip.compress(b"zipped " * 50)
    yield decode(data, "")
    yield decode([zlib.compress(d) for d in data], "ZLIB")
    yield decode([[zlib.compress(b"x")], [zlib.compress(b"y")]], "ZLIB")
    yield decode([zipped, zipped[:-4], zipped[:30]], "GZIP")
    yield decode([zipped + zipped], "GZIP", like=2)  # 1.15 reads one stream
    yield decode(zlib.compress(b"scalar", 9), "ZLIB")
    yield decode([zlib.compress(d)[:-6] for d in data[1:]] + [b""], "ZLIB")
    yield decode([b"not compressed"], "ZLIB", error="ANY")
    yield decode([zlib.compress(b"zlib, not gzip")], "GZIP", error="ANY")
    yield decode([zlib.compress(b"abc") + b"ignored"], "ZLIB")
    yield decode([zipped + b"not ignored"], "GZIP", error="ANY", like=2)
    yield decode([b"x"], "LZ4", error=INVALID, text="are supported compressions")


def json_examples():
    good = (
        b'{"features":{"feature":{"a":{"int64List":{"value":["1",2]}}}}}',
        b'{"features":{"feature":{"b":{"floatList":{"value":[1.5,"NaN"]}},'
        b'"c":{"bytesList":{"value":["YQ=="]}}}}}',
        b"{}",
        b' {"features" : {} } ',
    )
    for text in good:
        yield Case("DecodeJSONExample", texts(text), types=STRING)
    yield Case("DecodeJSONExample", texts([[good[0], good[2]]]), types=STRING)
    for text in (b"", b"{", b'{"unknown":1}', b'{"features":3}'):
        error = {"error": INVALID, "text": "Error while parsing JSON: "}
        yield Case("DecodeJSONExample", texts(text), types=STRING, **error)


FAMILIES = (examples, csv_records, tensors, compressed, json_examples)
