# SPDX-License-Identifier: Apache-2.0
"""NASNet-A (Zoph et al., 2017): cells that a search found, of the outputs of the last two cells."""

from ..layers import windows
from ..layers.adopted import AveragePooling2D, Conv2D, Dense, MaxPooling2D, SeparableConv2D
from ..layers.merging import add, concatenate
from .network import (
    activated,
    axis,
    check_weights,
    finished,
    image_shape,
    input_of,
    normalized,
    padding_of,
    pooled,
)


def _normalized(x, name):
    return normalized(x, name, momentum=0.9997, epsilon=1e-3)


def _convolved(x, filters, name):
    return Conv2D(
        filters, 1, padding="same", use_bias=False, name=name, kernel_initializer="he_normal"
    )(x)


def _separable(x, filters, size, name, strides=1):
    """Two separable convolutions, each after max(x, 0)."""
    for number, step in ((1, strides), (2, 1)):
        x = activated(x)
        if step == 2:
            padding = padding_of(x, size)
            x = windows.ZeroPadding2D(padding, name=f"separable_conv_{number}_pad_{name}")(x)
        x = SeparableConv2D(
            filters, size, strides=step, padding="same" if step == 1 else "valid", use_bias=False,
            name=f"separable_conv_{number}_{name}", kernel_initializer="he_normal",
        )(x)  # fmt: skip
        x = _normalized(x, f"separable_conv_{number}_bn_{name}")
    return x


def _joined(parts, name=None):
    return concatenate(parts, axis=1 if axis() == 1 else -1, name=name)


def _averaged(x, name):
    return AveragePooling2D(3, strides=1, padding="same", name=name)(x)


def _fitted(p, x, filters, name):
    """The output of the cell before, with the size of x and so many channels."""
    if p is None:
        return x
    shapes, side = (p.shape.as_list(), x.shape.as_list()), 2
    if shapes[0][side] != shapes[1][side]:
        p = activated(p, f"adjust_relu_1_{name}")
        first = _every_second(p, filters, 1, name)
        moved = windows.ZeroPadding2D(((0, 1), (0, 1)))(p)
        moved = windows.Cropping2D(((1, 0), (1, 0)))(moved)
        both = _joined([first, _every_second(moved, filters, 2, name)])
        return _normalized(both, f"adjust_bn_{name}")
    if shapes[0][axis()] != filters:
        p = _convolved(activated(p), filters, f"adjust_conv_projection_{name}")
        return _normalized(p, f"adjust_bn_{name}")
    return p


def _every_second(p, filters, number, name):
    p = AveragePooling2D(1, strides=2, name=f"adjust_avg_pool_{number}_{name}")(p)
    return _convolved(p, filters // 2, f"adjust_conv_{number}_{name}")


def _start(x, p, filters, kind, name):
    """Both inputs of a cell, with so many channels."""
    p = _fitted(p, x, filters, name)
    h = _convolved(activated(x), filters, f"{kind}_conv_1_{name}")
    return _normalized(h, f"{kind}_bn_1_{name}"), p


def _normal(x, p, filters, name):
    """A cell that keeps the size."""
    h, p = _start(x, p, filters, "normal", name)

    def separable(x, size, place):
        return _separable(x, filters, size, f"normal_{place}_{name}")

    def both(a, b, number):
        return add([a, b], name=f"normal_add_{number}_{name}")

    parts = [
        both(separable(h, 5, "left1"), separable(p, 3, "right1"), 1),
        both(separable(p, 5, "left2"), separable(p, 3, "right2"), 2),
        both(_averaged(h, f"normal_left3_{name}"), p, 3),
        both(_averaged(p, f"normal_left4_{name}"), _averaged(p, f"normal_right4_{name}"), 4),
        both(separable(h, 3, "left5"), h, 5),
    ]
    return _joined([p, *parts], f"normal_concat_{name}"), x


def _reduced(x, p, filters, name):
    """A cell that halves the size."""
    h, p = _start(x, p, filters, "reduction", name)

    def separable(x, size, place, strides=2):
        return _separable(x, filters, size, f"reduction_{place}_{name}", strides)

    def both(a, b, end):
        return add([a, b], name=f"reduction_add{end}_{name}")

    # The names of the sums are as irregular as those in files of weights.
    padded = windows.ZeroPadding2D(padding_of(h, 3), name=f"reduction_pad_1_{name}")(h)
    largest = [
        MaxPooling2D(3, strides=2, name=f"reduction_{place}_{name}")
        for place in ("left2", "right5")
    ]
    mean = AveragePooling2D(3, strides=2, name=f"reduction_left3_{name}")
    first = both(separable(h, 5, "left1"), separable(p, 7, "right1"), "_1")
    second = both(largest[0](padded), separable(p, 7, "right2"), "_2")
    third = both(mean(padded), separable(p, 5, "right3"), "3")
    fourth = add([second, _averaged(first, f"reduction_left4_{name}")])
    fifth = both(separable(first, 3, "left4", 1), largest[1](padded), "4")
    return _joined([second, third, fourth, fifth], f"reduction_concat_{name}"), x


def _body(x, filters, depth, first_filters, skips):
    """The cells.

    Args:
        x: The images.
        filters: How many filters the cells of the first stage have, an int.
        depth: How many cells a stage has, an int.
        first_filters: How many filters the first convolution has, an int.
        skips: Whether the cell after a smaller one has the output before that one's input. A bool.
    """
    x = Conv2D(
        first_filters, 3, strides=2, use_bias=False, name="stem_conv1",
        kernel_initializer="he_normal",
    )(x)  # fmt: skip
    x, p = _reduced(_normalized(x, "stem_bn1"), None, filters // 4, "stem_1")
    x, p = _reduced(x, p, filters // 2, "stem_2")
    number = 0
    for stage in range(3):
        if stage:
            x, before = _reduced(x, p, filters << stage, f"reduce_{stage * depth}")
            p = p if skips else before
            number += stage == 1  # the number of the first smaller cell
        for _ in range(depth):
            x, p = _normal(x, p, filters << stage, str(number))
            number += 1
    return activated(x)


def _network(name, size, filters, depth, first_filters, skips):
    """The public function of a network."""

    def make(input_shape=None, include_top=True, weights="imagenet", input_tensor=None,
             pooling=None, classes=1000, **kwargs):  # fmt: skip
        del kwargs
        check_weights(weights, include_top, classes)
        images = input_of(input_tensor, image_shape(input_shape, size, 32, True))
        x = _body(images, filters, depth, first_filters, skips)
        if include_top:
            x = windows.GlobalAveragePooling2D()(x)
            x = Dense(classes, activation="softmax", name="predictions")(x)
        else:
            x = pooled(x, pooling)
        return finished(input_tensor, images, x, "NASNet", weights)

    make.__module__, make.__name__, make.__qualname__ = __name__, name, name
    make.__doc__ = f"""Makes the network {name}.

    Args:
        input_shape: Shape of an image with its channels. None: the usual one.
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
    return make


NASNetLarge = _network("NASNetLarge", 331, 168, 6, 96, True)
NASNetMobile = _network("NASNetMobile", 224, 44, 4, 32, False)
