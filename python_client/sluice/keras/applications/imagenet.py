# SPDX-License-Identifier: Apache-2.0
"""What goes into networks that were trained on ImageNet, and what comes out of them."""

import json

import numpy as np

from ...ops import array as arrays
from ..base import settings
from ..base.downloads import get_file

_CLASSES = "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json"
_classes = {}  # what the file of classes has, when it was read

# Means and deviations of the channels of all images, in the order in which networks have them.
_CENTERS = {
    "caffe": ((103.939, 116.779, 123.68), None),
    "torch": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
}


def preprocess_input(x, data_format=None, mode="caffe", **kwargs):
    """Scales the pixels of images as networks expect them.

    Args:
        x: The images, RGB from 0 to 255, an array or a tensor of rank 3 or 4. An array of floats
            is changed itself.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        mode: "caffe": BGR without the mean of ImageNet; "tf": from -1 to 1; "torch": from 0 to 1,
            then without mean and divided by the deviation.
        **kwargs: Accepted. Programs give the modules of Keras here.

    Returns:
        An array or a tensor.

    Raises:
        ValueError: The data format is not known.
    """
    del kwargs
    data_format = data_format or settings.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format {data_format}")
    is_array = isinstance(x, np.ndarray)
    if is_array and not np.issubdtype(x.dtype, np.floating):
        x = x.astype(settings.floatx())
    if mode == "tf":
        return _scaled(x, 127.5, 1.0, is_array)
    rank = x.ndim if is_array else x.shape.ndims
    at = rank - 3 if data_format == "channels_first" else rank - 1
    if mode == "torch":
        x = _scaled(x, 255.0, 0.0, is_array)
    else:
        x = np.flip(x, at) if is_array else arrays.reverse(x, [at])
    mean, deviation = (_along(v, at, rank, x) for v in _CENTERS["torch" if mode == "torch" else
                                                                "caffe"])  # fmt: skip
    if is_array:
        x -= mean
        if deviation is not None:
            x /= deviation
        return x
    x = x - mean
    return x if deviation is None else x / deviation


def _scaled(x, divisor, offset, is_array):
    if not is_array:
        return x / divisor - offset
    x /= divisor
    x -= offset
    return x


def _along(values, at, rank, x):
    """Numbers of channels, in the shape of images."""
    if values is None:
        return None
    shape = [1] * rank
    shape[at] = 3
    kind = x.dtype if isinstance(x, np.ndarray) else x.dtype.as_numpy_dtype
    return np.asarray(values, kind).reshape(shape)


def decode_predictions(preds, top=5, **kwargs):
    """Names the classes that are likeliest. The names are downloaded once.

    Args:
        preds: The predictions, an array [batch, 1000].
        top: How many classes are named, an int.
        **kwargs: Accepted. Programs give the modules of Keras here.

    Returns:
        For each image a list of tuples: number of the class in WordNet, name, prediction.

    Raises:
        OSError: The names cannot be downloaded.
        ValueError: The predictions have another shape.
    """
    del kwargs
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape "
            f"(samples, 1000)). Found array with shape: {preds.shape}"
        )
    if not _classes:
        with open(get_file("imagenet_class_index.json", _CLASSES, cache_subdir="models")) as file:
            _classes.update(json.load(file))
    return [
        [(*_classes[str(i)], row[i]) for i in row.argsort()[-top:][::-1]] for row in preds
    ]


def preprocessing(mode):
    """preprocess_input() of the networks of one mode.

    Args:
        mode: "caffe", "tf" or "torch".

    Returns:
        A function.
    """

    def preprocess(x, data_format=None, **kwargs):
        return preprocess_input(x, data_format, mode, **kwargs)

    preprocess.__name__ = preprocess.__qualname__ = "preprocess_input"
    preprocess.__doc__ = """Scales the pixels of images as these networks expect them.

    Args:
        x: The images, RGB from 0 to 255, an array or a tensor of rank 3 or 4. An array of floats
            is changed itself.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        **kwargs: Accepted. Programs give the modules of Keras here.

    Returns:
        An array or a tensor.
    """
    return preprocess


MODES = {mode: preprocessing(mode) for mode in ("caffe", "tf", "torch")}
scaled_for_caffe, scaled_for_tf, scaled_for_torch = MODES.values()
