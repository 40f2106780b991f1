# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for files of images: JPEG, PNG, GIF and BMP."""

import pathlib
import struct
import zlib

import numpy as np

from interop.cases.case import INVALID, Case, i32, of

BYTE = ("uint8",)


def text(value):
    """Bytes may end in zeros, which numpy's own strings drop."""
    return of(np.array(value, dtype=object), "string")


def pixels(height, width, channels, dtype=np.uint8):
    """Smooth on the left and noisy on the right."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    noise = np.random.RandomState(7).randint(0, 256, (height, width, channels))
    values = np.where(x < width // 2, 5 * y + 3 * x + 40 * c, noise) % 256
    return (values * (257 if dtype == np.uint16 else 1)).astype(dtype)


def jpeg(name):
    """A file that TensorFlow encoded: `pixels` of 37 x 45 in colour, or of 20 x 31."""
    return (pathlib.Path(__file__).parent.parent / "data" / "jpeg" / f"{name}.jpg").read_bytes()


def four_inks():
    """A JPEG file of cyan, magenta, yellow and black: an 8 x 8 file of one colour."""
    frame = struct.pack(">BHHB", 8, 8, 8, 4)
    frame += b"".join(bytes([c, 0x11, 0]) for c in (1, 2, 3, 4))
    scan = bytes([4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0])
    # A table with two codes: 0 for a difference of no bits, 10 for one of 6 bits.
    table = bytes([1, 1] + [0] * 14)
    segments = [
        (0xDB, b"\0" + bytes([1] * 64)),
        (0xC0, frame),
        (0xC4, b"\0" + table + bytes([0, 6])),
        (0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0"),
        (0xDA, scan),
    ]
    # Each block: a difference, its bits, and the end of the block.
    bits = "".join("10" + format(v, "06b") + "0" for v in (33, 40, 63, 50))
    bits += "1" * (-len(bits) % 8)
    body = b"".join(b"\xff" + bytes([m]) + struct.pack(">H", len(d) + 2) + d for m, d in segments)
    data = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
    return b"\xff\xd8" + body + data.replace(b"\xff", b"\xff\0") + b"\xff\xd9"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, kind, row_bytes, before=b"", interlaced=0, filters=True):
    """A PNG file: each row has another filter."""
    rng = np.random.RandomState(width)
    rows = b"".join(
        bytes([y % 5 if filters else 0]) + rng.bytes(row_bytes)
        for y in range(height if not interlaced else 60)
    )
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    body = chunk(b"IHDR", header) + before + chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")


GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
COLOURS = chunk(b"PLTE", bytes(range(100, 148)))


def gif(frames, screen=(4, 3), end=b";"):
    """A GIF file. A frame: left, top, width, height, colours, transparent colour or None."""
    out = b"GIF89a" + struct.pack("<HHBBB", *screen, 0x81, 0, 0)
    out += bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    for left, top, width, height, colours, transparent in frames:
        if transparent is not None:
            out += b"\x21\xf9\x04" + bytes([1, 0, 0, transparent, 0])
        out += b"," + struct.pack("<HHHHB", left, top, width, height, 0)
        # Codes of 3 bits; a clear code (4) every two colours keeps them so.
        codes = [c for i, p in enumerate(colours) for c in ([4, p] if i % 2 == 0 else [p])] + [5]
        bits = sum(c << (3 * i) for i, c in enumerate(codes))
        count = (3 * len(codes) + 7) // 8
        data = bytes((bits >> (8 * i)) & 255 for i in range(count))
        out += b"\x02" + bytes([count]) + data + b"\0"
    return out + end


def bmp(width, height, bits, header=54, cut=0):
    row = (bits // 8 * width + 3) // 4 * 4
    data = bytes(i * 7 % 256 for i in range(row * abs(height)))
    out = b"BM" + struct.pack("<IHHI", header + len(data), 0, 0, header)
    out += struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, len(data), 0, 0, 0, 0)
    out += bytes(max(0, header - 54)) + data
    return out[: len(out) - cut]


def with_number(contents, at, form, value):
    size = struct.calcsize(form)
    return contents[:at] + struct.pack(form, value) + contents[at + size :]


def decode_jpeg():
    colour, grey = jpeg("colour"), jpeg("grey")
    progressive, full = (
        jpeg("progressive"),
        jpeg("full_colour"),
    )
    for contents in (colour, grey, progressive, full):
        for channels in (0, 1, 3):
            yield Case("DecodeJpeg", text(contents), channels=channels, types=BYTE)
        for ratio in (2, 4, 8):
            yield Case("DecodeJpeg", text(contents), ratio=ratio, types=BYTE)
        for method in ("INTEGER_FAST", "INTEGER_ACCURATE"):
            for fancy in (False, True):
                yield Case(
                    "DecodeJpeg",
                    text(contents),
                    dct_method=method,
                    fancy_upscaling=fancy,
                    types=BYTE,
                )
        for output_type in ("int32", "int64"):
            yield Case("ExtractJpegShape", text(contents), output_type=output_type, types=BYTE)
    for channels in (0, 3):
        yield Case("DecodeJpeg", text(four_inks()), channels=channels, types=BYTE)
    cut = colour[: len(colour) * 2 // 3]
    yield Case("DecodeJpeg", text(cut), acceptable_fraction=0.3, types=BYTE)
    yield Case("DecodeJpeg", text(colour), try_recover_truncated=True, types=BYTE)
    # TensorFlow reads the last bytes again in the place of those that are missing.
    recover = "its last blocks are accidental"
    yield Case("DecodeJpeg", text(cut), try_recover_truncated=True, types=BYTE, ours=recover)
    for attrs, said in (
        (dict(channels=2), "channels must be 0, 1, 3"),
        (dict(ratio=3), "ratio must be 1, 2, 4, or 8, got 3"),
        (dict(dct_method="FLOAT"), "dct_method must be one of"),
    ):
        yield Case("DecodeJpeg", text(colour), error=INVALID, types=BYTE, text=None, **attrs)
        yield Case(
            "DecodeJpeg", text(colour), error=INVALID, types=BYTE, text=said, like=1, **attrs
        )
    yield Case("DecodeJpeg", text(colour), channels=4, error=INVALID, types=BYTE)
    for wrong in (
        cut,
        colour[:-1],
        colour[:100],
        colour[:3],
        b"",
        b"\xff\xd8\xff\xd9",
        b"no image at all",
        progressive[:900],
        with_number(colour, colour.index(b"\xff\xc0") + 5, ">I", 0xFFFFFFFF),
        with_number(colour, colour.index(b"\xff\xc0") + 5, ">I", 0),
        bmp(3, 2, 24),
    ):
        yield Case("DecodeJpeg", text(wrong), error=INVALID, types=BYTE)
    for wrong, said in (
        (b"", "Input is empty."),
        (b"no image at all", "Unknown image file format. One of JPEG, PNG, GIF, BMP required."),
        (bmp(3, 2, 24), "Trying to decode BMP format using a wrong op."),
    ):
        yield Case("DecodeJpeg", text(wrong), error=INVALID, types=BYTE, text=said, like=2)
    yield Case("DecodeJpeg", text(cut), acceptable_fraction=0.9, error=INVALID, types=BYTE)
    yield Case("DecodeJpeg", text([colour, colour]), error=INVALID, types=BYTE)
    yield Case("ExtractJpegShape", text(b"GIF89a"), error=INVALID, types=BYTE)
    yield Case("ExtractJpegShape", text(colour[:30]), error=INVALID, types=BYTE)
    yield Case("ExtractJpegShape", text([colour, colour]), error=INVALID, types=BYTE)


def crop_jpeg():
    for contents in (jpeg("colour"), jpeg("grey"), jpeg("progressive")):
        for window in (
            [0, 0, 20, 31],
            [3, 2, 11, 13],
            [17, 19, 3, 12],
            [0, 16, 16, 9],
            [19, 30, 1, 1],
        ):
            for attrs in (dict(), dict(dct_method="INTEGER_ACCURATE")):
                yield Case("DecodeAndCropJpeg", text(contents), i32(window), types=BYTE, **attrs)
            # TensorFlow 1.15 dies.
            coarse = dict(fancy_upscaling=False, like=2)
            yield Case("DecodeAndCropJpeg", text(contents), i32(window), types=BYTE, **coarse)
    contents = text(jpeg("colour"))
    for ratio, window in ((2, [3, 2, 5, 6]), (4, [0, 0, 10, 12]), (8, [2, 2, 2, 3])):
        yield Case("DecodeAndCropJpeg", contents, i32(window), ratio=ratio, types=BYTE)
    yield Case("DecodeAndCropJpeg", contents, i32([3, 2, 5, 6]), channels=1, types=BYTE)
    yield Case("DecodeAndCropJpeg", text(four_inks()), i32([1, 2, 5, 6]), types=BYTE)
    for window in (
        [0, 0, 38, 45],
        [1, 0, 37, 45],
        [0, 45, 1, 1],
        [-1, 0, 4, 5],
        [0, 0, 0, 5],
        [0, 0, 5, -1],
        [0, 0, 5],
        [[0, 0, 5, 5]],
    ):
        yield Case("DecodeAndCropJpeg", contents, i32(window), error=INVALID, types=BYTE)
    far = 2**31 - 1
    yield Case(
        "DecodeAndCropJpeg",
        contents,
        i32([2, 2, far, far]),
        error=INVALID,
        types=BYTE,
        ours="it dies",
    )
    no_jpeg = text(png(4, 5, 8, RGB, 12))
    yield Case("DecodeAndCropJpeg", no_jpeg, i32([0, 0, 2, 2]), types=BYTE, like=1)


def encode_jpeg():
    for channels in (1, 3):
        image = of(pixels(19, 26, channels), "uint8")
        for attrs in (
            dict(),
            dict(quality=0),
            dict(quality=40),
            dict(quality=100),
            dict(progressive=True),
            dict(optimize_size=True),
            dict(progressive=True, optimize_size=True, quality=70),
            dict(chroma_downsampling=False),
            dict(density_unit="cm", x_density=100, y_density=250),
            dict(x_density=-5, y_density=70000),
            dict(xmp_metadata="some <xmp/>"),
            dict(format="grayscale" if channels == 1 else "rgb"),
        ):
            yield Case("EncodeJpeg", image, types=BYTE, **attrs)
        for quality in (0, 33, 95, 100):
            yield Case("EncodeJpegVariableQuality", image, i32(quality), types=BYTE)
    colour, grey = of(pixels(3, 4, 3), "uint8"), of(pixels(3, 4, 1), "uint8")
    for quality in (-1, 101):
        yield Case("EncodeJpeg", colour, quality=quality, error=INVALID, types=BYTE)
    yield Case("EncodeJpeg", colour, format="grayscale", error=INVALID, types=BYTE)
    yield Case("EncodeJpeg", grey, format="rgb", error=INVALID, types=BYTE)
    for channels in (0, 2, 4):
        image = of(pixels(3, 4, channels), "uint8")
        yield Case("EncodeJpeg", image, error=INVALID, types=BYTE)
        yield Case("EncodeJpegVariableQuality", image, i32(50), error=INVALID, types=BYTE)
    for shape in ((0, 4, 3), (4, 0, 3)):
        yield Case("EncodeJpeg", of(np.zeros(shape), "uint8"), error="INTERNAL", types=BYTE)
    yield Case("EncodeJpeg", of(np.zeros((4, 3)), "uint8"), error=INVALID, types=BYTE)
    yield Case("EncodeJpegVariableQuality", colour, i32([50]), error=INVALID, types=BYTE)


def png_files():
    few = chunk(b"tRNS", bytes([0, 128, 200]))
    yield png(9, 5, 8, GREY, 9)
    yield png(9, 6, 8, RGB, 27)
    yield png(9, 6, 8, RGBA, 36)
    yield png(9, 6, 8, GREY_ALPHA, 18)
    yield png(9, 6, 16, GREY, 18)
    yield png(9, 6, 16, RGB, 54)
    yield png(9, 6, 16, RGBA, 72)
    yield png(9, 6, 16, GREY_ALPHA, 36)
    yield png(9, 5, 1, GREY, 2)
    yield png(9, 5, 2, GREY, 3)
    yield png(9, 5, 4, GREY, 5)
    yield png(9, 5, 4, PALETTE, 5, COLOURS, filters=False)
    yield png(9, 5, 4, PALETTE, 5, COLOURS + few, filters=False)
    yield png(9, 5, 2, GREY, 3, chunk(b"tRNS", b"\0\1"))
    yield png(9, 5, 8, RGB, 27, chunk(b"tRNS", b"\0\1\0\2\0\3"))
    yield png(8, 6, 8, RGB, 24, chunk(b"gAMA", struct.pack(">I", 45455)))


def decode_png():
    for contents in png_files():
        for channels in (0, 1, 3, 4):
            for dtype in ("uint8", "uint16"):
                yield Case("DecodePng", text(contents), channels=channels, dtype=dtype, types=BYTE)
    good = png(9, 6, 8, RGB, 27)
    # The ops of one format read files of the others.
    yield Case("DecodeJpeg", text(good), types=BYTE)
    yield Case("DecodeGif", text(png(9, 6, 8, RGBA, 36)), types=BYTE)
    yield Case("DecodeGif", text(jpeg("grey")), types=BYTE)
    yield Case("DecodePng", text(jpeg("small")), types=BYTE)
    yield Case("DecodePng", text(jpeg("small")), channels=4, error=INVALID, types=BYTE)
    yield Case("DecodePng", text(jpeg("small")), dtype="uint16", error=INVALID, types=BYTE, like=1)
    for wrong in (
        good[:-1],
        good[:-13],
        good[:60],
        good[:20],
        good[:8],
        good.replace(b"IDAT", b"IDAX"),
        with_number(good, 16, ">I", 2**31 - 1),
        with_number(good, 16, ">I", 0),
        good[:50] + bytes([good[50] ^ 1]) + good[51:],
        png(20000, 20000, 8, RGB, 27)[:-20],
        png(9, 5, 4, PALETTE, 5),
    ):
        yield Case("DecodePng", text(wrong), error=INVALID, types=BYTE)
    yield Case("DecodePng", text(good), channels=2, error=INVALID, types=BYTE)
    yield Case("DecodePng", text([good, good]), error=INVALID, types=BYTE)


def encode_png():
    for channels in (1, 2, 3, 4):
        for dtype in (np.uint8, np.uint16):
            image = of(pixels(13, 17, channels, dtype))
            for compression in (-1, 0, 1, 9):
                yield Case(
                    "EncodePng", image, compression=compression, types=(np.dtype(dtype).name,)
                )
    image = of(pixels(3, 4, 3))
    many = of(np.stack([pixels(3, 4, 3)] * 4).reshape(2, 2, 3, 4, 3))
    yield Case("EncodePng", many, types=BYTE, like=2)
    yield Case("EncodePng", of(np.zeros((2, 0, 3, 4, 3))), types=BYTE, like=2)
    yield Case("EncodePng", image, compression=-2, error=INVALID, types=BYTE)
    yield Case("EncodePng", image, compression=10, error=INVALID, types=BYTE)
    for channels in (0, 5):
        yield Case("EncodePng", of(np.zeros((3, 4, channels))), error=INVALID, types=BYTE)
    yield Case("EncodePng", of(np.zeros((3, 4))), error=INVALID, types=BYTE)
    yield Case("EncodePng", of(np.zeros((0, 4, 3))), error="INTERNAL", types=BYTE, ours="it dies")


def decode_gif():
    whole = (0, 0, 4, 3, [0, 1, 2, 3] * 3, None)
    part = (1, 1, 2, 2, [1, 2, 3, 1], None)
    one, two = gif([whole]), gif([whole, part])
    yield Case("DecodeGif", text(one), types=BYTE)
    yield Case("DecodeGif", text(two), types=BYTE)
    yield Case("DecodeGif", text(gif([whole, part, whole])), types=BYTE)
    for op in ("DecodePng", "DecodeJpeg"):
        yield Case(op, text(one), types=BYTE)
        yield Case(op, text(one), channels=3, types=BYTE)
        yield Case(op, text(one), channels=1, error=INVALID, types=BYTE)
        yield Case(op, text(two), error=INVALID, types=BYTE, text="2 frames, but animated gifs")
    # TensorFlow 1.15 refuses a small first frame, and draws transparent pixels.
    clear = (1, 1, 2, 2, [3, 1, 2, 3], 1)
    for frames in ([part], [part, whole], [whole, clear], [(0, 0, 4, 3, [0, 1, 2, 3] * 3, 2)]):
        yield Case("DecodeGif", text(gif(frames)), types=BYTE, like=2)
    yield Case(
        "DecodeGif", text(gif([whole, (2, 1, 6, 2, [1, 2, 3] * 4, None)])), types=BYTE, like=2
    )
    for wrong in (b"GIF8", b"GIF89a", one[:20], gif([]), one.replace(b"\x02\x08", b"\x0d\x08")):
        yield Case("DecodeGif", text(wrong), error=INVALID, types=BYTE)
    huge = with_number(one, one.index(b",") + 5, "<I", 0xFFFFFFFF)
    yield Case("DecodeGif", text(huge), error=INVALID, types=BYTE, ours="it may die")
    yield Case("DecodeGif", text([one, one]), error=INVALID, types=BYTE)


def decode_bmp():
    for bits, channels in ((8, 1), (24, 3), (32, 4)):
        for height in (3, -3):
            for wanted in (0, channels):
                # TensorFlow 2.21 dies of 8 bits.
                yield Case(
                    "DecodeBmp",
                    text(bmp(5, height, bits)),
                    channels=wanted,
                    types=BYTE,
                    like=1 if bits == 8 else None,
                )
    yield Case("DecodeBmp", text(bmp(5, 3, 24, header=60)), types=BYTE)
    yield Case("DecodeBmp", text(bmp(5, 3, 24, cut=1)), types=BYTE, like=1)
    good = bmp(5, 3, 24)
    for wrong in (
        b"",
        good[:31],
        good[:32],
        good[:-20],
        bmp(5, 3, 16),
        with_number(good, 18, "<i", 0),
        with_number(good, 18, "<i", -5),
        with_number(good, 22, "<i", 0),
        with_number(good, 22, "<i", -(2**31)),
        with_number(good, 18, "<i", 2**28),
        with_number(good, 10, "<i", -4),
        with_number(good, 10, "<i", 2**31 - 1),
    ):
        yield Case("DecodeBmp", text(wrong), error=INVALID, types=BYTE)
    yield Case("DecodeBmp", text(good), channels=1, error=INVALID, types=BYTE)
    yield Case("DecodeBmp", text(good), channels=2, error=INVALID, types=BYTE)
    yield Case("DecodeBmp", text(good), channels=4, error=INVALID, types=BYTE, like=1)


def decode_image():
    whole = (0, 0, 4, 3, [0, 1, 2, 3] * 3, None)
    one, two = gif([whole]), gif([whole, (1, 1, 2, 2, [1, 2, 3, 1], 1)])
    files = [jpeg("small"), jpeg("grey"), one, two, bmp(5, 3, 24), bmp(5, -3, 32)]
    files += [png(9, 6, 8, RGBA, 36), png(9, 6, 16, RGB, 54), png(9, 5, 8, GREY, 9)]
    for contents in files:
        for dtype in ("uint8", "uint16", "float32"):
            dies = contents[:2] == b"BM" and dtype != "uint8"
            for expands in (False, True):
                yield Case(
                    "DecodeImage",
                    text(contents),
                    dtype=dtype,
                    expand_animations=expands,
                    types=BYTE,
                    ours="it may die" if dies else None,
                )
    for contents in (jpeg("small"), png(9, 6, 16, RGB, 54)):
        for channels in (1, 3):
            yield Case("DecodeImage", text(contents), channels=channels, dtype="uint16", types=BYTE)
    yield Case("DecodeImage", text(bmp(5, 3, 24)), channels=4, types=BYTE)
    for wrong in (b"", b"nothing", jpeg("small")[:300], one[:20], bmp(5, 3, 24)[:-20]):
        yield Case("DecodeImage", text(wrong), error=INVALID, types=BYTE)
    for contents, channels in ((jpeg("small"), 4), (one, 1), (bmp(5, 3, 24), 1), (two, 2)):
        yield Case("DecodeImage", text(contents), channels=channels, error=INVALID, types=BYTE)


FAMILIES = (
    decode_jpeg,
    crop_jpeg,
    encode_jpeg,
    decode_png,
    encode_png,
    decode_gif,
    decode_bmp,
    decode_image,
)
