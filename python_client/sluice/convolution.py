"""Convolution, pooling, and what moves blocks of pixels.

padding: "SAME" (zeros around the image so that ceil(size / stride) remain) or "VALID".
strides, ksize, dilations: one int for all spatial dimensions, or a list with batch and channels.
Arguments have older names too: value and input, filter and filters, rate and dilations.
"""

from . import arrays, dtypes, raw_ops
from .building import given, thin, with_names
from .convert import convert_to_tensor


def _window(value, data_format="NHWC", dims=2):
    """A list for every dimension of one int, one int for each spatial one, or such a list."""
    value = 1 if value is None else value
    value = [value] * dims if isinstance(value, int) else list(value)
    if len(value) == 1:
        value *= dims
    if len(value) == dims:
        value = [1, 1, *value] if data_format.startswith("NC") else [1, *value, 1]
    return value


def _padded(padding):
    """The attributes of a padding: "SAME", "VALID", or [[before, after], ...] of each dimension."""
    if isinstance(padding, str):
        return {"padding": padding}
    return {"padding": "EXPLICIT", "explicit_paddings": [n for pair in padding for n in pair]}


def conv2d(input, filter=None, strides=None, padding="VALID", use_cudnn_on_gpu=True,
           data_format="NHWC", dilations=1, name=None, filters=None):  # fmt: skip
    """Convolution with a filter [height, width, in channels, out channels]."""
    data_format = data_format or "NHWC"
    return raw_ops.Conv2D(
        input=input, filter=given(filter, filters), strides=_window(strides, data_format),
        use_cudnn_on_gpu=use_cudnn_on_gpu, data_format=data_format,
        dilations=_window(dilations, data_format), name=name, **_padded(padding),
    )  # fmt: skip


def conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME",
                     data_format="NHWC", name=None, input=None, filters=None,
                     dilations=None):  # fmt: skip
    """The gradient of conv2d by its input, as a layer: filter [height, width, out channels, in
    channels]."""
    data_format = data_format or "NHWC"
    return raw_ops.Conv2DBackpropInput(
        input_sizes=output_shape, filter=given(filter, filters), out_backprop=given(value, input),
        strides=_window(strides, data_format), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format), name=name or "conv2d_transpose",
    )  # fmt: skip


def conv1d(value=None, filters=None, stride=None, padding="VALID", use_cudnn_on_gpu=None,
           data_format=None, name=None, input=None, dilations=None):  # fmt: skip
    """Convolution of [batch, width, channels] with a filter [width, in channels, out channels]."""
    del use_cudnn_on_gpu
    wide = data_format in ("NCW", "NCHW")
    spatial = 2 if wide else 1
    result = conv2d(
        arrays.expand_dims(given(value, input), spatial), arrays.expand_dims(filters, 0),
        [1, _one(stride)], padding, data_format="NCHW" if wide else "NHWC",
        dilations=[1, _one(dilations)],
    )  # fmt: skip
    return arrays.squeeze(result, [spatial], name)


def conv1d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NWC",
                     dilations=None, name=None):  # fmt: skip
    """The gradient of conv1d by its input, as a layer."""
    wide = data_format in ("NCW", "NCHW")
    spatial = 2 if wide else 1
    sizes = list(output_shape)
    result = conv2d_transpose(
        arrays.expand_dims(input, spatial), arrays.expand_dims(filters, 0),
        [*sizes[:spatial], 1, *sizes[spatial:]], [1, _one(strides)], padding,
        "NCHW" if wide else "NHWC", dilations=[1, _one(dilations)],
    )  # fmt: skip
    return arrays.squeeze(result, [spatial], name)


def conv3d(input, filter=None, strides=None, padding="VALID", data_format="NDHWC", dilations=1,
           name=None, filters=None):  # fmt: skip
    """Convolution of [batch, depth, height, width, channels] with a filter [depth, height, width,
    in channels, out channels]."""
    return raw_ops.Conv3D(
        input=input, filter=given(filter, filters),
        strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format, 3), name=name,
    )  # fmt: skip


def conv3d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME",
                     data_format="NDHWC", name=None, input=None, filters=None,
                     dilations=None):  # fmt: skip
    """The gradient of conv3d by its input, as a layer."""
    return raw_ops.Conv3DBackpropInputV2(
        input_sizes=output_shape, filter=given(filter, filters), out_backprop=given(value, input),
        strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format, 3), name=name,
    )  # fmt: skip


