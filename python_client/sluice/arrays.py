"""Shapes and places of elements: reshaping, joining, cutting, picking, filling."""

from . import dtypes, raw_ops
from .building import given, shape_tensor, thin, unary, with_names
from .convert import constant, convert_to_tensor
from .graph import Operation, Tensor, control_dependencies, device, name_scope
from .tensor_shape import TensorShape, as_shape

_range, _tuple = range, tuple  # Python's own; ours have these names below

identity = unary("Identity", "The tensor itself.")
stop_gradient = unary("StopGradient", "The tensor itself; gradients end here.")
reshape = thin(
    "Reshape", "tensor shape", "The same elements under another shape; one size may be -1."
)
expand_dims = thin("ExpandDims", "input axis|dim:dim", "A dimension of size 1 put in at `axis`.")
rank = thin("Rank", "input", "The number of dimensions, int32.")
fill = thin("Fill", "dims value", "A tensor of shape `dims` full of a scalar.")
tile = thin("Tile", "input multiples", "The tensor repeated multiples[i] times along dimension i.")
slice = thin(
    "Slice",
    "input_:input begin size",  # noqa: A001
    "`size` elements from `begin` along each dimension; size -1: all the rest.",
)
scatter_nd = thin(
    "ScatterNd",
    "indices updates shape",
    "Zeros of `shape` with updates added at indices: the reverse of gather_nd.",
)
tensor_scatter_update = thin("TensorScatterUpdate", "tensor indices updates",
                             "A copy of `tensor` with updates put at indices.")  # fmt: skip
tensor_scatter_add = thin("TensorScatterAdd", "tensor indices updates",
                          "A copy of `tensor` with updates added at indices.")  # fmt: skip
tensor_scatter_sub = thin("TensorScatterSub", "tensor indices updates",
                          "A copy of `tensor` with updates subtracted at indices.")  # fmt: skip
reverse = thin("ReverseV2", "tensor axis", "Elements in reverse order along these dimensions.")
roll = thin("Roll", "input shift axis", "Elements moved by `shift` along `axis`, around the end.")
broadcast_to = thin("BroadcastTo", "input shape", "The tensor repeated to a larger shape.")
searchsorted_left = thin(
    "LowerBound",
    "sorted_inputs values",
    "[rows, n]: the first place in each sorted row that is not below.",
)
searchsorted_right = thin(
    "UpperBound",
    "sorted_inputs values",
    "[rows, n]: the first place in each sorted row that is above.",
)
unique = thin("Unique", "x out_idx=3", "[y, idx]: the elements of a vector once, x = y[idx].")
unique_with_counts = thin("UniqueWithCounts", "x out_idx=3", "[y, idx, count of each y].")
setdiff1d = thin(
    "ListDiff", "x y index_dtype:out_idx=3", "[what of x is not in y, its indices in x]."
)
dynamic_partition = thin(
    "DynamicPartition",
    "data partitions num_partitions",
    "A list: the rows of data that partitions sends to each number.",
)
dynamic_stitch = thin("DynamicStitch", "indices data",
                      "Rows of several tensors, each put where its indices say.")  # fmt: skip
check_numerics = thin(
    "CheckNumerics",
    "tensor message",
    "The tensor; InvalidArgumentError with the message for NaN or infinity.",
)
space_to_batch_nd = thin("SpaceToBatchND", "input block_shape paddings",
                         "Blocks of the padded spatial dimensions become batches.")  # fmt: skip
batch_to_space_nd = thin("BatchToSpaceND", "input block_shape crops",
                         "The reverse of space_to_batch_nd.")  # fmt: skip


def cast(x, dtype, name=None):
    """The tensor as another dtype; floats are truncated on their way to integers."""
    x = convert_to_tensor(x)
    if x.dtype == dtypes.as_dtype(dtype):
        return x
    return raw_ops.Cast(x=x, DstT=dtype, name=name)


def saturate_cast(value, dtype, name=None):
    """cast, with what the dtype cannot hold moved to its limits."""
    value, dtype = convert_to_tensor(value), dtypes.as_dtype(dtype)
    limits = [constant(v, value.dtype) for v in dtypes.limits(dtype, value.dtype)]
    value = raw_ops.Maximum(x=value, y=limits[0])
    return cast(raw_ops.Minimum(x=value, y=limits[1]), dtype, name)


