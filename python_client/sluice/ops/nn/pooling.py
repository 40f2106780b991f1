# SPDX-License-Identifier: Apache-2.0
"""Pooling.

padding, strides and ksize are as in convolution.py."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .. import raw_ops
from ..building import given, thin, with_names
from .windows import one_size, window_sizes


def _pool(op, argument, doc):
    def function(value=None, ksize=None, strides=None, padding=None, data_format="NHWC",
                 name=None, input=None):  # fmt: skip
        data_format = data_format or "NHWC"
        return raw_ops.apply_op(
            op, name, ksize=window_sizes(ksize, data_format),
            strides=window_sizes(strides, data_format), padding=padding, data_format=data_format,
            **{argument: given(value, input)},
        )  # fmt: skip

    function.__doc__ = doc + _POOL.format("value") + _POOLED.replace(
        "\n\n", "\n    input: Another name of value.\n\n", 1
    )  # fmt: skip
    return function


_POOL = """

Args:
    {0}: A tensor [batch, spatial..., channels] of any floating-point dtype.
    ksize: Size of the window, an int or a list of ints.
    strides: The steps of the window, an int or a list of ints.
    padding: "SAME": ceil(size / stride) elements remain; "VALID": windows are within the image.
    data_format: Order of the dimensions, a str such as "NHWC" or "NCHW".
"""


_POOLED = """\
    name: Name of the operation, a str. None: a default name.

Returns:
    A tensor [batch, spatial..., channels] of the same dtype.
"""


max_pool = _pool("MaxPool", "input", """Returns the largest element of each window of images.""")


avg_pool = avg_pool2d = _pool(
    "AvgPool",
    "value",
    """Computes the mean of each window of images.

Elements outside of the image do not count.""",
)


def max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """Returns the largest element of each window of images.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        ksize: Size of the window, an int or a list of ints.
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, height, width, channels].
    """
    return max_pool(input, ksize, strides, padding, data_format, name or "MaxPool2d")


def _pool3d(op, doc):
    def function(input, ksize, strides, padding, data_format="NDHWC", name=None):
        data_format = data_format or "NDHWC"
        return raw_ops.apply_op(
            op, name, input=input, ksize=window_sizes(ksize, data_format, 3),
            strides=window_sizes(strides, data_format, 3), padding=padding, data_format=data_format,
        )  # fmt: skip

    function.__doc__ = doc + _POOL.format("input") + _POOLED
    return function


max_pool3d = _pool3d("MaxPool3D", "Returns the largest element of each window of volumes.")


avg_pool3d = _pool3d("AvgPool3D", "Computes the mean of each window of volumes.")


def _pool1d(function, doc):
    def pool(input, ksize, strides, padding, data_format="NWC", name=None):
        wide, spatial = ("NCHW", 2) if data_format == "NCW" else ("NHWC", 1)
        result = function(
            arrays.expand_dims(input, spatial),
            [1, one_size(ksize)],
            [1, one_size(strides)],
            padding,
            wide,
        )
        return arrays.squeeze(result, [spatial], name)

    pool.__doc__ = doc + _POOL.format("input") + _POOLED
    return pool


max_pool1d = _pool1d(max_pool, "Returns the largest element of each window of sequences.")


avg_pool1d = _pool1d(avg_pool, "Computes the mean of each window of sequences.")


def max_pool_with_argmax(input, ksize, strides, padding, data_format="NHWC", Targmax=None,  # noqa: N803
                         name=None, output_dtype=None, include_batch_in_index=False):  # fmt: skip
    """Returns the largest element of each window, and where it is.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        ksize: Size of the window, an int or a list of ints.
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: "NHWC".
        Targmax: Dtype of the places, int32 or int64. None: int64.
        name: Name of the operation, a str. None: a default name.
        output_dtype: Another name of Targmax.
        include_batch_in_index: Whether places count from the start of the batch. A bool.

    Returns:
        A named tuple. `output`: the largest elements; `argmax`: their places in the flattened
        image.

    Raises:
        ValueError: data_format is another one.
    """
    if data_format != "NHWC":
        raise ValueError('max_pool_with_argmax: data_format must be "NHWC"')
    kind = given(Targmax, output_dtype)
    return raw_ops.MaxPoolWithArgmax(
        input=input, ksize=window_sizes(ksize), strides=window_sizes(strides), padding=padding,
        Targmax=dtypes.int64 if kind is None else kind,
        include_batch_in_index=include_batch_in_index, name=name,
    )  # fmt: skip


def _pool_of_rank(functions, doc):
    formats = ["NWC", "NHWC", "NDHWC"]

    def pool(input, ksize, strides, padding, data_format=None, name=None):
        dims = convert_to_tensor(input).shape.ndims - 2
        return functions[dims - 1](
            input, ksize, strides, padding, data_format or formats[dims - 1], name
        )

    pool.__doc__ = (
        doc + " There are one, two or three spatial dimensions." + _POOL.format("input") + _POOLED
    )
    return pool


max_pool_v2 = _pool_of_rank(
    [max_pool1d, max_pool, max_pool3d], "Returns the largest element of each window."
)


avg_pool_v2 = _pool_of_rank([avg_pool1d, avg_pool, avg_pool3d], "Computes the mean of each window.")


fractional_max_pool = thin(
    "FractionalMaxPool",
    "value pooling_ratio pseudo_random=False overlapping=False deterministic=False seed=0 seed2=0",
    """Returns the largest element of windows of random sizes.

    Args:
        pooling_ratio: The mean size of windows in each dimension, a list of 4 floats.
        pseudo_random: Whether the sizes vary less. A bool.
        overlapping: Whether windows share their edges. A bool.
    """,
)


fractional_avg_pool = thin(
    "FractionalAvgPool",
    "value pooling_ratio pseudo_random=False overlapping=False deterministic=False seed=0 seed2=0",
    """Returns the mean of windows of random sizes.

    Args:
        pooling_ratio: The mean size of windows in each dimension, a list of 4 floats.
        pseudo_random: Whether the sizes vary less. A bool.
        overlapping: Whether windows share their edges. A bool.
    """,
)


def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None,
         data_format=None, dilations=None):  # fmt: skip
    """Computes the largest element or the mean of windows, for one to three spatial dimensions.

    Args:
        input: A tensor [batch, spatial..., channels] of any floating-point dtype.
        window_shape: Size of the window in each spatial dimension, a list of ints.
        pooling_type: "MAX" or "AVG".
        padding: "SAME" or "VALID".
        dilation_rate: The distance of the window's elements: 1 only.
        strides: The steps of the window in each spatial dimension, a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.
        data_format: Order of the dimensions: "NHWC" (channels last) or "NCHW" (channels second).
            None: "NHWC".
        dilations: Another name of dilation_rate.

    Returns:
        A tensor [batch, spatial..., channels].

    Raises:
        ValueError: pooling_type is unknown.
        NotImplementedError: dilation_rate is above 1.
    """
    if set(given(dilation_rate, dilations) or [1]) != {1}:
        raise NotImplementedError("pool: windows with holes (dilation_rate)")
    functions = {"MAX": max_pool_v2, "AVG": avg_pool_v2}
    if pooling_type not in functions:
        raise ValueError(f'pooling_type is "MAX" or "AVG", not "{pooling_type}"')
    ksize = list(window_shape)
    return functions[pooling_type](
        input, ksize, [1] * len(ksize) if strides is None else strides, padding, data_format, name
    )


__all__ = with_names(globals())
