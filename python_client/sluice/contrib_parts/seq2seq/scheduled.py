# SPDX-License-Identifier: Apache-2.0
"""Helpers of decoders that sometimes use what was sampled in place of known inputs (Bengio et al.,
2015)."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.functions.cond_and_while import cond
from ..rnn.shapes import transpose_batch_time
from .embedding import lookup_of
from .helpers import TrainingHelper, array_of
from .sampling import bernoulli_sample, categorical_sample


def _probability(value):
    value = convert_to_tensor(value, name="sampling_probability")
    if value.shape.ndims not in (0, 1):
        raise ValueError(
            f"sampling_probability must be either a scalar or a vector. saw shape: {value.shape}"
        )
    return value


def _rows(chosen):
    return arrays.cast(arrays.where(chosen), dtypes.int32)


def _merged(first_at, first, second_at, second, shape):
    """Rows of two tensors, each at places of its own."""
    return arrays.scatter_nd(first_at, first, shape) + arrays.scatter_nd(second_at, second, shape)


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """A helper that, with a probability, gives a step the embedding of a drawn class.

    Args:
        inputs: The known inputs, a tensor [batch, time, ...].
        sequence_length: How many steps each sequence has, an int32 vector.
        embedding: A function of class numbers, an int32 tensor, that returns inputs; or a table
            [classes, size].
        sampling_probability: The probability of a drawn class, a float32 scalar or vector [batch].
        time_major: Whether time is the first dimension of the inputs. A bool.
        seed: Seed of the classes, an int. None: see set_random_seed().
        scheduling_seed: Seed of the choice between the two, an int. None: see set_random_seed().
        name: Name of the operations, a str. None: a default name.

    Raises:
        ValueError: sampling_probability is neither a scalar nor a vector.
    """

    def __init__(self, inputs, sequence_length, embedding, sampling_probability, time_major=False,
                 seed=None, scheduling_seed=None, name=None):  # fmt: skip
        with name_scope(name, "ScheduledEmbeddingSamplingWrapper"):
            self._embedding_fn = lookup_of(embedding)
            self._sampling_probability = _probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs, sequence_length, time_major, name)

    def sample(self, time, outputs, state, name=None):
        """Samples of a step's outputs.

        Args:
            time: The number of the step, an int32 scalar.
            outputs: The outputs.
            state: The state after the step.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tensor [batch, ...].
        """
        with name_scope(name, "ScheduledEmbeddingTrainingHelperSample"):
            drawn = bernoulli_sample(
                self._sampling_probability, self.batch_size, dtypes.bool_, self._scheduling_seed
            )
            classes = categorical_sample(outputs, self._seed)
            return arrays.where(drawn, classes, arrays.fill([self.batch_size], -1))

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        """Returns what the next step gets.

        Args:
            time: The number of the step, an int32 scalar.
            outputs: The outputs of the step.
            state: The state after it.
            sample_ids: What sample() returned.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tuple: which sequences are finished, a bool tensor [batch]; the inputs; the state.
        """
        with name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs"):
            finished, known, state = super().next_inputs(time, outputs, state, name)

            def mixed():
                drawn_at, known_at = _rows(sample_ids > -1), _rows(sample_ids <= -1)
                drawn = self._embedding_fn(arrays.gather_nd(sample_ids, drawn_at))
                kept = arrays.gather_nd(known, known_at)
                return _merged(drawn_at, drawn, known_at, kept, arrays.shape(known))

            return finished, cond(math.reduce_all(finished), lambda: known, mixed), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """A helper that, with a probability, gives a step the outputs of the one before.

    Args:
        inputs: The known inputs, a tensor [batch, time, ...].
        sequence_length: How many steps each sequence has, an int32 vector.
        sampling_probability: The probability of outputs, a float32 scalar or vector [batch].
        time_major: Whether time is the first dimension of the inputs. A bool.
        seed: Seed, an int. None: see set_random_seed().
        next_inputs_fn: A function of outputs that returns inputs. None: the outputs.
        auxiliary_inputs: A tensor [batch, time, ...] that is joined to all inputs. None: none.
        name: Name of the operations, a str. None: a default name.

    Raises:
        ValueError: sampling_probability is neither a scalar nor a vector.
    """

    def __init__(self, inputs, sequence_length, sampling_probability, time_major=False, seed=None,
                 next_inputs_fn=None, auxiliary_inputs=None, name=None):  # fmt: skip
        with name_scope(name, "ScheduledOutputTrainingHelper"):
            self._sampling_probability = _probability(sampling_probability)
            self._seed, self._next_inputs_fn, self._auxiliary = seed, next_inputs_fn, None
            if auxiliary_inputs is not None:
                more = convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = arrays.concat([convert_to_tensor(inputs), more], -1)
                self._auxiliary = array_of(more if time_major else transpose_batch_time(more))
            super().__init__(inputs, sequence_length, time_major, name)

    def sample(self, time, outputs, state, name=None):
        """Samples of a step's outputs.

        Args:
            time: The number of the step, an int32 scalar.
            outputs: The outputs.
            state: The state after the step.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tensor [batch, ...].
        """
        with name_scope(name, "ScheduledOutputTrainingHelperSample"):
            return bernoulli_sample(self._sampling_probability, self.batch_size, seed=self._seed)

    def _with_auxiliary(self, time, inputs, rows=None):
        if self._auxiliary is None:
            return inputs
        more = self._auxiliary.read(time + 1)
        more = more if rows is None else arrays.gather_nd(more, rows)
        return arrays.concat([inputs, more], -1)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        """Returns what the next step gets.

        Args:
            time: The number of the step, an int32 scalar.
            outputs: The outputs of the step.
            state: The state after it.
            sample_ids: What sample() returned.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tuple: which sequences are finished, a bool tensor [batch]; the inputs; the state.
        """
        with name_scope(name, "ScheduledOutputTrainingHelperNextInputs"):
            finished, known, state = super().next_inputs(time, outputs, state, name)
            drawn = arrays.cast(sample_ids, dtypes.bool_)

            def mixed():
                if self._next_inputs_fn is None:
                    return arrays.where(drawn, self._with_auxiliary(time, outputs), known)
                drawn_at, known_at = _rows(drawn), _rows(math.logical_not(drawn))
                made = self._next_inputs_fn(arrays.gather_nd(outputs, drawn_at))
                made = self._with_auxiliary(time, made, drawn_at)
                kept = arrays.gather_nd(known, known_at)
                return _merged(drawn_at, made, known_at, kept, arrays.shape(known))

            none = math.logical_not(math.reduce_any(drawn))
            over = math.logical_or(math.reduce_all(finished), none)
            return finished, cond(over, lambda: known, mixed), state
