# SPDX-License-Identifier: Apache-2.0
"""The dtypes of images."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .. import math
from ..building import with_names


def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Converts images to another dtype, and scales values to its range: [0, 1] of floats, [0, max]
    of integers.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        dtype: The new dtype.
        saturate: Whether values outside of the range become its limits. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `dtype` and of the shape of image.

    Raises:
        AttributeError: dtype is not of integers or floats.
    """
    image, dtype = convert_to_tensor(image, name="image"), dtypes.as_dtype(dtype)
    if not dtype.is_floating and not dtype.is_integer:
        raise AttributeError(f"dtype must be either floating point or integer, not {dtype.name}")
    to = arrays.saturate_cast if saturate else arrays.cast
    source = image.dtype
    if source == dtype:
        return arrays.identity(image, name)
    if source.is_integer and dtype.is_integer:
        if source.max > dtype.max:
            return to(math.floordiv(image, (source.max + 1) // (dtype.max + 1)), dtype, name)
        scale = (dtype.max + 1) // (source.max + 1)
        return math.multiply(arrays.cast(image, dtype), scale, name)
    if dtype.is_integer:
        return to(math.multiply(image, dtype.max + 0.5), dtype, name)
    if source.is_floating:
        return arrays.cast(image, dtype, name)
    return math.multiply(arrays.cast(image, dtype), 1.0 / source.max, name)


__all__ = with_names(globals())
