# SPDX-License-Identifier: Apache-2.0
"""Iterators in checkpoints."""

from ..graph.default_graph import colocate_with
from ..ops import raw_ops
from .iterators import resource_of


class SavedIterator:
    """The position of an iterator, as a Saver takes it."""

    def __init__(self, resource):
        self._resource, self.op, self.device = resource, resource.op, resource.device
        self.name = resource.name
        state = raw_ops.SerializeIterator(resource_handle=resource)
        self.tensors = [(self.name + "-state", state)]

    def restore(self, values):
        with colocate_with(self.op):
            return raw_ops.DeserializeIterator(resource_handle=self._resource, serialized=values[0])


def make_saveable_from_iterator(iterator):
    """Makes what a Saver saves of an iterator: its position in the data set.

    Args:
        iterator: An Iterator.

    Returns:
        An object for the collection GraphKeys.SAVEABLE_OBJECTS, or for the list of a Saver.

    Example:
        >>> iterator = sl.data.Dataset.range(9).make_initializable_iterator()
        >>> saveable = sl.data.experimental.make_saveable_from_iterator(iterator)
        >>> sl.add_to_collection(sl.GraphKeys.SAVEABLE_OBJECTS, saveable)
    """
    return SavedIterator(resource_of(iterator))
