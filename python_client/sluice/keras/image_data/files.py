# SPDX-License-Identifier: Apache-2.0
"""Files of images and arrays. They need the Python package Pillow."""

import io

import numpy as np

from ..base import settings

_MODES = {"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}
_KEPT = {"grayscale": ("L", "I;16", "I"), "rgb": ("RGB",), "rgba": ("RGBA",)}


def pillow(use):
    """The module PIL.Image.

    Args:
        use: What needs it, a str.

    Raises:
        ImportError: Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(f"Could not import PIL.Image. The use of `{use}` requires PIL.") from None
    return Image


def _checked_format(data_format):
    data_format = data_format or settings.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format: {data_format}")
    return data_format


def img_to_array(img, data_format=None, dtype=None):
    """Converts an image to an array.

    Args:
        img: The image, of PIL, or an array [rows, columns] or [rows, columns, channels].
        data_format: "channels_last" or "channels_first". None: that of the settings.
        dtype: Dtype of the array, a str. None: that of the settings.

    Returns:
        An array of rank 3.

    Raises:
        ValueError: The image has another rank, or data_format is another one.
    """
    first = _checked_format(data_format) == "channels_first"
    x = np.asarray(img, dtype=dtype or settings.floatx())
    if x.ndim not in (2, 3):
        raise ValueError(f"Unsupported image shape: {x.shape}")
    if x.ndim == 2:
        return x[np.newaxis] if first else x[..., np.newaxis]
    return x.transpose(2, 0, 1) if first else x


def array_to_img(x, data_format=None, scale=True, dtype=None):
    """Converts an array to an image of PIL.

    Args:
        x: The array, of rank 3, with 1, 3 or 4 channels.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        scale: Whether the values are scaled to 0 ... 255. A bool.
        dtype: Dtype in which it computes, a str. None: that of the settings.

    Returns:
        A PIL.Image.Image.

    Raises:
        ImportError: Pillow is not installed.
        ValueError: The array has another rank or another number of channels.
    """
    module = pillow("array_to_img")
    x = np.asarray(x, dtype=dtype or settings.floatx())
    if x.ndim != 3:
        raise ValueError(
            f"Expected image array to have rank 3 (single image). Got array with shape: {x.shape}"
        )
    if _checked_format(data_format) == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        x = x / (np.max(x) or 1) * 255
    if x.shape[2] == 1:
        kind, mode = ("int32", "I") if np.max(x) > 255 else ("uint8", "L")
        return module.fromarray(x[:, :, 0].astype(kind), mode)
    if x.shape[2] not in (3, 4):
        raise ValueError(f"Unsupported channel number: {x.shape[2]}")
    return module.fromarray(x.astype("uint8"), "RGB" if x.shape[2] == 3 else "RGBA")


def load_img(path, grayscale=False, color_mode="rgb", target_size=None, interpolation="nearest"):
    """Reads a file.

    Args:
        path: Path of the file, a str.
        grayscale: Older form of color_mode="grayscale". A bool.
        color_mode: "rgb", "rgba" or "grayscale".
        target_size: Rows and columns that it is resized to, a pair of ints. None: as it is.
        interpolation: How it is resized: "nearest", "bilinear", "bicubic", "lanczos", "box" or
            "hamming".

    Returns:
        A PIL.Image.Image.

    Raises:
        ImportError: Pillow is not installed.
        ValueError: color_mode or interpolation is another one.
    """
    module = pillow("load_img")
    color_mode = "grayscale" if grayscale else color_mode
    if color_mode not in _MODES:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    with open(path, "rb") as file:
        image = module.open(io.BytesIO(file.read()))
    if image.mode not in _KEPT[color_mode]:
        image = image.convert(_MODES[color_mode])
    if target_size is not None and image.size != (target_size[1], target_size[0]):
        kinds = ("nearest", "bilinear", "bicubic", "lanczos", "box", "hamming")
        if interpolation not in kinds:
            raise ValueError(
                f"Invalid interpolation method {interpolation} specified. Supported methods are "
                f"{', '.join(kinds)}"
            )
        resampling = getattr(module, interpolation.upper())
        image = image.resize((target_size[1], target_size[0]), resampling)
    return image


def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Writes an array to a file of an image.

    Args:
        path: Path of the file, a str; or a file.
        x: The array, of rank 3.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        file_format: Name of the format, a str. None: by the name of the file.
        scale: Whether the values are scaled to 0 ... 255. A bool.
        **kwargs: Arguments of PIL's save().

    Raises:
        ImportError: Pillow is not installed.
    """
    image = array_to_img(x, data_format, scale)
    if image.mode == "RGBA" and file_format in ("jpg", "jpeg"):
        image = image.convert("RGB")
    image.save(path, format=file_format, **kwargs)


__all__ = ["array_to_img", "img_to_array", "load_img", "save_img"]
