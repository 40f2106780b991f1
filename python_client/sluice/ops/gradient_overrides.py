# SPDX-License-Identifier: Apache-2.0
"""Gradients that Python functions make: for the operations of gradient_override_map().

The runtime makes all other gradients. It stops at the outputs of such an operation; the function
makes the gradients of its inputs, from which the runtime goes on.
"""

from ..graph.convert import convert_to_tensor
from ..graph.elements import id_of, operation_of
from ..graph.state import state_of
from . import raw_ops

_functions = {"Identity": lambda op, grad: grad, "IdentityN": lambda op, *grads: grads}


class RegisterGradient:
    """Makes a decorator that enters a function of gradients under a name.

    Graph.gradient_override_map() gives operations the gradient of a name. The function takes the
    Operation and the gradients of its outputs, and returns those of its inputs: tensors or None.

    Args:
        op_type: The name, a str.

    Raises:
        TypeError: The name is not a str.

    Example:
        >>> @sl.RegisterGradient("Straight")
        ... def straight(op, grad):
        ...     return grad
        >>> x = sl.constant(0.4)
        >>> with sl.get_default_graph().gradient_override_map({"Round": "Straight"}):
        ...     y = sl.round(x)
        >>> sl.Session().run(sl.gradients(y, x))
        [1.0]
    """

    def __init__(self, op_type):
        self._name = _checked(op_type)

    def __call__(self, f):
        _enter(self._name, f)
        return f


def NotDifferentiable(op_type):  # noqa: N802
    """Says that operations with the gradient of this name have none.

    Args:
        op_type: The name, a str.

    Raises:
        TypeError: The name is not a str.
        KeyError: The name has a gradient.
    """
    _enter(_checked(op_type), None)


def _checked(op_type):
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    return op_type


def _enter(name, function):
    """Enters a function of gradients, or None for no gradient. KeyError: the name has one."""
    if name in _functions:
        raise KeyError(f"Registering two gradient with name '{name}'!")
    _functions[name] = function


class Registry:
    """The functions that programs entered, as tensorflow.python.framework.ops keeps them."""

    _registry = _functions

    def list(self):
        """Returns the names that have a function."""
        return list(_functions)

    def lookup(self, name):
        """Returns the function of a name, None for no gradient. LookupError: it was not entered."""
        if name not in _functions:
            raise LookupError(f"gradient registry has no entry for: {name}")
        return _functions[name]


def function_of(op):
    """Finds the function that a program entered for the gradients of an operation.

    Args:
        op: The Operation.

    Returns:
        The function. None: the operation has no inputs, or no gradient.

    Raises:
        LookupError: The operation has the gradient that the runtime makes.
    """
    if not op.inputs:
        return None
    try:
        name = op.get_attr("_gradient_op_type")
    except ValueError:
        name = op.type
    return Registry().lookup(name.decode() if isinstance(name, bytes) else name)


def _function_of(op):
    function = state_of(op.graph).overridden[id_of(op)]
    if function is not None:
        return function
    name = op.get_attr("_gradient_op_type")
    name = name.decode() if isinstance(name, bytes) else name
    if name not in _functions:
        raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})")
    return _functions[name]


def take_over(op, made):
    """Gives an operation the function of gradients that a program gave another.

    Args:
        op: The other Operation.
        made: The Operation, of the same op.
    """
    if id_of(op) in state_of(op.graph).overridden:
        function = _function_of(op) or (lambda op, *grads: [None] * len(op.inputs))
        state_of(made.graph).overridden[id_of(made)] = function


def _between(graph, ys, xs, stops):
    """The overridden operations on the paths from xs to ys, in the order of their making."""
    inputs, todo = {}, {y.op for y in ys}
    while todo:
        op = todo.pop()
        inputs[op] = op.inputs
        todo.update(t.op for t in inputs[op] if t.op not in inputs)
    sources, dependent = set(xs), set()
    made = sorted(inputs, key=id_of)
    for op in made:
        if any(t in sources or t.op in dependent for t in inputs[op]):
            dependent.add(op)
    overridden = (operation_of(graph, i) for i in sorted(state_of(graph).overridden))
    return [op for op in overridden if op in dependent and not stops.intersection(op.outputs)]


def found_through(graph, ys, xs, given, stops, scope, found):
    """The gradients of xs, from the runtime and from functions.

    Args:
        graph: The graph.
        ys: Tensors.
        xs: Tensors.
        given: For each y its gradient, or None for ones.
        stops: Tensors that count as constants.
        scope: The name scope of the operations, a str.
        found: A function (ys, xs, given, stops, scope) that lets the runtime make gradients.

    Returns:
        A list with None, a tensor or IndexedSlices for each x.
    """
    ops = _between(graph, ys, xs, set(stops)) if state_of(graph).overridden else []
    if not ops:
        return found(ys, xs, given, stops, scope)
    cuts = [t for op in ops for t in op.outputs]
    sources, stops = [*xs, *cuts], [*stops, *cuts]
    parts = [[] for _ in sources]

    def add(more):
        for part, grad in zip(parts, more):
            part.extend([] if grad is None else [grad])

    add(found(ys, sources, given, stops, scope))
    places = {tensor: len(xs) + i for i, tensor in enumerate(cuts)}
    for op in reversed(ops):
        grads = [_sum(parts[places[t]]) for t in op.outputs]
        if any(g is not None for g in grads):
            inner = f"{scope}/{op.name}_grad"
            with graph.name_scope(inner + "/"):
                pairs = _of_inputs(op, grads)
            if pairs:
                inputs, grads = zip(*pairs)
                add(found(list(inputs), sources, list(grads), stops, inner))
    return [_sum(part) for part in parts[: len(xs)]]


def _sum(parts):
    if len(parts) < 2:
        return parts[0] if parts else None
    return raw_ops.AddN(inputs=[convert_to_tensor(part) for part in parts])


def _of_inputs(op, grads):
    """(input, its gradient) of the inputs of an overridden operation that have one."""
    function = _function_of(op)
    if function is None:
        return []
    grads = [
        raw_ops.ZerosLike(x=t) if g is None and t.dtype.is_floating else g
        for g, t in zip(grads, op.outputs)
    ]
    result = function(op, *grads)
    result = list(result) if isinstance(result, (list, tuple)) else [result]
    inputs = op.inputs
    if len(result) != len(inputs):
        raise ValueError(
            f'Num gradients {len(result)} generated for op name: "{op.name}", op: "{op.type}" '
            f"do not match num inputs {len(inputs)}"
        )
    return [(t, g) for t, g in zip(inputs, result) if g is not None]
