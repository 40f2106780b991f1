# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks that are called once for all steps; time is the first dimension."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...layers.input_spec import InputSpec
from ...layers.layer import Layer
from ...ops import array as arrays
from ...ops import math, raw_ops
from ...ops.rnn.cells import LSTMStateTuple
from ...ops.rnn.rnn import dynamic_rnn, static_rnn
from .blocks import PeepholeWeights


class FusedRNNCell:
    """The base class of networks that are called once for all steps.

    A derived class defines __call__(inputs, initial_state=None, dtype=None, sequence_length=None,
    scope=None). It returns the outputs [time, batch, size] and the last state.
    """

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        raise NotImplementedError


class FusedRNNCellAdaptor(FusedRNNCell):
    """A network that runs an RNNCell step by step.

    Args:
        cell: The cell, an RNNCell.
        use_dynamic_rnn: Whether the steps are a loop of the graph. False: each step has operations
            of its own. A bool.
    """

    def __init__(self, cell, use_dynamic_rnn=False):
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        is_list = isinstance(inputs, list)
        more = {"sequence_length": sequence_length, "initial_state": initial_state,
                "dtype": dtype, "scope": scope}  # fmt: skip
        if self._use_dynamic_rnn:
            inputs = arrays.stack(inputs) if is_list else inputs
            outputs, state = dynamic_rnn(self._cell, inputs, time_major=True, **more)
            return arrays.unstack(outputs) if is_list else outputs, state
        inputs = inputs if is_list else arrays.unstack(inputs)
        outputs, state = static_rnn(self._cell, inputs, **more)
        return outputs if is_list else arrays.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A network that runs another one from the last step to the first.

    Args:
        cell: The network, a FusedRNNCell.
    """

    def __init__(self, cell):
        self._cell = cell

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        outputs, state = self._cell(
            _reversed(inputs, sequence_length), initial_state=initial_state, dtype=dtype,
            sequence_length=sequence_length, scope=scope,
        )  # fmt: skip
        return _reversed(outputs, sequence_length), state


def _reversed(steps, lengths):
    if isinstance(steps, list):
        return list(reversed(steps))
    if lengths is None:
        return arrays.reverse(steps, [0])
    return arrays.reverse_sequence(steps, lengths, 0, 1)


class LSTMBlockWrapper(Layer):
    """The base class of LSTMs that are called once for all steps.

    A derived class defines num_units and _call_cell(inputs, initial_cell_state, initial_output,
    dtype, sequence_length). It returns the states and the outputs [time, batch, num_units].

    Args:
        trainable: Whether optimizers change the variables by default. A bool.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: As of Layer.
    """

    @property
    def num_units(self):
        """The size of the state, an int."""
        raise NotImplementedError

    def _call_cell(self, inputs, initial_cell_state, initial_output, dtype, sequence_length):
        raise NotImplementedError

    def call(self, inputs, initial_state=None, dtype=None, sequence_length=None):
        """Runs all steps.

        Args:
            inputs: A tensor [time, batch, depth].
            initial_state: The state at the start, a tuple of tensors [batch, num_units]. None:
                zeros.
            dtype: Dtype of the state at the start, if it is not given.
            sequence_length: How many steps each sequence has, an int32 or int64 tensor [batch].
                None: all.

        Returns:
            A tuple: the outputs [time, batch, num_units], and an LSTMStateTuple, the last state.

        Raises:
            ValueError: Neither initial_state nor dtype is given.
        """
        is_list = isinstance(inputs, list)
        inputs = arrays.stack(inputs) if is_list else inputs
        steps, batch = _size(inputs, 0), _size(inputs, 1)
        first_c, first_h = self._first_state(initial_state, dtype, batch)
        dtype = first_c.dtype if dtype is None else dtype
        if sequence_length is not None:
            sequence_length = convert_to_tensor(sequence_length)
        states, outputs = self._call_cell(inputs, first_c, first_h, dtype, sequence_length)
        if sequence_length is None:
            last = LSTMStateTuple(states[-1], outputs[-1])
        else:
            mask = arrays.transpose(arrays.sequence_mask(sequence_length, steps, dtype), [1, 0])
            outputs *= arrays.expand_dims(mask, -1)
            rows = arrays.range(batch, dtype=sequence_length.dtype)
            at = arrays.stack([sequence_length, rows], 1)
            last = LSTMStateTuple(*(
                arrays.gather_nd(arrays.concat([arrays.expand_dims(first, 0), rest], 0), at)
                for first, rest in ((first_c, states), (first_h, outputs))
            ))  # fmt: skip
        return arrays.unstack(outputs) if is_list else outputs, last

    def _first_state(self, initial_state, dtype, batch):
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = arrays.zeros(arrays.stack([batch, self.num_units]), dtype)
            return zeros, zeros
        if len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        return tuple(convert_to_tensor(part) for part in initial_state)


def _size(tensor, axis):
    known = tensor.shape.with_rank(3)[axis].value
    return arrays.shape(tensor)[axis] if known is None else known


class LSTMBlockFusedCell(PeepholeWeights, LSTMBlockWrapper):
    """A long short-term memory network that is one operation for all steps.

    Args:
        num_units: Size of the state, an int.
        forget_bias: Added to the forget gate, a float.
        cell_clip: The state is moved to within this bound, a float. None: no bound.
        use_peephole: Whether gates see the state of the cell. A bool.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        dtype: Dtype of the variables. None: that of the inputs.
        name: Name of the variable scope, a str.
    """

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, reuse=None,
                 dtype=None, name="lstm_fused_cell"):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._use_peephole, self._cell_clip = use_peephole, cell_clip
        self.input_spec = InputSpec(ndim=3)

    @property
    def num_units(self):
        """The size of the state, an int."""
        return self._num_units

    def build(self, input_shape):
        """Makes the variables.

        Args:
            input_shape: Shape of the input.
        """
        self.add_weights(input_shape[2].value)

    def _call_cell(self, inputs, initial_cell_state, initial_output, dtype, sequence_length):
        if sequence_length is None:
            steps = convert_to_tensor(_size(inputs, 0))
        else:
            steps = math.reduce_max(sequence_length)
        made = raw_ops.BlockLSTM(
            seq_len_max=arrays.cast(steps, dtypes.int64), x=inputs, cs_prev=initial_cell_state,
            h_prev=initial_output, **self.weights_for(dtype),
        )  # fmt: skip
        return made.cs, made.h
