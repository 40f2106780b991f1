"""Cases of string ops."""

from ops_cases import (
    COMPLEX,
    FLOATS,
    INF,
    INTS,
    INVALID,
    NAN,
    Case,
    arange,
    i32,
    i64,
    known,
    normal,
    of,
)

STRING = ("string",)


def texts(values):
    return of(values, "string")


LONG = [b"x" * n for n in (15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000)]
WORDS = [
    b"",
    b"a",
    b"hello",
    b"\x00\xff\x80",
    b"ab cd  ef",
    " \u00e9t\u00e9 \u4e2d\U0001f600".encode(),
]
BYTES = [bytes((i * 7 + n) % 256 for i in range(n)) for n in range(0, 140, 3)]


def hashes():
    for op, more in (
        ("StringToHashBucket", {}),
        ("StringToHashBucketFast", {}),
        ("StringToHashBucketStrong", {"key": [1, 2]}),
        ("StringToHashBucketStrong", {"key": [-5, 2**62]}),
    ):
        for values in (WORDS, LONG, BYTES, b"scalar", [[[[[b"five"]]]]]):
            for buckets in (1, 10, 1000003, 2**63 - 1):
                yield Case(op, texts(values), types=STRING, num_buckets=buckets, **more)


def regexes():
    for pattern in (b"", b"a+", b"h.*o", b"(?i)HELLO", b"[[:space:]]+", b"(.)(.)", b".*", b"\\pL+"):
        for values in (WORDS, b"a", [[b"aa", b"b"]]):
            yield Case("RegexFullMatch", texts(values), texts(pattern), types=STRING)
            yield Case("StaticRegexFullMatch", texts(values), types=STRING, pattern=pattern)
            for rewrite in (b"", b"<\\0>", b"zz"):
                for all_of_them in (True, False):
                    yield Case(
                        "RegexReplace",
                        texts(values),
                        texts(pattern),
                        texts(rewrite),
                        types=STRING,
                        replace_global=all_of_them,
                    )
    yield Case("StaticRegexReplace", texts(WORDS), types=STRING, pattern="(l)", rewrite="[\\1]")
    yield Case(
        "StaticRegexReplace",
        texts(WORDS),
        types=STRING,
        pattern="l",
        rewrite="",
        replace_global=False,
    )
    bad = {"types": STRING, "error": INVALID, "text": "Invalid pattern"}
    yield Case("RegexFullMatch", texts(WORDS), texts(b"(a"), **bad)
    yield Case("RegexReplace", texts(WORDS), texts(b"a**"), texts(b""), **bad)
    yield Case("StaticRegexFullMatch", texts(WORDS), pattern="[", **bad)
    yield Case("RegexFullMatch", texts(WORDS), texts([b"a"]), types=STRING, error=INVALID)


def splits():
    values = [b"", b"a", b"a b", b"  a  b c ", b",a,,b,", b"a<>b<><>c", b"\xe4\xb8\xad x"]
    for delimiter in (b" ", b",", b" ,", b"", b"<>"):
        for skip in (True, False):
            yield Case(
                "StringSplit", texts(values), texts(delimiter), types=STRING, skip_empty=skip
            )
        for most in (-1, 0, 1, 2, 5):
            yield Case(
                "StringSplitV2", texts(values), texts(delimiter), types=STRING, maxsplit=most
            )
    for op in ("StringSplit", "StringSplitV2"):
        yield Case(op, texts([]), texts(b" "), types=STRING)
        yield Case(op, texts([b"", b""]), texts(b" "), types=STRING)
        yield Case(op, texts([[b"a"]]), texts(b" "), types=STRING, error=INVALID)
        yield Case(op, texts([b"a"]), texts([b" "]), types=STRING, error=INVALID)


