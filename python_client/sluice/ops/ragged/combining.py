# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors of several tensors, and of chosen elements of one."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names
from ..debug.assertions import assert_equal
from .making import range as ragged_range
from .ragged_tensor import RaggedTensor


def _taken(value, **more):
    return value if isinstance(value, RaggedTensor) else convert_to_tensor(value, **more)


def boolean_mask(data, mask, name=None):
    """Returns the elements that a mask has True for, in the rows that they are in.

    Args:
        data: A tensor or RaggedTensor.
        mask: A bool tensor or RaggedTensor. Its shape is that of data, or of the first dimensions
            of data.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor with as many dimensions as data; for a mask with one dimension, and data
        that is not ragged, a tensor.

    Raises:
        ValueError: The rank of mask is not known, or is 0.

    Example:
        >>> data, mask = [[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, True]]
        >>> sl.Session().run(sl.ragged.boolean_mask(data, mask)).to_list()
        [[1, 3], [6]]
    """
    with name_scope(name, "RaggedMask"):
        data, mask = _taken(data, name="data"), _taken(mask, dtype=dtypes.bool_, name="mask")
        rank = mask.shape.ndims
        if rank is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        return _masked(data, mask)


def _masked(data, mask):
    if mask.shape.ndims == 1:
        if not isinstance(data, RaggedTensor):
            return arrays.boolean_mask(data, mask)
        lengths = arrays.boolean_mask(data.row_lengths(), mask)
        values = _masked(data.values, arrays.gather(mask, data.value_rowids()))
        return RaggedTensor.from_row_lengths(values, lengths, validate=False)
    data, mask = _ragged_like(data, mask), _ragged_like(mask, data)
    same = assert_equal(
        data.row_splits, arrays.cast(mask.row_splits, data.row_splits.dtype),
        message="Inputs must have identical ragged splits",
    )  # fmt: skip
    with control_dependencies([same]):
        values = _masked(data.values, mask.values)
    if mask.shape.ndims > 2:
        return RaggedTensor.from_row_splits(values, mask.row_splits, validate=False)
    counts = arrays.cast(mask.values, mask.row_splits.dtype)
    lengths = math.unsorted_segment_sum(counts, mask.value_rowids(), mask.nrows())
    return RaggedTensor.from_row_lengths(values, lengths, validate=False)


def _ragged_like(value, other):
    if isinstance(value, RaggedTensor):
        return value
    kind = other.row_splits.dtype if isinstance(other, RaggedTensor) else dtypes.int64
    return RaggedTensor.from_tensor(value, row_splits_dtype=kind)


