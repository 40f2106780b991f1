# SPDX-License-Identifier: Apache-2.0
"""The older base class of Keras optimizers, which writes its updates itself."""

import numpy as np

from ...ops.differentiate import gradients
from ...ops.math import clipping
from ...ops.math.rounding import clip_by_value
from ..base.values import batch_get_value, batch_set_value


class Optimizer:
    """Base class of optimizers that define get_updates(loss, params), a list of operations.

    `updates` and `weights` are lists for what a subclass adds.

    Args:
        **kwargs: clipnorm: the largest norm of a gradient; clipvalue: the largest element of a
            gradient. Floats.

    Raises:
        TypeError: Another argument is given.
        ValueError: A number is below 0.
    """

    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            if name not in ("clipnorm", "clipvalue"):
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {name}")
            if value < 0:
                raise ValueError(f"Expected {name} >= 0, received: {value}")
        vars(self).update(kwargs)
        self.updates, self.weights = [], []

    def get_updates(self, loss, params):
        """Returns the operations of a step. Subclasses define it.

        Args:
            loss: The loss, a scalar.
            params: Variables to change, a list.
        """
        raise NotImplementedError

    def get_gradients(self, loss, params):
        """Adds operations that compute gradients.

        Args:
            loss: The loss, a scalar.
            params: Variables, a list.

        Returns:
            A list of tensors.

        Raises:
            ValueError: The loss does not depend on a variable.
        """
        found = gradients(loss, params)
        if any(gradient is None for gradient in found):
            raise ValueError(
                "An operation has `None` for gradient: the loss does not depend on a variable, or "
                "an operation between them has no gradient"
            )
        if hasattr(self, "clipnorm"):
            found = [clipping.clip_by_norm(g, self.clipnorm) for g in found]
        if hasattr(self, "clipvalue"):
            found = [clip_by_value(g, -self.clipvalue, self.clipvalue) for g in found]
        return found

    def get_weights(self):
        """Returns the values of `weights`, a list of arrays."""
        return batch_get_value(self.weights)

    def set_weights(self, weights):
        """Sets the values of `weights`.

        Args:
            weights: Arrays, a list, in the order of get_weights().

        Raises:
            ValueError: Their number or a shape is another one.
        """
        shapes = [np.shape(value) for value in self.get_weights()]
        given = [np.shape(value) for value in weights]
        if shapes != given:
            raise ValueError(f"the optimizer has weights of shapes {shapes}, not {given}")
        batch_set_value(list(zip(self.weights, weights)))

    def get_config(self):
        """Returns the arguments of the base class, a dict."""
        return {n: getattr(self, n) for n in ("clipnorm", "clipvalue") if hasattr(self, n)}

    @classmethod
    def from_config(cls, config):
        """Makes an optimizer of what get_config() returned.

        Args:
            config: The dict.
        """
        return cls(**config)
