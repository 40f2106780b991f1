# SPDX-License-Identifier: Apache-2.0
"""Docstrings of contrib's layers, whose arguments have other names."""

from ..words import describe

_FUNCTIONS = {
    "initializer": "A function of (shape, dtype) that returns the first value of {}.",
    "regularizer": "A function of {} that returns a loss. None: no loss.",
}
_WORDS = {
    "num_outputs": "How many outputs, or channels of the output, there are, an int.",
    "stride": "Steps of the window: an int for all spatial dimensions, or a list of ints.",
    "padding": 'A str: "SAME" or "VALID".',
    "data_format": 'A str: "NHWC" or "NCHW". None: channels are last.',
    "rate": "Distance of the kernel's elements: an int, or a list of ints.",
    "activation_fn": "A function of the output. None: none.",
    "normalizer_fn": "A function that normalises the output, in place of a bias. None: none.",
    "normalizer_params": "Arguments of normalizer_fn, a dict.",
    "variables_collections": "Collections that get the variables, a list of str, or a dict: name of"
    " the variable -> list.",
    "outputs_collections": "Collections that get the output, a list of str.",
    "scope": "Name of the variable scope, a str or a VariableScope. None: a default name.",
    "is_training": "Whether it is training: a bool, or a bool scalar.",
    "keep_prob": "The probability that an element stays, a number or a scalar.",
    "decay": "Weight of the old value in moving averages, a float.",
    "param_initializers": 'Initializers, a dict of "beta", "gamma", "moving_mean" and'
    ' "moving_variance".',
    "param_regularizers": 'Regularizers, a dict of "beta" and "gamma".',
    "updates_collections": "Collection that gets the updates of moving averages, a str. None: the"
    " output waits for them.",
    "batch_weights": "None only.",
    "zero_debias_moving_mean": "False only.",
    "renorm_decay": "Weight of the old value in renorm's averages, a float.",
    "begin_norm_axis": "The first dimension that is normalised, an int.",
    "begin_params_axis": "The first dimension that beta and gamma have, an int.",
    "initializer": _FUNCTIONS["initializer"].format("the variable"),
    "regularizer": _FUNCTIONS["regularizer"].format("the variable"),
    "pointwise_initializer": _FUNCTIONS["initializer"].format("the filter that mixes channels"),
    **{f"{what}s_{kind}": words.format(f"the {what}s")
       for what in ("weight", "biase") for kind, words in _FUNCTIONS.items()},
}  # fmt: skip


def layer(summary, example=""):
    """A decorator that gives a function its docstring.

    Args:
        summary: What it does, a str.
        example: Lines of an example, a str.
    """
    return lambda function: describe(function, summary, "A tensor.", example, _WORDS)
