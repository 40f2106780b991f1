# SPDX-License-Identifier: Apache-2.0
"""Arguments of layers with windows, and the sizes of their outputs."""

from ..graph.tensor_shape import TensorShape


def sizes_of(value, rank, name):
    """A tuple of one size for each spatial dimension.

    Args:
        value: An int, or a list of ints.
        rank: How many spatial dimensions there are, an int.
        name: Name of the argument for messages, a str.

    Returns:
        A tuple of ints.

    Raises:
        ValueError: It is not an int, nor `rank` of them.
    """
    if isinstance(value, int):
        return (value,) * rank
    try:
        sizes = tuple(value)
    except TypeError:
        raise _not_sizes(name, rank, value) from None
    if len(sizes) != rank:
        raise _not_sizes(name, rank, value)
    made = []
    for size in sizes:
        try:
            made.append(int(size))
        except (TypeError, ValueError):
            more = f" including element {size} of type {type(size)}"
            raise _not_sizes(name, rank, value, more) from None
    return tuple(made)


def _not_sizes(name, rank, value, more=""):
    return ValueError(
        f"The `{name}` argument must be a tuple of {rank} integers. Received: {value}{more}"
    )


def padding_of(value):
    """The padding in lower case. ValueError: it is none."""
    padding = value.lower() if isinstance(value, str) else value
    if padding not in ("valid", "same", "causal"):
        raise ValueError(
            'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", '
            f"only for `Conv1D). Received: {padding}"
        )
    return padding


def format_of(value):
    """The data format in lower case. ValueError: it is none."""
    data_format = value.lower() if isinstance(value, str) else value
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: {value}"
        )
    return data_format


def op_format(data_format, rank):
    """The data format as operations name it, for so many spatial dimensions."""
    spatial = "DHW"[3 - rank :]
    return f"NC{spatial}" if data_format == "channels_first" else f"N{spatial}C"


def channels_of(input_shape, data_format):
    """How many channels the input has. ValueError: that is not known."""
    channels = TensorShape(input_shape).as_list()[1 if data_format == "channels_first" else -1]
    if channels is None:
        raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
    return channels


def split_shape(shape, data_format):
    """(batch, spatial sizes, channels) of a shape."""
    batch, *rest = TensorShape(shape).as_list()
    return (batch, rest[1:], rest[0]) if data_format == "channels_first" else (
        batch, rest[:-1], rest[-1]
    )  # fmt: skip


def joined_shape(batch, spatial, channels, data_format):
    """The shape that split_shape() takes apart."""
    rest = [channels, *spatial] if data_format == "channels_first" else [*spatial, channels]
    return TensorShape([batch, *rest])


def window_length(length, window, padding, stride, dilation=1):
    """How many windows there are along a dimension; None if its length is not known."""
    if length is None:
        return None
    if padding in ("same", "causal"):
        return (length + stride - 1) // stride
    return (length - (window - 1) * dilation + stride - 1) // stride


def transposed_length(length, window, padding, stride, output_padding=None, dilation=1):
    """The length of a transposed convolution's output; `length` may be a tensor, or None."""
    if length is None:
        return None
    window = window + (window - 1) * (dilation - 1)
    if output_padding is not None:
        around = window // 2 if padding == "same" else 0
        return (length - 1) * stride + window - 2 * around + output_padding
    length = length * stride
    return length + max(window - stride, 0) if padding == "valid" else length
