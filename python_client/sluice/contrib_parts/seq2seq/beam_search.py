# SPDX-License-Identifier: Apache-2.0
"""A decoder that keeps the best candidates of each sequence."""

from collections import namedtuple

import numpy as np

from ... import dtypes, nest
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import static_value
from ...ops.debug.checks import Assert
from ...ops.functions.cond_and_while import cond
from ...ops.list.tensor_array import TensorArray
from ...ops.rnn.around import assert_like_rnncell
from .basic_decoder import check_output_layer, output_size_of
from .beam_step import BeamSearchDecoderOutput, BeamSearchDecoderState, attention_of, beam_step
from .beams import gather_tree, gather_tree_from_array
from .decoding import Decoder
from .embedding import lookup_of


class FinalBeamSearchDecoderOutput(
    namedtuple("FinalBeamDecoderOutput", "predicted_ids beam_search_decoder_output")
):
    """What a BeamSearchDecoder gives in the end: a tuple.

    Args:
        predicted_ids: The classes of the best candidates, an int32 tensor [time, batch, beam]; the
            best one is first.
        beam_search_decoder_output: What the steps gave, a BeamSearchDecoderOutput.
    """


class BeamSearchDecoder(Decoder):
    """A decoder that runs a cell for several candidates of each sequence, and keeps the best.

    States are those of tile_batch(): [batch * beam, ...].

    Args:
        cell: The cell, an RNNCell.
        embedding: A function of class numbers, an int32 tensor, that returns inputs; or a table
            [classes, size].
        start_tokens: The classes before the first step, an int32 vector [batch].
        end_token: The class after which a candidate is finished, an int32 scalar.
        initial_state: The state of the cell at the start, [batch * beam, ...].
        beam_width: How many candidates each sequence has, an int.
        output_layer: A layer that makes logits of the outputs. None: the outputs are logits.
        length_penalty_weight: Scores are divided by ((5 + length) / 6) to this power, a float (Wu
            et al., 2016).
        coverage_penalty_weight: Weight of the penalty of steps of the memory that few alignments
            cover, a float. The cell must be an AttentionWrapper if it is not 0.
        reorder_tensor_arrays: Whether TensorArrays in the last state follow the candidates. A bool.

    Raises:
        TypeError: An argument is of another class.
        ValueError: start_tokens is not a vector, or end_token not a scalar.
    """

    def __init__(self, cell, embedding, start_tokens, end_token, initial_state, beam_width,
                 output_layer=None, length_penalty_weight=0.0, coverage_penalty_weight=0.0,
                 reorder_tensor_arrays=True):  # fmt: skip
        assert_like_rnncell("cell", cell)
        check_output_layer(output_layer)
        self._cell, self._output_layer, self._beam_width = cell, output_layer, beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn = lookup_of(embedding)
        tokens = convert_to_tensor(start_tokens, dtypes.int32, name="start_tokens")
        if tokens.shape.ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = convert_to_tensor(end_token, dtypes.int32, name="end_token")
        if self._end_token.shape.ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size, self._known_batch = arrays.size(tokens), tokens.shape[0].value
        self._initial_cell_state = nest.map_structure(
            self._split, initial_state, cell.state_size
        )
        self._start_tokens = arrays.tile(arrays.expand_dims(tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        self._finished = self._only_first(False, True, dtypes.bool_)

    def _only_first(self, value, other, dtype):
        """A tensor [batch, beam] with a value for the first candidate and another for the rest."""
        return arrays.one_hot(
            arrays.zeros(arrays.stack([self._batch_size]), dtypes.int32), self._beam_width,
            on_value=constant(value, dtype), off_value=constant(other, dtype), dtype=dtype,
        )  # fmt: skip

    @property
    def batch_size(self):
        """How many sequences, an int32 scalar."""
        return self._batch_size

    @property
    def tracks_own_finished(self):
        """True: candidates change places."""
        return True

    @property
    def output_size(self):
        """The sizes of the outputs, a BeamSearchDecoderOutput."""
        return BeamSearchDecoderOutput(*[TensorShape([self._beam_width])] * 3)

    @property
    def output_dtype(self):
        """The dtypes of the outputs, a BeamSearchDecoderOutput."""
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        size = output_size_of(self._cell, self._output_layer)
        scores = nest.map_structure(lambda _: dtype, size)
        return BeamSearchDecoderOutput(scores, dtypes.int32, dtypes.int32)

    def initialize(self, name=None):
        state = self._initial_cell_state
        dtype = nest.flatten(state)[0].dtype
        covered = attention_of(state, self._coverage_penalty_weight)
        lengths = arrays.zeros(arrays.stack([self._batch_size, self._beam_width]), dtypes.int64)
        first = BeamSearchDecoderState(
            cell_state=state, log_probs=self._only_first(0.0, -np.inf, dtype),
            finished=self._finished, lengths=lengths,
            accumulated_attention_probs=() if covered is None else covered,
        )  # fmt: skip
        return self._finished, self._start_inputs, first

    def finalize(self, outputs, final_state, sequence_lengths):
        longest = arrays.cast(math.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        predicted = gather_tree(
            outputs.predicted_ids, outputs.parent_ids, longest, self._end_token
        )
        if self._reorder_tensor_arrays:
            final_state = final_state._replace(
                cell_state=nest.map_structure(
                    lambda t: self._ordered(t, outputs.parent_ids, final_state.lengths),
                    final_state.cell_state,
                )
            )
        outputs = FinalBeamSearchDecoderOutput(predicted, outputs)
        return outputs, final_state

    def _ordered(self, array, parents, lengths):
        """A TensorArray as a tensor in the way of the candidates, if it has rows for them."""
        if not isinstance(array, TensorArray):
            return array
        shape, width = array.element_shape, self._beam_width
        if shape.ndims is None or shape.ndims < 1 or not self._has_rows(shape):
            return array
        t = array.stack()
        dims, rows = arrays.shape(t), self._batch_size * width
        fits = math.equal(dims[1], rows)
        if shape.ndims > 1:
            split = math.logical_and(
                math.equal(dims[1], self._batch_size), math.equal(dims[2], width)
            )
            fits = math.logical_or(fits, split)
        message = (
            "TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, "
            "-1]. Consider setting reorder_tensor_arrays to False to disable it."
        )
        with control_dependencies([Assert(fits, [message])]):
            return gather_tree_from_array(arrays.identity(t), parents, lengths)

    def _has_rows(self, shape):
        batch, width, dims = self._known_batch, self._beam_width, shape.as_list()
        if batch is None or dims[0] is None:
            return True
        # 1.15 orders rows of a known second size only where that is the number of candidates.
        split = len(dims) < 2 or dims[1] is None or dims[:2] == [batch, width]
        return dims[0] == batch * width and split

    def _split(self, t, size):
        """[batch * beam, ...] as [batch, beam, ...]."""
        if isinstance(t, TensorArray) or _rank(t) < 1:
            return t
        dims = arrays.concat([[self._batch_size, self._beam_width], arrays.shape(t)[1:]], 0)
        split = arrays.reshape(t, dims)
        wanted = TensorShape([self._known_batch, self._beam_width]).concatenate(_shape_of(size))
        if not split.shape.is_compatible_with(wanted):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size. The "
                f"reshaped tensor has shape: {split.shape}. We expected it to have shape "
                f"(batch_size, beam_width, depth) == {wanted}. Perhaps you forgot to create a "
                "zero_state with batch_size=encoder_batch_size * beam_width?"
            )
        split.set_shape(wanted)
        return split

    def _merge(self, t, size):
        """[batch, beam, ...] as [batch * beam, ...]."""
        if isinstance(t, TensorArray) or _rank(t) < 2:
            return t
        rows = self._batch_size * self._beam_width
        merged = arrays.reshape(t, arrays.concat([[rows], arrays.shape(t)[2:]], 0))
        known = None if self._known_batch is None else self._known_batch * self._beam_width
        merged.set_shape(TensorShape([known]).concatenate(_shape_of(size)))
        return merged

    def step(self, time, inputs, state, name=None):
        cell, sizes = self._cell, self._cell.state_size
        with name_scope(name, "BeamSearchDecoderStep"):
            inputs = nest.map_structure(lambda x: self._merge(x, x.shape[2:]), inputs)
            merged = nest.map_structure(self._merge, state.cell_state, sizes)
            outputs, cell_state = cell(inputs, merged)
            outputs = nest.map_structure(lambda x: self._split(x, x.shape[1:]), outputs)
            cell_state = nest.map_structure(self._split, cell_state, sizes)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, state = beam_step(
                outputs, cell_state, state, (self._batch_size, self._known_batch),
                self._beam_width, self._end_token,
                (self._length_penalty_weight, self._coverage_penalty_weight),
            )  # fmt: skip
            inputs = cond(
                math.reduce_all(state.finished), lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )  # fmt: skip
        return output, state, inputs, state.finished


def _rank(t):
    if t.shape.ndims is None:
        raise ValueError(f"Expected tensor ({t}) to have known rank, but ndims == None.")
    return t.shape.ndims


def _shape_of(size):
    """The shape of a row: size is an int, a TensorShape or an int32 scalar."""
    if hasattr(size, "graph"):
        known = static_value(size)
        return TensorShape([None if known is None else int(known)])
    return TensorShape([size] if isinstance(size, int) else size)
