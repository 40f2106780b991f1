"""Training: the global step, optimizers, learning rates, averages, checkpoints, clusters."""

# ruff: noqa: F401

from . import dtypes
from .cluster import ClusterSpec, Server, replica_device_setter
from .convert import constant
from .coordinator import Coordinator, LooperThread
from .graph import GraphKeys, get_default_graph
from .graph_io import write_graph
from .input_pipeline import *  # noqa: F403
from .learning_rates import *  # noqa: F403
from .moving_averages import ExponentialMovingAverage
from .optimizer import Optimizer
from .optimizers import *  # noqa: F403
from .queue_runner import QueueRunner, add_queue_runner, start_queue_runners
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
