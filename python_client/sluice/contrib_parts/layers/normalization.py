# SPDX-License-Identifier: Apache-2.0
"""Normalisation of each example by itself."""

from ...graph.convert import convert_to_tensor
from ...layers.contrib.scopes import add_arg_scope
from ...layers.contrib.variables import collect_output, collections_of, model_variable
from ...ops import array as arrays
from ...ops import math
from ...ops.nn.normalization import batch_normalization, moments
from ...ops.state.initializers import ones, zeros
from ...ops.state.variable_scope import variable_scope


def _parameters(size, dtype, parts, initializers, collections, trainable):
    """(beta, gamma): variables [size], or None."""
    found = []
    for name, wanted, first in (("beta", parts[0], zeros), ("gamma", parts[1], ones)):
        initializer = (initializers or {}).get(name, first())
        found.append(model_variable(
            name, [size], dtype, initializer, trainable=trainable,
            collections=collections_of(collections, name),
        ) if wanted else None)  # fmt: skip
    return found


@add_arg_scope
def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    """Scales along a dimension to the norm 1.

    Args:
        inputs: A tensor.
        dim: The dimension, an int.
        epsilon: Added to the squares of norms, a float.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tensor of the shape of inputs.

    Raises:
        ValueError: The rank is unknown, or the tensor does not have the dimension.
    """
    with variable_scope(scope, "UnitNorm"):
        rank = inputs.shape.ndims
        if not rank:
            raise ValueError("The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        squares = math.reduce_sum(math.square(inputs), dim, keepdims=True)
        return inputs / math.sqrt(epsilon + squares)


@add_arg_scope
def instance_norm(inputs, center=True, scale=True, epsilon=1e-6, activation_fn=None,
                  param_initializers=None, reuse=None, variables_collections=None,
                  outputs_collections=None, trainable=True, data_format="NHWC",
                  scope=None):  # fmt: skip
    """Normalises each channel of each example (Ulyanov et al., 2016).

    Args:
        inputs: A tensor [batch, ..., channels], or with "NCHW" [batch, channels, ...].
        center: Whether beta is added. A bool.
        scale: Whether it is multiplied by gamma. A bool.
        epsilon: Added to the variance, a float.
        activation_fn: A function of the output. None: none.
        param_initializers: Initializers, a dict of "beta" and "gamma".
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        variables_collections: Collections that get the variables, a list of str, or a dict.
        outputs_collections: Collections that get the output, a list of str.
        trainable: Whether optimizers change the variables by default. A bool.
        data_format: A str: "NHWC" or "NCHW".
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tensor of the shape of inputs.

    Raises:
        ValueError: data_format is unknown, or the rank or the number of channels.
    """
    inputs = convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope(scope, "InstanceNorm", reuse=reuse) as opened:
        axis = 1 if data_format == "NCHW" else rank - 1
        size = inputs.shape[axis].value
        if size is None:
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension.")
        beta, gamma = _parameters(
            size, inputs.dtype, (center, scale), param_initializers, variables_collections,
            trainable,
        )  # fmt: skip
        if data_format == "NCHW":
            wide = [1, size, *[1] * (rank - 2)]
            beta, gamma = (p if p is None else arrays.reshape(p, wide) for p in (beta, gamma))
        mean, variance = moments(inputs, [i for i in range(1, rank) if i != axis], keepdims=True)
        outputs = batch_normalization(
            inputs, mean, variance, beta, gamma, epsilon, name="instancenorm"
        )
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_output(outputs, outputs_collections, opened.name)


@add_arg_scope
def group_norm(inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True,
               scale=True, epsilon=1e-6, activation_fn=None, param_initializers=None, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True, scope=None,
               mean_close_to_zero=False):  # fmt: skip
    """Normalises groups of channels of each example (Wu and He, 2018).

    Args:
        inputs: A tensor.
        groups: How many groups there are, an int.
        channels_axis: The dimension of channels, an int.
        reduction_axes: The other dimensions that are normalised together, a list of ints.
        center: Whether beta is added. A bool.
        scale: Whether it is multiplied by gamma. A bool.
        epsilon: Added to the variance, a float.
        activation_fn: A function of the output. None: none.
        param_initializers: Initializers, a dict of "beta" and "gamma".
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        variables_collections: Collections that get the variables, a list of str, or a dict.
        outputs_collections: Collections that get the output, a list of str.
        trainable: Whether optimizers change the variables by default. A bool.
        scope: Name of the variable scope, a str. None: a default name.
        mean_close_to_zero: Accepted. It has no effect.

    Returns:
        A tensor of the shape of inputs.

    Raises:
        ValueError: A size is not known, or groups do not divide the channels.
    """
    inputs = convert_to_tensor(inputs)
    shape, axis, over = _checked(inputs, groups, channels_axis, reduction_axes)
    channels, dynamic = shape[axis], arrays.shape(inputs)
    sizes = [dynamic[i] if size is None else size for i, size in enumerate(shape)]
    split = [groups, channels // groups]
    wide = [*[1] * axis, *split, *[1] * (len(shape) - axis - 1)]
    parted = arrays.reshape(inputs, arrays.stack([*sizes[:axis], *split, *sizes[axis + 1 :]]))
    axes = [axis + 1, *(a + 1 if a > axis else a for a in over)]
    with variable_scope(scope, "GroupNorm", reuse=reuse) as opened:
        beta, gamma = (
            p if p is None else arrays.reshape(p, wide)
            for p in _parameters(
                channels, inputs.dtype, (center, scale), param_initializers,
                variables_collections, trainable,
            )
        )  # fmt: skip
        mean, variance = moments(parted, axes, keepdims=True)
        outputs = batch_normalization(parted, mean, variance, beta, gamma, epsilon)
        outputs = arrays.reshape(outputs, arrays.stack(sizes))
        outputs.set_shape(inputs.shape)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_output(outputs, outputs_collections, opened.name)


def _checked(inputs, groups, axis, over):
    """(sizes, dimension of channels, other dimensions that are normalised)."""
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    shape, axis = inputs.shape.as_list(), axis % rank
    channels, over = shape[axis], [a + rank if a < 0 else a for a in over]
    if channels is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {axis}.")
    for a in over:
        if a >= rank:
            raise ValueError("Axis is out of bounds.")
        if shape[a] is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {a}.")
        if a == axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels or channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    return shape, axis, over


__all__ = ["group_norm", "instance_norm", "unit_norm"]
