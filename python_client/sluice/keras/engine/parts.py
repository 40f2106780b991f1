# SPDX-License-Identifier: Apache-2.0
"""The layers and variables that the attributes of a layer hold."""

from ...layers import layer as plain
from ...ops.state.variables import Variable
from ...training.object_graph import is_node, takes_part
from ..base import state

# Attributes in which Layer and Model keep things: layers in these are not parts of the layer.
_OWN = frozenset("""
    _layers _tracked _compiled _of_outputs _functions _results _updates _losses _loss_functions
    _trainable_weights _non_trainable_weights inbound_nodes outbound_nodes measured loss
    loss_weights history _session_arguments nested_inputs nested_outputs inputs outputs traced
    added_ends _compiled_states added_losses input_spec _input_spec sample_weight_mode _descended
    ends
""".split())  # fmt: skip

_KINDS = ("trainable", "non_trainable")


class Parts:
    """Makes the layers and variables in attributes, also those in lists and dicts, parts of a
    layer; they go when their attribute is set anew or deleted."""

    def _parts(self):
        """The layers that attributes hold, in the order in which they were set, each once. The
        variables that several layers hold count for each, as in TensorFlow 1.15."""
        return layers_inside(vars(self).setdefault("_layers", []))

    def __setattr__(self, name, value):
        if name not in _OWN:
            self._release(name, value)
            self._keep(name, value)
        try:
            super().__setattr__(name, value)
        except AttributeError:
            raise AttributeError(
                f'Can\'t set the attribute "{name}", likely because it conflicts with an existing '
                "read-only @property of the object. Please choose a different name."
            ) from None

    def __delattr__(self, name):
        self._release(name)
        vars(self).get("_tracked", {}).pop(name, None)
        super().__delattr__(name)

    def _release(self, name, following=None):
        """Lets a layer or variable, or a list or dict of them, go when no other attribute holds
        it."""
        old = vars(self).get(name)
        kinds = (plain.Layer, Variable, list, tuple, dict)
        if old is None or old is following or not isinstance(old, kinds):
            return
        others = (value for key, value in vars(self).items() if key not in _OWN and key != name)
        if any(other is old for other in others):
            return
        for key in ("_layers", "_trainable_weights", "_non_trainable_weights"):
            vars(self)[key] = [part for part in vars(self).get(key, ()) if part is not old]

    def _keep(self, name, value):
        """Makes the value of an attribute a part of the layer, if it can be one."""
        tracked = vars(self).setdefault("_tracked", {})
        parts = vars(self).setdefault("_layers", [])
        if not is_node(value) or isinstance(value, (list, tuple, dict)) and value and (
            not _holds(value)
        ):  # fmt: skip
            tracked.pop(name, None)
            return
        tracked[name] = value
        if isinstance(value, (plain.Layer, list, tuple, dict)):
            if not any(value is part for part in parts):
                parts.append(value)
            for part in _inside(value, plain.Layer):
                part.uses_resources = True  # the optimizers of Keras have no others
        lists = [vars(self).setdefault(f"_{kind}_weights", []) for kind in _KINDS]
        for variable in _inside(value, Variable):
            if not any(variable is v for known in lists for v in known):
                lists[0 if variable.trainable else 1].append(variable)
                state.track_variable(variable)

    def checkpoint_children(self):
        """Returns what a checkpoint saves of the layer.

        Returns:
            A list of pairs of a name and an object.
        """
        return [(name, value) for name, value in self._tracked.items() if _holds(value)]

    def family(self):
        """Returns the layer and those inside, of any depth.

        Returns:
            A list of layers.
        """
        found, waiting = {}, [self]
        while waiting:
            layer = waiting.pop()
            if id(layer) not in found:
                found[id(layer)] = layer
                waiting += layer._parts() if isinstance(layer, Parts) else []
        return list(found.values())

    def _nested(self, attribute):
        return [item for part in self._parts() for item in getattr(part, attribute)]


def layers_inside(value):
    """The layers that a layer, a list or a dict holds, each once."""
    return once(_inside(value, plain.Layer))


def weights_inside(value, attribute, trainable):
    """The variables of a layer, or of a list or dict of layers and variables.

    Args:
        value: The layer, list or dict.
        attribute: "weights", "trainable_weights" or "non_trainable_weights".
        trainable: Whether the variables of a list or dict are trained, if their layers say so.

    Returns:
        A list. Of a list or dict the trainable variables come first.
    """
    if isinstance(value, plain.Layer):
        return getattr(value, attribute)
    layers, own = layers_inside(value), once(_inside(value, Variable))
    trained = [v for layer in layers for v in layer.trainable_weights]
    trained += [v for v in own if v.trainable]
    others = [v for layer in layers for v in layer.non_trainable_weights]
    others += [v for v in own if not v.trainable]
    if attribute == "weights":
        return trained + others
    if attribute == "trainable_weights":
        return trained if trainable else []
    return others if trainable else trained + others


def _inside(value, kind):
    """The objects of a class in lists and dicts, which may still change."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return []
    return [found for part in value for found in _inside(part, kind)]


def _holds(value):
    """Whether a value is an object that is saved, or holds one."""
    if not isinstance(value, (list, tuple, dict)):
        return takes_part(value)
    return any(_holds(part) for part in (value.values() if isinstance(value, dict) else value))


def once(items):
    """The items of a list without repetitions."""
    seen = set()
    return [item for item in items if not (id(item) in seen or seen.add(id(item)))]
