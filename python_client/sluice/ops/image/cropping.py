# SPDX-License-Identifier: Apache-2.0
"""Images that are cropped or padded."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.elements import Tensor
from ...graph.seeds import count_more_nodes
from .. import array as arrays
from .. import math
from ..building import with_names
from ..random import random
from .pixels import after, batched, checks_of, require, sizes_of, static


def random_crop(value, size, seed=None, name=None):
    """Cuts a window of a given shape out of a tensor at a random place.

    Args:
        value: A tensor.
        size: Shape of the window, a list of ints.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of shape `size`.
    """
    return random.random_crop(value, size, seed, name)


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Cuts a window out of images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        offset_height: Rows above, an int or int32 scalar.
        offset_width: Columns to the left, an int or int32 scalar.
        target_height: Height of the result, an int or int32 scalar.
        target_width: Width of the result, an int or int32 scalar.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: The window is not within the image, or the image has another rank.
        errors.InvalidArgumentError: In run(): the same, where sizes were not known before.
    """
    batch, undo = batched(image)
    checks = checks_of(batch)
    count, height, width, channels = sizes_of(batch)
    checks += require(offset_width >= 0, "offset_width must be >= 0.")
    checks += require(offset_height >= 0, "offset_height must be >= 0.")
    checks += _positive(target_height, target_width)
    checks += require(width >= target_width + offset_width, "width must be >= target + offset.")
    checks += require(height >= target_height + offset_height, "height must be >= target + offset.")
    begin = arrays.stack([0, offset_height, offset_width, 0])
    size = arrays.stack([-1, target_height, target_width, -1])
    cropped = arrays.slice(after(checks, batch), begin, size)
    cropped.set_shape(static([count, target_height, target_width, channels]))
    return undo(cropped)


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Puts zeros around images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        offset_height: Rows above, an int or int32 scalar.
        offset_width: Columns to the left, an int or int32 scalar.
        target_height: Height of the result, an int or int32 scalar.
        target_width: Width of the result, an int or int32 scalar.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: The image does not fit, or has another rank.
        errors.InvalidArgumentError: In run(): the same, where sizes were not known before.
    """
    batch, undo = batched(image)
    checks = checks_of(batch)
    count, height, width, channels = sizes_of(batch)
    right = target_width - offset_width - width
    below = target_height - offset_height - height
    checks += require(offset_height >= 0, "offset_height must be >= 0")
    checks += require(offset_width >= 0, "offset_width must be >= 0")
    checks += require(right >= 0, "width must be <= target - offset")
    checks += require(below >= 0, "height must be <= target - offset")
    pads = arrays.stack([0, 0, offset_height, below, offset_width, right, 0, 0])
    padded = arrays.pad(after(checks, batch), arrays.reshape(pads, [4, 2]))
    padded.set_shape(static([count, target_height, target_width, channels]))
    return undo(padded)


def resize_with_crop_or_pad(image, target_height, target_width):
    """Cuts out the middle of images, or puts zeros around them, until they have a size.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        target_height: Height of the result, an int or int32 scalar.
        target_width: Width of the result, an int or int32 scalar.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: A size is not positive, or the image has another rank.
    """
    batch, undo = batched(image)
    image_rank = getattr(getattr(image, "shape", None), "ndims", 3)
    checks = checks_of(batch) + _positive(target_height, target_width)
    batch = after(checks, batch)
    _, height, width, _ = sizes_of(batch)
    right, below = target_width - width, target_height - height
    cropped = crop_to_bounding_box(
        batch, _larger(-below // 2, 0), _larger(-right // 2, 0),
        _smaller(target_height, height), _smaller(target_width, width),
    )  # fmt: skip
    above, left = _larger(below // 2, 0), _larger(right // 2, 0)
    count_more_nodes(1 if image_rank == 3 else 3)  # TensorFlow has more, which decide later seeds
    return undo(pad_to_bounding_box(cropped, above, left, target_height, target_width))


resize_image_with_crop_or_pad = resize_with_crop_or_pad


def central_crop(image, central_fraction):
    """Cuts out the middle of images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        central_fraction: The fraction of each side that stays, a float within (0, 1].

    Returns:
        A tensor with smaller sides.

    Raises:
        ValueError: The rank is not 3 or 4, or the fraction is out of range.
    """
    image = convert_to_tensor(image, name="image")
    if not 0 < central_fraction <= 1:
        raise ValueError(f"central_fraction must be within (0, 1], it is {central_fraction}")
    if central_fraction == 1:
        return image
    checks_of(image)
    rank = image.shape.ndims
    if rank not in (3, 4):
        raise ValueError(
            f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}."
        )
    batch, undo = batched(image)
    count, height, width, channels = sizes_of(batch)
    top, left = _margin(height, central_fraction), _margin(width, central_fraction)
    rows, columns = height - top * 2, width - left * 2
    size = arrays.stack([-1, rows, columns, -1])
    middle = arrays.slice(batch, arrays.stack([0, top, left, 0]), size)
    middle.set_shape(static([count, rows, columns, channels]))
    return undo(middle)


def _margin(size, fraction):
    """How much is cut off at each end, so that a fraction stays."""
    if not isinstance(size, Tensor):
        return int((size - size * fraction) / 2)
    whole = arrays.cast(size, dtypes.float64)
    return arrays.cast((whole - whole * fraction) / 2, dtypes.int32)


def _positive(height, width):
    """Checks the sizes of a result: see require()."""
    checks = require(width > 0, "target_width must be > 0.")
    return checks + require(height > 0, "target_height must be > 0.")


def _larger(x, y):
    return math.maximum(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else max(x, y)


def _smaller(x, y):
    return math.minimum(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else min(x, y)


__all__ = with_names(globals())
