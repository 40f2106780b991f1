"""Mathematics and array functions, operators of tensors, and random numbers."""

import numpy as np

from . import dtypes, raw_ops
from .convert import constant, convert_to_tensor
from .graph import (
    IndexedSlices,
    Tensor,
    control_dependencies,
    get_default_graph,
    get_seed,
    name_scope,
)


def _binary(op, name):
    def function(x, y, name=None):
        if not hasattr(x, "graph") and hasattr(y, "graph"):
            y = convert_to_tensor(y)
            x = convert_to_tensor(x, y.dtype)
        else:
            x = convert_to_tensor(x)
            y = convert_to_tensor(y, x.dtype)
        names = [a["name"] for a in raw_ops._DEFS[op]["inputs"]]
        return raw_ops.apply_op(op, name or _name_of(op), **dict(zip(names, (x, y))))

    function.__name__ = name
    function.__doc__ = f"{op} of two tensors of one dtype, broadcast against each other."
    return function


def _unary(op, name):
    argument = raw_ops._DEFS[op]["inputs"][0]["name"]

    def function(x, name=None):
        return raw_ops.apply_op(op, name, **{argument: x})

    function.__name__ = name
    function.__doc__ = f"{op}, element by element: same shape and dtype."
    return function


def _name_of(op):
    return {"AddV2": "add", "Sub": "sub", "Mul": "mul", "RealDiv": "truediv"}.get(op, op)


add = _binary("AddV2", "add")
subtract = _binary("Sub", "subtract")
multiply = _binary("Mul", "multiply")
truediv = _binary("RealDiv", "truediv")
floordiv = _binary("FloorDiv", "floordiv")
mod = floormod = _binary("FloorMod", "mod")
pow = _binary("Pow", "pow")  # noqa: A001
maximum = _binary("Maximum", "maximum")
minimum = _binary("Minimum", "minimum")
squared_difference = _binary("SquaredDifference", "squared_difference")
equal = _binary("Equal", "equal")
not_equal = _binary("NotEqual", "not_equal")
less = _binary("Less", "less")
less_equal = _binary("LessEqual", "less_equal")
greater = _binary("Greater", "greater")
greater_equal = _binary("GreaterEqual", "greater_equal")
logical_and = _binary("LogicalAnd", "logical_and")
logical_or = _binary("LogicalOr", "logical_or")
logical_not = _unary("LogicalNot", "logical_not")
negative = _unary("Neg", "negative")
abs = _unary("Abs", "abs")  # noqa: A001
sign = _unary("Sign", "sign")
square = _unary("Square", "square")
sqrt = _unary("Sqrt", "sqrt")
rsqrt = _unary("Rsqrt", "rsqrt")
exp = _unary("Exp", "exp")
log = _unary("Log", "log")
log1p = _unary("Log1p", "log1p")
sin = _unary("Sin", "sin")
cos = _unary("Cos", "cos")
tanh = _unary("Tanh", "tanh")
sigmoid = _unary("Sigmoid", "sigmoid")
floor = _unary("Floor", "floor")
ceil = _unary("Ceil", "ceil")
identity = _unary("Identity", "identity")
stop_gradient = _unary("StopGradient", "stop_gradient")
zeros_like = _unary("ZerosLike", "zeros_like")
ones_like = _unary("OnesLike", "ones_like")


def divide(x, y, name=None):
    """x / y; integers are divided as float64."""
    x = convert_to_tensor(x)
    if x.dtype.is_integer:
        x, y = cast(x, dtypes.float64), cast(y, dtypes.float64)
    return truediv(x, y, name)


def cast(x, dtype, name=None):
    """The tensor as another dtype; floats are truncated on their way to integers."""
    x = convert_to_tensor(x)
    if x.dtype == dtypes.as_dtype(dtype):
        return x
    return raw_ops.Cast(x=x, DstT=dtype, name=name)


def matmul(a, b, transpose_a=False, transpose_b=False, name=None):
    """Matrix product; with more than two dimensions one for each of the leading indices."""
    a = convert_to_tensor(a)
    b = convert_to_tensor(b, a.dtype)
    if (a.shape.ndims or 2) > 2 or (b.shape.ndims or 2) > 2:
        return raw_ops.BatchMatMulV2(x=a, y=b, adj_x=transpose_a, adj_y=transpose_b, name=name)
    return raw_ops.MatMul(a=a, b=b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)


