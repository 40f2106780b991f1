# SPDX-License-Identifier: Apache-2.0
"""Sets of ranks that reduce and gather among themselves."""

import hashlib

from . import task


class ProcessSet:
    """A set of ranks, for the argument process_set of all operations.

    Pass it to init() or add_process_set() on all ranks, those outside of it too.

    Args:
        ranks: The ranks, a list of ints. Their order does not matter.
    """

    process_set_id = None  # until add_process_set()

    def __init__(self, ranks):
        self._given = sorted({int(rank) for rank in ranks})

    @property
    def ranks(self):
        """The ranks in it, a sorted list of ints."""
        return list(self._given)

    def size(self):
        """Returns how many ranks are in it.

        Returns:
            An int.
        """
        return len(self.ranks)

    def rank(self):
        """Returns the position of this process in the set.

        Returns:
            An int.

        Raises:
            ValueError: This process is not in the set.
        """
        own = task.numbers().rank
        if own not in self.ranks:
            raise ValueError(f"rank {own} is not in {self}")
        return self.ranks.index(own)

    def included(self):
        """Returns whether this process is in the set.

        Returns:
            A bool.
        """
        return task.numbers().rank in self.ranks

    def __repr__(self):
        return f"ProcessSet(process_set_id={self.process_set_id}, ranks={self.ranks})"


class _AllRanks(ProcessSet):
    process_set_id = 0

    def __init__(self):
        super().__init__([])

    @property
    def ranks(self):
        return list(range(task.numbers().size))

    def __repr__(self):
        return "global_process_set"


global_process_set = _AllRanks()
_added = {0: global_process_set}  # process_set_id -> ProcessSet


def is_own(rank, process_set):
    """Whether a rank of the set is this process. ValueError: this process is not in the set."""
    return process_set.ranks.index(rank) == process_set.rank()


def add_process_set(process_set):
    """Adds a set of ranks. All ranks add the same sets in the same order.

    Args:
        process_set: A ProcessSet, or its ranks as a list of ints.

    Returns:
        The ProcessSet, which has a process_set_id now.

    Raises:
        ValueError: It is empty, has a rank that is not there, or was added before.
    """
    if not isinstance(process_set, ProcessSet):
        process_set = ProcessSet(process_set)
    size, ranks = task.numbers().size, process_set.ranks
    if not ranks or ranks[0] < 0 or ranks[-1] >= size:
        raise ValueError(f"a process set has ranks from 0 to {size - 1}, not {ranks}")
    for known in list(_added.values()):
        if known is process_set or known is not global_process_set and known.ranks == ranks:
            raise ValueError(f"{known} was added before")
    process_set.process_set_id = max(_added) + 1
    _added[process_set.process_set_id] = process_set
    return process_set


def remove_process_set(process_set):
    """Removes a set of ranks. Operations that were built with it stay.

    Args:
        process_set: A ProcessSet.

    Returns:
        Whether it had been added. A bool.
    """
    if process_set.process_set_id in (None, 0):
        return False
    del _added[process_set.process_set_id]
    process_set.process_set_id = None
    return True


def added(process_set_id):
    """The ProcessSet with an id. ValueError: there is none."""
    if process_set_id not in _added:
        raise ValueError(f"no process set has the id {process_set_id}")
    return _added[process_set_id]


def forget_all():
    """Removes all sets."""
    for process_set in list(_added.values()):
        remove_process_set(process_set)


def check(process_set):
    """Raises ValueError unless this process may use the set for an operation."""
    if process_set.process_set_id is None:
        raise ValueError(f"{process_set} was not added: call hvd.add_process_set() on all ranks")
    if not process_set.included():
        raise ValueError(f"rank {task.numbers().rank} is not in {process_set}")


def group_key(process_set):
    """The key of the group of tasks, an int of 31 bits: equal on all of its members."""
    text = "sluice.hvd ranks " + ",".join(map(str, process_set.ranks))
    return 1 + int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % 0x7FFFFFFE
