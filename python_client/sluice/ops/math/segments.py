# SPDX-License-Identifier: Apache-2.0
"""Reductions of segments: rows that have the same number."""

from ...graph.convert import convert_to_tensor
from .. import raw_ops
from ..array import cast, concat, expand_dims, ones_like, rank, reshape, shape
from ..building import thin, with_names
from .arithmetic import maximum, realdiv, sqrt, subtract

_SORTED = """ the rows of each segment.

    Args:
        segment_ids: An int32 or int64 tensor [n] in ascending order: row i belongs to segment
            segment_ids[i].

    Returns:
        A tensor [segments, ...] of the dtype of `data`.
"""


_UNSORTED = """ the rows of each segment. The rows may be in any order.

    Args:
        segment_ids: An int32 or int64 tensor of the first dimensions of `data`. Rows with a
            negative id are left out.
        num_segments: How many segments the result has, an int32 or int64 scalar.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.
"""


segment_sum = thin("SegmentSum", "data segment_ids", "Adds up" + _SORTED)


segment_mean = thin("SegmentMean", "data segment_ids", "Computes the means of" + _SORTED)


segment_prod = thin("SegmentProd", "data segment_ids", "Multiplies" + _SORTED)


segment_max = thin("SegmentMax", "data segment_ids", "Takes the maxima of" + _SORTED)


segment_min = thin("SegmentMin", "data segment_ids", "Takes the minima of" + _SORTED)


_BY_ID = "data segment_ids num_segments"


unsorted_segment_sum = thin("UnsortedSegmentSum", _BY_ID, "Adds up" + _UNSORTED)


unsorted_segment_prod = thin("UnsortedSegmentProd", _BY_ID, "Multiplies" + _UNSORTED)


unsorted_segment_max = thin("UnsortedSegmentMax", _BY_ID, "Takes the maxima of" + _UNSORTED)


unsorted_segment_min = thin("UnsortedSegmentMin", _BY_ID, "Takes the minima of" + _UNSORTED)


def _segment_counts(data, segment_ids, num_segments):
    """How many rows each segment has, at least 1, of a shape to divide by."""
    ids = convert_to_tensor(segment_ids)
    ones = ones_like(ids)
    counts = maximum(cast(unsorted_segment_sum(ones, ids, num_segments), data.dtype), 1)
    rest = subtract(rank(data), rank(ids))
    tail = raw_ops.Fill(dims=expand_dims(rest, 0), value=1)
    return reshape(counts, concat([shape(counts), tail], 0))


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """Computes the means of the rows of each segment; 0 for a segment without rows.

    Args:
        data: A tensor [n, ...] of any floating-point or complex dtype.
        segment_ids: An int32 or int64 tensor of the first dimensions of data. Negative ids count
            nowhere.
        num_segments: How many segments, an int or a scalar tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [num_segments, ...] of the dtype of data.
    """
    data = convert_to_tensor(data)
    sums = unsorted_segment_sum(data, segment_ids, num_segments)
    return realdiv(sums, _segment_counts(data, segment_ids, num_segments), name)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """Adds up the rows of each segment and divides by the square root of their number.

    Args:
        data: A tensor [n, ...] of any floating-point or complex dtype.
        segment_ids: An int32 or int64 tensor of the first dimensions of data. Negative ids count
            nowhere.
        num_segments: How many segments, an int or a scalar tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [num_segments, ...] of the dtype of data.
    """
    data = convert_to_tensor(data)
    sums = unsorted_segment_sum(data, segment_ids, num_segments)
    return realdiv(sums, sqrt(_segment_counts(data, segment_ids, num_segments)), name)


__all__ = with_names(globals())
