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
    mpi_comm = None  # there are no communicators of MPI

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

    def __str__(self):
        return (
            f"ProcessSet(process_set_id={self.process_set_id}, ranks={self.ranks},"
            f" mpi_comm={self.mpi_comm})"
        )

    def __repr__(self):
        return str(self)


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
_added = {0: [global_process_set]}  # process_set_id -> the sets with these ranks, not empty
_freed = []  # the ids of removed sets, in their order


def is_own(rank, process_set):
    """Whether a rank of the set is this process. ValueError: this process is not in the set."""
    return process_set.ranks.index(rank) == process_set.rank()


def add_process_set(process_set):
    """Adds a set of ranks. All ranks add the same sets in the same order.

    The ids of removed sets are used again.

    Args:
        process_set: A ProcessSet, or its ranks as a list of ints.

    Returns:
        The ProcessSet, which has a process_set_id now.

    Raises:
        ValueError: It is empty or has a rank that is not there; or a set with these ranks was added
            before. All ranks are such a set.
    """
    process_set = process_set if isinstance(process_set, ProcessSet) else ProcessSet(process_set)
    known = _with_ranks_of(process_set)
    if known is not None:
        raise ValueError(f"{_added[known][0]} was added before")
    _enter(process_set, _freed.pop(0) if _freed else max(_added) + 1)
    return process_set


def add_at_start(process_sets):
    """Adds the sets of init(): one with the ranks of another gets its id.

    Args:
      process_sets: ProcessSets, or lists of ranks.

    Raises:
      ValueError: one is empty, or has a rank that is not there.
    """
    for given in process_sets:
        process_set = given if isinstance(given, ProcessSet) else ProcessSet(given)
        known = _with_ranks_of(process_set)
        if known is None:
            add_process_set(process_set)
        else:
            _enter(process_set, known)


def remove_process_set(process_set):
    """Removes a set of ranks. Operations that were built with it stay.

    Args:
        process_set: A ProcessSet.

    Returns:
        Whether it had been added. A bool.
    """
    number = process_set.process_set_id
    if number == 0 or not _is_added(process_set):
        return False
    for removed in _added.pop(number):
        removed.process_set_id = None
    _freed.append(number)
    return True


def _with_ranks_of(process_set):
    """The id of the set with these ranks, or None. Raises ValueError if a rank does not exist."""
    size, ranks = task.numbers().size, process_set.ranks
    if not ranks or ranks[0] < 0 or ranks[-1] >= size:
        raise ValueError(f"a process set has ranks from 0 to {size - 1}, not {ranks}")
    return next((number for number, sets in _added.items() if sets[0].ranks == ranks), None)


def _enter(process_set, number):
    process_set.process_set_id = number
    _added.setdefault(number, []).append(process_set)


def _is_added(process_set):
    return any(known is process_set for known in _added.get(process_set.process_set_id, ()))


def added(process_set_id):
    """The ProcessSet with an id. ValueError: there is none."""
    if process_set_id not in _added:
        raise ValueError(f"no process set has the id {process_set_id}")
    return _added[process_set_id][0]


def forget_all():
    """Removes all sets."""
    for process_set in [sets[0] for sets in _added.values()]:
        remove_process_set(process_set)
    for process_set in _added[0][1:]:
        process_set.process_set_id = None
    del _added[0][1:], _freed[:]


def check(process_set):
    """Raises ValueError unless the set was added."""
    if not _is_added(process_set):
        raise ValueError(f"{process_set} was not added: call hvd.add_process_set() on all ranks")


def check_included(process_set):
    """Raises ValueError unless this process is in the set, which was added."""
    check(process_set)
    if not process_set.included():
        raise ValueError(
            f"rank {task.numbers().rank} is not in {process_set}: call this function only on ranks"
            " where its included() is true"
        )


def check_root(root_rank, process_set):
    """Raises ValueError unless the root of a broadcast is in the set."""
    if root_rank not in process_set.ranks:
        raise ValueError(
            f"the root, rank {root_rank}, is not in {process_set}: root_rank is one of these"
            " ranks, and not a position among them"
        )


def group_key(process_set):
    """The key of the group of tasks, an int of 31 bits: equal on all of its members."""
    text = "sluice.hvd ranks " + ",".join(map(str, process_set.ranks))
    return 1 + int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % 0x7FFFFFFE
