# SPDX-License-Identifier: Apache-2.0
"""Cells around another cell that let its inputs, or its earlier outputs, through."""

from ... import nest
from ...ops import array as arrays
from ...ops import math
from ...ops.nn.activations import softmax
from ...ops.nn.convolution import conv2d
from ...ops.nn.layers import xw_plus_b
from ...ops.rnn.around import SizedByInnerCell, assert_like_rnncell
from ...ops.rnn.cells import RNNCell
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable, variable_scope
from .linear import Linear


class AttentionCellWrapper(RNNCell):
    """A cell that gives another cell its inputs and an average of the last outputs.

    Weights of the average follow from the new state (Bahdanau et al., 2014).

    Args:
        cell: The cell, an RNNCell.
        attn_length: How many outputs are kept, an int.
        attn_size: Size of an output that is kept, an int. None: the output size of the cell.
        attn_vec_size: Size of the hidden layer that makes the weights, an int. None: attn_size.
        input_size: Size of the cell's inputs, an int. None: that of the inputs.
        state_is_tuple: Whether the state is a tuple. A bool.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.

    Raises:
        TypeError: cell is not an RNNCell.
        ValueError: attn_length is not positive, or state_is_tuple is False and the cell has a
            tuple.
    """

    def __init__(self, cell, attn_length, attn_size=None, attn_vec_size=None, input_size=None,
                 state_is_tuple=True, reuse=None):  # fmt: skip
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size "
                f"is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        self._cell, self._state_is_tuple, self._input_size = cell, state_is_tuple, input_size
        self._attn_length = attn_length
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._of_inputs = self._of_outputs = self._of_state = None

    @property
    def state_size(self):
        """The sizes of the cell's state, the average and the kept outputs: a tuple or their sum."""
        sizes = self._cell.state_size, self._attn_size, self._attn_size * self._attn_length
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._attn_size

    def call(self, inputs, state):
        if not self._state_is_tuple:
            sizes = [self._cell.state_size, self._attn_size, self._attn_size * self._attn_length]
            state = arrays.split(state, sizes, 1)
        own, average, kept = state
        kept = arrays.reshape(kept, [-1, self._attn_length, self._attn_size])
        if self._of_inputs is None:
            size = inputs.shape[1].value if self._input_size is None else self._input_size
            self._of_inputs = Linear([inputs, average], size)
        output, own = self._cell(self._of_inputs([inputs, average]), own)
        query = arrays.concat(nest.flatten(own), 1) if self._state_is_tuple else own
        average, kept = self._attention(query, kept)
        with variable_scope("attn_output_projection"):
            if self._of_outputs is None:
                self._of_outputs = Linear([output, average], self._attn_size)
            output = self._of_outputs([output, average])
        kept = arrays.concat([kept, arrays.expand_dims(output, 1)], 1)
        kept = arrays.reshape(kept, [-1, self._attn_length * self._attn_size])
        state = own, average, kept
        return output, state if self._state_is_tuple else arrays.concat(state, 1)

    def _attention(self, query, kept):
        """The average of what is kept, and what is kept but the oldest."""
        length, size, hidden = self._attn_length, self._attn_size, self._attn_vec_size
        with variable_scope("attention"):
            kernel = get_variable("attn_w", [1, 1, size, hidden])
            vector = get_variable("attn_v", [hidden])
            wide = arrays.reshape(kept, [-1, length, 1, size])
            features = conv2d(wide, kernel, [1, 1, 1, 1], "SAME")
            if self._of_state is None:
                self._of_state = Linear([query], hidden)
            asked = arrays.reshape(self._of_state([query]), [-1, 1, 1, hidden])
            scores = math.reduce_sum(vector * math.tanh(features + asked), [2, 3])
            weights = arrays.reshape(softmax(scores), [-1, length, 1, 1])
            average = arrays.reshape(math.reduce_sum(weights * wide, [1, 2]), [-1, size])
            return average, kept[:, 1:]


class HighwayWrapper(SizedByInnerCell):
    """A cell that mixes the inputs of another cell with its outputs (Srivastava et al., 2015).

    Args:
        cell: The cell, an RNNCell.
        couple_carry_transform_gates: Whether the gate of the outputs is one minus that of the
            inputs. A bool.
        carry_bias_init: First value of the bias of the gate of the inputs, a float.
    """

    def __init__(self, cell, couple_carry_transform_gates=True, carry_bias_init=1.0):
        super().__init__()
        self._cell, self._coupled = cell, couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def _gate(self, name, inputs, bias):
        size = inputs.shape.with_rank(2)[1].value
        weight = get_variable(name + "_w", [size, size])
        first = initializers.constant(bias)
        return math.sigmoid(
            xw_plus_b(inputs, weight, get_variable(name + "_b", [size], initializer=first))
        )

    def _mixed(self, inputs, outputs):
        carry = self._gate("carry", inputs, self._carry_bias_init)
        if self._coupled:
            return inputs * carry + outputs * (1 - carry)
        return inputs * carry + outputs * self._gate("transform", inputs, -self._carry_bias_init)

    def __call__(self, inputs, state, scope=None):
        outputs, state = self._cell(inputs, state, scope=scope)
        nest.assert_same_structure(inputs, outputs)
        nest.map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), inputs, outputs)
        return nest.map_structure(self._mixed, inputs, outputs), state
