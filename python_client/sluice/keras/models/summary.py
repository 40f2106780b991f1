# SPDX-License-Identifier: Apache-2.0
"""What summary() prints."""

import numpy as np

from ..base.serializing import class_name
from ..engine.parts import once


def _count(variables):
    return int(sum(np.prod(v.shape.as_list(), dtype=int) for v in once(variables)))


def print_summary(model, line_length=None, positions=None, print_fn=None):
    """Prints the layers of a model. See Model.summary()."""
    if not model.built:
        raise ValueError(
            "This model has not yet been built. Build the model first by calling `build()` or "
            "calling `fit()` with some data, or specify an `input_shape` argument in the first "
            "layer(s) for automatic build."
        )
    say = print if print_fn is None else print_fn
    linear = _is_linear(model)
    width = line_length or (65 if linear else 98)
    columns = positions or ([0.45, 0.85, 1.0] if linear else [0.33, 0.55, 0.67, 1.0])
    ends = [int(width * c) for c in columns] if columns[-1] <= 1 else columns
    heads = ["Layer (type)", "Output Shape", "Param #", *([] if linear else ["Connected to"])]
    say(f'Model: "{model.name}"')
    say("_" * width)
    _row(heads, ends, say)
    say("=" * width)
    layers = model.layers
    for number, layer in enumerate(layers):
        _layer(layer, model, ends, linear, say)
        say(("=" if number == len(layers) - 1 else "_") * width)
    _totals(model, say)
    say("_" * width)


def _row(fields, ends, say):
    line = ""
    for number, field in enumerate(fields):
        line = line[:-1] + " " if number else line
        line = (line + str(field))[: ends[number]]
        line += " " * (ends[number] - len(line))
    say(line)


def _layer(layer, model, ends, linear, say):
    try:
        shape = layer.inbound_nodes[0].output_shapes if layer.inbound_nodes else layer.output_shape
    except AttributeError:
        shape = "multiple"
    count = layer.count_params() if layer.built else "0 (unused)"
    fields = [f"{layer.name} ({class_name(layer)})", shape, count]
    if linear:
        _row(fields, ends, say)
        return
    members = set(model.traced.nodes)
    sources = [
        f"{s.layer.name}[{s.node_index}][{s.tensor_index}]"
        for node in layer.inbound_nodes if node in members for s in node.sources
    ]  # fmt: skip
    _row([*fields, sources[0] if sources else ""], ends, say)
    for source in sources[1:]:
        _row(["", "", "", source], ends, say)


def _totals(model, say):
    changed = model.compiled_weights()  # may differ from those that are trainable now
    trained = _count(model.trainable_weights if changed is None else changed)
    fixed = _count(model.non_trainable_weights)
    say(f"Total params: {trained + fixed:,}")
    say(f"Trainable params: {trained:,}")
    say(f"Non-trainable params: {fixed:,}")


def _is_linear(model):
    """Whether each layer takes what the one before returns."""
    if model.traced is None or class_name(model) == "Sequential":
        return True
    members, depths = model.traced.nodes, list(model.traced.depths.values())
    if len(depths) != len(set(depths)) or any(len(node.sources) > 1 for node in members):
        return False
    kept = set(members)
    return all(sum(n in kept for n in layer.inbound_nodes) <= 1 for layer in model.layers)
