# SPDX-License-Identifier: Apache-2.0
"""Learning rates that fall with the number of updates."""

import numbers

from ...graph.convert import convert_to_tensor
from ...training import learning_rates as functions
from ..base.serializing import deserialize_keras_object, serialize_keras_object


class LearningRateSchedule:
    """A learning rate as a function of the number of updates. Derived classes define __call__()."""

    def __call__(self, step):
        raise NotImplementedError(f"{type(self).__name__} does not define __call__()")

    def get_config(self):
        """Returns the arguments that make an equal schedule.

        Returns:
            A dict.
        """
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}

    @classmethod
    def from_config(cls, config):
        """Makes a schedule of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            A schedule.
        """
        return cls(**config)


class ExponentialDecay(LearningRateSchedule):
    """The learning rate initial_learning_rate * decay_rate ^ (step / decay_steps).

    Args:
        initial_learning_rate: The learning rate at first, a float.
        decay_steps: After how many steps it is decay_rate times as large, an int.
        decay_rate: The factor, a float.
        staircase: Whether step / decay_steps is rounded down. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.decay_rate, self.staircase, self.name = decay_rate, staircase, name

    def __call__(self, step):
        return functions.exponential_decay(
            self.initial_learning_rate, step, self.decay_steps, self.decay_rate, self.staircase,
            self.name or "ExponentialDecay",
        )  # fmt: skip


class InverseTimeDecay(LearningRateSchedule):
    """The learning rate initial_learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        initial_learning_rate: The learning rate at first, a float.
        decay_steps: How many steps count as one, an int.
        decay_rate: The factor, a float.
        staircase: Whether step / decay_steps is rounded down. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.decay_rate, self.staircase, self.name = decay_rate, staircase, name

    def __call__(self, step):
        return functions.inverse_time_decay(
            self.initial_learning_rate, step, self.decay_steps, self.decay_rate, self.staircase,
            self.name or "InverseTimeDecay",
        )  # fmt: skip


class PiecewiseConstantDecay(LearningRateSchedule):
    """A learning rate that is constant between bounds.

    Args:
        boundaries: The steps after which it changes, a list of ints.
        values: The learning rates, a list with one float more.
        name: Name of the operations, a str.

    Raises:
        ValueError: There is not one value more than boundaries.
    """

    def __init__(self, boundaries, values, name=None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step):
        step = step if hasattr(step, "dtype") else convert_to_tensor(step)
        if step.dtype.is_floating:
            bounds = [float(b) for b in self.boundaries]
        else:  # as a cast to the dtype of the step rounds them
            bounds = [b if isinstance(b, numbers.Integral) else int(b) for b in self.boundaries]
        return functions.piecewise_constant(
            step, bounds, self.values, self.name or "PiecewiseConstant"
        )


class PolynomialDecay(LearningRateSchedule):
    """A learning rate that falls to end_learning_rate as a power of the steps.

    Args:
        initial_learning_rate: The learning rate at first, a float.
        decay_steps: After how many steps it is the last one, an int.
        end_learning_rate: The learning rate at last, a float.
        power: The power, a float.
        cycle: Whether it begins anew after decay_steps. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, decay_steps, end_learning_rate=0.0001, power=1.0,
                 cycle=False, name=None):  # fmt: skip
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.end_learning_rate, self.power = end_learning_rate, power
        self.cycle, self.name = cycle, name

    def __call__(self, step):
        return functions.polynomial_decay(
            self.initial_learning_rate, step, self.decay_steps, self.end_learning_rate, self.power,
            self.cycle, self.name or "PolynomialDecay",
        )  # fmt: skip


class CosineDecay(LearningRateSchedule):
    """A learning rate that falls along half a cosine (Loshchilov and Hutter, 2017).

    Args:
        initial_learning_rate: The learning rate at first, a float.
        decay_steps: After how many steps it is the last one, an int.
        alpha: The last one as a fraction of the first, a float.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, decay_steps, alpha=0.0, name=None):
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.alpha, self.name = alpha, name

    def __call__(self, step):
        return functions.cosine_decay(
            self.initial_learning_rate, step, self.decay_steps, self.alpha,
            self.name or "CosineDecay",
        )  # fmt: skip


