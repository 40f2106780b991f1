# SPDX-License-Identifier: Apache-2.0
"""Learning rates that fall with the number of updates."""

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
    """

    def __init__(self, boundaries, values, name=None):
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step):
        kind = type(self.boundaries[0])
        bounds = [kind(b) for b in self.boundaries]
        if step.dtype.is_floating:
            bounds = [float(b) for b in bounds]
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
    return deserialize_keras_object(config, _KNOWN, custom_objects, "decay")


__all__ = ["LearningRateSchedule", *_KNOWN, "deserialize", "serialize"]
