# SPDX-License-Identifier: Apache-2.0
"""Gradients, and what goes with IndexedSlices."""

import contextlib
import enum

from .. import dtypes, errors
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.elements import (
    IndexedSlices,
    add_control_input,
    ids_of,
    is_ref,
    operation_of,
    set_device,
    tensor_of,
)
from ..graph.other_graphs import graph_of_values
from ..graph.placement import apply_device
from ..graph.seeds import counted_as
from ..graph.state import state_of
from . import gradient_counts, gradients_around, raw_ops
from .building import with_names
from .docstrings import constants
from .gradient_overrides import found_through


class AggregationMethod:
    """How gradients are added up. It is accepted and has no effect: they are added in one
    operation.
    """

    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@constants
class UnconnectedGradients(enum.Enum):
    """The result of gradients() for an x that no y depends on: NONE: None; ZERO: zeros.

    Args:
        value: The constant as a str, "none" or "zero".
    """

    NONE, ZERO = "none", "zero"


def gradients(ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False,
              gate_gradients=False, aggregation_method=None, stop_gradients=None,
              unconnected_gradients=UnconnectedGradients.NONE):  # fmt: skip
    """Computes d sum(ys) / dx for every x.

    Args:
        ys: A tensor or a list of tensors.
        xs: A tensor or variable, or a list of them.
        grad_ys: The gradients of ys, tensors of their shapes. None: ones. A complex y must have
            one.
        name: Name scope of the operations, a str.
        colocate_gradients_with_ops: Whether a gradient has the device of the operation it belongs
            to. A bool.
        gate_gradients: Whether the gradients of one operation are used only when all of them are
            computed. A bool.
        aggregation_method: A constant of AggregationMethod, or None. It has no effect.
        stop_gradients: Tensors that count as constants, a list. None: none.
        unconnected_gradients: UnconnectedGradients.NONE or ZERO.

    Returns:
        A list with a tensor for every x. It is IndexedSlices behind a gather(); None (or zeros) if
        no y depends on x.

    Raises:
        TypeError: The dtype of a grad_y does not suit its y, or a complex y has none.
        ValueError: There is not one grad_y for each y, or an option is unknown.
        errors.UnimplementedError: An op has no gradient.

    Example:
        >>> x = sl.constant(3.0)
        >>> sl.Session().run(sl.gradients(x * x, x))
        [6.0]
    """
    if aggregation_method not in (None, 0, 1, 2):
        raise ValueError(f"aggregation_method must be one of AggregationMethod, not "
                         f"{aggregation_method!r}")  # fmt: skip
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        text = f"Unknown value for unconnected_gradients: {unconnected_gradients!r}"
        raise ValueError(text) from None
    graph, xs = get_default_graph(), _list(xs)
    home = graph_of_values(graph, [*_list(ys), *xs])
    if home is not graph:
        with home.as_default():
            return gradients(ys, xs, grad_ys, name, colocate_gradients_with_ops, gate_gradients,
                             aggregation_method, stop_gradients, unconnected_gradients)  # fmt: skip
    scope = graph.unique_name(name or "gradients")
    with graph.name_scope(scope + "/"):
        ys = [convert_to_tensor(y, name="y") for y in _list(ys)]
    sources = [_source(graph, x) for x in xs]
    given = _given(ys, [None] * len(ys) if grad_ys is None else _list(grad_ys))
    ends = [i for i, y in enumerate(ys) if _is_differentiable(y)]
    stops = [_inside(graph, convert_to_tensor(s)) for s in _list(stop_gradients or [])]

    def found(ys, xs, given, stops, scope):
        return _found(graph, ys, xs, given, stops, scope, gate_gradients,
                      colocate_gradients_with_ops)  # fmt: skip

    ends, given = [ys[i] for i in ends], [given[i] for i in ends]
    known = None
    if not stops and graph.seed is not None:
        ones = sum(g is None for g in given)
        known = gradient_counts.nodes_of(ends, sources, ones, bool(gate_gradients))
    with contextlib.nullcontext() if known is None else counted_as(known):
        grads = found_through(graph, ends, sources, given, stops, scope, found)
    if hasattr(graph, "captures"):
        grads = gradients_around.added(
            graph, ends, given, sources, stops, grads,
            lambda ys, xs, given: found_through(graph, ys, xs, given, stops, scope, found),
        )  # fmt: skip
    result = []
    for grad, x in zip(grads, xs):
        if grad is None and unconnected == UnconnectedGradients.ZERO:
            grad = raw_ops.ZerosLike(x=x)
        result.append(grad)
    return result


