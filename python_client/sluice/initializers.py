"""Initial values of variables: each makes a function of (shape, dtype, ...)."""

import math as _math

import numpy as np

from . import arrays, dtypes, linalg, random
from .building import with_names
from .convert import constant as _constant


def zeros(dtype=dtypes.float32):
    """Zeros."""
    return lambda shape, dtype=dtype, **_: arrays.zeros(shape, dtype)


def ones(dtype=dtypes.float32):
    """Ones."""
    return lambda shape, dtype=dtype, **_: arrays.ones(shape, dtype)


def constant(value=0, dtype=dtypes.float32, verify_shape=False):
    """One value everywhere, or the values of an array; verify_shape: of the variable's shape."""

    def initial(shape, dtype=dtype, verify_shape=verify_shape, **_):
        return _constant(value, dtype, shape=shape, verify_shape=verify_shape)

    return initial


def random_uniform(minval=-0.05, maxval=0.05, seed=None, dtype=dtypes.float32):
    """Evenly distributed in [minval, maxval)."""

    def initial(shape, dtype=dtype, **_):
        return random.uniform(shape, minval, maxval, dtype, seed)

    return initial


def random_normal(mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
    """Of a normal distribution."""
    return lambda shape, dtype=dtype, **_: random.normal(shape, mean, stddev, dtype, seed)


def truncated_normal(mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
    """Of a normal distribution, within two standard deviations."""
    return lambda shape, dtype=dtype, **_: random.truncated_normal(shape, mean, stddev, dtype, seed)


def _fans(shape):
    """How many inputs and outputs an element of a weight of this shape has."""
    shape = list(shape)
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    field = _math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


def variance_scaling(scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None,
                     dtype=dtypes.float32):  # fmt: skip
    """Variance scale / n; n: "fan_in" inputs, "fan_out" outputs, "fan_avg" the mean of both.

    distribution: "truncated_normal" (or "normal"), "untruncated_normal", "uniform".
    """

    def initial(shape, dtype=dtype, **_):
        inputs, outputs = _fans(shape)
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


def uniform_unit_scaling(factor=1.0, seed=None, dtype=dtypes.float32):
    """Evenly distributed within sqrt(3 / inputs) * factor of zero: keeps the scale of what goes
    through (Sussillo and Abbott, 2014)."""

    def initial(shape, dtype=dtype, **_):
        inputs = max(1.0, float(np.prod(list(shape)[:-1])))
        limit = _math.sqrt(3 / inputs) * factor
        return random.uniform(shape, -limit, limit, dtype, seed)

    return initial


def glorot_uniform(seed=None, dtype=dtypes.float32):
    """Uniform within sqrt(6 / (inputs + outputs)) of zero (Glorot and Bengio, 2010)."""
    return variance_scaling(1.0, "fan_avg", "uniform", seed, dtype)


def glorot_normal(seed=None, dtype=dtypes.float32):
    """Truncated normal of variance 2 / (inputs + outputs) (Glorot and Bengio, 2010)."""
    return variance_scaling(1.0, "fan_avg", "truncated_normal", seed, dtype)


def he_normal(seed=None, dtype=dtypes.float32):
    """Truncated normal of variance 2 / inputs (He et al., 2015)."""
    return variance_scaling(2.0, "fan_in", "truncated_normal", seed, dtype)


def he_uniform(seed=None, dtype=dtypes.float32):
    """Uniform of variance 2 / inputs (He et al., 2015)."""
    return variance_scaling(2.0, "fan_in", "uniform", seed, dtype)


def lecun_normal(seed=None, dtype=dtypes.float32):
    """Truncated normal of variance 1 / inputs (LeCun et al., 1998)."""
    return variance_scaling(1.0, "fan_in", "truncated_normal", seed, dtype)


def lecun_uniform(seed=None, dtype=dtypes.float32):
    """Uniform of variance 1 / inputs (LeCun et al., 1998)."""
    return variance_scaling(1.0, "fan_in", "uniform", seed, dtype)


def identity(gain=1.0, dtype=dtypes.float32):
    """gain times the identity matrix, of any two sizes."""

    def initial(shape, dtype=dtype, **_):
        return linalg.eye(shape[0], shape[1], dtype=dtype) * gain

    return initial


def orthogonal(gain=1.0, seed=None, dtype=dtypes.float32):
    """gain times a matrix, of all but the last dimension by the last, with orthonormal rows or
    columns (Saxe et al., 2013)."""

    def initial(shape, dtype=dtype, **_):
        rows, columns = int(np.prod(shape[:-1])), shape[-1]
        size = [max(rows, columns), min(rows, columns)]
        q, r = linalg.qr(random.normal(size, dtype=dtype, seed=seed))
        d = linalg.diag_part(r)
        q = q * (d / abs(d))  # makes the distribution uniform
        q = linalg.matrix_transpose(q) if rows < columns else q
        return arrays.reshape(q, shape) * gain

    return initial


__all__ = with_names(globals())
