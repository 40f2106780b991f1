# SPDX-License-Identifier: Apache-2.0
"""The signatures of the ops that a graph uses, as meta graphs carry them."""

from ..graph.op_defs import op_def_of
from ..graph.registry import OPS
from ..messages import OpList


def ops_of(graph_def):
    """Finds the ops that a graph and its functions use.

    Args:
        graph_def: The GraphDef.

    Returns:
        An OpList in the order of the names, without functions, and without ops that the runtime
        does not know.
    """
    used = sorted(names_of_ops(graph_def))
    return OpList(op=[op_def_of(name) for name in used if name in OPS])


def names_of_ops(graph_def):
    """Returns the names of the ops that a graph and its functions use.

    Args:
        graph_def: The GraphDef.

    Returns:
        A list of str, without functions.
    """
    functions = {function.signature.name for function in graph_def.library.function}
    bodies = [graph_def.node, *(function.node_def for function in graph_def.library.function)]
    return list({node.op for body in bodies for node in body} - functions)
