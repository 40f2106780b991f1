# SPDX-License-Identifier: Apache-2.0
"""Cells over sequences."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph
from .. import array as arrays
from ..functions.cond_and_while import while_loop
from ..functions.structures import flatten, pack_as
from ..list.tensor_array import TensorArray
from ..state.variable_scope import variable_scope
from .node_counts import NodeCounts


def _state_of(cell, initial_state, batch, dtype):
    if initial_state is not None:
        return initial_state
    if dtype is None:
        raise ValueError("without initial_state, dtype must be given")
    return cell.zero_state(batch, dtype)


def _kept(goes_on, new, old):
    """`new` for the rows where goes_on [batch], else `old`, of nested tensors. Scalars and
    TensorArrays have no rows: they are new."""
    pairs = zip(flatten(new), flatten(old))
    kept = [n if n.shape.ndims == 0 else arrays.where(goes_on, n, o) for n, o in pairs]
    return pack_as(new, iter(kept))


def _step(cell, inputs, state, time, lengths):
    """(output, state) of a step; past a sequence's length zeros, and the state as it was."""
    if lengths is None:
        return cell(inputs, state)
    goes_on = time < lengths
    output, new = cell(inputs, state)
    zeros = pack_as(output, iter([arrays.zeros_like(o) for o in flatten(output)]))
    return _kept(goes_on, output, zeros), _kept(goes_on, new, state)


def _lengths(sequence_length):
    if sequence_length is None:
        return None
    return arrays.cast(convert_to_tensor(sequence_length), dtypes.int32)


def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None,
                parallel_iterations=None, swap_memory=False, time_major=False,
                scope=None):  # fmt: skip
    """Runs a recurrent cell along the time dimension, in a loop of the graph.

    Args:
        cell: The cell, an RNNCell.
        inputs: A tensor [batch, time, ...], or with time_major [time, batch, ...].
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        initial_state: The state at the start. None: zeros.
        dtype: Dtype of the state at the start, if it is not given.
        parallel_iterations: How many steps may run at the same time, an int. None: 32.
        swap_memory: Accepted. It has no effect.
        time_major: Whether time is the first dimension. A bool.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tuple: the outputs [batch, time, ...], and the last state.

    Raises:
        ValueError: Neither initial_state nor dtype is given.
    """
    del swap_memory
    if not hasattr(cell, "zero_state"):
        raise TypeError(f"{cell!r} is not a cell of a recurrent network")
    with variable_scope(scope or "rnn"):
        inputs, counts = convert_to_tensor(inputs), NodeCounts(get_default_graph())
        rank = inputs.shape.ndims
        if not time_major:
            inputs = arrays.transpose(inputs, [1, 0, *range(2, rank)])
        steps, batch = inputs.shape[0].value, inputs.shape[1].value
        steps = arrays.shape(inputs)[0] if steps is None else steps
        batch = arrays.shape(inputs)[1] if batch is None else batch
        before_state = counts.so_far()
        state = _state_of(cell, initial_state, batch, dtype)
        state = pack_as(state, iter([convert_to_tensor(s) for s in flatten(state)]))
        of_state = counts.so_far() - before_state
        before_lengths = counts.so_far()
        lengths = _lengths(sequence_length)
        of_lengths = None if lengths is None else counts.so_far() - before_lengths
        rows = TensorArray(inputs.dtype, steps).unstack(inputs)
        size = cell.output_size
        kind = flatten(state)[0].dtype.base_dtype if dtype is None else dtypes.as_dtype(dtype)
        known = [inputs.shape[0].value, inputs.shape[1].value]
        results = [TensorArray(kind, steps) for _ in flatten(size)]

        def body(time, state, *written):
            x = rows.read(time)
            output, state = _step(cell, x, state, time, lengths)
            return [time + 1, state, *(w.write(time, o) for w, o in zip(written, flatten(output)))]

        counts.before_loop(time_major, of_lengths, known[1], len(results), of_state)
        _, state, *done = while_loop(
            lambda time, *_: time < steps, body, [0, state, *results],
            parallel_iterations=parallel_iterations or 32, return_same_structure=True,
        )  # fmt: skip
        counts.behind_loop(time_major, known, len(results))
        outputs = []
        for one in done:
            value = one.stack()
            value.set_shape([known[0], *value.shape.as_list()[1:]])
            if not time_major:
                value = arrays.transpose(value, [1, 0, *range(2, value.shape.ndims)])
            outputs.append(value)
        return pack_as(size, iter(outputs)), state


