# SPDX-License-Identifier: Apache-2.0
"""Colour spaces."""

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.seeds import counted_as
from .. import array as arrays
from .. import math, raw_ops
from ..building import thin, with_names
from .conversion import convert_image_dtype
from .pixels import after, require

rgb_to_hsv = thin(
    "RGBToHSV",
    "images",
    "Converts colours from RGB to hue, saturation and value. All are within [0, 1].",
)


hsv_to_rgb = thin(
    "HSVToRGB",
    "images",
    "Converts colours from hue, saturation and value to RGB. All are within [0, 1].",
)


def _weights(images, rows):
    images = convert_to_tensor(images)
    return _dot(images, constant(np.array(rows).T, images.dtype))


def _dot(images, matrix):
    """Each pixel's channels times a matrix [channels, new channels]."""
    flat = arrays.reshape(images, [-1, matrix.shape[0]])
    size = arrays.concat([arrays.shape(images)[:-1], [matrix.shape[1]]], 0)
    return arrays.reshape(raw_ops.MatMul(a=flat, b=matrix), size)


def rgb_to_grayscale(images, name=None):
    """Computes 0.2989 red + 0.587 green + 0.114 blue.

    Args:
        images: A tensor [..., 3].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., 1] of the same dtype.
    """
    images = convert_to_tensor(images, name="images")
    floats = convert_image_dtype(images, dtypes.float32)
    with counted_as(_of_kind(images.shape, _GRAY)):
        gray = _weights(floats, [[0.2989, 0.587, 0.114]])
    return convert_image_dtype(gray, images.dtype, name=name)


def grayscale_to_rgb(images, name=None):
    """Repeats the only channel three times.

    Args:
        images: A tensor [..., 1].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., 3].

    Raises:
        ValueError: The rank is less than 2, or the last size is not 1.
        errors.InvalidArgumentError: In run(): the same, where it was not known before.
    """
    images = convert_to_tensor(images, name="images")
    checks = []
    if images.shape.ndims is None:
        checks += require(arrays.rank(images) >= 2, _TWO)
    elif images.shape.ndims < 2:
        raise ValueError(_TWO)
    last = None if images.shape.ndims is None else images.shape.as_list()[-1]
    fits = math.equal(arrays.shape(images)[-1], 1) if last is None else last == 1
    with counted_as(_of_kind(images.shape, _TILED)):
        found = arrays.concat([after(checks + require(fits, _ONE), images)] * 3, -1, name)
    found.set_shape(images.shape[:-1].concatenate([3]))
    return found


# How many nodes TensorFlow makes, which decide later seeds: of a known shape, of one whose rank is
# known, of an unknown one.
_GRAY, _TILED = (14, 28, 36), (14, 46, 33)


def _of_kind(shape, numbers):
    return numbers[2 if shape.ndims is None else int(not shape.is_fully_defined())]


_TWO = "A grayscale image must be at least two-dimensional."
_ONE = "Last dimension of a grayscale image should be size 1."


_YIQ = [[0.299, 0.587, 0.114], [0.59590059, -0.27455667, -0.32134392],
        [0.21153661, -0.52273617, 0.31119955]]  # fmt: skip


_YUV = [[0.299, 0.587, 0.114], [-0.14714119, -0.28886916, 0.43601035],
        [0.61497538, -0.51496512, -0.10001026]]  # fmt: skip


def rgb_to_yiq(images):
    """Converts colours from RGB to YIQ.

    Args:
        images: A float tensor [..., 3] within [0, 1].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, _YIQ)


def yiq_to_rgb(images):
    """Converts colours from YIQ to RGB.

    Args:
        images: A float tensor [..., 3].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, np.linalg.inv(_YIQ))


def rgb_to_yuv(images):
    """Converts colours from RGB to YUV.

    Args:
        images: A float tensor [..., 3] within [0, 1].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, _YUV)


def yuv_to_rgb(images):
    """Converts colours from YUV to RGB.

    Args:
        images: A float tensor [..., 3].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, np.linalg.inv(_YUV))


__all__ = with_names(globals())
