# SPDX-License-Identifier: Apache-2.0
"""Images of another size."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .. import math
from ..building import thin, with_names
from .cropping import pad_to_bounding_box
from .pixels import batched

_CENTRES = "align_corners=False name half_pixel_centers=False"


_RESIZE = "size: [height, width], int32. align_corners: the corners' centres stay in place."


resize_bilinear = thin(
    "ResizeBilinear",
    f"images size {_CENTRES}",
    """Resizes images with bilinear interpolation.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
        half_pixel_centers: Whether pixels have their centres at halves. A bool.

    Returns:
        A float32 tensor [batch, height, width, channels].
    """,
)


resize_nearest_neighbor = thin(
    "ResizeNearestNeighbor",
    f"images size {_CENTRES}",
    """Resizes images: each pixel becomes that of the nearest one.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
        half_pixel_centers: Whether pixels have their centres at halves. A bool.
    """,
)


resize_bicubic = thin(
    "ResizeBicubic",
    f"images size {_CENTRES}",
    """Resizes images with bicubic interpolation.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
        half_pixel_centers: Whether pixels have their centres at halves. A bool.
    """,
)


resize_area = thin(
    "ResizeArea",
    "images size align_corners=False",
    """Resizes images: each pixel becomes the mean of the area it covers.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
    """,
)


class ResizeMethod:
    """How resize_images computes a pixel."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


def resize_images(images, size, method=ResizeMethod.BILINEAR, align_corners=False,
                  preserve_aspect_ratio=False, name=None):  # fmt: skip
    """Resizes images.

    Args:
        images: A tensor [batch, height, width, channels] or [height, width, channels].
        size: The new [height, width], a list of ints or an int32 vector.
        method: ResizeMethod.BILINEAR, NEAREST_NEIGHBOR, BICUBIC or AREA.
        align_corners: Whether corner pixels stay at the corners. A bool.
        preserve_aspect_ratio: Whether the proportions stay; the result is the largest within size.
            A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 tensor; of the nearest neighbour it has the dtype of images.
    """
    function = [resize_bilinear, resize_nearest_neighbor, resize_bicubic, resize_area][method]
    batch, undo = batched(images)
    size = convert_to_tensor(size, dtypes.int32)
    if preserve_aspect_ratio:
        sides = arrays.cast(arrays.shape(batch)[1:3], dtypes.float32)
        scale = math.reduce_min(arrays.cast(size, dtypes.float32) / sides)
        size = arrays.cast(math.round(scale * sides), dtypes.int32)
    return undo(function(batch, size, align_corners, name=name))


def resize_image_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR,
                          align_corners=False):  # fmt: skip
    """Resizes images without distortion, and puts them in the middle of zeros.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.
        method: ResizeMethod.BILINEAR, NEAREST_NEIGHBOR, BICUBIC or AREA.
        align_corners: Whether corner pixels stay at the corners. A bool.

    Returns:
        A tensor [..., target_height, target_width, channels].
    """
    batch, undo = batched(image)
    target = convert_to_tensor([target_height, target_width], dtypes.int32)
    sides = arrays.cast(arrays.shape(batch)[1:3], dtypes.float64)
    whole = arrays.cast(target, dtypes.float64)
    exact = sides / math.reduce_max(sides / whole)
    size = arrays.cast(math.floor(exact), dtypes.int32)
    before = math.maximum(0, arrays.cast(math.floor((whole - exact) / 2), dtypes.int32))
    resized = resize_images(batch, size, method, align_corners)
    padded = pad_to_bounding_box(resized, before[0], before[1], target_height, target_width)
    return undo(padded)


resize = resize_images


__all__ = with_names(globals())
