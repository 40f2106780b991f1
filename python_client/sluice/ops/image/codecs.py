# SPDX-License-Identifier: Apache-2.0
"""Images as the bytes of files: JPEG, PNG, GIF, BMP."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.seeds import count_more_nodes
from .. import array as arrays
from .. import math, raw_ops
from ..building import thin, with_names
from ..functions.cond_and_while import cond
from ..random import random
from ..strings.strings import substr
from .conversion import convert_image_dtype

_CONTENTS = """
    Args:
        contents: The bytes of a file, a string scalar.
"""
_JPEG_ARGS = """\
        channels: How many channels the image gets, an int: 1 grey, 3 RGB. 0: as many as the file
            has.
        ratio: By which power of two the image becomes smaller, an int: 1, 2, 4 or 8.
        fancy_upscaling: Whether colours are interpolated. A bool.
        try_recover_truncated: Whether a file that ends too early is decoded. A bool.
        acceptable_fraction: Which part of such a file must be there, a float.
        dct_method: How it is decoded: "INTEGER_FAST", "INTEGER_ACCURATE", or "" for the default.
"""
_JPEG = (
    "channels=0 ratio=1 fancy_upscaling=True try_recover_truncated=False acceptable_fraction=1"
    " dct_method=''"
)
_DECODED = """
    Returns:
        A uint8 tensor [height, width, channels].

    Raises:
        errors.InvalidArgumentError: In run(): the bytes are not an image.
"""

decode_jpeg = thin(
    "DecodeJpeg",
    f"contents {_JPEG}",
    f"Decodes a JPEG file.\n{_CONTENTS}{_JPEG_ARGS}{_DECODED}",
)
decode_and_crop_jpeg = thin(
    "DecodeAndCropJpeg",
    f"contents crop_window {_JPEG}",
    f"""Decodes a part of a JPEG file.
{_CONTENTS}        crop_window: The part: y, x, height, width, an int32 vector.
{_JPEG_ARGS}{_DECODED}""",
)
decode_png = thin(
    "DecodePng",
    "contents channels=0 dtype=uint8",
    f"""Decodes a PNG file.
{_CONTENTS}        channels: How many channels the image gets, an int: 1 grey, 2 grey and
            alpha, 3 RGB, 4 RGBA. 0: as many as the file has.
        dtype: Dtype of the image: uint8 or uint16.

    Returns:
        A tensor [height, width, channels].

    Raises:
        errors.InvalidArgumentError: In run(): the bytes are not an image.
    """,
)
decode_gif = thin(
    "DecodeGif",
    "contents",
    f"""Decodes a GIF file.
{_CONTENTS}
    Returns:
        A uint8 tensor [frames, height, width, 3].

    Raises:
        errors.InvalidArgumentError: In run(): the bytes are not an image.
    """,
)
decode_bmp = thin(
    "DecodeBmp",
    "contents channels=0",
    f"""Decodes a BMP file.
{_CONTENTS}        channels: How many channels the image gets, an int: 1, 3 or 4. 0: as many as the
            file has.
{_DECODED}""",
)
encode_jpeg = thin(
    "EncodeJpeg",
    "image format='' quality=95 progressive=False optimize_size=False chroma_downsampling=True"
    " density_unit='in' x_density=300 y_density=300 xmp_metadata=''",
    """Encodes an image as a JPEG file.

    Args:
        image: A uint8 tensor [height, width, channels].
        format: "grayscale", "rgb", or "" for what the number of channels means.
        quality: From 0 (small) to 100 (good), an int.
        progressive: Whether the file can be shown before it is complete. A bool.
        optimize_size: Whether a smaller file may take longer. A bool.
        chroma_downsampling: Whether colours have half the resolution. A bool.
        density_unit: Unit of the densities: "in" or "cm".
        x_density: Pixels in one unit across, an int.
        y_density: Pixels in one unit down, an int.
        xmp_metadata: Metadata to put into the file, a str.

    Returns:
        A string scalar.
    """,
)
encode_png = thin(
    "EncodePng",
    "image compression=-1",
    """Encodes an image as a PNG file.

    Args:
        image: A uint8 or uint16 tensor [height, width, channels].
        compression: From 0 (fast) to 9 (small), an int. -1: the default.

    Returns:
        A string scalar.
    """,
)
extract_jpeg_shape = thin(
    "ExtractJpegShape",
    "contents output_type=int32",
    f"""Reads the shape of the image in a JPEG file.
{_CONTENTS}        output_type: Dtype of the result: int32 or int64.

    Returns:
        A vector: height, width, channels.
    """,
)


def is_jpeg(contents, name=None):
    """Tests whether bytes are those of a JPEG file.

    Args:
        contents: The bytes, a string scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    with name_scope(name or "is_jpeg"):
        return _begins(contents, b"\xff\xd8\xff", name)


