# SPDX-License-Identifier: Apache-2.0
"""Docstrings of layers and their functions: an argument means the same in all of them."""

import inspect

from ..ops import docstrings

_SIZES = "an int for all spatial dimensions, or a list of ints"
_FUNCTIONS = {
    "_initializer": "A function of (shape, dtype) that returns the first value of {}. None: that of"
    " the scope, else glorot_uniform().",
    "_regularizer": "A function of {} that returns a loss. None: no loss.",
    "_constraint": "A function of {} that optimizers apply after an update. None: none.",
}
_OF = {
    "kernel": "the kernel", "bias": "the bias", "depthwise": "the filters of channels",
    "pointwise": "the filter that mixes channels", "beta": "the offset beta",
    "gamma": "the scale gamma", "moving_mean": "the moving mean",
    "moving_variance": "the moving variance",
}  # fmt: skip
_WORDS = {
    "inputs": "The input, a tensor.",
    "units": "Size of the output's last dimension, an int.",
    "filters": "How many channels the output has, an int.",
    "kernel_size": f"Size of the window: {_SIZES}.",
    "pool_size": f"Size of the window: {_SIZES}.",
    "strides": f"Steps of the window: {_SIZES}.",
    "padding": 'A str: "valid" or "same".',
    "data_format": 'A str: "channels_last" or "channels_first".',
    "dilation_rate": f"Distance of the kernel's elements: {_SIZES}.",
    "depth_multiplier": "How many filters each channel has, an int.",
    "activation": "A function of the output. None: none.",
    "use_bias": "Whether a bias is added. A bool.",
    "activity_regularizer": "A function of the output that returns a loss. None: no loss.",
    "trainable": "Whether optimizers change the variables by default. A bool.",
    "name": "Name of the layer, a str. None: the class's name.",
    "reuse": "Whether variables of the layer's name are found, not made. A bool. None: made.",
    "training": "Whether it is training: a bool, or a bool scalar.",
    "rate": "The probability of a zero, a number or a scalar.",
    "noise_shape": "Shape of what is drawn, which is broadcast to the input. None: that of the"
    " input.",
    "seed": "Seed of the operation, an int. None: see set_random_seed().",
    "axis": "The dimension of features, an int, or a list of ints.",
    "momentum": "Weight of the old value in moving averages, a float.",
    "epsilon": "A small float, so that nothing is divided by 0.",
    "center": "Whether the offset beta is added. A bool.",
    "scale": "Whether the result is multiplied by gamma. A bool.",
    "renorm": "Whether the batch is normalised by moving averages (Ioffe, 2017). A bool.",
    "renorm_clipping": 'Bounds for renorm, a dict of "rmax", "rmin" and "dmax". None: none.',
    "renorm_momentum": "Weight of the old value in renorm's averages, a float.",
    "fused": "Whether images are normalised by one operation. A bool. None: where it is possible.",
    "virtual_batch_size": "Size of the parts of a batch that are normalised apart, an int. None:"
    " the whole batch.",
    "adjustment": "A function of the input's shape that returns a scale and an offset for training."
    " None: none.",
    "kwargs": "dtype: dtype of the variables.",
}  # fmt: skip


def of_argument(name):
    """What an argument means, a str."""
    for ending, words in _FUNCTIONS.items():
        own = name[: -len(ending)]
        if name.endswith(ending) and own in _OF:
            return words.format(_OF[own])
    return _WORDS[name]


def describe(thing, summary, returns=None, example="", shapes=None):
    """Gives a class or a function its docstring, and a class the names of its arguments, which
    get_config() returns.

    Args:
        thing: The class or the function.
        summary: What it does, a str.
        returns: What a function returns, a str.
        example: Lines of an example, a str.
        shapes: Words for single arguments, a dict.

    Returns:
        The class or the function.
    """
    shapes = shapes or {}
    args = {}
    for name, parameter in inspect.signature(thing).parameters.items():
        shown = f"**{name}" if parameter.kind == parameter.VAR_KEYWORD else name
        args[shown] = shapes.get(name) or of_argument(name)
    raises = {"ValueError": "An argument or the shape of the input does not fit."}
    lines = example.strip("\n").split("\n") if example else ()
    if inspect.isclass(thing) and "arguments" not in vars(thing):
        thing.arguments = tuple(n for n in inspect.signature(thing).parameters if n not in _OF_ALL)
    thing.__doc__ = docstrings.assemble([summary], args, returns, raises, lines)
    return thing


def described(summary, example=""):
    """A decorator that gives a class its docstring and the names of its arguments: see
    describe()."""
    return lambda cls: describe(cls, summary, example=example)


def function_of(cls, name, order, summary, example=""):
    """Makes the function that makes a layer and calls it.

    Args:
        cls: The class of the layer.
        name: Name of the function, a str.
        order: Names of arguments after those of the class that are not in it, a list of str; or
            names of all arguments after `inputs`.
        summary: What it does, a str.
        example: Lines of an example, a str.

    Returns:
        The function.
    """
    known = inspect.signature(cls).parameters
    parameters = [inspect.Parameter("inputs", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for argument in order:
        default = known[argument].default if argument in known else _DEFAULTS[argument]
        parameters.append(
            inspect.Parameter(argument, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
        )
    signature = inspect.Signature(parameters)
    with_scope = "reuse" in order

    def function(*args, **kwargs):
        given = signature.bind(*args, **kwargs).arguments
        inputs, call = given.pop("inputs"), {}
        if "training" in order:
            call["training"] = given.pop("training", _DEFAULTS["training"])
        if with_scope:
            given.update(_scope=given.get("name"), _reuse=given.pop("reuse", None))
        return cls(**given)(inputs, **call)

    function.__name__ = function.__qualname__ = name
    function.__module__ = cls.__module__
    function.__signature__ = signature
    return describe(function, summary, "A tensor.", example)


_OF_ALL = ("trainable", "name", "kwargs")  # get_config() has them anyway
_DEFAULTS = {"name": None, "reuse": None, "training": False}


def arguments_of(cls, *more):
    """The names of a class's arguments, then others: the order of a function's arguments."""
    return [n for n in inspect.signature(cls).parameters if n != "kwargs"] + list(more)
