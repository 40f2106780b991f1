# SPDX-License-Identifier: Apache-2.0
"""Xception (Chollet, 2016): convolutions of each channel by itself, then across channels."""

from ..layers.adopted import Conv2D, MaxPooling2D, SeparableConv2D
from ..layers.merging import add
from .network import activated, application, classified, normalized


def _separable(x, filters, name):
    x = SeparableConv2D(filters, 3, padding="same", use_bias=False, name=name)(x)
    return normalized(x, f"{name}_bn")


def _smaller(x, widths, block, activates_first=True):
    """Separable convolutions and pooling; the sum with a convolution of the input."""
    shortcut = Conv2D(widths[-1], 1, strides=2, padding="same", use_bias=False)(x)
    shortcut = normalized(shortcut)
    for number, width in enumerate(widths, 1):
        name = f"block{block}_sepconv{number}"
        if activates_first or number > 1:
            x = activated(x, f"{name}_act")
        x = _separable(x, width, name)
    x = MaxPooling2D(3, strides=2, padding="same", name=f"block{block}_pool")(x)
    return add([x, shortcut])


def _body(x):
    x = Conv2D(32, 3, strides=2, use_bias=False, name="block1_conv1")(x)
    x = activated(normalized(x, "block1_conv1_bn"), "block1_conv1_act")
    x = Conv2D(64, 3, use_bias=False, name="block1_conv2")(x)
    x = activated(normalized(x, "block1_conv2_bn"), "block1_conv2_act")
    x = _smaller(x, (128, 128), 2, False)
    x = _smaller(x, (256, 256), 3)
    x = _smaller(x, (728, 728), 4)
    for block in range(5, 13):
        shortcut = x
        for number in (1, 2, 3):
            name = f"block{block}_sepconv{number}"
            x = _separable(activated(x, f"{name}_act"), 728, name)
        x = add([x, shortcut])
    x = _smaller(x, (728, 1024), 13)
    for number, width in ((1, 1536), (2, 2048)):
        name = f"block14_sepconv{number}"
        x = activated(_separable(x, width, name), f"{name}_act")
    return x


Xception = application(
    __name__, "Xception", "xception", _body, classified("avg_pool", "predictions"), 299, 71
)