def joins():
    for axes in ([0], [1], [-1], [0, 1], [1, 0], [2, 0], [0, 1, 2], []):
        for keep in (False, True):
            yield Case(
                "ReduceJoin",
                arange(2, 3, 2),
                i32(axes),
                types=STRING,
                keep_dims=keep,
                separator="-",
            )
    yield Case("ReduceJoin", arange(2, 1, 3, 1, 2), i32([4, 2]), types=STRING)
    yield Case("ReduceJoin", known(arange(4)), i32(0), types=STRING)
    yield Case("ReduceJoin", texts(b"one"), i32([]), types=STRING)
    yield Case("ReduceJoin", arange(0, 3), i32([1]), types=STRING)
    yield Case("ReduceJoin", arange(0, 3), i32([0]), types=STRING)
    yield Case("ReduceJoin", arange(2, 3), i32([2]), types=STRING, error="ANY")
    yield Case("ReduceJoin", arange(2, 3), i32([-3]), types=STRING, error="ANY")
    yield Case("ReduceJoin", arange(2, 3), i32([1, -1]), types=STRING, error=INVALID)


def segments():
    join = "UnsortedSegmentJoin"
    for index in ("int32", "int64"):
        for count in ("int32", "int64"):
            ids, n = of([0, 2, 0], index), of(3, count)
            yield Case(join, arange(3), ids, n, types=STRING, separator=", ")
    yield Case(join, arange(3, 2), i32([1, 0, 1]), known(i32(2)), types=STRING)
    yield Case(join, arange(2, 2, 3), i32([[0, 1], [1, 1]]), i32(2), types=STRING, separator="-")
    yield Case(join, arange(1, 2, 1, 2, 1), i32([0]), i32(1), types=STRING, separator="-")
    yield Case(join, texts([b"", b"", b"a", b""]), i32([0, 0, 0, 1]), i32(2), types=STRING)
    yield Case(join, texts([]), i32([]), i32(2), types=STRING)
    yield Case(join, arange(2, 0), i32([0, 1]), i32(2), types=STRING)
    for ids, count in (([0, -1], 2), ([0, 2], 2), ([0], 2), ([0, 1], 0), ([[0, 1]], 1), (0, 1)):
        yield Case(join, arange(2), i32(ids), i32(count), types=STRING, error="ANY")
    yield Case(join, arange(2, 2), i32([[0, 0, 1], [1, 1, 1]]), i32(2), types=STRING, error=INVALID)
    dies = "TensorFlow 1.15 dies of it"
    for count in (-1, [2, 3]):
        yield Case(
            join, arange(2), i32([0, 1]), i32(count), types=STRING, error=INVALID, ours=dies
        )


READS = "TensorFlow reads past the end of len"


def pieces():
    words = [b"hello", b"world", b"\xe4\xb8\xadab"]
    for unit in ("BYTE", "UTF8_CHAR"):
        yield Case("StringLength", texts(WORDS), types=STRING, unit=unit)
        yield Case("StringLength", texts([[[]]]), types=STRING, unit=unit)
        for pos, length in ((0, 2), (1, 3), (-2, 1), (2, 100), (-3, 2), (3, 0)):
            yield Case("Substr", texts(words), i32(pos), i32(length), types=STRING, unit=unit)
            yield Case("Substr", texts(b"hello"), i64(pos), i64(length), types=STRING, unit=unit)
        yield Case("Substr", texts(words), i32([0, 1, -1]), i32([1, 2, 3]), types=STRING, unit=unit)
        yield Case(
            "Substr", texts(words), i32([[0], [1]]), i32([[1], [2]]), types=STRING, unit=unit
        )
        yield Case("Substr", texts(b"hello"), i32([1, 2]), i32([2, 2]), types=STRING, unit=unit)
        yield Case("Substr", texts([[b"ab"], [b"cd"]]), i32([0, 1]), i32([1, 1]), types=STRING)
        for pos in (9, -9):
            yield Case(
                "Substr",
                texts(words),
                i32(pos),
                i32(1),
                types=STRING,
                unit=unit,
                error=INVALID,
                text="out of range for string",
            )
    yield Case("Substr", texts(words), i32([0, 1]), i32([1, 1]), types=STRING, error=INVALID)
    yield Case(
        "Substr", texts(words), i32([0, 1, 1]), i32(1), types=STRING, error=INVALID, ours=READS
    )
    for op in ("StringStrip", "EncodeBase64"):
        for values in (WORDS, LONG[:5], b" a\t\n", []):
            yield Case(op, texts(values), types=STRING)
    for values in (WORDS, BYTES[:9]):
        yield Case("EncodeBase64", texts(values), types=STRING, pad=True)
    yield Case(
        "DecodeBase64", texts([b"", b"YQ", b"YQ==", b"YWI", b"YWI=", b"YWJj", b"_-8"]), types=STRING
    )
    for bad in (b"Y", b"Y*==", b"YQ=a", b"+/==", b"Y W="):
        yield Case("DecodeBase64", texts(bad), types=STRING, error=INVALID)


