# SPDX-License-Identifier: Apache-2.0
"""Learning rates that fall with the step. All take the step as a tensor or variable and give a
scalar tensor of learning_rate's dtype, float32 for a number."""

import math as _math

from ..graph.convert import convert_to_tensor
from ..ops import array as arrays
from ..ops import math
from ..ops.building import with_names
from ..ops.random import random


def _of(learning_rate, global_step, *numbers):
    if global_step is None:
        raise ValueError("global_step must be given")
    rate = convert_to_tensor(learning_rate)
    rest = [arrays.cast(convert_to_tensor(v), rate.dtype) for v in (global_step, *numbers)]
    return (rate, *rest)


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                      name=None):  # fmt: skip
    """Computes learning_rate * decay_rate^(step / decay_steps).

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        decay_rate: The rate of the decay, a float.
        staircase: Whether the rate changes at full multiples of decay_steps only. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.

    Example:
        >>> sl.Session().run(sl.train.exponential_decay(1.0, 10, 10, 0.5))
        0.5
    """
    rate, step, steps, decay = _of(learning_rate, global_step, decay_steps, decay_rate)
    part = math.floor(step / steps) if staircase else step / steps
    return math.multiply(rate, math.pow(decay, part), name)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                      name=None):  # fmt: skip
    """Computes learning_rate * e^(-decay_rate * step / decay_steps).

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        decay_rate: The rate of the decay, a float.
        staircase: Whether the rate changes at full multiples of decay_steps only. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """
    decay = math.exp(math.negative(convert_to_tensor(decay_rate)))
    return exponential_decay(learning_rate, global_step, decay_steps, decay, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                       name=None):  # fmt: skip
    """Computes learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        decay_rate: The rate of the decay, a float.
        staircase: Whether the rate changes at full multiples of decay_steps only. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """
    rate, step, steps, decay = _of(learning_rate, global_step, decay_steps, decay_rate)
    part = math.floor(step / steps) if staircase else step / steps
    return math.realdiv(rate, 1 + decay * part, name)


def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0,
                     cycle=False, name=None):  # fmt: skip
    """Computes a rate that falls to end_learning_rate in decay_steps, as (1 - step /
    decay_steps)^power.

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        end_learning_rate: The rate at the end, a float.
        power: The power, a float.
        cycle: Whether decay_steps grows to the next multiple when the end is reached. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """
    rate, step, steps, end = _of(learning_rate, global_step, decay_steps, end_learning_rate)
    if cycle:
        steps = steps * math.maximum(math.ceil(step / steps), 1)
    else:
        step = math.minimum(step, steps)
    return math.add((rate - end) * math.pow(1 - step / steps, power), end, name)


def piecewise_constant(x, boundaries, values, name=None):
    """Returns values[0] while x <= boundaries[0], values[i] while x <= boundaries[i], else the last
    value.

    Args:
        x: The step, a scalar tensor or variable.
        boundaries: Steps in ascending order, a list of numbers.
        values: The rates, a list with one number more.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar.

    Raises:
        ValueError: values has another length.

    Example:
        >>> sl.Session().run(sl.train.piecewise_constant(7, [5, 10], [1.0, 0.5, 0.25]))
        0.5
    """
    if len(values) != len(boundaries) + 1:
        raise ValueError(f"{len(boundaries)} boundaries want one value more, got {len(values)}")
    x = convert_to_tensor(x)
    result = convert_to_tensor(values[-1])
    for bound, value in reversed(list(zip(boundaries, values))):
        below = x <= convert_to_tensor(bound, x.dtype)
        result = arrays.where(below, convert_to_tensor(value, result.dtype), result)
    return arrays.identity(result, name)


piecewise_constant_decay = piecewise_constant


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    """Computes a rate that falls along half a cosine (Loshchilov and Hutter, 2017).

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        alpha: The lowest rate as a fraction of learning_rate, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """
    rate, step, steps = _of(learning_rate, global_step, decay_steps)
    falling = 0.5 * (1 + math.cos(_math.pi * math.minimum(step, steps) / steps))
    return math.multiply(rate, (1 - alpha) * falling + alpha, name)


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0,
                          alpha=0.0, name=None):  # fmt: skip
    """Computes a rate that falls along half a cosine again and again.

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        first_decay_steps: How many steps the first decay takes, a number.
        t_mul: How many times as long each decay is as the one before, a float.
        m_mul: Factor of the rate at the start of each decay, a float.
        alpha: The lowest rate as a fraction of learning_rate, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """
    rate, step, steps = _of(learning_rate, global_step, first_decay_steps)
    done = step / steps
    if t_mul == 1.0:
        run = math.floor(done)
        part = done - run
    else:
        run = math.floor(math.log(1 - done * (1 - t_mul)) / _math.log(t_mul))
        before = (1 - math.pow(convert_to_tensor(t_mul, rate.dtype), run)) / (1 - t_mul)
        part = (done - before) / math.pow(convert_to_tensor(t_mul, rate.dtype), run)
    height = math.pow(convert_to_tensor(m_mul, rate.dtype), run)
    falling = 0.5 * height * (1 + math.cos(_math.pi * part))
    return math.multiply(rate, (1 - alpha) * falling + alpha, name)


def linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0,
                        beta=0.001, name=None):  # fmt: skip
    """Computes learning_rate * ((alpha + linear) * cosine + beta) (Bello et al., 2017).

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        num_periods: How many periods the cosine has, a float.
        alpha: Added to the linear part, a float.
        beta: Added to the product, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """
    return _linear_cosine(
        learning_rate, global_step, decay_steps, num_periods, alpha, beta, name, lambda _: 0.0
    )


def _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta, name, noise):
    """noise(step): what is added to the linear part."""
    rate, step, steps = _of(learning_rate, global_step, decay_steps)
    step = math.minimum(step, steps)
    linear = (steps - step) / steps + noise(step)
    cosine = 0.5 * (1 + math.cos(_math.pi * 2 * num_periods * step / steps))
    return math.multiply(rate, (alpha + linear) * cosine + beta, name)


def noisy_linear_cosine_decay(learning_rate, global_step, decay_steps, initial_variance=1.0,
                              variance_decay=0.55, num_periods=0.5, alpha=0.0, beta=0.001,
                              name=None):  # fmt: skip
    """Computes learning_rate * ((alpha + linear + noise) * cosine + beta) (Bello et al., 2017).

    The noise is normal, with the variance initial_variance / (1 + step)^variance_decay.

    Args:
        learning_rate: The rate at the start, a float or a scalar tensor.
        global_step: The step, a scalar tensor or variable.
        decay_steps: How many steps the decay takes, a number.
        initial_variance: The variance of the noise at the start, a float.
        variance_decay: How fast the variance falls, a float.
        num_periods: How many periods the cosine has, a float.
        alpha: Added to the linear part, a float.
        beta: Added to the product, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar of the dtype of learning_rate.

    Raises:
        ValueError: global_step is None.
    """

    def noise(step):
        variance = initial_variance / math.pow(1.0 + step, variance_decay)
        return random.normal([], stddev=math.sqrt(variance), dtype=step.dtype)

    return _linear_cosine(
        learning_rate, global_step, decay_steps, num_periods, alpha, beta, name, noise
    )


__all__ = with_names(globals())