def add_n(inputs, name=None):
    """The sum of tensors of one shape."""
    return raw_ops.AddN(inputs=list(inputs), name=name)


def _reduction(op, name):
    def function(input_tensor, axis=None, keepdims=False, name=None):
        x = convert_to_tensor(input_tensor)
        if axis is None:
            if x.shape.ndims is None:
                axis = range(0, rank(x), 1)
            else:
                axis = constant(np.arange(x.shape.ndims, dtype=np.int32))
        args = {raw_ops._DEFS[op]["inputs"][0]["name"]: x, "keep_dims": keepdims}
        return raw_ops.apply_op(op, name, reduction_indices=axis, **args)

    function.__name__ = name
    function.__doc__ = (
        f"{op} over `axis` (an int or several; None: all), kept as size 1 with `keepdims`."
    )
    return function


reduce_sum = _reduction("Sum", "reduce_sum")
reduce_mean = _reduction("Mean", "reduce_mean")
reduce_max = _reduction("Max", "reduce_max")
reduce_min = _reduction("Min", "reduce_min")
reduce_prod = _reduction("Prod", "reduce_prod")
reduce_all = _reduction("All", "reduce_all")
reduce_any = _reduction("Any", "reduce_any")


def argmax(input, axis=0, output_type=dtypes.int64, name=None):
    """The index of the largest element along `axis`; the first of several."""
    return raw_ops.ArgMax(input=input, dimension=axis, output_type=output_type, name=name)


def reshape(tensor, shape, name=None):
    """The same elements under another shape; one size may be -1."""
    return raw_ops.Reshape(tensor=tensor, shape=shape, name=name)


def transpose(a, perm=None, name=None):
    """Dimensions in the order `perm`; reversed when it is not given (the rank must then be
    known)."""
    a = convert_to_tensor(a)
    perm = list(reversed(builtin_range(len(a.shape)))) if perm is None else perm
    return raw_ops.Transpose(x=a, perm=perm, name=name or "transpose")


def concat(values, axis, name=None):
    """Tensors joined along a dimension."""
    values = list(values)
    if len(values) == 1:
        return identity(values[0])
    return raw_ops.ConcatV2(values=values, axis=axis, name=name or "concat")


def split(value, num_or_size_splits, axis=0, name=None):
    """A list of parts: so many of one size, or of the sizes given."""
    if isinstance(num_or_size_splits, int):
        return raw_ops.Split(
            split_dim=axis, value=value, num_split=num_or_size_splits, name=name or "split"
        )
    sizes = list(num_or_size_splits)
    return raw_ops.SplitV(
        value=value, size_splits=sizes, split_dim=axis, num_split=len(sizes), name=name or "split"
    )


def stack(values, axis=0, name=None):
    """Tensors of one shape as one of rank one higher."""
    return raw_ops.Pack(values=list(values), axis=axis, name=name or "stack")


def unstack(value, num=None, axis=0, name=None):
    """The parts of a tensor along a dimension of known size, as a list."""
    value = convert_to_tensor(value)
    num = value.shape[axis] if num is None else num
    return raw_ops.Unpack(value=value, num=num, axis=axis, name=name or "unstack")


def expand_dims(input, axis, name=None):
    return raw_ops.ExpandDims(input=input, dim=axis, name=name)


def squeeze(input, axis=None, name=None):
    axis = [] if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return raw_ops.Squeeze(input=input, squeeze_dims=axis, name=name)


def shape(input, name=None, out_type=dtypes.int32):
    """The shape as a vector."""
    return raw_ops.Shape(input=input, out_type=out_type, name=name)


def rank(input, name=None):
    return raw_ops.Rank(input=input, name=name)


def size(input, name=None, out_type=dtypes.int32):
    return raw_ops.Size(input=input, out_type=out_type, name=name)


def fill(dims, value, name=None):
    return raw_ops.Fill(dims=dims, value=value, name=name)


def zeros(shape, dtype=dtypes.float32, name=None):
    """Zeros of a shape that is known, or given as a tensor."""
    return _filled(shape, 0, dtype, name or "zeros")


