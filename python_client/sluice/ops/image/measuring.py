# SPDX-License-Identifier: Apache-2.0
"""Measures of images: gradients, variation, and how similar two images are."""

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.tensor_shape import dimension_value
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names
from .conversion import convert_image_dtype


def total_variation(images, name=None):
    """Adds up the differences between neighbouring pixels.

    Args:
        images: A tensor [height, width, channels], or with a batch before it.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar, or a tensor [batch], of the dtype of images.

    Raises:
        ValueError: images are not of rank 3 or 4.
    """
    x = convert_to_tensor(images)
    if x.shape.ndims not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    rows = math.abs(x[..., 1:, :, :] - x[..., :-1, :, :])
    columns = math.abs(x[..., 1:, :] - x[..., :-1, :])
    axes = [-3, -2, -1]
    return math.add(math.reduce_sum(rows, axes), math.reduce_sum(columns, axes), name)


def image_gradients(image):
    """Computes the difference to the next row and to the next column, which is 0 at the end.

    Args:
        image: A tensor [batch, height, width, channels].

    Returns:
        A tuple of two tensors of the shape of image.

    Raises:
        ValueError: image is not of rank 4.
    """
    x = convert_to_tensor(image)
    if x.shape.ndims != 4:
        raise ValueError(
            "image_gradients expects a 4D tensor [batch_size, h, w, d],"
            f" not one of shape {x.shape}"
        )
    dy = arrays.pad(x[:, 1:] - x[:, :-1], [[0, 0], [0, 1], [0, 0], [0, 0]])
    dx = arrays.pad(x[:, :, 1:] - x[:, :, :-1], [[0, 0], [0, 0], [0, 1], [0, 0]])
    return dy, dx


def sobel_edges(image):
    """Computes how much each channel changes down and to the right, by Sobel's filters.

    Args:
        image: A tensor [batch, height, width, channels].

    Returns:
        A tensor [batch, height, width, channels, 2].
    """
    x = convert_to_tensor(image)
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float32)
    filters = np.stack([down, down.T], -1)[:, :, None, :]
    padded = arrays.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    edges = raw_ops.DepthwiseConv2dNative(
        input=padded, filter=_for_each_channel(filters, x),
        strides=[1, 1, 1, 1], padding="VALID",
    )  # fmt: skip
    return arrays.reshape(edges, arrays.concat([arrays.shape(x), [2]], 0))


def psnr(a, b, max_val, name=None):
    """Computes the peak signal to noise ratio of pairs of images.

    Args:
        a: A tensor [..., height, width, channels].
        b: A tensor of the shape and dtype of a.
        max_val: The range of values, a number: 255 for uint8, 1 for floats.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 tensor [...], in decibels.
    """
    a, b, peak = _measured(a, b, max_val)
    error = math.reduce_mean(math.squared_difference(a, b), [-3, -2, -1])
    return math.subtract(20 * math.log(peak) / np.log(10), 10 / np.log(10) * math.log(error), name)


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """Computes how alike images are in structure (Wang et al., 2004).

    Args:
        img1: A tensor [..., height, width, channels].
        img2: A tensor of the shape and dtype of img1.
        max_val: The range of values, a number: 255 for uint8, 1 for floats.
        filter_size: Size of the Gaussian window, an int.
        filter_sigma: Width of the Gaussian window, a float.
        k1: Constant of the formula, a float.
        k2: Constant of the formula, a float.

    Returns:
        A float32 tensor [...], at most 1.
    """
    a, b, peak = _measured(img1, img2, max_val)
    found, _ = _ssim_per_channel(a, b, peak, filter_size, filter_sigma, k1, k2)
    return math.reduce_mean(found, [-1])


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(img1, img2, max_val, power_factors=_SCALES, filter_size=11, filter_sigma=1.5,
                    k1=0.01, k2=0.03):  # fmt: skip
    """Computes how alike images and their reduced copies are in structure (Wang et al., 2003).

    Args:
        img1: A tensor [..., height, width, channels].
        img2: A tensor of the shape and dtype of img1.
        max_val: The range of values, a number: 255 for uint8, 1 for floats.
        power_factors: The power for each scale, a list of floats.
        filter_size: Size of the Gaussian window, an int.
        filter_sigma: Width of the Gaussian window, a float.
        k1: Constant of the formula, a float.
        k2: Constant of the formula, a float.

    Returns:
        A float32 tensor [...], at most 1.
    """
    a, b, peak = _measured(img1, img2, max_val)
    lead = arrays.shape(a)[:-3]
    a, b = (arrays.reshape(x, arrays.concat([[-1], arrays.shape(x)[-3:]], 0)) for x in (a, b))
    parts = []
    for i in range(len(power_factors)):
        if i:
            a, b = _halved(a), _halved(b)
        found, contrast = _ssim_per_channel(a, b, peak, filter_size, filter_sigma, k1, k2)
        parts.append(raw_ops.Relu(features=contrast if i + 1 < len(power_factors) else found))
    powers = [math.pow(part, factor) for part, factor in zip(parts, power_factors)]
    product = math.reduce_prod(arrays.stack(powers, -1), [-1])
    channels = arrays.shape(product)[-1:]
    return math.reduce_mean(arrays.reshape(product, arrays.concat([lead, channels], 0)), [-1])


