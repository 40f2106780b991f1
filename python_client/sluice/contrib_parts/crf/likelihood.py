# SPDX-License-Identifier: Apache-2.0
"""Scores of tags of sequences, and how likely they are."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...layers.choices import chosen
from ...ops import array as arrays
from ...ops import math
from ...ops.rnn.rnn import dynamic_rnn
from ...ops.state.variable_scope import get_variable
from .cells import CrfForwardRnnCell


def for_length(inputs, of_one, of_several):
    """Calls one of two functions by the number of steps.

    Args:
        inputs: A tensor [batch, time, tags].
        of_one: The function for a single step.
        of_several: The function for more steps.

    Returns:
        The result of the function. If the number of steps is unknown, a conditional chooses it.
    """
    steps = inputs.shape[1].value
    single = math.equal(arrays.shape(inputs)[1], 1) if steps is None else steps == 1
    return chosen(single, of_one, of_several)


def less_one(lengths):
    """Returns the lengths without the first step.

    Args:
        lengths: An integer vector.

    Returns:
        A vector of numbers that are not negative.
    """
    return math.maximum(convert_to_tensor(0, lengths.dtype), lengths - 1)


def _without_empty(scores, lengths):
    """Scores that are 0 for sequences of no step."""
    return arrays.where(math.less_equal(lengths, 0), arrays.zeros_like(scores), scores)


def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    """Computes the unnormalised score of tags.

    Args:
        inputs: The scores of tags at each step, a float32 tensor [batch, time, tags].
        tag_indices: The tags, an integer tensor [batch, time].
        sequence_lengths: How many steps each sequence has, an integer vector [batch].
        transition_params: The scores of pairs of tags, a float32 tensor [tags, tags].

    Returns:
        A vector [batch].
    """
    inputs, tag_indices = convert_to_tensor(inputs), convert_to_tensor(tag_indices)

    def of_one():
        count = arrays.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = arrays.reshape(arrays.range(count, dtype=tag_indices.dtype), [-1, 1])
        at = arrays.concat([rows, tag_indices], 1)
        scores = arrays.gather_nd(arrays.squeeze(inputs, [1]), at)
        return _without_empty(scores, sequence_lengths)

    def of_several():
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return for_length(inputs, of_one, of_several)


def crf_multitag_sequence_score(inputs, tag_bitmap, sequence_lengths, transition_params):
    """Computes the unnormalised score of all tags that a bitmap allows.

    Args:
        inputs: The scores of tags at each step, a float32 tensor [batch, time, tags].
        tag_bitmap: Which tags are allowed, a bool tensor [batch, time, tags].
        sequence_lengths: How many steps each sequence has, an integer vector [batch].
        transition_params: The scores of pairs of tags, a float32 tensor [tags, tags].

    Returns:
        A vector [batch].
    """
    inputs = convert_to_tensor(inputs)
    never = arrays.fill(arrays.shape(inputs), float("-inf"))
    allowed = arrays.where(tag_bitmap, inputs, never)
    return for_length(
        inputs, lambda: math.reduce_logsumexp(allowed, [1, 2]),
        lambda: crf_log_norm(allowed, sequence_lengths, transition_params),
    )  # fmt: skip


def crf_log_norm(inputs, sequence_lengths, transition_params):
    """Computes the logarithm of the sum over all tags of e^score.

    Args:
        inputs: The scores of tags at each step, a float32 tensor [batch, time, tags].
        sequence_lengths: How many steps each sequence has, an integer vector [batch].
        transition_params: The scores of pairs of tags, a float32 tensor [tags, tags].

    Returns:
        A vector [batch].
    """
    inputs, lengths = convert_to_tensor(inputs), convert_to_tensor(sequence_lengths)
    first = inputs[:, 0]

    def of_one():
        return _without_empty(math.reduce_logsumexp(first, [1]), lengths)

    def of_several():
        _, alphas = dynamic_rnn(
            CrfForwardRnnCell(transition_params), inputs[:, 1:], less_one(lengths), first,
            dtypes.float32,
        )  # fmt: skip
        return _without_empty(math.reduce_logsumexp(alphas, [1]), lengths)

    return for_length(inputs, of_one, of_several)


def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    """Computes the logarithm of the probability of tags.

    Args:
        inputs: The scores of tags at each step, a float32 tensor [batch, time, tags].
        tag_indices: The tags, an integer tensor [batch, time].
        sequence_lengths: How many steps each sequence has, an integer vector [batch].
        transition_params: The scores of pairs of tags, a float32 tensor [tags, tags]. None: the
            variable "transitions".

    Returns:
        A tuple: a vector [batch], and transition_params.
    """
    inputs = convert_to_tensor(inputs)
    tags = inputs.shape[2].value
    if transition_params is None:
        transition_params = get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return scores - norm, transition_params


def crf_unary_score(tag_indices, sequence_lengths, inputs):
    """Sums the scores of tags at each step.

    Args:
        tag_indices: The tags, an integer tensor [batch, time].
        sequence_lengths: How many steps each sequence has, an integer vector [batch].
        inputs: The scores of tags at each step, a float32 tensor [batch, time, tags].

    Returns:
        A vector [batch].
    """
    tag_indices, inputs = convert_to_tensor(tag_indices), convert_to_tensor(inputs)
    dims = arrays.shape(inputs)
    rows = arrays.expand_dims(arrays.range(dims[0]) * dims[1] * dims[2], 1)
    offsets = rows + arrays.expand_dims(arrays.range(dims[1]) * dims[2], 0)
    at = arrays.reshape(arrays.cast(offsets, tag_indices.dtype) + tag_indices, [-1])
    scores = arrays.reshape(arrays.gather(arrays.reshape(inputs, [-1]), at), dims[:2])
    mask = arrays.sequence_mask(sequence_lengths, arrays.shape(tag_indices)[1], dtypes.float32)
    return math.reduce_sum(scores * mask, 1)


def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    """Sums the scores of pairs of neighbouring tags.

    Args:
        tag_indices: The tags, an integer tensor [batch, time].
        sequence_lengths: How many steps each sequence has, an integer vector [batch].
        transition_params: The scores of pairs of tags, a float32 tensor [tags, tags].

    Returns:
        A vector [batch].
    """
    tag_indices = convert_to_tensor(tag_indices)
    transition_params = convert_to_tensor(transition_params)
    tags = transition_params.shape[0].value
    pairs = tag_indices[:, :-1] * tags + tag_indices[:, 1:]
    scores = arrays.gather(arrays.reshape(transition_params, [-1]), pairs)
    mask = arrays.sequence_mask(sequence_lengths, arrays.shape(tag_indices)[1], dtypes.float32)
    return math.reduce_sum(scores * mask[:, 1:], 1)