def _begins(contents, with_bytes, name=None):
    return math.equal(substr(contents, 0, len(with_bytes)), with_bytes, name=name)


def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """Decodes a JPEG, PNG, GIF or BMP file.

    Args:
        contents: The bytes of a file, a string scalar.
        channels: How many channels the image gets, an int: 1, 3 or 4. None or 0: as many as the
            file has.
        dtype: Dtype of the image. Floats are in [0, 1).
        name: Name of the operation, a str. None: a default name.
        expand_animations: Whether a GIF file gives all its frames, [frames, height, width, 3],
            instead of the first. A bool.

    Returns:
        A tensor [height, width, channels] of unknown static shape.

    Raises:
        ValueError: There is no such number of channels.
        errors.InvalidArgumentError: In run(): the bytes are not an image, or of a kind that has no
            such channels.
    """
    if channels not in (None, 0, 1, 3, 4):
        raise ValueError(f"channels must be in (None, 0, 1, 3, 4), not {channels}")
    dtype, channels = dtypes.as_dtype(dtype), channels or 0

    def bmp():
        text = "Unable to decode bytes as JPEG, PNG, GIF, or BMP"
        known = _check(_begins(contents, b"BM"), text)
        with control_dependencies([known, _check_channels(channels != 1, "BMP", "None, 0, 3")]):
            return convert_image_dtype(decode_bmp(contents), dtype)

    def gif():
        with control_dependencies([_check_channels(channels in (0, 3), "GIF", "None, 0, 3")]):
            frames = convert_image_dtype(decode_gif(contents), dtype)
            return frames if expand_animations else arrays.gather(frames, 0)

    def png():
        read_as = dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16
        return convert_image_dtype(decode_png(contents, channels, read_as), dtype)

    def jpeg():
        with control_dependencies([_check_channels(channels != 4, "JPEG", "None, 0, 1, 3")]):
            return convert_image_dtype(decode_jpeg(contents, channels), dtype)

    def gif_or_bmp():
        return cond(_begins(contents, b"GIF"), gif, bmp, name="cond_gif")

    def png_or_other():
        return cond(_begins(contents, b"\x89PN"), png, gif_or_bmp, name="cond_png")

    with name_scope(name or "decode_image"):
        contents = convert_to_tensor(contents, dtypes.string, "contents")
        count_more_nodes(16)  # TensorFlow has more, which decide later seeds
        return cond(is_jpeg(contents), jpeg, png_or_other, name="cond_jpeg")


def _check(condition, message):
    return raw_ops.Assert(condition=condition, data=[message])


def _check_channels(condition, kind, possible):
    return _check(condition, f"Channels must be in ({possible}) when decoding {kind} images")


def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """Encodes an image as a JPEG file and decodes it.

    Args:
        image: A tensor [height, width, channels].
        jpeg_quality: From 0 to 100, an int or int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of `image`.
    """
    with name_scope(name or "adjust_jpeg_quality"):
        image = convert_to_tensor(image, name="image")
        quality = convert_to_tensor(jpeg_quality, dtypes.int32)
        pixels = convert_image_dtype(image, dtypes.uint8)
        encoded = raw_ops.EncodeJpegVariableQuality(images=pixels, quality=quality)
        return convert_image_dtype(decode_jpeg(encoded), image.dtype)


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    """Encodes an image as a JPEG file of a random quality and decodes it.

    Args:
        image: A tensor [height, width, channels].
        min_jpeg_quality: The least quality, an int.
        max_jpeg_quality: The quality that is not reached, an int.
        seed: Seed of the quality, an int.

    Returns:
        A tensor of the dtype of `image`.

    Raises:
        ValueError: A quality is not within 0 and 100, or the least is not below the other.
    """
    low, high = min_jpeg_quality, max_jpeg_quality
    if not (0 <= low <= 100 and 0 <= high <= 100):
        raise ValueError(f"jpeg encoding range must be between 0 and 100. It is {low}, {high}")
    if low >= high:
        raise ValueError(
            f"`min_jpeg_quality` must be less than `max_jpeg_quality`. They are {low}, {high}"
        )
    quality = random.uniform([], low, high, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)


__all__ = with_names(globals())
