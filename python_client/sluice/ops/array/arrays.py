"""Shapes and places of elements: reshaping, joining, cutting, picking, filling.

Long because: the docstring of each function stands beside it.
"""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor, number
from ...graph.graph import (
    IndexedSlices,
    Operation,
    Tensor,
    colocate_with,
    control_dependencies,
    device,
    name_scope,
)
from ...graph.tensor_shape import TensorShape, as_shape
from .. import raw_ops
from ..building import given, thin, unary, with_names

_range, _tuple = range, tuple  # Python's own; ours have these names below

identity = unary(
    "Identity",
    """Returns a tensor with the value of the input.

    Returns:
        A tensor of the shape and dtype of `input`.

    Example:
        >>> sl.Session().run(sl.identity([1, 2]))
        array([1, 2], dtype=int32)
    """,
)
stop_gradient = unary(
    "StopGradient",
    """Returns the input as a constant for gradients(): no gradient flows through it.

    Returns:
        A tensor of the shape and dtype of `input`.

    Example:
        >>> x = sl.constant(3.0)
        >>> sl.gradients(sl.stop_gradient(x) * x, x)[0].eval(session=sl.Session())
        3.0
    """,
)
reshape = thin(
    "Reshape",
    "tensor shape",
    """Gives a tensor another shape. The elements and their order stay.

    Args:
        shape: The new sizes, an int32 or int64 vector. One of them may be -1: it follows from the
            others.

    Returns:
        A tensor of the dtype of `tensor` and of the new shape.

    Raises:
        errors.InvalidArgumentError: In run(): the number of elements differs.

    Example:
        >>> sl.Session().run(sl.reshape([1, 2, 3, 4], [2, -1]))
        array([[1, 2],
               [3, 4]], dtype=int32)
    """,
)
expand_dims = thin(
    "ExpandDims",
    "input axis|dim:dim",
    """Inserts a dimension of size 1.

    Args:
        axis: Where the new dimension is in the result, an int; a negative one counts from the end.

    Returns:
        A tensor of the dtype of `input`, with one dimension more.

    Example:
        >>> sl.expand_dims([1, 2, 3], 0).shape
        TensorShape([Dimension(1), Dimension(3)])
    """,
)
fill = thin(
    "Fill",
    "dims value",
    """Makes a tensor that holds one value everywhere.

    Args:
        dims: The shape, an int32 or int64 vector.
        value: A scalar of any dtype.

    Returns:
        A tensor of shape `dims` and of the dtype of `value`.

    Example:
        >>> sl.Session().run(sl.fill([2, 2], 7))
        array([[7, 7],
               [7, 7]], dtype=int32)
    """,
)
tile = thin(
    "Tile",
    "input multiples",
    """Repeats a tensor along its dimensions.

    Args:
        multiples: An int32 or int64 vector: how often each dimension is repeated.

    Returns:
        A tensor of the dtype of `input`; size i is multiples[i] times as large.

    Example:
        >>> sl.Session().run(sl.tile([1, 2], [2]))
        array([1, 2, 1, 2], dtype=int32)
    """,
)
slice = thin(
    "Slice",
    "input_:input begin size",
    """Takes a part of a tensor.

    Args:
        begin: An int32 or int64 vector: the first index of each dimension.
        size: An int32 or int64 vector: how many elements of each dimension; -1 means all that
            remain.

    Returns:
        A tensor of the dtype of `input_`.

    Raises:
        errors.InvalidArgumentError: In run(): the part is not within the tensor.

    Example:
        >>> sl.Session().run(sl.slice([1, 2, 3, 4], [1], [2]))
        array([2, 3], dtype=int32)
    """,
)
scatter_nd = thin(
    "ScatterNd",
    "indices updates shape",
    """Adds updates into a tensor of zeros. It is the reverse of gather_nd().

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.
        updates: A tensor of any dtype with the updates, one for each index.
        shape: The shape of the result, an int32 or int64 vector.

    Returns:
        A tensor of the dtype of `updates`. Updates of one index are added up.

    Example:
        >>> sl.Session().run(sl.scatter_nd([[1], [3]], [5, 6], [4]))
        array([0, 5, 0, 6], dtype=int32)
    """,
)
tensor_scatter_update = thin(
    "TensorScatterUpdate",
    "tensor indices updates",
    """Returns a copy of a tensor with some elements replaced.

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.

    Returns:
        A tensor of the shape and dtype of `tensor`.
    """,
)
tensor_scatter_add = thin(
    "TensorScatterAdd",
    "tensor indices updates",
    """Returns a copy of a tensor with updates added to some elements.

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.

    Returns:
        A tensor of the shape and dtype of `tensor`.
    """,
)
tensor_scatter_sub = thin(
    "TensorScatterSub",
    "tensor indices updates",
    """Returns a copy of a tensor with updates subtracted from some elements.

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.

    Returns:
        A tensor of the shape and dtype of `tensor`.
    """,
)
reverse = thin(
    "ReverseV2",
    "tensor axis",
    """Reverses the order of elements along dimensions.

    Args:
        axis: The dimensions, an int32 or int64 vector.

    Returns:
        A tensor of the shape and dtype of `tensor`.

    Example:
        >>> sl.Session().run(sl.reverse([1, 2, 3], [0]))
        array([3, 2, 1], dtype=int32)
    """,
)
roll = thin(
    "Roll",
    "input shift axis",
    """Moves elements along dimensions. Those that leave at one end enter at the other.

    Args:
        shift: How far, an int32 or int64 scalar, or a vector with one number for each axis.
        axis: The dimensions, an int32 or int64 scalar or vector.

    Returns:
        A tensor of the shape and dtype of `input`.
    """,
)
broadcast_to = thin(
    "BroadcastTo",
    "input shape",
    """Repeats a tensor until it has a larger shape, by the rules of broadcasting.

    Args:
        shape: The new shape, an int32 or int64 vector.

    Returns:
        A tensor of the dtype of `input` and of the new shape.
    """,
)
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
    "x out_idx=3",
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
    "x out_idx=3",
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
    "x y index_dtype:out_idx=3",
    """Returns the elements of x that are not in y.

    Args:
        x: A vector of any dtype.
        y: A vector of the dtype of x.
        index_dtype: Dtype of the indices, int32 or int64. Default: int32.

    Returns:
        A named tuple. `out`: the elements; `idx`: their places in x.
    """,
)
dynamic_partition = thin(
    "DynamicPartition",
    "data partitions num_partitions",
    """Sends each row of a tensor to one of several tensors.

    Args:
        data: A tensor [n, ...] of any dtype.
        partitions: An int32 tensor of the first dimensions of data: the number of the tensor for
            each row.
        num_partitions: How many tensors, an int.

    Returns:
        A list of tensors. Rows keep their order.
    """,
)
dynamic_stitch = thin(
    "DynamicStitch",
    "indices data",
    """Puts the rows of several tensors together. It is the reverse of dynamic_partition().

    Args:
        indices: A list of int32 tensors: the row of the result for each row of data.
        data: A list of tensors of one dtype, one for each tensor of indices.

    Returns:
        A tensor with the largest index plus 1 rows. If an index is repeated, the last row is taken.
    """,
)
check_numerics = thin(
    "CheckNumerics",
    "tensor message",
    """Fails if a tensor has NaN or infinity.

    Args:
        message: What the error says, a str.

    Returns:
        A tensor with the value of `tensor`.

    Raises:
        errors.InvalidArgumentError: In run(): an element is NaN or infinite.
    """,
)
space_to_batch_nd = thin(
    "SpaceToBatchND",
    "input block_shape paddings",
    """Moves blocks of the padded spatial dimensions into the batch dimension.

    Args:
        input: A tensor [batch, spatial..., rest...] of any dtype.
        block_shape: An int32 or int64 vector: the block's size in each spatial dimension.
        paddings: An int32 or int64 tensor [spatial dimensions, 2]: zeros before and after.

    Returns:
        A tensor of the dtype of `input`, with a larger batch and smaller spatial dimensions.
    """,
)
batch_to_space_nd = thin(
    "BatchToSpaceND",
    "input block_shape crops",
    """Moves batches into blocks of the spatial dimensions. It is the reverse of
    space_to_batch_nd().

    Args:
        input: A tensor [batch, spatial..., rest...] of any dtype.
        block_shape: An int32 or int64 vector: the block's size in each spatial dimension.
        crops: An int32 or int64 tensor [spatial dimensions, 2]: elements cut off at each end.

    Returns:
        A tensor of the dtype of `input`, with a smaller batch and larger spatial dimensions.
    """,
)


