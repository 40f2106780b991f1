# SPDX-License-Identifier: Apache-2.0
"""Images that are flipped, transposed or rotated."""

from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from ..random import random
from .pixels import batched


def flip_left_right(image):
    """Mirrors images left to right.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return arrays.reverse(image, [-2])


def flip_up_down(image):
    """Mirrors images top to bottom.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return arrays.reverse(image, [-3])


def _random_flip(image, seed, axis):
    batch, undo = batched(image)
    chosen = random.uniform([arrays.shape(batch)[0], 1, 1, 1], seed=seed) < 0.5
    return undo(raw_ops.SelectV2(condition=chosen, t=arrays.reverse(batch, [axis]), e=batch))


def random_flip_left_right(image, seed=None):
    """Mirrors each image left to right with probability 1/2.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _random_flip(image, seed, 2)


def random_flip_up_down(image, seed=None):
    """Mirrors each image top to bottom with probability 1/2.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _random_flip(image, seed, 1)


def transpose(image, name=None):
    """Exchanges rows and columns of images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., width, height, channels].
    """
    batch, undo = batched(image)
    return undo(arrays.transpose(batch, [0, 2, 1, 3], name))


transpose_image = transpose


def rot90(image, k=1, name=None):
    """Turns images counter-clockwise by multiples of 90 degrees.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        k: How often, an int or an int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of image.
    """
    batch, undo = batched(image)
    k %= 4
    if k == 1:
        batch = arrays.reverse(arrays.transpose(batch, [0, 2, 1, 3]), [1])
    elif k == 2:
        batch = arrays.reverse(batch, [1, 2])
    elif k == 3:
        batch = arrays.transpose(arrays.reverse(batch, [1]), [0, 2, 1, 3])
    return arrays.identity(undo(batch), name)


__all__ = with_names(globals())
