# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks whose inputs a function makes, and those whose state outlives a step."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .. import math
from ..functions.cond_and_while import while_loop
from ..functions.structures import arrays_of, flatten, pack_as
from ..list.tensor_array import TensorArray
from ..state.variable_scope import variable_scope
from .rnn import static_rnn


def _mapped(function, structure):
    return pack_as(structure, iter([function(leaf) for leaf in flatten(structure)]))


def _through(finished, current, candidate):
    """`current` for the rows that are finished, else `candidate`; scalars have no rows."""
    kept = [
        new if new.shape.ndims == 0 else arrays.where(finished, old, new)
        for old, new in zip(flatten(current), map(convert_to_tensor, flatten(candidate)))
    ]
    return pack_as(candidate, iter(kept))


def _emitted(cell, emit_structure, state, batch):
    """(structure, arrays, zeros) of what steps emit: as the first call showed, or the outputs."""
    if emit_structure is None:
        structure, kind = cell.output_size, flatten(state)[0].dtype
        sizes = [(TensorShape(size).as_list(), kind) for size in flatten(structure)]
    else:
        structure = _mapped(convert_to_tensor, emit_structure)
        sizes = [(one.shape.as_list(), one.dtype) for one in flatten(structure)]
    known = batch if isinstance(batch, int) else None
    results = [
        TensorArray(kind, 0, dynamic_size=True, element_shape=[known, *size])
        for size, kind in sizes
    ]
    zeros = [arrays.zeros([batch, *size], kind) for size, kind in sizes]
    return structure, results, pack_as(structure, iter(zeros))


def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """Runs a recurrent cell in a loop of the graph; a function makes each input and state.

    loop_fn(time, cell_output, cell_state, loop_state) returns a tuple: which rows are finished, a
    bool tensor [batch]; the next input; the next state; what is emitted; and the next loop_state,
    or None. It is called first with time 0 and None for the others; then the state that it returns
    is the first one, and what it emits, or None, says of what dtypes and shapes (without the batch)
    emitted tensors are. Finished rows keep their state, and emit zeros.

    Args:
        cell: The cell, an RNNCell.
        loop_fn: The function.
        parallel_iterations: How many steps may run at the same time, an int. None: 32.
        swap_memory: Accepted. It has no effect.
        scope: Name of the variable scope, a str. None: "rnn".

    Returns:
        A tuple: the emitted tensors, a TensorArray or a structure of them; the last state; and the
        last loop_state.

    Raises:
        TypeError: loop_fn is not a function.
    """
    del swap_memory
    if not hasattr(cell, "zero_state"):
        raise TypeError(f"{cell!r} is not a cell of a recurrent network")
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn"):
        time = constant(0, dtypes.int32)
        finished, x, state, emit_structure, first_loop_state = loop_fn(time, None, None, None)
        x, state = _mapped(convert_to_tensor, x), _mapped(convert_to_tensor, state)
        batch = flatten(x)[0].shape[0].value
        batch = arrays.shape(flatten(x)[0])[0] if batch is None else batch
        structure, results, zeros = _emitted(cell, emit_structure, state, batch)
        loop_state = time if first_loop_state is None else first_loop_state

        def body(time, finished, x, results, state, loop_state):
            output, new_state = cell(x, state)
            now, x, new_state, emitted, new_loop_state = loop_fn(
                time + 1, output, new_state, loop_state
            )
            emitted = flatten(_through(finished, zeros, emitted))
            results = [one.write(time, value) for one, value in zip(results, emitted)]
            state = _through(finished, state, new_state)
            finished = math.logical_or(finished, now)
            loop_state = loop_state if new_loop_state is None else new_loop_state
            return [time + 1, finished, x, results, state, loop_state]

        *_, results, state, loop_state = while_loop(
            lambda time, finished, *_: math.logical_not(math.reduce_all(finished)), body,
            [time, convert_to_tensor(finished), x, results, state, loop_state],
            parallel_iterations=parallel_iterations or 32, return_same_structure=True,
        )  # fmt: skip
        results = pack_as(structure, iter(arrays_of(results)))
        return results, state, None if first_loop_state is None else loop_state


def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None,
                            scope=None):  # fmt: skip
    """Runs a recurrent cell along a list of inputs, from a saved state, and saves the last one.

    Args:
        cell: The cell, an RNNCell.
        inputs: A list of tensors [batch, ...], one for each step.
        state_saver: An object with the methods state(name), which returns a tensor, and
            save_state(name, value), which returns an Operation.
        state_name: Name of the state, a str; or names in the structure of the cell's state.
        sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch]. None:
            all.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tuple: a list of outputs, and the last state. The last output and the state are read after
        the state is saved.

    Raises:
        ValueError: The names have another structure than the state.
    """
    size = cell.state_size
    names, nested = flatten(state_name), isinstance(size, (list, tuple))
    if nested != isinstance(state_name, (list, tuple)) or len(names) != len(flatten(size)):
        raise ValueError(f"state_name {state_name} has another structure than the state, {size}")
    first = pack_as(size, iter([state_saver.state(name) for name in names]))
    outputs, state = static_rnn(cell, inputs, first, sequence_length=sequence_length, scope=scope)
    saved = [state_saver.save_state(*pair) for pair in zip(names, flatten(state))]
    with control_dependencies(saved):
        outputs[-1] = _mapped(arrays.identity, outputs[-1])
        return outputs, _mapped(arrays.identity, state)
