# SPDX-License-Identifier: Apache-2.0
"""The beginning and the end, and the numbers of this process."""

from . import task
from .process_sets import add_at_start, forget_all


def init(comm=None, process_sets=None, config=None):
    """Finds the other ranks, and starts the server of this one. A second call does nothing.

    `sluice run`, mpirun and Slurm say which rank this process is; without them there is one rank.
    See docs/horovod.md for the variables. At its end a process waits up to 5 s for the others.

    Args:
        comm: Must be None: there are no communicators of MPI.
        process_sets: Sets of ranks to add, a list as for add_process_set(); a set may occur twice.
            None: none.
        config: A ConfigProto of the client, whose devices, GPUs and numbers of threads apply to the
            server. None: the defaults; several ranks of a host take one GPU each.

    Raises:
        RendezvousError: A rank does not come within 120 s, or the number of seconds that
            SLUICE_RENDEZVOUS_TIMEOUT sets.
        ValueError: A variable of the environment makes no sense.
    """
    if comm is not None:
        raise ValueError("init() takes no communicator: start the ranks that should work together")
    fresh = not task.is_started()
    task.start(config)
    if fresh and process_sets and process_sets != "dynamic":
        add_at_start(process_sets)


def shutdown():
    """Waits up to 5 s for the other ranks to end too, and ends the server."""
    forget_all()
    task.stop()


def is_initialized():
    """Returns whether init() was called.

    Returns:
        A bool.
    """
    return task.is_started()


def rank():
    """Returns the number of this process.

    Returns:
        An int, from 0 to size() - 1.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().rank


def size():
    """Returns how many processes there are.

    Returns:
        An int.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().size


def local_rank():
    """Returns the number of this process among those of its host.

    Returns:
        An int.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().local_rank


def local_size():
    """Returns how many processes its host has.

    Returns:
        An int.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().local_size


def cross_rank():
    """Returns the number of its host among the hosts that have this local rank.

    Returns:
        An int.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().cross_rank


def cross_size():
    """Returns how many hosts have this local rank.

    Returns:
        An int.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().cross_size


def is_homogeneous():
    """Returns whether all hosts have the same number of processes.

    Returns:
        A bool.

    Raises:
        ValueError: init() was not called.
    """
    return task.numbers().homogeneous
