# SPDX-License-Identifier: Apache-2.0
"""Inception v3 (Szegedy et al., 2015): blocks of several branches side by side."""

from ..layers.adopted import AveragePooling2D, Conv2D, MaxPooling2D
from ..layers.merging import concatenate
from .network import activated, application, axis, classified, normalized


def _convolved(x, filters, height, width, strides=1, padding="same"):
    x = Conv2D(filters, (height, width), strides=strides, padding=padding, use_bias=False)(x)
    return activated(normalized(x, scale=False))


def _branch(x, *sizes):
    """Convolutions one after another, of (filters, height, width)."""
    for size in sizes:
        x = _convolved(x, *size)
    return x


def _smaller(x, filters):
    return _convolved(x, filters, 3, 3, 2, "valid")


def _pooled(x, filters):
    return _convolved(AveragePooling2D(3, strides=1, padding="same")(x), filters, 1, 1)


def _joined(parts, name=None):
    return concatenate(parts, axis=axis(), name=name)


def _of_35(x, filters, name):
    return _joined([
        _branch(x, (64, 1, 1)),
        _branch(x, (48, 1, 1), (64, 5, 5)),
        _branch(x, (64, 1, 1), (96, 3, 3), (96, 3, 3)),
        _pooled(x, filters),
    ], name)  # fmt: skip


def _of_17(x, n, name):
    return _joined([
        _branch(x, (192, 1, 1)),
        _branch(x, (n, 1, 1), (n, 1, 7), (192, 7, 1)),
        _branch(x, (n, 1, 1), (n, 7, 1), (n, 1, 7), (n, 7, 1), (192, 1, 7)),
        _pooled(x, 192),
    ], name)  # fmt: skip


def _of_8(x, number):
    first = _branch(x, (320, 1, 1))
    second = _branch(x, (384, 1, 1))
    second = _joined([_branch(second, (384, 1, 3)), _branch(second, (384, 3, 1))],
                     f"mixed9_{number}")  # fmt: skip
    third = _branch(x, (448, 1, 1), (384, 3, 3))
    third = _joined([_branch(third, (384, 1, 3)), _branch(third, (384, 3, 1))])
    return _joined([first, second, third, _pooled(x, 192)], f"mixed{9 + number}")


def _body(x):
    x = _convolved(x, 32, 3, 3, 2, "valid")
    x = _convolved(_convolved(x, 32, 3, 3, padding="valid"), 64, 3, 3)
    x = MaxPooling2D(3, strides=2)(x)
    x = _convolved(x, 80, 1, 1, padding="valid")
    x = MaxPooling2D(3, strides=2)(_convolved(x, 192, 3, 3, padding="valid"))
    for number, filters in enumerate((32, 64, 64)):
        x = _of_35(x, filters, f"mixed{number}")
    x = _joined([
        _smaller(x, 384), _smaller(_branch(x, (64, 1, 1), (96, 3, 3)), 96),
        MaxPooling2D(3, strides=2)(x),
    ], "mixed3")  # fmt: skip
    for number, filters in enumerate((128, 160, 160, 192), 4):
        x = _of_17(x, filters, f"mixed{number}")
    x = _joined([
        _smaller(_branch(x, (192, 1, 1)), 320),
        _smaller(_branch(x, (192, 1, 1), (192, 1, 7), (192, 7, 1)), 192),
        MaxPooling2D(3, strides=2)(x),
    ], "mixed8")  # fmt: skip
    for number in (0, 1):
        x = _of_8(x, number)
    return x


InceptionV3 = application(
    __name__, "InceptionV3", "inception_v3", _body, classified("avg_pool", "predictions"), 299, 75
)
