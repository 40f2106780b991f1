# SPDX-License-Identifier: Apache-2.0
"""Batches in other ways than Dataset.batch(), and repetitions, as functions for Dataset.apply()."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.tensor_shape import TensorShape
from ..ops.functions.functions import TensorSpec
from . import specs
from .dataset import static_size
from .functions import ElementFunction, predicate
from .options import Options
from .padding import shape_tensor
from .readers import parallel_interleave as interleaved
from .seeds import seed_tensors
from .variants import then


def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False,
                  num_parallel_calls=None):  # fmt: skip
    """Applies a function to every element, and joins the results to batches.

    Args:
        map_func: A function of an element that returns one.
        batch_size: How many elements a batch has, an int or int64 scalar.
        num_parallel_batches: How many batches are computed at once, an int.
        drop_remainder: Whether a smaller batch at the end is left out. A bool or bool scalar.
        num_parallel_calls: How many elements are computed at once, an int or int64 scalar. None:
            those of one batch, or of `num_parallel_batches`.

    Returns:
        A function for Dataset.apply().

    Raises:
        ValueError: Both numbers are given.
    """
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError(
            "The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive."
        )
    if num_parallel_calls is None:
        num_parallel_calls = batch_size * (num_parallel_batches or 1)

    def apply(dataset):
        where = "data.experimental.map_and_batch()"
        made = ElementFunction(map_func, where, dataset.element_spec)
        size = convert_to_tensor(batch_size, dtypes.int64, "batch_size")
        calls = convert_to_tensor(num_parallel_calls, dtypes.int64, "num_parallel_calls")
        drop = convert_to_tensor(drop_remainder, dtypes.bool_, "drop_remainder")
        spec = specs.batched(made.structure, static_size(size, drop))
        return then(dataset,
            "MapAndBatchDataset", spec, [made], f=made.name, other_arguments=made.captured,
            batch_size=size, num_parallel_calls=calls, drop_remainder=drop,
            preserve_cardinality=True,
        )  # fmt: skip

    return apply


def map_and_batch_with_legacy_function(map_func, batch_size, num_parallel_batches=None,
                                       drop_remainder=False, num_parallel_calls=None):  # fmt: skip
    """Applies a function to every element, and joins the results to batches: map_and_batch().

    Args:
        map_func: A function of an element that returns one.
        batch_size: As of map_and_batch().
        num_parallel_batches: As of map_and_batch().
        drop_remainder: As of map_and_batch().
        num_parallel_calls: As of map_and_batch().

    Returns:
        A function for Dataset.apply().
    """
    return map_and_batch(
        map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls
    )


def dense_to_sparse_batch(batch_size, row_shape):
    """Joins tensors of several shapes to SparseTensors.

    Args:
        batch_size: How many, an int or int64 scalar.
        row_shape: The largest shape of an element: sizes, a TensorShape or an int64 vector.

    Returns:
        A function for Dataset.apply().
    """

    def apply(dataset):
        if not isinstance(dataset.element_spec, TensorSpec):
            raise TypeError(
                "DenseToSparseDataset requires an input whose elements have a single component,"
                f" whereas the input has {dataset.output_types}."
            )
        shape = TensorShape([None]).concatenate(TensorShape(row_shape))
        spec = specs.SparseTensorSpec(shape, dataset.element_spec.dtype)
        return then(dataset,
            "DenseToSparseBatchDataset", spec, batch_size=batch_size,
            row_shape=shape_tensor(row_shape, what="The given shape"),
        )  # fmt: skip

    return apply


def unbatch():
    """Splits every element along its first dimension: Dataset.unbatch().

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: dataset.unbatch()


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """Repeats all elements, each time in another random order.

    Args:
        buffer_size: From how many elements the next one is drawn, an int or int64 scalar.
        count: How often, an int or int64 scalar. None or -1: without end.
        seed: Seed of the order, an int.

    Returns:
        A function for Dataset.apply().
    """

    def apply(dataset):
        size = convert_to_tensor(buffer_size, dtypes.int64, "buffer_size")
        times = convert_to_tensor(-1 if count is None else count, dtypes.int64, "count")
        first, second = seed_tensors(seed)
        return then(
            dataset,
            "ShuffleAndRepeatDataset",
            buffer_size=size,
            count=times,
            seed=first,
            seed2=second,
        )

    return apply


def parallel_interleave(map_func, cycle_length, block_length=1, sloppy=False,
                        buffer_output_elements=None, prefetch_input_elements=None):  # fmt: skip
    """Makes a data set of every element, and takes from several at once.

    Args:
        map_func: A function of an element that returns a Dataset.
        cycle_length: From how many, an int or int64 scalar.
        block_length: How many elements of each in turn, an int or int64 scalar.
        sloppy: Whether the order may vary. A bool or bool scalar.
        buffer_output_elements: How many elements of each wait, an int. None: twice the block.
        prefetch_input_elements: How many data sets are prepared, an int. None: twice the cycle.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: interleaved(
        dataset, map_func, cycle_length, block_length, sloppy, buffer_output_elements,
        prefetch_input_elements,
    )  # fmt: skip


def ignore_errors():
    """Leaves out the elements whose computation fails.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: then(dataset, "IgnoreErrorsDataset")


def take_while(predicate):
    """Takes elements until a function gives false.

    Args:
        predicate: A function of an element that returns a bool scalar.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: _taken_while(dataset, predicate)


def _taken_while(dataset, function):
    made = predicate(function, "data.experimental.take_while()", dataset.element_spec)
    return then(
        dataset,
        "TakeWhileDataset",
        None,
        [made],
        predicate=made.name,
        other_arguments=made.captured,
    )


def unique():
    """Takes every element once.

    Returns:
        A function for Dataset.apply().
    """

    def apply(dataset):
        if dataset.output_types not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`,"
                f" `tf.int64`, or `tf.string` component. It has {dataset.element_spec}"
            )
        return then(dataset, "UniqueDataset")

    return apply


def enumerate_dataset(start=0):
    """Numbers the elements: Dataset.enumerate().

    Args:
        start: The first number, an int or int64 scalar.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: dataset.enumerate(start)


def prefetch_to_device(device, buffer_size=None):
    """Produces elements before they are asked for. They stay in the memory of the task: a step that
    needs them on a GPU copies them.

    Args:
        device: Accepted. It has no effect.
        buffer_size: How many at most, an int or int64 scalar. None: the task chooses.

    Returns:
        A function for Dataset.apply().
    """
    del device
    return lambda dataset: dataset.prefetch(buffer_size)


def copy_to_device(target_device, source_device="/cpu:0"):
    """Copies elements to a device. They stay in the memory of the task that has the iterator: a
    step that needs them on a GPU copies them.

    Args:
        target_device: Accepted. It has no effect.
        source_device: Accepted. It has no effect.

    Returns:
        A function for Dataset.apply().
    """
    del target_device, source_device
    options = Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    return lambda dataset: dataset.with_options(options)


def bytes_produced_stats(tag):
    """Counts the bytes of elements in the StatsAggregator of the data set, if it has one.

    Args:
        tag: Name of the statistic, a str.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: _marked(dataset, "BytesProducedStatsDataset", tag)


def latency_stats(tag):
    """Records how long elements take in the StatsAggregator of the data set, if it has one.

    Args:
        tag: Name of the statistic, a str.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: _marked(dataset, "LatencyStatsDataset", tag)


def _marked(dataset, op, tag):
    return then(dataset, op, tag=convert_to_tensor(tag, dtypes.string))
