# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers with the variables of cuDNN's: two biases, and sigmoids for the gates.

They have the numbers of cuDNN, and run on all devices.
"""

from ...ops import array as arrays
from ...ops.math.reductions import reduce_sum
from ..base.initializers import Ones
from ..engine.documents import described
from .cells import GRUCell, LSTMCell
from .recurrent import RNN

_OF_CELL = """
    units kernel_initializer recurrent_initializer bias_initializer kernel_regularizer
    recurrent_regularizer bias_regularizer kernel_constraint recurrent_constraint bias_constraint
""".split()
_OF_LAYER = "return_sequences return_state go_backwards stateful".split()


class _TwoBiases:
    """A cell with a bias of the inputs and, after it, one of the states."""

    def _bias_shape(self):
        return [2 * self.gates * self.units]

    def _value(self, name):
        value = super()._value(name)
        return self._joined(arrays.reshape(value, [2, -1])) if name == "bias" else value


class _CuDNNGRUCell(_TwoBiases, GRUCell):
    @staticmethod
    def _joined(biases):
        return biases


class _CuDNNLSTMCell(_TwoBiases, LSTMCell):
    @staticmethod
    def _joined(biases):
        return reduce_sum(biases, 0)

    def _bias_initializer(self):
        if not self.unit_forget_bias:
            return self.bias_initializer

        def initial(shape, dtype=None, **_):
            del shape
            first = self.bias_initializer([self.units * 5], dtype)
            rest = self.bias_initializer([self.units * 2], dtype)
            return arrays.concat([first, Ones()([self.units], dtype), rest], 0)

        return initial


class _CuDNN(RNN):
    """What the layers share."""

    def _begin_with(self, cell, given):
        """Initialises the layer around a cell, with the arguments of its constructor."""
        super().__init__(
            cell, activity_regularizer=given["activity_regularizer"],
            **{name: given[name] for name in _OF_LAYER}, **given["kwargs"],
        )  # fmt: skip
        self.supports_masking = False

    def call(self, inputs, mask=None, training=None, initial_state=None):
        mask = mask[0] if isinstance(mask, list) else mask
        if mask is not None:
            raise ValueError("Masking is not supported for CuDNN RNNs.")
        return super().call(inputs, training=training, initial_state=initial_state)

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def __getattr__(self, name):
        cell = vars(self).get("cell")
        if cell is not None and name in (*_OF_CELL, "unit_forget_bias"):
            return getattr(cell, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _of_cell(given, *more):
    return {name: given[name] for name in (*_OF_CELL, *more)}


@described("A layer of gated recurrent units with the variables of cuDNN's.")
class CuDNNGRU(_CuDNN):
    arguments = (*_OF_CELL, "activity_regularizer", *_OF_LAYER, "time_major")

    def __init__(self, units, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros",
                 kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, return_sequences=False, return_state=False,
                 go_backwards=False, stateful=False, **kwargs):  # fmt: skip
        given = locals()
        cell = _CuDNNGRUCell(
            recurrent_activation="sigmoid", reset_after=True, **_of_cell(given)
        )  # fmt: skip
        self._begin_with(cell, given)


@described("A layer of long short-term memory with the variables of cuDNN's.")
class CuDNNLSTM(_CuDNN):
    arguments = (*_OF_CELL, "unit_forget_bias", *CuDNNGRU.arguments[len(_OF_CELL) :])

    def __init__(self, units, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, return_sequences=False,
                 return_state=False, go_backwards=False, stateful=False, **kwargs):  # fmt: skip
        given = locals()
        cell = _CuDNNLSTMCell(
            recurrent_activation="sigmoid", **_of_cell(given, "unit_forget_bias")
        )  # fmt: skip
        self._begin_with(cell, given)


__all__ = ["CuDNNGRU", "CuDNNLSTM"]
