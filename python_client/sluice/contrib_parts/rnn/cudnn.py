# SPDX-License-Identifier: Apache-2.0
"""Cells that compute what networks of cuDNN compute, step by step."""

from ... import modules
from ...ops import array as arrays
from ...ops import math
from ...ops.math.products import matmul
from ...ops.nn.layers import bias_add
from ...ops.rnn.rnn_cell import GRUCell
from ...ops.state import initializers
from .blocks import LSTMBlockCell


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """A long short-term memory cell whose step is one operation, without a forget bias.

    Args:
        num_units: Size of the state, an int.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
    """

    def __init__(self, num_units, reuse=None):
        super().__init__(num_units, forget_bias=0, reuse=reuse, name="cudnn_compatible_lstm_cell")


class CudnnCompatibleGRUCell(GRUCell):
    """A gated recurrent unit whose reset gate multiplies the state after its matrix.

    Args:
        num_units: Size of the state, an int.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        kernel_initializer: Initializer of the weights. None: the default one.
    """

    def __init__(self, num_units, reuse=None, kernel_initializer=None):
        super().__init__(num_units, reuse=reuse, kernel_initializer=kernel_initializer)

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        depth, units = self._depth(inputs_shape), self._num_units
        first, kernel = self._bias_initializer, self._kernel_initializer
        ones = first or initializers.constant(1.0, dtype=self.dtype)
        shape = [depth + units, 2 * units]
        self._gate_kernel = self.add_variable("gates/kernel", shape, initializer=kernel)
        self._gate_bias = self.add_variable("gates/bias", [2 * units], initializer=ones)
        kernels, biases = [], []
        for what, size in (("input", depth), ("hidden", units)):
            name = f"candidate/{what}_projection/kernel"
            kernels.append(self.add_variable(name, [size, units], initializer=kernel))
        for what in ("input", "hidden"):
            zeros = first or initializers.zeros(self.dtype)
            name = f"candidate/{what}_projection/bias"
            biases.append(self.add_variable(name, [units], initializer=zeros))
        self._of_inputs, self._of_state = zip(kernels, biases)
        self.built = True

    def call(self, inputs, state):
        gates = matmul(arrays.concat([inputs, state], 1), self._gate_kernel)
        r, u = arrays.split(math.sigmoid(bias_add(gates, self._gate_bias)), 2, axis=1)
        (kernel, bias), (own_kernel, own_bias) = self._of_inputs, self._of_state
        candidate = bias_add(matmul(inputs, kernel), bias)
        candidate = candidate + r * bias_add(matmul(state, own_kernel), own_bias)
        state = (1 - u) * self._activation(candidate) + u * state
        return state, state


module = modules.make(
    "contrib.cudnn_rnn",
    "Cells that compute what networks of cuDNN compute, step by step.",
    {
        "CudnnCompatibleGRUCell": CudnnCompatibleGRUCell,
        "CudnnCompatibleLSTMCell": CudnnCompatibleLSTMCell,
    },
)