def _measured(img1, img2, max_val):
    """Two images and the largest value as floats in [0, 1]."""
    a, b = convert_to_tensor(img1, name="img1"), convert_to_tensor(img2, name="img2")
    _check_same(a.shape, b.shape)
    peak = convert_image_dtype(arrays.cast(convert_to_tensor(max_val), a.dtype), dtypes.float32)
    return *(convert_image_dtype(x, dtypes.float32) for x in (a, b)), peak


def _check_same(one, other):
    """ValueError: two images have other shapes, or batches of them do not broadcast."""
    one, other = one.with_rank_at_least(3), other.with_rank_at_least(3)
    if one.ndims is None or other.ndims is None:
        return
    one[-3:].assert_is_compatible_with(other[-3:])
    rows = zip(reversed(one.as_list()[:-3]), reversed(other.as_list()[:-3]))
    if not all(1 in row or None in row or row[0] == row[1] for row in rows):
        raise ValueError(f"Two images are not compatible: {one} and {other}")


def _for_each_channel(filters, x):
    """A filter [height, width, 1, count] as one for all channels of x, of the dtype of x."""
    channels = dimension_value(x.shape[-1])
    if channels is None:
        repeats = arrays.stack([1, 1, arrays.shape(x)[-1], 1])
        return arrays.tile(constant(filters, x.dtype), repeats)
    return constant(np.tile(filters, [1, 1, channels, 1]), x.dtype)


def _halved(x):
    """Means of 2 x 2 pixels; an odd side is mirrored first."""
    sides = arrays.shape(x)[1:3] % 2
    pads = arrays.stack([[0, 0], arrays.stack([0, sides[0]]), arrays.stack([0, sides[1]]), [0, 0]])
    return raw_ops.AvgPool(
        value=arrays.pad(x, pads, "SYMMETRIC"), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1],
        padding="VALID",
    )  # fmt: skip


def _ssim_per_channel(a, b, peak, size, sigma, k1, k2):
    """[..., channels]: (luminance times contrast and structure, the latter alone)."""
    steps = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * (steps / sigma) ** 2)
    kernel = np.outer(weights, weights) / np.sum(weights) ** 2
    kernel = _for_each_channel(kernel[:, :, None, None], a)

    def mean(x):
        sizes = arrays.shape(x)
        flat = arrays.reshape(x, arrays.concat([[-1], sizes[-3:]], 0))
        y = raw_ops.DepthwiseConv2dNative(
            input=flat, filter=kernel, strides=[1, 1, 1, 1], padding="VALID"
        )
        return arrays.reshape(y, arrays.concat([sizes[:-3], arrays.shape(y)[1:]], 0))

    c1, c2 = (k1 * peak) ** 2, (k2 * peak) ** 2
    mean_a, mean_b = mean(a), mean(b)
    both, squares = mean_a * mean_b * 2.0, math.square(mean_a) + math.square(mean_b)
    luminance = (both + c1) / (squares + c1)
    contrast = (mean(a * b) * 2.0 - both + c2) / (mean(a * a + b * b) - squares + c2)
    axes = [-3, -2]
    return math.reduce_mean(luminance * contrast, axes), math.reduce_mean(contrast, axes)


__all__ = with_names(globals())
