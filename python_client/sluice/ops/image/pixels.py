# SPDX-License-Identifier: Apache-2.0
"""Images as batches and as floats, and checks of images, for functions of either."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...graph.elements import Tensor
from ...graph.seeds import count_more_nodes, counted_as
from .. import array as arrays
from .. import math, raw_ops
from .conversion import convert_image_dtype

# How many nodes TensorFlow makes, which decide later seeds: of checks of a size, and of one check.
_CHECKS, _ASSERT = 22, 3
_RANKS = "'image' must have either 3 or 4 dimensions."


def batched(image, name="image"):
    """The image as a batch, and the function that undoes it. An image of unknown rank is a single
    one. ValueError: it has another rank."""
    image = convert_to_tensor(image, name=name)
    if image.shape.ndims not in (None, 3, 4):
        raise ValueError(_RANKS.replace("image", name))
    if image.shape.ndims == 4:
        return image, lambda x: x
    batch = arrays.expand_dims(image, 0)
    batch.set_shape([1, None, None, None])
    return batch, lambda x: arrays.squeeze(x, [0])


def checked(image):
    """The image as a tensor that is checked to have at least three dimensions, of sizes > 0: now
    (ValueError), or when it runs. It has at most four."""
    image = convert_to_tensor(image, name="image")
    image = after(checks_of(image), image)
    if image.shape.ndims not in (None, 3, 4):
        raise ValueError(_RANKS)
    return image


def checks_of(image):
    """Operations that check that an image has at least three dimensions, of sizes > 0. ValueError:
    it is known that it has not."""
    rank = image.shape.ndims
    if rank is not None and rank < 3:
        raise ValueError("'image' must be at least three-dimensional.")
    if rank is not None and 0 in image.shape.as_list():
        raise ValueError(f"all dims of 'image.shape' must be > 0: {image.shape}")
    if image.shape.is_fully_defined():
        return []
    with counted_as(_CHECKS):
        sizes = arrays.shape(image)
        found = require(math.reduce_all(sizes > 0), "all dims of 'image.shape' must be > 0.", sizes)
        if rank is None:
            found += require(arrays.rank(image) >= 3, "'image' must be at least three-dimensional.")
    return found


def require(condition, text, *data):
    """Checks a condition: now (ValueError), or, where it is a tensor, by the operation in the list
    that is returned."""
    if isinstance(condition, Tensor):
        with counted_as(_ASSERT):
            return [raw_ops.Assert(condition=condition, data=[text, *data])]
    if not condition:
        raise ValueError(text)
    return []


def after(checks, tensor):
    """The tensor, once the operations have run."""
    if not checks:
        count_more_nodes(1)  # TensorFlow makes an Identity, too
        return tensor
    with control_dependencies(checks):
        return arrays.identity(tensor)


def sizes_of(batch):
    """The sizes of a batch of images: an int, or an int32 scalar where it is not known."""
    known = batch.shape.as_list()
    if None not in known:
        return known
    found = arrays.unstack(arrays.shape(batch), len(known))
    return [size if one is None else one for one, size in zip(known, found)]


def static(sizes):
    """The sizes as a static shape: None for tensors."""
    return [int(size) if isinstance(size, (int, np.integer)) else None for size in sizes]


def as_float(image, function):
    """function(image in [0, 1]) in the image's own dtype."""
    image = convert_to_tensor(image, name="image")
    narrow = image.dtype in (dtypes.float16, dtypes.float32)
    x = image if narrow else convert_image_dtype(image, dtypes.float32)
    return convert_image_dtype(function(x), image.dtype, True)