def bitcast(input, type, name=None):
    """The same bytes as another dtype; a size that differs changes the last dimension."""
    return raw_ops.Bitcast(input=input, type=type, name=name)


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None,
                     batch_dim=None):  # fmt: skip
    """The first seq_lengths[i] elements along seq_axis reversed, for each i of batch_axis. seq_dim,
    batch_dim: older names of the two."""
    axis, batch = (seq_dim, batch_dim) if seq_axis is None else (seq_axis, batch_axis)
    return raw_ops.ReverseSequence(
        input=input, seq_lengths=seq_lengths, seq_dim=axis, batch_dim=batch or 0, name=name
    )


def shape(input, name=None, out_type=dtypes.int32):
    """The shape as a vector; also of a SparseTensor."""
    if getattr(input, "dense_shape", None) is not None:
        return cast(input.dense_shape, out_type, name)
    return raw_ops.Shape(input=input, out_type=out_type, name=name)


def size(input, name=None, out_type=dtypes.int32):
    """The number of elements; of a SparseTensor as if it were dense."""
    if getattr(input, "dense_shape", None) is not None:
        return raw_ops.Prod(input=cast(input.dense_shape, out_type), reduction_indices=0, name=name)
    return raw_ops.Size(input=input, out_type=out_type, name=name)


def shape_n(input, out_type=dtypes.int32, name=None):
    """The shapes of several tensors, a list."""
    return raw_ops.ShapeN(input=list(input), out_type=out_type, name=name)


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    """Zeros of the same shape, of its dtype or another; of strings empty ones."""
    return _like("ZerosLike", tensor, dtype, name)


def ones_like(tensor, dtype=None, name=None, optimize=True):
    """Ones of the same shape, of its dtype or another."""
    return _like("OnesLike", tensor, dtype, name)


def _like(op, tensor, dtype, name):
    tensor = convert_to_tensor(tensor)
    if dtype is None or tensor.dtype == dtypes.as_dtype(dtype):
        return raw_ops.apply_op(op, name, x=tensor)
    if op == "ZerosLike" and dtypes.as_dtype(dtype) == dtypes.string:
        return fill(shape(tensor), "", name)
    return fill(shape(tensor), constant(int(op == "OnesLike"), dtype), name)


def transpose(a, perm=None, name=None, conjugate=False):
    """Dimensions in the order `perm`; reversed when it is not given. conjugate: of complex numbers
    the conjugate ones."""
    a = convert_to_tensor(a)
    if perm is None and a.shape.ndims is None:
        perm = range(rank(a) - 1, -1, -1)
    elif perm is None:
        perm = list(reversed(_range(len(a.shape))))
    op = "ConjugateTranspose" if conjugate and a.dtype.is_complex else "Transpose"
    return raw_ops.apply_op(op, name or "transpose", x=a, perm=perm)


def concat(values, axis, name=None):
    """Tensors joined along a dimension."""
    values = list(values) if isinstance(values, (list, _tuple)) else [values]
    if len(values) == 1:
        return identity(values[0], name)
    return raw_ops.ConcatV2(values=values, axis=axis, name=name or "concat")


def parallel_stack(values, name=None):
    """stack() of tensors of known shapes."""
    values = [expand_dims(v, 0) for v in values]
    shape = [len(values), *values[0].shape.as_list()[1:]]
    return raw_ops.ParallelConcat(values=values, shape=shape, name=name)


def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None):
    """Where values [..., n] belong in the sorted last dimension of sorted_sequence [..., m]: before
    those that are equal (side "left"), or behind them ("right")."""
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
    """The shape, a vector, of two tensors of these shapes broadcast against each other."""
    return raw_ops.BroadcastArgs(s0=shape_x, s1=shape_y)


def broadcast_static_shape(shape_x, shape_y):
    """The TensorShape of two tensors of these shapes broadcast against each other. ValueError: they
    cannot be."""
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
    """A list of parts: so many of one size, or of the sizes given (by a tensor of `num` of them
    where its shape is not known)."""
    if isinstance(num_or_size_splits, int):
        parts = raw_ops.Split(
            split_dim=axis, value=value, num_split=num_or_size_splits, name=name or "split"
        )
    else:
        sizes = convert_to_tensor(num_or_size_splits)
        num = sizes.shape[0].value if num is None else num
        if num is None:
            raise ValueError("split: how many parts is not known: give num")
        parts = raw_ops.SplitV(
            value=value, size_splits=sizes, split_dim=axis, num_split=num, name=name or "split"
        )
    return parts