def ones(shape, dtype=dtypes.float32, name=None):
    """Ones of a shape that is known, or given as a tensor."""
    return _filled(shape, 1, dtype, name or "ones")


def _filled(shape, value, dtype, name):
    if not isinstance(shape, Tensor):
        dims = [shape] if isinstance(shape, int) else list(shape)
        return constant(value, dtype, shape=dims, name=name)
    return fill(shape, constant(value, dtype), name)


builtin_range = range


def range(start, limit=None, delta=1, name=None):  # noqa: A001
    """Numbers from start (0 when only one argument is given) up to, without, limit."""
    if limit is None:
        start, limit = 0, start
    for given in (start, limit, delta):
        if isinstance(given, Tensor):
            start, limit, delta = (convert_to_tensor(v, given.dtype) for v in (start, limit, delta))
            break
    return raw_ops.Range(start=start, limit=limit, delta=delta, name=name or "range")


def tile(input, multiples, name=None):
    return raw_ops.Tile(input=input, multiples=multiples, name=name)


def pad(tensor, paddings, name=None):
    return raw_ops.Pad(input=tensor, paddings=paddings, name=name)


def slice(input_, begin, size, name=None):  # noqa: A001
    return raw_ops.Slice(input=input_, begin=begin, size=size, name=name)


def gather(params, indices, axis=0, name=None):
    """Slices of params along `axis`. Of a resource variable only the rows asked for are read."""
    if getattr(params, "_is_resource", False) and axis == 0:
        return raw_ops.ResourceGather(
            resource=params.handle, indices=indices, dtype=params.dtype, name=name or "gather"
        )
    return raw_ops.GatherV2(params=params, indices=indices, axis=axis, name=name)


def one_hot(indices, depth, on_value=1.0, off_value=0.0, axis=-1, name=None):
    return raw_ops.OneHot(
        indices=indices, depth=depth, on_value=on_value, off_value=off_value, axis=axis, name=name
    )


def where(condition, x, y, name=None):
    """x where condition holds, else y; all of one shape."""
    return raw_ops.Select(condition=condition, t=x, e=y, name=name)


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    t = convert_to_tensor(t)
    low = minimum(t, clip_value_max)
    return maximum(low, clip_value_min, name=name)


def group(*inputs, name=None):
    """An operation that ends when all of these have."""
    inputs = [i for item in inputs for i in (item if isinstance(item, (list, tuple)) else [item])]
    with control_dependencies(inputs):
        return no_op(name or "group_deps")


def no_op(name=None):
    return raw_ops.NoOp(name=name)