class CosineDecayRestarts(LearningRateSchedule):
    """A learning rate that falls along half a cosine again and again.

    Args:
        initial_learning_rate: The learning rate at first, a float.
        first_decay_steps: How many steps the first decay takes, an int.
        t_mul: How many times as long each decay is as the one before, a float.
        m_mul: Factor of the rate at the start of each decay, a float.
        alpha: The lowest rate as a fraction of the first, a float.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0,
                 name=None):  # fmt: skip
        self.initial_learning_rate, self.first_decay_steps = (
            initial_learning_rate, first_decay_steps,
        )  # fmt: skip
        self._t_mul, self._m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step):
        return functions.cosine_decay_restarts(
            self.initial_learning_rate, step, self.first_decay_steps, self._t_mul, self._m_mul,
            self.alpha, self.name or "SGDRDecay",
        )  # fmt: skip

    def get_config(self):
        return {**super().get_config(), "t_mul": self._t_mul, "m_mul": self._m_mul}


class LinearCosineDecay(LearningRateSchedule):
    """The learning rate initial_learning_rate * ((alpha + linear) * cosine + beta) (Bello et al.,
    2017).

    Args:
        initial_learning_rate: The learning rate at first, a float.
        decay_steps: How many steps the decay takes, an int.
        num_periods: How many periods the cosine has, a float.
        alpha: Added to the linear part, a float.
        beta: Added to the product, a float.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001,
                 name=None):  # fmt: skip
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.num_periods, self.alpha, self.beta = num_periods, alpha, beta
        self.name = name

    def __call__(self, step):
        return functions.linear_cosine_decay(
            self.initial_learning_rate, step, self.decay_steps, self.num_periods, self.alpha,
            self.beta, self.name or "LinearCosineDecay",
        )  # fmt: skip


class NoisyLinearCosineDecay(LearningRateSchedule):
    """The learning rate initial_learning_rate * ((alpha + linear + noise) * cosine + beta) (Bello
    et al., 2017). The noise is normal, with the variance initial_variance / (1 + step) ^
    variance_decay.

    Args:
        initial_learning_rate: The learning rate at first, a float.
        decay_steps: How many steps the decay takes, an int.
        initial_variance: The variance of the noise at first, a float.
        variance_decay: How fast the variance falls, a float.
        num_periods: How many periods the cosine has, a float.
        alpha: Added to the linear part, a float.
        beta: Added to the product, a float.
        name: Name of the operations, a str.
    """

    def __init__(self, initial_learning_rate, decay_steps, initial_variance=1.0,
                 variance_decay=0.55, num_periods=0.5, alpha=0.0, beta=0.001,
                 name=None):  # fmt: skip
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.initial_variance, self.variance_decay = initial_variance, variance_decay
        self.num_periods, self.alpha, self.beta = num_periods, alpha, beta
        self.name = name

    def __call__(self, step):
        return functions.noisy_linear_cosine_decay(
            self.initial_learning_rate, step, self.decay_steps, self.initial_variance,
            self.variance_decay, self.num_periods, self.alpha, self.beta,
            self.name or "NoisyLinearCosineDecay",
        )  # fmt: skip


EXPERIMENTAL = (CosineDecay, CosineDecayRestarts, LinearCosineDecay, NoisyLinearCosineDecay)
_KNOWN = {
    cls.__name__: cls
    for cls in (ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay, PolynomialDecay)
}


def serialize(learning_rate_schedule):
    """Describes a schedule.

    Args:
        learning_rate_schedule: The schedule.

    Returns:
        A dict of "class_name" and "config".
    """
    return serialize_keras_object(learning_rate_schedule)


def deserialize(config, custom_objects=None):
    """Makes the schedule that serialize() described.

    Args:
        config: The dict.
        custom_objects: A dict: name -> class, of the program. None: none.

    Returns:
        A schedule.

    Raises:
        ValueError: The name is not known.
    """
    known = {**_KNOWN, **{cls.__name__: cls for cls in EXPERIMENTAL}}
    return deserialize_keras_object(config, known, custom_objects, "decay")


__all__ = ["LearningRateSchedule", *_KNOWN, "deserialize", "serialize"]
