# SPDX-License-Identifier: Apache-2.0
"""The order of elements: places of the largest and smallest, permutations."""

from ... import dtypes
from ..array import reshape
from ..building import given, thin, with_names
from .comparison import less, less_equal
from .reductions import reduce_all


def argmax(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """Returns the index of the largest element along a dimension; of several, the first.

    Args:
        input: A tensor of any numeric dtype.
        axis: The dimension, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
        dimension: Older name of axis.
        output_type: Dtype of the result, int32 or int64.

    Returns:
        A tensor of indices, without the dimension `axis`.

    Raises:
        ValueError: Both axis and dimension are given.

    Example:
        >>> sl.Session().run(sl.argmax([[1, 9, 3], [7, 5, 6]], axis=1))
        array([1, 0])
    """
    axis = given(axis, dimension)
    return arg_max(input, 0 if axis is None else axis, output_type, name)


def argmin(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """Returns the index of the smallest element along a dimension; of several, the first.

    Args:
        input: A tensor of any numeric dtype.
        axis: The dimension, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
        dimension: Older name of axis.
        output_type: Dtype of the result, int32 or int64.

    Returns:
        A tensor of indices, without the dimension `axis`.

    Raises:
        ValueError: Both axis and dimension are given.

    Example:
        >>> sl.Session().run(sl.argmin([4, 1, 3]))
        1
    """
    axis = given(axis, dimension)
    return arg_min(input, 0 if axis is None else axis, output_type, name)


arg_max = thin(
    "ArgMax",
    "input dimension output_type=int64",
    """Returns the index of the largest element along a dimension. Older form of argmax().

    Args:
        dimension: The dimension, an int32 or int64 scalar.

    Returns:
        A tensor of indices, without the dimension.
    """,
)


arg_min = thin(
    "ArgMin",
    "input dimension output_type=int64",
    """Returns the index of the smallest element along a dimension. Older form of argmin().

    Args:
        dimension: The dimension, an int32 or int64 scalar.

    Returns:
        A tensor of indices, without the dimension.
    """,
)


def is_strictly_increasing(x, name=None):
    """Tests whether each element, in row-major order, is larger than the one before it.

    Args:
        x: A tensor of any real dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]), name=name)


def is_non_decreasing(x, name=None):
    """Tests whether each element, in row-major order, is at least the one before it.

    Args:
        x: A tensor of any real dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]), name=name)


__all__ = with_names(globals())
