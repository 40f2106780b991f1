# SPDX-License-Identifier: Apache-2.0
"""Images that are cropped or padded."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from ..building import with_names
from ..random import random
from .pixels import batched


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
        offset_height: Rows above, an int.
        offset_width: Columns to the left, an int.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: The window is not within the image.
    """
    batch, undo = batched(image)
    begin = [0, offset_height, offset_width, 0]
    return undo(arrays.slice(batch, begin, [-1, target_height, target_width, -1]))


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Puts zeros around images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        offset_height: Rows above, an int.
        offset_width: Columns to the left, an int.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: The image does not fit.
    """
    batch, undo = batched(image)
    sizes = arrays.shape(batch)
    below = target_height - offset_height - sizes[1]
    right = target_width - offset_width - sizes[2]
    pads = [[0, 0], [offset_height, below], [offset_width, right], [0, 0]]
    return undo(arrays.pad(batch, convert_to_tensor(pads, dtypes.int32)))


def resize_with_crop_or_pad(image, target_height, target_width):
    """Cuts out the middle of images, or puts zeros around them, until they have a size.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.

    Returns:
        A tensor [..., target_height, target_width, channels].
    """
    batch, undo = batched(image)
    height, width = batch.shape[1], batch.shape[2]
    cut = [max(0, height - target_height), max(0, width - target_width)]
    batch = crop_to_bounding_box(batch, cut[0] // 2, cut[1] // 2, height - cut[0], width - cut[1])
    extra = [max(0, target_height - height), max(0, target_width - width)]
    batch = pad_to_bounding_box(batch, extra[0] // 2, extra[1] // 2, target_height, target_width)
    return undo(batch)


resize_image_with_crop_or_pad = resize_with_crop_or_pad


def central_crop(image, central_fraction):
    """Cuts out the middle of images of known size.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        central_fraction: The fraction of each side that stays, a float within (0, 1].

    Returns:
        A tensor with smaller sides.

    Raises:
        ValueError: The size is not known, or the fraction is out of range.
    """
    if not 0 < central_fraction <= 1:
        raise ValueError(f"central_fraction must be in (0, 1], it is {central_fraction}")
    batch, undo = batched(image)
    height, width = batch.shape[1], batch.shape[2]
    top = int((height - height * central_fraction) / 2)
    left = int((width - width * central_fraction) / 2)
    return undo(crop_to_bounding_box(batch, top, left, height - 2 * top, width - 2 * left))


__all__ = with_names(globals())
