"""Random numbers. With set_random_seed() or a seed of their own they are the same in every
session, and TensorFlow's."""

from . import dtypes, raw_ops
from .building import shape_tensor, thin, with_names
from .convert import constant, convert_to_tensor
from .graph import get_seed, name_scope, set_random_seed


def uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of [minval, maxval), evenly distributed; integer dtypes need maxval."""
    dtype = dtypes.as_dtype(dtype)
    seed, seed2 = get_seed(seed)
    shape = shape_tensor(shape)
    if dtype.is_integer:
        if maxval is None:
            raise ValueError(f"maxval must be given for {dtype.name}")
        return raw_ops.RandomUniformInt(
            shape=shape, minval=constant(minval, dtype), maxval=constant(maxval, dtype), seed=seed,
            seed2=seed2, name=name,
        )  # fmt: skip
    maxval = 1 if maxval is None else maxval
    with name_scope(name or "random_uniform"):
        low, high = convert_to_tensor(minval, dtype), convert_to_tensor(maxval, dtype)
        unit = raw_ops.RandomUniform(shape=shape, dtype=dtype, seed=seed, seed2=seed2)
        return unit * (high - low) + low


def _normal(op, shape, mean, stddev, dtype, seed, name):
    seed, seed2 = get_seed(seed)
    with name_scope(name):
        unit = raw_ops.apply_op(op, shape=shape_tensor(shape), dtype=dtype, seed=seed, seed2=seed2)
        return unit * stddev + mean


def normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of a normal distribution."""
    name = name or "random_normal"
    return _normal("RandomStandardNormal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of a normal distribution, drawn again beyond two standard deviations."""
    return _normal("TruncatedNormal", shape, mean, stddev, dtype, seed, name or "truncated_normal")


def shuffle(value, seed=None, name=None):
    """The rows of `value` in random order."""
    seed, seed2 = get_seed(seed)
    return raw_ops.RandomShuffle(value=value, seed=seed, seed2=seed2, name=name)


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=dtypes.int64):
    """Class numbers [batch, num_samples], drawn with probabilities softmax(logits)."""
    seed, seed2 = get_seed(seed)
    return raw_ops.Multinomial(
        logits=logits, num_samples=num_samples, seed=seed, seed2=seed2, output_dtype=output_dtype,
        name=name,
    )  # fmt: skip


def categorical(logits, num_samples, dtype=dtypes.int64, seed=None, name=None):
    """Class numbers [batch, num_samples], drawn with probabilities softmax(logits)."""
    return multinomial(logits, num_samples, seed, name, dtype)


def gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of gamma distributions, shape + shape of alpha / beta; beta: the rate, 1."""
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
    """Numbers of Poisson distributions of rates `lam`, shape + lam's shape."""
    seed, seed2 = get_seed(seed)
    return raw_ops.RandomPoissonV2(
        shape=shape_tensor(shape), rate=lam, dtype=dtype, seed=seed, seed2=seed2, name=name
    )


# ---- the same numbers for the same seed (two ints), whatever ran before


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None):
    """uniform() from `seed`, two integers."""
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
    """normal() from `seed`, two integers."""
    with name_scope(name, "stateless_random_normal"):
        unit = raw_ops.StatelessRandomNormal(shape=shape_tensor(shape), seed=seed, dtype=dtype)
        return unit * stddev + mean


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    """truncated_normal() from `seed`, two integers."""
    with name_scope(name, "stateless_truncated_normal"):
        unit = raw_ops.StatelessTruncatedNormal(shape=shape_tensor(shape), seed=seed, dtype=dtype)
        return unit * stddev + mean


stateless_multinomial = thin("StatelessMultinomial", "logits num_samples seed output_dtype=9",
                             "multinomial() from `seed`, two integers.")  # fmt: skip


def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    """categorical() from `seed`, two integers."""
    return stateless_multinomial(logits, num_samples, seed, dtype, name)


def random_crop(value, size, seed=None, name=None):
    """A part of `value` of shape `size` at a random place."""
    value, size = convert_to_tensor(value), convert_to_tensor(size, dtypes.int32)
    with name_scope(name, "random_crop"):
        room = raw_ops.Shape(input=value) - size + 1
        place = uniform(raw_ops.Shape(input=room), maxval=2**31 - 1, dtype=dtypes.int32, seed=seed)
        return raw_ops.Slice(input=value, begin=place % room, size=size)


__all__ = [*with_names(globals()), "get_seed", "set_random_seed"]
