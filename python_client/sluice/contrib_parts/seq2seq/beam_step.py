# SPDX-License-Identifier: Apache-2.0
"""A step of beam search: the best continuations of all candidates."""

from collections import namedtuple

from ... import dtypes, nest
from ...graph.convert import convert_to_tensor
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import static_value
from ...ops.list.tensor_array import TensorArray
from ...ops.nn.activations import log_softmax
from ...ops.nn.ranking import top_k
from .attention_wrapper import AttentionWrapperState


class BeamSearchDecoderState(
    namedtuple(
        "BeamSearchDecoderState",
        "cell_state log_probs finished lengths accumulated_attention_probs",
    )
):
    """The state of a BeamSearchDecoder: a tuple.

    Args:
        cell_state: The states of the cell, [batch, beam, ...].
        log_probs: The logarithms of the candidates' probabilities, a tensor [batch, beam].
        finished: Which candidates are finished, a bool tensor [batch, beam].
        lengths: How many steps each candidate has, an int64 tensor [batch, beam].
        accumulated_attention_probs: The sums of alignments, a tensor [batch, beam, time], or ().
    """


class BeamSearchDecoderOutput(
    namedtuple("BeamSearchDecoderOutput", "scores predicted_ids parent_ids")
):
    """What a step of a BeamSearchDecoder gives: a tuple.

    Args:
        scores: The scores of the candidates, a tensor [batch, beam].
        predicted_ids: The classes that were chosen, an int32 tensor [batch, beam].
        parent_ids: The candidates that they continue, an int32 tensor [batch, beam].
    """


def attention_of(cell_state, coverage_penalty_weight):
    """Finds the alignments in a state, for the coverage penalty.

    Args:
        cell_state: The state of a cell.
        coverage_penalty_weight: Weight of the penalty, a float.

    Returns:
        A tensor, the mean of all alignments. None: the penalty is not used.

    Raises:
        ValueError: There is a penalty, and no attention.
    """
    if coverage_penalty_weight == 0.0:
        return None
    if isinstance(cell_state, AttentionWrapperState):
        found = [cell_state]
    else:
        parts = cell_state if isinstance(cell_state, tuple) else ()
        found = [part for part in parts if isinstance(part, AttentionWrapperState)]
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return _mean([_mean(part.alignments) for part in found])


def _mean(values):
    if not isinstance(values, (list, tuple)):
        return values
    if len(values) == 1:
        return values[0]
    return math.reduce_mean(arrays.stack(values, -1), -1)


def beam_step(logits, cell_state, state, batches, width, end_token, weights):
    """Chooses the best continuations.

    Args:
        logits: Unnormalised logarithms of the classes' probabilities, a tensor [batch, beam,
            classes].
        cell_state: The states of the cell after the step, [batch, beam, ...].
        state: The BeamSearchDecoderState before the step.
        batches: How many sequences: a tuple of an int32 scalar, and an int or None.
        width: How many candidates each sequence has, an int.
        end_token: The class after which a candidate is finished, an int32 scalar.
        weights: The weights of the penalties of length and coverage, two floats.

    Returns:
        A tuple: a BeamSearchDecoderOutput and a BeamSearchDecoderState.
    """
    batch, known = batches
    classes = logits.shape[-1].value or arrays.shape(logits)[-1]
    log_probs = _only_end(log_softmax(logits), end_token, state.finished)
    totals = arrays.expand_dims(state.log_probs, 2) + log_probs
    covered = attention_of(cell_state, weights[1])
    if covered is not None:
        goes_on = arrays.cast(math.logical_not(state.finished), dtypes.float32)
        covered = state.accumulated_attention_probs + covered * arrays.expand_dims(goes_on, 2)
    lengths = _lengths(state, batch, width, classes, end_token)
    scores = _scores(totals, lengths, weights, state.finished, covered)
    best, places = top_k(arrays.reshape(scores, arrays.stack([batch, -1])), k=width)
    best.set_shape([known, width])
    places.set_shape([known, width])
    words, parents = math.mod(places, classes), math.floordiv(places, classes)

    def of_parents(value, rows=None):
        return _gathered(parents, value, batches, width, rows)

    ended = of_parents(state.finished)
    lengths = of_parents(state.lengths)
    deep = arrays.stack([batch * width, -1])
    state = BeamSearchDecoderState(
        cell_state=nest.map_structure(
            lambda t: t if isinstance(t, TensorArray) or t.shape.ndims < 2
            else of_parents(t, deep), cell_state,
        ),
        log_probs=_gathered(places, totals, batches, width * classes),
        finished=math.logical_or(ended, math.equal(words, end_token)),
        lengths=lengths + arrays.cast(math.logical_not(ended), dtypes.int64),
        accumulated_attention_probs=() if covered is None else of_parents(covered, deep),
    )  # fmt: skip
    return BeamSearchDecoderOutput(best, words, parents), state


