# SPDX-License-Identifier: Apache-2.0
"""A convolution of each channel by itself."""

from ...ops.nn.depthwise import depthwise_conv2d
from ...ops.nn.layers import bias_add
from ...ops.nn.windows import window_sizes
from .variables import collect_output, collections_of, model_variable


def depthwise_convolution(inputs, windows, weights, biases, normalized, activation_fn, opened,
                          collections):  # fmt: skip
    """Convolves each channel of images by itself: separable_convolution2d() without num_outputs.

    Args:
        inputs: Images, a tensor.
        windows: Size of the kernel, filters of a channel, steps, padding, data_format and distance
            of the kernel's elements.
        weights: Arguments of the variable of the kernel, a dict.
        biases: The same of the biases. Its initializer may be None: no biases.
        normalized: The function that normalises the output and its arguments. The function may be
            None.
        activation_fn: A function of the output. None: none.
        opened: The variable scope.
        collections: Collections of the variables and of the output.

    Returns:
        A tensor.
    """
    kernel_size, multiplier, stride, padding, data_format, rate = windows
    channels = inputs.shape.as_list()[3 if data_format == "NHWC" else 1]
    if channels is None:
        raise ValueError(f"the channels of {inputs.name} must be known: {inputs.shape}")
    of_variables, of_outputs = collections
    sizes = window_sizes(kernel_size, "NHWC")[1:3]
    kernel = model_variable(
        "depthwise_weights", [*sizes, channels, multiplier], inputs.dtype.base_dtype,
        collections=collections_of(of_variables, "weights"), **weights,
    )  # fmt: skip
    outputs = depthwise_conv2d(
        inputs, kernel, window_sizes(stride, data_format), padding,
        window_sizes(rate, "NHWC")[1:3], data_format=data_format,
    )  # fmt: skip
    normalizer_fn, params = normalized
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(params or {}))
    elif biases["initializer"] is not None:
        bias = model_variable(
            "biases", [channels * multiplier], inputs.dtype.base_dtype,
            collections=collections_of(of_variables, "biases"), **biases,
        )  # fmt: skip
        outputs = bias_add(outputs, bias, data_format)
    outputs = outputs if activation_fn is None else activation_fn(outputs)
    return collect_output(outputs, of_outputs, opened.name)