def cast(x, dtype, name=None):
    """Converts a tensor to another dtype. Floating-point numbers are truncated to integers.

    Args:
        x: A tensor of any numeric dtype or of bools, or a number.
        dtype: The new dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `dtype` and of the shape of x; x itself if it has the dtype.

    Raises:
        TypeError: dtype is not an element type.

    Example:
        >>> sl.Session().run(sl.cast([1.7, -1.7], sl.int32))
        array([ 1, -1], dtype=int32)
    """
    dtype = dtypes.as_dtype(dtype)
    variable = getattr(x, "_is_resource", False)  # one is read where its value is used
    if (isinstance(x, Tensor) or variable) and x.dtype == dtype:
        return x
    with name_scope(name, "Cast") as scope:
        x = convert_to_tensor(x, name="x")
        return x if x.dtype == dtype else raw_ops.Cast(x=x, DstT=dtype, name=scope)


def saturate_cast(value, dtype, name=None):
    """Converts a tensor to another dtype. Values that it cannot hold become its limits.

    Args:
        value: A tensor of any real dtype.
        dtype: The new dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `dtype` and of the shape of value.
    """
    value, dtype = convert_to_tensor(value), dtypes.as_dtype(dtype)
    limits = [number(v, value.dtype) for v in dtypes.limits(dtype, value.dtype)]
    value = raw_ops.Maximum(x=value, y=limits[0])
    return cast(raw_ops.Minimum(x=value, y=limits[1]), dtype, name)


