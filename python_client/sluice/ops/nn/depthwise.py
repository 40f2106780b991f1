# SPDX-License-Identifier: Apache-2.0
"""Convolution of each channel by itself."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.seeds import count_more_nodes
from .. import raw_ops
from ..building import given, with_names
from .convolution import conv2d
from .windows import count_holes, one_size, window_sizes


def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None,
                     dilations=None):  # fmt: skip
    """Convolves each channel of images with filters of its own.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filter: The filters, a tensor [height, width, channels, multiplier].
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        rate: Another name of dilations.
        name: Name of the operation, a str. None: a default name.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.

    Returns:
        A tensor [batch, height, width, channels * multiplier].
    """
    rate = given(rate, dilations)
    with name_scope(name, "depthwise") as scope:
        input, filter = convert_to_tensor(input, name="tensor_in"), convert_to_tensor(filter)
        count_more_nodes(2 if one_size(rate) == 1 else 0)  # TensorFlow has more
        count_holes(input.shape, rate, padding, data_format)
        return depthwise_conv2d_native(input, filter, strides, padding, data_format, rate, scope)


def depthwise_conv2d_native(input, filter, strides, padding, data_format="NHWC", dilations=None,
                            name=None):  # fmt: skip
    """Convolves each channel of images with filters of its own. It is depthwise_conv2d() with other
    arguments.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filter: The filters, a tensor [height, width, channels, multiplier].
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, height, width, channels * multiplier].
    """
    data_format = data_format or "NHWC"
    return raw_ops.DepthwiseConv2dNative(
        input=input, filter=filter, strides=window_sizes(strides, data_format), padding=padding,
        data_format=data_format, dilations=window_sizes(dilations, data_format), name=name,
    )  # fmt: skip


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None,
                     name=None, data_format=None, dilations=None):  # fmt: skip
    """Convolves each channel with filters of its own, then mixes the channels.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        depthwise_filter: The filters of channels, a tensor [height, width, channels, multiplier].
        pointwise_filter: The mixing filter, a tensor [1, 1, channels * multiplier, out channels].
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        rate: Another name of dilations.
        name: Name of the operation, a str. None: a default name.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.

    Returns:
        A tensor [batch, height, width, out channels].
    """
    rate = given(rate, dilations)
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, rate, None, data_format)
    return conv2d(deep, pointwise_filter, 1, "VALID", data_format=data_format, name=name)


__all__ = with_names(globals())
