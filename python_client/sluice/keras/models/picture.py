# SPDX-License-Identifier: Apache-2.0
"""Pictures of models by Graphviz."""

import os

from ... import nest
from ..base.serializing import class_name
from ..engine.node import OwnCall
from .network import Network


def _pydot():
    try:
        import pydot
    except ImportError:
        raise ImportError(
            "Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work."
        ) from None
    return pydot


def model_to_dot(model, show_shapes=False, show_layer_names=True, rankdir="TB",
                 expand_nested=False, dpi=96, subgraph=False):  # fmt: skip
    """Makes a graph of Graphviz of a model.

    Args:
        model: The model.
        show_shapes: Whether shapes are shown. A bool.
        show_layer_names: Whether the names of layers are shown. A bool.
        rankdir: "TB": from the top down; "LR": from left to right.
        expand_nested: Whether the layers of models inside are shown. A bool.
        dpi: Dots per inch, an int.
        subgraph: Whether a cluster is made, not a graph. A bool.

    Returns:
        A pydot.Dot, or a pydot.Cluster.

    Raises:
        ImportError: pydot is not installed.
    """
    pydot = _pydot()
    if subgraph:
        dot = pydot.Cluster(style="dashed", graph_name=model.name)
        dot.set("label", model.name)
        dot.set("labeljust", "l")
    else:
        dot = pydot.Dot()
        dot.set("rankdir", rankdir)
        dot.set("concentrate", True)
        dot.set("dpi", dpi)
        dot.set_node_defaults(shape="record")
    for layer in model.layers:
        if expand_nested and isinstance(layer, Network):
            dot.add_subgraph(
                model_to_dot(layer, show_shapes, show_layer_names, rankdir, True, subgraph=True)
            )
        else:
            label = _label(layer, show_shapes, show_layer_names)
            dot.add_node(pydot.Node(str(id(layer)), label=label))
    for start, end in _edges(model, expand_nested):
        dot.add_edge(pydot.Edge(str(id(start)), str(id(end))))
    return dot


def _label(layer, show_shapes, show_layer_names):
    label = class_name(layer)
    if show_layer_names:
        label = f"{layer.name}: {label}"
    if not show_shapes:
        return label
    shapes = [", ".join(map(str, nest.flatten([getattr(layer, what, "?")])))
              for what in ("input_shape", "output_shape")]  # fmt: skip
    return f"{label}\n|{{input:|output:}}|{{{{{shapes[0]}}}|{{{shapes[1]}}}}}"


def _edges(model, expand_nested):
    """Pairs of layers of which the first feeds the second."""
    members = set(model.layers)
    if model.traced is None:
        return list(zip(model.layers, model.layers[1:]))
    found = {}
    for layer in model.layers:
        for node in layer.inbound_nodes:
            if isinstance(node, OwnCall) or node not in set(model.traced.nodes):
                continue
            for source in node.sources:
                start, end = source.layer, layer
                if start not in members:
                    continue
                if expand_nested:
                    start = start.layers[-1] if isinstance(start, Network) else start
                    end = end.layers[0] if isinstance(end, Network) else end
                found[id(start), id(end)] = start, end
    return list(found.values())


def plot_model(model, to_file="model.png", show_shapes=False, show_layer_names=True, rankdir="TB",
               expand_nested=False, dpi=96):  # fmt: skip
    """Draws a model to a file.

    Args:
        model: The model.
        to_file: Path of the picture, a str, whose ending says its format.
        show_shapes: Whether shapes are shown. A bool.
        show_layer_names: Whether the names of layers are shown. A bool.
        rankdir: "TB": from the top down; "LR": from left to right.
        expand_nested: Whether the layers of models inside are shown. A bool.
        dpi: Dots per inch, an int.

    Raises:
        ImportError: pydot is not installed.
    """
    to_file = os.fspath(to_file)
    dot = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    dot.write(to_file, format=os.path.splitext(to_file)[1][1:] or "png")
