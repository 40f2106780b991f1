# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors: the places that are not zero, and what stands there."""

from ... import dtypes
from ...graph import convert
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.defaults import session_or_default
from ...graph.shape_vectors import shape_in
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .. import math, raw_ops
from ..building import given, with_names
from ..functions.structures import register_composite
from .parts import parts_of


class SparseTensor:
    """A tensor of which only some elements are stored; all others are zero.

    It can be fetched, and fed with a SparseTensorValue. Most functions require indices in row-major
    order: see reorder().

    Args:
        indices: The places of the elements, an int64 tensor [n, rank].
        values: The elements, a tensor [n].
        dense_shape: The shape, an int64 tensor [rank].

    Example:
        >>> x = sl.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2])
        >>> sl.Session().run(sl.sparse.to_dense(x))
        array([[0, 5],
               [6, 0]], dtype=int32)
    """

    _known_shape = None  # of a placeholder that knows some of its sizes

    def __init__(self, indices, values, dense_shape):
        with name_scope(None, "SparseTensor"):
            self.indices = convert_to_tensor(indices, dtypes.int64, "indices")
            self.values = convert_to_tensor(values, name="values")
            self.dense_shape = convert_to_tensor(dense_shape, dtypes.int64, "dense_shape")
        indices, values = self.indices.shape.with_rank(2), self.values.shape.with_rank(1)
        sizes = self.dense_shape.shape.with_rank(1)
        indices.dims[0].assert_is_compatible_with(values.dims[0])
        indices.dims[1].assert_is_compatible_with(sizes.dims[0])

    @classmethod
    def from_value(cls, sparse_tensor_value):
        """Makes a tensor of a value.

        Args:
            sparse_tensor_value: A SparseTensorValue, or a SparseTensor.

        Returns:
            A SparseTensor.

        Raises:
            TypeError: It is neither.
        """
        value = sparse_tensor_value
        if not isinstance(value, (SparseTensorValue, SparseTensor)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {value}.")
        return cls(indices=value.indices, values=value.values, dense_shape=value.dense_shape)

    @property
    def dtype(self):
        """The dtype of the values."""
        return self.values.dtype

    @property
    def op(self):
        """The Operation that computes the values."""
        return self.values.op

    @property
    def graph(self):
        """The Graph that it belongs to."""
        return self.values.graph

    @property
    def shape(self):
        """The static shape, a TensorShape."""
        if self._known_shape is not None:
            return TensorShape(self._known_shape)
        return shape_in(self.dense_shape)

    def get_shape(self):
        """Returns the static shape.

        Returns:
            A TensorShape.
        """
        return self.shape

    def with_values(self, new_values):
        """Makes a tensor with the same places and other values.

        Args:
            new_values: The values, a tensor [n].

        Returns:
            A SparseTensor.
        """
        return SparseTensor(self.indices, new_values, self.dense_shape)

    def consumers(self):
        """Returns the operations that take the values.

        Returns:
            A list of Operations.
        """
        return self.values.consumers()

    def eval(self, feed_dict=None, session=None):
        """Computes the value in a session.

        Args:
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            session: The session to run in. None: the default session.

        Returns:
            A SparseTensorValue.

        Raises:
            ValueError: There is no session.
        """
        return session_or_default(session).run(self, feed_dict)

    def __add__(self, other):
        return add(self, other)

    def __mul__(self, dense):
        """Of the places that are there; `dense` is broadcast."""
        return self.with_values(
            raw_ops.SparseDenseCwiseMul(dense=dense, **parts_of(self, "sp_"))
        )

    def __truediv__(self, dense):
        return self.with_values(
            raw_ops.SparseDenseCwiseDiv(dense=dense, **parts_of(self, "sp_"))
        )

    def __repr__(self):
        return f"<sluice.SparseTensor '{self.values.name}' dtype={self.dtype.name}>"

    def __str__(self):
        return (
            f"SparseTensor(indices={self.indices}, values={self.values}, "
            f"dense_shape={self.dense_shape})"
        )


register_composite(
    SparseTensor,
    lambda sparse: [sparse.indices, sparse.values, sparse.dense_shape],
    lambda sparse, tensors: SparseTensor(*tensors),
)


class SparseTensorValue(tuple):
    """The value that a run returns for a SparseTensor, and takes: a tuple of arrays.

    Args:
        indices: An int64 array [n, rank].
        values: An array [n].
        dense_shape: An int64 array [rank].
    """

    def __new__(cls, indices, values, dense_shape):
        return super().__new__(cls, (indices, values, dense_shape))

    @property
    def indices(self):
        """The places of the elements, an int64 array [n, rank]."""
        return self[0]

    @property
    def values(self):
        """The elements, an array [n]."""
        return self[1]

    @property
    def dense_shape(self):
        """The shape, an int64 array [rank]."""
        return self[2]


def placeholder(dtype, shape=None, name=None):
    """Makes a SparseTensor that every run must feed.

    Args:
        dtype: Dtype of the values.
        shape: Sizes, None where any is fine; None: any rank.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    rank = None if shape is None else len(shape)
    name = name or "sparse_placeholder"
    found = SparseTensor(
        convert.placeholder(dtypes.int64, [None, rank], name + "/indices"),
        convert.placeholder(dtype, [None], name + "/values"),
        convert.placeholder(dtypes.int64, [rank], name + "/shape"),
    )
    found._known_shape = None if shape is None else list(shape)
    return found


def from_dense(tensor, name=None):
    """Converts a tensor to a SparseTensor of the elements that are not zero.

    Args:
        tensor: A tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    tensor = convert_to_tensor(tensor)
    zero = convert.number("" if tensor.dtype == dtypes.string else 0, tensor.dtype)
    indices = raw_ops.Where(input=math.not_equal(tensor, zero))
    values = raw_ops.GatherNd(params=tensor, indices=indices, name=name)
    return SparseTensor(indices, values, arrays.shape(tensor, out_type=dtypes.int64))


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """Converts a SparseTensor to a tensor.

    Args:
        sp_input: A SparseTensor.
        default_value: The value of elements that are not stored, a scalar. None: 0, or "".
        validate_indices: Whether indices out of order or repeated are refused. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        errors.InvalidArgumentError: In run(): with validate_indices, indices are out of order or
            repeated.
    """
    if not isinstance(sp_input, SparseTensor):
        raise TypeError(f"{sp_input!r} is not a SparseTensor")
    if default_value is None:
        default_value = "" if sp_input.dtype == dtypes.string else 0
    return raw_ops.SparseToDense(
        sparse_indices=sp_input.indices, output_shape=sp_input.dense_shape,
        sparse_values=sp_input.values,
        default_value=convert_to_tensor(default_value, sp_input.dtype),
        validate_indices=validate_indices, name=name,
    )  # fmt: skip


def eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """Makes a sparse identity matrix.

    Args:
        num_rows: How many rows, an int.
        num_columns: How many columns, an int. None: as many as rows.
        dtype: Dtype of the values.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    num_columns = num_rows if num_columns is None else num_columns
    steps = list(range(min(num_rows, num_columns)))
    indices = constant([[i, i] for i in steps], dtypes.int64, shape=[len(steps), 2])
    ones = constant(1, dtype, shape=[len(steps)], name=name or "eye")
    return SparseTensor(indices, ones, [num_rows, num_columns])


def to_indicator(sp_input, vocab_size, name=None):
    """Converts ids in the last dimension to bools.

    Args:
        sp_input: A SparseTensor.
        vocab_size: Size of the new last dimension, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool tensor [..., vocab_size].
    """
    ids = raw_ops.Cast(x=sp_input.values, DstT=dtypes.int64)
    rest = sp_input.indices[:, :-1]
    places = arrays.concat([rest, arrays.reshape(ids, [-1, 1])], 1)
    dense_shape = arrays.concat([sp_input.dense_shape[:-1], [vocab_size]], 0)
    true = math.greater_equal(ids, arrays.zeros_like(ids))
    return raw_ops.SparseToDense(
        sparse_indices=places, output_shape=dense_shape, sparse_values=true, default_value=False,
        validate_indices=False, name=name,
    )  # fmt: skip


def add(a, b, threshold=None, thresh=None):
    """Adds two tensors, of which at least one is sparse.

    Args:
        a: A SparseTensor or a tensor.
        b: A SparseTensor or a tensor.
        threshold: Sums of two SparseTensors with a smaller absolute value are left out. None: 0.
        thresh: Older name of threshold.

    Returns:
        A SparseTensor, if both are sparse; else a tensor.
    """
    thresh = given(threshold, thresh)
    thresh = 0 if thresh is None else thresh
    if not isinstance(a, SparseTensor):
        a, b = b, a
    if not isinstance(b, SparseTensor):
        return raw_ops.SparseTensorDenseAdd(b=b, **parts_of(a, "a_"))
    real = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}
    thresh = constant(thresh, real.get(a.dtype, a.dtype))
    return SparseTensor(*raw_ops.SparseAdd(thresh=thresh, **parts_of(a, "a_"), **parts_of(b, "b_")))


__all__ = with_names(globals())
