# SPDX-License-Identifier: Apache-2.0
"""Conditionals and loops: branches and bodies are functions of the graph."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.state import state_of
from ...graph.tensor_shape import TensorShape, as_shape, dims_of
from .. import math
from . import node_counts
from .structures import (
    arrays_of,
    flatten,
    pack_as,
    shape_of_structure,
    without_operations,
)
from .tracing import awaited_by, captured_by, outermost


def _scalar_bool(value, what):
    tensor = convert_to_tensor(value)
    if not tensor.dtype.is_bool:
        raise TypeError(f"{what} must be bool, but {tensor.name} is {tensor.dtype.name}")
    return tensor


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None,
         fn2=None):  # fmt: skip
    """Runs one of two functions, as a scalar says.

    Only the operations made inside of the chosen function run.

    Args:
        pred: A bool scalar, a tensor.
        true_fn: A function without arguments that returns tensors or a nested structure of them.
        false_fn: A function that returns tensors of the same structure and dtypes.
        strict: Whether a list of one tensor is returned as a list. A bool.
        name: Name of the operation, a str. None: a default name.
        fn1: Older name of true_fn.
        fn2: Older name of false_fn.

    Returns:
        Tensors in the structure that the functions return.

    Raises:
        TypeError: pred is a bool of Python, or a function is missing or cannot be called.
        ValueError: The functions return different structures or dtypes.

    Example:
        >>> x = sl.placeholder(sl.int32, [])
        >>> y = sl.cond(x > 0, lambda: x * 10, lambda: -x)
        >>> session = sl.Session()
        >>> session.run(y, {x: 3}), session.run(y, {x: -3})
        (30, 3)
    """
    true_fn = _function_of_cond(true_fn, fn1, "true_fn", "fn1")
    false_fn = _function_of_cond(false_fn, fn2, "false_fn", "fn2")
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool")
    with name_scope(name, "cond", [pred]) as scope:
        graph = get_default_graph()
        pred = _scalar_bool(pred, "pred of cond()")
        branches = node_counts.branches_of(graph, true_fn, false_fn)
        _check_alike(*branches)
        types = [[t.dtype.base_dtype for t in branch.tensors] for branch in branches]
        keys, captured = captured_by(branches)
        names = [b.add_to(graph, scope.strip("/").replace("/", "_"), keys) for b in branches]
        stateful = any(branch.body.stateful() for branch in branches)
        shapes = [_common(a.shape, b.shape) for a, b in zip(*(b.tensors for b in branches))]
        with graph.control_dependencies(awaited_by(branches)):
            op = graph.create_op(
                "If" if stateful else "StatelessIf",
                [pred, *captured],
                {
                    "Tout": [int(t) for t in types[0]],
                    "then_branch": names[0],
                    "else_branch": names[1],
                    "output_shapes": shapes,
                    "_lower_using_switch_merge": True,
                },
                scope,
            )
        node_counts.count_cond(*branches)
    if not op.outputs:
        return op
    result = branches[0].result
    if isinstance(result, (list, tuple)) and len(result) == 1 and not strict:
        result = result[0]
    return pack_as(without_operations(result), iter(op.outputs), composites=True)


def _function_of_cond(function, older, name, older_name):
    if function is not None and older is not None:
        raise TypeError(f"cond(): {name} and {older_name} may not be set simultaneously.")
    function = older if function is None else function
    if function is None:
        raise TypeError(f"cond(): {name} argument required")
    if not callable(function):
        raise TypeError(f"{name} must be callable.")
    return function


def _check_alike(true, false):
    """ValueError where the branches of a conditional do not return alike structures and dtypes."""
    for branch, name in ((true, "true_fn"), (false, "false_fn")):
        if branch.result is None:
            raise ValueError(f"{name} must have a return value.")
    shapes = [shape_of_structure(_unwrapped(branch.result)) for branch in (true, false)]
    if shapes[0] != shapes[1] or len(true.tensors) != len(false.tensors):
        raise ValueError(
            "Incompatible return structures of true_fn and false_fn: The two structures don't have"
            f" the same nested structure.\n\nFirst structure: {true.result}\n\nSecond structure:"
            f" {false.result}"
        )
    for one, other in zip(true.tensors, false.tensors):
        if one.dtype.base_dtype != other.dtype.base_dtype:
            raise ValueError(
                "Outputs of true_fn and false_fn must have the same type: "
                f"{one.dtype.name}, {other.dtype.name}"
            )


def _unwrapped(result):
    """A result, which may be in a list of its own."""
    if isinstance(result, (list, tuple)) and len(result) == 1 and not hasattr(result, "_fields"):
        return result[0]
    return result


def _common(a, b):
    """The sizes in which two shapes agree."""
    if a.ndims is None or a.ndims != b.ndims:
        return None
    return [x if x == y else None for x, y in zip(a.as_list(), b.as_list())]


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10,
               back_prop=True, swap_memory=False, name=None, maximum_iterations=None,
               return_same_structure=False):  # fmt: skip
    """Repeats loop_vars = body(*loop_vars) while cond(*loop_vars) holds.

    Args:
        cond: A function of the loop variables that returns a bool scalar.
        body: A function of the loop variables that returns their next values.
        loop_vars: A list or tuple of tensors, TensorArrays, or nested structures of them.
        shape_invariants: The shapes that hold for every iteration, in the structure of loop_vars.
            None: those of loop_vars.
        parallel_iterations: How many iterations may run at the same time, an int.
        back_prop: Accepted. Gradients are always possible.
        swap_memory: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.
        maximum_iterations: The most iterations that run, an int or an int32 scalar. None: no limit.
        return_same_structure: Whether the only loop variable is returned in a list. A bool.

    Returns:
        The last values, in the structure that body returns; of a single loop variable, its value.

    Raises:
        TypeError: cond or body cannot be called.
        ValueError: There are no loop_vars, or an iteration changes a dtype, a structure, or a shape
            beyond the invariants.

    Example:
        >>> i = sl.while_loop(lambda i: i < 10, lambda i: i + 3, [sl.constant(0)])
        >>> sl.Session().run(i)
        12
    """
    if not isinstance(loop_vars, (list, tuple)) or not loop_vars:
        raise ValueError("No loop variables provided: loop_vars must be a list or a tuple")
    for function, what in ((cond, "cond"), (body, "body")):
        if not callable(function):
            raise TypeError(f"{what} must be callable.")
    if not isinstance(parallel_iterations, int) or parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    with name_scope(name, "while", flatten(loop_vars, composites=True)) as scope:
        graph = get_default_graph()
        loop_vars = list(loop_vars) if not isinstance(loop_vars, tuple) else loop_vars
        initial = [convert_to_tensor(v) for v in flatten(loop_vars, composites=True)]
        shapes = _invariants(initial, shape_invariants)
        limit = None
        if maximum_iterations is not None:
            limit = convert_to_tensor(maximum_iterations, dtypes.int32)
            if limit.shape.ndims not in (0, None):
                raise ValueError(f"maximum_iterations must be a scalar, saw shape: {limit.shape}")
        structure = loop_vars if limit is None else (0, loop_vars)
        if limit is not None:
            initial = [convert_to_tensor(0), *initial]
            shapes = [initial[0].shape, *shapes]

        def test(*values):
            if limit is None:
                return cond(*values)
            return math.logical_and(math.less(values[0], limit), cond(*values[1]))

        def step(*values):
            if limit is None:
                return body(*values)
            return [values[0] + 1, body(*values[1])]

        home = state_of(outermost(graph))
        while True:  # until what is known of a shape is what the body knows of it
            home.made_by_bodies = made = set()
            given = [(t.dtype, s) for t, s in zip(initial, shapes)]
            condition, loop = node_counts.parts_of_loop(graph, test, step, given, structure)
            _check_step(initial, shapes, loop)
            known = [_known(s, t.shape) for s, t in zip(shapes, loop.tensors)]
            if known == [dims_of(s) for s in shapes]:
                break
            shapes = [TensorShape(k) for k in known]
            home.retraced |= made  # the next try finds the variables of this one
        if len(condition.tensors) != 1:
            raise ValueError("cond must return one bool scalar")
        _scalar_bool(condition.tensors[0], "what cond of while_loop() returns")
        keys, captured = captured_by([loop, condition])
        loop.tensors = loop.tensors + [loop.body.captures[key][1] for key in keys]
        prefix = scope.strip("/").replace("/", "_")
        stateful = loop.body.stateful() or condition.body.stateful()
        with graph.control_dependencies(awaited_by([loop, condition])):
            op = graph.create_op(
                "While" if stateful else "StatelessWhile",
                [*initial, *captured],
                {
                    "cond": condition.add_to(graph, prefix + "_cond", keys),
                    "body": loop.add_to(graph, prefix + "_body", keys),
                    "output_shapes": [dims_of(s) for s in [*shapes, *(t.shape for t in captured)]],
                    "parallel_iterations": int(parallel_iterations),
                    "_lower_using_switch_merge": True,
                },
                scope,
            )
        node_counts.count_loop(condition, loop)
    leaves = iter(op.outputs[0 if limit is None else 1 : len(initial)])
    returned = loop.result if limit is None else loop.result[1]
    result = pack_as(
        returned if isinstance(returned, (list, tuple)) else loop_vars, leaves, composites=True
    )
    for array, inside in zip(arrays_of(result), arrays_of(returned)):
        array.element_shape = inside.element_shape
    if len(flatten(loop_vars)) == 1 and not return_same_structure:
        only = arrays_of(result) or flatten(result)
        return only[0]
    return result


def _known(shape, out):
    """The sizes of `shape` that the body's result is known to have too."""
    if shape.ndims is None or out.ndims is None:
        return None
    return [None if o is None else s for s, o in zip(dims_of(shape), dims_of(out))]


