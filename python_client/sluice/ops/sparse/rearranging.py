# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors joined, cut, reshaped and put in order."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.elements import IndexedSlices
from .. import array as arrays
from .. import math, raw_ops
from ..building import given, with_names
from ..debug.checks import Assert
from .parts import parts_of
from .sparse_tensor import SparseTensor


def concat(axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None,
           expand_nonconcat_dims=None):  # fmt: skip
    """Joins SparseTensors along a dimension.

    Args:
        axis: The dimension, an int.
        sp_inputs: A list of SparseTensors of one dtype.
        name: Name of the operation, a str. None: a default name.
        expand_nonconcat_dim: Whether other sizes may differ. A bool.
        concat_dim: Older name of axis.
        expand_nonconcat_dims: Newer name of expand_nonconcat_dim.

    Returns:
        A SparseTensor.
    """
    axis = given(axis, concat_dim)
    if expand_nonconcat_dim or expand_nonconcat_dims:
        sizes = arrays.stack([s.dense_shape for s in sp_inputs])
        own = arrays.one_hot(axis, sp_inputs[0].dense_shape.shape[0], True, False)
        most = math.reduce_max(sizes, 0)
        sp_inputs = [
            SparseTensor(s.indices, s.values, arrays.where(own, s.dense_shape, most))
            for s in sp_inputs
        ]
    parts = raw_ops.SparseConcat(
        indices=[s.indices for s in sp_inputs], values=[s.values for s in sp_inputs],
        shapes=[s.dense_shape for s in sp_inputs], concat_dim=axis, name=name,
    )  # fmt: skip
    return SparseTensor(*parts)


def split(sp_input=None, num_split=None, axis=None, name=None, split_dim=None):
    """Cuts a SparseTensor into parts along a dimension. The first parts may be larger.

    Args:
        sp_input: A SparseTensor.
        num_split: How many parts, an int.
        axis: The dimension, an int.
        name: Name of the operation, a str. None: a default name.
        split_dim: Older name of axis.

    Returns:
        A list of SparseTensors.
    """
    axis = given(axis, split_dim)
    parts = raw_ops.SparseSplit(
        split_dim=constant(axis, dtypes.int64), num_split=num_split, name=name, **parts_of(sp_input)
    )
    return [SparseTensor(*part) for part in zip(*parts)]


def slice(sp_input, start, size, name=None):  # noqa: A001
    """Takes a part of a SparseTensor.

    Args:
        sp_input: A SparseTensor.
        start: The first index of each dimension, an int64 vector.
        size: How many elements of each dimension, an int64 vector.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    start, size = (convert_to_tensor(v, dtypes.int64) for v in (start, size))
    return SparseTensor(
        *raw_ops.SparseSlice(start=start, size=size, name=name, **parts_of(sp_input))
    )


def reorder(sp_input, name=None):
    """Puts the indices in row-major order.

    Args:
        sp_input: A SparseTensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    indices, values = raw_ops.SparseReorder(name=name, **parts_of(sp_input, "input_"))
    return SparseTensor(indices, values, sp_input.dense_shape)


def reshape(sp_input, shape, name=None):
    """Gives a SparseTensor another shape.

    Args:
        sp_input: A SparseTensor.
        shape: The new sizes, an int64 vector. One of them may be -1.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    with name_scope(name, "SparseReshape") as scope:
        indices, dense_shape = raw_ops.SparseReshape(
            input_indices=sp_input.indices, input_shape=sp_input.dense_shape,
            new_shape=convert_to_tensor(shape, dtypes.int64), name=scope,
        )  # fmt: skip
        return SparseTensor(indices, sp_input.values, arrays.identity(dense_shape))


def transpose(sp_input, perm=None, name=None):
    """Puts the dimensions in another order.

    Args:
        sp_input: A SparseTensor.
        perm: The dimensions in their new order, a list of ints. None: reversed.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    rank = sp_input.dense_shape.shape[0]
    perm = list(range(rank))[::-1] if perm is None else list(perm)
    indices = arrays.gather(sp_input.indices, perm, axis=1)
    moved = SparseTensor(indices, sp_input.values, arrays.gather(sp_input.dense_shape, perm))
    return reorder(moved, name)


