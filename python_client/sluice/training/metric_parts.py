# SPDX-License-Identifier: Apache-2.0
"""What all metrics have in common."""

from .. import dtypes
from ..graph.default_graph import get_default_graph
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops.state.variables import Variable


def counter(name, shape=(), dtype=dtypes.float32):
    """A local variable that a metric counts in."""
    keys = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    return Variable(
        lambda: arrays.zeros(shape, dtype), trainable=False, collections=keys, name=name
    )


def collect(value, update, metrics_collections, updates_collections):
    """(value, update), which collections get."""
    graph = get_default_graph()
    for key in metrics_collections or ():
        graph.add_to_collection(key, value)
    for key in updates_collections or ():
        graph.add_to_collection(key, update)
    return value, update
