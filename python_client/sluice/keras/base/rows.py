# SPDX-License-Identifier: Apache-2.0
"""Functions of the backend that a table describes."""

import ast
import inspect

WORDS = {
    "x": "A tensor.", "y": "A tensor.",
    "axis": "Dimension to work along, an int or a list. None: all.",
    "keepdims": "Whether reduced dimensions stay, with size 1. A bool.",
    "shape": "Shape of the result.", "dtype": "Dtype of the result. None: the default one.",
    "name": "Name of the operation, a str. None: a default name.",
    "seed": "Seed of the operation, an int. None: drawn by NumPy.",
    "a": "The power, a number.", "n": "How often, an int or a list of ints.",
    "min_value": "The smallest value, a number.", "max_value": "The largest value, a number.",
    "tensors": "Tensors, a list.", "pattern": "The order of the dimensions, a list of ints.",
    "indices": "Indices, a tensor of ints.", "reference": "The table, a tensor.",
    "num_classes": "How many classes there are, an int.", "alpha": "The slope below 0, a float.",
    "threshold": "The threshold, a float.", "bias": "The bias, a tensor.",
    "data_format": "Where the channels are, a str. None: the default.",
    "level": "The probability of a zero, a float.",
    "noise_shape": "Shape of what is drawn. None: all.",
    "condition": "A bool scalar or tensor.", "then_expression": "A tensor, or a function of none.",
    "else_expression": "A tensor, or a function of none.",
    "alt": "A tensor, or a function of none.",
    "training": "Whether it is training. None: the learning phase says it.",
    "loss": "The loss, a scalar.", "variables": "Variables or tensors, a list.",
    "value": "The value.", "ndim": "The rank, an int. None: shape says it.",
    "sparse": "Whether it is a SparseTensor. A bool.",
    "ragged": "Must be False.", "constraint": "A function of the value. None: none.",
    "increment": "What is added, a tensor.", "decrement": "What is subtracted, a tensor.",
    "new_x": "The new value, a tensor.", "momentum": "Weight of the old value, a float.",
    "mean": "The mean, a number.", "stddev": "The standard deviation, a float.",
    "minval": "The low end, a number.", "maxval": "The high end, a number.",
    "p": "The probability of 1.",
    "size": "How many rows there are, an int.", "start": "The first number.", "stop": "The end.",
    "step": "The distance of two numbers.", "axes": "Dimensions, a list of ints.",
    "tensor": "A tensor.", "rep": "How often, an int.", "predictions": "Predictions, a tensor.",
    "targets": "Classes, a tensor of ints.", "k": "How many predictions count, an int.",
    "inputs": "The input, a tensor.", "kernel": "The kernel, a tensor.",
    "strides": "Steps between windows, an int or a list of ints.",
    "padding": "How the edges are padded.", "dilation_rate": "Steps in a window, an int or a list.",
    "output_shape": "Shape of the output, a list.",
    "depthwise_kernel": "The first kernel, a tensor.",
    "pointwise_kernel": "The second kernel, a tensor.", "pool_size": "The window, a list of ints.",
    "pool_mode": '"max" or "avg".',
    "height_factor": "How many times as high, an int.",
    "width_factor": "How many times as wide, an int.",
    "depth_factor": "How many times as deep, an int.",
    "interpolation": '"nearest" or "bilinear".', "fn": "The function.", "elems": "The elements.",
    "initializer": "The first value. None: the first element.",
    "kernel_size": "The window, a list of ints.", "var": "The variance, a tensor.",
    "beta": "What is added, a tensor.", "gamma": "The factor, a tensor.",
    "reduction_axes": "The dimensions of the mean, a list of ints.",
    "y_true": "The labels, a tensor.", "y_pred": "The predictions, a tensor.",
    "input_length": "How many steps each example has, a tensor.",
    "label_length": "How many labels each example has, a tensor.",
    "labels": "The labels, a tensor.", "label_lengths": "How many labels each has, a tensor.",
    "greedy": "Whether the best class of each step is taken. A bool.",
    "beam_width": "How many paths are kept, an int.", "top_paths": "How many are returned, an int.",
    "low": "The low end, a number.", "high": "The high end, a number.",
    "scale": "The standard deviation, a float.",
    "epsilon": "What is added to the variance, a float.",
}  # fmt: skip
_KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD


class Rows:
    """Adds functions to a module.

    Args:
        module: The names of the module, which globals() returned.
    """

    def __init__(self, module):
        self._module, self.names = module, []

    def __call__(self, name, arguments, call, summary, returns="A tensor."):
        """Adds a function.

        Args:
            name: Its name, a str.
            arguments: Its arguments, a str such as "x axis=None".
            call: A function of the same arguments.
            summary: What it does, a str.
            returns: What it returns, a str.
        """
        parameters = []
        for part in arguments.split():
            own, has, default = part.partition("=")
            value = ast.literal_eval(default) if has else inspect.Parameter.empty
            parameters.append(inspect.Parameter(own, _KIND, default=value))
        signature = inspect.Signature(parameters)

        def made(*args, **kwargs):
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            return call(*given.args)

        made.__signature__, made.__module__ = signature, self._module["__name__"]
        made.__name__ = made.__qualname__ = name
        lines = [f"    {p.name}: {WORDS[p.name]}" for p in parameters]
        doc = [summary, *(["", "Args:", *lines] if lines else []), "", "Returns:", f"    {returns}"]
        made.__doc__ = "\n".join(doc)
        self._module[name] = made
        self.names.append(name)