def _only_end(log_probs, end_token, finished):
    """The logarithms, where finished candidates go on with the end token, surely."""
    classes = arrays.shape(log_probs)[2]
    sure = arrays.one_hot(
        end_token, classes, dtype=log_probs.dtype,
        on_value=convert_to_tensor(0.0, log_probs.dtype),
        off_value=convert_to_tensor(log_probs.dtype.min, log_probs.dtype),
    )  # fmt: skip
    dims = arrays.concat([arrays.shape(finished), [1]], 0)
    sure = arrays.tile(arrays.reshape(sure, [1, 1, -1]), dims)
    mask = arrays.tile(arrays.expand_dims(finished, 2), arrays.stack([1, 1, classes]))
    return arrays.where(mask, sure, log_probs)


def _lengths(state, batch, width, classes, end_token):
    """The length of each continuation, an int64 tensor [batch, beam, classes]."""
    more = arrays.one_hot(
        arrays.fill(arrays.stack([batch, width]), end_token), classes,
        on_value=convert_to_tensor(0, dtypes.int64), off_value=convert_to_tensor(1, dtypes.int64),
        dtype=dtypes.int64,
    )  # fmt: skip
    goes_on = arrays.cast(math.logical_not(state.finished), dtypes.int64)
    return more * arrays.expand_dims(goes_on, 2) + arrays.expand_dims(state.lengths, 2)


def _scores(totals, lengths, weights, finished, covered):
    length_weight, coverage_weight = (convert_to_tensor(weight) for weight in weights)
    scores = totals
    if static_value(length_weight) != 0:
        longer = (5.0 + arrays.cast(lengths, dtypes.float32)) ** length_weight
        scores = totals / arrays.cast(longer / (5.0 + 1.0) ** length_weight, totals.dtype)
    if coverage_weight.shape.ndims != 0:
        raise ValueError(
            "coverage_penalty_weight should be a scalar, but saw shape: "
            f"{coverage_weight.shape}"
        )
    if static_value(coverage_weight) == 0.0:
        return scores
    covered = arrays.where(math.equal(covered, 0.0), arrays.ones_like(covered), covered)
    penalty = math.reduce_sum(math.log(math.minimum(covered, 1.0)), 2)
    penalty = penalty * arrays.cast(finished, dtypes.float32) * coverage_weight
    return scores + arrays.expand_dims(penalty, 2)


def _gathered(places, value, batches, size, rows=None):
    """In each sequence the elements of `value` [batch, size, ...] at places [batch, beam]."""
    batch, known = batches
    first = arrays.expand_dims(arrays.range(batch) * size, 1)
    at = arrays.reshape(places + first, [-1])
    found = arrays.gather(arrays.reshape(value, [-1] if rows is None else rows), at)
    kept = 2 if rows is None else 3  # how many dimensions the result has
    found = arrays.reshape(found, arrays.shape(value)[:kept])
    found.set_shape(TensorShape([known]).concatenate(value.shape[1:kept]))
    return found
