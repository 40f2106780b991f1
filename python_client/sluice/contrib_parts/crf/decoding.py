# SPDX-License-Identifier: Apache-2.0
"""The best tags of sequences (Viterbi, 1967)."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...ops import array as arrays
from ...ops import math
from ...ops.rnn.rnn import dynamic_rnn
from .cells import CrfDecodeBackwardRnnCell, CrfDecodeForwardRnnCell
from .likelihood import for_length, less_one


def viterbi_decode(score, transition_params):
    """Finds the best tags of one sequence, in NumPy.

    Args:
        score: The scores of tags at each step, an array [time, tags].
        transition_params: The scores of pairs of tags, an array [tags, tags].

    Returns:
        A tuple: the tags, a list of ints, and their score.
    """
    best, before = np.array(score[0]), []
    for step in score[1:]:
        ways = np.expand_dims(best, 1) + transition_params
        before.append(np.argmax(ways, 0))
        best = (step + np.max(ways, 0)).astype(score.dtype)
    tags = [np.argmax(best)]
    for back in reversed(before):
        tags.append(back[tags[-1]].astype(np.int32))
    return tags[::-1], np.max(best)


def crf_decode(potentials, transition_params, sequence_length):
    """Finds the best tags of each sequence.

    Args:
        potentials: The scores of tags at each step, a float32 tensor [batch, time, tags].
        transition_params: The scores of pairs of tags, a float32 tensor [tags, tags].
        sequence_length: How many steps each sequence has, an integer vector [batch].

    Returns:
        A tuple: the tags, an int32 tensor [batch, time], and their scores, a vector [batch].
    """
    potentials, lengths = convert_to_tensor(potentials), convert_to_tensor(sequence_length)

    def of_one():
        only = arrays.squeeze(potentials, [1])
        tags = arrays.expand_dims(math.argmax(only, axis=1), 1)
        return arrays.cast(tags, dtypes.int32), math.reduce_max(only, axis=1)

    def of_several():
        rest = less_one(lengths)
        before, last = dynamic_rnn(
            CrfDecodeForwardRnnCell(transition_params), potentials[:, 1:], rest, potentials[:, 0],
            dtypes.int32,
        )  # fmt: skip
        before = arrays.reverse_sequence(before, rest, seq_axis=1)
        end = arrays.expand_dims(arrays.cast(math.argmax(last, axis=1), dtypes.int32), -1)
        tags, _ = dynamic_rnn(
            CrfDecodeBackwardRnnCell(potentials.shape[2].value), before, rest, end, dtypes.int32
        )
        tags = arrays.concat([end, arrays.squeeze(tags, [2])], 1)
        tags = arrays.reverse_sequence(tags, lengths, seq_axis=1)
        return tags, math.reduce_max(last, axis=1)

    return for_length(potentials, of_one, of_several)
