# SPDX-License-Identifier: Apache-2.0
"""The classes of layers by the names that configurations have."""

from ... import nest
from ...graph.elements import Tensor
from ..base.serializing import deserialize_keras_object, serialize_keras_object
from .node import history_of, is_derived

_classes = {}  # name -> class
_recorders = []  # makes layers of operations; it is a layer itself, and so comes after them
aggregations = {}  # what add_metric() may be told -> the class of metrics


def register(*classes):
    """Lets configurations name classes."""
    _classes.update((cls.__name__, cls) for cls in classes)


def set_recorder(record):
    """Says what makes layers of the operations between tensors of layers, a function of a list of
    tensors."""
    _recorders[:] = [record]


def record_operations(tensors):
    """Makes layers of the operations that made tensors of the outputs of layers.

    Args:
        tensors: A list of tensors.
    """
    for record in _recorders:
        record(tensors)


def record_derived(inputs, arguments):
    """Makes layers of the operations between the outputs of layers and what another is called with.

    Args:
        inputs: The inputs, a structure of tensors.
        arguments: The further arguments, a dict.
    """
    tensors = [t for t in nest.flatten(inputs) if isinstance(t, Tensor)]
    new = [t for t in tensors if history_of(t) is None]
    if new and any(is_derived(t) for t in tensors):
        record_operations(new)
    more = [v for v in nest.flatten(arguments) if isinstance(v, Tensor) and history_of(v) is None]
    record_operations([v for v in more if is_derived(v)])


def serialize(layer):
    """Describes a layer.

    Args:
        layer: The layer.

    Returns:
        A dict of "class_name" and "config".
    """
    return serialize_keras_object(layer)


def deserialize(config, custom_objects=None):
    """Makes the layer that serialize() described.

    Args:
        config: The dict.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A layer.

    Raises:
        ValueError: The name is not known.
    """
    if not isinstance(config, str):
        config["class_name"]  # a KeyError tells what lacks
    return deserialize_keras_object(config, _classes, custom_objects, "layer")
