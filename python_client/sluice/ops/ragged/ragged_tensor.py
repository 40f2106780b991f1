# SPDX-License-Identifier: Apache-2.0
"""Tensors with rows of different lengths."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.defaults import session_or_default
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .. import math, raw_ops
from ..building import with_names
from ..debug.assertions import assert_equal, assert_less_equal, assert_non_negative
from ..sparse.sparse_tensor import SparseTensor
from .rows import as_splits, row_splits_to_segment_ids, segment_ids_to_row_splits


class RaggedTensor:
    """A tensor with rows of different lengths. Its class methods make it.

    It can be fetched, and fed with a RaggedTensorValue.

    Args:
        values: The elements of all rows, a tensor or a RaggedTensor.
        row_splits: Where rows begin, and where the last one ends, an int32 or int64 vector.

    Example:
        >>> x = sl.RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
        >>> sl.Session().run(x).to_list()
        [[1, 2], [], [3]]
        >>> sl.Session().run(x.to_tensor())
        array([[1, 2],
               [0, 0],
               [3, 0]], dtype=int32)
    """

    def __init__(self, values, row_splits):
        self._values, self._row_splits = values, row_splits

    # ---- making

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True):
        """Makes a RaggedTensor by where rows begin.

        Args:
            values: The elements of all rows, a tensor or a RaggedTensor.
            row_splits: Where rows begin, and where the last one ends, a vector.
            name: Name of the operations, a str. None: a default name.
            validate: Whether row_splits is checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromRowSplits"):
            values, splits = _checked(values), as_splits(row_splits, "row_splits")
            splits.shape.with_rank(1)
            if validate:
                checks = [
                    assert_equal(splits[0], arrays.zeros([], splits.dtype)),
                    assert_non_negative(splits[1:] - splits[:-1]),
                    assert_equal(splits[-1], _count(values, splits.dtype)),
                ]
                with control_dependencies(checks):
                    splits = arrays.identity(splits)
            return cls(values, splits)

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True):
        """Makes a RaggedTensor by the lengths of rows.

        Args:
            values: The elements of all rows, a tensor or a RaggedTensor.
            row_lengths: The lengths, a vector.
            name: Name of the operations, a str. None: a default name.
            validate: Whether row_lengths is checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromRowLengths"):
            lengths = as_splits(row_lengths, "row_lengths")
            splits = arrays.concat([[0], math.cumsum(lengths)], 0)
            return cls.from_row_splits(values, splits, validate=validate)

    @classmethod
    def from_row_starts(cls, values, row_starts, name=None, validate=True):
        """Makes a RaggedTensor by where rows begin; the last one goes to the end.

        Args:
            values: The elements of all rows, a tensor or a RaggedTensor.
            row_starts: Where rows begin, a vector.
            name: Name of the operations, a str. None: a default name.
            validate: Whether row_starts is checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromRowStarts"):
            values, starts = _checked(values), as_splits(row_starts, "row_starts")
            end = arrays.expand_dims(_count(values, starts.dtype), 0)
            return cls.from_row_splits(values, arrays.concat([starts, end], 0), validate=validate)

    @classmethod
    def from_row_limits(cls, values, row_limits, name=None, validate=True):
        """Makes a RaggedTensor by where rows end.

        Args:
            values: The elements of all rows, a tensor or a RaggedTensor.
            row_limits: Where rows end, a vector.
            name: Name of the operations, a str. None: a default name.
            validate: Whether row_limits is checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromRowLimits"):
            limits = as_splits(row_limits, "row_limits")
            return cls.from_row_splits(values, arrays.concat([[0], limits], 0), validate=validate)

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        """Makes a RaggedTensor by the row of each element.

        Args:
            values: The elements of all rows, a tensor or a RaggedTensor.
            value_rowids: The rows, a vector in order.
            nrows: How many rows there are, an int or a scalar. None: as many as value_rowids has.
            name: Name of the operations, a str. None: a default name.
            validate: Whether value_rowids is checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromValueRowIds"):
            values, rows = _checked(values), as_splits(value_rowids, "value_rowids")
            count = None if nrows is None else arrays.cast(nrows, rows.dtype)
            if validate:
                checks = [
                    assert_equal(
                        _count(values, rows.dtype), arrays.shape(rows, None, rows.dtype)[0]
                    ),
                    assert_non_negative(rows[:1]),
                    assert_less_equal(rows[:-1], rows[1:]),
                ]
                with control_dependencies(checks):
                    rows = arrays.identity(rows)
            splits = segment_ids_to_row_splits(rows, count, rows.dtype)
            return cls(values, splits)

    @classmethod
    def from_nested_row_splits(cls, flat_values, nested_row_splits, name=None, validate=True):
        """Makes a RaggedTensor of several ragged dimensions.

        Args:
            flat_values: The innermost values, a tensor.
            nested_row_splits: The row_splits of each dimension, a list, the outermost first.
            name: Name of the operations, a str. None: a default name.
            validate: Whether they are checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromNestedRowSplits"):
            result = flat_values
            for splits in reversed(nested_row_splits):
                result = cls.from_row_splits(result, splits, validate=validate)
            return result

    @classmethod
    def from_nested_row_lengths(cls, flat_values, nested_row_lengths, name=None, validate=True):
        """Makes a RaggedTensor of several ragged dimensions.

        Args:
            flat_values: The innermost values, a tensor.
            nested_row_lengths: The lengths of rows of each dimension, a list, the outermost first.
            name: Name of the operations, a str. None: a default name.
            validate: Whether they are checked when it runs. A bool.

        Returns:
            A RaggedTensor.
        """
        with name_scope(name, "RaggedFromNestedRowlengths"):
            result = flat_values
            for lengths in reversed(nested_row_lengths):
                result = cls.from_row_lengths(result, lengths, validate=validate)
            return result

    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None,
                    row_splits_dtype=dtypes.int64):  # fmt: skip
        """Makes a RaggedTensor of a tensor.

        Args:
            tensor: The tensor.
            lengths: How many elements of each row count, a vector. None: see padding.
            padding: A value that does not count at the end of rows, a scalar. None: all count.
            ragged_rank: How many ragged dimensions there are, an int.
            name: Name of the operations, a str. None: a default name.
            row_splits_dtype: Dtype of the row_splits: int32 or int64.

        Returns:
            A RaggedTensor.

        Raises:
            ValueError: lengths and padding are both given, or a rank does not fit.
        """
        kind = dtypes.as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("lengths and padding cannot both be given")
        if not isinstance(ragged_rank, int) or ragged_rank < 1:
            raise ValueError(f"ragged_rank must be 1 or more, not {ragged_rank!r}")
        with name_scope(name, "RaggedFromTensor"):
            tensor = convert_to_tensor(tensor, name="tensor")
            tensor.shape.with_rank_at_least(ragged_rank + 1)
            if ragged_rank > 1:
                if lengths is not None or padding is not None:
                    raise ValueError("lengths and padding are for one ragged dimension")
                return _of_inner(cls, tensor, ragged_rank, kind)
            sizes = arrays.shape(tensor, out_type=kind)
            if padding is not None:
                lengths = _lengths_without(tensor, convert_to_tensor(padding, tensor.dtype), kind)
            if lengths is not None:
                lengths = arrays.cast(convert_to_tensor(lengths), kind)
                kept = arrays.sequence_mask(lengths, sizes[1])
                return cls.from_row_lengths(
                    arrays.boolean_mask(tensor, kept), lengths, validate=False
                )
            values = arrays.reshape(tensor, arrays.concat([[-1], sizes[2:]], 0))
            values.set_shape([None, *tensor.shape.as_list()[2:]])
            return cls(values, arrays.range(0, sizes[0] + 1) * sizes[1])

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=dtypes.int64):
        """Makes a RaggedTensor of a SparseTensor whose rows have no gaps.

        Args:
            st_input: A SparseTensor [rows, columns].
            name: Name of the operations, a str. None: a default name.
            row_splits_dtype: Dtype of the row_splits: int32 or int64.

        Returns:
            A RaggedTensor.

        Raises:
            TypeError: st_input is not a SparseTensor.
            errors.InvalidArgumentError: In run(): a row has a gap.
        """
        if not isinstance(st_input, SparseTensor):
            raise TypeError(f"{st_input!r} is not a SparseTensor")
        with name_scope(name, "RaggedFromSparse"):
            rows = arrays.cast(st_input.indices[:, 0], row_splits_dtype)
            result = cls.from_value_rowids(
                st_input.values, rows, st_input.dense_shape[0], validate=False
            )
            starts = arrays.gather(result.row_starts(), rows)
            places = arrays.range(arrays.size(rows, out_type=rows.dtype)) - starts
            whole = assert_equal(arrays.cast(st_input.indices[:, 1], rows.dtype), places)
            with control_dependencies([whole]):
                return cls(arrays.identity(st_input.values), result.row_splits)

    # ---- what it is

    @property
    def dtype(self):
        """The dtype of the elements."""
        return self._values.dtype

    @property
    def shape(self):
        """The static shape, a TensorShape; ragged dimensions are not known."""
        count = self._row_splits.shape.as_list()[0]
        rows = None if count is None else count - 1
        return TensorShape([rows, None, *self._values.shape.as_list()[1:]])

    @property
    def values(self):
        """The elements of all rows, a tensor or a RaggedTensor."""
        return self._values

    @property
    def row_splits(self):
        """Where rows begin, and where the last one ends, a vector."""
        return self._row_splits

    @property
    def flat_values(self):
        """The innermost values, a tensor."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensor) else inner

    @property
    def nested_row_splits(self):
        """The row_splits of all ragged dimensions, a tuple, the outermost first."""
        inner = self._values
        more = inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()
        return (self._row_splits, *more)

    @property
    def ragged_rank(self):
        """How many ragged dimensions there are, an int."""
        return len(self.nested_row_splits)

    @property
    def graph(self):
        """The Graph that it belongs to."""
        return self._row_splits.graph

    def consumers(self):
        """Returns the operations that take its parts.

        Returns:
            A list of Operations.
        """
        parts = [self.flat_values, *self.nested_row_splits]
        return list(dict.fromkeys(op for part in parts for op in part.consumers()))

    def nrows(self, out_type=None, name=None):
        """Counts the rows.

        Args:
            out_type: Dtype of the result. None: that of the row_splits.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A scalar.
        """
        with name_scope(name, "RaggedNRows"):
            kind = out_type or self._row_splits.dtype
            return arrays.shape(self._row_splits, out_type=kind)[0] - 1

    def row_starts(self, name=None):
        """Returns where rows begin.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A vector.
        """
        with name_scope(name, "RaggedRowStarts"):
            return self._row_splits[:-1]

    def row_limits(self, name=None):
        """Returns where rows end.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A vector.
        """
        with name_scope(name, "RaggedRowLimits"):
            return self._row_splits[1:]

    def row_lengths(self, axis=1, name=None):
        """Returns the lengths of rows.

        Args:
            axis: The dimension that they are measured in, an int: 1 only.
            name: Name of the operations, a str. None: a default name.

        Returns:
            A vector.

        Raises:
            NotImplementedError: axis is another one.
        """
        if axis != 1:
            raise NotImplementedError("row_lengths: of dimension 1")
        with name_scope(name, "RaggedRowLengths"):
            return self._row_splits[1:] - self._row_splits[:-1]

    def nested_row_lengths(self, name=None):
        """Returns the lengths of rows of all ragged dimensions.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tuple of vectors, the outermost first.
        """
        with name_scope(name, "RaggedNestedRowLengths"):
            return tuple(splits[1:] - splits[:-1] for splits in self.nested_row_splits)

    def value_rowids(self, name=None):
        """Returns the row of each element.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A vector.
        """
        with name_scope(name, "RaggedValueRowIds"):
            return row_splits_to_segment_ids(self._row_splits)

    def bounding_shape(self, axis=None, name=None, out_type=None):
        """Returns the smallest shape of a tensor that has all elements.

        Args:
            axis: The dimensions that are asked for, an int. None: all.
            name: Name of the operations, a str. None: a default name.
            out_type: Dtype of the result. None: that of the row_splits.

        Returns:
            A vector; with axis a scalar.
        """
        with name_scope(name, "RaggedBoundingBox"):
            kind = out_type or self._row_splits.dtype
            sizes = [self.nrows()]
            for lengths in self.nested_row_lengths():
                longest = math.reduce_max(arrays.concat([[0], lengths], 0))
                sizes.append(longest)
            flat = arrays.shape(self.flat_values, out_type=self._row_splits.dtype)[1:]
            found = arrays.cast(arrays.concat([arrays.stack(sizes), flat], 0), kind)
            return found if axis is None else arrays.gather(found, axis)

    # ---- other forms

    def with_values(self, new_values):
        """Returns rows of the same lengths with other elements.

        Args:
            new_values: The elements, a tensor or a RaggedTensor.

        Returns:
            A RaggedTensor.
        """
        return RaggedTensor(_checked(new_values), self._row_splits)

    def with_flat_values(self, new_values):
        """Returns rows of the same lengths with other innermost values.

        Args:
            new_values: The values, a tensor or a RaggedTensor.

        Returns:
            A RaggedTensor.
        """
        inner = self._values
        if isinstance(inner, RaggedTensor):
            return self.with_values(inner.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype):
        """Returns the same with row_splits of another dtype.

        Args:
            dtype: int32 or int64.

        Returns:
            A RaggedTensor.
        """
        inner = self._values
        inner = inner.with_row_splits_dtype(dtype) if isinstance(inner, RaggedTensor) else inner
        return RaggedTensor(inner, arrays.cast(self._row_splits, dtype))

    def to_tensor(self, default_value=None, name=None):
        """Makes a tensor: shorter rows are padded.

        Args:
            default_value: The value to pad with, a scalar. None: 0 or "".
            name: Name of the operations, a str. None: a default name.

        Returns:
            A tensor.
        """
        with name_scope(name, "RaggedToTensor"):
            flat = self.flat_values
            if default_value is None:
                default_value = arrays.zeros([], flat.dtype)
            default_value = convert_to_tensor(default_value, flat.dtype)
            # Of numbers of elements, since the op has no gradient.
            splits, count = list(self.nested_row_splits), arrays.shape(flat)[0]
            places = raw_ops.RaggedTensorToTensor(
                shape=convert_to_tensor(-1, dtypes.int64), values=arrays.range(1, count + 1),
                default_value=0, row_partition_tensors=splits,
                row_partition_types=["ROW_SPLITS"] * len(splits),
            )  # fmt: skip
            sizes = arrays.concat([[1], arrays.shape(flat)[1:]], 0)
            padded = arrays.concat([arrays.broadcast_to(default_value, sizes), flat], 0)
            result = arrays.gather(padded, places)
            result.set_shape(self.shape)
            return result

    def to_sparse(self, name=None):
        """Makes a SparseTensor.

        Args:
            name: Name of the operations, a str. None: a default name.

        Returns:
            A SparseTensor.
        """
        with name_scope(name, "RaggedToSparse"):
            return SparseTensor(*raw_ops.RaggedTensorToSparse(
                rt_nested_splits=list(self.nested_row_splits), rt_dense_values=self.flat_values
            ))  # fmt: skip

    def eval(self, feed_dict=None, session=None):
        """Computes the value in a session.

        Args:
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            session: The session to run in. None: the default session.

        Returns:
            A RaggedTensorValue.

        Raises:
            ValueError: There is no session.
        """
        return session_or_default(session).run(self, feed_dict)

    # ---- rows and arithmetic

    def __getitem__(self, key):
        if isinstance(key, slice):
            if key.step not in (None, 1):
                raise NotImplementedError("slices of rows with a step")
            splits = self._row_splits
            count = self.nrows()
            start, stop = _bound(key.start, count, 0), _bound(key.stop, count, count)
            kept = splits[start : math.maximum(start, stop) + 1]
            return RaggedTensor(self._values[kept[0] : kept[-1]], kept - kept[0])
        if isinstance(key, tuple):
            raise NotImplementedError("only rows of a RaggedTensor can be taken")
        at = arrays.cast(key, self._row_splits.dtype)
        at = at if not isinstance(key, int) or key >= 0 else at + self.nrows()
        return self._values[self._row_splits[at] : self._row_splits[at + 1]]

    def __iter__(self):
        raise TypeError("a RaggedTensor cannot be iterated over")

    def __repr__(self):
        return f"<sluice.RaggedTensor values={self._values!r} row_splits={self._row_splits!r}>"


