# SPDX-License-Identifier: Apache-2.0
"""GraphDefs without variables, without what is not needed, and parts of GraphDefs."""

from .. import dtypes, messages
from ..messages import GraphDef
from .tensors import tensor_proto

_INT32 = dtypes.int32.as_datatype_enum


def _name_of(text):
    return text.lstrip("^").partition(":")[0]


def _needed(graph_def, names):
    """The names of the nodes that others need. AssertionError: one is not there."""
    nodes = {node.name: node for node in graph_def.node}
    for name in names:
        assert name in nodes, f"{name} is not in graph"
    found, ahead = set(), list(names)
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += [_name_of(text) for text in nodes[name].input]
    return found


def _with_nodes(graph_def, nodes):
    made = GraphDef(node=nodes)
    made.library.CopyFrom(graph_def.library)
    made.versions.CopyFrom(graph_def.versions)
    return made


def extract_sub_graph(graph_def, dest_nodes):
    """Returns the part of a graph that some nodes need.

    Args:
        graph_def: The GraphDef.
        dest_nodes: Names of the nodes, a list of str.

    Returns:
        A GraphDef.

    Raises:
        TypeError: An argument is of another class.
    """
    graph_def = messages.take(GraphDef, graph_def)
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    needed = _needed(graph_def, dest_nodes)
    return _with_nodes(graph_def, [node for node in graph_def.node if node.name in needed])


def convert_variables_to_constants(sess, input_graph_def, output_node_names,
                                   variable_names_whitelist=None,
                                   variable_names_blacklist=None):  # fmt: skip
    """Returns a graph in which variables are constants with their values in a session.

    Args:
        sess: The session.
        input_graph_def: The GraphDef.
        output_node_names: Names of the nodes that the graph is for, a list of str.
        variable_names_whitelist: Names of the variables to convert. None: all.
        variable_names_blacklist: Names of variables to leave. None: none.

    Returns:
        A GraphDef of what these nodes need.
    """
    graph_def = extract_sub_graph(input_graph_def, output_node_names)
    chosen = []
    for node in graph_def.node:
        if node.op in ("Variable", "VariableV2", "VarHandleOp"):
            named = variable_names_whitelist is None or node.name in variable_names_whitelist
            if named and node.name not in (variable_names_blacklist or ()):
                chosen.append(node)
    fetches = {
        node.name: f"{node.name}/Read/ReadVariableOp:0"
        if node.op == "VarHandleOp"
        else f"{node.name}:0"
        for node in chosen
    }
    values = sess.run(fetches) if fetches else {}
    return _with_nodes(graph_def, [_frozen(node, values) for node in graph_def.node])


def _frozen(node, values):
    made = messages.NodeDef()
    if node.name in values:
        made.name, made.op = node.name, "Const"
        made.attr["dtype"].type = dtypes.as_dtype(values[node.name].dtype).as_datatype_enum
        made.attr["value"].tensor.CopyFrom(tensor_proto(values[node.name]))
    elif node.op == "ReadVariableOp" and _name_of(node.input[0]) in values:
        made.name, made.op = node.name, "Identity"
        made.input.append(node.input[0])
        made.attr["T"].CopyFrom(node.attr["dtype"])
        if "_class" in node.attr:
            made.attr["_class"].CopyFrom(node.attr["_class"])
    else:
        made.CopyFrom(node)
    return made


def remove_training_nodes(input_graph, protected_nodes=None):
    """Returns a graph without nodes that only training needs: checks, and identities that nothing
    controls.

    Args:
        input_graph: The GraphDef.
        protected_nodes: Names of nodes that stay, a list of str. None: none.

    Returns:
        A GraphDef.
    """
    graph_def, kept = messages.take(GraphDef, input_graph), set(protected_nodes or ())
    checks = {n.name for n in graph_def.node if n.op == "CheckNumerics" and n.name not in kept}
    nodes = []
    for node in graph_def.node:
        if node.name not in checks:
            inputs = [text for text in node.input if text.lstrip("^") not in checks]
            nodes.append(_with_inputs(node, inputs))
    controlled = {text[1:] for node in nodes for text in node.input if text.startswith("^")}
    around = {  # an identity that goes -> what its consumers take
        node.name: node.input[0]
        for node in nodes
        if node.op == "Identity" and node.name not in kept | controlled and len(node.input) == 1
    }

    def source(text):
        while text.lstrip("^") in around:
            text = around[text.lstrip("^")]
        return text

    left = [n for n in nodes if n.name not in around]
    return GraphDef(node=[_with_inputs(n, [source(t) for t in n.input]) for n in left])


def _with_inputs(node, inputs):
    made = messages.NodeDef()
    made.CopyFrom(node)
    made.input[:] = inputs
    return made


def must_run_on_cpu(node, pin_variables_on_cpu=False):
    """Tests whether an operation must be on a CPU: a constant of strings or int32 must.

    Args:
        node: An Operation or a NodeDef.
        pin_variables_on_cpu: Whether variables must be there, too. A bool.

    Returns:
        A bool.
    """
    node = node if hasattr(node, "attr") else node.node_def
    if pin_variables_on_cpu and node.op in ("Variable", "VariableV2", "VarHandleOp"):
        return True
    kind = node.attr["dtype" if node.op == "Const" else "T"].type
    on_host = node.op in ("DynamicStitch", "ParallelDynamicStitch") and kind == _INT32
    return on_host or node.op == "Const" and kind in (_INT32, dtypes.string.as_datatype_enum)


def tensor_shape_from_node_def_name(graph, input_name):
    """Returns the shape of a tensor that is named as inputs of a NodeDef are.

    Args:
        graph: The Graph.
        input_name: The name, a str: "a", "a:1" or "^a".

    Returns:
        A TensorShape.
    """
    name = input_name.lstrip("^")
    return graph.get_tensor_by_name(name if ":" in name else f"{name}:0").get_shape()


__all__ = """
    convert_variables_to_constants extract_sub_graph must_run_on_cpu remove_training_nodes
    tensor_shape_from_node_def_name
""".split()
