# SPDX-License-Identifier: Apache-2.0
"""Functions of data sets that only 1.x's contrib has."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.functions.functions import TensorSpec
from . import specs
from .batching import parallel_interleave
from .dataset import Dataset
from .features import make_batched_features_dataset
from .readers import TFRecordDataset
from .shapes import scalar, shapes_of
from .structure import leaves, leaves_up_to, pack
from .variants import dataset_of, same_as, then


def batch_and_drop_remainder(batch_size):
    """Joins elements to batches, and leaves out a smaller one at the end.

    Args:
        batch_size: How many, an int or int64 scalar.

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    """Joins elements to padded batches, and leaves out a smaller one at the end.

    Args:
        batch_size: How many, an int or int64 scalar.
        padded_shapes: As of Dataset.padded_batch().
        padding_values: As of Dataset.padded_batch().

    Returns:
        A function for Dataset.apply().
    """
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes, padding_values, drop_remainder=True
    )


def sliding_window_batch(window_size, stride=None, window_shift=None, window_stride=1):
    """Joins neighbouring elements to batches that overlap.

    Args:
        window_size: How many elements a batch has, an int or int64 scalar.
        stride: Older name of window_shift.
        window_shift: How far the next batch begins after the last, an int or int64 scalar. None: 1.
        window_stride: How far apart the elements of a batch are, an int or int64 scalar.

    Returns:
        A function for Dataset.apply().

    Raises:
        ValueError: `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("give window_shift or its older name stride, not both")
    given = [value for value in (stride, window_shift) if value is not None]
    sizes = {
        "window_size": window_size,
        "window_shift": given[0] if given else 1,
        "window_stride": window_stride,
    }

    def apply(dataset):
        inputs = {n: convert_to_tensor(v, dtypes.int64, n) for n, v in sizes.items()}
        spec = specs.batched(dataset.element_spec, None)
        return then(dataset, "SlidingWindowDataset", spec, **inputs)

    return apply


def sloppy_interleave(map_func, cycle_length, block_length=1):
    """Makes a data set of every element, and takes from several at once in any order.

    Args:
        map_func: A function of an element that returns a Dataset.
        cycle_length: From how many, an int or int64 scalar.
        block_length: How many elements of each in turn, an int or int64 scalar.

    Returns:
        A function for Dataset.apply().
    """
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def assert_element_shape(expected_shapes):
    """Checks the shapes of elements, and makes them known.

    Args:
        expected_shapes: Shapes in the structure of an element; None where any is fine.

    Returns:
        A function for Dataset.apply(). A run raises errors.InvalidArgumentError for other shapes.
    """

    def apply(dataset):
        spec = dataset.element_spec
        shapes = [TensorShape(shape) for shape in leaves_up_to(spec, expected_shapes)]
        found = [
            TensorSpec(leaf.shape.merge_with(shape), leaf.dtype)
            for leaf, shape in zip(leaves(spec), shapes)
        ]

        def checked(*parts):
            element = parts if type(spec) is tuple else parts[0]
            rows = zip(leaves(element), shapes)
            return pack(element, [_checked(tensor, shape) for tensor, shape in rows])

        made = dataset.map(checked)
        variant, _, inputs, called = same_as(made)
        return dataset_of(variant, pack(spec, found), inputs, called)

    return apply


def _checked(tensor, shape):
    if shape.ndims is None:
        return arrays.identity(tensor)
    return raw_ops.EnsureShape(input=tensor, shape=shape.as_list())


def reduce_dataset(dataset, reducer):
    """Combines all elements: Dataset.reduce().

    Args:
        dataset: A Dataset.
        reducer: A Reducer.

    Returns:
        The last state: tensors in the structure of the first.

    Raises:
        TypeError: It is not a Dataset.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"dataset must be a Dataset, not {dataset!r}")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


def read_batch_features(file_pattern, batch_size, features, reader=TFRecordDataset,
                        reader_args=None, randomize_input=True, num_epochs=None,
                        capacity=10000):  # fmt: skip
    """Reads files of Examples as batches of features.

    Args:
        file_pattern: Patterns of the files' names: a str, a list of str or a tensor.
        batch_size: How many Examples a batch has, an int or int64 scalar.
        features: A dict: as of make_batched_features_dataset().
        reader: A function of a filename that returns a Dataset.
        reader_args: More arguments of `reader`, a list.
        randomize_input: Whether the order is random. A bool.
        num_epochs: How often all is read, an int. None: without end.
        capacity: From how many Examples the next one is drawn, an int.

    Returns:
        A dict: name of a feature -> the tensor of the next batch.
    """
    dataset = make_batched_features_dataset(
        file_pattern, batch_size, features, reader, reader_args=reader_args,
        num_epochs=num_epochs, shuffle=randomize_input, shuffle_buffer_size=capacity,
    )  # fmt: skip
    return dataset.make_one_shot_iterator().get_next()


class LMDBDataset(Dataset):
    """The keys and values of LMDB databases, tuples of two string scalars.

    Args:
        filenames: Names of the files: a str, a list of str or a tensor.
    """

    def __init__(self, filenames):
        names = convert_to_tensor(filenames, dtypes.string, "filenames")
        spec = scalar(dtypes.string), scalar(dtypes.string)
        super().__init__(raw_ops.LMDBDataset(filenames=names, **shapes_of(spec)), spec)


NAMES = (
    "LMDBDataset", "assert_element_shape", "batch_and_drop_remainder",
    "padded_batch_and_drop_remainder", "read_batch_features", "reduce_dataset",
    "sliding_window_batch", "sloppy_interleave",
)  # fmt: skip
