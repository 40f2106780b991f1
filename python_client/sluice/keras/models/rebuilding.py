# SPDX-License-Identifier: Apache-2.0
"""The calls of layers in configurations of networks: how they are described, and made again.

A tensor is described by its place: the name of a layer, the number of the call, and the number of
the output of that call.
"""

import json

import numpy as np

from ... import logging, nest
from ...graph.elements import Tensor
from ..base import values
from ..engine.added import AddLoss, AddMetric
from ..engine.node import history_of
from ..engine.registry import deserialize


def named(structure, items):
    """Gives items the form of a structure.

    Args:
        structure: A tensor, or a list or a dict of tensors.
        items: As many items, a list. Those of a dict are in the order of its keys.

    Returns:
        A dict if the structure is one, else the list.
    """
    return dict(zip(sorted(structure), items)) if isinstance(structure, dict) else items


def described_arguments(node, place):
    """Describes the further arguments of a call.

    Args:
        node: The Node of the call.
        place: A function that returns the place of a tensor of a layer.

    Returns:
        A dict. It is empty if a value cannot be in a file.
    """

    def described(value):
        if history_of(value) is not None:
            return place(value)
        if isinstance(value, Tensor):
            value = values.get_value(value)
        return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value

    arguments = nest.map_structure(described, node.arguments)
    try:
        json.dumps(arguments)
    except TypeError:
        logging.warning(
            "Layer %s was passed non-serializable keyword arguments: %s. They will not be included "
            "in the serialized model (and thus will be missing at deserialization time).",
            node.layer.name, node.arguments,
        )  # fmt: skip
        return {}
    return arguments


def rebuilt(config, custom_objects):
    """Makes the layers of a network that a configuration describes, and calls them.

    Args:
        config: The dict that get_config() returned.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A tuple: the inputs, the outputs, and the outputs of the layers that make losses and
        metrics.

    Raises:
        ValueError: A call needs a tensor that no other call makes.
    """
    layers, waiting = {}, []
    for entry in config["layers"]:
        layers[entry["name"]] = deserialize(entry, custom_objects)
        waiting += [(entry["name"], node) for node in entry["inbound_nodes"]]
    made = {name: [n.output_tensors for n in layer.inbound_nodes] for name, layer in layers.items()}

    def tensor(place):
        name, call, index = place[:3]
        return nest.flatten(made[name][call])[index]

    while waiting:
        left = []
        for name, node in waiting:
            sources = _listed(node)
            arguments = sources[0][3] if len(sources[0]) > 3 else {}
            needed = [*sources, *_places_in(arguments, layers)]
            ready = all(len(made[place[0]]) > place[1] for place in needed)
            if not ready or any(n == name for n, _ in left):
                left.append((name, node))
                continue
            inputs = named(node, [tensor(source) for source in sources])
            given = _with_tensors(arguments, layers, tensor)
            made[name].append(layers[name](_alone(inputs), **given))
        if len(left) == len(waiting):
            raise ValueError("the configuration has calls whose inputs are never made")
        waiting = left
    places = [config[key] for key in ("input_layers", "output_layers")]
    ends = [named(found, [tensor(place) for place in _listed(found)]) for found in places]
    added = [layer for layer in layers.values() if isinstance(layer, (AddLoss, AddMetric))]
    return (*map(_alone, ends), [layer.output for layer in added])


def _is_place(value, layers):
    is_list = isinstance(value, (list, tuple)) and len(value) == 3
    return is_list and isinstance(value[0], str) and value[0] in layers


def _places_in(value, layers):
    """The places in further arguments, a list."""
    if _is_place(value, layers):
        return [value]
    if not nest.is_nested(value):
        return []
    parts = value.values() if isinstance(value, dict) else value
    return [place for part in parts for place in _places_in(part, layers)]


def _with_tensors(value, layers, tensor):
    """Further arguments with the tensors whose places they have."""
    if _is_place(value, layers):
        return tensor(value)
    if isinstance(value, dict):
        return {key: _with_tensors(part, layers, tensor) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_tensors(part, layers, tensor) for part in value]
    return value


def _listed(items):
    """The items that named() gave, a list."""
    return [items[key] for key in sorted(items)] if isinstance(items, dict) else items


def _alone(items):
    """The item of a list of one, else the items."""
    return items[0] if isinstance(items, list) and len(items) == 1 else items
