# SPDX-License-Identifier: Apache-2.0
"""A recurrent cell whose gates are normalised."""

from ...layers.contrib.normalization import layer_norm
from ...ops import array as arrays
from ...ops import math
from ...ops.math.products import matmul
from ...ops.nn.layers import bias_add, dropout
from ...ops.rnn.cells import LSTMStateTuple, RNNCell
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable, variable_scope


def normalized(value, scope, gain, shift, dtype=None):
    """Normalises each row, with variables that begin at given values.

    Args:
        value: A tensor [batch, size].
        scope: Name of the variable scope, a str.
        gain: First value of the factor, a float.
        shift: First value of what is added, a float.
        dtype: Dtype of the variables. None: that of the scope.

    Returns:
        A tensor of the shape of value.
    """
    shape = value.shape[-1:]
    with variable_scope(scope):
        get_variable("gamma", shape, dtype, initializer=initializers.constant(gain))
        get_variable("beta", shape, dtype, initializer=initializers.constant(shift))
    return layer_norm(value, reuse=True, scope=scope)


class LayerNormBasicLSTMCell(RNNCell):
    """A long short-term memory cell that normalises its gates and drops parts of the new state.

    The normalisation is that of Ba et al., 2016; what is dropped, that of Semeniuta et al., 2016.

    Args:
        num_units: Size of the state, an int.
        forget_bias: Added to the forget gate, a float.
        input_size: Accepted. It has no effect.
        activation: The activation, a function of a tensor.
        layer_norm: Whether gates are normalised. A bool.
        norm_gain: First value of the normalisation's factor, a float.
        norm_shift: First value of what the normalisation adds, a float.
        dropout_keep_prob: The probability that an element stays, a float or a scalar.
        dropout_prob_seed: Seed of what is dropped, an int. None: see set_random_seed().
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
    """

    def __init__(self, num_units, forget_bias=1.0, input_size=None, activation=math.tanh,
                 layer_norm=True, norm_gain=1.0, norm_shift=0.0, dropout_keep_prob=1.0,
                 dropout_prob_seed=None, reuse=None):  # fmt: skip
        super().__init__(_reuse=reuse)
        del input_size
        self._num_units, self._activation, self._forget_bias = num_units, activation, forget_bias
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    @property
    def state_size(self):
        """The size of the state, an LSTMStateTuple."""
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_units

    def _norm(self, value, scope):
        if not self._layer_norm:
            return value
        return normalized(value, scope, self._norm_gain, self._norm_shift, value.dtype)

    def _linear(self, joined):
        size = 4 * self._num_units
        kernel = get_variable("kernel", [joined.shape[-1], size], joined.dtype)
        product = matmul(joined, kernel)
        if self._layer_norm:
            return product
        return bias_add(product, get_variable("bias", [size], joined.dtype))

    def call(self, inputs, state):
        c, h = state
        gates = arrays.split(self._linear(arrays.concat([inputs, h], 1)), 4, axis=1)
        names = ("input", "transform", "forget", "output")
        i, j, f, o = (self._norm(gate, name) for gate, name in zip(gates, names))
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = dropout(g, self._keep_prob, seed=self._seed)
        c = c * math.sigmoid(f + self._forget_bias) + math.sigmoid(i) * g
        c = self._norm(c, "state")
        h = self._activation(c) * math.sigmoid(o)
        return h, LSTMStateTuple(c, h)
