# SPDX-License-Identifier: Apache-2.0
"""Learning rates that fall with the step. All take the step as a tensor or variable and give a
scalar tensor of learning_rate's dtype, float32 for a number."""

import math as _math

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.building import with_names
from ..ops.functions.cond_and_while import cond
from ..ops.functions.loops import case
from ..ops.random import random


def _of(learning_rate, *numbers):
    """The rate, and the numbers as tensors of its dtype, in order."""
    rate = convert_to_tensor(learning_rate, name="initial_learning_rate")
    return (rate, *[arrays.cast(v, rate.dtype) for v in numbers])


def _part(step, steps, staircase):
    """The fraction of the decay that is done."""
    return math.floor(step / steps) if staircase else step / steps


def _raised_cosine(part):
    """1 + cos(pi * part)."""
    return 1.0 + math.cos(constant(_math.pi) * part)


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
        ValueError: A number is None.

    Example:
        >>> sl.Session().run(sl.train.exponential_decay(1.0, 10, 10, 0.5))
        0.5
    """
    with name_scope(name or "ExponentialDecay") as scope:
        rate, steps, decay, step = _of(learning_rate, decay_steps, decay_rate, global_step)
        part = _part(step, steps, staircase)
        return math.multiply(rate, math.pow(decay, part), scope)


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
        ValueError: A number is None.
    """
    decay = math.exp(math.negative(decay_rate))
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
        ValueError: A number is None.
    """
    with name_scope(name or "InverseTimeDecay") as scope:
        rate, steps, decay, step = _of(learning_rate, decay_steps, decay_rate, global_step)
        part = _part(step, steps, staircase)
        one = arrays.cast(constant(1), rate.dtype)
        return math.divide(rate, math.add(one, math.multiply(decay, part)), scope)


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
        ValueError: A number is None.
    """
    with name_scope(name or "PolynomialDecay") as scope:
        rate, end, power, step, steps = _of(
            learning_rate, end_learning_rate, power, global_step, decay_steps
        )
        if cycle:
            periods = cond(
                math.equal(step, 0), lambda: constant(1.0, rate.dtype),
                lambda: math.ceil(step / decay_steps),
            )  # fmt: skip
            steps = math.multiply(steps, periods)
        else:
            step = math.minimum(step, decay_steps)
        left = 1 - math.divide(step, steps)
        return math.add(math.multiply(rate - end, math.pow(left, power)), end, scope)


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
    bounds = [convert_to_tensor(b) for b in boundaries]
    values = [convert_to_tensor(v) for v in values]
    x = convert_to_tensor(x)
    kind = x.dtype.base_dtype
    for number, bound in enumerate(bounds):
        if bound.dtype == dtypes.int32 and kind == dtypes.int64:
            bounds[number] = arrays.cast(bound, kind)
        elif bound.dtype.base_dtype != kind:
            raise ValueError(
                f"Boundaries ({_said(bound)}) must have the same dtype as x ({_said(x)})."
            )
    for value in values:
        if value.dtype != values[0].dtype:
            raise ValueError(
                "Values must have elements all with the same dtype"
                f" ({_said(values[0])} vs {_said(value)})."
            )
    if len(values) != len(bounds) + 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    with name_scope(name or "PiecewiseConstant"):
        pairs = [(x <= bounds[0], lambda: values[0]), (x > bounds[-1], lambda: values[-1])]
        for low, high, value in zip(bounds, bounds[1:], values[1:]):
            pairs.append(((x > low) & (x <= high), lambda value=value: value))
        return case(pairs, lambda: values[0], exclusive=True)


def _said(tensor):
    return f"<dtype: '{tensor.dtype.name}'>"


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
        ValueError: A number is None.
    """
    with name_scope(name or "CosineDecay"):
        rate, steps, step = _of(learning_rate, decay_steps, global_step)
        step = math.minimum(step, steps)
        falling = 0.5 * _raised_cosine(step / steps)
        return math.multiply(rate, (1 - alpha) * falling + alpha)


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
        ValueError: A number is None.
    """
    with name_scope(name or "SGDRDecay") as scope:
        rate, steps, alpha, t_mul, m_mul, step = _of(
            learning_rate, first_decay_steps, alpha, t_mul, m_mul, global_step
        )
        done = step / steps

        def equal_runs():
            run = math.floor(done)
            return run, done - run

        def growing_runs():
            run = math.floor(math.log(1.0 - done * (1.0 - t_mul)) / math.log(t_mul))
            before = (1.0 - t_mul**run) / (1.0 - t_mul)
            return run, (done - before) / t_mul**run

        run, part = cond(math.equal(t_mul, 1.0), equal_runs, growing_runs)
        falling = 0.5 * m_mul**run * _raised_cosine(part)
        return math.multiply(rate, (1 - alpha) * falling + alpha, scope)


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
        ValueError: A number is None.
    """
    with name_scope(name or "LinearCosineDecay") as scope:
        return _linear_cosine(
            learning_rate, global_step, decay_steps, (), num_periods, alpha, beta, scope
        )


def _linear_cosine(rate, step, steps, noise, periods, alpha, beta, scope):
    """noise: () or (variance at the start, its decay)."""
    rate, steps, *noise, periods, alpha, beta, step = _of(
        rate, steps, *noise, periods, alpha, beta, step
    )
    step = math.minimum(step, steps)
    linear = (steps - step) / steps
    if noise:
        deviation = math.sqrt(noise[0] / math.pow(1.0 + step, noise[1]))
        linear += random.normal(linear.shape, stddev=deviation, dtype=rate.dtype)
    part = step / steps
    cosine = 0.5 * _raised_cosine(2.0 * periods * part)
    return math.multiply(rate, (alpha + linear) * cosine + beta, scope)


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
        ValueError: A number is None.
    """

    noise = initial_variance, variance_decay
    with name_scope(name or "NoisyLinearCosineDecay") as scope:
        return _linear_cosine(
            learning_rate, global_step, decay_steps, noise, num_periods, alpha, beta, scope
        )


__all__ = with_names(globals())