def expand_dims(sp_input, axis=None, name=None):
    """Inserts a dimension of size 1.

    Args:
        sp_input: A SparseTensor.
        axis: Where the new dimension is in the result, an int. None: it is the last.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    axis = -1 if axis is None else axis
    rank = sp_input.dense_shape.shape[0]
    axis = axis + rank + 1 if axis < 0 else axis
    one = constant([1], dtypes.int64)
    shape = arrays.concat([sp_input.dense_shape[:axis], one, sp_input.dense_shape[axis:]], 0)
    return reshape(sp_input, shape, name)


def retain(sp_input, to_retain):
    """Keeps some of the stored elements.

    Args:
        sp_input: A SparseTensor.
        to_retain: A bool vector [n]: which elements are kept.

    Returns:
        A SparseTensor.
    """
    places = arrays.reshape(raw_ops.Where(input=to_retain), [-1])
    return SparseTensor(
        arrays.gather(sp_input.indices, places),
        arrays.gather(sp_input.values, places),
        arrays.identity(sp_input.dense_shape),
    )


def mask(a, mask_indices, name=None):
    """Removes rows of IndexedSlices.

    Args:
        a: The IndexedSlices.
        mask_indices: The numbers of the rows to remove, a vector.
        name: Name of the operation, a str. None: a default name.

    Returns:
        IndexedSlices.
    """
    kept, places = arrays.setdiff1d(a.indices, mask_indices)
    rows = arrays.gather(a.values, places, name=name)
    return IndexedSlices(rows, kept, a.dense_shape)


def merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    """Makes a SparseTensor of ids and their values.

    Args:
        sp_ids: A SparseTensor of ids: places in the new last dimension. Or a list, with a dimension
            for each.
        sp_values: A SparseTensor of values with the same indices.
        vocab_size: Size of the new last dimension, an int. Or a list.
        name: Name of the operation, a str. None: a default name.
        already_sorted: Whether the ids are in order. A bool.

    Returns:
        A SparseTensor.

    Raises:
        ValueError: The numbers of ids and sizes differ.
    """
    many = isinstance(sp_ids, (list, tuple))
    ids, sizes = (sp_ids, vocab_size) if many else ([sp_ids], [vocab_size])
    if len(ids) != len(sizes):
        raise ValueError(f"{len(ids)} sp_ids, but {len(sizes)} sizes")
    last = [arrays.expand_dims(arrays.cast(s.values, dtypes.int64), 1) for s in ids]
    indices = arrays.concat([ids[0].indices[:, :-1], *last], 1)
    sizes = arrays.cast(arrays.stack(list(sizes)), dtypes.int64)
    dense_shape = arrays.concat([ids[0].dense_shape[:-1], sizes], 0)
    merged = SparseTensor(indices, sp_values.values, dense_shape)
    return merged if already_sorted else reorder(merged, name)


def reset_shape(sp_input, new_shape=None):
    """Replaces the shape of a SparseTensor.

    Args:
        sp_input: A SparseTensor.
        new_shape: The new shape, an int64 vector that is not smaller. None: the smallest that fits.

    Returns:
        A SparseTensor.

    Raises:
        errors.InvalidArgumentError: In run(): the new shape is smaller.
    """
    indices, values = arrays.identity(sp_input.indices), arrays.identity(sp_input.values)
    if new_shape is None:
        smallest = math.reduce_max(indices, 0)
        return SparseTensor(indices, values, math.maximum(smallest + 1, 0))
    new_shape = convert_to_tensor(new_shape, dtypes.int64)
    fits = Assert(
        math.reduce_all(math.less_equal(sp_input.dense_shape, new_shape)),
        ["the new shape is smaller than the old one", sp_input.dense_shape, new_shape],
    )
    with control_dependencies([fits]):
        return SparseTensor(indices, values, arrays.identity(new_shape))


def fill_empty_rows(sp_input, default_value, name=None):
    """Puts a value in the first column of rows without elements.

    Args:
        sp_input: A SparseTensor.
        default_value: The value, a scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the SparseTensor, and a bool vector: which rows were empty.
    """
    indices, values, empty, _ = raw_ops.SparseFillEmptyRows(
        default_value=convert_to_tensor(default_value, sp_input.dtype), name=name,
        **parts_of(sp_input, names=("indices", "values", "dense_shape")),
    )  # fmt: skip
    return SparseTensor(indices, values, sp_input.dense_shape), empty


__all__ = with_names(globals())
