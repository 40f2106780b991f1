# SPDX-License-Identifier: Apache-2.0
"""A cell that reads a list of inputs, and one that writes a list of outputs."""

import copy

from ... import dtypes
from ...ops.rnn.rnn import static_rnn
from ...ops.state.variable_scope import get_variable_scope, variable_scope


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """Runs a cell along a list of inputs.

    Args:
        decoder_inputs: The inputs, a list of tensors [batch, size].
        initial_state: The state at the start.
        cell: The cell, an RNNCell.
        loop_function: A function of (last output, number of the step) that returns the input in
            place of the given one, for all steps but the first. None: none.
        scope: Name of the variable scope, a str. None: "rnn_decoder".

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "rnn_decoder"):
        state, outputs = initial_state, []
        for i, given in enumerate(decoder_inputs):
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    given = loop_function(outputs[-1], i)
            if i > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(given, state)
            outputs.append(output)
    return outputs, state


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=dtypes.float32, scope=None):
    """Reads a list of inputs by a copy of a cell, and writes by the cell from the state after it.

    Args:
        encoder_inputs: The inputs that are read, a list of tensors [batch, size].
        decoder_inputs: The inputs while it writes, a list of tensors [batch, size].
        cell: The cell, an RNNCell.
        dtype: Dtype of the first state.
        scope: Name of the variable scope, a str. None: "basic_rnn_seq2seq".

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None,
                     dtype=dtypes.float32, scope=None):  # fmt: skip
    """Reads a list of inputs and writes, by one cell.

    Args:
        encoder_inputs: The inputs that are read, a list of tensors [batch, size].
        decoder_inputs: The inputs while it writes, a list of tensors [batch, size].
        cell: The cell, an RNNCell.
        loop_function: As of rnn_decoder().
        dtype: Dtype of the first state.
        scope: Name of the variable scope, a str. None: "tied_rnn_seq2seq".

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, scope)
