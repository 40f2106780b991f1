"""Convolution, pooling, and what moves blocks of pixels.

padding: "SAME" (zeros around the image so that ceil(size / stride) remain) or "VALID".
strides, ksize, dilations: one int for all spatial dimensions, or a list with batch and channels.
Arguments have older names too: value and input, filter and filters, rate and dilations.

Long because: the docstring of each function stands beside it.
"""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .. import raw_ops
from ..building import given, thin, with_names


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
    """Convolves images with a filter.

    Args:
        input: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filter: The filter, a tensor of the dtype of the input: [height, width, in channels, out
            channels].
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none; or a list of pairs [before, after], one for each dimension.
        use_cudnn_on_gpu: Whether cuDNN is used on a GPU. A bool.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.
        filters: Another name of filter.

    Returns:
        A tensor [batch, height, width, out channels].

    Raises:
        ValueError or errors.InvalidArgumentError: The shapes do not fit.

    Example:
        >>> x = sl.ones([1, 4, 4, 1])
        >>> y = sl.nn.conv2d(x, sl.ones([2, 2, 1, 3]), strides=1, padding="VALID")
        >>> y.shape.as_list()
        [1, 3, 3, 3]
    """
    data_format = data_format or "NHWC"
    return raw_ops.Conv2D(
        input=input, filter=given(filter, filters), strides=_window(strides, data_format),
        use_cudnn_on_gpu=use_cudnn_on_gpu, data_format=data_format,
        dilations=_window(dilations, data_format), name=name, **_padded(padding),
    )  # fmt: skip


def conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME",
                     data_format="NHWC", name=None, input=None, filters=None,
                     dilations=None):  # fmt: skip
    """Computes the gradient of conv2d() by its input, as a layer.

    Args:
        value: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filter: The filter, a tensor [height, width, out channels, in channels].
        output_shape: Shape of the result, a list of ints or a vector.
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        name: Name of the operation, a str. None: a default name.
        input: Another name of value.
        filters: Another name of filter.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.

    Returns:
        A tensor of shape output_shape.
    """
    data_format = data_format or "NHWC"
    return raw_ops.Conv2DBackpropInput(
        input_sizes=output_shape, filter=given(filter, filters), out_backprop=given(value, input),
        strides=_window(strides, data_format), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format), name=name or "conv2d_transpose",
    )  # fmt: skip


def conv1d(value=None, filters=None, stride=None, padding="VALID", use_cudnn_on_gpu=None,
           data_format=None, name=None, input=None, dilations=None):  # fmt: skip
    """Convolves sequences with a filter.

    Args:
        value: A tensor [batch, width, channels] of any floating-point dtype.
        filters: The filter, a tensor [width, in channels, out channels].
        stride: The step of the window, an int.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        use_cudnn_on_gpu: Whether cuDNN is used on a GPU. A bool.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        name: Name of the operation, a str. None: a default name.
        input: Another name of value.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.

    Returns:
        A tensor [batch, width, out channels].
    """
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
    """Computes the gradient of conv1d() by its input, as a layer.

    Args:
        input: A tensor [batch, width, channels] of any floating-point dtype.
        filters: The filter, a tensor [width, out channels, in channels].
        output_shape: Shape of the result, a list of ints or a vector.
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of shape output_shape.
    """
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
    """Convolves volumes with a filter.

    Args:
        input: A tensor [batch, depth, height, width, channels] of any floating-point dtype.
        filter: The filter, a tensor [depth, height, width, in channels, out channels].
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.
        filters: Another name of filter.

    Returns:
        A tensor [batch, depth, height, width, out channels].
    """
    return raw_ops.Conv3D(
        input=input, filter=given(filter, filters),
        strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format, 3), name=name,
    )  # fmt: skip


def conv3d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME",
                     data_format="NDHWC", name=None, input=None, filters=None,
                     dilations=None):  # fmt: skip
    """Computes the gradient of conv3d() by its input, as a layer.

    Args:
        value: A tensor [batch, depth, height, width, channels] of any floating-point dtype.
        filter: The filter, a tensor [depth, height, width, out channels, in channels].
        output_shape: Shape of the result, a list of ints or a vector.
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        name: Name of the operation, a str. None: a default name.
        input: Another name of value.
        filters: Another name of filter.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.

    Returns:
        A tensor of shape output_shape.
    """
    return raw_ops.Conv3DBackpropInputV2(
        input_sizes=output_shape, filter=given(filter, filters), out_backprop=given(value, input),
        strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=_window(dilations, data_format, 3), name=name,
    )  # fmt: skip


