# SPDX-License-Identifier: Apache-2.0
"""Values that consist of one component for each replica, and nested structures of them."""

from .. import nest
from ..graph.convert import convert_to_tensor
from ..graph.elements import IndexedSlices, Operation, Tensor


class DistributedValues:
    """A value that each replica has its own component of.

    Args:
        values: The components, in the order of the replicas.
    """

    def __init__(self, values):
        self._values = tuple(values)

    @property
    def values(self):
        """The components, a tuple."""
        return self._values

    @property
    def primary(self):
        """The component of the first replica."""
        return self._values[0]

    def __repr__(self):
        parts = ", ".join(f"{i}: {v!r}" for i, v in enumerate(self._values))
        return f"{type(self).__name__}({{{parts}}})"


class PerReplica(DistributedValues):
    """A value that differs between replicas."""


class Mirrored(DistributedValues):
    """A value that is the same for all replicas, with a copy on the device of each."""

    def _as_graph_element(self):
        return self.primary


def contain(container, components):
    """Makes a distributed variable the container of its components."""
    for component in components:
        component._container = container


def container_of(value):
    """The distributed variable that a variable is a component of; else the value itself."""
    return getattr(value, "_container", value)


def regroup(values, wrap=PerReplica):
    """Makes one nested structure of distributed values of one nested structure for each replica.

    Args:
        values: The structures, a list or tuple with an item for each replica.
        wrap: The class of the distributed values.

    Returns:
        The structure. What is the same object for all replicas stays as it is.
    """
    first = values[0]
    if isinstance(first, (list, tuple)):
        if any(len(v) != len(first) for v in values):
            raise ValueError(f"replicas returned lists of different lengths: {list(values)}")
        parts = [regroup(column, wrap) for column in zip(*values)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if isinstance(first, dict):
        if any(set(v) != set(first) for v in values):
            raise ValueError(f"replicas returned dicts of different keys: {list(values)}")
        return type(first)((k, regroup([v[k] for v in values], wrap)) for k in first)
    containers = [container_of(v) for v in values]
    if all(c is containers[0] for c in containers):
        return containers[0]
    if isinstance(first, str) and all(v == first for v in values):
        return first  # the name of what all replicas share
    return wrap(values)


def select_replica(number, structure):
    """The part of a nested structure that a replica has.

    Args:
        number: The number of the replica.
        structure: A structure; what is not distributed is the same for all.
    """
    return mapped(lambda v: v.values[number] if isinstance(v, DistributedValues) else v, structure)


def mapped(function, structure):
    """nest.map_structure() that also takes plain values of other classes."""
    return nest.map_structure(function, structure) if nest.is_nested(structure) else function(
        structure
    )  # fmt: skip


def components(value):
    """The components of a value, a tuple: the value itself if it is not distributed."""
    if isinstance(value, DistributedValues):
        return value.values
    return getattr(value, "components", None) or (value,)


def is_tensor_like(value):
    """Whether a value is made of tensors of the graph."""
    return isinstance(value, (Tensor, IndexedSlices, Operation))


def as_tensor(value):
    """A tensor or IndexedSlices of a component."""
    return value if isinstance(value, IndexedSlices) else convert_to_tensor(value)
