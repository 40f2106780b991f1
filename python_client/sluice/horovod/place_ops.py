# SPDX-License-Identifier: Apache-2.0
"""The numbers of this process as tensors."""

from . import clients, task
from .process_sets import added


def rank_op(name=None):
    """Makes a tensor of the number of this process.

    Args:
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar.
    """
    return _constant(task.numbers().rank, name or "rank")


def size_op(process_set_id=0, name=None):
    """Makes a tensor of the number of ranks in a process set.

    Args:
        process_set_id: The id of a ProcessSet, an int. 0: all ranks.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar.

    Raises:
        ValueError: No process set has this id.
    """
    return _constant(added(process_set_id).size(), name or "size")


def local_rank_op(name=None):
    """Makes a tensor of the number of this process among those of its host.

    Args:
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar.
    """
    return _constant(task.numbers().local_rank, name or "local_rank")


def local_size_op(name=None):
    """Makes a tensor of the number of processes of its host.

    Args:
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar.
    """
    return _constant(task.numbers().local_size, name or "local_size")


def process_set_included_op(process_set_id=0, name=None):
    """Makes a tensor that says whether this process is in a process set.

    Args:
        process_set_id: The id of a ProcessSet, an int. 0: all ranks.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar: 1, or 0.

    Raises:
        ValueError: No process set has this id.
    """
    return _constant(int(added(process_set_id).included()), name or "process_set_included")


def _constant(value, name):
    tf = clients.v1()
    return tf.constant(value, tf.int32, name=name)
