"""Convolution, pooling, and what moves blocks of pixels.

padding: "SAME" (zeros around the image so that ceil(size / stride) remain) or "VALID".
strides, ksize, dilations: one int for all spatial dimensions, or a list with batch and channels.
"""

from . import arrays, raw_ops
from .building import thin, with_names
from .convert import convert_to_tensor


def _window(value, data_format="NHWC", dims=2):
    """A list for every dimension of one int, one int for each spatial one, or such a list."""
    value = [value] * dims if isinstance(value, int) else list(value)
    if len(value) == 1:
        value *= dims
    if len(value) == dims:
        value = [1, 1, *value] if data_format.startswith("NC") else [1, *value, 1]
    return value


def conv2d(input, filter=None, strides=1, padding="VALID", data_format="NHWC", dilations=1,
           name=None, filters=None):  # fmt: skip
    """Convolution with a filter [height, width, in channels, out channels]."""
    data_format = data_format or "NHWC"
    return raw_ops.Conv2D(
        input=input, filter=filters if filter is None else filter,
        strides=_window(strides, data_format), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format), name=name,
    )  # fmt: skip


def conv2d_transpose(value, filter, output_shape, strides, padding="SAME", data_format="NHWC",
                     name=None):  # fmt: skip
    """The gradient of conv2d by its input, as a layer: filter [height, width, out channels, in
    channels]."""
    return raw_ops.Conv2DBackpropInput(
        input_sizes=output_shape, filter=filter, out_backprop=value,
        strides=_window(strides, data_format), padding=padding, data_format=data_format, name=name,
    )  # fmt: skip


def conv1d(value, filters, stride=1, padding="VALID", data_format="NWC", name=None):
    """Convolution of [batch, width, channels] with a filter [width, in channels, out channels]."""
    spatial = 2 if data_format == "NCW" else 1
    result = conv2d(
        arrays.expand_dims(value, spatial), arrays.expand_dims(filters, 0), [1, stride], padding,
        "NCHW" if data_format == "NCW" else "NHWC",
    )  # fmt: skip
    return arrays.squeeze(result, [spatial], name)


def conv3d(input, filter=None, strides=1, padding="VALID", data_format="NDHWC", dilations=1,
           name=None, filters=None):  # fmt: skip
    """Convolution of [batch, depth, height, width, channels] with a filter [depth, height, width,
    in channels, out channels]."""
    return raw_ops.Conv3D(
        input=input, filter=filters if filter is None else filter,
        strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format, 3), name=name,
    )  # fmt: skip


def conv3d_transpose(value, filter, output_shape, strides, padding="SAME", data_format="NDHWC",
                     name=None):  # fmt: skip
    """The gradient of conv3d by its input, as a layer."""
    return raw_ops.Conv3DBackpropInputV2(
        input_sizes=output_shape, filter=filter, out_backprop=value,
        strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        name=name,
    )  # fmt: skip


def atrous_conv2d(value, filters, rate, padding, name=None):
    """conv2d whose filter has rate - 1 zeros between its elements."""
    return conv2d(value, filters, 1, padding, dilations=rate, name=name)


def depthwise_conv2d(input, filter, strides, padding, rate=1, name=None, data_format="NHWC"):
    """Each channel by its own filters: [height, width, channels, multiplier]; channels *
    multiplier come out."""
    data_format = data_format or "NHWC"
    return raw_ops.DepthwiseConv2dNative(
        input=input, filter=filter, strides=_window(strides, data_format), padding=padding,
        data_format=data_format, dilations=_window(rate, data_format), name=name,
    )  # fmt: skip


depthwise_conv2d_native = depthwise_conv2d


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=1, name=None,
                     data_format="NHWC"):  # fmt: skip
    """depthwise_conv2d, then conv2d with a filter [1, 1, channels * multiplier, out channels]."""
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, rate, None, data_format)
    return conv2d(deep, pointwise_filter, 1, "VALID", data_format, name=name)


def dilation2d(input, filter, strides, rates, padding, name=None):
    """The largest sum of image and filter [height, width, channels] in each window."""
    return raw_ops.Dilation2D(
        input=input, filter=filter, strides=_window(strides), rates=_window(rates),
        padding=padding, name=name,
    )  # fmt: skip


def erosion2d(value, kernel, strides, rates, padding, name=None):
    """The smallest difference of image and kernel in each window."""
    flipped = arrays.reverse(kernel, [0, 1])
    grown = dilation2d(-convert_to_tensor(value), flipped, strides, rates, padding)
    return raw_ops.Neg(x=grown, name=name)


def _pool(op, argument, dims, doc):
    formats = {1: "NWC", 2: "NHWC", 3: "NDHWC"}

    def function(value, ksize, strides, padding, data_format=formats[dims], name=None):
        data_format = data_format or formats[dims]
        return raw_ops.apply_op(
            op, name, ksize=_window(ksize, data_format, dims),
            strides=_window(strides, data_format, dims), padding=padding, data_format=data_format,
            **{argument: value},
        )  # fmt: skip

    function.__doc__ = doc
    return function


max_pool = max_pool2d = _pool("MaxPool", "input", 2, "The largest element of each window.")
avg_pool = avg_pool2d = _pool(
    "AvgPool", "value", 2, "The mean of each window; what lies outside does not count."
)
max_pool3d = _pool("MaxPool3D", "input", 3, "The largest element of each window.")
avg_pool3d = _pool("AvgPool3D", "input", 3, "The mean of each window.")


def _pool1d(function, doc):
    def pool(input, ksize, strides, padding, name=None):
        wide = function(arrays.expand_dims(input, 1), [1, _one(ksize)], [1, _one(strides)], padding)
        return arrays.squeeze(wide, [1], name)

    pool.__doc__ = doc
    return pool


def _one(value):
    return value if isinstance(value, int) else max(value)


max_pool1d = _pool1d(max_pool, "The largest element of each window of [batch, width, channels].")
avg_pool1d = _pool1d(avg_pool, "The mean of each window of [batch, width, channels].")


def max_pool_with_argmax(input, ksize, strides, padding, Targmax=9, include_batch_in_index=False,  # noqa: N803
                         name=None):  # fmt: skip
    """[max_pool, where each maximum stood in the flattened image]."""
    return raw_ops.MaxPoolWithArgmax(
        input=input, ksize=_window(ksize), strides=_window(strides), padding=padding,
        Targmax=Targmax, include_batch_in_index=include_batch_in_index, name=name,
    )  # fmt: skip


fractional_max_pool = thin(
    "FractionalMaxPool",
    "value pooling_ratio pseudo_random=False overlapping=False deterministic=False seed=0 seed2=0",
    "[output, row bounds, column bounds]: windows of random sizes, in the mean pooling_ratio.",
)  # fmt: skip
fractional_avg_pool = thin(
    "FractionalAvgPool",
    "value pooling_ratio pseudo_random=False overlapping=False deterministic=False seed=0 seed2=0",
    "[output, row bounds, column bounds]: the means of such windows.",
)  # fmt: skip
space_to_depth = thin("SpaceToDepth", "input block_size data_format='NHWC'",
                      "Blocks of pixels become channels.")  # fmt: skip
depth_to_space = thin("DepthToSpace", "input block_size data_format='NHWC'",
                      "Channels become blocks of pixels.")  # fmt: skip
space_to_batch = thin("SpaceToBatch", "input paddings block_size",
                      "Pixels of padded blocks become images of the batch.")  # fmt: skip
batch_to_space = thin("BatchToSpace", "input crops block_size", "The reverse of space_to_batch.")

__all__ = with_names(globals())
