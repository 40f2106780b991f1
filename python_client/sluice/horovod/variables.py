# SPDX-License-Identifier: Apache-2.0
"""All ranks begin with the variables of one, and can exchange Python objects."""

import functools
import itertools
import pickle

import numpy as np

from . import clients, task
from .gathers import allgather, broadcast_of
from .process_sets import check, check_included, check_root, global_process_set

_calls = itertools.count()


def broadcast_variables(variables, root_rank, process_set=global_process_set):
    """Gives the variables of all ranks the values of one rank.

    The variables of the root must be initialized, those of the others need not be if their shapes
    are known.

    Args:
        variables: Variables, a list in the same order on all ranks.
        root_rank: The rank that has the values, an int.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        An Operation.

    Raises:
        ValueError: The root is not in the process set, or the set was not added.
    """
    tf = clients.v1()
    check(process_set)
    is_root, updates = task.numbers().rank == root_rank, []
    for variable in variables:
        value = broadcast_of(
            variable.read_value, variable.shape, variable.dtype.base_dtype, root_rank,
            f"Broadcast_{variable.op.name}", False, process_set,
        )  # fmt: skip
        updates.append(value if is_root else variable.assign(value))
    return tf.group(*[getattr(update, "op", update) for update in updates])


def broadcast_global_variables(root_rank):
    """Gives the global variables of all ranks the values of one rank.

    Args:
        root_rank: The rank that has the values, an int.

    Returns:
        An Operation.
    """
    return broadcast_variables(clients.v1().global_variables(), root_rank)


def BroadcastGlobalVariablesHook(root_rank, device=""):  # noqa: N802, the name of a class there
    """Makes a hook that broadcasts the global variables after a session was created.

    If another rank has ended by then, the hook raises UnknownError.

    Args:
        root_rank: The rank that has the values, an int.
        device: Device of the operations, a str.

    Returns:
        A SessionRunHook of the client.
    """
    return _hook_class(clients.v1().train.SessionRunHook)(root_rank, device)


@functools.lru_cache(None)
def _hook_class(base):
    class BroadcastHook(base):
        def __init__(self, root_rank, device):
            super().__init__()
            self._root_rank, self._device, self._graph, self._update = root_rank, device, None, None

        def begin(self):
            tf = clients.v1()
            graph = tf.get_default_graph()
            if self._graph is not graph:
                with tf.device(self._device or None):
                    self._update = broadcast_global_variables(self._root_rank)
                self._graph = graph

        def after_create_session(self, session, coord):
            # A monitored session makes another session after an error, and would do so forever.
            ended = task.ended_ranks()
            if ended:
                raise clients.v1().errors.UnknownError(
                    None, None, f"rank {task.numbers().rank} goes on, but rank {ended[0]} has"
                    " ended: all ranks must run the same number of steps",
                )  # fmt: skip
            session.run(self._update)

    return BroadcastHook


def broadcast_object(obj, root_rank=0, session=None, name=None, process_set=global_process_set):
    """Gives all ranks a Python object of one rank. It runs a session.

    Args:
        obj: The object, which can be pickled. The other ranks may give None.
        root_rank: The rank that has the object, an int.
        session: Accepted. It has no effect: the function makes a session of its own.
        name: Name of the operations, a str. None: a default name.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        The object.

    Raises:
        ValueError: The root or this rank is not in the process set.
    """
    del session
    check_root(root_rank, process_set)
    mine = obj if task.numbers().rank == root_rank else None
    found = allgather_object(mine, None, name or "broadcast_object", process_set)
    return found[process_set.ranks.index(root_rank)]


def broadcast_object_fn(root_rank=0, session=None, name=None, process_set=global_process_set):
    """Makes a function that gives all ranks a Python object of one rank.

    Args:
        root_rank: The rank that has the object, an int.
        session: Accepted. It has no effect.
        name: Name of the operations, a str. None: a default name.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        A function of an object, as broadcast_object().
    """

    def of_root(obj):
        return broadcast_object(obj, root_rank, session, name, process_set)

    return of_root


def allgather_object(obj, session=None, name=None, process_set=global_process_set):
    """Gives all ranks the Python objects of all. It runs a session.

    Args:
        obj: The object, which can be pickled.
        session: Accepted. It has no effect: the function makes a session of its own.
        name: Name of the operations, a str. None: a default name.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        A list of objects, in the order of the ranks.

    Raises:
        ValueError: This rank is not in the process set.
    """
    del session
    tf = clients.current().v1
    check_included(process_set)
    data = np.frombuffer(pickle.dumps(obj), np.uint8)
    with tf.Graph().as_default() as graph:
        # A name of its own for each call: the sizes differ.
        name = f"{name or 'allgather_object'}_{next(_calls)}"
        joined = allgather(tf.constant(data), name, process_set=process_set)
        sizes = allgather(tf.constant([len(data)]), name + "_lengths", process_set=process_set)
        with tf.Session(target(), graph, config()) as session:
            joined, sizes = session.run([joined, sizes])
    ends = np.cumsum(sizes)
    return [pickle.loads(joined[end - n : end].tobytes()) for n, end in zip(sizes, ends)]


def target():
    """Returns the target of this rank's sessions.

    Returns:
        A str "grpc://host:port".

    Raises:
        ValueError: init() was not called.
    """
    return task.target_of_sessions()


def config(config=None):
    """Returns what a session of this rank needs besides the target.

    It sees the devices of this rank only, and its variables are its own. Small reductions are
    joined, unless graph_options.rewrite_options.scoped_allocator_optimization is OFF.

    Args:
        config: A ConfigProto of the client, whose other fields are kept. None: the defaults.

    Returns:
        A new ConfigProto.

    Raises:
        ValueError: init() was not called.
    """
    made = clients.current().v1.ConfigProto()
    if config is not None:
        made.CopyFrom(config)
    del made.device_filters[:]
    made.device_filters.append(f"/job:worker/task:{task.numbers().rank}")
    made.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
    made.isolate_session_state = True
    rewrites = made.graph_options.rewrite_options
    if not rewrites.scoped_allocator_optimization:
        rewrites.scoped_allocator_optimization = 1  # ON
        rewrites.scoped_allocator_opts.enable_op.append("CollectiveReduce")
    return made