def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None,
                   dilations=None, name=None):  # fmt: skip
    """The transpose of a convolution of one, two or three spatial dimensions."""
    dims = len(list(output_shape)) - 2
    if dims not in (1, 2, 3):
        raise ValueError(f"output_shape must have 3 to 5 sizes, not {dims + 2}")
    function = [conv1d_transpose, conv2d_transpose, conv3d_transpose][dims - 1]
    data_format = data_format or ["NWC", "NHWC", "NDHWC"][dims - 1]
    return function(
        input, filters, output_shape, strides, padding, data_format, dilations=dilations, name=name
    )


def convolution(input, filter=None, padding="VALID", strides=None, dilation_rate=None, name=None,
                data_format=None, filters=None, dilations=None):  # fmt: skip
    """conv1d, conv2d or conv3d, as the filter's rank says; strides and dilation_rate: of each
    spatial dimension."""
    filter = convert_to_tensor(given(filter, filters))
    rates = given(dilation_rate, dilations)
    dims = filter.shape.ndims - 2
    if dims == 1:
        return conv1d(
            input, filter, strides, padding, data_format=data_format, dilations=rates, name=name
        )
    function = conv2d if dims == 2 else conv3d
    data_format = data_format or ("NHWC" if dims == 2 else "NDHWC")
    return function(
        input, filter, strides, padding, data_format=data_format,
        dilations=1 if rates is None else rates, name=name,
    )  # fmt: skip


def atrous_conv2d(value, filters, rate, padding, name=None):
    """conv2d whose filter has rate - 1 zeros between its elements."""
    return conv2d(value, filters, 1, padding, dilations=rate, name=name)


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """The transpose of atrous_conv2d."""
    return conv2d_transpose(value, filters, output_shape, 1, padding, name=name, dilations=rate)


def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None,
                     dilations=None):  # fmt: skip
    """Each channel by its own filters: [height, width, channels, multiplier]; channels *
    multiplier come out."""
    return depthwise_conv2d_native(
        input, filter, strides, padding, data_format, given(rate, dilations), name
    )


def depthwise_conv2d_native(input, filter, strides, padding, data_format="NHWC", dilations=None,
                            name=None):  # fmt: skip
    """depthwise_conv2d as one operation: so it is here anyhow."""
    data_format = data_format or "NHWC"
    return raw_ops.DepthwiseConv2dNative(
        input=input, filter=filter, strides=_window(strides, data_format), padding=padding,
        data_format=data_format, dilations=_window(dilations, data_format), name=name,
    )  # fmt: skip


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None,
                     name=None, data_format=None, dilations=None):  # fmt: skip
    """depthwise_conv2d, then conv2d with a filter [1, 1, channels * multiplier, out channels]."""
    rate = given(rate, dilations)
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, rate, None, data_format)
    return conv2d(deep, pointwise_filter, 1, "VALID", data_format=data_format, name=name)


_CONV2D = "strides padding use_cudnn_on_gpu=True data_format='NHWC' dilations=[1,1,1,1]"
_DEEP = "strides padding data_format='NHWC' dilations=[1,1,1,1]"
conv2d_backprop_filter = thin(
    "Conv2DBackpropFilter", f"input filter_sizes out_backprop {_CONV2D}",
    "The gradient of conv2d by its filter.",
)  # fmt: skip
conv2d_backprop_input = thin(
    "Conv2DBackpropInput", "input_sizes filter|filters out_backprop=None strides=None padding=None"
    " use_cudnn_on_gpu=True data_format='NHWC' dilations=[1,1,1,1]",
    "The gradient of conv2d by its input.",
)  # fmt: skip
conv3d_backprop_filter = conv3d_backprop_filter_v2 = thin(
    "Conv3DBackpropFilterV2", "input filter_sizes out_backprop strides padding"
    " data_format='NDHWC' dilations=[1,1,1,1,1]",
    "The gradient of conv3d by its filter.",
)  # fmt: skip
depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter = thin(
    "DepthwiseConv2dNativeBackpropFilter", f"input filter_sizes out_backprop {_DEEP}",
    "The gradient of depthwise_conv2d by its filter.",
)  # fmt: skip
depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input = thin(
    "DepthwiseConv2dNativeBackpropInput", f"input_sizes filter out_backprop {_DEEP}",
    "The gradient of depthwise_conv2d by its input.",
)  # fmt: skip


