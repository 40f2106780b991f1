# SPDX-License-Identifier: Apache-2.0
"""A function that is applied to one step of sequences after another."""

from ... import dtypes, nest
from ...ops import array as arrays
from ...ops.functions.cond_and_while import while_loop
from ...ops.list.tensor_array import TensorArray


def rnn(step_function, inputs, initial_states, go_backwards=False, mask=None, constants=None,
        unroll=False, input_length=None, time_major=False, zero_output_for_mask=False):  # fmt: skip
    """Applies a function to one step of sequences after another.

    Args:
        step_function: A function of a step [batch, ...] and a list of states that returns the
            output and the new states.
        inputs: The sequences, a tensor [batch, steps, ...] or a structure of tensors.
        initial_states: The states before the first step, a list of tensors.
        go_backwards: Whether the last step comes first. A bool.
        mask: Which steps count, a bool tensor [batch, steps]. None: all.
        constants: Tensors that come after the states, a list. None: none.
        unroll: Whether the steps are nodes of their own, not a loop. A bool.
        input_length: Accepted. The shape of the input says it.
        time_major: Whether the steps are dimension 0. A bool.
        zero_output_for_mask: Whether outputs of masked steps are 0, not those before. A bool.

    Returns:
        A tuple: the last output, all outputs, and the states after the last step.

    Raises:
        ValueError: It is unrolled, and the number of steps is not known.
    """
    del input_length
    flat = [x if time_major else _swapped(x) for x in nest.flatten(inputs)]
    flat = [arrays.reverse(x, [0]) if go_backwards else x for x in flat]
    if mask is not None:
        mask = mask if mask.dtype == dtypes.bool_ else arrays.cast(mask, dtypes.bool_)
        mask = mask if time_major else _swapped(mask)
        mask = arrays.reverse(mask, [0]) if go_backwards else mask
    more = list(constants or [])

    kinds = []  # of the output, a structure

    def step(parts, states):
        states = nest.pack_sequence_as(initial_states, states)
        states = [*states, *more] if more else states
        output, new = step_function(nest.pack_sequence_as(inputs, parts), states)
        kinds[:] = [nest.map_structure(lambda _: None, output)]
        return nest.flatten(output), nest.flatten(new)

    run = _unrolled if unroll else _looped
    last, outputs, states = run(
        step, flat, nest.flatten(initial_states), mask, zero_output_for_mask
    )
    outputs = outputs if time_major else [_swapped(x) for x in outputs]
    last, outputs = (nest.pack_sequence_as(kinds[0], found) for found in (last, outputs))
    return last, outputs, nest.pack_sequence_as(initial_states, states)


def _swapped(x):
    return arrays.transpose(x, [1, 0, *range(2, x.shape.ndims)])


def _kept(mask, new, old):
    """The new values where the step counts, else the old ones."""
    for _ in range(new.shape.ndims - mask.shape.ndims):
        mask = arrays.expand_dims(mask, -1)
    return arrays.where_v2(mask, new, old)


def _masked(mask, output, new, before, states, zero):
    if mask is None:
        return output, new
    before = [arrays.zeros_like(x) for x in output] if before is None or zero else before
    output = [_kept(mask, x, old) for x, old in zip(output, before)]
    return output, [_kept(mask, n, o) for n, o in zip(new, states)]


def _unrolled(step, flat, states, mask, zero):
    count = flat[0].shape.as_list()[0]
    if not count:
        raise ValueError(
            "Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential "
            "model, specify the time dimension by passing an `input_shape` or `batch_input_shape` "
            "argument to your first layer. If your first layer is an Embedding, you can also use "
            "the `input_length` argument.\n- If using the functional API, specify the time "
            "dimension by passing a `shape` or `batch_shape` argument to your Input layer."
        )
    outputs, output = [], None
    for t in range(count):
        before = output
        output, new = step([x[t] for x in flat], states)
        output, states = _masked(
            None if mask is None else mask[t], output, new, before, states, zero
        )
        outputs.append(output)
    return outputs[-1], [arrays.stack(list(part)) for part in zip(*outputs)], states


def _looped(step, flat, states, mask, zero):
    count = arrays.shape(flat[0])[0]
    sources = [TensorArray(x.dtype, count).unstack(x) for x in flat]
    masks = None if mask is None else TensorArray(dtypes.bool_, count).unstack(mask)
    firsts, _ = step([x[0] for x in flat], states)
    sizes, parts = [first.shape.as_list() for first in firsts], len(firsts)
    gathered = [TensorArray(first.dtype, count) for first in firsts]

    def body(t, *found):
        gathered, before, states = found[:parts], found[parts : 2 * parts], found[2 * parts :]
        output, new = step([source.read(t) for source in sources], list(states))
        now = None if masks is None else masks.read(t)
        output, new = _masked(now, output, new, before, states, zero)
        for value, old in zip(new, states):
            value.set_shape(old.shape)
        return (t + 1, *(g.write(t, x) for g, x in zip(gathered, output)), *output, *new)

    _, *found = while_loop(
        lambda t, *_: t < count, body,
        (0, *gathered, *(arrays.zeros_like(first) for first in firsts), *states),
    )  # fmt: skip
    outputs = [array.stack() for array in found[:parts]]
    for whole, last, own in zip(outputs, found[parts : 2 * parts], sizes):
        whole.set_shape([flat[0].shape.as_list()[0], *own])
        last.set_shape(own)
    return found[parts : 2 * parts], outputs, found[2 * parts :]
