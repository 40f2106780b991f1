# SPDX-License-Identifier: Apache-2.0
"""Graphs with their collections, read from the files that other programs wrote."""

import os
import re

from .. import messages
from ..files import gfile
from ..files.files import open_file
from ..files.graph_io import import_graph_def
from ..graph.default_graph import get_default_graph
from ..graph.keys import GraphKeys
from ..messages import MetaGraphDef
from .meta_graph import READERS, UNBOUND, export_meta_graph


def read_meta_graph(meta_graph_or_file):
    """A MetaGraphDef from one, its bytes, or a file with its bytes or its text. OSError: no
    file."""
    if not isinstance(meta_graph_or_file, (str, os.PathLike)):
        return messages.take(MetaGraphDef, meta_graph_or_file)
    if not gfile.exists(meta_graph_or_file):
        raise OSError(f"File {meta_graph_or_file} does not exist.")
    with open_file(meta_graph_or_file, "rb") as file:
        data = file.read()
    try:
        return MetaGraphDef.FromString(data)
    except Exception:  # the library's own class, which moved between its versions
        return messages.parse(MetaGraphDef, data.decode())


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file, clear_devices=False, graph=None, import_scope=None, input_map=None,
    unbound_inputs_col_name=UNBOUND, restore_collections_predicate=(lambda key: True),
    return_elements=None,
):  # fmt: skip
    """Adds the nodes and collections of a MetaGraphDef to a graph.

    Args:
        meta_graph_or_file: A MetaGraphDef, or the path of a file.
        clear_devices: Whether devices are removed. A bool.
        graph: The Graph. None: the default graph.
        import_scope: Name scope to put in front of names, a str. It is made unique. None: none.
        input_map: As of import_graph_def().
        unbound_inputs_col_name: The collection of what input_map must give, a str.
        restore_collections_predicate: A function of the name of a collection: whether to add it.
        return_elements: As of import_graph_def().

    Returns:
        A pair: a dict, name in the MetaGraphDef -> global variable; and what return_elements names.

    Raises:
        OSError: The file does not exist.
        ValueError: input_map does not give what the graph takes from outside.
    """
    definition = MetaGraphDef()
    definition.CopyFrom(read_meta_graph(meta_graph_or_file))
    collections = {
        key: collection
        for key, collection in definition.collection_def.items()
        if key != unbound_inputs_col_name
    }
    if len(collections) < len(definition.collection_def):
        _check_given(definition.collection_def[unbound_inputs_col_name], input_map or ())
    if clear_devices:
        for node in definition.graph_def.node:
            node.device = ""
    graph = graph or get_default_graph()
    with graph.as_default():
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        elements = import_graph_def(
            definition.graph_def, input_map, return_elements, import_scope or ""
        )
        reading = _Reading(graph, scope, definition.meta_info_def.tensorflow_version)
        first = GraphKeys.TRAINABLE_VARIABLES  # they say of older variables which are trainable
        for key in sorted(collections, key=lambda key: (key != first, key)):
            if restore_collections_predicate(key):
                for item in reading.items(key, collections[key]):
                    graph.add_to_collection(key, item)
    found = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope or None)
    cut = len(scope) + 1 if scope else 0
    return {variable.name[cut:]: variable for variable in found}, elements


def import_scoped_meta_graph(meta_graph_or_file, clear_devices=False, graph=None, import_scope=None,
                             input_map=None, unbound_inputs_col_name=UNBOUND,
                             restore_collections_predicate=(lambda key: True)):  # fmt: skip
    """Adds the nodes and collections of a MetaGraphDef to a graph.

    Args:
        meta_graph_or_file: A MetaGraphDef, or the path of a file.
        clear_devices: Whether devices are removed. A bool.
        graph: The Graph. None: the default graph.
        import_scope: Name scope to put in front of names, a str. It is made unique. None: none.
        input_map: As of import_graph_def().
        unbound_inputs_col_name: The collection of what input_map must give, a str.
        restore_collections_predicate: A function of the name of a collection: whether to add it.

    Returns:
        A dict: name in the MetaGraphDef -> global variable.

    Raises:
        OSError: The file does not exist.
        ValueError: input_map does not give what the graph takes from outside.
    """
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map, unbound_inputs_col_name,
        restore_collections_predicate,
    )[0]  # fmt: skip


def copy_scoped_meta_graph(from_scope, to_scope, from_graph=None, to_graph=None):
    """Copies what a name scope has to another one, also of another graph.

    Args:
        from_scope: The name scope, a str.
        to_scope: The other one, a str.
        from_graph: The Graph of the first. None: the default graph.
        to_graph: The Graph of the second. None: the default graph.

    Returns:
        A dict: name without the scope -> copied global variable.

    Raises:
        ValueError: Both are the same.
    """
    from_graph, to_graph = from_graph or get_default_graph(), to_graph or get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(
            "'from_scope' and 'to_scope' need to be different when performing copy in the same"
            " graph."
        )
    definition = export_meta_graph(graph=from_graph, export_scope=from_scope)
    return import_scoped_meta_graph(definition, graph=to_graph, import_scope=to_scope)


def _check_given(collection, input_map):
    """ValueError: input_map does not give what the collection lists."""
    unbound = [getattr(n, "decode", n.__str__)() for n in collection.bytes_list.value]
    if unbound and sorted(unbound) != sorted(input_map):
        missing = ",".join(name for name in unbound if name not in input_map)
        raise ValueError(
            f"Graph contains unbound inputs: {missing}. Must provide these inputs through"
            " input_map."
        )


def _is_older(version):
    """Whether definitions of variables do not say which are trainable."""
    numbers = [int(number) for number in re.findall(r"\d+", version)[:2]]
    return bool(numbers) and numbers < [1, 9]


class _Reading:
    """Makes the items of collections for the nodes that a graph has.

    Args:
        graph: The Graph.
        scope: The name scope of the nodes, a str.
        version: The version of TensorFlow that wrote the collections, a str.
    """

    def __init__(self, graph, scope, version):
        self._graph, self._scope, self._older = graph, scope, _is_older(version)
        self._variables = {}  # by name: a variable of several collections is one object

    def items(self, key, collection):
        """The items of a collection, a list."""
        kind = collection.WhichOneof("kind")
        if kind == "node_list":
            names = map(self._inside, collection.node_list.value)
            return [self._graph.as_graph_element(name) for name in names]
        if kind == "bytes_list":
            if key in READERS:
                return [self._described(key, data) for data in collection.bytes_list.value]
            return [self._inside(data) for data in collection.bytes_list.value]
        return [] if kind is None else list(getattr(collection, kind).value)

    def _inside(self, name):
        """A name with the scope in front of it; without a scope, the name itself."""
        if not self._scope:
            return name
        name = name.decode() if isinstance(name, bytes) else name
        return re.sub(r"(\^|loc:@|^)(.*)", rf"\1{self._scope}/\2", name, count=1)

    def _described(self, key, data):
        message, reader = READERS[key]
        found = message.FromString(data)
        name = getattr(found, "variable_name", None)
        if name is not None and self._older:
            found.trainable = key == GraphKeys.TRAINABLE_VARIABLES
        if name is None or name not in self._variables:
            self._variables[name] = reader.from_proto(found, import_scope=self._scope)
        return self._variables[name]