def _found(graph, ys, xs, given, stops, scope, gate, colocate):
    """The gradients of xs that the runtime makes: None, a tensor or IndexedSlices for each."""
    first = graph.version
    try:
        found = state_of(graph).core.gradients(
            ids_of(ys), ids_of(xs), [None if g is None else ids_of([g])[0] for g in given],
            scope, ids_of(stops), bool(gate), bool(colocate),
        )  # fmt: skip
    except errors.NotFoundError as e:
        if "Gradient explicitly disabled" in e.message:
            raise LookupError(e.message) from None
        raise
    except errors.InvalidArgumentError as e:
        if all(g is None or g.dtype.base_dtype == y.dtype.base_dtype for g, y in zip(given, ys)):
            raise
        raise TypeError(f"a grad_y has another dtype than its y: {e.message}") from None
    _adopt(graph, first)
    result = []
    for part in found:
        tensors = None if part is None else [tensor_of(graph, i) for i in part]
        one = tensors is None or len(tensors) == 1
        result.append((tensors and tensors[0]) if one else IndexedSlices(*tensors))
    return result


def _source(graph, x):
    """The tensor that stands for an x. The body of a loop sees the value of a reference variable
    around it, which was read outside."""
    tensor = convert_to_tensor(x, as_ref=True)
    if tensor.graph is not graph and is_ref(tensor):
        tensor = convert_to_tensor(x)
    return _inside(graph, tensor)


def _inside(graph, tensor):
    """The tensor; in the graph of a function, the argument that stands for one from outside."""
    if tensor.graph is graph:
        return tensor
    if not hasattr(graph, "capture"):
        raise ValueError(f"{tensor} must be from the same graph as the gradients.")
    return graph.capture(tensor)


def _is_differentiable(tensor):
    """Whether gradients flow through a tensor: numbers with a fraction, and lists of them."""
    dtype = tensor.dtype.base_dtype
    return dtype.is_floating or dtype.is_complex or dtype in (dtypes.variant, dtypes.resource)


def _given(ys, grad_ys):
    """The tensors that flow into ys, None for ones."""
    if len(grad_ys) != len(ys):
        raise ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    given = []
    for y, grad in zip(ys, grad_ys):
        if grad is None:
            if y.dtype.is_complex:
                raise TypeError(f"{y.name} is {y.dtype.name}: a complex y must have a grad_y")
            given.append(None)
            continue
        grad = convert_to_tensor(grad, None if hasattr(grad, "dtype") else y.dtype)
        if _kind(grad.dtype) != _kind(y.dtype):
            raise TypeError(
                f"the grad_y of {y.name} must be {_kind(y.dtype)}, as {y.dtype.name} is; it is "
                f"{grad.dtype.name}"
            )
        given.append(grad)
    return given


def _kind(dtype):
    if dtype.is_floating or dtype.is_integer:
        return "real"
    return "complex" if dtype.is_complex else dtype.name


def _adopt(graph, first):
    """Gives nodes that were made outside create_op the current scopes' devices and control
    inputs."""
    state = state_of(graph)
    state.made_here(first)
    if not (state.devices or state.colocation or state.control):
        return
    controls = {op for group in state.control for op in group}
    for node in range(first, graph.version):
        op = operation_of(graph, node)
        beside = _beside(graph, op)
        if beside is not None:
            set_device(op, beside.device)
        else:
            bound = [t.op for t in op.inputs if is_ref(t) or t.op.type == "VarHandleOp"]
            apply_device(state, op, state.colocation + bound)
        # The lists that a loop fills for its gradient come before what these may wait for.
        for control in () if op.type in ("Const", "EmptyTensorList") else controls:
            add_control_input(op, control)


def _beside(graph, op):
    """The op on whose device a gradient stands: one that it is colocated with, or, for an op that
    only waits, one that it waits for."""
    groups = op.colocation_groups()
    if groups and groups[0] != b"loc:@" + op.name.encode():
        return graph.get_operation_by_name(groups[0][len("loc:@") :].decode())
    return op.control_inputs[0] if op.type == "NoOp" and op.control_inputs else None


def _list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def convert_to_dense(value):
    """Converts IndexedSlices to a tensor. Repeated rows are added up.

    Args:
        value: IndexedSlices, or what convert_to_tensor() takes.

    Returns:
        A tensor.
    """
    return convert_to_tensor(value)


def hessians(ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False,
             aggregation_method=None):  # fmt: skip
    """Computes the second derivatives of sum(ys) for every x.

    Args:
        ys: A tensor or a list of tensors.
        xs: A tensor of known shape, or a list of them.
        name: Name scope of the operations, a str.
        colocate_gradients_with_ops: Accepted. It has no effect.
        gate_gradients: Accepted. It has no effect.
        aggregation_method: Accepted. It has no effect.

    Returns:
        A list with a tensor [shape of x, shape of x] for every x.
    """
    options = {
        "name": name, "colocate_gradients_with_ops": colocate_gradients_with_ops,
        "gate_gradients": gate_gradients, "aggregation_method": aggregation_method,
    }  # fmt: skip
    found = []
    for x in _list(xs):
        (slope,) = gradients(ys, x, **options)
        x = convert_to_tensor(x)
        flat = raw_ops.Reshape(tensor=slope, shape=[-1])
        rows = [gradients(flat[i], x, **options)[0] for i in range(x.shape.num_elements())]
        sides = x.shape.as_list()
        found.append(raw_ops.Reshape(tensor=raw_ops.Pack(values=rows), shape=[*sides, *sides]))
    return found


__all__ = with_names(globals())