def _invariants(initial, shape_invariants):
    shapes = [t.shape for t in initial]
    if shape_invariants is None:
        return shapes
    stated = []

    def collect(item):
        if isinstance(item, (list, tuple)) and not all(
            d is None or isinstance(d, int) for d in item
        ):
            for part in item:
                collect(part)
        else:
            stated.append(as_shape(item))

    for item in shape_invariants:
        collect(item)
    if len(stated) != len(initial):
        raise ValueError(
            "The two structures don't have the same nested structure: "
            f"{len(initial)} loop_vars, but {len(stated)} shape_invariants"
        )
    for tensor, shape in zip(initial, stated):
        if tensor.dtype != dtypes.variant and not _covers(shape, tensor.shape):
            raise ValueError(
                f"The shape invariant specified for {tensor.name} is not compatible with the"
                " initial shape of the loop variable. It enters the loop with shape"
                f" {tensor.shape}, but the specified shape invariant is {shape}."
            )
    return [i.shape if i.dtype == dtypes.variant else s for i, s in zip(initial, stated)]


def _covers(shape, other):
    """Whether every tensor of another shape is of a shape."""
    if shape.ndims is None:
        return True
    if other.ndims != shape.ndims:
        return False
    return all(s in (None, o) for s, o in zip(shape.as_list(), other.as_list()))


def _check_step(initial, shapes, loop):
    """The body gives back what it was given: as many, of the same dtypes, of fitting shapes."""
    if len(loop.tensors) != len(initial):
        raise ValueError(
            "The two structures don't have the same nested structure: body returns"
            f" {len(loop.tensors)} tensors of {len(initial)} loop_vars"
        )
    for given, shape, out in zip(initial, shapes, loop.tensors):
        if out.dtype.base_dtype != given.dtype.base_dtype:
            raise ValueError(
                f"body makes {out.dtype.name} of {given.name}, which is {given.dtype.name}"
            )
        if shape.ndims is not None and (
            out.shape.ndims is not None
            and (
                len(out.shape) != len(shape)
                or any(None not in (s, o) and s != o for s, o in zip(shape, out.shape))
            )
        ):
            raise ValueError(
                f"Input tensor '{given.name}' enters the loop with shape {shape}, but has shape"
                f" {out.shape} after one iteration: its shape is not an invariant for the loop. To"
                " allow the shape to vary across iterations, use the `shape_invariants` argument of"
                " tf.while_loop to specify a less-specific shape."
            )
