# SPDX-License-Identifier: Apache-2.0
"""Convolution.

padding: "SAME" (zeros around the image so that ceil(size / stride) remain) or "VALID".
strides, dilations: one int for all spatial dimensions, or a list with batch and channels.
Arguments have older names too: value and input, filter and filters, rate and dilations."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import raw_ops
from ..building import given, with_names
from .windows import count_holes, one_size, padding_attributes, window_sizes


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
        input=input, filter=given(filter, filters), strides=window_sizes(strides, data_format),
        use_cudnn_on_gpu=use_cudnn_on_gpu, data_format=data_format,
        dilations=window_sizes(dilations, data_format), name=name, **padding_attributes(padding),
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
        strides=window_sizes(strides, data_format), padding=padding, data_format=data_format,
        dilations=window_sizes(dilations, data_format), name=name or "conv2d_transpose",
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
    with name_scope(name, "conv1d") as scope:
        result = conv2d(
            arrays.expand_dims(given(value, input), spatial), arrays.expand_dims(filters, 0),
            [1, one_size(stride)], padding, data_format="NCHW" if wide else "NHWC",
            dilations=[1, one_size(dilations)], name=scope,
        )  # fmt: skip
        return arrays.squeeze(result, [spatial])


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
        [*sizes[:spatial], 1, *sizes[spatial:]], [1, one_size(strides)], padding,
        "NCHW" if wide else "NHWC", dilations=[1, one_size(dilations)],
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
        strides=window_sizes(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=window_sizes(dilations, data_format, 3), name=name,
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
        strides=window_sizes(strides, data_format, 3), padding=padding, data_format=data_format,
        dilations=window_sizes(dilations, data_format, 3), name=name,
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
    rates = given(dilation_rate, dilations)
    with name_scope(name, "convolution") as scope:
        input = convert_to_tensor(input, name="input")
        filter = convert_to_tensor(given(filter, filters), name="filter")
        dims = filter.shape.ndims - 2
        count_holes(input.shape, rates, padding, data_format)
        if dims == 1:
            return conv1d(
                input, filter, strides, padding, data_format=data_format, dilations=rates,
                name=scope,
            )  # fmt: skip
        function = conv2d if dims == 2 else conv3d
        data_format = data_format or ("NHWC" if dims == 2 else "NDHWC")
        return function(
            input, filter, strides, padding, data_format=data_format,
            dilations=1 if rates is None else rates, name=scope,
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
    value = convert_to_tensor(value)
    count_holes(value.shape, rate, padding)
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


__all__ = with_names(globals())
