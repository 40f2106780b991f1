# SPDX-License-Identifier: Apache-2.0
"""Random numbers. With set_random_seed() or a seed of their own they are the same in every
session, and TensorFlow's."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.seeds import get_seed, set_random_seed
from .. import array as arrays
from .. import math, raw_ops
from ..building import shape_tensor, thin, with_names
from ..debug.checks import Assert


def uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    """Draws numbers that are evenly distributed in [minval, maxval).

    Args:
        shape: Shape of the result: a list of ints or a vector.
        minval: The low end, a number or a scalar.
        maxval: The high end, a number or a scalar. None: 1; integer dtypes require it.
        dtype: Dtype of the result: any floating-point dtype, int32 or int64.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        ValueError: maxval is not given for an integer dtype.

    Example:
        >>> x = sl.Session().run(sl.random_uniform([100], 5, 10, dtype=sl.int32))
        >>> x.min() >= 5 and x.max() < 10
        True
    """
    dtype = dtypes.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"there are no random numbers of {dtype.name}")
    if dtype.is_integer and maxval is None:
        raise ValueError(f"maxval must be given for {dtype.name}")
    with name_scope(name, "random_uniform") as scope:
        shape = shape_tensor(shape)
        low = convert_to_tensor(minval, dtype, "min")
        high = convert_to_tensor(1 if maxval is None else maxval, dtype, "max")
        seed, seed2 = get_seed(seed)
        if dtype.is_integer:
            return raw_ops.RandomUniformInt(
                shape=shape, minval=low, maxval=high, seed=seed, seed2=seed2, name=scope
            )
        unit = raw_ops.RandomUniform(shape=shape, dtype=dtype, seed=seed, seed2=seed2)
        return raw_ops.AddV2(x=unit * (high - low), y=low, name=scope)


def _normal(op, shape, mean, stddev, dtype, seed, name):
    with name_scope(name) as scope:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype, "mean")
        stddev = convert_to_tensor(stddev, dtype, "stddev")
        seed, seed2 = get_seed(seed)
        unit = raw_ops.apply_op(op, shape=shape, dtype=dtype, seed=seed, seed2=seed2)
        return raw_ops.AddV2(x=unit * stddev, y=mean, name=scope)


def normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Draws numbers from a normal distribution.

    Args:
        shape: Shape of the result: a list of ints or a vector.
        mean: The mean, a number or a tensor that is broadcast.
        stddev: The standard deviation, a number or a tensor that is broadcast.
        dtype: Dtype of the result, any floating-point dtype.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Example:
        >>> sl.random_normal([2, 3], stddev=0.1).shape.as_list()
        [2, 3]
    """
    name = name or "random_normal"
    return _normal("RandomStandardNormal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Draws numbers from a normal distribution; those beyond two standard deviations are drawn
    again.

    Args:
        shape: Shape of the result: a list of ints or a vector.
        mean: The mean, a number or a tensor that is broadcast.
        stddev: The standard deviation, a number or a tensor that is broadcast.
        dtype: Dtype of the result, any floating-point dtype.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Example:
        >>> x = sl.Session().run(sl.truncated_normal([100]))
        >>> abs(x).max() <= 2
        True
    """
    return _normal("TruncatedNormal", shape, mean, stddev, dtype, seed, name or "truncated_normal")


def shuffle(value, seed=None, name=None):
    """Puts the rows of a tensor in random order.

    Args:
        value: A tensor of any dtype.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of value.
    """
    seed, seed2 = get_seed(seed)
    return raw_ops.RandomShuffle(value=value, seed=seed, seed2=seed2, name=name)


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=None):
    """Draws class numbers with probabilities softmax(logits).

    Args:
        logits: A tensor [batch, classes] of any real dtype.
        num_samples: How many for each row, an int or an int32 scalar.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.
        output_dtype: Dtype of the result, int32 or int64. None: int64.

    Returns:
        A tensor [batch, num_samples].
    """
    with name_scope(name, "multinomial"):
        return _drawn_classes(logits, num_samples, seed, output_dtype)


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    """Draws class numbers with probabilities softmax(logits).

    Args:
        logits: A tensor [batch, classes] of any real dtype.
        num_samples: How many for each row, an int or an int32 scalar.
        dtype: Dtype of the result, int32 or int64. None: int64.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, num_samples].
    """
    with name_scope(name, "categorical"):
        return _drawn_classes(logits, num_samples, seed, dtype)


def _drawn_classes(logits, num_samples, seed, dtype):
    logits = convert_to_tensor(logits, name="logits")
    seed, seed2 = get_seed(seed)
    return raw_ops.Multinomial(
        logits=logits, num_samples=num_samples, seed=seed, seed2=seed2, output_dtype=dtype,
    )  # fmt: skip


def gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    """Draws numbers from gamma distributions.

    Args:
        shape: How many of each distribution, a list of ints or a vector.
        alpha: The shape parameters, a tensor.
        beta: The rates, a tensor that is broadcast with alpha. None: 1.
        dtype: Dtype of the result: float16, float32 or float64.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [shape..., shape of alpha / beta...].
    """
    seed, seed2 = get_seed(seed)
    with name_scope(name, "random_gamma"):
        alpha = convert_to_tensor(alpha, dtype)
        if beta is None:
            return raw_ops.RandomGamma(
                shape=shape_tensor(shape), alpha=alpha, seed=seed, seed2=seed2
            )
        beta = convert_to_tensor(beta, dtype)
        alpha = alpha + raw_ops.ZerosLike(x=beta)
        drawn = raw_ops.RandomGamma(shape=shape_tensor(shape), alpha=alpha, seed=seed, seed2=seed2)
        return raw_ops.Maximum(x=drawn / beta, y=dtypes.smallest_normal(dtype))


def poisson(lam, shape, dtype=dtypes.float32, seed=None, name=None):
    """Draws numbers from Poisson distributions.

    Args:
        lam: The rates, a tensor.
        shape: How many of each distribution, a list of ints or a vector.
        dtype: Dtype of the result.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [shape..., shape of lam...].
    """
    seed, seed2 = get_seed(seed)
    return raw_ops.RandomPoissonV2(
        shape=shape_tensor(shape), rate=lam, dtype=dtype, seed=seed, seed2=seed2, name=name
    )


# ---- the same numbers for the same seed (two ints), whatever ran before


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None):
    """Draws numbers that are evenly distributed. The same seed always gives the same numbers.

    Args:
        shape: Shape of the result: a list of ints or a vector.
        seed: Two integers, a list or a tensor [2].
        minval: The low end, a number or a scalar.
        maxval: The high end, a number or a scalar. None: 1; integer dtypes require it.
        dtype: Dtype of the result: any floating-point dtype, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        ValueError: maxval is not given for an integer dtype.
    """
    dtype = dtypes.as_dtype(dtype)
    shape = shape_tensor(shape)
    if dtype.is_integer:
        if maxval is None:
            raise ValueError(f"maxval must be given for {dtype.name}")
        return raw_ops.StatelessRandomUniformInt(
            shape=shape, seed=seed, minval=constant(minval, dtype), maxval=constant(maxval, dtype),
            name=name,
        )  # fmt: skip
    maxval = 1 if maxval is None else maxval
    with name_scope(name, "stateless_random_uniform"):
        unit = raw_ops.StatelessRandomUniform(shape=shape, seed=seed, dtype=dtype)
        return unit * (maxval - minval) + minval


def stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    """Draws numbers from a normal distribution. The same seed always gives the same numbers.

    Args:
        shape: Shape of the result: a list of ints or a vector.
        seed: Two integers, a list or a tensor [2].
        mean: The mean, a number.
        stddev: The standard deviation, a number.
        dtype: Dtype of the result, any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.
    """
    with name_scope(name, "stateless_random_normal"):
        unit = raw_ops.StatelessRandomNormal(shape=shape_tensor(shape), seed=seed, dtype=dtype)
        return unit * stddev + mean


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    """Draws numbers from a truncated normal distribution. The same seed always gives the same
    numbers.

    Args:
        shape: Shape of the result: a list of ints or a vector.
        seed: Two integers, a list or a tensor [2].
        mean: The mean, a number.
        stddev: The standard deviation, a number.
        dtype: Dtype of the result, any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.
    """
    with name_scope(name, "stateless_truncated_normal"):
        unit = raw_ops.StatelessTruncatedNormal(shape=shape_tensor(shape), seed=seed, dtype=dtype)
        return unit * stddev + mean


stateless_multinomial = thin(
    "StatelessMultinomial",
    "logits num_samples seed output_dtype=int64",
    """Draws class numbers with probabilities softmax(logits). The same seed always gives the same
    numbers.

    Args:
        seed: Two integers, a list or a tensor [2].
        output_dtype: Dtype of the result, int32 or int64.
    """,
)


def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    """Draws class numbers with probabilities softmax(logits). The same seed always gives the same
    numbers.

    Args:
        logits: A tensor [batch, classes] of any real dtype.
        num_samples: How many for each row, an int or an int32 scalar.
        seed: Two integers, a list or a tensor [2].
        dtype: Dtype of the result, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, num_samples].
    """
    return stateless_multinomial(logits, num_samples, seed, dtype, name)


def random_crop(value, size, seed=None, name=None):
    """Takes a part of a tensor at a random place.

    Args:
        value: A tensor of any dtype.
        size: Shape of the part, a list of ints or a vector.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of shape `size`.

    Raises:
        errors.InvalidArgumentError: In run(): value is smaller.
    """
    with name_scope(name, "random_crop") as scope:
        value = convert_to_tensor(value, name="value")
        size = convert_to_tensor(size, dtypes.int32, "size")
        shape = arrays.shape(value)
        check = Assert(
            math.reduce_all(shape >= size), ["Need value.shape >= size, got ", shape, size], 1000
        )
        with control_dependencies([check]):
            shape = arrays.identity(shape, "control_dependency")
        room = shape - size + 1
        place = uniform(arrays.shape(shape), maxval=2**31 - 1, dtype=dtypes.int32, seed=seed)
        return arrays.slice(value, place % room, size, scope)


__all__ = [*with_names(globals()), "get_seed", "set_random_seed"]