def stack(values, axis=0, name=None):
    """Stacks tensors of the same rank, whose rows may differ in length, along a new dimension.

    Args:
        values: Tensors or RaggedTensors, a list.
        axis: The new dimension, an int.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor; a tensor where all values are tensors, and the new dimension is one of the
        last two.

    Raises:
        ValueError: There are no values, or their ranks are not known, or differ.

    Example:
        >>> rows = sl.ragged.constant([[1, 2], [3]])
        >>> sl.Session().run(sl.ragged.stack([rows, rows], 1)).to_list()
        [[[1, 2], [1, 2]], [[3], [3]]]
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    with name_scope(name, "RaggedConcat"):
        values = [_taken(v) for v in values]
        if not values:
            raise ValueError("rt_inputs may not be empty.")
        ranks = {v.shape.ndims for v in values}
        if len(ranks) > 1 or None in ranks:
            raise ValueError(f"the values must have one known rank, not {sorted(map(str, ranks))}")
        rank = ranks.pop()
        if not -rank - 1 <= axis <= rank:
            raise ValueError(f"axis={axis} out of bounds: expected {-rank - 1}<=axis<{rank + 1}")
        return _stacked(values, axis % (rank + 1), rank)


def _stacked(values, axis, rank):
    if len(values) == 1 and not isinstance(values[0], RaggedTensor):
        return arrays.expand_dims(values[0], axis)
    if not any(isinstance(v, RaggedTensor) for v in values) and axis >= rank - 1:
        return arrays.stack(values, axis)
    values = _of_one_depth(values)
    counts = [v.nrows() for v in values]
    if axis == 0:
        return RaggedTensor.from_row_lengths(_joined(values), arrays.stack(counts), validate=False)
    checks = [
        assert_equal(counts[0], count, message="Input tensors have incompatible shapes")
        for count in counts[1:]
    ]
    if axis == 1:
        with control_dependencies(checks):
            rows, number = arrays.identity(counts[0]), len(values)
        order = arrays.reshape(arrays.range(rows * number), arrays.stack([number, rows]))
        found = _rows(_joined(values), arrays.reshape(arrays.transpose(order), [-1]))
        splits = arrays.range(rows + 1) * number
        return RaggedTensor.from_row_splits(found, splits, validate=False)
    checks = [
        assert_equal(values[0].row_splits, v.row_splits,
                     message="Inputs must have identical ragged splits")
        for v in values[1:]
    ]  # fmt: skip
    with control_dependencies(checks):
        splits = arrays.identity(values[0].row_splits)
    found = _stacked([v.values for v in values], axis - 1, rank - 1)
    return RaggedTensor.from_row_splits(found, splits, validate=False)


def _of_one_depth(values):
    """The values as RaggedTensors with the same number of ragged dimensions."""
    depth = max([1, *(v.ragged_rank for v in values if isinstance(v, RaggedTensor))])
    return [_deepened(v, depth) for v in values]


def _deepened(value, depth):
    if depth == 0:
        return value
    if not isinstance(value, RaggedTensor):
        return RaggedTensor.from_tensor(value, ragged_rank=depth)
    return value.with_values(_deepened(value.values, depth - 1))


def _joined(values):
    """The rows of all values, one after the other."""
    if not isinstance(values[0], RaggedTensor):
        return arrays.concat(values, 0)
    lengths = arrays.concat([v.row_lengths() for v in values], 0)
    inner = _joined([v.values for v in values])
    return RaggedTensor.from_row_lengths(inner, lengths, validate=False)


def _rows(value, numbers):
    """The rows of these numbers, in this order."""
    if not isinstance(value, RaggedTensor):
        return arrays.gather(value, numbers)
    starts, limits = (arrays.gather(v, numbers) for v in (value.row_starts(), value.row_limits()))
    inner = _rows(value.values, ragged_range(starts, limits).values)
    return RaggedTensor.from_row_lengths(inner, limits - starts, validate=False)


def stack_dynamic_partitions(data, partitions, num_partitions, name=None):
    """Puts elements into rows, as numbers say.

    Args:
        data: A tensor or RaggedTensor.
        partitions: The row of each element, an int tensor or RaggedTensor. Its shape is that of
            data, or of the first dimensions of data.
        num_partitions: How many rows there are, an int scalar.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor with num_partitions rows. A row has its elements in their order.

    Raises:
        ValueError: The rank of partitions is not known.

    Example:
        >>> found = sl.ragged.stack_dynamic_partitions(["a", "b", "c"], [2, 0, 2], 3)
        >>> sl.Session().run(found).to_list()
        [[b'b'], [], [b'a', b'c']]
    """
    with name_scope(name, "SegmentStack"):
        data, partitions = _taken(data, name="data"), _taken(partitions, name="partitions")
        count = convert_to_tensor(num_partitions, name="num_partitions", dtype=partitions.dtype)
        if partitions.shape.ndims is None:
            raise ValueError("partitions must have known rank.")
        while partitions.shape.ndims > 1 or isinstance(partitions, RaggedTensor):
            data, partitions = _ragged_like(data, partitions), _ragged_like(partitions, data)
            data, partitions = data.values, partitions.values
        if partitions.shape.ndims == 0:
            partitions, data = arrays.expand_dims(partitions, 0), _one_row(data)
        _, order = raw_ops.TopKV2(input=-partitions, k=arrays.size(partitions))  # it is stable
        rows = arrays.gather(partitions, order)
        return RaggedTensor.from_value_rowids(
            _rows(data, order), rows, nrows=count, validate=False
        )


def _one_row(data):
    if isinstance(data, RaggedTensor):
        count = arrays.expand_dims(data.nrows(), 0)
        return RaggedTensor.from_row_lengths(data, count, validate=False)
    return arrays.expand_dims(data, 0)


__all__ = with_names(globals())
