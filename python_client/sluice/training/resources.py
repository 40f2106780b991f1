# SPDX-License-Identifier: Apache-2.0
"""Resources besides variables and tables that sessions initialise, such as ensembles of trees."""

from collections import namedtuple

from ..graph.default_graph import get_default_graph, name_scope
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops import math
from ..ops.array.selecting import boolean_mask

_Resource = namedtuple("_Resource", "handle create is_initialized")


def register_resource(handle, create, is_initialized, is_shared=True):
    """Lets sessions initialise a resource.

    Args:
        handle: The tensor of its handle.
        create: The Operation that initialises it.
        is_initialized: A bool scalar, a tensor.
        is_shared: Whether it is part of the model, which the chief initialises. A bool. False:
            each session initialises its own.
    """
    key = GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES
    get_default_graph().add_to_collection(key, _Resource(handle, create, is_initialized))


def initializers(key):
    """The Operations that initialise the resources of a collection, a list."""
    return [resource.create for resource in get_default_graph().get_collection(key)]


def uninitialized(key):
    """The names of the resources of a collection that are not initialised, a string vector; None
    where the collection is empty."""
    found = get_default_graph().get_collection(key)
    if not found:
        return None
    with name_scope("report_uninitialized_resources"):
        lacking = math.logical_not(arrays.stack([r.is_initialized for r in found]))
        return boolean_mask([r.handle.name for r in found], lacking)
