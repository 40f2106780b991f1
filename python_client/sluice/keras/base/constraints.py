# SPDX-License-Identifier: Apache-2.0
"""Constraints: functions of a variable that optimizers apply after an update."""

from ... import math
from ...ops.array import cast, reshape, stack
from ...ops.math.rounding import clip_by_value
from . import settings
from .serializing import deserialize_keras_object, find, serialize_keras_object


class Constraint:
    """A function of a variable's value. It is the base class of all constraints."""

    def __call__(self, w):
        return w

    def get_config(self):
        """Returns the arguments that make an equal constraint.

        Returns:
            A dict.
        """
        return dict(vars(self))


def _norms(w, axis):
    return math.sqrt(math.reduce_sum(math.square(w), axis, True))


class MaxNorm(Constraint):
    """Makes norms that are too large as large as allowed.

    Args:
        max_value: The largest norm, a float.
        axis: Dimension over which norms are computed, an int or a list of ints.
    """

    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        norms = _norms(w, self.axis)
        desired = clip_by_value(norms, 0.0, float(self.max_value))
        return w * (desired / (settings.epsilon() + norms))


class NonNeg(Constraint):
    """Replaces negative elements by 0."""

    def __call__(self, w):
        return w * cast(math.greater_equal(w, 0.0), settings.floatx())


class UnitNorm(Constraint):
    """Makes all norms 1.

    Args:
        axis: Dimension over which norms are computed, an int or a list of ints.
    """

    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        return w / (settings.epsilon() + _norms(w, self.axis))


class MinMaxNorm(Constraint):
    """Moves norms into a range.

    Args:
        min_value: The smallest norm, a float.
        max_value: The largest norm, a float.
        rate: How far norms move towards the range at each update, a float from 0 to 1.
        axis: Dimension over which norms are computed, an int or a list of ints.
    """

    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        norms = _norms(w, self.axis)
        desired = self.rate * clip_by_value(norms, float(self.min_value), float(self.max_value))
        desired = desired + (1 - self.rate) * norms
        return w * (desired / (settings.epsilon() + norms))


class RadialConstraint(Constraint):
    """Makes the kernels [size, size, inputs, outputs] of convolutions equal along circles around
    their centres: from the centre to the right edge, values are taken from the kernel."""

    def __call__(self, w):
        if w.shape.ndims != 4:
            raise ValueError(f"The weight tensor must be of rank 4, but is of shape: {w.shape}")
        height, width, channels, kernels = w.shape.as_list()
        w = reshape(w, [height, width, channels * kernels])
        parts = [self._circles(w[:, :, i]) for i in range(channels * kernels)]
        return reshape(stack(parts, -1), [height, width, channels, kernels])

    @staticmethod
    def _circles(kernel):
        size = kernel.shape.as_list()[0]
        centre = size // 2
        rings = [kernel[centre, centre + distance] for distance in range((size + 1) // 2)]
        if size % 2 == 0:
            rings = [kernel[centre, centre + distance] for distance in range(size // 2)]
        offset = 0 if size % 2 else 1
        rows = []
        for y in range(size):
            row = []
            for x in range(size):
                away = max(
                    max(y - centre, centre - offset - y), max(x - centre, centre - offset - x)
                )
                row.append(rings[away])
            rows.append(stack(row))
        return stack(rows)


radial_constraint = RadialConstraint
max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
_KNOWN = {
    "Constraint": Constraint, "MaxNorm": MaxNorm, "MinMaxNorm": MinMaxNorm, "NonNeg": NonNeg,
    "UnitNorm": UnitNorm, "max_norm": MaxNorm, "min_max_norm": MinMaxNorm, "non_neg": NonNeg,
    "unit_norm": UnitNorm, "RadialConstraint": RadialConstraint,
    "radial_constraint": RadialConstraint,
}  # fmt: skip
_NAMES = {**_KNOWN, "maxnorm": MaxNorm, "nonneg": NonNeg, "unitnorm": UnitNorm}


def serialize(constraint):
    """Describes a constraint.

    Args:
        constraint: The constraint.

    Returns:
        A dict of "class_name" and "config".
    """
    return serialize_keras_object(constraint)


def deserialize(config, custom_objects=None):
    """Makes the constraint that serialize() described.

    Args:
        config: The dict, or a name.
        custom_objects: A dict: name -> class, of the program. None: none.

    Returns:
        A constraint.

    Raises:
        ValueError: The name is not known.
    """
    return deserialize_keras_object(config, _NAMES, custom_objects, "constraint")


def get(identifier):
    """Returns the constraint that an argument stands for.

    Args:
        identifier: A name, a dict of serialize(), a function, or None.

    Returns:
        A constraint; None for None.

    Raises:
        ValueError: It stands for nothing.
    """
    return find(identifier, _NAMES, "constraint")


__all__ = [*_KNOWN, "deserialize", "get", "serialize"]
