# SPDX-License-Identifier: Apache-2.0
"""Dilation and erosion of images."""

from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .. import raw_ops
from ..building import given, with_names
from .windows import window_sizes


def dilation2d(input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None,
               dilations=None):  # fmt: skip
    """Computes the largest sum of image and filter in each window.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filter: The filter, a tensor [height, width, channels] of the dtype of input.
        strides: The steps of the window, an int or a list of ints.
        rates: The distance of the filter's elements, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        name: Name of the operation, a str. None: a default name.
        filters: Another name of filter.
        dilations: Another name of rates.

    Returns:
        A tensor [batch, height, width, channels].
    """
    return raw_ops.Dilation2D(
        input=input, filter=given(filter, filters), strides=window_sizes(strides),
        rates=window_sizes(given(rates, dilations)), padding=padding, name=name,
    )  # fmt: skip


def erosion2d(value, kernel, strides, rates, padding, name=None):
    """Computes the smallest difference of image and kernel in each window.

    Args:
        value: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        kernel: The kernel, a tensor [height, width, channels] of the dtype of value.
        strides: The steps of the window, an int or a list of ints.
        rates: The distance of the kernel's elements, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, height, width, channels].
    """
    flipped = arrays.reverse(kernel, [0, 1])
    grown = dilation2d(-convert_to_tensor(value), flipped, strides, rates, padding)
    return raw_ops.Neg(x=grown, name=name)


__all__ = with_names(globals())
