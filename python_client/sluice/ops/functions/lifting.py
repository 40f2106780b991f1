# SPDX-License-Identifier: Apache-2.0
"""What functions make outside of their bodies: variables, and the values that they begin with."""

import contextlib

from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...graph.other_graphs import copy_of
from .tracing import Body, ControlFlowBody, outermost


@contextlib.contextmanager
def init_scope():
    """Lifts the operations that are made inside out of control dependencies, branches, loops and
    the bodies of functions. The name scope stays.

    Returns:
        A context manager.

    Example:
        >>> first = sl.constant(1.0)
        >>> with sl.control_dependencies([first]), sl.init_scope():
        ...     print(sl.constant(2.0).op.control_inputs)
        []
    """
    inner = get_default_graph()
    scope = inner.get_name_scope()
    with outermost(inner).as_default(), control_dependencies(None):
        with name_scope(f"{scope}/" if scope else ""):
            yield


def lifted(tensor, name=None):
    """A tensor of the outermost graph for one of a function's body.

    Args:
        tensor: A tensor of any of the graphs, the first value of a variable.
        name: Name of the variable, a str. None: "Variable".

    Returns:
        The tensor that the body has captured, or a copy of the operations that compute it.

    Raises:
        ValueError: It depends on an argument of the function, or a conditional or a loop computes
            it, which is not inside of a function().
    """
    body = tensor.graph
    if not isinstance(body, Body):
        return tensor
    if isinstance(body, ControlFlowBody) and not body.in_order:
        scope = get_default_graph().unique_name(name or "Variable", mark_as_used=False)
        raise ValueError(
            f"Initializer for variable {scope}/ is from inside a control-flow construct, such as a"
            " loop or conditional. When creating a variable inside a loop or conditional, use a"
            " lambda as the initializer."
        )
    for outside, argument in body.captures.values():
        if argument is tensor:
            return lifted(outside)
    if tensor.op.type == "Placeholder":
        raise ValueError(
            f"the first value of a variable depends on {tensor.name}, an argument of the function"
            " that makes the variable"
        )
    return copy_of(tensor, outermost(body), [lifted(t) for t in tensor.op.inputs])
