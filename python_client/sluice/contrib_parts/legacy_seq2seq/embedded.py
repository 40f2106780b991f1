# SPDX-License-Identifier: Apache-2.0
"""Models whose inputs are symbols: numbers of rows of an embedding."""

import copy

from ... import dtypes
from ...ops import array as arrays
from ...ops.nn.sampling import embedding_lookup
from ...ops.rnn.rnn import static_rnn
from ...ops.state.variable_scope import get_variable, variable_scope
from ..rnn.projections import EmbeddingWrapper, OutputProjectionWrapper
from .decoders import rnn_decoder, tied_rnn_seq2seq
from .feeding import check_projection, fed, likeliest_of


def embedding_rnn_decoder(decoder_inputs, initial_state, cell, num_symbols, embedding_size,
                          output_projection=None, feed_previous=False,
                          update_embedding_for_previous=True, scope=None):  # fmt: skip
    """Runs a cell along a list of symbols.

    Args:
        decoder_inputs: The symbols, a list of int32 vectors [batch].
        initial_state: The state at the start.
        cell: The cell, an RNNCell.
        num_symbols: How many symbols there are, an int.
        embedding_size: Size of the embedding of a symbol, an int.
        output_projection: A weight and a bias that make scores of outputs, a tuple. None: outputs
            are scores.
        feed_previous: Whether steps but the first get the likeliest symbol of the one before. A
            bool.
        update_embedding_for_previous: Whether gradients flow to the embedding of such symbols. A
            bool.
        scope: Name of the variable scope, a str. None: "embedding_rnn_decoder".

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "embedding_rnn_decoder") as opened:
        check_projection(output_projection, num_symbols, opened.dtype or dtypes.float32)
        table = get_variable("embedding", [num_symbols, embedding_size])
        following = None
        if feed_previous:
            following = likeliest_of(table, output_projection, update_embedding_for_previous)
        given = (embedding_lookup(table, symbols) for symbols in decoder_inputs)
        return rnn_decoder(given, initial_state, cell, following)


def embedding_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols,
                          num_decoder_symbols, embedding_size, output_projection=None,
                          feed_previous=False, dtype=None, scope=None):  # fmt: skip
    """Reads a list of symbols by a copy of a cell, and writes by the cell from the state after it.

    Args:
        encoder_inputs: The symbols that are read, a list of int32 vectors [batch].
        decoder_inputs: The symbols while it writes, a list of int32 vectors [batch].
        cell: The cell, an RNNCell.
        num_encoder_symbols: How many symbols are read, an int.
        num_decoder_symbols: How many symbols are written, an int.
        embedding_size: Size of the embedding of a symbol, an int.
        output_projection: A weight and a bias that make scores of outputs, a tuple. None: outputs
            are scores.
        feed_previous: Whether steps but the first get the likeliest symbol of the one before: a
            bool, or a bool scalar.
        dtype: Dtype of the first state. None: that of the scope.
        scope: Name of the variable scope, a str. None: "embedding_rnn_seq2seq".

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as opened:
        if dtype is not None:
            opened.set_dtype(dtype)
        reader = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        dtype = dtype or opened.dtype or dtypes.float32
        _, state = static_rnn(reader, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed, update):
            return embedding_rnn_decoder(
                decoder_inputs, state, cell, num_decoder_symbols, embedding_size,
                output_projection, feed, update,
            )  # fmt: skip

        return fed(decode, feed_previous, len(decoder_inputs), state)


def embedding_tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_symbols, embedding_size,
                               num_decoder_symbols=None, output_projection=None,
                               feed_previous=False, dtype=None, scope=None):  # fmt: skip
    """Reads a list of symbols and writes, by one cell and one embedding.

    Args:
        encoder_inputs: The symbols that are read, a list of int32 vectors [batch].
        decoder_inputs: The symbols while it writes, a list of int32 vectors [batch].
        cell: The cell, an RNNCell.
        num_symbols: How many symbols there are, an int.
        embedding_size: Size of the embedding of a symbol, an int.
        num_decoder_symbols: How many symbols are written, an int. None: num_symbols.
        output_projection: A weight and a bias that make scores of outputs, a tuple. None: outputs
            are scores.
        feed_previous: Whether steps but the first get the likeliest symbol of the one before: a
            bool, or a bool scalar.
        dtype: Dtype of the first state. None: that of the scope.
        scope: Name of the variable scope, a str. None: "embedding_tied_rnn_seq2seq".

    Returns:
        A tuple: a list of outputs, and the last state.
    """
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype or dtypes.float32
        check_projection(output_projection, num_symbols, dtype)
        table = get_variable("embedding", [num_symbols, embedding_size], dtype)
        read = [embedding_lookup(table, symbols) for symbols in encoder_inputs]
        given = [embedding_lookup(table, symbols) for symbols in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols or num_symbols)

        def decode(feed, update):
            following = likeliest_of(table, output_projection, update) if feed else None
            return tied_rnn_seq2seq(read, given, cell, following, dtype)

        zeros = cell.zero_state(arrays.shape(encoder_inputs[0])[0], dtype)
        return fed(decode, feed_previous, len(decoder_inputs), zeros)
