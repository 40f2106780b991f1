# SPDX-License-Identifier: Apache-2.0
"""Vectors of numbers at equal distances."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..building import with_names
from .casting import cast


def range(start, limit=None, delta=1, dtype=None, name="range"):  # noqa: A001
    """Makes a vector of numbers at equal distances.

    Args:
        start: The first number; if limit is not given, the limit, and the numbers start at 0.
        limit: The end, which is not included.
        delta: The distance.
        dtype: Dtype of the result. None: that of a tensor among the numbers; float32 if one is a
            float; else int32.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A vector.

    Example:
        >>> sl.Session().run(sl.range(2, 10, 3))
        array([2, 5, 8], dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "range") as scope:
        ends = zip((start, limit, delta), ("start", "limit", "delta"))
        ends = [convert_to_tensor(v, dtype, n) for v, n in ends]
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            dtype = max((v.dtype.base_dtype for v in ends), key=order.index)
            ends = [cast(v, dtype) for v in ends]
        start, limit, delta = ends
        return raw_ops.Range(start=start, limit=limit, delta=delta, name=scope)


def linspace(start, stop, num, name=None):
    """Makes a vector of numbers from start to stop at equal distances.

    Args:
        start: The first number, a scalar of any floating-point dtype.
        stop: The last number, of the same dtype.
        num: How many numbers, an int or a scalar tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [num].

    Example:
        >>> sl.Session().run(sl.linspace(0.0, 1.0, 3))
        array([0. , 0.5, 1. ], dtype=float32)
    """
    return raw_ops.LinSpace(start=start, stop=stop, num=num, name=name)


__all__ = with_names(globals())
