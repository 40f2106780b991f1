# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors of lists, of ranges, and for feeds."""

import numpy as np

from ... import dtypes
from ...graph.convert import constant as tensor_constant
from ...graph.convert import convert_to_tensor
from ...graph.convert import placeholder as tensor_placeholder
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from .ragged_tensor import RaggedTensor
from .ragged_value import RaggedTensorValue

range_ = range  # a function below has its name


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None,
             row_splits_dtype=dtypes.int64):  # fmt: skip
    """Makes a RaggedTensor of nested lists.

    Args:
        pylist: Lists of lists.
        dtype: Dtype of the elements. None: it follows from them.
        ragged_rank: How many ragged dimensions there are, an int. None: as many as lists are
            nested, but the outermost.
        inner_shape: Shape of the elements, a tuple. None: scalars.
        name: Name of the operations, a str. None: a default name.
        row_splits_dtype: Dtype of the row_splits: int32 or int64.

    Returns:
        A RaggedTensor; a tensor if no dimension is ragged.

    Raises:
        ValueError: The lists are not nested as asked for.

    Example:
        >>> sl.Session().run(sl.ragged.constant([[1, 2], [], [3]])).to_list()
        [[1, 2], [], [3]]
    """
    with name_scope(name, "RaggedConstant"):
        value = constant_value(pylist, None, ragged_rank, inner_shape, row_splits_dtype)
        return _as_tensors(value, dtype)


def _as_tensors(value, dtype):
    if not isinstance(value, RaggedTensorValue):
        given = value.tolist() if value.dtype == object or not value.size else value
        if not value.size and dtype is None:
            dtype = dtypes.float32
        return tensor_constant(given, dtype, shape=value.shape if not value.size else None)
    return RaggedTensor(_as_tensors(value.values, dtype), tensor_constant(value.row_splits))


def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None,
                   row_splits_dtype="int64"):  # fmt: skip
    """Makes a RaggedTensorValue of nested lists.

    Args:
        pylist: Lists of lists.
        dtype: NumPy's dtype of the elements. None: it follows from them.
        ragged_rank: How many ragged dimensions there are, an int. None: as many as lists are
            nested, but the outermost.
        inner_shape: Shape of the elements, a tuple. None: scalars.
        row_splits_dtype: Dtype of the row_splits: "int32" or "int64".

    Returns:
        A RaggedTensorValue; an array if no dimension is ragged.

    Raises:
        ValueError: The lists are not nested as asked for.
    """
    kind = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype
    if not isinstance(pylist, (list, tuple, np.ndarray)):
        raise ValueError(f"a ragged tensor is made of lists, not of {pylist!r}")
    depth = _depth(pylist)
    inner = tuple(inner_shape) if inner_shape is not None else None
    if ragged_rank is None:
        ragged_rank = max(0, depth - 1 - (len(inner) if inner else 0))
    if ragged_rank < 0 or ragged_rank and depth and ragged_rank >= depth:
        raise ValueError(f"lists of depth {depth} cannot have {ragged_rank} ragged dimensions")
    splits, items = [], list(pylist)
    for _ in range_(ragged_rank):
        if not all(isinstance(item, (list, tuple, np.ndarray)) for item in items):
            raise ValueError("all lists must be nested to the same depth")
        splits.append(np.cumsum([0, *map(len, items)]).astype(kind))
        items = [element for item in items for element in item]
    values = _array(items, dtype, inner)
    for one in reversed(splits):
        values = RaggedTensorValue(values, one)
    return values


def _depth(item):
    """How deep lists are nested; an empty list says nothing of what would be in it."""
    if not isinstance(item, (list, tuple, np.ndarray)):
        return 0
    return 1 + max((_depth(element) for element in item), default=0)


def _array(items, dtype, inner):
    if not items:
        return np.empty((0, *(inner or ())), np.float64 if dtype is None else dtype)
    text = isinstance(np.ravel(np.asarray(items, object))[:1].tolist()[0], (str, bytes))
    array = np.array(items, object if text else dtype)
    if not text and array.dtype == object:
        raise ValueError("all lists must be nested to the same depth")
    if inner is not None and array.shape[1:] != inner:
        raise ValueError(f"elements must have shape {inner}, not {array.shape[1:]}")
    if not text and dtype is None and array.dtype in (np.float64, np.int64):
        small = array.dtype == np.float64 or np.all(np.abs(array) < 2**31)
        return (
            array.astype(np.float32 if array.dtype == np.float64 else np.int32) if small else array
        )
    return array


def placeholder(dtype, ragged_rank, value_shape=None, name=None):
    """Makes a RaggedTensor that every run must feed.

    Args:
        dtype: Dtype of the elements.
        ragged_rank: How many ragged dimensions there are, an int.
        value_shape: Shape of the elements. None: any.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor; with ragged_rank 0 a tensor.
    """
    if ragged_rank == 0:
        return tensor_placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder"):
        flat = None if value_shape is None else [None, *value_shape]
        result = tensor_placeholder(dtype, flat, "flat_values")
        for i in reversed(range_(ragged_rank)):
            splits = tensor_placeholder(dtypes.int64, [None], f"row_splits_{i}")
            result = RaggedTensor(result, splits)
        return result


def range(starts, limits=None, deltas=1, dtype=None, name=None,  # noqa: A001
          row_splits_dtype=dtypes.int64):  # fmt: skip
    """Makes rows of numbers at equal distances.

    Args:
        starts: The first number of each row, a vector or a scalar. Without limits: the limits.
        limits: Where each row ends, a vector or a scalar: the limit is not in it.
        deltas: The distances, a vector or a scalar.
        dtype: Dtype of the numbers. None: it follows from them.
        name: Name of the operations, a str. None: a default name.
        row_splits_dtype: Dtype of the row_splits: int32 or int64.

    Returns:
        A RaggedTensor.

    Example:
        >>> sl.Session().run(sl.ragged.range([2, 0, 3])).to_list()
        [[0, 1], [], [0, 1, 2]]
    """
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange"):
        parts = [convert_to_tensor(p, dtype) for p in (starts, limits, deltas)]
        order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
        kind = max((p.dtype for p in parts), key=order.index) if dtype is None else dtype
        parts = [arrays.cast(p, kind) for p in parts]
        splits, values = raw_ops.RaggedRange(
            starts=parts[0], limits=parts[1], deltas=parts[2], Tsplits=row_splits_dtype
        )
        return RaggedTensor(values, splits)


__all__ = [n for n in with_names(globals()) if n != "range_"]
