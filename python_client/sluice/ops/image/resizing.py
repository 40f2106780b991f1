# SPDX-License-Identifier: Apache-2.0
"""Images of another size."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.shape_vectors import shape_in
from .. import array as arrays
from .. import math
from ..building import thin, with_names
from .cropping import pad_to_bounding_box
from .pixels import after, batched, checks_of, require

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


_METHODS = {
    0: resize_bilinear, 1: resize_nearest_neighbor, 2: resize_bicubic, 3: resize_area,
    "bilinear": resize_bilinear, "nearest": resize_nearest_neighbor, "bicubic": resize_bicubic,
    "area": resize_area,
}  # fmt: skip


def resize_images(images, size, method=ResizeMethod.BILINEAR, align_corners=False,
                  preserve_aspect_ratio=False, name=None):  # fmt: skip
    """Resizes images.

    Args:
        images: A tensor [batch, height, width, channels] or [height, width, channels].
        size: The new [height, width], a list of ints or an int32 vector.
        method: ResizeMethod.BILINEAR, NEAREST_NEIGHBOR, BICUBIC or AREA; or "bilinear", "nearest",
            "bicubic" or "area".
        align_corners: Whether corner pixels stay at the corners. A bool.
        preserve_aspect_ratio: Whether the proportions stay; the result is the largest within size.
            A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 tensor; of the nearest neighbour it has the dtype of images. If it is known that
        the size is that of images, they are returned as they are.

    Raises:
        ValueError: The rank of images is not 3 or 4; size has not two ints; or method is unknown.
    """
    images = convert_to_tensor(images, name="images")
    if images.shape.ndims is None:
        raise ValueError("'images' contains no shape.")
    batch, undo = batched(images, "images")
    try:
        size = convert_to_tensor(size, dtypes.int32, "size")
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if not size.shape.is_compatible_with([2]):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    known, sides = shape_in(size).with_rank(2).as_list(), batch.shape.as_list()[1:3]
    if None not in known and sides == known and not preserve_aspect_ratio:
        return images
    if method not in _METHODS:
        raise ValueError("Resize method is not implemented.")
    if preserve_aspect_ratio:
        old, sides = sides, arrays.cast(arrays.shape(batch)[1:3], dtypes.float32)
        scale = math.reduce_min(arrays.cast(size, dtypes.float32) / sides)
        size = arrays.cast(math.round(scale * sides), dtypes.int32)
        known = [None, None] if None in known + old else _kept_proportions(known, old)
    resized = _METHODS[method](batch, size, align_corners, name=name)
    resized.set_shape([None, *known, None])
    return undo(resized)


def _kept_proportions(size, sides):
    """The largest size with the proportions of `sides`, computed as the operations do."""
    sides = np.float32(sides)
    return [int(side) for side in np.round(np.min(np.float32(size) / sides) * sides)]


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

    Raises:
        ValueError: A size is not positive, or the image has another rank.
    """
    batch, undo = batched(image)
    checks = checks_of(batch)
    checks += require(target_width > 0, "target_width must be > 0.")
    checks += require(target_height > 0, "target_height must be > 0.")
    batch = after(checks, batch)
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
