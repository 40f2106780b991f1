# SPDX-License-Identifier: Apache-2.0
"""Operations whose inputs are of another graph than the default one.

Such an operation is made in the graph of its inputs. Numbers that were given for tensors became
constants of the default graph before: the other graph gets copies of them, and of what was computed
from them alone.
"""

from .. import _sluice
from .elements import id_of
from .registry import OPS
from .state import state_of

_VALUE = "tensor"  # the type of an attribute whose value the module must be told the dtype of


def home_of(graph, tensors):
    """The graph in which an operation is made.

    Args:
        graph: The default graph.
        tensors: The inputs, of which some are of another graph.

    Returns:
        The graph of the first tensor that is not made of numbers that were given for tensors.
    """
    return next((t.graph for t in tensors if t.graph is not graph and not _is_implied(t)), graph)


def graph_of_values(graph, values):
    """The graph in which a function of several operations works.

    Args:
        graph: The default graph.
        values: The arguments of the function, a list.

    Returns:
        The graph of the first tensor, variable or operation; the default graph if there is none, or
        if it is that of a function, which takes tensors from outside.

    Raises:
        ValueError: They are of several graphs.
    """
    if hasattr(graph, "capture"):
        return graph
    found = [v for v in values if hasattr(v, "graph")]
    for value in found:
        if value.graph is not found[0].graph:
            raise ValueError(f"{value} must be from the same graph as {found[0]}.")
    return found[0].graph if found else graph


def moved(graph, tensor, other):
    """A tensor, or a copy of it in another graph.

    Args:
        graph: The graph of the result.
        tensor: The tensor.
        other: A tensor that is taken together with it, which an error names.

    Returns:
        A tensor of the graph.

    Raises:
        ValueError: It is of another graph, and not made of numbers that were given for tensors.
    """
    if tensor.graph is graph:
        return tensor
    if not _is_implied(tensor):
        raise ValueError(f"{tensor} must be from the same graph as {other}.")
    inputs = [moved(graph, t, other) for t in tensor.op.inputs]
    made = copy_of(tensor, graph, inputs)
    if not inputs:
        state_of(graph).implied.add(id_of(made.op))
    return made


def copy_of(tensor, graph, inputs):
    """A copy of a tensor and its operation.

    Args:
        tensor: The tensor.
        graph: The graph of the copy.
        inputs: The inputs of the copied operation, tensors of that graph.

    Returns:
        A tensor of the graph.
    """
    op = tensor.op
    made = graph.create_op(op.type, inputs, attrs_of(op), op.name.rpartition("/")[2])
    return made.outputs[tensor.value_index]


def attrs_of(op):
    """The attributes that the op declares, as create_op() takes them.

    Args:
        op: The Operation.

    Returns:
        A dict: name -> value.
    """
    core, attrs = state_of(op.graph).core, {}
    for attr in OPS[op.type]["attrs"]:
        value = core.attr(id_of(op), attr["name"])
        if attr["type"] == _VALUE:
            value = _sluice.tensor(value, int(op.outputs[0].dtype.base_dtype))
        attrs[attr["name"]] = value
    return attrs


def _is_implied(tensor):
    """Whether a tensor is made of nothing but numbers that were given for tensors."""
    op = tensor.op
    if op.type == "Const":
        return id_of(op) in state_of(op.graph).implied
    stateful = op.type not in OPS or OPS[op.type]["stateful"]
    return bool(op.inputs) and not stateful and all(_is_implied(t) for t in op.inputs)