def numbers():
    yield Case("AsString", normal(7), types=FLOATS + COMPLEX + INTS + ("bool",))
    yield Case(
        "AsString", of([NAN, INF, -INF, 0.0, -0.0, 1e30, 1e-30, 123456.789]), types=FLOATS[2:]
    )
    yield Case("AsString", of([-(2**63), 2**63 - 1, 0], "int64"), types=("int64",))
    for extra in (
        {"precision": 2},
        {"scientific": True},
        {"shortest": True},
        {"width": 12},
        {"width": 12, "fill": "0"},
        {"width": 9, "fill": "-", "precision": 3},
        {"width": 9, "fill": "+", "scientific": True},
        {"width": 9, "fill": " ", "shortest": True, "precision": 2},
    ):
        yield Case("AsString", normal(2, 3), types=FLOATS + COMPLEX, **extra)
    yield Case("AsString", normal(5), types=("int32", "uint8", "int64"), width=6, fill="0")
    for fill in ("", "-", "0"):
        yield Case("AsString", of([b"a\x00b", b"longer"]), types=("string",), width=5, fill=fill)
    yield Case("AsString", normal(5), types=("int32",), precision=2, error=INVALID)
    yield Case("AsString", normal(5), types=("int32",), scientific=True, error=INVALID)
    yield Case("AsString", normal(5), scientific=True, shortest=True, error=INVALID)
    yield Case("AsString", normal(5), width=5, fill="x", error=INVALID)
    yield Case("AsString", normal(5), width=5, fill="00", error=INVALID)


def formats():
    for ends in (-1, 1, 3):
        for shape in (
            (),
            (3,),
            (9,),
            (2, 3),
            (8, 9),
            (2, 3, 4),
            (7, 2, 7),
            (2, 2, 2, 2),
        ):
            yield Case(
                "StringFormat",
                [arange(*shape)],
                types=("float32", "int32", "int64", "string", "bool"),
                template="<%s>",
                summarize=ends,
            )
        for kind, like in (("float32", None), ("string", None), ("bool", 1)):
            for shape in ((0,), (0, 2)):
                yield Case(
                    "StringFormat",
                    [arange(*shape)],
                    types=(kind,),
                    template="<%s>",
                    summarize=ends,
                    like=like,
                )
    yield Case(
        "StringFormat",
        [normal(4), i32([1, 2]), texts([b'a\n"b'])],
        types=("float64",),
        template="a {} b {} c {}",
        placeholder="{}",
    )
    yield Case(
        "StringFormat",
        [of([1.7886285, 1 / 3, 123456.789, 3.1415927, 1e-7, 0.1, INF, NAN])],
        types=FLOATS[2:],
        template="%s",
        summarize=-1,
    )
    yield Case("StringFormat", [normal(2)], template="%s %s", error=INVALID)


def scripts():
    # What newer versions of Unicode added is not among these.
    edges = [0, 64, 65, 90, 91, 0x370, 0x3B1, 0x5D0, 0x4E00, 0x3042, 0x30A2, 0xAC00, 0x1F600]
    outside = [-1, -(2**31), 0xD800, 0x10FFFF, 0x110000, 2**31 - 1]
    yield Case("UnicodeScript", i32(edges + outside), types=("int32",))
    yield Case("UnicodeScript", i32(list(range(0x250))), types=("int32",))
    yield Case("UnicodeScript", i32(97), types=("int32",))
    yield Case("UnicodeScript", normal(2, 1, 0, 2, 1, 1), types=("int32",))


FAMILIES = (hashes, regexes, splits, joins, segments, pieces, numbers, formats, scripts)
