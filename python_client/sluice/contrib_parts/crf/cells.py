# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells whose steps are those of a conditional random field."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...ops import array as arrays
from ...ops import math
from ...ops.rnn.cells import RNNCell


class _TagCell(RNNCell):
    """A cell with a state for each tag."""

    def __init__(self, transition_params):
        super().__init__()
        transition_params = convert_to_tensor(transition_params)
        self._transition_params = arrays.expand_dims(transition_params, 0)
        self._num_tags = transition_params.shape[0].value

    @property
    def state_size(self):
        """The size of the state, an int: the number of tags."""
        return self._num_tags

    @property
    def output_size(self):
        """The size of the output, an int: the number of tags."""
        return self._num_tags

    def _scores(self, state):
        """The scores of each pair of tags, a tensor [batch, tag before, tag]."""
        return arrays.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_TagCell):
    """A cell that sums the scores of all ways to a tag.

    Args:
        transition_params: The scores of pairs of tags, a tensor [tags, tags].
    """

    def __call__(self, inputs, state, scope=None):
        alphas = inputs + math.reduce_logsumexp(self._scores(state), [1])
        return alphas, alphas


class CrfDecodeForwardRnnCell(_TagCell):
    """A cell that finds the best way to each tag. The outputs are the tags before.

    Args:
        transition_params: The scores of pairs of tags, a tensor [tags, tags].
    """

    def __call__(self, inputs, state, scope=None):
        scores = self._scores(state)
        before = arrays.cast(math.argmax(scores, 1), dtypes.int32)
        return before, inputs + math.reduce_max(scores, [1])


class CrfDecodeBackwardRnnCell(RNNCell):
    """A cell that goes back to the tag before.

    Args:
        num_tags: How many tags there are, an int.
    """

    def __init__(self, num_tags):
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self):
        """The size of the state, 1: a tag."""
        return 1

    @property
    def output_size(self):
        """The size of the output, 1: a tag."""
        return 1

    def __call__(self, inputs, state, scope=None):
        rows = arrays.range(arrays.shape(inputs)[0])
        at = arrays.stack([rows, arrays.squeeze(state, [1])], 1)
        tags = arrays.expand_dims(arrays.gather_nd(inputs, at), -1)
        return tags, tags
