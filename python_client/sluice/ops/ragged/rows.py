# SPDX-License-Identifier: Apache-2.0
"""Which row each element is of, and where rows begin."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names


def as_splits(value, name):
    """Numbers of rows or elements as a tensor: int64, unless they have a dtype."""
    return convert_to_tensor(value, name=name, dtype_hint=dtypes.int64)


def row_splits_to_segment_ids(splits, name=None, out_type=None):
    """Returns the row of each element.

    Args:
        splits: Where rows begin, and where the last one ends, a vector.
        name: Name of the operations, a str. None: a default name.
        out_type: Dtype of the result. None: that of splits.

    Returns:
        A vector.
    """
    with name_scope(name, "RaggedSplitsToSegmentIds"):
        splits = as_splits(splits, "splits")
        if not splits.dtype.is_integer:
            raise ValueError(f"splits must be int32 or int64, not {splits.dtype.name}")
        lengths = splits[1:] - splits[:-1]
        ends = math.cumsum(lengths)
        total = splits[-1] - splits[0]
        found = raw_ops.UpperBound(
            sorted_inputs=arrays.expand_dims(ends, 0),
            values=arrays.expand_dims(arrays.range(total), 0), out_type=out_type or splits.dtype,
        )  # fmt: skip
        return arrays.reshape(found, [-1])


def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None):
    """Returns where rows begin, of the row of each element.

    Args:
        segment_ids: The rows, a vector in order.
        num_segments: How many rows there are, an int or a scalar. None: as many as segment_ids has.
        out_type: Dtype of the result. None: that of segment_ids.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A vector.
    """
    with name_scope(name, "SegmentIdsToRaggedSplits"):
        rows = as_splits(segment_ids, "segment_ids")
        if not rows.dtype.is_integer:
            raise ValueError(f"segment_ids must be int32 or int64, not {rows.dtype.name}")
        kind = out_type or rows.dtype
        if num_segments is None:
            num_segments = math.reduce_max(arrays.concat([[-1], rows], 0)) + 1
        count = arrays.cast(num_segments, dtypes.int32)
        lengths = math.unsorted_segment_sum(arrays.ones_like(rows), rows, count)
        return arrays.cast(arrays.concat([[0], math.cumsum(lengths)], 0), kind)


__all__ = with_names(globals())
