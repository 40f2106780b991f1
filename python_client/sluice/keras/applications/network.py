# SPDX-License-Identifier: Apache-2.0
"""What the networks share: their arguments, their last layers, and files of weights."""

import os

from ..base import settings
from ..engine.input_layer import Input
from ..engine.node import history_of
from ..layers import adopted, core, windows
from ..models.cloning import get_source_inputs
from ..models.model import Model

_SUMMARY = """

    Args:
        include_top: Whether the last layers, which classify, are there. A bool.
        weights: None: initial values. Else the path of an HDF5 file. Weights of "imagenet" are not
            downloaded.
        input_tensor: The images, a tensor of Input(). None: an input is made.
        input_shape: Shape of an image with its channels. None: the usual one, or without the last
            layers any size.
        pooling: Without the last layers "avg" or "max", which pool each channel. None: neither.
        classes: How many classes there are, an int.
        **kwargs: Accepted. Programs give the modules of Keras here.

    Returns:
        A Model.

    Raises:
        ValueError: weights is "imagenet" or not a file, or the images are too small.
    """


def axis():
    """The dimension of channels."""
    return 3 if settings.image_data_format() == "channels_last" else 1


def normalized(x, name=None, **options):
    """Batch normalisation of channels."""
    return adopted.BatchNormalization(axis=axis(), name=name, **options)(x)


def activated(x, name=None):
    """max(x, 0), as a layer."""
    return core.Activation("relu", name=name)(x)


def application(module, name, title, body, top, size, least, pool_names=(None, None)):
    """The public function of a network.

    Args:
        module: Name of the module that has it, a str.
        name: Name of the function, a str.
        title: Name of the model, a str.
        body: A function of the images that returns the last features.
        top: A function of features and a number of classes that returns the predictions.
        size: The usual height and width of images, an int.
        least: The least height and width, an int.
        pool_names: Names of the layers that pool without the last layers.

    Returns:
        A function.
    """

    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
             pooling=None, classes=1000, **kwargs):  # fmt: skip
        del kwargs
        check_weights(weights, include_top, classes)
        shape = image_shape(input_shape, size, least, include_top)
        images = input_of(input_tensor, shape)
        x = body(images)
        x = top(x, classes) if include_top else pooled(x, pooling, pool_names)
        return finished(input_tensor, images, x, title, weights)

    make.__module__, make.__name__, make.__qualname__ = module, name, name
    make.__doc__ = f"Makes the network {name}." + _SUMMARY
    return make


def padding_of(x, window):
    """Padding for windows of a size and strides of 2: ((before, after), (before, after))."""
    sides = x.shape.as_list()[2:] if axis() == 1 else x.shape.as_list()[1:-1]
    return tuple((window // 2 - (0 if n and n % 2 else 1), window // 2) for n in sides)


def check_weights(weights, include_top=False, classes=1000):
    """Checks the argument `weights`, and whether they can have so many classes.

    Raises:
        ValueError: It stands for no file.
    """
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError(
            'If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be '
            "1000"
        )
    if weights == "imagenet":
        raise ValueError(
            'weights="imagenet": weights are not downloaded; give weights=None, or the path of the '
            "HDF5 file that Keras has for this network"
        )
    if weights is not None and not os.path.exists(weights):
        raise ValueError(
            "The `weights` argument should be either `None` (random initialization), `imagenet` "
            "(pre-training on ImageNet), or the path to the weights file to be loaded."
        )


def image_shape(given, size, least, include_top):
    """The shape of an image. ValueError: it is too small, or not a shape of images."""
    first = settings.image_data_format() == "channels_first"
    if not given:
        side = size if include_top else None
        return (3, side, side) if first else (side, side, 3)
    if len(given) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    sides = given[1:] if first else given[:-1]
    if any(side is not None and side < least for side in sides):
        raise ValueError(f"Input size must be at least {least}x{least}; got `input_shape={given}`")
    return tuple(given)


def input_of(given, shape):
    """The images, a tensor of Input()."""
    if given is None:
        return Input(shape=shape)
    return given if history_of(given) is not None else Input(tensor=given, shape=shape)


def pooled(x, pooling, names=(None, None)):
    """The features of each channel over whole images; without pooling x."""
    if pooling == "avg":
        return windows.GlobalAveragePooling2D(name=names[0])(x)
    return windows.GlobalMaxPooling2D(name=names[1])(x) if pooling == "max" else x


def finished(input_tensor, images, outputs, title, weights):
    """The model, with the weights of a file."""
    inputs = images if input_tensor is None else get_source_inputs(images)
    model = Model(inputs, outputs, name=title)
    if weights is not None:
        model.load_weights(weights)
    return model


def classified(pool, dense):
    """The last layers of most networks: pooling over whole images, and a dense layer.

    Args:
        pool: Name of the first one, a str. None: a default name.
        dense: Name of the second one, a str.

    Returns:
        A function of features and a number of classes.
    """

    def top(x, classes):
        x = windows.GlobalAveragePooling2D(name=pool)(x)
        return adopted.Dense(classes, activation="softmax", name=dense)(x)

    return top
