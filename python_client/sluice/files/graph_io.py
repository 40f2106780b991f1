# SPDX-License-Identifier: Apache-2.0
"""Graphs as GraphDefs: what other programs made comes in, and files go out."""

import contextlib
import os
import re

from .. import dtypes, messages
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.elements import add_control_input, id_of, operation_of, set_device
from ..graph.graph import Graph
from ..graph.placement import apply_device
from ..graph.registry import OPS
from ..graph.state import state_of
from . import gfile
from .files import write_whole

GRAPH_DEF_VERSION = 134  # of the runtime; TensorFlow 1.15 has it too


class _Import:
    """The nodes of a GraphDef under the names that they get here."""

    def __init__(self, graph, scope, input_map):
        self.core, self.scope = state_of(graph).core, scope
        self.map = {_full(k): v for k, v in input_map.items()}
        self.names, self.met = {}, set()

    def name_nodes(self, nodes):
        taken = set()
        for node in nodes:
            if node.name in self.names:
                raise ValueError(f"Node '{node.name}' is not unique")
            name, count = self.scope + node.name, 1
            while name in taken or self.core.find(name) >= 0:
                name, count = f"{self.scope}{node.name}_{count}", count + 1
            taken.add(name)
            self.names[node.name] = name

    def rewrite(self, node):
        original, node.name = node.name, self.names[node.name]
        node.input[:] = [self.input(i, original) for i in node.input]
        if "_class" in node.attr:
            group = node.attr["_class"].list.s
            names = [s.decode().partition("loc:@")[2] for s in group]
            group[:] = [f"loc:@{self.names.get(n, n)}".encode() for n in names]

    def input(self, text, of_node):
        key = _full(text)
        if key in self.map:
            self.met.add(key)
            target = self.map[key]
            return f"^{target.name}" if key[0] == "^" else target.name
        name, _, index = text.lstrip("^").partition(":")
        if name not in self.names:
            raise ValueError(f"Node '{of_node}': Unknown input node '{text}'")
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
        TypeError: An argument is of a wrong type.
        ValueError: A name is not in the GraphDef, a node does not fit its op, or only later
            versions can read the GraphDef.
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
    _check_arguments(input_map, return_elements)
    copy = messages.GraphDef()
    copy.CopyFrom(_taken(graph_def))
    graph = get_default_graph()
    if graph.finalized:
        raise RuntimeError("Graph is finalized and cannot be modified.")
    with name_scope(name, "import") as scope:
        with name_scope("_inputs") if scope else contextlib.nullcontext():
            input_map = {
                k: v if k.startswith("^") else convert_to_tensor(v)
                for k, v in (input_map or {}).items()
            }
        coming = _Import(graph, scope, input_map)
        coming.name_nodes(copy.node)
        for node in copy.node:
            coming.rewrite(node)
        unused = sorted(set(coming.map) - coming.met)
        if unused:
            raise ValueError(
                "Attempted to map inputs that were not found in graph_def: "
                f"[{', '.join(unused)}]"
            )
        first = graph.version
        _add(graph, coming, copy)
        _settle(graph, first)
        for node in copy.node:
            if "_gradient_op_type" in node.attr and node.op not in _CALLS:
                # A registered function makes its gradient.
                op = graph.get_operation_by_name(node.name)
                state_of(graph).overridden[id_of(op)] = None
    if return_elements is None:
        return None
    return [_element(graph, coming, name) for name in return_elements]


def _check_arguments(input_map, return_elements):
    if input_map is not None and not (
        isinstance(input_map, dict) and all(isinstance(key, str) for key in input_map)
    ):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    if return_elements is not None and not all(isinstance(n, str) for n in return_elements):
        raise TypeError("return_elements must be a list of strings.")


