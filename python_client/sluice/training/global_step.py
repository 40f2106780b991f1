# SPDX-License-Identifier: Apache-2.0
"""The graph's global step: a variable that counts updates."""

from .. import dtypes
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.keys import GraphKeys
from ..ops.state import initializers
from ..ops.state.kinds import VariableAggregation
from ..ops.state.variable_scope import get_variable
from ..ops.state.variables import Variable

_READ = "global_step_read_op_cache"


def get_global_step(graph=None):
    """Finds the global step of a graph.

    Args:
        graph: The Graph. None: the default graph.

    Returns:
        The variable; None if there is none.

    Raises:
        TypeError: It is not an integer scalar.
        ValueError: There are several.
    """
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(steps) > 1:
        raise ValueError("the collection global_step has several items")
    if steps:
        assert_global_step(steps[0])
        return steps[0]
    try:
        step = graph.get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    assert_global_step(step)
    return step


def create_global_step(graph=None):
    """Makes the global step: an int64 scalar variable that starts at 0.

    Args:
        graph: The Graph. None: the default graph.

    Returns:
        The variable.

    Raises:
        ValueError: The graph has one.
    """
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError("the graph has a global_step already")
    with graph.as_default(), name_scope(""):
        return get_variable(
            GraphKeys.GLOBAL_STEP, [], dtypes.int64, initializers.zeros(), trainable=False,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
        )  # fmt: skip


def get_or_create_global_step(graph=None):
    """Finds the global step of a graph, or makes it.

    Args:
        graph: The Graph. None: the default graph.

    Returns:
        The variable.

    Example:
        >>> step = sl.train.get_or_create_global_step()
        >>> step.op.name, step.dtype
        ('global_step', sluice.int64_ref)
    """
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor):
    """Checks that a tensor can be a global step.

    Args:
        global_step_tensor: The tensor or variable.

    Raises:
        TypeError: It is not an integer scalar.
    """
    if not (isinstance(global_step_tensor, Variable) or hasattr(global_step_tensor, "graph")):
        raise TypeError(f"a global step is a variable or a tensor, not {global_step_tensor!r}")
    if not global_step_tensor.dtype.is_integer:
        raise TypeError(f"a global step is an integer, not {global_step_tensor.dtype.name}")
    if global_step_tensor.shape.ndims not in (0, None):
        raise TypeError(f"a global step is a scalar, not of shape {global_step_tensor.shape}")


def global_step(sess, global_step_tensor):
    """Reads the global step.

    Args:
        sess: The session.
        global_step_tensor: The global step, a variable.

    Returns:
        An int.
    """
    return int(sess.run(global_step_tensor))


def global_step_read(graph=None):
    """The global step as a tensor that can be read before it is initialised, for hooks; None where
    the graph has none."""
    graph = graph or get_default_graph()
    cached = graph.get_collection_ref(_READ)
    step = get_global_step(graph)
    if not cached and step is not None:
        with graph.as_default(), name_scope(""), name_scope(step.op.name + "/"):
            value = step.initialized_value() if isinstance(step, Variable) else step
            cached.append(value + 0)
    return cached[0] if cached else None
