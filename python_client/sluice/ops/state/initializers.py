# SPDX-License-Identifier: Apache-2.0
"""Initial values of variables: each makes a function of (shape, dtype, ...)."""

import functools as _functools
import inspect as _inspect
import math as _math

import numpy as np

from ... import dtypes
from ...graph.convert import constant as _constant
from .. import array as arrays
from .. import linalg, math
from ..building import with_names
from ..random import random


def _configured(saved_class):
    """A decorator: the initializers that a function makes have get_config(), as configurations of
    layers need it.

    Args:
        saved_class: Name of the class that a configuration has.
    """

    def decorate(make):
        signature = _inspect.signature(make)

        def config_of(args, kwargs):
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            config = {k: v for k, v in given.arguments.items() if k != "verify_shape"}
            return {**config, "dtype": dtypes.as_dtype(config["dtype"]).name}

        @_functools.wraps(make)
        def configured(*args, **kwargs):
            initial = make(*args, **kwargs)
            initial.saved_class = saved_class
            initial.get_config = lambda: config_of(args, kwargs)
            return initial

        configured.saved_class = saved_class  # it stands for an initializer of its defaults
        configured.get_config = lambda: config_of((), {})
        return configured

    return decorate


@_configured("Zeros")
def zeros(dtype=dtypes.float32):
    """Makes an initializer that returns zeros.

    Args:
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return lambda shape, dtype=dtype, partition_info=None, **_: arrays.zeros(shape, dtype)


@_configured("Ones")
def ones(dtype=dtypes.float32):
    """Makes an initializer that returns ones.

    Args:
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return lambda shape, dtype=dtype, partition_info=None, **_: arrays.ones(shape, dtype)


@_configured("Constant")
def constant(value=0, dtype=dtypes.float32, verify_shape=False):
    """Makes an initializer that returns given values.

    Args:
        value: A number, or an array with the values.
        dtype: Dtype of the variable, if nothing else says it.
        verify_shape: Whether an array must have the shape of the variable. A bool.

    Returns:
        A function of (shape, dtype) that returns a tensor.

    Example:
        >>> v = sl.get_variable("v", [2], initializer=sl.constant_initializer(3.0))
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     print(session.run(v))
        [3. 3.]
    """

    def initial(shape, dtype=dtype, partition_info=None, verify_shape=verify_shape, **_):
        return _constant(value, dtype, shape=shape, verify_shape=verify_shape)

    return initial


