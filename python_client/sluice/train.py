"""Training: the global step, optimizers, learning rates, averages, checkpoints, clusters."""

import os

from . import dtypes
from .cluster import ClusterSpec, Server, replica_device_setter
from .convert import constant
from .graph import GraphKeys, get_default_graph
from .learning_rates import *  # noqa: F403
from .learning_rates import __all__ as _learning_rates
from .moving_averages import ExponentialMovingAverage
from .optimizer import Optimizer
from .optimizers import *  # noqa: F403
from .optimizers import __all__ as _optimizers
from .saver import Saver, checkpoint_exists, get_checkpoint_state, latest_checkpoint
from .variables import Variable


def get_global_step(graph=None):
    """The graph's global step, or None."""
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    return steps[0] if steps else None


def get_or_create_global_step(graph=None):
    """The graph's global step: an int64 scalar variable that counts updates."""
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    if found is not None:
        return found
    with graph.as_default():
        collections = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
        zero = constant(0, dtypes.int64)
        return Variable(zero, trainable=False, collections=collections, name="global_step")


create_global_step = get_or_create_global_step


def global_step(session, global_step_tensor):
    """The global step's value, an int."""
    return int(session.run(global_step_tensor))


def write_graph(graph_or_graph_def, logdir, name, as_text=False):
    """Writes a GraphDef's bytes to logdir/name; the path."""
    if as_text:
        raise NotImplementedError("write_graph: only the binary form; as_text=False")
    data = graph_or_graph_def
    data = data if isinstance(data, bytes) else data.as_graph_def()
    os.makedirs(logdir, exist_ok=True)
    path = os.path.join(logdir, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


__all__ = [
    *_learning_rates, *_optimizers, "ClusterSpec", "ExponentialMovingAverage", "Optimizer", "Saver",
    "Server", "checkpoint_exists", "create_global_step", "get_checkpoint_state", "get_global_step",
    "get_or_create_global_step", "global_step", "latest_checkpoint", "replica_device_setter",
    "write_graph",
]  # fmt: skip
