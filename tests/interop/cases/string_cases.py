# SPDX-License-Identifier: Apache-2.0
"""Cases of string ops."""

import numpy as np

from interop.cases.case import (
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
    return of(np.array(values, dtype=object), "string")  # other arrays forget NULs at the end


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
    with_empty = texts([b"", b"", b"a", b"", b"b", b""]), i32([0, 0, 0, 1, 0, 0]), i32(2)
    yield Case(join, *with_empty, types=STRING, separator="-")
    yield Case(join, texts([]), i32([]), i32(2), types=STRING)
    yield Case(join, arange(2, 0), i32([0, 1]), i32(2), types=STRING)
    for ids, count in (([0, -1], 2), ([0, 2], 2), ([0], 2), ([0, 1], 0), ([[0, 1]], 1), (0, 1)):
        yield Case(join, arange(2), i32(ids), i32(count), types=STRING, error="ANY")
    yield Case(join, arange(2, 2), i32([[0, 0, 1], [1, 1, 1]]), i32(2), types=STRING, error=INVALID)
    dies = "TensorFlow 1.15 dies of it"
    for count in (-1, [2, 3]):
        yield Case(join, arange(2), i32([0, 1]), i32(count), types=STRING, error=INVALID, ours=dies)


READS = "TensorFlow reads past the end of len"


def pieces():
    words = [b"hello", b"world", b"\xe4\xb8\xadab"]
    for unit in ("BYTE", "UTF8_CHAR"):
        yield Case("StringLength", texts(WORDS), types=STRING, unit=unit)
        yield Case("StringLength", texts([[[]]]), types=STRING, unit=unit)
        for pos, length in ((0, 2), (1, 3), (-2, 1), (2, 100), (-3, 2), (3, 0), (1, -1)):
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
    yield Case("Substr", texts(words), i32(-2), i32(-1), types=STRING)
    yield Case(
        "Substr",
        texts(words),
        i32(-2),
        i32(-1),
        types=STRING,
        unit="UTF8_CHAR",
        error=INVALID,
        text="pos -2 out of range",
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
        {"fill": "+"},
        {"fill": " ", "precision": 1},
    ):
        yield Case("AsString", normal(2, 3), types=FLOATS + COMPLEX, **extra)
    yield Case("AsString", normal(5), types=("int32", "uint8", "int64"), width=6, fill="0")
    for fill in "+ #-0":
        yield Case("AsString", normal(5), types=("int32", "uint8", "int64"), fill=fill)
    for fill in ("", "-", "0"):
        yield Case("AsString", of([b"a\x00b", b"longer"]), types=("string",), width=5, fill=fill)
    for extra in ({"precision": 2}, {"precision": 2, "width": 4}):
        yield Case("AsString", of([b"longer"]), types=("string",), **extra)
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
    # Characters of newer versions of Unicode are not among these.
    edges = [0, 64, 65, 90, 91, 0x370, 0x3B1, 0x5D0, 0x4E00, 0x3042, 0x30A2, 0xAC00, 0x1F600]
    outside = [-1, -(2**31), 0xD800, 0x10FFFF, 0x110000, 2**31 - 1]
    yield Case("UnicodeScript", i32(edges + outside), types=("int32",))
    yield Case("UnicodeScript", i32(list(range(0x250))), types=("int32",))
    yield Case("UnicodeScript", i32(97), types=("int32",))
    yield Case("UnicodeScript", normal(2, 1, 0, 2, 1, 1), types=("int32",))


def number_texts():
    """Texts that are numbers, or nearly."""
    good = b"0|-1| 12 |\t7\n|007|2147483647|-2147483648"
    real = (
        b"1e5|-1.5|.5|5.|1e+2|1e-50|3.4e39|1e400|inf|-INF|NaN|0x10|-0xfF|+5|1.7976931348623157e308"
    )
    bad = b"|abc|1 2|+-5|- 1|1e|10foobar|INFI"
    whole = ("int32", "int64", "uint32", "uint64")
    for kind in ("float32", "float64", *whole):

        def case(values, kind=kind, **kw):
            return Case("StringToNumber", texts(values), types=STRING, out_type=kind, **kw)

        yield case(good.split(b"|")[: 7 if kind[0] != "u" else 1])
        yield case([[b"12"], [b"7"]])
        yield case(b"5")
        yield case([])
        for text in bad.split(b"|"):
            yield case([b"1", text], error=INVALID, text="could not correctly convert string: ")
        if kind in whole:
            for text in (b"1.5", b"1e5", b"0x10", b"inf", b"NaN", b"99999999999999999999"):
                yield case([text], error=INVALID)
        else:
            yield case(real.split(b"|") + [b"+0x1"])
            yield case([b"infinity", b"0x1p3"], like=2)
    yield Case("StringToNumber", texts([b"2147483648"]), out_type="int32", error=INVALID)
    yield Case("StringToNumber", texts([b"-1"]), out_type="uint32", error=INVALID)


def raw_bytes():
    sixteen = bytes(range(240, 256))
    kinds = "float16 float32 float64 int32 uint16 uint8 int16 int8 int64 complex64 complex128 bool"
    for kind in kinds.split():
        for little in (True, False):
            # 1.15 turns complex numbers round as wholes.
            like = 2 if "complex" in kind and not little else None
            attrs = {"types": STRING, "out_type": kind, "little_endian": little}
            yield Case("DecodeRaw", texts([sixteen, sixteen[::-1]]), like=like, **attrs)
            yield Case("DecodeRaw", texts(sixteen), like=like, **attrs)
            if "complex" in kind or kind == "bool":
                continue
            for length in (8, 16, 24):
                shorter = texts([sixteen, sixteen[:8], b"", sixteen[:3]])
                yield Case("DecodePaddedRaw", shorter, i32(length), like=2, **attrs)
    whole = {"types": STRING, "out_type": "int16"}
    for empty in ([b"", b""], [], [[]]):
        yield Case("DecodeRaw", texts(empty), **whole)
    for odd in ([b"abc"], [b"ab", b"abcd"]):
        yield Case("DecodeRaw", texts(odd), error=INVALID, **whole)
    for length in (0, 3):
        yield Case("DecodePaddedRaw", texts([b"ab"]), i32(length), error=INVALID, **whole)
    yield Case("DecodePaddedRaw", texts([b"ab"]), i32(-2), error=INVALID, like=2, **whole)
    yield Case("DecodePaddedRaw", texts([b"ab"]), i32([2]), error=INVALID, **whole)


UTF8 = [
    "\u00e9t\u00e9 \u4e2d\U0001f600".encode(),
    b"a\x00\x01\x1f\x7f\xc2\x85z",
    b"ok\xff\xfez\xe2\x82",
    b"\xf8\x88\x80\x80\x80\xc0\x80\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80\xf0\x9f\x98x",
    b"",
]
UTF16 = [
    b"\0a\xd8\x00\0b\xdc\x00\xd8\x3d\xde\x00\0",
    b"\0a\xd8\x3d\xde",
    b"\0a\xd8\x3d",
    b"\xfe\xff\0a",
    b"\xff\xfea\0b\0",
]
UTF32 = [
    b"\0\0\0a\0\0\xd8\0\0\x11\0\0\0\x01\xf6\0\0\0",
    b"\0\0\xfe\xff\0\0\0a",
    b"\xff\xfe\0\0a\0\0\0",
]
ENCODED = [
    *(("UTF-8", [text]) for text in UTF8),
    *((name, [text]) for name in ("UTF-16", "UTF-16-BE", "UTF-16LE") for text in UTF16),
    *((name, [text]) for name in ("UTF-32", "UTF-32-BE", "utf-32le") for text in UTF32),
    ("US-ASCII", [b"a\xffb"]),
    ("ISO-8859-1", [b"a\xff\x80b"]),
    ("latin1", [b"\xe9", b""]),
    ("utf8", UTF8),
    ("shift_jis", [b"\x82\xb1\x83\x65\xff\x82"]),
    ("EUC-JP", [b"\xa4\xb3a"]),
    ("gb2312", [b"\xb0\xa1"]),
    ("big5", [b"\xa4\xa4x"]),
    ("windows-1252", [b"\x80\x99"]),
    ("ISO-2022-JP", [b"a\x1b$B$3\x1b(Bb"]),
]


def unicode_texts():
    for encoding, values in ENCODED:
        for errors in ("replace", "ignore"):
            for controls in (False, True):
                attrs = {"types": STRING, "input_encoding": encoding, "errors": errors}
                attrs["replace_control_characters"] = controls
                for op in ("UnicodeDecode", "UnicodeDecodeWithOffsets"):
                    yield Case(op, texts(values), **attrs)
                for output in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
                    yield Case("UnicodeTranscode", texts(values), output_encoding=output, **attrs)
    for op, output in (("UnicodeDecode", {}), ("UnicodeTranscode", {"output_encoding": "UTF-8"})):
        attrs = {"types": STRING, "input_encoding": "UTF-8", **output}
        strict = {**attrs, "errors": "strict", "text": "Invalid formatting on input string"}
        yield Case(op, texts(UTF8[2:3]), error=INVALID, **strict)
        yield Case(op, texts(UTF8[:1]), errors="strict", **attrs)
        yield Case(op, texts([[b"ab"], [b"c\xff"]]), replacement_char=0x2E, **attrs)
        yield Case(op, texts(b"scalar"), **attrs)
        yield Case(op, texts([]), **attrs)
        yield Case(op, texts([b"a"]), replacement_char=-1, error=INVALID, **attrs)
        attrs["input_encoding"] = "bogus"
        yield Case(op, texts([b"a"]), error=INVALID, text="Could not create converter", **attrs)
    narrow = {"types": STRING, "input_encoding": "UTF-8", "Tsplits": "int32"}
    for op in ("UnicodeDecode", "UnicodeDecodeWithOffsets"):
        yield Case(op, texts(UTF8), ours="TensorFlow dies of splits of 32 bits", **narrow)
    strict = {"input_encoding": "UTF-8", "errors": "strict", "replace_control_characters": True}
    yield Case("UnicodeDecode", texts(UTF8[1:2]), types=STRING, **strict)
    strict["output_encoding"] = "UTF-8"
    yield Case("UnicodeTranscode", texts(UTF8[1:2]), types=STRING, error=INVALID, **strict)


def code_points():
    points = [72, 0x7FF, 0x800, 0x1F600, 0x10FFFF]
    wrong = [65, 0xD800, 0x110000, -5, 66]
    for output in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
        attrs = {"types": ("int32",), "output_encoding": output}
        for splits in (i32, i64):
            yield Case("UnicodeEncode", i32(points), splits([0, 2, 2, 5]), **attrs)
            yield Case("UnicodeEncode", i32([]), splits([0]), **attrs)
        for errors in ("replace", "ignore"):
            for point in (0xFFFD, 0x41):
                attrs.update(errors=errors, replacement_char=point)
                yield Case("UnicodeEncode", i32(wrong), i64([0, 5]), like=2, **attrs)
        attrs["errors"] = "strict"
        yield Case("UnicodeEncode", i32(wrong), i64([0, 5]), error=INVALID, **attrs)
        for splits in ([1, 5], [0, 6], [0, 3], [0, 4, 2, 5]):
            yield Case("UnicodeEncode", i32(points), i64(splits), error=INVALID, like=2, **attrs)


def letter_cases():
    words = "\u0130I\u00df\ufb01 \u03a3\u03a3 A\u03a3 \u03a3.B \u01c5 \u1e9e \u0149 \u1f80"
    letters = [chr(p).encode() for p in (*range(0x41, 0x600), *range(0x1E00, 0x2000), 0x10400)]
    for op in ("StringLower", "StringUpper"):
        for values in (WORDS[:3] + WORDS[4:], b"Scalar", [[b"aB", b"Cd"]], []):
            for encoding in ("", "utf-8"):
                yield Case(op, texts(values), types=STRING, encoding=encoding)
        for values in ([words.encode(), b"\xffAbC\xc3"], letters):
            yield Case(op, texts(values), types=STRING, encoding="utf-8", like=2)
        yield Case(op, texts(WORDS), types=STRING, encoding="utf8", error=INVALID)


def ngrams():
    def case(splits, widths, pad=0, short=False, **kw):
        return Case(
            "StringNGrams",
            texts([b"a", b"b", b"c", b"d", b"e", b"f"]),
            splits,
            types=STRING,
            separator="|",
            ngram_widths=widths,
            left_pad="L",
            right_pad="R",
            pad_width=pad,
            preserve_short_sequences=short,
            **kw,
        )

    for widths in ([1], [2], [1, 3], [7]):
        for pad in (0, 1, 5, -1):
            for short in (True, False):
                yield case(i64([0, 3, 4, 6]), widths, pad, short)
                # 1.15 pads empty rows with what stands before them.
                yield case(i64([0, 3, 3, 4, 6]), widths, pad, short, like=2)
                yield case(i32([0, 6]), widths, pad, short)
    for splits in ([1, 6], [0, 9], [0, 4, 2, 6], [0, 3], [0, -1, 6]):
        yield case(i64(splits), [2], error=INVALID, like=2)
    yield case(i64([0, 6]), [0], error=INVALID, like=2)
    yield case(i64([0, 6]), [], 1, True, like=2)
    yield case(i64([0, 6]), [], -1, True, error=INVALID, like=2)


def facts():
    yield Case("Fact")


FAMILIES = (
    facts,
    hashes,
    regexes,
    splits,
    joins,
    segments,
    pieces,
    numbers,
    formats,
    scripts,
    number_texts,
    raw_bytes,
    unicode_texts,
    code_points,
    letter_cases,
    ngrams,
)