def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None,
                   dilations=None, name=None):  # fmt: skip
    """Computes the transpose of a convolution of one, two or three spatial dimensions.

    Args:
        input: A tensor [batch, spatial..., channels] of any floating-point dtype.
        filters: The filter, a tensor [spatial..., out channels, in channels].
        output_shape: Shape of the result, a list of ints or a vector.
        strides: The steps of the window, an int or a list of ints.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        dilations: The distance of the filter's elements, an int or a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of shape output_shape.

    Raises:
        ValueError: output_shape has not 3 to 5 sizes.
    """
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
    """Convolves tensors of one, two or three spatial dimensions, as the filter's rank says.

    Args:
        input: A tensor [batch, spatial..., channels] of any floating-point dtype.
        filter: The filter, a tensor [spatial..., in channels, out channels].
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        strides: The steps of the window, an int or a list of ints.
        dilation_rate: The distance of the filter's elements, an int or a list of ints. None: 1.
        name: Name of the operation, a str. None: a default name.
        data_format: Order of the dimensions, a str such as "NHWC" or "NCHW". None: channels are
            last.
        filters: Another name of filter.
        dilations: Another name of dilation_rate.

    Returns:
        A tensor [batch, spatial..., out channels].
    """
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
    """Convolves images with a filter that has gaps.

    Args:
        value: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filters: The filter, a tensor [height, width, in channels, out channels].
        rate: The distance of the filter's elements, an int.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, height, width, out channels].
    """
    return conv2d(value, filters, 1, padding, dilations=rate, name=name)


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """Computes the transpose of atrous_conv2d().

    Args:
        value: A tensor of images [batch, height, width, channels], of any floating-point dtype.
        filters: The filter, a tensor [height, width, out channels, in channels].
        output_shape: Shape of the result, a list of ints or a vector.
        rate: The distance of the filter's elements, an int.
        padding: "SAME": zeros around the image, so that ceil(size / stride) elements remain;
            "VALID": none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of shape output_shape.
    """
    return conv2d_transpose(value, filters, output_shape, 1, padding, name=name, dilations=rate)


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
    return depthwise_conv2d_native(
        input, filter, strides, padding, data_format, given(rate, dilations), name
    )


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
        input=input, filter=filter, strides=_window(strides, data_format), padding=padding,
        data_format=data_format, dilations=_window(dilations, data_format), name=name,
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


_CONV2D = "strides padding use_cudnn_on_gpu=True data_format='NHWC' dilations=[1,1,1,1]"
_DEEP = "strides padding data_format='NHWC' dilations=[1,1,1,1]"
conv2d_backprop_filter = thin(
    "Conv2DBackpropFilter",
    f"input filter_sizes out_backprop {_CONV2D}",
    "Computes the gradient of conv2d() by its filter.",
)
conv2d_backprop_input = thin(
    "Conv2DBackpropInput",
    "input_sizes filter|filters out_backprop=None strides=None padding=None"
    " use_cudnn_on_gpu=True data_format='NHWC' dilations=[1,1,1,1]",
    "Computes the gradient of conv2d() by its input.",
)
conv3d_backprop_filter = conv3d_backprop_filter_v2 = thin(
    "Conv3DBackpropFilterV2",
    "input filter_sizes out_backprop strides padding" " data_format='NDHWC' dilations=[1,1,1,1,1]",
    "Computes the gradient of conv3d() by its filter.",
)
depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter = thin(
    "DepthwiseConv2dNativeBackpropFilter",
    f"input filter_sizes out_backprop {_DEEP}",
    "Computes the gradient of depthwise_conv2d() by its filter.",
)
depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input = thin(
    "DepthwiseConv2dNativeBackpropInput",
    f"input_sizes filter out_backprop {_DEEP}",
    "Computes the gradient of depthwise_conv2d() by its input.",
)


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
        input=input, filter=given(filter, filters), strides=_window(strides),
        rates=_window(given(rates, dilations)), padding=padding, name=name,
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


def _pool(op, argument, doc):
    def function(value=None, ksize=None, strides=None, padding=None, data_format="NHWC",
                 name=None, input=None):  # fmt: skip
        data_format = data_format or "NHWC"
        return raw_ops.apply_op(
            op, name, ksize=_window(ksize, data_format), strides=_window(strides, data_format),
            padding=padding, data_format=data_format, **{argument: given(value, input)},
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
    return max_pool(input, ksize, strides, padding, data_format, name)


def _pool3d(op, doc):
    def function(input, ksize, strides, padding, data_format="NDHWC", name=None):
        data_format = data_format or "NDHWC"
        return raw_ops.apply_op(
            op, name, input=input, ksize=_window(ksize, data_format, 3),
            strides=_window(strides, data_format, 3), padding=padding, data_format=data_format,
        )  # fmt: skip

    function.__doc__ = doc + _POOL.format("input") + _POOLED
    return function


max_pool3d = _pool3d("MaxPool3D", "Returns the largest element of each window of volumes.")
avg_pool3d = _pool3d("AvgPool3D", "Computes the mean of each window of volumes.")


def _pool1d(function, doc):
    def pool(input, ksize, strides, padding, data_format="NWC", name=None):
        wide, spatial = ("NCHW", 2) if data_format == "NCW" else ("NHWC", 1)
        result = function(
            arrays.expand_dims(input, spatial), [1, _one(ksize)], [1, _one(strides)], padding, wide
        )
        return arrays.squeeze(result, [spatial], name)

    pool.__doc__ = doc + _POOL.format("input") + _POOLED
    return pool


def _one(value):
    value = 1 if value is None else value
    return value if isinstance(value, int) else max(value)


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
space_to_depth = thin(
    "SpaceToDepth",
    "input block_size name data_format='NHWC'",
    "Moves blocks of pixels into channels.",
)
depth_to_space = thin(
    "DepthToSpace",
    "input block_size name data_format='NHWC'",
    "Moves channels into blocks of pixels. It is the reverse of space_to_depth().",
)
space_to_batch = thin(
    "SpaceToBatch",
    "input paddings block_size|block_shape",
    "Moves pixels of padded blocks into the batch.",
)
batch_to_space = thin(
    "BatchToSpace",
    "input crops block_size|block_shape",
    "Moves images of the batch into blocks of pixels. It is the reverse of space_to_batch().",
)

__all__ = with_names(globals())
