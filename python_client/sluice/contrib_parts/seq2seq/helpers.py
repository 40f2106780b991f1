# SPDX-License-Identifier: Apache-2.0
"""Helpers of decoders: where the inputs of a step come from."""

from ... import dtypes, nest
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ...ops import math
from ...ops.functions.cond_and_while import cond
from ...ops.list.tensor_array import TensorArray
from ..rnn.shapes import transpose_batch_time
from .embedding import lookup_of
from .sampling import categorical_sample


class Helper:
    """The base class of helpers.

    A derived class defines batch_size, sample_ids_shape, sample_ids_dtype, initialize(name), which
    returns a tuple (finished, inputs), sample(time, outputs, state, name), which returns what was
    sampled, and next_inputs(time, outputs, state, sample_ids, name), which returns a tuple
    (finished, next inputs, next state).
    """

    @property
    def batch_size(self):
        """How many sequences, an int32 scalar."""
        raise NotImplementedError("batch_size has not been implemented")

    @property
    def sample_ids_shape(self):
        """The shape of a sample, a TensorShape."""
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    def sample_ids_dtype(self):
        """The dtype of samples, a DType."""
        raise NotImplementedError("sample_ids_dtype has not been implemented")

    def initialize(self, name=None):
        """Returns what the first step gets.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tuple: which sequences are finished, a bool tensor [batch]; the inputs.
        """
        raise NotImplementedError

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
        raise NotImplementedError

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
        raise NotImplementedError


class ScalarIds(Helper):
    """A helper whose samples are int32 scalars."""

    @property
    def batch_size(self):
        """How many sequences, an int32 scalar."""
        return self._batch_size

    @property
    def sample_ids_shape(self):
        """The shape of a sample, a TensorShape."""
        return TensorShape([])

    @property
    def sample_ids_dtype(self):
        """The dtype of samples, a DType."""
        return dtypes.int32


class CustomHelper(Helper):
    """A helper of functions.

    Args:
        initialize_fn: A function that returns a tuple (finished, inputs).
        sample_fn: A function of (time, outputs, state) that returns samples.
        next_inputs_fn: A function of (time, outputs, state, sample_ids) that returns a tuple
            (finished, next inputs, next state).
        sample_ids_shape: The shape of a sample, a list of ints. None: [].
        sample_ids_dtype: The dtype of samples. None: int32.
    """

    def __init__(self, initialize_fn, sample_fn, next_inputs_fn, sample_ids_shape=None,
                 sample_ids_dtype=None):  # fmt: skip
        self._initialize_fn, self._sample_fn = initialize_fn, sample_fn
        self._next_inputs_fn, self._batch_size = next_inputs_fn, None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    @property
    def batch_size(self):
        """How many sequences, an int32 scalar. ValueError before initialize()."""
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    @property
    def sample_ids_shape(self):
        """The shape of a sample, a TensorShape."""
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self):
        """The dtype of samples, a DType."""
        return self._sample_ids_dtype

    def initialize(self, name=None):
        with name_scope(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = arrays.size(finished)
        return finished, inputs

    def sample(self, time, outputs, state, name=None):
        with name_scope(name, f"{type(self).__name__}Sample"):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with name_scope(name, f"{type(self).__name__}NextInputs"):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )


def array_of(steps):
    """Writes the steps of a sequence to a TensorArray.

    Args:
        steps: A tensor [time, ...].

    Returns:
        The TensorArray.
    """
    count = arrays.shape(steps)[0]
    return TensorArray(steps.dtype, count, element_shape=steps.shape[1:]).unstack(steps)


