# SPDX-License-Identifier: Apache-2.0
"""Brightness, contrast and colour of images."""

import math as _math

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.seeds import counted_as
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names
from ..random import random
from .conversion import convert_image_dtype
from .pixels import after, as_float, checks_of, require

_STANDARDIZED = 21  # how many nodes TensorFlow makes, which decide later seeds


def adjust_brightness(image, delta):
    """Adds a number to all pixels.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        delta: The number, within [-1, 1] of the range of values.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return as_float(image, lambda x: math.add(x, arrays.cast(convert_to_tensor(delta), x.dtype)))


def adjust_contrast(images, contrast_factor):
    """Scales the difference of pixels from the mean of their channel.

    Args:
        images: A tensor [..., height, width, channels].
        contrast_factor: The factor, a float.

    Returns:
        A tensor of the shape and dtype of images.
    """
    return as_float(
        images, lambda x: raw_ops.AdjustContrastv2(images=x, contrast_factor=contrast_factor)
    )


def adjust_gamma(image, gamma=1, gain=1):
    """Computes gain * image^gamma.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        gamma: The power, a number that is 0 or more.
        gain: The factor, a number.

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: gamma is negative.
    """
    checks = require(gamma >= 0, "Gamma should be a non-negative real number.")
    return as_float(image, lambda x: math.multiply(math.pow(x, after(checks, gamma)), gain))


def adjust_hue(image, delta, name=None):
    """Turns the hue of RGB images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        delta: How far, a float within [-1, 1]; 1 is once around.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return as_float(image, lambda x: raw_ops.AdjustHue(images=x, delta=delta, name=name))


def adjust_saturation(image, saturation_factor, name=None):
    """Scales the saturation of RGB images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        saturation_factor: The factor, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return as_float(
        image, lambda x: raw_ops.AdjustSaturation(images=x, scale=saturation_factor, name=name)
    )


def _drawn(low, high, seed):
    return random.uniform([], low, high, seed=seed)


def _check_delta(max_delta):
    if max_delta < 0:
        raise ValueError(f"max_delta must be non-negative. It is {max_delta}")


def _check_limits(lower, upper):
    if upper <= lower:
        raise ValueError(f"upper must be > lower. They are {upper} and {lower}")
    if lower < 0:
        raise ValueError(f"lower must be non-negative. It is {lower}")


def random_brightness(image, max_delta, seed=None):
    """Changes the brightness by a random number within [-max_delta, max_delta).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        max_delta: The limit of the change, a float that is 0 or more.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: max_delta is negative.
    """
    _check_delta(max_delta)
    return adjust_brightness(image, _drawn(-max_delta, max_delta, seed))


def random_contrast(image, lower, upper, seed=None):
    """Changes the contrast by a random factor within [lower, upper).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        lower: The lowest factor, a float.
        upper: The highest factor, a float.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: lower is negative, or not below upper.
    """
    _check_limits(lower, upper)
    return adjust_contrast(image, _drawn(lower, upper, seed))


def random_hue(image, max_delta, seed=None):
    """Turns the hue by a random number within [-max_delta, max_delta).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        max_delta: The limit of the change, a float that is 0 or more.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: max_delta is not within 0 and 0.5.
    """
    if max_delta > 0.5:
        raise ValueError(f"max_delta must be <= 0.5. It is {max_delta}")
    _check_delta(max_delta)
    return adjust_hue(image, _drawn(-max_delta, max_delta, seed))


def random_saturation(image, lower, upper, seed=None):
    """Scales the saturation by a random factor within [lower, upper).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        lower: The lowest factor, a float.
        upper: The highest factor, a float.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: lower is negative, or not below upper.
    """
    _check_limits(lower, upper)
    return adjust_saturation(image, _drawn(lower, upper, seed))


def per_image_standardization(image):
    """Computes (x - mean) / max(deviation, 1 / sqrt(pixels)) of each image.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image. As TensorFlow 1.15 does it, values of an integer
        image are then scaled to its dtype's range, and those outside of it become its limits.

    Raises:
        ValueError: The image has less than three dimensions.
    """
    image = convert_to_tensor(image)
    image = after(checks_of(image), image)
    narrow = image.dtype in (dtypes.float16, dtypes.float32)
    x = image if narrow else convert_image_dtype(image, dtypes.float32)
    axes = [-1, -2, -3]
    with counted_as(_STANDARDIZED):
        if image.shape[-3:].is_fully_defined():
            least = 1 / _math.sqrt(_math.prod(image.shape[-3:].as_list()))
        else:
            least = math.rsqrt(arrays.cast(math.reduce_prod(arrays.shape(image)[-3:]), x.dtype))
        deviation = math.maximum(math.reduce_std(x, axes, True), least)
        outputs = (x - math.reduce_mean(x, axes, True)) / deviation
    return convert_image_dtype(outputs, image.dtype, saturate=True)


__all__ = with_names(globals())
