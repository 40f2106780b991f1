# SPDX-License-Identifier: Apache-2.0
"""Graphs with their collections and Saver, written to files that another program goes on with."""

import os
from types import SimpleNamespace

from .. import messages
from ..files import gfile
from ..files.files import write_whole
from ..graph.default_graph import get_default_graph
from ..graph.elements import Operation, Tensor
from ..graph.keys import GraphKeys
from ..messages import CollectionDef, MetaGraphDef
from ..ops.state.variables import Variable
from .op_list import ops_of
from .queue_runner import QueueRunner
from .smaller_graphs import nodes_of_other_savers, strip_default_attrs

_VARIABLES = (
    "GLOBAL_VARIABLES LOCAL_VARIABLES TRAINABLE_VARIABLES MODEL_VARIABLES METRIC_VARIABLES "
    "MOVING_AVERAGE_VARIABLES GLOBAL_STEP"
)
# Collections whose items are described by messages: name -> (class of the message, its reader).
READERS = {getattr(GraphKeys, n): (messages.VariableDef, Variable) for n in _VARIABLES.split()}
READERS[GraphKeys.QUEUE_RUNNERS] = (messages.QueueRunnerDef, QueueRunner)
_WRITERS = {}  # name -> function that describes an item, of those that programs registered
UNBOUND = "unbound_inputs"  # the collection of what an exported scope takes from outside


def register_proto_function(collection_name, proto_type=None, to_proto=None, from_proto=None):
    """Says how the items of a collection are described in a MetaGraphDef.

    Args:
        collection_name: Name of the collection, a str.
        proto_type: The class of the messages.
        to_proto: A function of an item and export_scope that returns a message. None: the items
            have such a method.
        from_proto: A function of a message and import_scope that returns an item.

    Raises:
        TypeError: A function cannot be called.
    """
    if to_proto is not None and not callable(to_proto):
        raise TypeError("to_proto must be callable.")
    if from_proto is not None and not callable(from_proto):
        raise TypeError("from_proto must be callable.")
    if to_proto is not None:
        _WRITERS[collection_name] = to_proto
    if from_proto is not None:
        READERS[collection_name] = proto_type, SimpleNamespace(from_proto=from_proto)


def export_meta_graph(filename=None, meta_info_def=None, graph_def=None, saver_def=None,
                      collection_list=None, as_text=False, graph=None, export_scope=None,
                      clear_devices=False, clear_extraneous_savers=False,
                      strip_default_attrs=False, save_debug_info=False):  # fmt: skip
    """Converts a graph with its collections to a protocol message, and writes it to a file.

    Args:
        filename: The path, a str. None: no file.
        meta_info_def: A MetaInfoDef to put in. None: none.
        graph_def: The GraphDef. None: that of the graph.
        saver_def: A SaverDef to put in. None: none.
        collection_list: Names of the collections, a list of str. None: all.
        as_text: Whether the file has the text form. A bool.
        graph: The Graph. None: the default graph.
        export_scope: Name scope to export without its own name, a str. None: everything.
        clear_devices: Whether devices are removed. A bool.
        clear_extraneous_savers: Whether other Savers than that of saver_def are removed. A bool.
        strip_default_attrs: Whether attributes with default values are removed. A bool.
        save_debug_info: Accepted. It has no effect.

    Returns:
        A MetaGraphDef.

    The tensors that operations of export_scope take from outside are named "$unbound_inputs_...";
    the collection unbound_inputs lists them. Who imports the graph gives them by input_map.
    """
    graph = graph or get_default_graph()
    result = MetaGraphDef()
    if meta_info_def is not None:
        result.meta_info_def.CopyFrom(meta_info_def)
    result.meta_info_def.tensorflow_version = "1.15.0"
    graph_def = graph.as_graph_def(add_shapes=True) if graph_def is None else graph_def
    result.graph_def.CopyFrom(messages.take(messages.GraphDef, graph_def))
    if export_scope:
        unbound = _cut_out(result.graph_def, export_scope + "/")
        graph.clear_collection(UNBOUND)
        graph.get_collection_ref(UNBOUND).extend(unbound)
    if clear_devices:
        for node in result.graph_def.node:
            node.device = ""
    if strip_default_attrs:
        _strip(result)
    left_out = set()
    if clear_extraneous_savers:
        left_out = nodes_of_other_savers(result.graph_def, saver_def)
        kept = [node for node in result.graph_def.node if node.name not in left_out]
        del result.graph_def.node[:]
        result.graph_def.node.extend(kept)
    if not result.meta_info_def.stripped_op_list.op:
        result.meta_info_def.stripped_op_list.CopyFrom(ops_of(result.graph_def))
    if saver_def is not None:
        result.saver_def.CopyFrom(saver_def)
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    for key in keys:
        items = [i for i in graph.get_collection(key) if not _is_of(i, left_out)]
        items = [i for i in items if _is_under(i, export_scope)]
        described = _describe(key, items, export_scope)
        if described is not None:
            result.collection_def[key].CopyFrom(described)
    if filename:
        _write(filename, result, as_text)
    return result


