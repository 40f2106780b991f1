# SPDX-License-Identifier: Apache-2.0
"""Groups of elements with one key, as functions for Dataset.apply()."""

import numpy as np

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import control_dependencies, name_scope
from ..graph.tensor_shape import TensorShape, dims_of
from ..ops import array as arrays
from ..ops import math
from ..ops.debug.assertions import assert_less
from .functions import ElementFunction, integer, of_data_sets, of_states
from .shapes import scalar
from .structure import mapped
from .variants import DatasetSpec, then

_WINDOW = "data.experimental.group_by_window()"
_REDUCER = "data.experimental.group_by_reducer()"


def group_by_window(key_func, reduce_func, window_size=None, window_size_func=None):
    """Collects elements with one key, and makes a data set of each such window.

    Args:
        key_func: A function of an element that returns its key, an int64 scalar.
        reduce_func: A function of (key, Dataset of the window) that returns a Dataset.
        window_size: How many elements a window has, an int.
        window_size_func: A function of a key that returns how many, instead of `window_size`.

    Returns:
        A function for Dataset.apply().

    Raises:
        ValueError: Both sizes are given, or none.
    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError("Must pass either window_size or window_size_func.")
    size_of = window_size_func or (lambda key: convert_to_tensor(window_size, dtypes.int64))

    def apply(dataset):
        element, key = dataset.element_spec, scalar(dtypes.int64)
        keys = integer(key_func, _WINDOW, element)
        reduced, spec = of_data_sets(
            reduce_func, _WINDOW, (key, DatasetSpec(element)), "reduce_func"
        )
        sizes = integer(size_of, _WINDOW, key, "window_size_func")
        return then(dataset,
            "GroupByWindowDataset", spec, [keys, reduced, sizes],
            key_func=keys.name, reduce_func=reduced.name, window_size_func=sizes.name,
            key_func_other_arguments=keys.captured,
            reduce_func_other_arguments=reduced.captured,
            window_size_func_other_arguments=sizes.captured,
        )  # fmt: skip

    return apply


class Reducer:
    """How group_by_reducer() combines the elements of a group.

    Args:
        init_func: A function of the key that returns the first state.
        reduce_func: A function of (state, element) that returns the next state.
        finalize_func: A function of the last state that returns the group's element.
    """

    def __init__(self, init_func, reduce_func, finalize_func):
        self._functions = init_func, reduce_func, finalize_func

    @property
    def init_func(self):
        """The function that makes the first state."""
        return self._functions[0]

    @property
    def reduce_func(self):
        """The function that makes the next state."""
        return self._functions[1]

    @property
    def finalize_func(self):
        """The function that makes the group's element."""
        return self._functions[2]


def group_by_reducer(key_func, reducer):
    """Combines all elements with one key.

    Args:
        key_func: A function of an element that returns its key, an int64 scalar.
        reducer: A Reducer.

    Returns:
        A function for Dataset.apply().
    """

    def apply(dataset):
        keys = integer(key_func, _REDUCER, dataset.element_spec, convert=False)
        first = ElementFunction(reducer.init_func, _REDUCER, scalar(dtypes.int64))
        reduced, state = of_states(
            reducer.reduce_func, _REDUCER, first.structure, dataset.element_spec
        )
        last = ElementFunction(reducer.finalize_func, _REDUCER, state)
        made = {"key": keys, "init": first, "reduce": reduced, "finalize": last}
        arguments = {f"{name}_func": f.name for name, f in made.items()}
        arguments.update((f"{name}_func_other_arguments", f.captured) for name, f in made.items())
        return then(
            dataset,
            "ExperimentalGroupByReducerDataset",
            last.structure,
            [*made.values()],
            **arguments,
        )

    return apply


def bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes,
                              padded_shapes=None, padding_values=None,
                              pad_to_bucket_boundary=False, no_padding=False,
                              drop_remainder=False):  # fmt: skip
    """Joins elements of similar lengths to batches.

    Args:
        element_length_func: A function of an element that returns its length, an int32 scalar.
        bucket_boundaries: The lengths at which buckets begin, a list of ints.
        bucket_batch_sizes: The size of a batch in each bucket, a list of ints, one longer.
        padded_shapes: As of Dataset.padded_batch(). None: the largest of the batch.
        padding_values: As of Dataset.padded_batch().
        pad_to_bucket_boundary: Whether sizes that are not known are padded to the largest length of
            the bucket. A bool.
        no_padding: Whether batches are not padded. A bool.
        drop_remainder: Whether smaller batches at the end are left out. A bool.

    Returns:
        A function for Dataset.apply().

    Raises:
        ValueError: The lists do not have fitting lengths.
    """
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
    with name_scope("bucket_by_seq_length"):
        sizes = constant(bucket_batch_sizes, dtypes.int64)

    def key(*element):
        length, limits = element_length_func(*element), np.iinfo(np.int32)
        lows, highs = [limits.min, *bucket_boundaries], [*bucket_boundaries, limits.max]
        inside = math.logical_and(math.less_equal(lows, length), math.less(length, highs))
        return math.reduce_min(arrays.where(inside))

    def batches(bucket, window):
        size = sizes[bucket]
        if no_padding:
            return window.batch(size, drop_remainder)
        unknown = None
        if pad_to_bucket_boundary:
            unknown = _longest(bucket, bucket_boundaries)
        shapes = padded_shapes or window.output_shapes
        return window.padded_batch(size, _filled(shapes, unknown), padding_values, drop_remainder)

    grouped = group_by_window(key, batches, window_size_func=lambda bucket: sizes[bucket])
    return lambda dataset: dataset.apply(grouped)


def _longest(bucket, boundaries):
    """The largest length of a bucket, an int64 scalar."""
    check = assert_less(
        bucket, constant(len(boundaries), dtypes.int64),
        message="pad_to_bucket_boundary: elements must be shorter than the last boundary",
    )  # fmt: skip
    with control_dependencies([check]):
        return constant(boundaries, dtypes.int64)[bucket] - 1


def _filled(shapes, unknown):
    """Shapes with a size for those that are not known."""

    def filled(shape):
        dims = dims_of(TensorShape(shape))
        if dims is None:
            raise ValueError("an element has an unknown rank: give padded_shapes")
        return [unknown if d is None else d for d in dims]

    return mapped(filled, shapes)
