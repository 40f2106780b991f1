# SPDX-License-Identifier: Apache-2.0
"""Input of replicas: data sets whose batches are divided, or taken one for each replica."""

import enum

import numpy as np

from .. import data, nest
from ..graph.default_graph import control_dependencies, device
from ..ops import array as arrays
from ..ops.control_flow.grouping import no_op
from ..ops.docstrings import constants
from . import contexts, values


@constants
class InputReplicationMode(enum.Enum):
    """For whom an input function is called: once for each task.

    Args:
        value: "PER_WORKER".
    """

    PER_WORKER = "PER_WORKER"


class InputContext:
    """What an input function needs to know of the replicas.

    Args:
        num_input_pipelines: How many tasks call the function, an int.
        input_pipeline_id: The number of this task among them, an int.
        num_replicas_in_sync: How many replicas there are, an int.
    """

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self._pipelines, self._id = num_input_pipelines, input_pipeline_id
        self._replicas = num_replicas_in_sync

    @property
    def num_replicas_in_sync(self):
        """How many replicas there are, an int."""
        return self._replicas

    @property
    def input_pipeline_id(self):
        """The number of this task among those that call the function, an int."""
        return self._id

    @property
    def num_input_pipelines(self):
        """How many tasks call the function, an int."""
        return self._pipelines

    def get_per_replica_batch_size(self, global_batch_size):
        """Computes the size of the batch of one replica.

        Args:
            global_batch_size: Size of the batch of all replicas together, an int.

        Returns:
            An int.

        Raises:
            ValueError: The batch cannot be divided evenly.
        """
        if global_batch_size % self._replicas != 0:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by "
                f"`num_replicas_in_sync` {self._replicas!r} "
            )
        return global_batch_size // self._replicas

    def __repr__(self):
        return f"tf.distribute.InputContext(input pipeline id {self._id}, total: {self._pipelines})"


class StepsContext:
    """What the function of experimental_run_steps_on_iterator() gets.

    Args:
        strategy: The Strategy.
    """

    def __init__(self, strategy):
        self._strategy, self.last_step_outputs, self.run_op = strategy, {}, None
        self.non_tensor_outputs = {}

    def set_last_step_output(self, name, output, reduce_op=None):
        """Keeps a value of the last step.

        Args:
            name: Name of the value, a str.
            output: The value, of a replica or of all.
            reduce_op: ReduceOp.SUM or ReduceOp.MEAN, which a replica must give. None: the values of
                all replicas are kept.
        """

        def keep(strategy, value):
            if reduce_op is not None:
                value = strategy.reduce(reduce_op, value, axis=None)
            self.last_step_outputs[name] = value

        if contexts.in_cross_replica_context():
            keep(self._strategy, output)
            return
        assert reduce_op is not None
        contexts.get_replica_context().merge_call(keep, args=(output,))

    def set_non_tensor_output(self, name, output):
        """Keeps a value that is not a tensor. In replicas: a tuple of the values of all.

        Args:
            name: Name of the value, a str.
            output: The value.
        """

        def keep(strategy, value):
            self.non_tensor_outputs[name] = strategy.experimental_local_results(value)

        if contexts.in_cross_replica_context():
            self.non_tensor_outputs[name] = output
        else:
            contexts.get_replica_context().merge_call(keep, args=(output,))


class DistributedDataset:
    """A data set for the replicas of a strategy.

    Args:
        extended: The StrategyExtended.
        dataset: The Dataset.
        whole: Whether its batches are for all replicas together. A bool. False: for one.

    Raises:
        TypeError: dataset is not a Dataset.
        ValueError: Its elements must be divided, but are not batches.
    """

    def __init__(self, extended, dataset, whole=True):
        if not isinstance(dataset, data.Dataset):
            raise TypeError(
                "`dataset_or_iterator` must be a Dataset or Iterator object, but got "
                f"{type(dataset)}."
            )
        if whole and len(extended.worker_devices) > 1:
            _check_batched(dataset)
        self._extended, self._dataset, self._whole = extended, dataset, whole

    @property
    def element_spec(self):
        """The structure of the elements of the data set, with their dtypes and shapes."""
        return self._dataset.element_spec

    def make_initializable_iterator(self, shared_name=None):
        """Makes an iterator that begins when its initialize() runs.

        Args:
            shared_name: Accepted. It has no effect.

        Returns:
            A DistributedIterator.
        """
        del shared_name
        return self._iterator(data.make_initializable_iterator)

    def make_one_shot_iterator(self):
        """Makes an iterator that needs no initialisation.

        Returns:
            A DistributedIterator.
        """
        return self._iterator(data.make_one_shot_iterator)

    def __iter__(self):
        return self._iterator(iter)

    def _iterator(self, make):
        return DistributedIterator(self._extended, make(self._dataset), self._whole)