def bitcast(input, type, name=None):
    """Reads the bytes of a tensor as another dtype.

    Args:
        input: A tensor of any numeric dtype.
        type: The new dtype. If its size differs, the last dimension appears, vanishes or changes.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `type`.

    Raises:
        errors.InvalidArgumentError: The last dimension does not fit the new size.
    """
    return raw_ops.Bitcast(input=input, type=type, name=name)


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None,
                     batch_dim=None):  # fmt: skip
    """Reverses the first elements of each sequence of a batch.

    Args:
        input: A tensor of any dtype.
        seq_lengths: An int32 or int64 vector: how many elements of each sequence are reversed.
        seq_axis: The dimension along which elements are reversed, an int.
        batch_axis: The dimension of the batch, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
        seq_dim: Older name of seq_axis.
        batch_dim: Older name of batch_axis.

    Returns:
        A tensor of the shape and dtype of input.
    """
    axis, batch = (seq_dim, batch_dim) if seq_axis is None else (seq_axis, batch_axis)
    return raw_ops.ReverseSequence(
        input=input, seq_lengths=seq_lengths, seq_dim=axis, batch_dim=batch or 0, name=name
    )


def shape(input, name=None, out_type=dtypes.int32):
    """Returns the shape of a tensor as a vector.

    Args:
        input: A tensor of any dtype, or a SparseTensor.
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result, int32 or int64.

    Returns:
        A tensor [rank].

    Example:
        >>> sl.Session().run(sl.shape([[1, 2, 3], [4, 5, 6]]))
        array([2, 3], dtype=int32)
    """
    with name_scope(name, "Shape") as scope:
        if getattr(input, "dense_shape", None) is not None:
            return cast(input.dense_shape, out_type)
        input = convert_to_tensor(input)
        if input.shape.is_fully_defined():
            return constant(input.shape.as_list(), out_type, [input.shape.ndims], scope)
        return raw_ops.Shape(input=input, out_type=out_type, name=scope)


def size(input, name=None, out_type=dtypes.int32):
    """Returns the number of elements of a tensor.

    Args:
        input: A tensor of any dtype; or a SparseTensor, which counts as if it were dense.
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result, int32 or int64.

    Returns:
        A scalar.

    Example:
        >>> sl.Session().run(sl.size([[1, 2, 3], [4, 5, 6]]))
        6
    """
    with name_scope(name, "Size") as scope:
        if getattr(input, "dense_shape", None) is not None:
            sizes = cast(input.dense_shape, out_type)
            return raw_ops.Prod(input=sizes, reduction_indices=0, name=scope)
        input = convert_to_tensor(input)
        if input.shape.is_fully_defined():
            return constant(input.shape.num_elements(), out_type, name=scope)
        return raw_ops.Size(input=input, out_type=out_type, name=scope)


def rank(input, name=None):
    """Returns the number of dimensions of a tensor.

    Args:
        input: A tensor or SparseTensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar.

    Example:
        >>> sl.Session().run(sl.rank([[1, 2], [3, 4]]))
        2
    """
    with name_scope(name, "Rank") as scope:
        if getattr(input, "dense_shape", None) is not None:
            return raw_ops.Size(input=input.dense_shape, name=scope)
        input = convert_to_tensor(input)
        if input.shape.ndims is not None:
            return constant(input.shape.ndims, dtypes.int32, name=scope)
        return raw_ops.Rank(input=input, name=scope)


def shape_n(input, out_type=dtypes.int32, name=None):
    """Returns the shapes of several tensors.

    Args:
        input: A list of tensors of one dtype.
        out_type: Dtype of the results, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of vectors.
    """
    return raw_ops.ShapeN(input=list(input), out_type=out_type, name=name)


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    """Makes zeros of the shape of a tensor.

    Args:
        tensor: A tensor of any dtype.
        dtype: Dtype of the result. None: that of tensor.
        name: Name of the operation, a str. None: a default name.
        optimize: Accepted. It has no effect.

    Returns:
        A tensor of zeros; of dtype string, empty strings.

    Example:
        >>> sl.Session().run(sl.zeros_like([1, 2]))
        array([0, 0], dtype=int32)
    """
    return _like("ZerosLike", tensor, dtype, name or "zeros_like", optimize)


def ones_like(tensor, dtype=None, name=None, optimize=True):
    """Makes ones of the shape of a tensor.

    Args:
        tensor: A tensor of any numeric dtype or of bools.
        dtype: Dtype of the result. None: that of tensor.
        name: Name of the operation, a str. None: a default name.
        optimize: Accepted. It has no effect.

    Returns:
        A tensor of ones.

    Example:
        >>> sl.Session().run(sl.ones_like([5, 6]))
        array([1, 1], dtype=int32)
    """
    return _like("OnesLike", tensor, dtype, name or "ones_like", optimize)


