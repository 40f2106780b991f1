# SPDX-License-Identifier: Apache-2.0
"""Models that write while they look at what was read (Vinyals et al., 2014)."""

import copy

from ... import dtypes, nest
from ...ops import array as arrays
from ...ops import math
from ...ops.nn.activations import softmax
from ...ops.nn.convolution import conv2d
from ...ops.nn.sampling import embedding_lookup
from ...ops.rnn.rnn import static_rnn
from ...ops.state.variable_scope import get_variable, get_variable_scope, variable_scope
from ..rnn.linear import Linear
from ..rnn.projections import EmbeddingWrapper, OutputProjectionWrapper
from .feeding import fed, likeliest_of


class _Heads:
    """Heads that each read an average of the states [batch, length, size] for a query."""

    def __init__(self, states, count, dtype):
        self._length, self._size = states.shape[1].value, states.shape[2].value
        if self._length is None:
            self._length = arrays.shape(states)[1]
        size, self._dtype = self._size, dtype
        self._hidden = arrays.reshape(states, arrays.stack([-1, self._length, 1, size]))
        self._features, self._vectors = [], []
        for i in range(count):
            kernel = get_variable(f"AttnW_{i}", [1, 1, size, size], dtype)
            self._features.append(conv2d(self._hidden, kernel, [1, 1, 1, 1], "SAME"))
            self._vectors.append(get_variable(f"AttnV_{i}", [size], dtype))

    def zeros(self, batch):
        """What the heads read before the first step."""
        made = []
        for _ in self._vectors:
            made.append(arrays.zeros(arrays.stack([batch, self._size]), self._dtype))
            made[-1].set_shape([None, self._size])
        return made

    def read(self, query):
        """What each head reads, a list of tensors [batch, size]."""
        if nest.is_nested(query):
            query = arrays.concat(nest.flatten(query), 1)
        found, wide = [], arrays.stack([-1, self._length, 1, 1])
        for i, (features, vector) in enumerate(zip(self._features, self._vectors)):
            with variable_scope(f"Attention_{i}"):
                asked = Linear([query], self._size)([query])
                asked = arrays.cast(arrays.reshape(asked, [-1, 1, 1, self._size]), self._dtype)
                scores = math.reduce_sum(vector * math.tanh(features + asked), [2, 3])
                weights = arrays.cast(softmax(arrays.cast(scores, "float32")), self._dtype)
                weighted = arrays.reshape(weights, wide) * self._hidden
                total = math.reduce_sum(weighted, [1, 2])
                found.append(arrays.reshape(total, [-1, self._size]))
        return found


