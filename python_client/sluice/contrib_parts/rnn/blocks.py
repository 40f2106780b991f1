# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells that are one operation a step."""

from ...layers.input_spec import InputSpec
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.rnn.cells import LayerRNNCell, LSTMStateTuple
from ...ops.state import initializers


class PeepholeWeights:
    """The variables of an LSTM of one operation, which an LSTMCell has too."""

    def add_weights(self, depth):
        """Makes the variables.

        Args:
            depth: Size of the inputs, an int.
        """
        units = self._num_units
        self._kernel = self.add_variable("kernel", [depth + units, units * 4])
        self._bias = self.add_variable(
            "bias", [units * 4], initializer=initializers.constant(0.0)
        )
        self._diagonals = None
        if self._use_peephole:
            self._diagonals = [self.add_variable(f"w_{gate}_diag", [units]) for gate in "ifo"]
        self.built = True

    def weights_for(self, dtype):
        """The arguments of the operation that are variables or settings.

        Args:
            dtype: Dtype of the zeros that stand for missing peepholes.

        Returns:
            A dict.
        """
        zeros = None if self._diagonals else arrays.zeros([self._num_units], dtype)
        wci, wcf, wco = self._diagonals or [zeros] * 3
        return {
            "w": self._kernel, "b": self._bias, "wci": wci, "wcf": wcf, "wco": wco,
            "forget_bias": self._forget_bias, "use_peephole": self._use_peephole,
            "cell_clip": -1 if self._cell_clip is None else self._cell_clip,
        }  # fmt: skip


class LSTMBlockCell(PeepholeWeights, LayerRNNCell):
    """A long short-term memory cell whose step is one operation.

    Args:
        num_units: Size of the state, an int.
        forget_bias: Added to the forget gate, a float.
        cell_clip: The state is moved to within this bound, a float. None: no bound.
        use_peephole: Whether gates see the state of the cell. A bool.
        dtype: Dtype of the variables. None: that of the inputs.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str.
    """

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, dtype=None,
                 reuse=None, name="lstm_cell"):  # fmt: skip
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._use_peephole, self._cell_clip = use_peephole, cell_clip
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self):
        """The size of the state, an LSTMStateTuple."""
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_units

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        if not inputs_shape[1].value:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        self.add_weights(inputs_shape[1].value)

    def call(self, inputs, state):
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        c, h = state
        step = raw_ops.LSTMBlockCell(x=inputs, cs_prev=c, h_prev=h, **self.weights_for(self.dtype))
        return step.h, LSTMStateTuple(step.cs, step.h)


class GRUBlockCell(LayerRNNCell):
    """A gated recurrent unit whose step is one operation.

    Args:
        num_units: Size of the state, an int.
        cell_size: Older name of num_units.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str.

    Raises:
        ValueError: Both num_units and cell_size are given, or neither.
    """

    weight_names = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(self, num_units=None, cell_size=None, reuse=None, name="gru_cell"):
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self):
        """The size of the state, an int."""
        return self._cell_size

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._cell_size

    def build(self, input_shape):
        """Makes the variables.

        Args:
            input_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        if input_shape[1].value is None:
            raise ValueError("Expecting input_size to be set.")
        size = self._cell_size
        depth = input_shape[1].value + size
        gate, gate_bias, candidate, candidate_bias = self.weight_names
        self._gate_kernel = self.add_variable(gate, [depth, size * 2])
        self._gate_bias = self.add_variable(
            gate_bias, [size * 2], initializer=initializers.constant(1.0)
        )
        self._candidate_kernel = self.add_variable(candidate, [depth, size])
        self._candidate_bias = self.add_variable(
            candidate_bias, [size], initializer=initializers.constant(0.0)
        )
        self.built = True

    def call(self, inputs, h_prev):
        """Computes a step.

        Args:
            inputs: A tensor [batch, depth].
            h_prev: The state before the step, a tensor [batch, size].

        Returns:
            A tuple: the output and the new state, which are equal.

        Raises:
            ValueError: The state has another size.
        """
        size = h_prev.shape.with_rank(2)[1].value
        if size != self._cell_size:
            raise ValueError(
                f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {size}"
            )
        step = raw_ops.GRUBlockCell(
            x=inputs, h_prev=h_prev, w_ru=self._gate_kernel, w_c=self._candidate_kernel,
            b_ru=self._gate_bias, b_c=self._candidate_bias,
        )  # fmt: skip
        return step.h, step.h


class GRUBlockCellV2(GRUBlockCell):
    """A GRUBlockCell whose variables have the names of a GRUCell's.

    Args:
        num_units: Size of the state, an int.
        cell_size: Older name of num_units.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str.
    """

    weight_names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
