# SPDX-License-Identifier: Apache-2.0
"""MobileNet (Howard et al., 2017; Sandler et al., 2018): networks of depthwise convolutions."""

from ..base import settings
from ..layers import windows
from ..layers.adopted import Conv2D, Dense, Dropout
from ..layers.core import Activation, Reshape
from ..layers.elements import ReLU
from ..layers.merging import Add
from .network import (
    axis,
    check_weights,
    finished,
    image_shape,
    input_of,
    normalized,
    padding_of,
    pooled,
)


def _limited(x, name):
    """min(max(x, 0), 6)."""
    return ReLU(6.0, name=name)(x)


def _sides(shape):
    return shape[1:] if settings.image_data_format() == "channels_first" else shape[:-1]


def MobileNet(input_shape=None, alpha=1.0, depth_multiplier=1, dropout=1e-3,  # noqa: N802
              include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000,
              **kwargs):  # fmt: skip
    """Makes the network MobileNet.

    Args:
        input_shape: Shape of an image with its channels. None: the usual one, or without the last
            layers any size.
        alpha: How many times as many filters there are, a float.
        depth_multiplier: How many outputs a depthwise convolution has for each channel, an int.
        dropout: The probability that a feature is 0, a float.
        include_top: Whether the last layers, which classify, are there. A bool.
        weights: None: initial values. Else the path of an HDF5 file. Weights of "imagenet" are not
            downloaded.
        input_tensor: The images, a tensor of Input(). None: an input is made.
        pooling: Without the last layers "avg" or "max", which pool each channel. None: neither.
        classes: How many classes there are, an int.
        **kwargs: Accepted. Programs give the modules of Keras here.

    Returns:
        A Model.

    Raises:
        ValueError: weights is "imagenet" or not a file, or the images are too small.
    """
    del kwargs
    check_weights(weights, include_top, classes)
    shape = image_shape(input_shape, 224, 32, include_top)
    images = input_of(input_tensor, shape)
    x = windows.ZeroPadding2D(((0, 1), (0, 1)), name="conv1_pad")(images)
    x = Conv2D(int(32 * alpha), 3, strides=2, use_bias=False, name="conv1")(x)
    x = _limited(normalized(x, "conv1_bn"), "conv1_relu")
    widths = (64, 128, 128, 256, 256, *[512] * 6, 1024, 1024)
    for number, width in enumerate(widths, 1):
        smaller = number in (2, 4, 6, 12)
        x = _depthwise(x, int(width * alpha), depth_multiplier, smaller, number)
    if include_top:
        channels = int(1024 * alpha)
        x = windows.GlobalAveragePooling2D()(x)
        x = Reshape((channels, 1, 1) if axis() == 1 else (1, 1, channels), name="reshape_1")(x)
        x = Dropout(dropout, name="dropout")(x)
        x = Conv2D(classes, 1, padding="same", name="conv_preds")(x)
        x = Activation("softmax", name="act_softmax")(Reshape((classes,), name="reshape_2")(x))
    else:
        x = pooled(x, pooling)
    title = f"mobilenet_{alpha:.2f}_{_sides(shape)[0]}"
    return finished(input_tensor, images, x, title, weights)


def _depthwise(x, filters, multiplier, smaller, number):
    if smaller:
        x = windows.ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{number}")(x)
    x = windows.DepthwiseConv2D(
        3, 2 if smaller else 1, "valid" if smaller else "same", multiplier, use_bias=False,
        name=f"conv_dw_{number}",
    )(x)  # fmt: skip
    x = _limited(normalized(x, f"conv_dw_{number}_bn"), f"conv_dw_{number}_relu")
    x = Conv2D(filters, 1, padding="same", use_bias=False, name=f"conv_pw_{number}")(x)
    return _limited(normalized(x, f"conv_pw_{number}_bn"), f"conv_pw_{number}_relu")


# ---- the second version: blocks that widen and narrow, with sums


