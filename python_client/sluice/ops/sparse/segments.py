# SPDX-License-Identifier: Apache-2.0
"""Reductions of segments of rows that are picked by their indices."""

from .. import raw_ops
from ..building import thin, with_names

_SEGMENTS = """

Args:
    data: A tensor [n, ...] of any floating-point dtype; for sums also of any real dtype.
    indices: An int32 or int64 tensor [k]: the rows of data to take.
    segment_ids: An int32 or int64 tensor [k] in ascending order: the segment of each row taken.
    name: Name of the operation, a str. None: a default name.
    num_segments: How many segments the result has, an int32 or int64 scalar. None: the last id
        plus 1.

Returns:
    A tensor [segments, ...] of the dtype of data.

Raises:
    errors.InvalidArgumentError: In run(): an index is not a row of data, or the ids are out of
        order.
"""


def _segment(op, what):
    doc = what + " the rows data[indices] of each segment."
    plain = thin(op, "data indices segment_ids", doc)
    counted = thin(op + "WithNumSegments", "data indices segment_ids num_segments", doc)

    def function(data, indices, segment_ids, name=None, num_segments=None):
        if num_segments is None:
            return plain(data, indices, segment_ids, name)
        return counted(data, indices, segment_ids, num_segments, name)

    function.__doc__ = doc + _SEGMENTS
    raw_ops.shown_by[op] = raw_ops.shown_by[op + "WithNumSegments"] = function
    return function


segment_sum = _segment("SparseSegmentSum", "Adds up")


segment_mean = _segment("SparseSegmentMean", "Computes the means of")


segment_sqrt_n = _segment(
    "SparseSegmentSqrtN", "Adds up, and divides by the square root of their number,"
)


__all__ = with_names(globals())