def export_scoped_meta_graph(filename=None, graph_def=None, graph=None, export_scope=None,
                             as_text=False, unbound_inputs_col_name=UNBOUND, **kwargs):  # fmt: skip
    """Converts a name scope of a graph to a protocol message: see export_meta_graph().

    Args:
        filename: The path, a str. None: no file.
        graph_def: The GraphDef. None: that of the graph.
        graph: The Graph. None: the default graph.
        export_scope: Name scope to export without its own name, a str. None: everything.
        as_text: Whether the file has the text form. A bool.
        unbound_inputs_col_name: The collection of what the scope takes from outside, a str. None:
            there is none.
        **kwargs: The other arguments of export_meta_graph().

    Returns:
        A pair: a MetaGraphDef; and a dict, name without the scope -> global variable in it.
    """
    graph = graph or get_default_graph()
    made = export_meta_graph(
        None, graph_def=graph_def, graph=graph, export_scope=export_scope, **kwargs
    )
    if unbound_inputs_col_name != UNBOUND:
        if unbound_inputs_col_name and UNBOUND in made.collection_def:
            made.collection_def[unbound_inputs_col_name].CopyFrom(made.collection_def[UNBOUND])
        made.collection_def.pop(UNBOUND, None)
    if filename:
        _write(filename, made, as_text)
    cut = len(export_scope) + 1 if export_scope else 0
    found = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, export_scope)
    return made, {variable.name[cut:]: variable for variable in found}


def _strip(definition):
    strip_default_attrs(definition.graph_def)
    definition.meta_info_def.stripped_default_attrs = True


def _is_of(item, names):
    """Whether an item of a collection is one of the nodes, or a Saver of them."""
    saver_def = getattr(item, "saver_def", None)
    name = getattr(item, "name", "") if saver_def is None else saver_def.save_tensor_name
    return isinstance(name, str) and name.partition(":")[0] in names


def _is_under(item, scope):
    """Whether an item of a collection goes out with a name scope."""
    name = item if isinstance(item, str) else getattr(item, "name", None)
    if not scope or not isinstance(name, str):
        return True
    return name.startswith((scope, f"${UNBOUND}"))


def _write(filename, definition, as_text):
    gfile.makedirs(os.path.dirname(filename) or ".")
    data = messages.to_text(definition).encode() if as_text else definition.SerializeToString()
    write_whole(filename, data)


def _cut_out(graph_def, prefix):
    """Leaves the nodes under a prefix, without it. Returns the names of what they take from
    outside."""
    nodes = [n for n in graph_def.node if n.name.startswith(prefix)]
    kept, unbound = [], []
    for node in nodes:
        copy = messages.NodeDef.FromString(node.SerializeToString())
        copy.name = node.name[len(prefix) :]
        inputs = []
        for text in node.input:
            control, name = "^" * text.startswith("^"), text.lstrip("^")
            if name.startswith(prefix):
                inputs.append(control + name[len(prefix) :])
            elif not control:
                inputs.append(f"${UNBOUND}_{name}")
                unbound.append(inputs[-1])
        copy.input[:] = inputs
        if "_class" in copy.attr:
            group = copy.attr["_class"].list.s
            names = [s.decode().partition("loc:@")[2] for s in group]
            group[:] = [f"loc:@{n[len(prefix):]}".encode() for n in names if n.startswith(prefix)]
        kept.append(copy)
    del graph_def.node[:]
    graph_def.node.extend(kept)
    return unbound


def _describe(key, items, scope):
    """A CollectionDef, or None for items that have no description."""
    described = CollectionDef()
    if not items:
        return None
    if key in _WRITERS or key in READERS and all(hasattr(i, "to_proto") for i in items):
        describe = _WRITERS.get(key, _described_by_itself)
        protos = [describe(i, export_scope=scope) for i in items]
        described.bytes_list.value.extend(p.SerializeToString() for p in protos if p is not None)
    elif all(isinstance(i, (Tensor, Operation, Variable)) for i in items):
        cut = len(scope) + 1 if scope else 0
        inside = [i.name for i in items if not scope or i.name.startswith(scope + "/")]
        described.node_list.value.extend(name[cut:] for name in inside)
    elif all(isinstance(i, (str, bytes)) for i in items):
        described.bytes_list.value.extend(i.encode() if isinstance(i, str) else i for i in items)
    elif all(isinstance(i, int) and not isinstance(i, bool) for i in items):
        described.int64_list.value.extend(items)
    elif all(isinstance(i, (int, float)) for i in items):
        described.float_list.value.extend(items)
    elif all(isinstance(i, messages.Any) for i in items):
        described.any_list.value.extend(items)
    else:
        return None
    return described


def _described_by_itself(item, export_scope):
    return item.to_proto(export_scope=export_scope)
