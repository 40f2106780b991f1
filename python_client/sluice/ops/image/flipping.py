# SPDX-License-Identifier: Apache-2.0
"""Images that are flipped, transposed or rotated."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.seeds import count_more_nodes, counted_as
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names
from ..functions.loops import case
from ..random import random
from .pixels import checked

_TURNED = 62  # how many nodes TensorFlow makes, which decide later seeds


def flip_left_right(image):
    """Mirrors images left to right.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: The image has another rank.
    """
    return _flipped(checked(image), 1)


def flip_up_down(image):
    """Mirrors images top to bottom.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: The image has another rank.
    """
    return _flipped(checked(image), 0)


def _flipped(image, axis):
    """An image, of rank 3 if that is not known, that is mirrored along 0 or 1; or a batch."""
    if image.shape.ndims is None:
        image.set_shape([None, None, None])
    return arrays.reverse(image, [axis + image.shape.ndims - 3])


def _random_flip(image, seed, axis):
    image = checked(image)
    if image.shape.ndims == 4:
        chosen = random.uniform([arrays.shape(image)[0]], seed=seed) > 0.5
        chosen = arrays.reshape(chosen, [-1, 1, 1, 1])
    else:
        chosen = random.uniform([], seed=seed) < 0.5
    count_more_nodes(6)  # TensorFlow has more, which decide later seeds
    return raw_ops.SelectV2(condition=chosen, t=_flipped(image, axis), e=image)


def random_flip_left_right(image, seed=None):
    """Mirrors each image left to right with probability 1/2.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: The image has another rank.
    """
    return _random_flip(image, seed, 1)


def random_flip_up_down(image, seed=None):
    """Mirrors each image top to bottom with probability 1/2.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.

    Raises:
        ValueError: The image has another rank.
    """
    return _random_flip(image, seed, 0)


def transpose(image, name=None):
    """Exchanges rows and columns of images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., width, height, channels].

    Raises:
        ValueError: The image has another rank.
    """
    return _transposed(checked(image), name)


def _transposed(image, name=None):
    return arrays.transpose(image, [0, 2, 1, 3] if image.shape.ndims == 4 else [1, 0, 2], name)


transpose_image = transpose


def rot90(image, k=1, name=None):
    """Turns images counter-clockwise by multiples of 90 degrees.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        k: How often, an int or an int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of image.

    Raises:
        ValueError: The image has another rank, or k is not a scalar.
    """
    image = checked(image)
    if image.shape.ndims is None:
        image.set_shape([None, None, None])
    turns = [
        lambda: image,
        lambda: _transposed(_flipped(image, 1)),
        lambda: _flipped(_flipped(image, 0), 1),
        lambda: _flipped(_transposed(image), 1),
    ]
    with counted_as(_TURNED - hasattr(k, "graph")):
        if isinstance(k, int):
            return arrays.identity(turns[k % 4](), name)
        k = convert_to_tensor(k, dtypes.int32, "k")
        k.shape.assert_has_rank(0)
        k = math.floormod(k, 4)
        rows = [(math.equal(k, i), turns[i]) for i in range(1, 4)]
        turned = case(rows, turns[0], exclusive=True, name=name or "rot90")
    size = image.shape.as_list()
    turned.set_shape([*size[:-3], None, None, size[-1]])
    return turned


__all__ = with_names(globals())
