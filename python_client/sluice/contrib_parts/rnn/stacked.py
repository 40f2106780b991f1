# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks of several layers, each of which runs in both directions."""

from ...ops import array as arrays
from ...ops.rnn.rnn import bidirectional_dynamic_rnn, static_bidirectional_rnn
from ...ops.state.variable_scope import variable_scope


def _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw):
    for cells, way in ((cells_fw, "fw"), (cells_bw, "bw")):
        if not cells:
            raise ValueError(f"Must specify at least one {way} cell for BidirectionalRNN.")
        if not isinstance(cells, list):
            raise ValueError(f"cells_{way} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for states, way in ((initial_states_fw, "fw"), (initial_states_bw, "bw")):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError(
                f"initial_states_{way} must be a list of state tensors (one per layer)."
            )


def _layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw):
    """(forward cell, backward cell, their first states) of each layer."""
    nothing = [None] * len(cells_fw)
    return zip(cells_fw, cells_bw, initial_states_fw or nothing, initial_states_bw or nothing)


def stack_bidirectional_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None,
                            initial_states_bw=None, dtype=None, sequence_length=None,
                            scope=None):  # fmt: skip
    """Runs layers of cells in both directions along a list of inputs.

    Args:
        cells_fw: The cells that run forward, a list: one for each layer.
        cells_bw: The cells that run backward, a list: one for each layer.
        inputs: A list of tensors [batch, ...], one for each step.
        initial_states_fw: The states of cells_fw at the start, a list. None: zeros.
        initial_states_bw: The states of cells_bw at the start, a list. None: zeros.
        dtype: Dtype of the states at the start, if they are not given.
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tuple: a list of joined outputs, and tuples of the last states of cells_fw and cells_bw.

    Raises:
        ValueError: Lists are missing, or have different lengths.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        pairs = _layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
        for i, (cell_fw, cell_bw, first_fw, first_bw) in enumerate(pairs):
            with variable_scope(f"cell_{i}") as opened:
                inputs, state_fw, state_bw = static_bidirectional_rnn(
                    cell_fw, cell_bw, inputs, first_fw, first_bw, dtype, sequence_length, opened
                )
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def stack_bidirectional_dynamic_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None,
                                    initial_states_bw=None, dtype=None, sequence_length=None,
                                    parallel_iterations=None, time_major=False, scope=None,
                                    swap_memory=False):  # fmt: skip
    """Runs layers of cells in both directions along the time dimension, in loops of the graph.

    Args:
        cells_fw: The cells that run forward, a list: one for each layer.
        cells_bw: The cells that run backward, a list: one for each layer.
        inputs: A tensor [batch, time, ...], or with time_major [time, batch, ...].
        initial_states_fw: The states of cells_fw at the start, a list. None: zeros.
        initial_states_bw: The states of cells_bw at the start, a list. None: zeros.
        dtype: Dtype of the states at the start, if they are not given.
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        parallel_iterations: How many steps may run at the same time, an int. None: 32.
        time_major: Whether time is the first dimension. A bool.
        scope: Name of the variable scope, a str. None: a default name.
        swap_memory: Accepted. It has no effect.

    Returns:
        A tuple: the joined outputs, and tuples of the last states of cells_fw and cells_bw.

    Raises:
        ValueError: Lists are missing, or have different lengths.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        pairs = _layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
        for i, (cell_fw, cell_bw, first_fw, first_bw) in enumerate(pairs):
            with variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = bidirectional_dynamic_rnn(
                    cell_fw, cell_bw, inputs, sequence_length=sequence_length,
                    initial_state_fw=first_fw, initial_state_bw=first_bw, dtype=dtype,
                    parallel_iterations=parallel_iterations, swap_memory=swap_memory,
                    time_major=time_major,
                )  # fmt: skip
                inputs = arrays.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return inputs, tuple(states_fw), tuple(states_bw)
