# SPDX-License-Identifier: Apache-2.0
"""What all metrics have in common."""

from .. import dtypes
from ..graph.default_graph import get_default_graph
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops.state.kinds import VariableAggregation, VariableSynchronization
from ..ops.state.variables import Variable
from ..strategies import contexts


def counter(name, shape=(), dtype=dtypes.float32):
    """A local variable that a metric counts in. Each replica of a strategy has its own."""
    if contexts.in_cross_replica_context():
        raise RuntimeError(
            "a metric must be made in a replica: in a function that strategy.run() calls"
        )
    keys = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    return Variable(
        lambda: arrays.zeros(shape, dtype), trainable=False, collections=keys, name=name,
        synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.SUM,
    )  # fmt: skip


def aggregated(function):
    """What a function makes of counters. In replicas it is called once, and sees the sums of the
    counters of all replicas."""
    if not contexts.has_strategy():
        return function()
    return contexts.get_replica_context().merge_call(lambda strategy: function())


def collect(value, update, metrics_collections, updates_collections):
    """(value, update), which collections get. The value of all replicas is added once."""
    graph, replica = get_default_graph(), contexts.get_replica_context()
    if replica is None or replica.number == 0:
        graph.add_to_collections(metrics_collections or (), value)
    graph.add_to_collections(updates_collections or (), update)
    return value, update
