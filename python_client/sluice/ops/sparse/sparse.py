"""Sparse tensors: the places that are not zero, and what stands there.

Long because: the docstring of each function stands beside it.
"""

from ... import dtypes
from ...graph import convert
from ...graph.convert import constant, convert_to_tensor
from ...graph.defaults import _session
from ...graph.graph import IndexedSlices, control_dependencies
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .. import math, raw_ops
from ..building import given, thin, with_names
from ..control_flow.assertions import static_value


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

    def __init__(self, indices, values, dense_shape):
        self.indices = convert_to_tensor(indices, dtypes.int64)
        self.values = convert_to_tensor(values)
        self.dense_shape = convert_to_tensor(dense_shape, dtypes.int64)
        indices, values = self.indices.shape.with_rank(2), self.values.shape.with_rank(1)
        sizes = self.dense_shape.shape.with_rank(1)
        indices.dims[0].assert_is_compatible_with(values.dims[0])
        indices.dims[1].assert_is_compatible_with(sizes.dims[0])

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
        value = static_value(self.dense_shape)
        return TensorShape([None] * (self.dense_shape.shape[0].value or 0)
                           if value is None else value)  # fmt: skip

    def get_shape(self):
        """Returns the static shape.

        Returns:
            A TensorShape.
        """
        return self.shape

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
        return _session(session).run(self, feed_dict)

    def _parts(self, prefix="", names=("indices", "values", "shape")):
        """The three tensors as an op's arguments."""
        return dict(zip([prefix + n for n in names], (self.indices, self.values, self.dense_shape)))

    def __add__(self, other):
        return add(self, other)

    def __mul__(self, dense):
        """Of the places that are there; `dense` is broadcast."""
        return self._with_values(raw_ops.SparseDenseCwiseMul(dense=dense, **self._parts("sp_")))

    def __truediv__(self, dense):
        return self._with_values(raw_ops.SparseDenseCwiseDiv(dense=dense, **self._parts("sp_")))

    def _with_values(self, values):
        return SparseTensor(self.indices, values, self.dense_shape)

    def __repr__(self):
        return f"<sluice.SparseTensor '{self.values.name}' dtype={self.dtype.name}>"

    def __str__(self):
        return (
            f"SparseTensor(indices={self.indices}, values={self.values}, "
            f"dense_shape={self.dense_shape})"
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
    return SparseTensor(
        convert.placeholder(dtypes.int64, [None, rank], name + "/indices"),
        convert.placeholder(dtype, [None], name + "/values"),
        convert.placeholder(dtypes.int64, [rank], name + "/shape"),
    )


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
        return raw_ops.SparseTensorDenseAdd(b=b, **a._parts("a_"))
    real = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}
    thresh = constant(thresh, real.get(a.dtype, a.dtype))
    return SparseTensor(*raw_ops.SparseAdd(thresh=thresh, **a._parts("a_"), **b._parts("b_")))


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
        split_dim=constant(axis, dtypes.int64), num_split=num_split, name=name, **sp_input._parts()
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
        *raw_ops.SparseSlice(start=start, size=size, name=name, **sp_input._parts())
    )


