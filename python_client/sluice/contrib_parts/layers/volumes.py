# SPDX-License-Identifier: Apache-2.0
"""Layers of sequences and volumes as functions, and fully connected ones with an activation."""

import inspect

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...layers.contrib.functions import convolution, fully_connected
from ...layers.contrib.scopes import add_arg_scope
from ...layers.contrib.variables import collect_output
from ...layers.pooling import AveragePooling3D, MaxPooling3D
from ...ops.nn.activations import elu as elu_of
from ...ops.nn.activations import relu6 as relu6_of


def _convolution_of(rank, name, what):
    def function(inputs, *args, **kwargs):
        inputs = convert_to_tensor(inputs)
        if inputs.shape.ndims != rank:
            raise ValueError(
                f"Convolution expects input with rank {rank}, got {inputs.shape.ndims}"
            )
        return convolution(inputs, *args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__signature__ = inspect.signature(convolution)
    function.__doc__ = convolution.__doc__.replace(
        convolution.__doc__.split("\n")[0], f"Convolves {what}."
    )
    return add_arg_scope(function)


convolution1d = conv1d = _convolution_of(3, "convolution1d", "sequences")
convolution3d = conv3d = _convolution_of(5, "convolution3d", "volumes")


def _pooled(cls, default, inputs, kernel_size, stride, padding, data_format, collections, scope):
    if data_format not in ("NDHWC", "NCDHW"):
        raise ValueError("data_format has to be either NCDHW or NDHWC.")
    with name_scope(scope, default) as opened:
        order = "channels_first" if data_format == "NCDHW" else "channels_last"
        made = cls(kernel_size, stride, padding, order, _scope=opened)
        return collect_output(made(convert_to_tensor(inputs)), collections, opened)


@add_arg_scope
def max_pool3d(inputs, kernel_size, stride=2, padding="VALID", data_format="NDHWC",
               outputs_collections=None, scope=None):  # fmt: skip
    """Returns the largest element of each window of volumes.

    Args:
        inputs: A tensor [batch, depth, height, width, channels].
        kernel_size: Size of the window: an int, or a list of ints.
        stride: Steps of the window: an int, or a list of ints.
        padding: A str: "SAME" or "VALID".
        data_format: A str: "NDHWC" or "NCDHW".
        outputs_collections: Collections that get the output, a list of str.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        ValueError: data_format is unknown.
    """
    return _pooled(MaxPooling3D, "MaxPool3D", inputs, kernel_size, stride, padding, data_format,
                   outputs_collections, scope)  # fmt: skip


@add_arg_scope
def avg_pool3d(inputs, kernel_size, stride=2, padding="VALID", data_format="NDHWC",
               outputs_collections=None, scope=None):  # fmt: skip
    """Computes the mean of each window of volumes.

    Args:
        inputs: A tensor [batch, depth, height, width, channels].
        kernel_size: Size of the window: an int, or a list of ints.
        stride: Steps of the window: an int, or a list of ints.
        padding: A str: "SAME" or "VALID".
        data_format: A str: "NDHWC" or "NCDHW".
        outputs_collections: Collections that get the output, a list of str.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        ValueError: data_format is unknown.
    """
    return _pooled(AveragePooling3D, "AvgPool3D", inputs, kernel_size, stride, padding,
                   data_format, outputs_collections, scope)  # fmt: skip


def _activated(name, activation):
    def function(inputs, num_outputs, **kwargs):
        return fully_connected(inputs, num_outputs, **{"activation_fn": activation, **kwargs})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Calls fully_connected() with the activation {name}.

    Args:
        inputs: A tensor [..., depth].
        num_outputs: How many outputs there are, an int.
        **kwargs: Further arguments of fully_connected().

    Returns:
        A tensor.
    """
    return function


elu, relu6 = _activated("elu", elu_of), _activated("relu6", relu6_of)
__all__ = """
    avg_pool3d conv1d conv3d convolution1d convolution3d elu max_pool3d relu6
""".split()
