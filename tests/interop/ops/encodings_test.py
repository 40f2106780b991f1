# SPDX-License-Identifier: Apache-2.0
"""Texts of other encodings than UTF: every sequence of one and of two bytes, and longer ones, have
the code points and the offsets that TensorFlow finds."""

import numpy as np
import pytest

from interop.tools.op_nodes import tf

ENCODINGS = (
    "BIG5 BIG5-HKSCS EUC-CN EUC-JP EUC-KR GB18030 GB2312 GBK HZ-GB-2312 ISO-2022-CN ISO-2022-JP "
    "ISO-2022-KR ISO-8859-8 KOI8-R KSC_5601 MACINTOSH SHIFT_JIS TIS-620 UTF-7 WINDOWS-1252 "
    "WINDOWS-31J WINDOWS-874 WINDOWS-949"
).split()
ESCAPES = (b"$B", b"(B", b"$@", b"(J", b"$)C", b"$A", b"$(D", b"(I", b"$)A")


def random_bytes(rng, low, count):
    sizes = rng.randint(3, 9, size=count)
    return [bytes(rng.randint(low, 256, size=n).astype(np.uint8)) for n in sizes]


def all_texts():
    rng = np.random.RandomState(7)
    texts = [bytes([i]) for i in range(256)]
    texts += [bytes([i, j]) for i in range(256) for j in range(256)]
    texts += random_bytes(rng, 0, 2000) + random_bytes(rng, 0x81, 2000)
    for _ in range(2000):  # four bytes of GB18030
        a, b, c, d = rng.randint(0, 10, size=4)
        texts.append(bytes([0x81 + 12 * a, 0x30 + b, 0x81 + 12 * c, 0x30 + d]))
    for escape in ESCAPES:
        texts += [b"\x1b" + escape + rest for rest in (b"", b"0!", b"0!\x0f", b"\x0e0!\x0fab")]
    return texts


def decoded(target, encoding, texts):
    """(code points, offsets) of each text, or the class of the error."""
    with tf.Graph().as_default() as graph:
        op = tf.raw_ops.UnicodeDecodeWithOffsets(
            input=tf.placeholder(tf.string, [len(texts)]),
            input_encoding=encoding,
            errors="replace",
            replacement_char=0xFFFD,
            replace_control_characters=False,
        )
        with tf.Session(target, graph=graph) as session:
            try:
                splits, points, offsets = session.run(op, {op[0].op.inputs[0]: texts})
            except tf.errors.OpError as error:
                return type(error).__name__
    bounds = list(zip(splits, splits[1:]))
    return [(points[a:b].tolist(), offsets[a:b].tolist()) for a, b in bounds]


def check(checks, encoding, texts, ours, theirs):
    if isinstance(ours, str) or isinstance(theirs, str):
        checks.check(encoding, ours == theirs, f"ours {str(ours)[:80]}, {str(theirs)[:80]}")
        return
    bad = [i for i, (a, e) in enumerate(zip(ours, theirs)) if a != e]
    detail = "; ".join(f"{texts[i].hex()}: {ours[i]}, TensorFlow's {theirs[i]}" for i in bad[:3])
    checks.check(encoding, not bad, f"{len(bad)} of {len(texts)} differ: {detail}")


JOBS = {"worker": 1}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encoding(checks, target, encoding):
    texts = all_texts()
    theirs = decoded("", encoding, texts)
    check(checks, encoding, texts, decoded(target, encoding, texts), theirs)


def test_unknown_encoding(target):
    assert decoded(target, "no such", all_texts()) == "InvalidArgumentError"
