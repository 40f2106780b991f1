# SPDX-License-Identifier: Apache-2.0
"""Search in sorted and unsorted sequences."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import raw_ops
from ..building import thin, with_names
from .joining import stack
from .shapes import shape
from .shaping import reshape

searchsorted_left = thin(
    "LowerBound",
    "sorted_inputs values",
    """Finds the first place in each sorted row whose element is not below a value.

    Args:
        sorted_inputs: A tensor [rows, m] of any dtype, sorted along the last dimension.
        values: A tensor [rows, n] of the same dtype.

    Returns:
        An int32 tensor [rows, n].
    """,
)


searchsorted_right = thin(
    "UpperBound",
    "sorted_inputs values",
    """Finds the first place in each sorted row whose element is above a value.

    Args:
        sorted_inputs: A tensor [rows, m] of any dtype, sorted along the last dimension.
        values: A tensor [rows, n] of the same dtype.

    Returns:
        An int32 tensor [rows, n].
    """,
)


unique = thin(
    "Unique",
    "x out_idx=int32",
    """Returns the different elements of a vector, in the order in which they first occur.

    Args:
        x: A vector of any dtype.
        out_idx: Dtype of the indices, int32 or int64. Default: int32.

    Returns:
        A named tuple. `y`: the different elements; `idx`: for each element of x its place in y.

    Example:
        >>> y, idx = sl.Session().run(sl.unique([7, 7, 5]))
        >>> y, idx
        (array([7, 5], dtype=int32), array([0, 0, 1], dtype=int32))
    """,
)


unique_with_counts = thin(
    "UniqueWithCounts",
    "x out_idx=int32",
    """Returns the different elements of a vector, and how often each occurs.

    Args:
        x: A vector of any dtype.
        out_idx: Dtype of the indices and counts, int32 or int64. Default: int32.

    Returns:
        A named tuple. `y`: the different elements; `idx`: for each element of x its place in y;
        `count`: how often each element of y occurs.
    """,
)


setdiff1d = thin(
    "ListDiff",
    "x y index_dtype:out_idx=int32",
    """Returns the elements of x that are not in y.

    Args:
        x: A vector of any dtype.
        y: A vector of the dtype of x.
        index_dtype: Dtype of the indices, int32 or int64. Default: int32.

    Returns:
        A named tuple. `out`: the elements; `idx`: their places in x.
    """,
)


def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None):
    """Finds where values belong in a sorted sequence.

    Args:
        sorted_sequence: A tensor [..., m] of any dtype, sorted along the last dimension.
        values: A tensor [..., n] of the same dtype.
        side: "left": before equal elements; "right": after them.
        out_type: Dtype of the result, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n] of places from 0 to m.

    Raises:
        ValueError: side is neither "left" nor "right".
    """
    rows, found = convert_to_tensor(sorted_sequence), convert_to_tensor(values)
    if side not in ("left", "right"):
        raise ValueError(f'side is "left" or "right", not "{side}"')
    flat = [reshape(x, stack([-1, shape(x)[-1]])) for x in (rows, found)]
    op = "LowerBound" if side == "left" else "UpperBound"
    places = raw_ops.apply_op(
        op, name, sorted_inputs=flat[0], values=flat[1], out_type=dtypes.as_dtype(out_type)
    )
    return reshape(places, shape(found))


__all__ = with_names(globals())