def random_uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of [minval, maxval), evenly distributed; integer dtypes need maxval."""
    dtype = dtypes.as_dtype(dtype)
    seed, seed2 = get_seed(seed)
    shape = _shape_tensor(shape)
    if dtype.is_integer:
        return raw_ops.RandomUniformInt(
            shape=shape, minval=constant(minval, dtype), maxval=constant(maxval, dtype), seed=seed,
            seed2=seed2, name=name,
        )  # fmt: skip
    maxval = 1 if maxval is None else maxval
    with name_scope(name or "random_uniform"):
        unit = raw_ops.RandomUniform(shape=shape, dtype=dtype, seed=seed, seed2=seed2)
        return add(multiply(unit, maxval - minval), minval)


def _normal(op, shape, mean, stddev, dtype, seed, name):
    seed, seed2 = get_seed(seed)
    with name_scope(name):
        unit = raw_ops.apply_op(op, shape=_shape_tensor(shape), dtype=dtype, seed=seed, seed2=seed2)
        return add(multiply(unit, stddev), mean)


def random_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of a normal distribution."""
    name = name or "random_normal"
    return _normal("RandomStandardNormal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of a normal distribution, drawn again beyond two standard deviations."""
    return _normal("TruncatedNormal", shape, mean, stddev, dtype, seed, name or "truncated_normal")


def _shape_tensor(shape):
    return shape if isinstance(shape, Tensor) else constant(np.array(list(shape), np.int32))


def gradients(ys, xs, grad_ys=None, name="gradients", stop_gradients=None):
    """d sum(ys) / dx for every x: a Tensor, IndexedSlices behind a gather, or None where no y
    depends on x.

    ys, xs: a tensor (or variable) or several. grad_ys: what flows into each y instead of ones.
    Raises errors.UnimplementedError naming an op without a gradient.
    """
    graph = get_default_graph()
    ys = [convert_to_tensor(y) for y in _list(ys)]
    sources = [convert_to_tensor(x, as_ref=True) for x in _list(xs)]
    given = [None if g is None else convert_to_tensor(g)._id for g in _list(grad_ys or [])]
    stops = [convert_to_tensor(s)._id for s in _list(stop_gradients or [])]
    first = graph._core.num_ids()
    scope = graph.unique_name(name)
    found = graph._core.gradients(
        [y._id for y in ys], [x._id for x in sources], given, scope, stops
    )
    _adopt(graph, first)
    result = []
    for part in found:
        tensors = None if part is None else [graph._tensor(i) for i in part]
        if tensors is None:
            result.append(None)
        else:
            result.append(tensors[0] if len(tensors) == 1 else IndexedSlices(*tensors))
    return result


def _adopt(graph, first):
    """Gives nodes that were made outside create_op the current scopes' devices and control
    inputs."""
    controls = {op._id for group in graph._control for op in group}
    for node in builtin_range(first, graph._core.num_ids()):
        op = graph._op(node)
        bound = [t.op for t in op.inputs if t._is_ref or t.op.type == "VarHandleOp"]
        graph._apply_device(op, graph._colocation + bound)
        # The lists that a loop fills for its gradient come before what these may wait for.
        for control in () if op.type in ("Const", "EmptyTensorList") else controls:
            graph._core.add_control_input(node, control)


def _list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def convert_to_dense(value):
    """A tensor for IndexedSlices: rows that repeat are summed."""
    if not isinstance(value, IndexedSlices):
        return convert_to_tensor(value)
    rows = gather(value.dense_shape, 0)
    return raw_ops.UnsortedSegmentSum(
        data=value.values, segment_ids=value.indices, num_segments=rows
    )


def _getitem(tensor, key):
    keys = key if isinstance(key, tuple) else (key,)
    begin, end, strides = [], [], []
    masks = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0}
    masks["shrink_axis_mask"] = 0
    for i, k in enumerate(keys):
        bit = 1 << i
        if k is Ellipsis or k is None:
            masks["ellipsis_mask" if k is Ellipsis else "new_axis_mask"] |= bit
            k = builtin_slice(0, 0, 1)
        elif not isinstance(k, builtin_slice):
            masks["shrink_axis_mask"] |= bit
            k = builtin_slice(k, k + 1, 1)
        else:
            masks["begin_mask"] |= bit if k.start is None else 0
            masks["end_mask"] |= bit if k.stop is None else 0
        begin.append(0 if k.start is None else k.start)
        end.append(0 if k.stop is None else k.stop)
        strides.append(1 if k.step is None else k.step)
    return raw_ops.StridedSlice(
        input=tensor, begin=stack_ints(begin), end=stack_ints(end), strides=stack_ints(strides),
        name="strided_slice", **masks,
    )  # fmt: skip


builtin_slice = type(np.s_[0:1])


def stack_ints(values):
    return convert_to_tensor(values, dtypes.int32)


def overload_operators(cls):
    """Gives a class of tensors +, -, *, /, //, %, **, @, comparisons and [ ]."""

    def reverse(function):
        return lambda self, other: function(other, self)

    for name, function in [
        ("add", add), ("sub", subtract), ("mul", multiply), ("truediv", divide),
        ("floordiv", floordiv), ("mod", mod), ("pow", pow), ("matmul", matmul),
    ]:  # fmt: skip
        setattr(cls, f"__{name}__", lambda self, other, f=function: f(self, other))
        setattr(cls, f"__r{name}__", reverse(function))
    for name, function in [
        ("lt", less), ("le", less_equal), ("gt", greater), ("ge", greater_equal),
    ]:  # fmt: skip
        setattr(cls, f"__{name}__", lambda self, other, f=function: f(self, other))
    cls.__neg__ = lambda self: negative(self)
    cls.__abs__ = lambda self: abs(self)
    cls.__getitem__ = _getitem


overload_operators(Tensor)

__all__ = [n for n, v in list(globals().items()) if not n.startswith("_") and callable(v)]
__all__ = [n for n in __all__ if not n.startswith("builtin_")]