def _like(op, tensor, dtype, name, optimize):
    with name_scope(name) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        kind = tensor.dtype if dtype is None else dtypes.as_dtype(dtype)
        if op == "ZerosLike":
            if optimize and tensor.shape.is_fully_defined() and kind != dtypes.variant:
                return zeros(tensor.shape, kind, scope)
            if kind in (tensor.dtype, dtypes.variant):
                return raw_ops.ZerosLike(x=tensor, name=scope)
        sizes = shape(tensor) if optimize else raw_ops.Shape(input=tensor)
        return (zeros if op == "ZerosLike" else ones)(sizes, kind, scope)


def transpose(a, perm=None, name=None, conjugate=False):
    """Puts the dimensions of a tensor in another order.

    Args:
        a: A tensor of any dtype.
        perm: The dimensions in their new order, a list of ints or a vector. None: reversed.
        name: Name of the operation, a str. None: a default name.
        conjugate: Whether complex numbers become their conjugates. A bool.

    Returns:
        A tensor of the dtype of a.

    Example:
        >>> sl.Session().run(sl.transpose([[1, 2, 3], [4, 5, 6]]))
        array([[1, 4],
               [2, 5],
               [3, 6]], dtype=int32)
    """
    with name_scope(name, "transpose") as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None and a.shape.ndims is None:
            perm = range(rank(a) - 1, -1, -1)
        elif perm is None:
            perm = list(reversed(_range(len(a.shape))))
        op = "ConjugateTranspose" if conjugate and a.dtype.is_complex else "Transpose"
        return raw_ops.apply_op(op, scope, x=a, perm=perm)


def concat(values, axis, name=None):
    """Joins tensors along a dimension.

    Args:
        values: A list of tensors of one dtype, whose other sizes are equal; or one tensor.
        axis: The dimension, an int or an int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same dtype.

    Raises:
        ValueError or errors.InvalidArgumentError: The shapes or dtypes do not fit.

    Example:
        >>> sl.Session().run(sl.concat([[1, 2], [3]], axis=0))
        array([1, 2, 3], dtype=int32)
    """
    values = list(values) if isinstance(values, (list, _tuple)) else [values]
    if len(values) == 1:
        if isinstance(axis, (list, _tuple)):
            raise ValueError(f"concat(values, axis): the axis is a number, not {axis}")
        convert_to_tensor(axis, dtypes.int32)
        return identity(values[0], name)
    return raw_ops.ConcatV2(values=values, axis=axis, name=name or "concat")


def parallel_stack(values, name=None):
    """Stacks tensors of known shapes along a new first dimension.

    Args:
        values: A list of tensors of one dtype and one known shape.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [number of tensors, ...].
    """
    values = [expand_dims(v, 0) for v in values]
    shape = [len(values), *values[0].shape.as_list()[1:]]
    return raw_ops.ParallelConcat(values=values, shape=shape, name=name)


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


def broadcast_dynamic_shape(shape_x, shape_y):
    """Computes the shape of two tensors that are broadcast, when a step runs.

    Args:
        shape_x: The first shape, an int32 or int64 vector.
        shape_y: The second shape, of the same dtype.

    Returns:
        A vector.

    Raises:
        errors.InvalidArgumentError: In run(): the shapes cannot be broadcast.
    """
    return raw_ops.BroadcastArgs(s0=shape_x, s1=shape_y)


def broadcast_static_shape(shape_x, shape_y):
    """Computes the shape of two tensors that are broadcast, when the graph is built.

    Args:
        shape_x: The first TensorShape.
        shape_y: The second TensorShape.

    Returns:
        A TensorShape.

    Raises:
        ValueError: The shapes cannot be broadcast.
    """
    x, y = as_shape(shape_x), as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return TensorShape(None)
    rank_ = max(x.ndims, y.ndims)
    pairs = zip(*([1] * (rank_ - s.ndims) + s.as_list() for s in (x, y)))
    return TensorShape([_broadcast_size(a, b, x, y) for a, b in pairs])


def _broadcast_size(a, b, x, y):
    if 1 in (a, b):
        return b if a == 1 else a
    if None in (a, b):
        return b if a is None else a
    if a != b:
        raise ValueError(f"shapes {x} and {y} cannot be broadcast against each other")
    return a


def split(value, num_or_size_splits, axis=0, num=None, name=None):
    """Cuts a tensor into parts along a dimension.

    Args:
        value: A tensor of any dtype.
        num_or_size_splits: How many parts of equal size, an int; or the size of each part, a list
            of ints or a vector, in which one size may be -1.
        axis: Dimension to work along, an int; a negative one counts from the last.
        num: How many parts, an int, if the shape of the sizes is not known.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.

    Raises:
        ValueError: How many parts there are is not known.

    Example:
        >>> sl.Session().run(sl.split([1, 2, 3, 4], 2))
        [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    """
    sizes = convert_to_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, int):
        parts = raw_ops.Split(
            split_dim=axis, value=value, num_split=num_or_size_splits, name=name or "split"
        )
    else:
        num = sizes.shape[0].value if num is None else num
        if num is None:
            raise ValueError("split: how many parts is not known: give num")
        parts = raw_ops.SplitV(
            value=value, size_splits=sizes, split_dim=axis, num_split=num, name=name or "split"
        )
    return parts


