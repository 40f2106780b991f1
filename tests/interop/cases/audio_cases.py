# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for sound."""

import struct

import numpy as np

from interop.cases.case import INVALID, Case, between, i32, normal, of, positive


def wav(samples, channels=1, rate=8000, before=b"", after=b"", bits=16, form=1, extra=b""):
    """A WAV file's bytes, or ones with something wrong."""
    data = b"".join(struct.pack("<h", s) for s in samples)
    frame = 2 * channels
    head = struct.pack("<HHIIHH", form, channels, rate, rate * frame, frame, bits) + extra
    body = b"WAVE" + before + b"fmt " + struct.pack("<I", len(head)) + head
    body += b"data" + struct.pack("<I", len(data)) + data + after
    return b"RIFF" + struct.pack("<I", len(body)) + body


def text(value):
    """Bytes may end in zeros, which numpy's own strings drop."""
    return of(np.array(value, dtype=object), "string")


def files():
    some = [0, 1, -1, 32767, -32768, 1234, -4321, 7]
    for channels in (1, 2, 4):
        contents = text(wav(some, channels))
        yield Case("DecodeWav", contents)
        for wanted in (1, 2, 5):
            yield Case("DecodeWav", contents, desired_channels=wanted)
        for wanted in (0, 3, 20):
            yield Case("DecodeWav", contents, desired_samples=wanted, desired_channels=2)
    yield Case("DecodeWav", text(wav(some, extra=b"\0\0")))
    yield Case("DecodeWav", text(wav(some, after=b"LIST\x02\0\0\0ab")))
    yield Case("DecodeWav", text(wav([])))
    junk = wav(some, before=b"JUNK\x02\0\0\0ab")
    yield Case("DecodeWav", text(junk), like=2)
    good = wav(some)
    for bad in (
        b"",
        b"RIFX" + good[4:],
        good[:20],
        good[:40],
        good[:-1],
        wav(some, bits=8),
        wav(some, form=3),
        wav(some, channels=0),
        wav(some, before=b"what\0\0\0\0"),
        good + good[36:],
        good[:36],
    ):
        yield Case("DecodeWav", text(bad), error=INVALID)
    yield Case("DecodeWav", text([good]), error=INVALID)
    for channels in (1, 2, 3):
        yield Case("EncodeWav", between(-1.2, 1.2, 50, channels), i32(44100))
    yield Case("EncodeWav", normal(0, 1), i32(8000), like=2)
    yield Case("EncodeWav", normal(5), i32(8000), error=INVALID)
    yield Case("EncodeWav", normal(5, 1), i32(0), error=INVALID)
    yield Case("EncodeWav", normal(5, 1), i32([8000, 1]), error=INVALID)


def spectra():
    for window, stride in ((8, 4), (10, 3), (64, 64), (33, 1), (2, 1)):
        for squared in (False, True):
            kw = dict(window_size=window, stride=stride, magnitude_squared=squared)
            yield Case("AudioSpectrogram", normal(100, 1), rtol=1e-4, **kw)
            # 1.15 starts the second channel with what was left of the first.
            yield Case("AudioSpectrogram", normal(100, 2), rtol=1e-4, like=2, **kw)
    yield Case("AudioSpectrogram", normal(5, 1), window_size=8, stride=1)
    yield Case("AudioSpectrogram", normal(5), window_size=4, stride=1, error=INVALID)
    yield Case("AudioSpectrogram", normal(5, 1), window_size=1, stride=1, error="ANY")
    yield Case("AudioSpectrogram", normal(5, 1), window_size=4, stride=0, error="ANY")
    for bins, rate in ((513, 16000), (129, 8000), (65, 44100), (33, 16000)):
        yield Case("Mfcc", positive(2, 5, bins), i32(rate), rtol=1e-3)
    kw = dict(
        upper_frequency_limit=3000.0,
        lower_frequency_limit=100.0,
        filterbank_channel_count=20,
        dct_coefficient_count=20,
    )
    yield Case("Mfcc", positive(1, 3, 257), i32(16000), rtol=1e-3, **kw)
    yield Case("Mfcc", positive(1, 3, 17), i32(4000), upper_frequency_limit=4000.0)
    yield Case("Mfcc", positive(3, 257), i32(16000), error=INVALID)
    yield Case("Mfcc", positive(1, 3, 257), i32(0), error="ANY", like=2)
    yield Case(
        "Mfcc", positive(1, 3, 257), i32(8000), dct_coefficient_count=50, error="ANY", like=2
    )


FAMILIES = (files, spectra)
