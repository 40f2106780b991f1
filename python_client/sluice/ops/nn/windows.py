# SPDX-License-Identifier: Apache-2.0
"""Arguments of windows that move over images."""

from numbers import Integral

from ...graph.seeds import count_more_nodes


def window_sizes(value, data_format="NHWC", dims=2):
    """A list for every dimension of one int, one int for each spatial one, or such a list."""
    value = 1 if value is None else value
    value = [value] * dims if isinstance(value, Integral) else list(value)
    if len(value) == 1:
        value *= dims
    if len(value) == dims:
        value = [1, 1, *value] if data_format.startswith("NC") else [1, *value, 1]
    return value


def padding_attributes(padding):
    """The attributes of a padding: "SAME", "VALID", or [[before, after], ...] of each dimension."""
    if isinstance(padding, str):
        return {"padding": padding}
    return {"padding": "EXPLICIT", "explicit_paddings": [n for pair in padding for n in pair]}


def one_size(value):
    value = 1 if value is None else value
    return value if isinstance(value, Integral) else max(value)


def count_holes(shape, rates, padding, data_format=None):
    """Counts the nodes around a convolution whose filter has gaps, as TensorFlow makes them: they
    decide later seeds.

    Args:
        shape: Shape of the input, a TensorShape.
        rates: The distance of the filter's elements, an int or a list of ints. None: 1.
        padding: "SAME" or "VALID".
        data_format: Order of the dimensions, a str. None: channels are last.
    """
    if one_size(rates) == 1 or shape.ndims is None:
        return
    sizes = shape.as_list()
    sizes = sizes[2:] if (data_format or "").startswith("NC") else sizes[1:-1]
    number = 11 if None not in sizes else 55 if len(sizes) == 1 else 74
    count_more_nodes(number + (padding == "SAME"))
