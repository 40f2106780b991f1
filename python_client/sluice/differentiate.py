"""Gradients, and what goes with IndexedSlices."""

from . import raw_ops
from .building import with_names
from .convert import convert_to_tensor
from .graph import IndexedSlices, get_default_graph
from .math import greater, maximum, multiply, reduce_sum, sqrt, square, truediv


class AggregationMethod:
    """Accepted: gradients are added in one operation, whichever is asked for."""

    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class UnconnectedGradients:
    """What gradients() gives for an x that no y depends on."""

    NONE, ZERO = "none", "zero"


def gradients(ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False,
              gate_gradients=False, aggregation_method=None, stop_gradients=None,
              unconnected_gradients=UnconnectedGradients.NONE):  # fmt: skip
    """d sum(ys) / dx for every x: a Tensor, IndexedSlices behind a gather, or None (or zeros) where
    no y depends on x.

    ys, xs: a tensor (or variable) or several. grad_ys: what flows into each y instead of ones.
    stop_gradients: tensors that count as constants. gate_gradients: all are made before any is
    used. colocate_gradients_with_ops, aggregation_method: accepted.
    Raises errors.UnimplementedError naming an op without a gradient.
    """
    del colocate_gradients_with_ops, aggregation_method
    graph = get_default_graph()
    xs = _list(xs)
    ys = [convert_to_tensor(y) for y in _list(ys)]
    sources = [convert_to_tensor(x, as_ref=True) for x in xs]
    given = _given(ys, [] if grad_ys is None else _list(grad_ys))
    stops = [convert_to_tensor(s)._id for s in _list(stop_gradients or [])]
    first = graph._core.num_ids()
    scope = graph.unique_name(name or "gradients")
    found = graph._core.gradients(
        [y._id for y in ys], [x._id for x in sources], given, scope, stops
    )
    _adopt(graph, first)
    result = []
    for part, x in zip(found, xs):
        tensors = None if part is None else [graph._tensor(i) for i in part]
        if tensors is not None:
            result.append(tensors[0] if len(tensors) == 1 else IndexedSlices(*tensors))
        elif UnconnectedGradients.ZERO == unconnected_gradients:
            result.append(raw_ops.ZerosLike(x=x))
        else:
            result.append(None)
    return _gated(result) if gate_gradients else result


def _given(ys, grad_ys):
    """The tensors that flow into ys; ValueError, TypeError: of another number, dtype or shape."""
    if grad_ys and len(grad_ys) != len(ys):
        raise ValueError(f"{len(ys)} ys, but {len(grad_ys)} grad_ys")
    given = []
    for y, grad in zip(ys, grad_ys):
        if grad is None:
            given.append(None)
            continue
        grad = convert_to_dense(grad)
        if not hasattr(grad, "graph"):
            grad = convert_to_tensor(grad, y.dtype)
        if grad.dtype != y.dtype:
            raise ValueError(f"a gradient of {y.name} is {y.dtype.name}, not {grad.dtype.name}")
        given.append(grad._id)
    return given


def _gated(grads):
    """The same, each after all."""
    after = [g.op for g in grads if g is not None]
    with get_default_graph().control_dependencies(after):
        return [
            None if g is None
            else IndexedSlices(raw_ops.Identity(input=g.values), g.indices, g.dense_shape)
            if isinstance(g, IndexedSlices)
            else raw_ops.Identity(input=g)
            for g in grads
        ]  # fmt: skip


def _adopt(graph, first):
    """Gives nodes that were made outside create_op the current scopes' devices and control
    inputs."""
    controls = {op._id for group in graph._control for op in group}
    for node in range(first, graph._core.num_ids()):
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
    return raw_ops.UnsortedSegmentSum(
        data=value.values, segment_ids=value.indices, num_segments=value.dense_shape[0]
    )


def global_norm(t_list, name=None):
    """sqrt of the sum of squares of all elements of these tensors, IndexedSlices or None."""
    values = [_values(t) for t in t_list if t is not None]
    halves = [raw_ops.L2Loss(t=v) for v in values]
    return sqrt(raw_ops.AddN(inputs=halves) * 2, name)


def _values(t):
    return t.values if isinstance(t, IndexedSlices) else convert_to_tensor(t)


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """(the tensors, scaled so that their global norm is at most clip_norm; that norm).

    NaN everywhere when the norm is not finite.
    """
    norm = global_norm(t_list) if use_norm is None else use_norm
    scale = clip_norm * raw_ops.Minimum(x=1 / norm, y=raw_ops.Reciprocal(x=convert_to_tensor(
        clip_norm, norm.dtype)))  # fmt: skip
    scale = scale + (norm - norm)  # NaN of what is not finite
    clipped = []
    for t in t_list:
        if t is None:
            clipped.append(None)
        elif isinstance(t, IndexedSlices):
            clipped.append(IndexedSlices(t.values * scale, t.indices, t.dense_shape))
        else:
            clipped.append(raw_ops.Mul(x=convert_to_tensor(t), y=scale, name=name))
    return clipped, norm


def clip_by_norm(t, clip_norm, axes=None, name=None):
    """t, scaled down where its norm (over `axes`, None: of all) is above clip_norm."""
    values = _values(t)
    squares = reduce_sum(square(values), axes, True)
    some = greater(squares, 0)  # the root's gradient at 0 is infinite
    safe = raw_ops.Select(condition=some, t=squares, e=raw_ops.OnesLike(x=squares))
    norm = raw_ops.Select(condition=some, t=sqrt(safe), e=squares)
    result = truediv(multiply(values, clip_norm), maximum(norm, clip_norm), name)
    return (
        IndexedSlices(result, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else result
    )


def clip_by_average_norm(t, clip_norm, name=None):
    """The tensor, scaled so that its norm by its number of elements is at most clip_norm."""
    t = convert_to_tensor(t)
    count = raw_ops.Cast(x=raw_ops.Size(input=t), DstT=t.dtype)
    bound = clip_norm * count
    return multiply(t, truediv(bound, maximum(sqrt(reduce_sum(square(t))), bound)), name)


def hessians(ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False,
             aggregation_method=None):  # fmt: skip
    """d2 sum(ys) / dx dx for every vector x: [n, n] each; the sizes must be known. The rest as of
    gradients()."""
    del colocate_gradients_with_ops, gate_gradients, aggregation_method
    found = []
    for x in _list(xs):
        (slope,) = gradients(ys, x, name=name)
        size = convert_to_tensor(x).shape[0]
        rows = [gradients(slope[i], x, name=name)[0] for i in range(size)]
        found.append(raw_ops.Pack(values=rows))
    return found


__all__ = with_names(globals())