def _checked(values):
    return values if isinstance(values, RaggedTensor) else convert_to_tensor(values, name="values")


def _count(values, kind):
    if isinstance(values, RaggedTensor):
        return values.nrows(kind)
    return arrays.shape(values, out_type=kind)[0]


def _bound(value, count, default):
    if value is None:
        return arrays.cast(default, count.dtype)
    value = arrays.cast(value, count.dtype)
    value = arrays.where(value < 0, value + count, value)
    return math.minimum(math.maximum(value, arrays.zeros_like(count)), count)


def _of_inner(cls, tensor, ragged_rank, kind):
    sizes = arrays.shape(tensor, out_type=kind)
    flat = arrays.reshape(tensor, arrays.concat([[-1], sizes[2:]], 0))
    flat.set_shape([None, *tensor.shape.as_list()[2:]])
    inner = cls.from_tensor(flat, None, None, ragged_rank - 1, None, kind)
    return cls(inner, arrays.range(0, sizes[0] + 1) * sizes[1])


def _lengths_without(tensor, padding, kind):
    """How long rows are without the padding at their ends."""
    real = math.not_equal(tensor, padding)
    if tensor.shape.ndims > 2:
        real = math.reduce_any(real, list(range(2, tensor.shape.ndims)))
    width = arrays.shape(tensor, out_type=kind)[1]
    places = arrays.range(1, width + 1) * arrays.cast(real, kind)
    rows = arrays.zeros_like(places[:, :1])  # a row may have no places
    return math.reduce_max(arrays.concat([places, rows], 1), 1)


__all__ = with_names(globals())