def source_of(dataset):
    """The StrategyExtended of a DistributedDataset, its Dataset, and whether batches are whole."""
    return dataset._extended, dataset._dataset, dataset._whole


def _check_batched(dataset):
    """ValueError if an element has a number, which cannot be divided."""
    shapes = nest.flatten(data.get_output_shapes(dataset))
    if any(getattr(shape, "ndims", None) == 0 for shape in shapes):
        raise ValueError(
            "Input shape should have at least one dimension. Perhaps your input dataset is not "
            "batched?"
        )


class DistributedIterator:
    """The elements of a DistributedDataset, one by one.

    Args:
        extended: The StrategyExtended.
        iterator: The Iterator of the data set.
        whole: Whether a batch is for all replicas together. A bool. False: for one.
    """

    def __init__(self, extended, iterator, whole):
        self._extended, self._inner, self._whole = extended, iterator, whole

    @property
    def element_spec(self):
        """The structure of the elements of the data set, with their dtypes and shapes."""
        return self._inner.element_spec

    @property
    def output_types(self):
        """The dtypes of an element of the data set, in its structure."""
        return self._inner.output_types

    @property
    def output_shapes(self):
        """The shapes of an element of the data set, in its structure."""
        return self._inner.output_shapes

    @property
    def output_classes(self):
        """The classes of an element of the data set, in its structure."""
        return self._inner.output_classes

    def __iter__(self):
        return self

    def __next__(self):
        return self.get_next()

    def initialize(self):
        """Returns the Operation that begins with the first element.

        Returns:
            An Operation.
        """
        return self._inner.initializer

    @property
    def initializer(self):
        """The Operation that begins with the first element."""
        return self._inner.initializer

    def get_next(self, name=None):
        """Makes the tensors of the next batch of each replica: each run takes one.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An element with PerReplica values; with one replica an element with tensors.
        """
        if not self._whole:
            return values.regroup(self._following(len(self._extended.worker_devices), name))
        with device("/cpu:0"):
            return parts_of(self._inner.get_next(name), self._extended)

    def _following(self, count, name):
        found, last = [], []
        for _ in range(count):  # in order: each waits for the one before
            with control_dependencies(last):
                found.append(self._inner.get_next(name))
            last = [t.op for t in nest.flatten(found[-1])]
        return found


def parts_of(element, extended):
    """The parts of a batch for all replicas of a strategy, whose StrategyExtended is given."""
    return divided(nest.map_structure(extended.local_part, element), extended.worker_devices)


def divided(element, devices):
    """The parts of a batch, each on the device of its replica.

    Args:
        element: Tensors with the batch along dimension 0, a nested structure.
        devices: The devices.

    Returns:
        The structure, with PerReplica values for several devices.
    """
    if len(devices) == 1:
        return element

    def part(number):
        count, where = len(devices), devices[number]
        return nest.map_structure(lambda t: part_of(t, number, count, where), element)

    return values.regroup([part(number) for number in range(len(devices))])


def part_of(tensor, number, count, where=None):
    """The rows of part `number` of `count` of a batch. The first parts have equally many rows;
    those after them have the rest, or none."""
    rows = tensor.shape.as_list()[0] if tensor.shape.ndims else None
    if rows is None:
        rows = arrays.shape(tensor)[0]
    size = (rows + count - 1) // count
    found = tensor[number * size : (number + 1) * size]
    with device(where):
        return arrays.identity(found)


class _OfTensors:
    """The iterator of an input function that returns tensors instead of a data set."""

    def __init__(self, extended, function):
        self._extended, self._function = extended, function

    def initialize(self):
        """An Operation that does nothing."""
        return no_op()

    def get_next(self, name=None):
        del name
        return values.regroup([self._function() for _ in self._extended.worker_devices])


def iterator_of_function(extended, input_fn):
    """The iterator of what an input function returns: see Strategy.make_input_fn_iterator()."""
    made = input_fn(extended.input_context())
    if not isinstance(made, data.Dataset):
        if not callable(made):
            raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
        return _OfTensors(extended, made)
    return DistributedDataset(extended, made, whole=False).make_initializable_iterator()


def of_arrays(arrays_):
    """A data set of the rows of arrays."""
    structure = arrays_
    if isinstance(arrays_, list):
        structure = tuple(arrays_)
    return data.Dataset.from_tensor_slices(nest.map_structure(np.asarray, structure))