def attention_decoder(decoder_inputs, initial_state, attention_states, cell, output_size=None,
                      num_heads=1, loop_function=None, dtype=None, scope=None,
                      initial_state_attention=False):  # fmt: skip
    """Runs a cell along a list of inputs, while heads read what was read before.

    Args:
        decoder_inputs: The inputs, a list of tensors [batch, size].
        initial_state: The state at the start.
        attention_states: What the heads read, a tensor [batch, length, size].
        cell: The cell, an RNNCell.
        output_size: Size of the outputs, an int. None: that of the cell.
        num_heads: How many heads there are, an int.
        loop_function: A function of (last output, number of the step) that returns the input in
            place of the given one, for all steps but the first. None: none.
        dtype: Dtype of the variables. None: that of the scope.
        scope: Name of the variable scope, a str. None: "attention_decoder".
        initial_state_attention: Whether heads read before the first step. False: they have zeros. A
            bool.

    Returns:
        A tuple: a list of outputs, and the last state.

    Raises:
        ValueError: There are no inputs or heads, or a size is not known.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.shape[2].value is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    size = cell.output_size if output_size is None else output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as opened:
        dtype = opened.dtype or dtypes.float32
        heads = _Heads(attention_states, num_heads, dtype)
        state, outputs = initial_state, []
        seen = heads.zeros(arrays.shape(decoder_inputs[0])[0])
        if initial_state_attention:
            seen = heads.read(initial_state)
        for i, given in enumerate(decoder_inputs):
            if i > 0:
                get_variable_scope().reuse_variables()
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    given = loop_function(outputs[-1], i)
            width = given.shape.with_rank(2)[1].value
            if width is None:
                raise ValueError(f"Could not infer input size from input: {given.name}")
            parts = [arrays.cast(part, dtype) for part in (given, *seen)]
            output, state = cell(Linear(parts, width)(parts), state)
            known = True if i == 0 and initial_state_attention else None
            with variable_scope(get_variable_scope(), reuse=known):
                seen = heads.read(state)
            with variable_scope("AttnOutputProjection"):
                parts = [arrays.cast(output, dtype), *seen]
                outputs.append(Linear(parts, size)(parts))
    return outputs, state


def embedding_attention_decoder(decoder_inputs, initial_state, attention_states, cell, num_symbols,
                                embedding_size, num_heads=1, output_size=None,
                                output_projection=None, feed_previous=False,
                                update_embedding_for_previous=True, dtype=None, scope=None,
                                initial_state_attention=False):  # fmt: skip
    """Runs attention_decoder() along a list of symbols.

    Args:
        decoder_inputs: The symbols, a list of int32 vectors [batch].
        initial_state: The state at the start.
        attention_states: What the heads read, a tensor [batch, length, size].
        cell: The cell, an RNNCell.
        num_symbols: How many symbols there are, an int.
        embedding_size: Size of the embedding of a symbol, an int.
        num_heads: How many heads there are, an int.
        output_size: Size of the outputs, an int. None: that of the cell.
        output_projection: A weight and a bias that make scores of outputs, a tuple. None: outputs
            are scores.
        feed_previous: Whether steps but the first get the likeliest symbol of the one before. A
            bool.
        update_embedding_for_previous: Whether gradients flow to the embedding of such symbols. A
            bool.
        dtype: Dtype of the variables. None: that of the scope.
        scope: Name of the variable scope, a str. None: "embedding_attention_decoder".
        initial_state_attention: As of attention_decoder().

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        table = get_variable("embedding", [num_symbols, embedding_size])
        following = None
        if feed_previous:
            following = likeliest_of(table, output_projection, update_embedding_for_previous)
        given = [embedding_lookup(table, symbols) for symbols in decoder_inputs]
        return attention_decoder(
            given, initial_state, attention_states, cell, output_size, num_heads, following,
            initial_state_attention=initial_state_attention,
        )  # fmt: skip


def embedding_attention_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols,
                                num_decoder_symbols, embedding_size, num_heads=1,
                                output_projection=None, feed_previous=False, dtype=None,
                                scope=None, initial_state_attention=False):  # fmt: skip
    """Reads a list of symbols by a copy of a cell, and writes while heads read its outputs.

    Args:
        encoder_inputs: The symbols that are read, a list of int32 vectors [batch].
        decoder_inputs: The symbols while it writes, a list of int32 vectors [batch].
        cell: The cell, an RNNCell.
        num_encoder_symbols: How many symbols are read, an int.
        num_decoder_symbols: How many symbols are written, an int.
        embedding_size: Size of the embedding of a symbol, an int.
        num_heads: How many heads there are, an int.
        output_projection: A weight and a bias that make scores of outputs, a tuple. None: outputs
            are scores.
        feed_previous: Whether steps but the first get the likeliest symbol of the one before: a
            bool, or a bool scalar.
        dtype: Dtype of the variables. None: that of the scope.
        scope: Name of the variable scope, a str. None: "embedding_attention_seq2seq".
        initial_state_attention: As of attention_decoder().

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as opened:
        reader = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        outputs, state = static_rnn(reader, encoder_inputs, dtype=opened.dtype or dtypes.float32)
        tops = [arrays.reshape(output, [-1, 1, cell.output_size]) for output in outputs]
        tops, size = arrays.concat(tops, 1), None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            size = num_decoder_symbols

        def decode(feed, update):
            return embedding_attention_decoder(
                decoder_inputs, state, tops, cell, num_decoder_symbols, embedding_size, num_heads,
                size, output_projection, feed, update,
                initial_state_attention=initial_state_attention,
            )  # fmt: skip

        return fed(decode, feed_previous, len(decoder_inputs), state)
