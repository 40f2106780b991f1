# SPDX-License-Identifier: Apache-2.0
"""Docstrings of layers: an argument means the same in all of them."""

import inspect

from ...layers import words

_OWN = {
    "mask": "The mask of the input, a bool tensor. None: nothing is masked.",
    "training": "Whether it is training: a bool or a scalar. None: the learning phase says it.",
    "inputs": "The input, a tensor or a list of tensors.",
    "input_shape": "Shape of the input.",
    "initial_state": "The states before the first step, a list of tensors. None: zeros.",
    "constants": "Tensors that each step takes, a list. None: none.",
    "states": "The states before the step, a list of tensors.",
    "config": "The dict.",
    "custom_objects": "A dict: name -> class or function, of the program. None: none.",
}
_SUMMARIES = {
    "build": ("Makes the variables.", None),
    "call": ("Computes the output.", "A tensor or a list of tensors."),
    "compute_output_shape": ("Returns the shape of the output.", "A TensorShape."),
    "compute_mask": ("Computes the mask of the output.", "A tensor, or None."),
    "get_config": ("Returns the arguments that make an equal layer.", "A dict."),
    "from_config": ("Makes a layer of what get_config() returned.", "A layer."),
    "reset_states": ("Sets the states to zeros.", None),
}


def complete(cls):
    """Gives methods of a class of this package the docstrings that they lack."""
    if not cls.__module__.startswith(__package__.partition(".")[0] + "."):
        return
    for name, (summary, returns) in _SUMMARIES.items():
        method = vars(cls).get(name)
        function = getattr(method, "__func__", method)
        if inspect.isfunction(function) and not function.__doc__:
            names = [n for n in inspect.signature(function).parameters if n not in ("self", "cls")]
            lines = [f"    {n}: {_OWN.get(n) or words.of_argument(n)}" for n in names]
            parts = [summary, *(["", "Args:", *lines] if lines else [])]
            parts += ["", "Returns:", f"    {returns}"] if returns else []
            function.__doc__ = "\n".join(parts)


_ARGUMENTS = {
    "kwargs": "name, trainable, dtype, input_shape, batch_size, weights: as of Layer.",
    "activation": "A function of the output, or its name. None: none.",
    "recurrent_activation": "A function of the gates, or its name. None: none.",
    "target_shape": "Shape of the output without the batch, a list of ints; -1: what is left.",
    "dims": "The order of the dimensions, a list of ints; the batch is dimension 0.",
    "n": "How often, an int.",
    "function": "The function of the input.",
    "output_shape": "Shape of the output without the batch, or a function of the input's shape.",
    "mask": "A mask, or a function of the input and its mask. None: none.",
    "arguments": "Further arguments of the function, a dict.",
    "mask_value": "Steps whose elements all have this value are masked, a float.",
    "input_dim": "How many rows there are, an int.",
    "output_dim": "Size of each row, an int.",
    "mask_zero": "Whether the index 0 is masked. A bool.",
    "input_length": "How many indices an example has, an int. None: any number.",
    "size": "How often each element is repeated: an int, or a list of ints.",
    "interpolation": '"nearest" or "bilinear".',
    "cropping": "How many elements are left out before and after, an int or pairs of ints.",
    "axes": "The dimensions that are summed, an int or a pair of ints.",
    "axis": "Dimension to work along, an int.",
    "normalize": "Whether the inputs are normalised first. A bool.",
    "alpha": "The slope below 0, a float.",
    "theta": "The threshold, a float.",
    "max_value": "The largest value, a float. None: no limit.",
    "negative_slope": "The slope below the threshold, a float.",
    "threshold": "The threshold, a float.",
    "shared_axes": "Dimensions along which all share a slope, a list of ints. None: none.",
    "stddev": "The standard deviation, a float.",
    "l1": "The factor of the absolute values, a float.",
    "l2": "The factor of the squares, a float.",
    "layer": "The layer inside.",
    "merge_mode": '"sum", "mul", "concat", "ave", or None for both outputs.',
    "backward_layer": "The layer that goes backwards. None: a copy of the other one.",
    "weights": "First values of the variables, a list of arrays. None: none.",
    "cell": "The cell: a layer whose call() takes an input and states.",
    "cells": "The cells, a list.",
    "return_sequences": "Whether the outputs of all steps are returned, not the last one. A bool.",
    "return_state": "Whether the states after the last step are returned too. A bool.",
    "go_backwards": "Whether the last step comes first. A bool.",
    "stateful": "Whether a batch begins with the states of the one before. A bool.",
    "unroll": "Whether the steps are nodes of their own, not a loop. A bool.",
    "time_major": "Whether the steps are dimension 0. A bool.",
    "dropout": "The probability that an element of the input is 0, a float.",
    "recurrent_dropout": "The probability that an element of the state is 0, a float.",
    "unit_forget_bias": "Whether the bias of the forget gate is 1 at first. A bool.",
    "implementation": "1 or 2: how many matrix products a step has.",
    "reset_after": "Whether the reset gate comes after the matrix product. A bool.",
    "output_padding": "How much longer outputs are, an int or a list of ints. None: not.",
    "input_tensor": "A tensor that is the input. None: a placeholder.",
    "sparse": "Whether it is a SparseTensor. A bool.",
    "ragged": "Whether it is a RaggedTensor. A bool.",
    "batch_size": "Size of the batch, an int. None: any.",
    "dtype": "Dtype, a str.",
    "dynamic": "Must be False.",
    "use_scale": "Whether scores are multiplied by a variable. A bool.",
}  # fmt: skip
_WHAT = {"embeddings": "the rows", "alpha": "the slopes", "recurrent": "the recurrent kernel"}


_OF_ALL = ("trainable", "name", "dtype", "dynamic")  # get_config() has them anyway


def _of_argument(name):
    if name in _ARGUMENTS:
        return _ARGUMENTS[name]
    for what, meant in _WHAT.items():
        if name.startswith(what + "_"):
            return words.of_argument(name.replace(what, "kernel", 1)).replace("the kernel", meant)
    return _OWN.get(name) or words.of_argument(name)


def described(summary, **more):
    """A decorator that gives a layer its docstring, and get_config() the constructor's arguments.

    Args:
        summary: What the layer does, a str.
        **more: Words for single arguments.
    """

    def describe(cls):
        parameters = inspect.signature(cls).parameters.values()
        lines = [
            f"    {'**' * (p.kind == p.VAR_KEYWORD)}{p.name}: "
            + (more.get(p.name) or _of_argument(p.name))
            for p in parameters
        ]
        cls.__doc__ = "\n".join([summary, *(["", "Args:", *lines] if lines else [])])
        if "arguments" not in vars(cls):
            cls.arguments = tuple(
                p.name for p in parameters if p.kind != p.VAR_KEYWORD and p.name not in _OF_ALL
            )
        return cls

    return describe