def stack(values, axis=0, name=None):
    """Joins tensors of one shape along a new dimension.

    Args:
        values: A list of tensors of one shape and dtype.
        axis: Where the new dimension is in the result, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with one dimension more.

    Example:
        >>> sl.Session().run(sl.stack([[1, 2], [3, 4]], axis=1))
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
    values, name = list(values), name or "stack"
    if axis == 0 or not values:
        return convert_to_tensor(values, name=name)
    convert_to_tensor(values[0], name=name)  # a constant there is made, as in TensorFlow
    return raw_ops.Pack(values=values, axis=axis, name=name)


def unstack(value, num=None, axis=0, name=None):
    """Cuts a tensor into its parts along a dimension, which is removed.

    Args:
        value: A tensor of any dtype.
        num: How many parts, an int. None: the known size of the dimension.
        axis: Dimension to work along, an int; a negative one counts from the last.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.

    Raises:
        ValueError: num is not given and the size is not known.

    Example:
        >>> sl.Session().run(sl.unstack([[1, 2], [3, 4]]))
        [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    """
    value = convert_to_tensor(value)
    num = value.shape[axis].value if num is None else num
    if num is None:
        raise ValueError(f"the size of dimension {axis} of {value.name} is not known: give num")
    return raw_ops.Unpack(value=value, num=num, axis=axis, name=name or "unstack")


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    """Removes dimensions of size 1.

    Args:
        input: A tensor of any dtype.
        axis: The dimensions to remove, an int or a list of ints. None: all of size 1.
        name: Name of the operation, a str. None: a default name.
        squeeze_dims: Older name of axis.

    Returns:
        A tensor of the dtype of input.

    Raises:
        ValueError: Both axis and squeeze_dims are given, or a dimension has another size.

    Example:
        >>> sl.squeeze([[[1, 2, 3]]]).shape
        TensorShape([Dimension(3)])
    """
    axis = given(axis, squeeze_dims)
    axis = [] if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return raw_ops.Squeeze(input=input, squeeze_dims=axis, name=name)


def zeros(shape, dtype=dtypes.float32, name=None):
    """Makes a tensor of zeros.

    Args:
        shape: The shape: a list of ints or of scalar tensors, an int, or a vector.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of zeros; of dtype string, empty strings.

    Example:
        >>> sl.Session().run(sl.zeros([2, 3]))
        array([[0., 0., 0.],
               [0., 0., 0.]], dtype=float32)
    """
    empty = "" if dtypes.as_dtype(dtype) == dtypes.string else 0
    return _filled(shape, empty, dtype, name or "zeros")


def ones(shape, dtype=dtypes.float32, name=None):
    """Makes a tensor of ones.

    Args:
        shape: The shape: a list of ints or of scalar tensors, an int, or a vector.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of ones.

    Example:
        >>> sl.Session().run(sl.ones([2], sl.int32))
        array([1, 1], dtype=int32)
    """
    return _filled(shape, 1, dtype, name or "ones")


def _filled(shape, value, dtype, name):
    if shape is None:
        raise ValueError("a shape must be given, None is not one")
    for size in shape if isinstance(shape, (list, _tuple)) else ():
        if isinstance(size, (str, float)):
            raise TypeError(f"{size!r} is not a size, in the shape {shape!r}")
    with name_scope(name) as scope:
        shape = [shape] if isinstance(shape, int) else shape
        if not isinstance(shape, Tensor):
            if not any(isinstance(d, Tensor) for d in shape):
                return _of_known_shape(as_shape(shape).as_list(), value, dtype, scope)
            shape = convert_to_tensor(shape, dtypes.int32)
        return fill(shape, number(value, dtype), scope)


def _of_known_shape(shape, value, dtype, name):
    """A constant; where that is large, it is filled when it runs."""
    size = 1
    for dim in shape:
        size *= dim
    if size < 1000:
        return number(value, dtype, shape, name)
    sizes = constant(shape, dtypes.int32, [len(shape)], "shape_as_tensor")
    return fill(sizes, number(value, dtype), name)


def range(start, limit=None, delta=1, dtype=None, name=None):  # noqa: A001
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
            dtype = max((v.dtype for v in ends), key=order.index)
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


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    """Adds elements before and after a tensor in each dimension.

    Args:
        tensor: A tensor of any dtype.
        paddings: An int32 or int64 tensor [rank, 2]: how many elements before and after.
        mode: "CONSTANT": constant_values; "REFLECT": mirrored, without the edge; "SYMMETRIC":
            mirrored, with the edge.
        name: Name of the operation, a str. None: a default name.
        constant_values: The value for mode "CONSTANT", a scalar.

    Returns:
        A tensor of the dtype of tensor.

    Example:
        >>> sl.Session().run(sl.pad([1, 2], [[1, 2]]))
        array([0, 1, 2, 0, 0], dtype=int32)
    """
    mode = mode.upper()
    if mode != "CONSTANT":
        return raw_ops.MirrorPad(input=tensor, paddings=paddings, mode=mode, name=name)
    if isinstance(constant_values, Tensor) or constant_values != 0:
        return raw_ops.PadV2(
            input=tensor, paddings=paddings, constant_values=constant_values, name=name
        )
    return raw_ops.Pad(input=tensor, paddings=paddings, name=name)


def gather(params, indices, validate_indices=None, name=None, axis=0, batch_dims=0):
    """Takes slices of a tensor by their indices.

    Of a resource variable only the rows that are asked for are read.

    Args:
        params: A tensor or variable of any dtype.
        indices: An int32 or int64 tensor of indices along `axis`.
        validate_indices: Accepted. Indices are always checked.
        name: Name of the operation, a str. None: a default name.
        axis: The dimension that the indices belong to, an int.
        batch_dims: How many leading dimensions params and indices have in common, an int.

    Returns:
        A tensor of the dtype of params: its shape with dimension `axis` replaced by the shape of
        indices.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.

    Example:
        >>> sl.Session().run(sl.gather([10, 20, 30], [2, 0]))
        array([30, 10], dtype=int32)
    """
    del validate_indices  # indices are always checked
    if getattr(params, "_is_resource", False) and axis == 0 and batch_dims == 0:
        return identity(raw_ops.ResourceGather(
            resource=params.handle, indices=indices, dtype=params.dtype, name=name or "Gather"
        ))  # fmt: skip
    return raw_ops.GatherV2(
        params=params, indices=indices, axis=axis, batch_dims=batch_dims, name=name
    )


def gather_nd(params, indices, name=None, batch_dims=0):
    """Takes slices of a tensor by their indices in several dimensions.

    Args:
        params: A tensor of any dtype.
        indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
        name: Name of the operation, a str. None: a default name.
        batch_dims: How many leading dimensions params and indices have in common, an int.

    Returns:
        A tensor of the dtype of params: one slice for each index.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.

    Example:
        >>> sl.Session().run(sl.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
        array([2, 3], dtype=int32)
    """
    params, indices = convert_to_tensor(params), convert_to_tensor(indices)
    if batch_dims:
        indices = concat([*_batch_places(indices, batch_dims), indices], -1)
    return raw_ops.GatherNd(params=params, indices=indices, name=name)


def _batch_places(indices, batch_dims):
    """For each of the first dimensions: which of its elements an index is of."""
    sizes = concat([shape(indices)[:-1], [1]], 0)
    dims = indices.shape.ndims
    for i in _range(batch_dims):
        steps = cast(range(sizes[i]), indices.dtype)
        yield broadcast_to(reshape(steps, [-1 if j == i else 1 for j in _range(dims)]), sizes)


def one_hot(indices, depth, on_value=None, off_value=None, axis=-1, dtype=None, name=None):
    """Makes vectors with one element on and all others off.

    Args:
        indices: An integer tensor: the place of the element that is on. An index out of range: all
            are off.
        depth: The size of the new dimension, an int or an int32 scalar.
        on_value: Value of the element that is on, a scalar. None: 1.
        off_value: Value of all others, a scalar. None: 0.
        axis: Where the new dimension is in the result, an int.
        dtype: Dtype of the result. None: that of the values; float32 if none is given.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with one dimension more than indices.

    Example:
        >>> sl.Session().run(sl.one_hot([0, 2], 3))
        array([[1., 0., 0.],
               [0., 0., 1.]], dtype=float32)
    """
    for value in (on_value, off_value):
        if dtype is None and value is not None:
            dtype = convert_to_tensor(value).dtype
    dtype = dtypes.float32 if dtype is None else dtype
    with name_scope(name, "one_hot") as scope:
        on = convert_to_tensor(1 if on_value is None else on_value, dtype, "on_value")
        off = convert_to_tensor(0 if off_value is None else off_value, dtype, "off_value")
        return raw_ops.OneHot(
            indices=indices, depth=depth, on_value=on, off_value=off, axis=axis, name=scope
        )


def where(condition, x=None, y=None, name=None):
    """Chooses between two tensors, or finds where a condition holds.

    Args:
        condition: A bool tensor. With x and y: of their shape, or a vector that chooses rows.
        x: A tensor of any dtype: what is taken where condition holds.
        y: A tensor of the shape and dtype of x: what is taken elsewhere.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x. Without x and y: an int64 tensor [n, rank] with the
        places where condition holds.

    Raises:
        ValueError: Only one of x and y is given.

    Example:
        >>> sl.Session().run(sl.where([True, False], [1, 2], [10, 20]))
        array([ 1, 20], dtype=int32)
    """
    if x is None and y is None:
        return raw_ops.Where(input=condition, name=name)
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    return raw_ops.Select(condition=condition, t=x, e=y, name=name)


where_v2 = thin(
    "SelectV2",
    "condition x:t y:e",
    """Takes elements of x where a condition holds, and of y elsewhere. All three are broadcast.

    Args:
        condition: A bool tensor.
        x: A tensor of any dtype.
        y: A tensor of the dtype of `x`.

    Returns:
        A tensor of the dtype of `x` and of the broadcast shape.
    """,
)


def boolean_mask(tensor, mask, name=None, axis=0):
    """Takes the slices of a tensor for which a mask holds.

    Args:
        tensor: A tensor of any dtype.
        mask: A bool tensor of known rank. Its shape is that of tensor from dimension `axis` on.
        name: Name of the operation, a str. None: a default name.
        axis: The first dimension that the mask is for, an int.

    Returns:
        A tensor of the dtype of tensor. The masked dimensions become one.

    Raises:
        ValueError: The rank of the mask is not known, or 0.

    Example:
        >>> sl.Session().run(sl.boolean_mask([1, 2, 3], [True, False, True]))
        array([1, 3], dtype=int32)
    """
    tensor, mask = convert_to_tensor(tensor), convert_to_tensor(mask, dtypes.bool_)
    dims = mask.shape.ndims
    if not dims:
        raise ValueError("the mask must have a known rank of at least 1")
    if tensor.shape.ndims is not None and not mask.shape.is_compatible_with(
        tensor.shape[axis : axis + dims]
    ):
        raise ValueError(
            f"the mask {mask.name} of shape {mask.shape} does not fit the dimensions from {axis} "
            f"on of {tensor.name}, whose shape is {tensor.shape}"
        )
    sizes = shape(tensor)
    flat = reshape(tensor, concat([sizes[:axis], [-1], sizes[axis + dims :]], 0))
    places = squeeze(raw_ops.Where(input=reshape(mask, [-1])), [1])
    return gather(flat, places, axis=axis, name=name)


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool_, name=None):
    """Makes masks that hold at the first places of each sequence.

    Args:
        lengths: An integer tensor [...]: how many places of each sequence.
        maxlen: Size of the new dimension, an int or a scalar tensor. None: the largest length.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., maxlen].

    Example:
        >>> sl.Session().run(sl.sequence_mask([1, 3], 3))
        array([[ True, False, False],
               [ True,  True,  True]])
    """
    lengths = convert_to_tensor(lengths)
    if maxlen is None:
        maxlen = raw_ops.Max(input=reshape(lengths, [-1]), reduction_indices=0)
    columns = range(cast(convert_to_tensor(maxlen), lengths.dtype))
    return cast(raw_ops.Less(x=columns, y=expand_dims(lengths, -1)), dtype, name)


def meshgrid(*args, indexing="xy"):
    """Makes the coordinates of the points of a grid.

    Args:
        *args: Vectors, one for each dimension of the grid.
        indexing: "xy": the first vector runs along dimension 1; "ij": along dimension 0.

    Returns:
        A list of tensors of the grid's shape, one for each vector.
    """
    vectors = [convert_to_tensor(a) for a in args]
    count = len(vectors)
    sizes = stack([size(v) for v in vectors])
    grids = []
    for i, vector in enumerate(vectors):
        sides = [-1 if j == i else 1 for j in _range(count)]
        grids.append(broadcast_to(reshape(vector, sides), sizes))
    if indexing == "xy" and count > 1:
        order = [1, 0, *_range(2, count)]
        grids = [transpose(g, order) for g in grids]
    return grids


def strided_slice(input_, begin, end, strides=None, name=None, **masks):
    """Takes a part of a tensor, as input_[begin:end:strides] does.

    Args:
        input_: A tensor of any dtype.
        begin: An int32 or int64 vector: the first index of each dimension.
        end: The index after the last one of each dimension, of the same dtype.
        strides: The steps, of the same dtype. None: 1.
        name: Name of the operation, a str. None: a default name.
        **masks: begin_mask, end_mask, ellipsis_mask, new_axis_mask and shrink_axis_mask of the op,
            ints whose bits stand for dimensions.

    Returns:
        A tensor of the dtype of input_.

    Example:
        >>> sl.Session().run(sl.strided_slice([1, 2, 3, 4, 5], [0], [5], [2]))
        array([1, 3, 5], dtype=int32)
    """
    strides = ones_like(begin) if strides is None else strides
    return raw_ops.StridedSlice(
        input=input_, begin=begin, end=end, strides=strides, name=name or "strided_slice", **masks
    )


def unravel_index(indices, dims, name=None):
    """Converts indices of a flat tensor to indices of each dimension.

    Args:
        indices: An int32 or int64 vector [n] or scalar.
        dims: The shape, a vector of the dtype of indices.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [rank, n].

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    return raw_ops.UnravelIndex(indices=indices, dims=dims, name=name)


def ensure_shape(x, shape, name=None):
    """Checks the shape of a tensor when a step runs.

    Args:
        x: A tensor of any dtype.
        shape: The shape to expect: sizes, None where any is fine.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the value of x and the static shape `shape`.

    Raises:
        errors.InvalidArgumentError: In run(): the shape is another one.
    """
    return raw_ops.EnsureShape(input=x, shape=None if shape is None else list(shape), name=name)


def identity_n(input, name=None):
    """Returns tensors with the values of the inputs.

    Args:
        input: A list of tensors of any dtypes.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.
    """
    return raw_ops.IdentityN(input=list(input), name=name)


# ---- operations without values


def no_op(name=None):
    """Adds an operation that does nothing. It is useful with control dependencies.

    Args:
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.
    """
    return raw_ops.NoOp(name=name)


def group(*inputs, name=None):
    """Adds an operation that ends after all of its inputs.

    Inputs of one device are waited for on that device first.

    Args:
        *inputs: Operations, tensors, variables, or nested lists of them.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.

    Raises:
        TypeError: An input is none of these.

    Example:
        >>> v = sl.Variable(1)
        >>> both = sl.group(v.assign(2), sl.no_op())
        >>> with sl.Session() as session:
        ...     session.run(both)
        ...     print(session.run(v))
        2
    """
    by_device = {}
    for item in _leaves(inputs):
        op = item if isinstance(item, Operation) else getattr(item, "op", None)
        if op is None:
            raise TypeError(f"group() takes operations and tensors, not {item!r}")
        by_device.setdefault(op.device, []).append(item)
    with name_scope(name, "group_deps") as scope:
        if not by_device:
            return no_op(scope)
        if len(by_device) == 1:
            ((where, items),) = by_device.items()
            return _after(items, where, scope)
        parts = [_after(by_device[where], where, None) for where in sorted(by_device)]
        with control_dependencies(parts):
            return no_op(scope)


def _after(items, where, name):
    with control_dependencies(items), device(where):
        return no_op(name)


def _leaves(items):
    for item in items:
        if isinstance(item, (list, _tuple)):
            yield from _leaves(item)
        else:
            yield item


def tuple(tensors, name=None, control_inputs=None):  # noqa: A001
    """Returns tensors that are available when all of them are.

    Args:
        tensors: A list of tensors. None stays None.
        name: Name of the operation, a str. None: a default name.
        control_inputs: Operations to wait for too, a list.

    Returns:
        A list of tensors with the same values.
    """
    after = [_operation(t) for t in [*tensors, *(control_inputs or ())] if t is not None]
    if all(t is None for t in tensors):
        raise ValueError("tuple() needs at least one tensor")
    with name_scope(name, "tuple"):
        gate = group(*sorted(dict.fromkeys(after), key=lambda op: op._id))
        return [None if t is None else _behind(gate, t) for t in tensors]


def _operation(item):
    return item if isinstance(item, Operation) else item.op


def _behind(gate, item):
    """A tensor, operation or IndexedSlices, to be used after `gate`."""
    if isinstance(item, Operation):
        with control_dependencies([gate]):
            return no_op()
    values = item.values if isinstance(item, IndexedSlices) else item
    with name_scope("control_dependency") as scope:
        with colocate_with(values.op), control_dependencies([gate]):
            values = identity(values, scope)
    if isinstance(item, IndexedSlices):
        return IndexedSlices(values, item.indices, item.dense_shape)
    return values


guarantee_const = thin(
    "GuaranteeConst",
    "input",
    """Declares that a tensor has the same value in every step.

    Returns:
        A tensor with the value of `input`.
    """,
)


def placeholder_with_default(input, shape, name=None):
    """Makes a tensor that a run may feed. Without a feed it has a default value.

    Args:
        input: The default value, a tensor or a value of any dtype.
        shape: The shape of what may be fed: sizes, None where any is fine; None: any rank.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of input.

    Example:
        >>> x = sl.placeholder_with_default([1, 2], [None])
        >>> sl.Session().run(x * 2)
        array([2, 4], dtype=int32)
    """
    shape = None if shape is None else list(shape)
    return raw_ops.PlaceholderWithDefault(input=input, shape=shape, name=name)


def Print(input_, data, message="", first_n=-1, summarize=None, name=None):  # noqa: N802
    """Returns a tensor, and lets the server print other tensors each time it runs.

    Args:
        input_: A tensor of any dtype.
        data: A list of tensors to print.
        message: Text before the tensors, a str.
        first_n: How many times to print, an int; -1: always.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the value of input_.
    """
    return raw_ops.Print(
        input=input_, data=list(data), message=message, first_n=first_n,
        summarize=3 if summarize is None else summarize, name=name,
    )  # fmt: skip


def Assert(condition, data, summarize=None, name=None):  # noqa: N802
    """Adds an operation that fails if a condition does not hold.

    Args:
        condition: A bool scalar.
        data: A list of tensors that the error shows.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.

    Raises:
        errors.InvalidArgumentError: In run(): the condition is false.

    Example:
        >>> x = sl.constant(1)
        >>> with sl.control_dependencies([sl.Assert(x > 0, [x])]):
        ...     y = sl.identity(x)
        >>> sl.Session().run(y)
        1
    """
    return raw_ops.Assert(
        condition=condition, data=list(data), summarize=3 if summarize is None else summarize,
        name=name,
    )  # fmt: skip


__all__ = with_names(globals())
