# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells with few gates, and one that a search found."""

from ...ops import array as arrays
from ...ops import math
from ...ops.math.products import matmul
from ...ops.nn.activations import relu
from ...ops.nn.layers import bias_add
from ...ops.rnn.cells import LayerRNNCell, LSTMStateTuple, RNNCell
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable_scope, variable_scope
from .linear import Linear


def _depth(inputs):
    depth = inputs.shape.with_rank(2)[1].value
    if depth is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return depth


class _OneSizeCell(RNNCell):
    """A cell whose state and output have one size."""

    def __init__(self, num_units, initializer, forget_bias, reuse):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer = num_units, initializer
        self._forget_bias, self._linear = forget_bias, None

    @property
    def state_size(self):
        """The size of the state, an int."""
        return self._num_units

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_units

    def _mapped(self, inputs, state, count):
        """`count` parts of a linear map of the inputs and the state."""
        joined = arrays.concat([inputs, state], 1)
        if self._linear is None:
            self._linear = Linear([joined], count * self._num_units)
        return arrays.split(self._linear([joined]), count, axis=1)


class UGRNNCell(_OneSizeCell):
    """An update gate cell (Collins et al., 2016): its one gate keeps the old state.

    Args:
        num_units: Size of the state, an int.
        initializer: Initializer of the weights. None: that of the scope.
        forget_bias: Added to the gate, a float.
        activation: The activation, a function of a tensor.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
    """

    def __init__(self, num_units, initializer=None, forget_bias=1.0, activation=math.tanh,
                 reuse=None):  # fmt: skip
        super().__init__(num_units, initializer, forget_bias, reuse)
        self._activation = activation

    def call(self, inputs, state):
        _depth(inputs)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            g, c = self._mapped(inputs, state, 2)
            g = math.sigmoid(g + self._forget_bias)
            state = g * state + (1.0 - g) * self._activation(c)
            return state, state


class IntersectionRNNCell(_OneSizeCell):
    """An intersection cell (Collins et al., 2016): one gate keeps the state, one the inputs.

    Args:
        num_units: Size of the state, an int.
        num_in_proj: Given if the inputs have another size: they are mapped to num_units. None: they
            have that size.
        initializer: Initializer of the weights. None: that of the scope.
        forget_bias: Added to the gates, a float.
        y_activation: The activation of the output, a function of a tensor.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
    """

    def __init__(self, num_units, num_in_proj=None, initializer=None, forget_bias=1.0,
                 y_activation=relu, reuse=None):  # fmt: skip
        super().__init__(num_units, initializer, forget_bias, reuse)
        self._num_in_proj, self._y_activation, self._projection = num_in_proj, y_activation, None

    def call(self, inputs, state):
        depth = _depth(inputs)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            if depth != self._num_units:
                inputs = self._projected(inputs)
            gh, h, gy, y = self._mapped(inputs, state, 4)
            h, y = math.tanh(h), self._y_activation(y)
            gh, gy = (math.sigmoid(gate + self._forget_bias) for gate in (gh, gy))
            return gy * inputs + (1.0 - gy) * y, gh * state + (1.0 - gh) * h

    def _projected(self, inputs):
        if not self._num_in_proj:
            raise ValueError(
                "Must have input size == output size for Intersection RNN. To fix, num_in_proj "
                "should be set to num_units at cell init."
            )
        with variable_scope("in_projection"):
            if self._projection is None:
                self._projection = Linear([inputs], self._num_units)
            return self._projection([inputs])


class NASCell(LayerRNNCell):
    """A cell that a search among architectures found (Zoph and Le, 2016).

    Args:
        num_units: Size of the state, an int.
        num_proj: Size of the output after a projection, an int. None: no projection.
        use_bias: Whether there is a bias. A bool.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        **kwargs: As of Layer.
    """

    def __init__(self, num_units, num_proj=None, use_bias=False, reuse=None, **kwargs):
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias

    @property
    def state_size(self):
        """The size of the state, an LSTMStateTuple."""
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_units if self._num_proj is None else self._num_proj

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        depth, size = inputs_shape.with_rank(2)[1].value, 8 * self._num_units
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, size])
        self.kernel = self.add_variable("kernel", [depth, size])
        if self._use_bias:
            self.bias = self.add_variable("bias", [size], initializer=initializers.zeros())
        if self._num_proj is not None:
            self.projection_weights = self.add_variable(
                "projection_weights", [self._num_units, self._num_proj]
            )
        self.built = True

    def call(self, inputs, state):
        c, h = state
        from_h, from_x = matmul(h, self.recurrent_kernel), matmul(inputs, self.kernel)
        if self._use_bias:
            from_h = bias_add(from_h, self.bias)
        pairs = zip(arrays.split(from_x, 8, axis=1), arrays.split(from_h, 8, axis=1))
        x = [a * b if i == 3 else a + b for i, (a, b) in enumerate(pairs)]
        first = math.tanh(math.sigmoid(x[0]) * relu(x[1]))
        second = math.tanh(math.sigmoid(x[2]) + relu(x[3]))
        third = math.tanh(math.tanh(x[4]) * math.sigmoid(x[5]))
        fourth = math.sigmoid(math.tanh(x[6]) + math.sigmoid(x[7]))
        c = math.tanh(first + c) * second
        h = math.tanh(c * math.tanh(third + fourth))
        if self._num_proj is not None:
            h = matmul(h, self.projection_weights)
        return h, LSTMStateTuple(c, h)
