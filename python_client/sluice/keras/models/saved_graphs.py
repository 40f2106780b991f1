# SPDX-License-Identifier: Apache-2.0
"""What SavedModels say of models of Keras: their classes and layers, their graphs and variables."""

import collections
import json

from ...files.frozen import extract_sub_graph
from ...graph.graph import Graph
from ...ops import raw_ops
from ...saving import keys, loader
from ...session.session import Session

_IDENTIFIERS = ("_tf_keras_model", "_tf_keras_network", "_tf_keras_sequential")

# A variable: the name of its node in the graph, its value, and whether optimizers change it.
SavedVariable = collections.namedtuple("SavedVariable", "node value trainable")

# What a signature needs: the GraphDef, the names of the inputs' tensors by their keys, the names of
# the outputs' tensors, and the variables of the model.
SavedGraph = collections.namedtuple("SavedGraph", "graph_def inputs outputs variables")


def metadata_of(path):
    """Reads what TensorFlow's objects in a SavedModel say of a model.

    Args:
        path: The directory, a str.

    Returns:
        A dict with "class_name", and perhaps "config" and "training_config". None: it has no
        objects, or they are not those of a model of Keras.
    """
    meta_graph = loader.meta_graph_of(loader.read(path), [keys.SERVING])
    nodes = meta_graph.object_graph_def.nodes
    if not nodes or nodes[0].user_object.identifier not in _IDENTIFIERS:
        return None
    return json.loads(nodes[0].user_object.metadata or "{}")


def weights_of(model):
    """Describes the variables of a model, for read_graph().

    Args:
        model: The model.

    Returns:
        A list of pairs of the name of a node and whether optimizers change the variable.
    """
    trainable = {id(v) for v in model.trainable_weights}
    return [(v.handle.op.name, id(v) in trainable) for v in model.weights]


def read_graph(path, weights=None):
    """Reads the graph of predict() and the variables.

    Args:
        path: The directory of the SavedModel, a str.
        weights: What weights_of() returned. None: the objects of the SavedModel say it.

    Returns:
        A SavedGraph.
    """
    with Graph().as_default() as graph, Session() as session:
        meta_graph = loader.load(session, [keys.SERVING], path)
        weights = _weights_by_objects(meta_graph) if weights is None else weights
        variables = [
            SavedVariable(node, session.run(_read(graph, node)), trainable)
            for node, trainable in weights
        ]
    signature = meta_graph.signature_def[keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY]
    inputs = {key: signature.inputs[key].name for key in _in_order(signature.inputs)}
    outputs = [signature.outputs[key].name for key in _in_order(signature.outputs)]
    needed = extract_sub_graph(meta_graph.graph_def, [n.partition(":")[0] for n in outputs])
    return SavedGraph(needed, inputs, outputs, variables)


def _in_order(names):
    """Names in which numbers count: input_2 is before input_10."""
    return sorted(names, key=lambda name: (len(name), name))


def _read(graph, node):
    """The value of a variable, a tensor."""
    op = graph.get_operation_by_name(node)
    if op.type != "VarHandleOp":
        return op.outputs[0]
    return raw_ops.ReadVariableOp(resource=op.outputs[0], dtype=op.get_attr("dtype"))


def _weights_by_objects(meta_graph):
    """The same as weights_of(), by the lists of variables that TensorFlow writes."""
    nodes = meta_graph.object_graph_def.nodes
    children = {child.local_name: child.node_id for child in nodes[0].children}
    found = [nodes[child.node_id].variable for child in nodes[children["variables"]].children]
    return [(variable.name, variable.trainable) for variable in found]