def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None,
               scope=None):  # fmt: skip
    """Runs a recurrent cell along a list of inputs. Each step has operations of its own.

    Args:
        cell: The cell, an RNNCell.
        inputs: A list of tensors [batch, ...], one for each step.
        initial_state: The state at the start. None: zeros.
        dtype: Dtype of the state at the start, if it is not given.
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tuple: a list of outputs, and the last state.

    Raises:
        ValueError: There are no inputs, or neither initial_state nor dtype is given.
    """
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise TypeError("inputs must be a list of at least one tensor")
    with variable_scope(scope or "rnn"):
        inputs = [convert_to_tensor(x) for x in inputs]
        batch = inputs[0].shape[0].value
        batch = arrays.shape(inputs[0])[0] if batch is None else batch
        state, outputs = _state_of(cell, initial_state, batch, dtype), []
        lengths = _lengths(sequence_length)
        for time, x in enumerate(inputs):
            output, state = _step(cell, x, state, time, lengths)
            outputs.append(output)
        return outputs, state


def _reversed(x, lengths, time, batch):
    if lengths is None:
        return arrays.reverse(x, [time])
    return arrays.reverse_sequence(x, lengths, seq_axis=time, batch_axis=batch)


def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None,
                              initial_state_fw=None, initial_state_bw=None, dtype=None,
                              parallel_iterations=None, swap_memory=False, time_major=False,
                              scope=None):  # fmt: skip
    """Runs two recurrent cells along the time dimension, one in each direction.

    Args:
        cell_fw: The cell from the start to the end, an RNNCell.
        cell_bw: The cell from the end to the start, an RNNCell.
        inputs: A tensor [batch, time, ...], or with time_major [time, batch, ...].
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        initial_state_fw: The state of cell_fw at the start. None: zeros.
        initial_state_bw: The state of cell_bw at the start. None: zeros.
        dtype: Dtype of the state at the start, if it is not given.
        parallel_iterations: How many steps may run at the same time, an int. None: 32.
        swap_memory: Accepted. It has no effect.
        time_major: Whether time is the first dimension. A bool.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tuple: a pair of outputs, and a pair of last states.
    """
    time, batch = (0, 1) if time_major else (1, 0)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            forward, state_fw = dynamic_rnn(
                cell_fw, inputs, sequence_length, initial_state_fw, dtype, parallel_iterations,
                swap_memory, time_major, fw,
            )  # fmt: skip
        with variable_scope("bw") as bw:
            inputs = _reversed(convert_to_tensor(inputs), sequence_length, time, batch)
            backward, state_bw = dynamic_rnn(
                cell_bw, inputs, sequence_length, initial_state_bw, dtype, parallel_iterations,
                swap_memory, time_major, bw,
            )  # fmt: skip
            backward = _reversed(backward, sequence_length, time, batch)
    return (forward, backward), (state_fw, state_bw)


def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None,
                             initial_state_bw=None, dtype=None, sequence_length=None,
                             scope=None):  # fmt: skip
    """Runs two recurrent cells along a list of inputs, one in each direction.

    Args:
        cell_fw: The cell from the start to the end, an RNNCell.
        cell_bw: The cell from the end to the start, an RNNCell.
        inputs: A list of tensors [batch, ...], one for each step.
        initial_state_fw: The state of cell_fw at the start. None: zeros.
        initial_state_bw: The state of cell_bw at the start. None: zeros.
        dtype: Dtype of the state at the start, if it is not given.
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tuple: a list of joined outputs, the last state of cell_fw, and that of cell_bw.
    """
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            forward, state_fw = static_rnn(
                cell_fw, inputs, initial_state_fw, dtype, sequence_length, fw
            )
        with variable_scope("bw") as bw:
            turned = _turned(inputs, sequence_length)
            backward, state_bw = static_rnn(
                cell_bw, turned, initial_state_bw, dtype, sequence_length, bw
            )
            backward = _turned(backward, sequence_length)
    both = [arrays.concat([f, b], 1) for f, b in zip(forward, backward)]
    return both, state_fw, state_bw


def _turned(inputs, lengths):
    if lengths is None:
        return list(reversed(inputs))
    return arrays.unstack(_reversed(arrays.stack(inputs), lengths, 0, 1))
