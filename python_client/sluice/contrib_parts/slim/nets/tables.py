# SPDX-License-Identifier: Apache-2.0
"""Nets as tables: a text says what a layer does.

    11x11/4v 64       convolves to 64 channels: a kernel of 11 x 11, steps of 4, no padding
    max 3x3/2         takes the largest element of windows of 3 x 3, with steps of 2
    avg 3x3           takes the mean of windows
    conv2: 1x1 64     has the name of a variable scope
    1x1 64 ~.09       has weights of a truncated normal distribution: the standard deviation is 0.09

Without "v" and "/" the padding and the steps are those of arg_scope().
"""

import re

from ....layers.contrib.functions import avg_pool2d, conv2d, max_pool2d
from ....layers.words import describe
from ....ops.state.initializers import truncated_normal

_LAYER = re.compile(
    r"(?:(?P<scope>\w+): )?(?:(?P<pool>max|avg) )?(?P<kernel>\d+x\d+)(?:/(?P<stride>\d))?"
    r"(?P<valid>v)?(?: (?P<channels>\d+))?(?: ~(?P<deviation>[\d.]+))?"
)
_POOLS = {"max": max_pool2d, "avg": avg_pool2d}
_WORDS = {
    "inputs": "Images, a float tensor [batch, height, width, channels].",
    "num_classes": "How many classes there are, an int.",
    "is_training": "Whether it is training. A bool.",
    "dropout_keep_prob": "The probability that dropout keeps an element, a float.",
    "spatial_squeeze": "Whether the logits lose their dimensions of height and width. A bool.",
    "scope": "Name of the variable scope, a str. None: a default name.",
    "reuse": "Whether the variables are found, not made. A bool.",
    "prediction_fn": "A function of the logits that returns the predictions.",
    "final_endpoint": "Name of the last layer, a str.",
    "min_depth": "The fewest channels that a layer has, an int.",
    "depth_multiplier": "By what all numbers of channels are multiplied, a float above 0.",
    "weight_decay": "Weight of the losses of the kernels, a float.",
    "blocks": "The Blocks, a list.",
    "global_pool": "Whether the means over height and width are taken before the logits. A bool.",
    "output_stride": "By what height and width are divided at most, an int; later convolutions have"
    " holes in place of steps. None: as the blocks say.",
    "include_root_block": "Whether a convolution and a pooling come before the blocks. A bool.",
}  # fmt: skip


def net(summary, size=None, **words):
    """A decorator that gives a net its docstring, and the size of its images.

    Args:
        summary: What it is, a str.
        size: Height and width of the images that it was made for, an int.
        **words: What other arguments mean.
    """

    def with_words(function):
        if size:
            function.default_image_size = size
        returns = "A pair: the output, and a dict of the outputs of the layers: name -> tensor."
        return describe(function, summary, returns, shapes={**_WORDS, **words})

    return with_words


def settings(summary, **words):
    """A decorator that gives a function its docstring, if it returns defaults for arg_scope().

    Args:
        summary: What it does, a str.
        **words: What other arguments mean.
    """
    returns = "What arg_scope() takes."
    return lambda function: describe(function, summary, returns, shapes={**_WORDS, **words})


def truncated(stddev):
    """Makes an initializer.

    Args:
        stddev: The standard deviation, a float.

    Returns:
        An initializer of a truncated normal distribution.
    """
    return truncated_normal(0.0, stddev)


def kernel_of(text):
    """The kernel of a layer, a str such as "3x3"."""
    return _LAYER.fullmatch(text)["kernel"]


def layer(text, inputs, scope=None, depth=int, **more):
    """Applies a layer.

    Args:
        text: The layer, a str: see above.
        inputs: The input, a tensor.
        scope: Name of the variable scope, a str, if the text has none.
        depth: A function of the number of channels that returns another one.
        **more: Further arguments of the layer.

    Returns:
        A tensor.
    """
    parts = _LAYER.fullmatch(text)
    kernel = [int(size) for size in parts["kernel"].split("x")]
    more["scope"] = parts["scope"] or scope
    if parts["stride"]:
        more["stride"] = int(parts["stride"])
    if parts["valid"]:
        more["padding"] = "VALID"
    if parts["pool"]:
        return _POOLS[parts["pool"]](inputs, kernel, **more)
    if parts["deviation"]:
        more["weights_initializer"] = truncated(float(parts["deviation"]))
    return conv2d(inputs, depth(int(parts["channels"])), kernel, **more)