def stack(values, axis=0, name=None):
    """Tensors of one shape as one of rank one higher."""
    return raw_ops.Pack(values=list(values), axis=axis, name=name or "stack")


def unstack(value, num=None, axis=0, name=None):
    """The parts of a tensor along a dimension of known size, as a list."""
    value = convert_to_tensor(value)
    num = value.shape[axis].value if num is None else num
    if num is None:
        raise ValueError(f"the size of dimension {axis} of {value.name} is not known: give num")
    return raw_ops.Unpack(value=value, num=num, axis=axis, name=name or "unstack")


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    """Without the dimensions of size 1: those of `axis`, or all. squeeze_dims: its older name."""
    axis = given(axis, squeeze_dims)
    axis = [] if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return raw_ops.Squeeze(input=input, squeeze_dims=axis, name=name)


def zeros(shape, dtype=dtypes.float32, name=None):
    """Zeros (strings: empty ones) of a shape that is known, or given as a tensor."""
    empty = "" if dtypes.as_dtype(dtype) == dtypes.string else 0
    return _filled(shape, empty, dtype, name or "zeros")


def ones(shape, dtype=dtypes.float32, name=None):
    """Ones of a shape that is known, or given as a tensor."""
    return _filled(shape, 1, dtype, name or "ones")


def _filled(shape, value, dtype, name):
    shape = [shape] if isinstance(shape, int) else shape
    if isinstance(shape, Tensor) or any(isinstance(d, Tensor) for d in shape):
        return fill(shape_tensor(shape), constant(value, dtype), name)
    return constant(value, dtype, shape=list(shape), name=name)


def range(start, limit=None, delta=1, dtype=None, name=None):  # noqa: A001
    """Numbers from start (0 when only one argument is given) up to, without, limit."""
    if limit is None:
        start, limit = 0, start
    for end in (start, limit, delta):
        if dtype is None and isinstance(end, Tensor):
            dtype = end.dtype
    if dtype is None and any(isinstance(v, float) for v in (start, limit, delta)):
        dtype = dtypes.float32
    start, limit, delta = (
        cast(v, dtype)
        if dtype is not None and isinstance(v, Tensor)
        else convert_to_tensor(v, dtype)
        for v in (start, limit, delta)
    )
    return raw_ops.Range(start=start, limit=limit, delta=delta, name=name or "range")