def _taken(graph_def):
    """A GraphDef of this client that a runtime of this version can read."""
    try:
        graph_def = messages.take(messages.GraphDef, graph_def)
    except TypeError:
        raise TypeError("graph_def must be a GraphDef proto.") from None
    versions = graph_def.versions
    if versions.min_consumer > GRAPH_DEF_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current version"
            f" {GRAPH_DEF_VERSION} for TensorFlow 1.15.0.  Please upgrade TensorFlow."
        )
    if versions.producer < 0:
        raise ValueError(
            f"GraphDef producer version {versions.producer} below min producer 0 supported by"
            " TensorFlow 1.15.0.  Please regenerate your graph."
        )
    return graph_def


def _add(graph, coming, graph_def):
    """Adds the nodes. A graph that has nodes takes those of any version, as if they were of its
    own: the runtime's graphs are of one version."""
    core, own_names = coming.core, {new: old for old, new in coming.names.items()}
    try:
        core.import_graph(graph_def.SerializeToString())
    except ValueError as error:
        own = graph.as_graph_def().versions.producer
        if graph.version == 0 or graph_def.versions.producer == own:
            raise ValueError(_in_words_of_1x(str(error), graph_def, own_names)) from None
        graph_def.versions.producer = own
        try:
            core.import_graph(graph_def.SerializeToString())
        except ValueError as again:
            raise ValueError(_in_words_of_1x(str(again), graph_def, own_names)) from None


def _in_words_of_1x(text, graph_def, own_names):
    """The text of an error of a node as 1.x has it. own_names: name here -> that in the file."""
    found = re.match(r'node "([^"]*)" \(\w+\): (.*)', text, re.DOTALL)
    node = found and next((n for n in graph_def.node if n.name == found[1]), None)
    if node is None:
        return text
    name, rest = found[1], found[2]
    if re.match(r"input \d+ was passed ", rest):
        return rest.replace("input", "Input", 1).replace(" was", f" of node {name} was", 1) + "."
    if "Connecting to invalid output" in rest:
        said = re.match(r".*: (Connecting to invalid output \d+ of source node) (\S+) (.*)", rest)
        source = own_names.get(said[2], said[2])
        return f"Node '{own_names[name]}': {said[1]} {source} {said[3]}"
    if re.match(r"expected \d+ inputs, but has ", rest):
        count = sum(not i.startswith("^") for i in node.input)
        types = ", ".join(_input_types(node))
        return (
            f"NodeDef expected inputs '{types}' do not match {count} inputs specified;"
            f" NodeDef: {name}"
        )
    return text


def _input_types(node):
    """The dtypes that the op of a node takes with the node's attributes, as 1.x writes them."""
    for arg in OPS[node.op]["inputs"]:
        if arg["type_list_attr"]:
            numbers = list(node.attr[arg["type_list_attr"]].list.type)
        else:
            number = arg["type"] or node.attr[arg["type_attr"]].type
            numbers = [number] * (node.attr[arg["number_attr"]].i if arg["number_attr"] else 1)
        for number in numbers:
            name = dtypes.as_dtype(number).name
            yield {"float32": "float", "float64": "double", "float16": "half"}.get(name, name)


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
            if state.core.find(group[0]) < 0:
                raise ValueError(
                    "Specified colocation to an op that does not exist during import:"
                    f" {group[0]} in {op.name}"
                )
            beside[op] = graph.get_operation_by_name(group[0])
        for control in controls if not op.inputs else ():
            add_control_input(op, control)
    for op, other in beside.items():
        set_device(op, other.device)


def _element(graph, coming, text):
    name, colon, index = text.partition(":")
    if colon and not index.isdigit():
        raise ValueError(f"Cannot convert {text!r} to a tensor name.")
    if name not in coming.names:
        kind = "tensor" if colon else "node"
        raise ValueError(f"Requested return {kind} '{text}' not found in graph def")
    op = graph.get_operation_by_name(coming.names[name])
    if colon and int(index) >= len(op.outputs):
        raise ValueError(
            f"Invalid return output {index} of node '{name}', which has {len(op.outputs)} output(s)"
        )
    return op.outputs[int(index)] if colon else op


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
