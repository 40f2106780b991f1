# SPDX-License-Identifier: Apache-2.0
"""Copies of models with variables of their own, and what a tensor is made of."""

from ... import nest
from ..base.ragged_rows import op_of
from ..engine.input_layer import Input, InputLayer
from ..engine.node import history_of
from .distributed_copy import clone_by
from .model import Model
from .network import node_of
from .sequential import Sequential


def clone_model(model, input_tensors=None, clone_function=None):
    """Makes a model of the same layers, with variables of its own.

    Args:
        model: The model.
        input_tensors: Its inputs, a list of tensors. None: placeholders.
        clone_function: A function of a layer that returns a layer. None: layers are made again
            from their configurations.

    Returns:
        A Model.

    Raises:
        ValueError: The class of the model defines call().
    """
    copy = clone_function or _copied
    if not isinstance(model, Model):
        raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
    if isinstance(model, Sequential):
        added = model.traced.added if model.traced else ()
        layers = [copy(layer) for layer in model.layers if layer not in added]
        if input_tensors is None:
            clone = Sequential(layers, name=model.name)
            if added:
                known = {id(a): b for a, b in zip(model.inputs, clone.inputs)}
                copies = dict(zip(model.layers, layers))
                known.update((id(a.output), b.output) for a, b in copies.items())
                copies.update((layer, copy(layer)) for layer in added)
                _add_beside(model, clone, copies, known)
            return clone
        start, given = nest.flatten(input_tensors)[0], getattr(model, "input_names", ())
        outputs = start = _as_input(start, given[0] if given else op_of(start).name)
        for layer in layers:
            outputs = layer(outputs)
        return Model(start, outputs, name=model.name)
    if not model.is_functional:
        raise ValueError(
            "Expected `model` argument to be a functional `Model` instance, but got a subclass "
            "model instead."
        )
    return _functional(model, input_tensors, copy)


def _copied(layer):
    return type(layer).from_config(layer.get_config())


def _as_input(tensor, name):
    """A tensor as an input of a model: one of a program's own gets a layer."""
    if history_of(tensor) is not None:
        return tensor
    return Input(tensor=tensor, name=f"input_wrapper_for_{name}")


def _functional(model, input_tensors, copy):
    copies = {
        layer: copy(layer) for layer in model.layers
        if input_tensors is None or not isinstance(layer, InputLayer)
    }  # fmt: skip
    if input_tensors is None:
        starts = [copies[history_of(t).layer].output for t in model.inputs]
    else:
        starts = [
            _as_input(tensor, name)
            for tensor, name in zip(nest.flatten(input_tensors), model.input_names)
        ]
    known = {id(old): new for old, new in zip(model.inputs, starts)}
    _call_again(model.traced.nodes, copies, known)
    ends = nest.map_structure(lambda t: known[id(t)], model.nested_outputs)
    clone = Model(starts if len(starts) > 1 else starts[0], ends, name=model.name)
    _add_beside(model, clone, copies, known)
    return clone


def _call_again(nodes, copies, known):
    """Calls copies of layers as the layers were called.

    Args:
        nodes: The calls, each after those that made its inputs.
        copies: A dict: layer -> its copy.
        known: A dict: id of a tensor -> the one in its place. It gets those that are made.
    """
    for node in nodes:
        outputs = nest.flatten(node.output_tensors)
        if all(id(t) in known for t in outputs):
            continue
        sources = nest.map_structure(lambda t: known[id(t)], node.input_tensors)
        made = copies[node.layer](sources, **node.arguments_for(known))
        known.update((id(old), new) for old, new in zip(outputs, nest.flatten(made)))


def _add_beside(model, clone, copies, known):
    """Gives a copy the losses and metrics that a program added to a model."""
    _call_again(model.traced.nodes, copies, known)
    for end in model.added_ends:
        clone.add_end(known[id(end)])


def get_source_inputs(tensor, layer=None, node_index=None):
    """Finds the inputs that a tensor is made of.

    Args:
        tensor: The tensor, which a layer made.
        layer: Accepted. The tensor knows it.
        node_index: Accepted. The tensor knows it.

    Returns:
        A list of tensors.
    """
    del layer, node_index
    found, waiting, seen = {}, [tensor], set()
    while waiting:
        node = node_of(waiting.pop())
        if node in seen:
            continue
        seen.add(node)
        sources = nest.flatten(node.input_tensors)
        if not node.sources:
            found.update((id(t), t) for t in nest.flatten(node.output_tensors))
            continue
        waiting += reversed(sources)
    return list(found.values())


def convert_all_kernels_in_model(model):
    """Does nothing: no kernel is of another system.

    Args:
        model: The model.
    """
    del model


clone_by(clone_model)