def dilation2d(input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None,
               dilations=None):  # fmt: skip
    """The largest sum of image and filter [height, width, channels] in each window."""
    return raw_ops.Dilation2D(
        input=input, filter=given(filter, filters), strides=_window(strides),
        rates=_window(given(rates, dilations)), padding=padding, name=name,
    )  # fmt: skip


def erosion2d(value, kernel, strides, rates, padding, name=None):
    """The smallest difference of image and kernel in each window."""
    flipped = arrays.reverse(kernel, [0, 1])
    grown = dilation2d(-convert_to_tensor(value), flipped, strides, rates, padding)
    return raw_ops.Neg(x=grown, name=name)


def _pool(op, argument, doc):
    def function(value=None, ksize=None, strides=None, padding=None, data_format="NHWC",
                 name=None, input=None):  # fmt: skip
        data_format = data_format or "NHWC"
        return raw_ops.apply_op(
            op, name, ksize=_window(ksize, data_format), strides=_window(strides, data_format),
            padding=padding, data_format=data_format, **{argument: given(value, input)},
        )  # fmt: skip

    function.__doc__ = doc
    return function


max_pool = _pool("MaxPool", "input", "The largest element of each window.")
avg_pool = avg_pool2d = _pool(
    "AvgPool", "value", "The mean of each window; what lies outside does not count."
)


def max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """The largest element of each window."""
    return max_pool(input, ksize, strides, padding, data_format, name)


def _pool3d(op, doc):
    def function(input, ksize, strides, padding, data_format="NDHWC", name=None):
        data_format = data_format or "NDHWC"
        return raw_ops.apply_op(
            op, name, input=input, ksize=_window(ksize, data_format, 3),
            strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        )  # fmt: skip

    function.__doc__ = doc
    return function


max_pool3d = _pool3d("MaxPool3D", "The largest element of each window.")
avg_pool3d = _pool3d("AvgPool3D", "The mean of each window.")


def _pool1d(function, doc):
    def pool(input, ksize, strides, padding, data_format="NWC", name=None):
        wide, spatial = ("NCHW", 2) if data_format == "NCW" else ("NHWC", 1)
        result = function(
            arrays.expand_dims(input, spatial), [1, _one(ksize)], [1, _one(strides)], padding, wide
        )
        return arrays.squeeze(result, [spatial], name)

    pool.__doc__ = doc
    return pool


def _one(value):
    value = 1 if value is None else value
    return value if isinstance(value, int) else max(value)


max_pool1d = _pool1d(max_pool, "The largest element of each window of [batch, width, channels].")
avg_pool1d = _pool1d(avg_pool, "The mean of each window of [batch, width, channels].")


def max_pool_with_argmax(input, ksize, strides, padding, data_format="NHWC", Targmax=None,  # noqa: N803
                         name=None, output_dtype=None, include_batch_in_index=False):  # fmt: skip
    """(max_pool, where each maximum stood in the flattened image). ValueError: not of NHWC."""
    if data_format != "NHWC":
        raise ValueError('max_pool_with_argmax: data_format must be "NHWC"')
    kind = given(Targmax, output_dtype)
    return raw_ops.MaxPoolWithArgmax(
        input=input, ksize=_window(ksize), strides=_window(strides), padding=padding,
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

    pool.__doc__ = doc + " Of one, two or three spatial dimensions."
    return pool


max_pool_v2 = _pool_of_rank([max_pool1d, max_pool, max_pool3d], "The largest of each window.")
avg_pool_v2 = _pool_of_rank([avg_pool1d, avg_pool, avg_pool3d], "The mean of each window.")


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
space_to_depth = thin("SpaceToDepth", "input block_size name data_format='NHWC'",
                      "Blocks of pixels become channels.")  # fmt: skip
depth_to_space = thin("DepthToSpace", "input block_size name data_format='NHWC'",
                      "Channels become blocks of pixels.")  # fmt: skip
space_to_batch = thin("SpaceToBatch", "input paddings block_size|block_shape",
                      "Pixels of padded blocks become images of the batch.")  # fmt: skip
batch_to_space = thin(
    "BatchToSpace", "input crops block_size|block_shape", "The reverse of space_to_batch."
)

__all__ = with_names(globals())