class TrainingHelper(ScalarIds):
    """A helper that gives each step the next inputs of known sequences.

    Args:
        inputs: A tensor [batch, time, ...], or a structure of these.
        sequence_length: How many steps each sequence has, an int32 vector.
        time_major: Whether time is the first dimension of the inputs. A bool.
        name: Name of the operations, a str. None: a default name.

    Raises:
        ValueError: sequence_length is not a vector.
    """

    def __init__(self, inputs, sequence_length, time_major=False, name=None):
        with name_scope(name, "TrainingHelper"):
            inputs = nest.map_structure(convert_to_tensor, inputs)
            self._inputs = inputs
            if not time_major:
                inputs = nest.map_structure(transpose_batch_time, inputs)
            self._input_tas = nest.map_structure(array_of, inputs)
            self._sequence_length = convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.ndims != 1:
                raise ValueError(
                    "Expected sequence_length to be a vector, but received shape: "
                    f"{self._sequence_length.shape}"
                )
            self._zero_inputs = nest.map_structure(lambda x: arrays.zeros_like(x[0]), inputs)
            self._batch_size = arrays.size(self._sequence_length)

    @property
    def inputs(self):
        """The inputs, as they were given."""
        return self._inputs

    @property
    def sequence_length(self):
        """How many steps each sequence has, a vector."""
        return self._sequence_length

    def _at(self, time, finished):
        """The inputs of a step; zeros if all sequences are finished."""
        return cond(
            math.reduce_all(finished), lambda: self._zero_inputs,
            lambda: nest.map_structure(lambda array: array.read(time), self._input_tas),
        )  # fmt: skip

    def initialize(self, name=None):
        with name_scope(name, "TrainingHelperInitialize"):
            finished = math.equal(0, self._sequence_length)
            return finished, self._at(0, finished)

    def sample(self, time, outputs, name=None, **unused_kwargs):
        """Samples of a step's outputs.

        Args:
            time: The number of the step, an int32 scalar.
            outputs: The outputs.
            name: Name of the operations, a str. None: a default name.
            **unused_kwargs: Accepted. They have no effect.

        Returns:
            A tensor [batch, ...].
        """
        with name_scope(name, "TrainingHelperSample"):
            return arrays.cast(math.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(self, time, outputs, state, name=None, **unused_kwargs):
        """Returns what the next step gets.

        Args:
            time: The number of the step, an int32 scalar.
            outputs: The outputs of the step.
            state: The state after it.
            name: Name of the operations, a str. None: a default name.
            **unused_kwargs: Accepted. They have no effect.

        Returns:
            A tuple: which sequences are finished, a bool tensor [batch]; the inputs; the state.
        """
        with name_scope(name, "TrainingHelperNextInputs"):
            finished = time + 1 >= self._sequence_length
            return finished, self._at(time + 1, finished), state


def _check_outputs(outputs):
    if not isinstance(outputs, Tensor):
        raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")


class GreedyEmbeddingHelper(ScalarIds):
    """A helper that gives each step the embedding of the likeliest class of the one before.

    Args:
        embedding: A function of class numbers, an int32 tensor, that returns inputs; or a table
            [classes, size].
        start_tokens: The classes before the first step, an int32 vector [batch].
        end_token: The class after which a sequence is finished, an int32 scalar.

    Raises:
        ValueError: start_tokens is not a vector, or end_token not a scalar.
    """

    def __init__(self, embedding, start_tokens, end_token):
        self._embedding_fn = lookup_of(embedding)
        self._start_tokens = convert_to_tensor(start_tokens, dtypes.int32, name="start_tokens")
        self._end_token = convert_to_tensor(end_token, dtypes.int32, name="end_token")
        if self._start_tokens.shape.ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._batch_size = arrays.size(self._start_tokens)
        if self._end_token.shape.ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._start_inputs = self._embedding_fn(self._start_tokens)

    def initialize(self, name=None):
        return arrays.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        _check_outputs(outputs)
        return math.argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        finished = math.equal(sample_ids, self._end_token)
        inputs = cond(
            math.reduce_all(finished), lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )  # fmt: skip
        return finished, inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """A helper that gives each step the embedding of a class that is drawn from the outputs.

    Args:
        embedding: A function of class numbers, an int32 tensor, that returns inputs; or a table
            [classes, size].
        start_tokens: The classes before the first step, an int32 vector [batch].
        end_token: The class after which a sequence is finished, an int32 scalar.
        softmax_temperature: The outputs are divided by it, a float or a scalar. None: they are not.
        seed: Seed, an int. None: see set_random_seed().
    """

    def __init__(self, embedding, start_tokens, end_token, softmax_temperature=None, seed=None):
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature, self._seed = softmax_temperature, seed

    def sample(self, time, outputs, state, name=None):
        _check_outputs(outputs)
        heat = self._softmax_temperature
        return categorical_sample(outputs if heat is None else outputs / heat, self._seed)


class InferenceHelper(Helper):
    """A helper that gives each step what is sampled of the outputs of the one before.

    Args:
        sample_fn: A function of the outputs that returns samples.
        sample_shape: The shape of a sample, a list of ints.
        sample_dtype: The dtype of samples.
        start_inputs: The inputs of the first step, a tensor [batch, ...].
        end_fn: A function of samples that says which sequences are finished.
        next_inputs_fn: A function of samples that returns the next inputs. None: the samples.
    """

    def __init__(self, sample_fn, sample_shape, sample_dtype, start_inputs, end_fn,
                 next_inputs_fn=None):  # fmt: skip
        self._sample_fn, self._end_fn, self._next_inputs_fn = sample_fn, end_fn, next_inputs_fn
        self._sample_shape, self._sample_dtype = TensorShape(sample_shape), sample_dtype
        self._start_inputs = convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = arrays.shape(self._start_inputs)[0]

    @property
    def batch_size(self):
        """How many sequences, an int32 scalar."""
        return self._batch_size

    @property
    def sample_ids_shape(self):
        """The shape of a sample, a TensorShape."""
        return self._sample_shape

    @property
    def sample_ids_dtype(self):
        """The dtype of samples, a DType."""
        return self._sample_dtype

    def initialize(self, name=None):
        return arrays.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return self._sample_fn(outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), inputs, state
