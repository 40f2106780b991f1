# SPDX-License-Identifier: Apache-2.0
"""Graphs as GraphDefs: what other programs made comes in, and files go out."""

import os

from .. import messages
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.elements import add_control_input, id_of, operation_of, set_device
from ..graph.graph import Graph
from ..graph.placement import apply_device
from ..graph.state import state_of
from . import gfile
from .files import write_whole


class _Import:
    """The nodes of a GraphDef under the names that they get here."""

    def __init__(self, graph, scope, input_map):
        self.core, self.scope = state_of(graph).core, scope
        self.map = {_full(k): v for k, v in input_map.items()}
        self.names, self.met = {}, set()

    def name_nodes(self, nodes):
        taken = set()
        for node in nodes:
            name, count = self.scope + node.name, 1
            while name in taken or self.core.find(name) >= 0:
                name, count = f"{self.scope}{node.name}_{count}", count + 1
            taken.add(name)
            self.names[node.name] = name

    def rewrite(self, node):
        node.name = self.names[node.name]
        node.input[:] = [self.input(i) for i in node.input]
        if "_class" in node.attr:
            group = node.attr["_class"].list.s
            names = [s.decode().partition("loc:@")[2] for s in group]
            group[:] = [f"loc:@{self.names.get(n, n)}".encode() for n in names]

    def input(self, text):
        key = _full(text)
        if key in self.map:
            self.met.add(key)
            target = self.map[key]
            return f"^{target.name}" if key[0] == "^" else target.name
        name, _, index = text.lstrip("^").partition(":")
        if name not in self.names:
            raise ValueError(f'an input is "{text}", but the graph_def has no node "{name}"')
        return "^" * text.startswith("^") + self.names[name] + (f":{index}" if index else "")


# TensorFlow names functions of its own process in their _gradient_op_type.
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


def _full(name):
    return name if ":" in name or name.startswith("^") else name + ":0"


def import_graph_def(graph_def, input_map=None, return_elements=None, name=None, op_dict=None,
                     producer_op_list=None):  # fmt: skip
    """Adds the operations and functions of a GraphDef to the default graph.

    Args:
        graph_def: A GraphDef, or its bytes.
        input_map: A dict: name of a tensor in the GraphDef ("a:0" or "a") -> tensor that takes its
            place.
        return_elements: Names of operations and tensors in the GraphDef, a list of str.
        name: Name scope of the new operations, a str. None: "import". "": none.
        op_dict: Accepted. It has no effect.
        producer_op_list: Accepted. It has no effect.

    Returns:
        A list of the elements that return_elements names; None without it.

    Raises:
        ValueError: A name is not in the GraphDef, or a node does not fit its op.
        errors.NotFoundError: An op is not registered.
        RuntimeError: The graph is finalized.

    Example:
        >>> with sl.Graph().as_default() as graph:
        ...     _ = sl.constant(7, name="seven")
        >>> (seven,) = sl.import_graph_def(graph.as_graph_def(), return_elements=["seven:0"])
        >>> seven.name
        'import/seven:0'
    """
    del op_dict, producer_op_list
    copy = messages.GraphDef()
    copy.CopyFrom(messages.take(messages.GraphDef, graph_def))
    graph = get_default_graph()
    if graph.finalized:
        raise RuntimeError("Graph is finalized and cannot be modified.")
    input_map = {
        k: v if k.startswith("^") else convert_to_tensor(v) for k, v in (input_map or {}).items()
    }
    with name_scope(name, "import") as scope:
        coming = _Import(graph, scope, input_map)
        coming.name_nodes(copy.node)
        for node in copy.node:
            coming.rewrite(node)
        unused = sorted(set(coming.map) - coming.met)
        if unused:
            raise ValueError(f"no node of the graph_def takes what input_map names: {unused}")
        first = graph.version
        _add(graph, coming.core, copy)
        _settle(graph, first)
        for node in copy.node:
            if "_gradient_op_type" in node.attr and node.op not in _CALLS:
                # A registered function makes its gradient.
                op = graph.get_operation_by_name(node.name)
                state_of(graph).overridden[id_of(op)] = None
    if return_elements is None:
        return None
    return [_element(graph, coming, name) for name in return_elements]


def _add(graph, core, graph_def):
    """Adds the nodes. A graph that has nodes takes those of any version, as if they were of its
    own: the runtime's graphs are of one version."""
    try:
        core.import_graph(graph_def.SerializeToString())
    except ValueError:
        own = graph.as_graph_def().versions.producer
        if graph.version == 0 or graph_def.versions.producer == own:
            raise
        graph_def.versions.producer = own
        core.import_graph(graph_def.SerializeToString())


def _settle(graph, first):
    """Gives the new nodes what the current scopes say, and keeps their names from others."""
    state = state_of(graph)
    state.made_here(first)
    controls = {op for group in state.control for op in group}
    ops = [operation_of(graph, node) for node in range(first, graph.version)]
    beside = {}
    for op in ops:
        state.names.setdefault(op.name.lower(), 1)
        group = [g.decode().partition("loc:@")[2] for g in op.colocation_groups()]
        if group == [op.name]:
            apply_device(state, op)
        else:
            beside[op] = graph.get_operation_by_name(group[0])
        for control in controls if not op.inputs else ():
            add_control_input(op, control)
    for op, other in beside.items():
        set_device(op, other.device)


def _element(graph, coming, text):
    name, colon, index = text.partition(":")
    if name not in coming.names:
        raise ValueError(f'the graph_def has no node "{name}", which return_elements names')
    return graph.as_graph_element(coming.names[name] + colon + index)


def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    """Writes a graph to a file.

    Args:
        graph_or_graph_def: A Graph or a GraphDef.
        logdir: The directory, a str. It is made if it does not exist.
        name: Name of the file, a str.
        as_text: Whether the file has the text form. A bool. False: bytes of a GraphDef.

    Returns:
        The path of the file, a str.
    """
    graph_def = graph_or_graph_def
    graph_def = graph_def.as_graph_def() if isinstance(graph_def, Graph) else graph_def
    graph_def = messages.take(messages.GraphDef, graph_def)
    gfile.makedirs(logdir)
    path = os.path.join(logdir, name)
    text = messages.to_text(graph_def).encode() if as_text else graph_def.SerializeToString()
    write_whole(path, text)
    return path