def linspace(start, stop, num, name=None):
    """`num` numbers from start to stop, both included, at equal distances."""
    return raw_ops.LinSpace(start=start, stop=stop, num=num, name=name)


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    """Elements put before and after: paddings[i] = [before, after] of dimension i.

    mode: "CONSTANT" (constant_values), "REFLECT" (without the edge), "SYMMETRIC" (with it).
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
    """Slices of params along `axis`; the first `batch_dims` dimensions of both go together.

    Of a resource variable only the rows asked for are read.
    """
    del validate_indices  # indices are always checked
    if getattr(params, "_is_resource", False) and axis == 0 and batch_dims == 0:
        return raw_ops.ResourceGather(
            resource=params.handle, indices=indices, dtype=params.dtype, name=name or "gather"
        )
    return raw_ops.GatherV2(
        params=params, indices=indices, axis=axis, batch_dims=batch_dims, name=name
    )


def gather_nd(params, indices, name=None, batch_dims=0):
    """Parts of params: the last dimension of indices says where each one begins; the first
    `batch_dims` dimensions of both go together."""
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
    """on_value (1) at each index along a new dimension `axis` of size depth, off_value (0)
    elsewhere; float32 where neither values nor `dtype` say otherwise."""
    for value in (on_value, off_value):
        if dtype is None and value is not None:
            dtype = convert_to_tensor(value).dtype
    dtype = dtypes.float32 if dtype is None else dtype
    on = convert_to_tensor(1 if on_value is None else on_value, dtype)
    off = convert_to_tensor(0 if off_value is None else off_value, dtype)
    return raw_ops.OneHot(
        indices=indices, depth=depth, on_value=on, off_value=off, axis=axis, name=name
    )


def where(condition, x=None, y=None, name=None):
    """x where condition holds, else y: of one shape, or rows picked by a vector `condition`.

    Without x and y: the places where condition holds, int64 [n, rank].
    """
    if x is None and y is None:
        return raw_ops.Where(input=condition, name=name)
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    return raw_ops.Select(condition=condition, t=x, e=y, name=name)


where_v2 = thin("SelectV2", "condition x:t y:e",
                "x where condition holds, else y; all three are broadcast.")  # fmt: skip


def boolean_mask(tensor, mask, name=None, axis=0):
    """The slices of `tensor` for which `mask` holds: mask's shape is tensor's from `axis` on."""
    tensor, mask = convert_to_tensor(tensor), convert_to_tensor(mask, dtypes.bool_)
    dims = mask.shape.ndims
    if not dims:
        raise ValueError("the mask must have a known rank of at least 1")
    sizes = shape(tensor)
    flat = reshape(tensor, concat([sizes[:axis], [-1], sizes[axis + dims :]], 0))
    places = squeeze(raw_ops.Where(input=reshape(mask, [-1])), [1])
    return gather(flat, places, axis=axis, name=name)


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool_, name=None):
    """[..., maxlen]: true at the first lengths[...] places; maxlen: by default the largest."""
    lengths = convert_to_tensor(lengths)
    if maxlen is None:
        maxlen = raw_ops.Max(input=reshape(lengths, [-1]), reduction_indices=0)
    columns = range(cast(convert_to_tensor(maxlen), lengths.dtype))
    return cast(raw_ops.Less(x=columns, y=expand_dims(lengths, -1)), dtype, name)


def meshgrid(*args, indexing="xy"):
    """Coordinates of a grid of these vectors, a list of tensors of its shape.

    indexing "xy": the first vector runs along dimension 1; "ij": along 0.
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


def strided_slice(input_, begin, end, strides, name=None, **masks):
    """input_[begin:end:strides] with the masks of the op: begin_mask, end_mask, ellipsis_mask,
    new_axis_mask, shrink_axis_mask."""
    return raw_ops.StridedSlice(
        input=input_, begin=begin, end=end, strides=strides, name=name or "strided_slice", **masks
    )


def unravel_index(indices, dims, name=None):
    """[rank, n]: the places in a tensor of shape `dims` of elements counted row by row."""
    return raw_ops.UnravelIndex(indices=indices, dims=dims, name=name)


def ensure_shape(x, shape, name=None):
    """x; InvalidArgumentError where its shape does not fit `shape`, whose sizes may be None."""
    return raw_ops.EnsureShape(input=x, shape=None if shape is None else list(shape), name=name)


def identity_n(input, name=None):
    """A list of tensors, as they are."""
    return raw_ops.IdentityN(input=list(input), name=name)


# ---- operations without values


def no_op(name=None):
    """An operation that does nothing."""
    return raw_ops.NoOp(name=name)


def group(*inputs, name=None):
    """An operation that ends after all of these: operations, tensors, variables, nested lists of
    them. Those of one device are waited for there first."""
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
    """The tensors (None stays None), each of which is there when all of them, and control_inputs,
    are."""
    after = [t for t in tensors if t is not None]
    with control_dependencies([*after, *(control_inputs or ())]):
        return [None if t is None else identity(t, name) for t in tensors]


guarantee_const = thin("GuaranteeConst", "input", "The tensor, said to be always the same.")


def placeholder_with_default(input, shape, name=None):
    """A tensor that a run may feed, and is `input` when it does not."""
    shape = None if shape is None else list(shape)
    return raw_ops.PlaceholderWithDefault(input=input, shape=shape, name=name)


def Print(input_, data, message="", first_n=-1, summarize=None, name=None):  # noqa: N802
    """input_; each time it runs, the server prints the message and the tensors of `data`."""
    return raw_ops.Print(
        input=input_, data=list(data), message=message, first_n=first_n,
        summarize=3 if summarize is None else summarize, name=name,
    )  # fmt: skip


def Assert(condition, data, summarize=None, name=None):  # noqa: N802
    """An operation that fails with InvalidArgumentError, showing `data`, where condition is
    false."""
    return raw_ops.Assert(
        condition=condition, data=list(data), summarize=3 if summarize is None else summarize,
        name=name,
    )  # fmt: skip


__all__ = with_names(globals())
