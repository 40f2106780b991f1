# SPDX-License-Identifier: Apache-2.0
"""DenseNet (Huang et al., 2016): each layer sees the outputs of all before it."""

from ..layers.adopted import AveragePooling2D, Conv2D, MaxPooling2D
from ..layers.merging import Concatenate
from ..layers.windows import ZeroPadding2D
from .network import activated, application, axis, classified, normalized

_GROWTH = 32


def _activated(x, normalization, activation):
    return activated(normalized(x, normalization, epsilon=1.001e-5), activation)


def _block(x, depth, name):
    for number in range(1, depth + 1):
        own = f"{name}_block{number}"
        new = _activated(x, f"{own}_0_bn", f"{own}_0_relu")
        new = Conv2D(4 * _GROWTH, 1, use_bias=False, name=f"{own}_1_conv")(new)
        new = _activated(new, f"{own}_1_bn", f"{own}_1_relu")
        new = Conv2D(_GROWTH, 3, padding="same", use_bias=False, name=f"{own}_2_conv")(new)
        x = Concatenate(axis=axis(), name=f"{own}_concat")([x, new])
    return x


def _transition(x, name):
    """Half as many channels, images half as large."""
    x = _activated(x, f"{name}_bn", f"{name}_relu")
    channels = x.shape.as_list()[axis()] // 2
    x = Conv2D(channels, 1, use_bias=False, name=f"{name}_conv")(x)
    return AveragePooling2D(2, strides=2, name=f"{name}_pool")(x)


def _body(depths):
    def body(x):
        x = ZeroPadding2D(3)(x)
        x = Conv2D(64, 7, strides=2, use_bias=False, name="conv1/conv")(x)
        x = _activated(x, "conv1/bn", "conv1/relu")
        x = MaxPooling2D(3, strides=2, name="pool1")(ZeroPadding2D(1)(x))
        for stage, depth in enumerate(depths, 2):
            x = _block(x, depth, f"conv{stage}")
            x = _transition(x, f"pool{stage}") if stage < 5 else x
        return _activated(x, "bn", "relu")

    return body


_top = classified("avg_pool", "fc1000")
_DEPTHS = {"121": (6, 12, 24, 16), "169": (6, 12, 32, 32), "201": (6, 12, 48, 32)}
DenseNet121, DenseNet169, DenseNet201 = (
    application(__name__, f"DenseNet{n}", f"densenet{n}", _body(depths), _top, 224, 32,
                ("avg_pool", "max_pool"))
    for n, depths in _DEPTHS.items()
)  # fmt: skip
