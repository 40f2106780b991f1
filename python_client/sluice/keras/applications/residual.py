# SPDX-License-Identifier: Apache-2.0
"""Residual networks: ResNet (He et al., 2015) and those whose activations come first (2016)."""

from ..layers.adopted import Conv2D, MaxPooling2D
from ..layers.merging import Add
from ..layers.windows import ZeroPadding2D
from .network import activated, application, classified, normalized

_EPSILON = 1.001e-5


def _normalized(x, name):
    return normalized(x, name, epsilon=_EPSILON)


def _first(x, normalizes):
    """A convolution of 7 x 7 and pooling: images a quarter as large."""
    x = ZeroPadding2D(3, name="conv1_pad")(x)
    x = Conv2D(64, 7, strides=2, name="conv1_conv")(x)
    if normalizes:
        x = activated(_normalized(x, "conv1_bn"), "conv1_relu")
    x = ZeroPadding2D(1, name="pool1_pad")(x)
    return MaxPooling2D(3, strides=2, name="pool1_pool")(x)


def _block(x, filters, name, strides, widens):
    """Convolutions of 1, 3 and 1, and a sum with the input."""
    shortcut = x
    if widens:
        shortcut = Conv2D(4 * filters, 1, strides=strides, name=f"{name}_0_conv")(x)
        shortcut = _normalized(shortcut, f"{name}_0_bn")
    x = Conv2D(filters, 1, strides=strides, name=f"{name}_1_conv")(x)
    x = activated(_normalized(x, f"{name}_1_bn"), f"{name}_1_relu")
    x = Conv2D(filters, 3, padding="same", name=f"{name}_2_conv")(x)
    x = activated(_normalized(x, f"{name}_2_bn"), f"{name}_2_relu")
    x = _normalized(Conv2D(4 * filters, 1, name=f"{name}_3_conv")(x), f"{name}_3_bn")
    return activated(Add(name=f"{name}_add")([shortcut, x]), f"{name}_out")


def _body(depths):
    def body(x):
        x = _first(x, True)
        for stage, depth in enumerate(depths):
            for number in range(depth):
                strides = 2 if stage > 0 and number == 0 else 1
                name = f"conv{stage + 2}_block{number + 1}"
                x = _block(x, 64 << stage, name, strides, number == 0)
        return x

    return body


def _block_v2(x, filters, name, strides, widens):
    """The same with activations first; the last block of a stage makes images smaller."""
    before = activated(_normalized(x, f"{name}_preact_bn"), f"{name}_preact_relu")
    if widens:
        shortcut = Conv2D(4 * filters, 1, strides=strides, name=f"{name}_0_conv")(before)
    else:
        shortcut = MaxPooling2D(1, strides=strides)(x) if strides > 1 else x
    x = Conv2D(filters, 1, use_bias=False, name=f"{name}_1_conv")(before)
    x = activated(_normalized(x, f"{name}_1_bn"), f"{name}_1_relu")
    x = ZeroPadding2D(1, name=f"{name}_2_pad")(x)
    x = Conv2D(filters, 3, strides=strides, use_bias=False, name=f"{name}_2_conv")(x)
    x = activated(_normalized(x, f"{name}_2_bn"), f"{name}_2_relu")
    x = Conv2D(4 * filters, 1, name=f"{name}_3_conv")(x)
    return Add(name=f"{name}_out")([shortcut, x])


def _body_v2(depths):
    def body(x):
        x = _first(x, False)
        for stage, depth in enumerate(depths):
            for number in range(depth):
                last = number == depth - 1 and stage < len(depths) - 1
                name = f"conv{stage + 2}_block{number + 1}"
                x = _block_v2(x, 64 << stage, name, 2 if last else 1, number == 0)
        return activated(_normalized(x, "post_bn"), "post_relu")

    return body


_top = classified("avg_pool", "probs")
_POOLS = "avg_pool", "max_pool"
_DEPTHS = {"50": (3, 4, 6, 3), "101": (3, 4, 23, 3), "152": (3, 8, 36, 3)}
ResNet50, ResNet101, ResNet152 = (
    application(__name__, f"ResNet{n}", f"resnet{n}", _body(depths), _top, 224, 32, _POOLS)
    for n, depths in _DEPTHS.items()
)
ResNet50V2, ResNet101V2, ResNet152V2 = (
    application(__name__, f"ResNet{n}V2", f"resnet{n}v2", _body_v2(depths), _top, 224, 32, _POOLS)
    for n, depths in _DEPTHS.items()
)
