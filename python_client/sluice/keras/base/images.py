# SPDX-License-Identifier: Apache-2.0
"""Functions of the backend that convolve, pool, pad and resize."""

import itertools

from ... import linalg, nn
from ...graph.convert import constant
from ...ops import array as arrays
from ...ops import raw_ops
from . import settings


def _first(data_format, wrong="Unknown data_format"):
    data_format = data_format or settings.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"{wrong}: {data_format}")
    return data_format == "channels_first"


def _last(x, first):
    """x with its channels last."""
    return arrays.transpose(x, [0, *range(2, x.shape.ndims), 1]) if first else x


def _back(x, first):
    rank = x.shape.ndims
    return arrays.transpose(x, [0, rank - 1, *range(1, rank - 1)]) if first else x


def _padding(padding):
    if padding not in ("same", "valid"):
        raise ValueError(f"Invalid padding: {padding}")
    return padding.upper()


def _sizes(value, rank, what="strides"):
    sizes = [value] * rank if isinstance(value, int) else list(value)
    if len(sizes) != rank:
        raise ValueError(f"`{what}` must be a tuple of {rank} integers.")
    return sizes


def convolution(x, kernel, strides, padding, data_format, dilations, rank):
    """A convolution of sequences, images or volumes."""
    first = _first(data_format)
    if padding == "causal":
        left = (kernel.shape.as_list()[0] - 1) * _sizes(dilations, 1)[0]
        x, padding = arrays.pad(_last(x, first), [[0, 0], [left, 0], [0, 0]]), "valid"
    else:
        x = _last(x, first)
    found = nn.convolution(
        x, kernel, _padding(padding), _sizes(strides, rank), _sizes(dilations, rank)
    )
    return _back(found, first)


def conv1d(x, kernel, strides, padding, data_format, dilation_rate):
    """See backend.conv1d()."""
    return convolution(x, kernel, strides, padding, data_format, dilation_rate, 1)


def conv2d(x, kernel, strides, padding, data_format, dilation_rate):
    """See backend.conv2d()."""
    return convolution(x, kernel, strides, padding, data_format, dilation_rate, 2)


def conv3d(x, kernel, strides, padding, data_format, dilation_rate):
    """See backend.conv3d()."""
    return convolution(x, kernel, strides, padding, data_format, dilation_rate, 3)


def conv2d_transpose(x, kernel, output_shape, strides, padding, data_format, dilation_rate):
    """See backend.conv2d_transpose()."""
    first = _first(data_format)
    shape = list(output_shape)
    if first:
        shape = [shape[0], shape[2], shape[3], shape[1]]
    x = _last(x, first)
    shape = [arrays.shape(x)[0] if n is None else n for n in shape]
    found = raw_ops.Conv2DBackpropInput(
        input_sizes=arrays.stack(shape), filter=kernel, out_backprop=x,
        strides=[1, *_sizes(strides, 2), 1], padding=_padding(padding),
        dilations=[1, *_sizes(dilation_rate, 2), 1],
    )  # fmt: skip
    return _back(found, first)


def separable_conv2d(x, depthwise, pointwise, strides, padding, data_format, dilation_rate):
    """See backend.separable_conv2d()."""
    first = _first(data_format)
    found = nn.separable_conv2d(
        _last(x, first), depthwise, pointwise, [1, *_sizes(strides, 2), 1], _padding(padding),
        _sizes(dilation_rate, 2),
    )  # fmt: skip
    return _back(found, first)


def depthwise_conv2d(x, depthwise, strides, padding, data_format, dilation_rate):
    """See backend.depthwise_conv2d()."""
    first = _first(data_format)
    found = nn.depthwise_conv2d(
        _last(x, first), depthwise, [1, *_sizes(strides, 2), 1], _padding(padding),
        _sizes(dilation_rate, 2),
    )  # fmt: skip
    return _back(found, first)


def _pool(x, size, strides, padding, data_format, mode, rank):
    if mode not in ("max", "avg"):
        raise ValueError(f"Invalid pooling mode: {mode}")
    first = _first(data_format)
    kinds = {(2, "max"): nn.max_pool2d, (2, "avg"): nn.avg_pool2d,
             (3, "max"): nn.max_pool3d, (3, "avg"): nn.avg_pool3d}  # fmt: skip
    windows = [1, *_sizes(size, rank, "pool_size"), 1], [1, *_sizes(strides, rank), 1]
    return _back(kinds[rank, mode](_last(x, first), *windows, _padding(padding)), first)


def pool2d(x, size, strides, padding, data_format, mode):
    """See backend.pool2d()."""
    return _pool(x, size, strides, padding, data_format, mode, 2)


def pool3d(x, size, strides, padding, data_format, mode):
    """See backend.pool3d()."""
    return _pool(x, size, strides, padding, data_format, mode, 3)


def padded(x, padding, data_format, rank):
    """x with zeros around its spatial dimensions."""
    edges = [list(pair) for pair in padding]
    around = [[0, 0], [0, 0], *edges] if _first(data_format) else [[0, 0], *edges, [0, 0]]
    assert len(edges) == rank
    return arrays.pad(x, around)


def resized(x, height_factor, width_factor, data_format, interpolation):
    """See backend.resize_images()."""
    first = _first(data_format, "Invalid `data_format` argument")
    x = _last(x, first)
    sizes = arrays.shape(x)[1:3] * constant([height_factor, width_factor])
    known = x.shape.as_list()
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    op = raw_ops.ResizeNearestNeighbor if interpolation == "nearest" else raw_ops.ResizeBilinear
    found = op(images=x, size=sizes, half_pixel_centers=True)
    factors = (1, height_factor, width_factor, 1)
    found.set_shape([None if n is None else n * f for n, f in zip(known, factors)])
    return _back(found, first)


def local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format):
    """A convolution with a kernel for each place.

    Args:
        inputs: The input, a tensor of known sizes but for the batch.
        kernel: The kernels, [places, window * channels, filters]; [places, channels * window,
            filters] if channels come first.
        kernel_size: The window, a list of ints.
        strides: Steps between windows, a list of ints.
        output_shape: The places, a list of ints.
        data_format: "channels_last" or "channels_first".

    Returns:
        A tensor.
    """
    first = _first(data_format)
    windows, before = [], [slice(None)] * (2 if first else 1)
    for place in itertools.product(*(range(n) for n in output_shape)):
        cut = [slice(p * s, p * s + k) for p, s, k in zip(place, strides, kernel_size)]
        part = inputs[tuple([*before, *cut])]
        windows.append(arrays.reshape(part, [1, -1, kernel.shape.as_list()[1]]))
    found = linalg.matmul(arrays.concat(windows, 0), kernel)
    rank = len(output_shape)
    found = arrays.reshape(found, [*output_shape, -1, kernel.shape.as_list()[2]])
    return _back(arrays.transpose(found, [rank, *range(rank), rank + 1]), first)
