# SPDX-License-Identifier: Apache-2.0
"""A cell that gives another cell its inputs and what attention reads of a memory."""

from collections import namedtuple

from ... import dtypes, nest
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape
from ...layers.dense import Dense
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import assert_equal
from ...ops.list.tensor_array import TensorArray
from ...ops.math.products import matmul
from ...ops.rnn.around import assert_like_rnncell
from ...ops.rnn.cells import RNNCell
from .mechanisms import AttentionMechanism
from .zeros import zeros_of

_TILED = (
    "Non-matching batch sizes between the memory (encoder output) and {}. Are you using the "
    "BeamSearchDecoder? You may need to tile it via tf.contrib.seq2seq.tile_batch with argument "
    "multiple=beam_width."
)


def hardmax(logits, name=None):
    """Computes one-hot vectors of the largest elements.

    Args:
        logits: A tensor [..., classes].
        name: Name of the operations, a str. None: "Hardmax".

    Returns:
        A tensor of the shape and dtype of logits.
    """
    with name_scope(name, "Hardmax"):
        logits = convert_to_tensor(logits, name="logits")
        depth = logits.shape[-1].value
        depth = arrays.shape(logits)[-1] if depth is None else depth
        return arrays.one_hot(math.argmax(logits, -1), depth, dtype=logits.dtype)


class AttentionWrapperState(
    namedtuple(
        "AttentionWrapperState",
        "cell_state attention time alignments alignment_history attention_state",
    )
):
    """The state of an AttentionWrapper: a tuple.

    Args:
        cell_state: The state of the inner cell.
        attention: What attention read in the last step, a tensor [batch, size].
        time: The number of the step, an int32 scalar.
        alignments: How much each step of the memory counted, a tensor [batch, time], or a tuple.
        alignment_history: The alignments of all steps, a TensorArray, or a tuple.
        attention_state: The state of the attention, or a tuple.
    """

    def clone(self, **kwargs):
        """Copies the state with some other parts.

        Args:
            **kwargs: The other parts.

        Returns:
            An AttentionWrapperState.

        Raises:
            ValueError: A part has another shape.
        """
        return nest.map_structure(_of_same_shape, self, self._replace(**kwargs))


def _of_same_shape(old, new):
    if isinstance(old, Tensor) and isinstance(new, Tensor):
        old.shape.assert_is_compatible_with(new.shape)
        new.set_shape(old.shape)
    return new


def _read(mechanism, query, state, layer):
    """(attention, alignments, next state) of a mechanism."""
    alignments, state = mechanism(query, state=state)
    context = matmul(arrays.expand_dims(alignments, 1), mechanism.values)
    context = arrays.squeeze(context, [1])
    if layer is not None:
        context = layer(arrays.concat([query, context], 1))
    return context, alignments, state


def _joined(inputs, attention):
    return arrays.concat([inputs, attention], -1)


