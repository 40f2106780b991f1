# SPDX-License-Identifier: Apache-2.0
"""Regularizers: functions of a variable, or of an output, that return a loss."""

import numpy as np

from ... import math
from ...graph.convert import constant
from . import settings
from .serializing import deserialize_keras_object, find, serialize_keras_object


class Regularizer:
    """A function of a tensor that returns a loss. It is the base class of all regularizers."""

    def __call__(self, x):
        return 0.0

    @classmethod
    def from_config(cls, config):
        """Makes a regularizer of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            A regularizer.
        """
        return cls(**config)


class L1L2(Regularizer):
    """Returns l1 * sum(abs(x)) + l2 * sum(x^2).

    Args:
        l1: The factor of the absolute values, a float.
        l2: The factor of the squares, a float.
    """

    def __init__(self, l1=0.0, l2=0.0):
        kind = np.dtype(settings.floatx()).type
        self.l1, self.l2 = kind(l1), kind(l2)

    def __call__(self, x):
        if not self.l1 and not self.l2:
            return constant(0.0)
        loss = 0.0
        if self.l1:
            loss += self.l1 * math.reduce_sum(math.abs(x))
        if self.l2:
            loss += self.l2 * math.reduce_sum(math.square(x))
        return loss

    def get_config(self):
        """Returns the arguments that make an equal regularizer.

        Returns:
            A dict.
        """
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l=0.01):  # noqa: E741, TensorFlow's name
    """Makes a regularizer that returns l * sum(abs(x)).

    Args:
        l: The factor, a float.

    Returns:
        A regularizer.
    """
    return L1L2(l1=l)


def l2(l=0.01):  # noqa: E741, TensorFlow's name
    """Makes a regularizer that returns l * sum(x^2).

    Args:
        l: The factor, a float.

    Returns:
        A regularizer.
    """
    return L1L2(l2=l)


def l1_l2(l1=0.01, l2=0.01):
    """Makes a regularizer that returns l1 * sum(abs(x)) + l2 * sum(x^2).

    Args:
        l1: The factor of the absolute values, a float.
        l2: The factor of the squares, a float.

    Returns:
        A regularizer.
    """
    return L1L2(l1=l1, l2=l2)


_KNOWN = {"L1L2": L1L2, "l1": l1, "l2": l2, "l1_l2": l1_l2, "Regularizer": Regularizer}


def serialize(regularizer):
    """Describes a regularizer.

    Args:
        regularizer: The regularizer.

    Returns:
        A dict of "class_name" and "config".
    """
    return serialize_keras_object(regularizer)


def deserialize(config, custom_objects=None):
    """Makes the regularizer that serialize() described.

    Args:
        config: The dict, or a name.
        custom_objects: A dict: name -> class, of the program. None: none.

    Returns:
        A regularizer.

    Raises:
        ValueError: The name is not known.
    """
    return deserialize_keras_object(config, _KNOWN, custom_objects, "regularizer")


def get(identifier):
    """Returns the regularizer that an argument stands for.

    Args:
        identifier: A name, a dict of serialize(), a function, or None.

    Returns:
        A regularizer; None for None.

    Raises:
        ValueError: It stands for nothing.
    """
    if identifier in ("l1", "l2", "l1_l2"):
        return _KNOWN[identifier]()
    return find(identifier, _KNOWN, "regularizer")


__all__ = [*_KNOWN, "deserialize", "get", "serialize"]
