# SPDX-License-Identifier: Apache-2.0
"""Dropout of cells: the same elements in all steps."""

from ... import nn
from ...layers.choices import chosen
from ...ops import array as arrays
from ..base.arguments import drawn_seed
from .adopted import phase_of


def _dropout(x, rate):
    """Dropout with a seed that NumPy draws, so that its seed decides as in Keras."""
    return nn.dropout(x, rate=rate, seed=drawn_seed())


class DropoutRNNCellMixin:
    """Draws which elements of a cell's inputs and states are dropped.

    A class derives from this and from Layer, and has the attributes `dropout` and
    `recurrent_dropout`: the probability that an element is 0, a float.

    Args:
        *args: Arguments of the next class.
        **kwargs: Arguments of the next class.
    """

    def __init__(self, *args, **kwargs):
        self._masks = {}
        super().__init__(*args, **kwargs)

    def _drawn(self, x, rate, what, training, count):
        if what not in self._masks:
            ones = arrays.ones_like(x)
            self._masks[what] = [
                chosen(phase_of(training), lambda: _dropout(ones, rate), lambda: ones)
                for _ in range(count)
            ]
        return self._masks[what]

    def reset_dropout_mask(self):
        """Forgets which elements of inputs are dropped: the next call draws them anew."""
        self._masks.pop("input", None)

    def reset_recurrent_dropout_mask(self):
        """Forgets which elements of states are dropped: the next call draws them anew."""
        self._masks.pop("state", None)

    def get_dropout_mask_for_cell(self, inputs, training, count=1):
        """Returns what inputs are multiplied by, which is drawn once between two resets.

        Args:
            inputs: An input, a tensor.
            training: Whether it is training, a bool or a scalar. None: the learning phase says it.
            count: How many masks, an int.

        Returns:
            A tensor of the shape of inputs, a list if there are several; None: nothing is dropped.
        """
        if self.dropout == 0:
            return None
        masks = self._drawn(inputs, self.dropout, "input", training, count)
        return masks[0] if count == 1 else masks

    def get_recurrent_dropout_mask_for_cell(self, inputs, training, count=1):
        """Returns what states are multiplied by, which is drawn once between two resets.

        Args:
            inputs: A state, a tensor.
            training: As of get_dropout_mask_for_cell().
            count: How many masks, an int.

        Returns:
            As of get_dropout_mask_for_cell().
        """
        if self.recurrent_dropout == 0:
            return None
        masks = self._drawn(inputs, self.recurrent_dropout, "state", training, count)
        return masks[0] if count == 1 else masks
