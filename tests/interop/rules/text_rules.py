# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for texts and their codes."""

import numpy as np

from interop.cases.case import Case, between, i32, normal, of
from interop.rules.draws import index, pick, shape_of, table, whole

WORDS = [
    b"",
    b"a",
    b"Bc",
    b"cd e",
    b" x ",
    b"a,b,,c",
    b"12",
    b"-3.5e2",
    b"0x1f",
    b"\xc3\xa9t\xc3\xa9",
    b"\xff!",
]


def words(rng, *shape):
    return of(np.array([WORDS[i] for i in rng.randint(len(WORDS), size=int(np.prod(shape)))],
                       object).reshape(shape), "string")  # fmt: skip


def text(op, rng):
    """Ops of one tensor of texts, with the attributes that each of them has."""
    unit = pick(rng, "BYTE", "UTF8_CHAR")
    attrs = dict(unit=unit, encoding=pick(rng, "", "utf-8"), num_buckets=whole(rng, 1, 7, 1000))
    attrs.update(key=[whole(rng, 1, 5), whole(rng, 0, 9)], pad=bool(rng.randint(2)))
    attrs.update(pattern=pick(rng, "a+", "[a-c]", "^.*,", ""), rewrite=pick(rng, "", "<\\0>", "z"))
    attrs.update(replace_global=bool(rng.randint(2)))
    return Case(op, words(rng, *shape_of(rng, 0, 3)), **attrs)


def number(op, rng):
    texts = [b"1", b" 2 ", b"-3.5e2", b"1e400", b"nan", b"-Inf", b"0x1f", b"", b"7x", b"2147483648"]
    drawn = [texts[i] for i in rng.randint(len(texts), size=whole(rng, 1, 1, 2))]
    kind = pick(rng, "float32", "float64", "int32", "int64")
    return Case(op, of(np.array(drawn, object), "string"), out_type=kind)


def text_joins(op, rng):
    shape = shape_of(rng, 0, 3)
    if op == "UnsortedSegmentJoin":
        count = whole(rng, 1, 3)
        ids = rng.randint(count, size=shape)
        return Case(op, words(rng, *shape), of(ids, "int32"), index(rng, count), separator="-")
    parts = [words(rng, *pick(rng, (), shape)) for _ in range(whole(rng, 1, 2, 4))]
    return Case(op, parts, separator=pick(rng, "", ", "))


def pieces(op, rng):
    """Cuts of texts: at delimiters, at places, by patterns."""
    if op == "Substr":
        shape = shape_of(rng, 0, 2)
        at, size = (between(low, 3, *shape, dtype="int32") for low in (-2, 0))
        return Case(op, words(rng, *shape), at, size, unit=pick(rng, "BYTE", "UTF8_CHAR"))
    if op.startswith("Regex"):
        inputs = [
            words(rng, *shape_of(rng, 0, 2)),
            of(pick(rng, b"a", b"[b-d]+", b"(.)(.)", b"(", b""), "string"),
        ]
        if op == "RegexReplace":
            inputs.append(of(pick(rng, b"", b"<\\1>", b"\\0\\0", b"\\9"), "string"))
        return Case(op, *inputs, replace_global=bool(rng.randint(2)))
    inputs = [words(rng, whole(rng, 0, 1, 3)), of(pick(rng, b"", b",", b" ,", b"b"), "string")]
    if op == "StringSplitV2":
        return Case(op, *inputs, maxsplit=whole(rng, -1, 0, 1, 2))
    return Case(op, *inputs, skip_empty=bool(rng.randint(2)))


def template(op, rng):
    tensors = [normal(*shape_of(rng, 0, 3), dtype=pick(rng, "float32", "int32", "string", "bool"))
               for _ in range(whole(rng, 0, 1, 2))]  # fmt: skip
    return Case(op, tensors, template="{} is" + " %s" * len(tensors), placeholder="%s",
                summarize=whole(rng, -1, 1, 3))  # fmt: skip


def ngrams(op, rng):
    counts = [whole(rng, 0, 1, 3, 5) for _ in range(whole(rng, 1, 3))]
    splits = [0, *np.cumsum(counts)]
    attrs = dict(
        separator=pick(rng, "", "|"), left_pad="<", right_pad=">", pad_width=whole(rng, -1, 0, 1)
    )
    widths = sorted({whole(rng, 1, 2, 3) for _ in range(2)})
    attrs.update(ngram_widths=widths, preserve_short_sequences=bool(rng.randint(2)))
    return Case(op, words(rng, sum(counts)), index(rng, [int(s) for s in splits]), **attrs)


def raw(op, rng):
    width = pick(rng, 0, 4, 8, 16)
    texts = [bytes(rng.randint(256, size=width).astype(np.uint8)) for _ in range(whole(rng, 1, 3))]
    kind = pick(rng, "uint8", "int16", "int32", "float64", "uint16")
    attrs = dict(out_type=kind, little_endian=bool(rng.randint(2)))
    inputs = [of(np.array(texts, object), "string")]
    if op == "DecodePaddedRaw":
        inputs.append(i32(whole(rng, 8, 16, 24)))
    return Case(op, *inputs, **attrs)


def codes(op, rng):
    """Unicode, between texts and code points."""
    errors = pick(rng, "replace", "ignore", "strict")
    attrs = dict(errors=errors, replacement_char=whole(rng, 63, 65533))
    if op == "UnicodeScript":
        return Case(op, of(rng.randint(0x3000, size=shape_of(rng, 0, 2)), "int32"))
    if op == "UnicodeEncode":
        points = of(rng.choice([97, 233, 0x20AC, 0x1F600, 0xD800], size=5), "int32")
        splits = index(rng, [0, whole(rng, 0, 2, 3), 5])
        return Case(
            op,
            points,
            splits,
            output_encoding=pick(rng, "UTF-8", "UTF-16-BE", "UTF-32-BE"),
            **attrs,
        )
    attrs["replace_control_characters"] = bool(rng.randint(2))
    attrs["input_encoding"] = pick(rng, "UTF-8", "UTF-16-BE", "ISO-8859-1", "UTF-32-BE")
    if op == "UnicodeTranscode":
        attrs["output_encoding"] = pick(rng, "UTF-8", "UTF-16-BE", "UTF-32-BE")
    return Case(op, words(rng, *shape_of(rng, 0, 2)), **attrs)


RULES = table(
    (text, "EncodeBase64 StringLength StringLower StringUpper StringStrip StaticRegexFullMatch"),
    (text, "StaticRegexReplace StringToHashBucket StringToHashBucketFast StringToHashBucketStrong"),
    (number, "StringToNumber"),
    (text_joins, "StringJoin UnsortedSegmentJoin"),
    (pieces, "Substr RegexFullMatch RegexReplace StringSplit StringSplitV2"),
    (template, "StringFormat"),
    (ngrams, "StringNGrams"),
    (raw, "DecodeRaw DecodePaddedRaw"),
    (codes, "UnicodeScript UnicodeEncode UnicodeDecode UnicodeDecodeWithOffsets UnicodeTranscode"),
)