@_configured("RandomUniform")
def random_uniform(minval=0, maxval=None, seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers evenly distributed in [minval, maxval).

    Args:
        minval: The low end, a number.
        maxval: The high end, a number.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """

    def initial(shape, dtype=dtype, partition_info=None, **_):
        return random.uniform(shape, minval, maxval, dtype, seed)

    return initial


@_configured("RandomNormal")
def random_normal(mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers from a normal distribution.

    Args:
        mean: The mean, a number.
        stddev: The standard deviation, a number.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return lambda shape, dtype=dtype, partition_info=None, **_: random.normal(
        shape, mean, stddev, dtype, seed
    )


@_configured("TruncatedNormal")
def truncated_normal(mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers from a normal distribution within two standard
    deviations.

    Args:
        mean: The mean, a number.
        stddev: The standard deviation, a number.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return lambda shape, dtype=dtype, partition_info=None, **_: random.truncated_normal(
        shape, mean, stddev, dtype, seed
    )


def _fans(shape):
    """How many inputs and outputs an element of a weight of this shape has."""
    shape = list(shape)
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    field = _math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


@_configured("VarianceScaling")
def variance_scaling(scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None,
                     dtype=dtypes.float32):  # fmt: skip
    """Makes an initializer that draws numbers of variance scale / n.

    Args:
        scale: The factor, a float.
        mode: The meaning of n: "fan_in": inputs, "fan_out": outputs, "fan_avg": the mean of both.
        distribution: "truncated_normal" (or "normal"), "untruncated_normal" or "uniform".
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.

    Raises:
        ValueError: The scale is not positive, or the mode or the distribution is not known.
    """
    if scale <= 0.0:
        raise ValueError("`scale` must be positive float.")
    if mode not in ("fan_in", "fan_out", "fan_avg"):
        raise ValueError("Invalid `mode` argument:", mode)
    distribution = distribution.lower()
    if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
        raise ValueError("Invalid `distribution` argument:", distribution)

    def initial(shape, dtype=dtype, partition_info=None, **_):
        inputs, outputs = _fans(partition_info.full_shape if partition_info else shape)
        n = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[mode]
        variance = scale / max(1.0, n)
        if distribution == "uniform":
            limit = _math.sqrt(3 * variance)
            return random.uniform(shape, -limit, limit, dtype, seed)
        if distribution == "untruncated_normal":
            return random.normal(shape, 0.0, _math.sqrt(variance), dtype, seed)
        # The truncated normal's own deviation is 0.8796.
        deviation = _math.sqrt(variance) / 0.87962566103423978
        return random.truncated_normal(shape, 0.0, deviation, dtype, seed)

    return initial


@_configured("UniformUnitScaling")
def uniform_unit_scaling(factor=1.0, seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers evenly within sqrt(3 / inputs) * factor of zero
    (Sussillo and Abbott, 2014).

    Args:
        factor: The factor, a float.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """

    def initial(shape, dtype=dtype, partition_info=None, **_):
        whole = partition_info.full_shape if partition_info else shape
        inputs = max(1.0, float(np.prod(list(whole)[:-1])))
        limit = _math.sqrt(3 / inputs) * factor
        return random.uniform(shape, -limit, limit, dtype, seed)

    return initial


@_configured("GlorotUniform")
def glorot_uniform(seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers evenly within sqrt(6 / (inputs + outputs)) of zero
    (Glorot and Bengio, 2010).

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling(1.0, "fan_avg", "uniform", seed, dtype)


@_configured("GlorotNormal")
def glorot_normal(seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws truncated normal numbers of variance 2 / (inputs + outputs)
    (Glorot and Bengio, 2010).

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling(1.0, "fan_avg", "truncated_normal", seed, dtype)


def he_normal(seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws truncated normal numbers of variance 2 / inputs (He et al.,
    2015).

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling(2.0, "fan_in", "truncated_normal", seed, dtype)


def he_uniform(seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers evenly, of variance 2 / inputs (He et al., 2015).

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling(2.0, "fan_in", "uniform", seed, dtype)


def lecun_normal(seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws truncated normal numbers of variance 1 / inputs (LeCun et
    al., 1998).

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling(1.0, "fan_in", "truncated_normal", seed, dtype)


def lecun_uniform(seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws numbers evenly, of variance 1 / inputs (LeCun et al., 1998).

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """
    return variance_scaling(1.0, "fan_in", "uniform", seed, dtype)


@_configured("Identity")
def identity(gain=1.0, dtype=dtypes.float32):
    """Makes an initializer that returns the identity matrix.

    Args:
        gain: A factor, a float.
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """

    def initial(shape, dtype=dtype, partition_info=None, **_):
        if len(shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        return linalg.eye(shape[0], shape[1], dtype=dtype) * gain

    return initial


@_configured("Orthogonal")
def orthogonal(gain=1.0, seed=None, dtype=dtypes.float32):
    """Makes an initializer that draws matrices with orthonormal rows or columns (Saxe et al.,
    2013).

    Args:
        gain: A factor, a float.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dtype: Dtype of the variable, if nothing else says it.

    Returns:
        A function of (shape, dtype) that returns a tensor.
    """

    def initial(shape, dtype=dtype, partition_info=None, **_):
        del partition_info
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows, columns = int(np.prod(shape[:-1])), shape[-1]
        size = [max(rows, columns), min(rows, columns)]
        q, r = linalg.qr(random.normal(size, dtype=dtype, seed=seed))
        q = q * math.sign(linalg.tensor_diag_part(r))  # makes the distribution uniform
        q = linalg.matrix_transpose(q) if rows < columns else q
        return gain * arrays.reshape(q, shape)

    return initial


__all__ = with_names(globals())
