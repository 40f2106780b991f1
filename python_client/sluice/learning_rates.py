"""Learning rates that fall with the step. All take the step as a tensor or variable and give a
scalar tensor of learning_rate's dtype, float32 for a number."""

import math as _math

from . import arrays, math
from .building import with_names
from .convert import convert_to_tensor


def _of(learning_rate, global_step, *numbers):
    if global_step is None:
        raise ValueError("global_step must be given")
    rate = convert_to_tensor(learning_rate)
    rest = [arrays.cast(convert_to_tensor(v), rate.dtype) for v in (global_step, *numbers)]
    return (rate, *rest)


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                      name=None):  # fmt: skip
    """rate * decay_rate^(step / decay_steps); staircase: of the quotient rounded down."""
    rate, step, steps, decay = _of(learning_rate, global_step, decay_steps, decay_rate)
    part = math.floor(step / steps) if staircase else step / steps
    return math.multiply(rate, math.pow(decay, part), name)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                      name=None):  # fmt: skip
    """rate * e^(-decay_rate * step / decay_steps)."""
    decay = math.exp(math.negative(convert_to_tensor(decay_rate)))
    return exponential_decay(learning_rate, global_step, decay_steps, decay, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                       name=None):  # fmt: skip
    """rate / (1 + decay_rate * step / decay_steps)."""
    rate, step, steps, decay = _of(learning_rate, global_step, decay_steps, decay_rate)
    part = math.floor(step / steps) if staircase else step / steps
    return math.truediv(rate, 1 + decay * part, name)


def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0,
                     cycle=False, name=None):  # fmt: skip
    """From rate to end_learning_rate in decay_steps, as (1 - step / decay_steps)^power.

    cycle: then decay_steps doubles, and so on.
    """
    rate, step, steps, end = _of(learning_rate, global_step, decay_steps, end_learning_rate)
    if cycle:
        steps = steps * math.maximum(math.ceil(step / steps), 1)
    else:
        step = math.minimum(step, steps)
    return math.add((rate - end) * math.pow(1 - step / steps, power), end, name)


def piecewise_constant(x, boundaries, values, name=None):
    """values[0] while x <= boundaries[0], values[i] while x <= boundaries[i], else the last."""
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
    """Half a cosine from rate to alpha * rate (Loshchilov and Hutter, 2017)."""
    rate, step, steps = _of(learning_rate, global_step, decay_steps)
    falling = 0.5 * (1 + math.cos(_math.pi * math.minimum(step, steps) / steps))
    return math.multiply(rate, (1 - alpha) * falling + alpha, name)


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0,
                          alpha=0.0, name=None):  # fmt: skip
    """cosine_decay again and again, each time t_mul times as long, from m_mul times the rate."""
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
    """rate * ((alpha + linear) * cosine + beta) (Bello et al., 2017)."""
    rate, step, steps = _of(learning_rate, global_step, decay_steps)
    step = math.minimum(step, steps)
    linear = (steps - step) / steps
    cosine = 0.5 * (1 + math.cos(_math.pi * 2 * num_periods * step / steps))
    return math.multiply(rate, (alpha + linear) * cosine + beta, name)


__all__ = with_names(globals())
