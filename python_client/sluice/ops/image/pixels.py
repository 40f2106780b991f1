# SPDX-License-Identifier: Apache-2.0
"""Images as batches, and pixels as floats, for functions of either."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .conversion import convert_image_dtype


def batched(image):
    """The image as a batch, and the function that undoes it."""
    image = convert_to_tensor(image)
    if image.shape.ndims == 3:
        return arrays.expand_dims(image, 0), lambda x: arrays.squeeze(x, [0])
    return image, lambda x: x


def as_float(image, function):
    """function(image in [0, 1]) in the image's own dtype."""
    image = convert_to_tensor(image)
    kind = image.dtype if image.dtype.is_floating else dtypes.float32
    return convert_image_dtype(function(convert_image_dtype(image, kind)), image.dtype, True)