class AttentionWrapper(RNNCell):
    """A cell that gives another cell its inputs and what attention read in the step before.

    Args:
        cell: The cell, an RNNCell.
        attention_mechanism: The AttentionMechanism, or a list of them.
        attention_layer_size: Size of a layer that makes the attention of the output and what was
            read, an int, or a list of them. None: no layer.
        alignment_history: Whether the state keeps the alignments of all steps. A bool.
        cell_input_fn: A function of (inputs, attention) that returns the inputs of the cell. None:
            both side by side.
        output_attention: Whether the output is the attention. False: the output of the cell. A
            bool.
        initial_cell_state: The state of the cell in zero_state(). None: zeros.
        name: Name of the variable scope, a str. None: the class's name.
        attention_layer: The layer, or a list of them, in place of attention_layer_size.
        attention_fn: A function of (mechanism, output of the cell, state of the mechanism, layer)
            that returns a tuple (attention, alignments, next state). None: the usual one.
        dtype: Dtype of the variables. None: that of the inputs.

    Raises:
        TypeError: An argument is of another class.
        ValueError: Both layers and their sizes are given, or there are fewer than mechanisms.
    """

    def __init__(self, cell, attention_mechanism, attention_layer_size=None,
                 alignment_history=False, cell_input_fn=None, output_attention=True,
                 initial_cell_state=None, name=None, attention_layer=None, attention_fn=None,
                 dtype=None):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for one in mechanisms:
            if not isinstance(one, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must be an AttentionMechanism or list of multiple "
                    f"AttentionMechanism instances, saw type: {type(one).__name__}"
                )
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(
                f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}"
            )
        self._cell, self._attention_mechanisms = cell, mechanisms
        self._cell_input_fn, self._attention_fn = cell_input_fn or _joined, attention_fn or _read
        self._output_attention, self._alignment_history = output_attention, alignment_history
        self._choose_layers(attention_layer_size, attention_layer)
        self._initial_cell_state = None
        if initial_cell_state is not None:
            with name_scope(name, "AttentionWrapperInit"):
                batch = arrays.shape(nest.flatten(initial_cell_state)[-1])[0]
                self._initial_cell_state = self._checked(batch, initial_cell_state, "the state")

    def _choose_layers(self, sizes, layers):
        mechanisms = self._attention_mechanisms
        if sizes is not None and layers is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        given = sizes if layers is None else layers
        if given is None:
            self._attention_layers = None
            self._attention_layer_size = sum(one.values.shape[-1].value for one in mechanisms)
            return
        given = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        if len(given) != len(mechanisms):
            raise ValueError(
                "If provided, attention_layer and attention_layer_size must contain exactly one "
                f"item per attention_mechanism, saw: {len(given)} vs {len(mechanisms)}"
            )
        if layers is None:
            self._attention_layer_size = sum(given)
            given = tuple(
                Dense(size, use_bias=False, name="attention_layer", dtype=one.dtype)
                for size, one in zip(given, mechanisms)
            )
        else:
            widths = [self._cell.output_size + one.values.shape[-1].value for one in mechanisms]
            shapes = [layer.compute_output_shape([None, w]) for layer, w in zip(given, widths)]
            self._attention_layer_size = sum(TensorShape(s)[-1].value for s in shapes)
        self._attention_layers = given

    def _checked(self, batch, tensors, what):
        """The tensors, after a check that memories have `batch` rows."""
        message = f"AttentionWrapper {self._base_name}: " + _TILED.format(what)
        checks = [
            assert_equal(batch, one.batch_size, message=message)
            for one in self._attention_mechanisms
        ]
        with control_dependencies([check for check in checks if check is not None]):
            return nest.map_structure(arrays.identity, tensors)

    def _item_or_tuple(self, items):
        items = tuple(items)
        return items if self._is_multi else items[0]

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self):
        """The sizes of the state, an AttentionWrapperState."""
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size, time=TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(one.alignments_size for one in mechanisms),
            attention_state=self._item_or_tuple(one.state_size for one in mechanisms),
            alignment_history=self._item_or_tuple(
                one.alignments_size if self._alignment_history else () for one in mechanisms
            ),
        )  # fmt: skip

    def zero_state(self, batch_size, dtype):
        """Returns the state before the first step.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            An AttentionWrapperState.
        """
        mechanisms = self._attention_mechanisms
        with name_scope(type(self).__name__ + "ZeroState"):
            state = self._initial_cell_state
            if state is None:
                state = self._cell.zero_state(batch_size, dtype)
            state = self._checked(batch_size, state, "the requested batch size")
            first = [one.initial_alignments(batch_size, dtype) for one in mechanisms]
            return AttentionWrapperState(
                cell_state=state, time=arrays.zeros([], dtypes.int32),
                attention=zeros_of(batch_size, self._attention_layer_size, dtype),
                alignments=self._item_or_tuple(first),
                attention_state=self._item_or_tuple(
                    one.initial_state(batch_size, dtype) for one in mechanisms
                ),
                alignment_history=self._item_or_tuple(
                    TensorArray(dtype, 0, dynamic_size=True, element_shape=alignments.shape)
                    if self._alignment_history else () for alignments in first
                ),
            )  # fmt: skip

    def call(self, inputs, state):
        """Computes a step.

        Args:
            inputs: A tensor [batch, depth].
            state: The AttentionWrapperState before the step.

        Returns:
            A tuple: the output and the next state.

        Raises:
            TypeError: The state is of another class.
        """
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                "Expected state to be instance of AttentionWrapperState. Received type "
                f"{type(state)} instead."
            )
        output, cell_state = self._cell(
            self._cell_input_fn(inputs, state.attention), state.cell_state
        )
        batch = output.shape[0].value or arrays.shape(output)[0]
        output = self._checked(batch, output, "the query (decoder output)")
        several = self._is_multi
        states = state.attention_state if several else [state.attention_state]
        histories = state.alignment_history if several else [state.alignment_history]
        layers = self._attention_layers or [None] * len(states)
        found = [
            self._attention_fn(*each)
            for each in zip(self._attention_mechanisms, [output] * len(states), states, layers)
        ]
        attention = arrays.concat([one for one, _, _ in found], 1)
        state = AttentionWrapperState(
            time=state.time + 1, cell_state=cell_state, attention=attention,
            attention_state=self._item_or_tuple(new for _, _, new in found),
            alignments=self._item_or_tuple(alignments for _, alignments, _ in found),
            alignment_history=self._item_or_tuple(
                history.write(state.time, alignments) if self._alignment_history else ()
                for history, (_, alignments, _) in zip(histories, found)
            ),
        )  # fmt: skip
        return attention if self._output_attention else output, state
