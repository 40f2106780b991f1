# SPDX-License-Identifier: Apache-2.0
"""Inception-ResNet v2 (Szegedy et al., 2016): branches side by side, and a sum with the input."""

from ..layers.adopted import AveragePooling2D, Conv2D, MaxPooling2D
from ..layers.core import Lambda
from ..layers.merging import concatenate
from .network import activated, application, axis, classified, normalized


def _convolved(x, filters, size, strides=1, padding="same", name=None):
    x = Conv2D(filters, size, strides=strides, padding=padding, use_bias=False, name=name)(x)
    x = normalized(x, name and f"{name}_bn", scale=False)
    return activated(x, name and f"{name}_ac")


def _branch(x, *sizes):
    """Convolutions one after another, of (filters, size)."""
    for size in sizes:
        x = _convolved(x, *size)
    return x


def _smaller(x, filters, *before):
    return _convolved(_branch(x, *before), filters, 3, 2, "valid")


def _joined(parts, name):
    return concatenate(parts, axis=axis(), name=name)


def _sum(inputs, scale):
    return inputs[0] + inputs[1] * scale


# The branches of each kind of block, as _branch() takes them.
_BRANCHES = {
    "block35": [[(32, 1)], [(32, 1), (32, 3)], [(32, 1), (48, 3), (64, 3)]],
    "block17": [[(192, 1)], [(128, 1), (160, (1, 7)), (192, (7, 1))]],
    "block8": [[(192, 1)], [(192, 1), (224, (1, 3)), (256, (3, 1))]],
}


def _block(x, kind, number, scale, is_last=False):
    """The sum of the input and of a fraction of the branches."""
    name, shape = f"{kind}_{number}", x.shape.as_list()
    mixed = _joined([_branch(x, *sizes) for sizes in _BRANCHES[kind]], f"{name}_mixed")
    mixed = Conv2D(shape[axis()], 1, padding="same", name=f"{name}_conv")(mixed)
    x = Lambda(_sum, tuple(shape[1:]), arguments={"scale": scale}, name=name)([x, mixed])
    return x if is_last else activated(x, f"{name}_ac")


def _body(x):
    x = _convolved(_smaller(x, 32), 32, 3, padding="valid")
    x = MaxPooling2D(3, strides=2)(_convolved(x, 64, 3))
    x = _convolved(x, 80, 1, padding="valid")
    x = MaxPooling2D(3, strides=2)(_convolved(x, 192, 3, padding="valid"))
    x = _joined([
        _branch(x, (96, 1)),
        _branch(x, (48, 1), (64, 5)),
        _branch(x, (64, 1), (96, 3), (96, 3)),
        _convolved(AveragePooling2D(3, strides=1, padding="same")(x), 64, 1),
    ], "mixed_5b")  # fmt: skip
    for number in range(1, 11):
        x = _block(x, "block35", number, 0.17)
    x = _joined([
        _smaller(x, 384), _smaller(x, 384, (256, 1), (256, 3)), MaxPooling2D(3, strides=2)(x)
    ], "mixed_6a")  # fmt: skip
    for number in range(1, 21):
        x = _block(x, "block17", number, 0.1)
    x = _joined([
        _smaller(x, 384, (256, 1)), _smaller(x, 288, (256, 1)),
        _smaller(x, 320, (256, 1), (288, 3)), MaxPooling2D(3, strides=2)(x),
    ], "mixed_7a")  # fmt: skip
    for number in range(1, 10):
        x = _block(x, "block8", number, 0.2)
    return _convolved(_block(x, "block8", 10, 1.0, True), 1536, 1, name="conv_7b")


InceptionResNetV2 = application(
    __name__, "InceptionResNetV2", "inception_resnet_v2", _body,
    classified("avg_pool", "predictions"), 299, 75,
)  # fmt: skip