def MobileNetV2(input_shape=None, alpha=1.0, include_top=True, weights="imagenet",  # noqa: N802
                input_tensor=None, pooling=None, classes=1000, **kwargs):  # fmt: skip
    """Makes the network MobileNetV2.

    Args:
        input_shape: Shape of an image with its channels. None: the usual one, or without the last
            layers any size.
        alpha: How many times as many filters there are, a float.
        include_top: Whether the last layers, which classify, are there. A bool.
        weights: None: initial values. Else the path of an HDF5 file. Weights of "imagenet" are not
            downloaded.
        input_tensor: The images, a tensor of Input(). None: an input is made.
        pooling: Without the last layers "avg" or "max", which pool each channel. None: neither.
        classes: How many classes there are, an int.
        **kwargs: Accepted. Programs give the modules of Keras here.

    Returns:
        A Model.

    Raises:
        ValueError: weights is "imagenet" or not a file, or the images are too small.
    """
    del kwargs
    check_weights(weights, include_top, classes)
    shape = image_shape(input_shape, 224, 32, include_top)
    images = input_of(input_tensor, shape)
    x = windows.ZeroPadding2D(padding_of(images, 3), name="Conv1_pad")(images)
    x = Conv2D(_rounded(32 * alpha), 3, strides=2, use_bias=False, name="Conv1")(x)
    x = _limited(_normalized(x, "bn_Conv1"), "Conv1_relu")
    number = 0
    for width, count, strides, widening in _STAGES:
        for within in range(count):
            filters = _rounded(int(width * alpha))
            x = _inverted(x, filters, strides if within == 0 else 1, widening, number)
            number += 1
    x = Conv2D(_rounded(1280 * alpha) if alpha > 1 else 1280, 1, use_bias=False, name="Conv_1")(x)
    x = _limited(_normalized(x, "Conv_1_bn"), "out_relu")
    if include_top:
        x = windows.GlobalAveragePooling2D()(x)
        x = Dense(classes, activation="softmax", name="Logits")(x)
    else:
        x = pooled(x, pooling)
    title = f"mobilenetv2_{alpha:.2f}_{_sides(shape)[0]}"
    return finished(input_tensor, images, x, title, weights)


# Filters, how many blocks, strides of the first, how many times as wide a block is inside.
_STAGES = (
    (16, 1, 1, 1), (24, 2, 2, 6), (32, 3, 2, 6), (64, 4, 2, 6), (96, 3, 1, 6), (160, 3, 2, 6),
    (320, 1, 1, 6),
)  # fmt: skip


def _normalized(x, name):
    return normalized(x, name, epsilon=1e-3, momentum=0.999)


def _rounded(width):
    """The nearest multiple of 8, at least 8, and not less than nine tenths of the width."""
    found = max(8, int(width + 4) // 8 * 8)
    return found + 8 if found < 0.9 * width else found


def _inverted(x, filters, strides, widening, number):
    channels = x.shape.as_list()[axis()]
    name, given = f"block_{number}" if number else "expanded_conv", x
    if number:
        x = Conv2D(widening * channels, 1, padding="same", use_bias=False, name=f"{name}_expand")(x)
        x = _limited(_normalized(x, f"{name}_expand_BN"), f"{name}_expand_relu")
    if strides == 2:
        x = windows.ZeroPadding2D(padding_of(x, 3), name=f"{name}_pad")(x)
    x = windows.DepthwiseConv2D(
        3, strides, "same" if strides == 1 else "valid", use_bias=False, name=f"{name}_depthwise"
    )(x)
    x = _limited(_normalized(x, f"{name}_depthwise_BN"), f"{name}_depthwise_relu")
    x = Conv2D(filters, 1, padding="same", use_bias=False, name=f"{name}_project")(x)
    x = _normalized(x, f"{name}_project_BN")
    return Add(name=f"{name}_add")([given, x]) if strides == 1 and channels == filters else x
