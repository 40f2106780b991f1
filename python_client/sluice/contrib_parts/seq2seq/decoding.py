# SPDX-License-Identifier: Apache-2.0
"""The loop that runs a decoder step by step."""

from ... import dtypes, nest
from ...graph.convert import constant, convert_to_tensor
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import static_value
from ...ops.functions.cond_and_while import while_loop
from ...ops.list.tensor_array import TensorArray
from ...ops.state.variable_scope import variable_scope
from ..rnn.shapes import transpose_batch_time
from .zeros import zeros_of


class Decoder:
    """The base class of decoders, which make a sequence step by step.

    A derived class defines batch_size, output_size, output_dtype, initialize(name), which returns a
    tuple (finished, first inputs, first state), step(time, inputs, state, name), which returns a
    tuple (outputs, next state, next inputs, finished), and, if it wants, finalize(outputs,
    final_state, sequence_lengths), which returns a tuple (outputs, final state).
    """

    @property
    def batch_size(self):
        """How many sequences, an int or an int32 scalar."""
        raise NotImplementedError

    @property
    def output_size(self):
        """The sizes of the outputs, a structure of ints or TensorShapes."""
        raise NotImplementedError

    @property
    def output_dtype(self):
        """The dtypes of the outputs, in the structure of output_size."""
        raise NotImplementedError

    def initialize(self, name=None):
        """Returns what the first step gets.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tuple: which sequences are finished, a bool tensor [batch]; the inputs; the state.
        """
        raise NotImplementedError

    def step(self, time, inputs, state, name=None):
        """Computes a step.

        Args:
            time: The number of the step, an int32 scalar.
            inputs: The inputs.
            state: The state.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tuple: outputs, the next state, the next inputs, and which sequences are finished, a
            bool tensor [batch].
        """
        raise NotImplementedError

    def finalize(self, outputs, final_state, sequence_lengths):
        """Changes what all steps gave.

        Args:
            outputs: The outputs [time, batch, ...].
            final_state: The last state.
            sequence_lengths: How many steps each sequence has.

        Returns:
            A tuple: the outputs and the last state.
        """
        raise NotImplementedError

    @property
    def tracks_own_finished(self):
        """Whether step() says of all sequences if they are finished. False: a sequence that was
        finished stays so."""
        return False


def dynamic_decode(decoder, output_time_major=False, impute_finished=False,
                   maximum_iterations=None, parallel_iterations=32, swap_memory=False, scope=None,
                   **kwargs):  # fmt: skip
    """Runs a decoder in a loop of the graph until all sequences are finished.

    Args:
        decoder: The Decoder.
        output_time_major: Whether time is the first dimension of the outputs. A bool.
        impute_finished: Whether finished sequences keep their state and have outputs of zeros. A
            bool.
        maximum_iterations: The most steps that run, an int or an int32 scalar. None: no limit.
        parallel_iterations: How many steps may run at the same time, an int.
        swap_memory: Accepted. It has no effect.
        scope: Name of the variable scope, a str. None: "decoder".
        **kwargs: Accepted. They have no effect.

    Returns:
        A tuple: the outputs [batch, time, ...] in the structure of output_size, the last state, and
        how many steps each sequence has, an int32 tensor [batch].

    Raises:
        TypeError: decoder is not a Decoder.
        ValueError: maximum_iterations is not a scalar.
    """
    del swap_memory, kwargs
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with variable_scope(scope, "decoder"):
        if maximum_iterations is not None:
            maximum_iterations = convert_to_tensor(maximum_iterations, dtypes.int32)
            if maximum_iterations.shape.ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        finished = convert_to_tensor(finished)
        if maximum_iterations is not None:
            finished = math.logical_or(finished, 0 >= maximum_iterations)
        lengths = arrays.zeros_like(finished, dtype=dtypes.int32)
        _, results, state, _, _, lengths = while_loop(
            lambda *values: math.logical_not(math.reduce_all(values[4])),
            _body_of(decoder, _zeros_of(decoder) if impute_finished else None),
            (constant(0, dtypes.int32), _arrays_for(decoder), state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations,
        )  # fmt: skip
        outputs = nest.map_structure(lambda array: array.stack(), results)
        try:
            outputs, state = decoder.finalize(outputs, state, lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


def _arrays_for(decoder):
    """Empty TensorArrays for the outputs."""
    batch = decoder.batch_size
    batch = batch if isinstance(batch, int) else static_value(convert_to_tensor(batch))

    def array(size, dtype):
        shape = None
        if isinstance(size, TensorShape) and size.ndims != 0:
            shape = TensorShape([None if batch is None else int(batch)]).concatenate(size)
        return TensorArray(dtype, 0, dynamic_size=True, element_shape=shape)

    return nest.map_structure(array, decoder.output_size, decoder.output_dtype)


def _zeros_of(decoder):
    return nest.map_structure(
        lambda size, dtype: zeros_of(decoder.batch_size, size, dtype),
        decoder.output_size, decoder.output_dtype,
    )  # fmt: skip


def _body_of(decoder, zeros):
    """The body of the loop. zeros: what finished sequences emit; None: what the decoder gives."""

    def body(time, results, state, inputs, finished, lengths):
        outputs, next_state, next_inputs, now = decoder.step(time, inputs, state)
        if not decoder.tracks_own_finished:
            now = math.logical_or(now, finished)
        longer = arrays.fill(arrays.shape(lengths), time + 1)
        lengths = arrays.where(math.logical_not(finished), longer, lengths)
        nest.assert_same_structure(state, next_state)
        nest.assert_same_structure(results, outputs)
        nest.assert_same_structure(inputs, next_inputs)
        if zeros is not None:
            outputs = nest.map_structure(
                lambda new, zero: arrays.where(finished, zero, new), outputs, zeros
            )
            next_state = nest.map_structure(
                lambda new, old: _through(finished, new, old), next_state, state
            )
        results = nest.map_structure(lambda array, out: array.write(time, out), results, outputs)
        return time + 1, results, next_state, next_inputs, now, lengths

    return body


def _through(finished, new, old):
    """`old` for the rows that are finished, else `new`; TensorArrays and scalars have no rows."""
    if isinstance(old, TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.shape.ndims == 0 else arrays.where(finished, old, new)