def reorder(sp_input, name=None):
    """Puts the indices in row-major order.

    Args:
        sp_input: A SparseTensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    indices, values = raw_ops.SparseReorder(name=name, **sp_input._parts("input_"))
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
    indices, dense_shape = raw_ops.SparseReshape(
        input_indices=sp_input.indices, input_shape=sp_input.dense_shape,
        new_shape=convert_to_tensor(shape, dtypes.int64), name=name,
    )  # fmt: skip
    return SparseTensor(indices, sp_input.values, dense_shape)


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


def expand_dims(sp_input, axis=-1, name=None):
    """Inserts a dimension of size 1.

    Args:
        sp_input: A SparseTensor.
        axis: Where the new dimension is in the result, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
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
    places = arrays.squeeze(raw_ops.Where(input=to_retain), [1])
    return SparseTensor(
        arrays.gather(sp_input.indices, places),
        arrays.gather(sp_input.values, places),
        sp_input.dense_shape,
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
    fits = arrays.Assert(
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
        **sp_input._parts(names=("indices", "values", "dense_shape")),
    )  # fmt: skip
    return SparseTensor(indices, values, sp_input.dense_shape), empty


def _reduction(op, sparse):
    def function(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None,
                 name=None):  # fmt: skip
        axis, keepdims = given(axis, reduction_axes), bool(given(keepdims, keep_dims))
        rank = sp_input.dense_shape.shape[0]
        axis = list(range(rank)) if axis is None else [axis] if isinstance(axis, int) else axis
        result = raw_ops.apply_op(
            op, name, reduction_axes=axis, keep_dims=keepdims, **sp_input._parts("input_")
        )
        return SparseTensor(*result) if sparse else result

    does = "Adds up" if "Sum" in op else "Returns the largest of"
    function.__doc__ = f"""{does} the elements that are present along dimensions.

    Args:
        sp_input: A SparseTensor.
        axis: The dimensions to reduce, an int or a list of ints. None: all.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        reduction_axes: Older name of axis.
        keep_dims: Older name of keepdims.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A {"SparseTensor" if sparse else "dense tensor"} without the reduced dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.
    """
    return function


reduce_sum = _reduction("SparseReduceSum", False)
reduce_max = _reduction("SparseReduceMax", False)
reduce_sum_sparse = _reduction("SparseReduceSumSparse", True)
reduce_max_sparse = _reduction("SparseReduceMaxSparse", True)


def _larger(op):
    def function(sp_a, sp_b, name=None):
        indices, values = raw_ops.apply_op(op, name, **sp_a._parts("a_"), **sp_b._parts("b_"))
        return SparseTensor(indices, values, sp_a.dense_shape)

    function.__doc__ = f"""Returns the {op[12:].lower()} of two SparseTensors, element by element.

    Elements that are not present count as 0.

    Args:
        sp_a: A SparseTensor of any real dtype.
        sp_b: A SparseTensor of the same dtype and shape.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor with the places that either has.
    """
    return function


maximum = _larger("SparseSparseMaximum")
minimum = _larger("SparseSparseMinimum")


def softmax(sp_input, name=None):
    """Computes softmax() over the stored elements of the last dimension.

    Args:
        sp_input: A SparseTensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    return sp_input._with_values(raw_ops.SparseSoftmax(name=name, **sp_input._parts("sp_")))


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """Multiplies a sparse matrix by a dense one.

    Args:
        sp_a: A SparseTensor, a matrix.
        b: A matrix of the same dtype.
        adjoint_a: Whether sp_a is conjugated and transposed first. A bool.
        adjoint_b: Whether b is conjugated and transposed first. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A matrix.
    """
    return raw_ops.SparseTensorDenseMatMul(
        b=b, adjoint_a=adjoint_a, adjoint_b=adjoint_b, name=name, **sp_a._parts("a_")
    )


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


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    """Counts the insertions, deletions and replacements that make one sequence another.

    Args:
        hypothesis: A SparseTensor or SparseTensorValue [..., length].
        truth: A SparseTensor or SparseTensorValue [..., length].
        normalize: Whether counts are divided by the length of truth. A bool.
        name: Name of the operation, a str.

    Returns:
        A float32 tensor [...].

    Raises:
        TypeError: An argument is not sparse.
    """
    for given_ in (hypothesis, truth):
        if not isinstance(given_, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"edit_distance is of SparseTensors, not {given_!r}")
    return raw_ops.EditDistance(
        normalize=normalize, name=name,
        **SparseTensor(*_triple(hypothesis))._parts("hypothesis_"),
        **SparseTensor(*_triple(truth))._parts("truth_"),
    )  # fmt: skip


def _triple(value):
    return value.indices, value.values, value.dense_shape


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
