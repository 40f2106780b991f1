# SPDX-License-Identifier: Apache-2.0
"""Python functions with gradients of their own."""

import functools
import inspect
import itertools

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph
from ...graph.elements import id_of
from ...graph.keys import GraphKeys
from ...graph.state import state_of
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from ..differentiate import gradients
from ..functions.structures import flatten, pack_as
from ..functions.tracing import Body
from .variable_scope import get_variable_scope

_numbers = itertools.count()
_ASK = "If using @custom_gradient with a function that uses variables, "


def custom_gradient(f=None):
    """Makes a decorator for a function that returns its result and the function of its gradients.

    Args:
        f: A function of tensors. It returns a pair: the result, a tensor or a list of tensors; and
            grad_fn, a function of the gradients of the result, which returns the gradients of the
            arguments of f. If f uses trainable variables, grad_fn takes the list of them as
            `variables`, and returns a pair: the gradients of arguments, and those of variables.

    Returns:
        The function of tensors. In functions of loops and conditionals it can be called, but no
        gradient flows through it from outside.

    Raises:
        ValueError: The function is called with keyword arguments.
        TypeError: It uses variables and grad_fn does not take `variables`, or it makes variables
            that are not resource variables.

    Example:
        >>> @sl.custom_gradient
        ... def clipped(x):
        ...     return x * 1.0, lambda dy: sl.clip_by_value(dy, -1.0, 1.0)
        >>> x = sl.constant(2.0)
        >>> sl.Session().run(sl.gradients(7.0 * clipped(x), x))
        [1.0]
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args, **kwargs):
        if kwargs:
            raise ValueError(
                "The custom_gradient decorator currently supports keywords arguments only when "
                "eager execution is enabled."
            )
        return _call(f, [convert_to_tensor(a) for a in args])

    return decorated


def _call(f, args):
    graph = get_default_graph()
    before = set(graph.get_collection(GraphKeys.GLOBAL_VARIABLES))
    result, grad_fn = f(*args)
    leaves = [arrays.identity(convert_to_tensor(leaf)) for leaf in flatten(result)]
    variables = _variables_between(args, leaves)
    made = set(graph.get_collection(GraphKeys.GLOBAL_VARIABLES)) - before
    _check(grad_fn, variables, made)

    def of_inputs(_, *grads):
        grads = grads[: len(leaves)]
        if not variables:
            return [*flatten(grad_fn(*grads))]
        of_args, of_variables = grad_fn(*grads, variables=variables)
        return [*flatten(of_args), *flatten(of_variables)]

    values = [convert_to_tensor(v) for v in variables]
    tensors = with_gradient(graph, leaves, [*args, *values], of_inputs)
    return pack_as(result, iter(tensors))


def with_gradient(graph, leaves, inputs, of_inputs):
    """Lets gradients flow from tensors to others by a function.

    Args:
        graph: The Graph.
        leaves: The tensors, a list.
        inputs: The tensors to which their gradients flow, a list.
        of_inputs: A function of an operation and of the gradients of the leaves, which returns
            those of the inputs, a list.

    Returns:
        Copies of the leaves, a list.
    """
    if isinstance(graph, Body):
        why = "custom_gradient() in a loop or conditional has no gradient from outside of it"
        leaves = [raw_ops.PreventGradient(input=leaf, message=why) for leaf in leaves]

    def of_all(op, *grads):
        found = of_inputs(op, *grads)
        # The leaves are inputs too, and nothing flows through them.
        return [*[None] * len(leaves), *found]

    both = [*leaves, *inputs]
    kind = f"CustomGradient-{next(_numbers)}"
    attrs = {"T": [int(t.dtype.base_dtype) for t in both], "_gradient_op_type": kind}
    op = graph.create_op("IdentityN", both, attrs, "IdentityN")
    state_of(graph).overridden[id_of(op)] = of_all
    return op.outputs[: len(leaves)]


def _variables_between(args, leaves):
    """The trainable variables that leaves depend on, not by way of args, in order."""
    graph = get_default_graph()
    known = {v.op: v for v in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}
    seen, todo = {a.op for a in args}, [t.op for t in leaves]
    used = set()
    while todo:
        op = todo.pop()
        if op in known:
            used.add(op)
        if op not in seen:
            seen.add(op)
            todo += [t.op for t in op.inputs]
    return [v for op, v in known.items() if op in used]


def _check(grad_fn, variables, made):
    """TypeError: grad_fn does not suit the variables that a function uses."""
    if not all(v.handle.op.type == "VarHandleOp" for v in made if hasattr(v, "handle")):
        raise TypeError(
            "All variables used by a function wrapped with @custom_gradient must be "
            "`ResourceVariable`s. Ensure that no `variable_scope` is created with "
            "`use_resource=False`."
        )
    parameters = inspect.signature(grad_fn).parameters.values()
    takes = any(p.name == "variables" or p.kind == p.VAR_KEYWORD for p in parameters)
    if variables and not takes:
        raise TypeError(_ASK + "then grad_fn must accept a keyword argument 'variables'.")
    if takes and not variables and not get_variable_scope().use_resource:
        raise TypeError(_ASK + "the enclosing variable scope must have use_resource=True.")


def recompute_grad(f):
    """Makes a function that computes its intermediate values again for its gradients.

    They need not be kept between the two, which saves memory and costs time.

    Args:
        f: A function of tensors, which returns a tensor or a list of them.

    Returns:
        The function of tensors. Resource variables must be enabled where it is called.

    Raises:
        TypeError: When it is called: variables would not be resource variables.
    """

    @custom_gradient
    def inner(*args):
        result = f(*args)

        def grad(*dys, variables=None):
            again = [arrays.identity(a) for a in args]
            with control_dependencies(dys):
                results = flatten(f(*again))
            found = gradients(results, [*again, *(variables or [])], list(dys))
            of_args, of_variables = found[: len(args)], found[len(args) :]
            return of_args if variables is None else (of_args, of_variables)

        return result, grad

    return inner


def grad_pass_through(f):
    """Makes a function whose gradients flow to its arguments unchanged.

    Args:
        f: A function of tensors that returns tensors of the shapes of its arguments.

    Returns:
        The function of tensors. Resource variables must be enabled where it is called.

    Raises:
        TypeError: When it is called: variables would not be resource variables.
    """

    @custom_gradient
    def inner(*args):
        def grad(*dys, variables=None):
            return dys if variables is None else (dys, [None] * len(variables))

        return f(*args), grad

    return inner


__all__ = with_names(globals())
