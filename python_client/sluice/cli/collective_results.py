# SPDX-License-Identifier: Apache-2.0
"""The results of the benchmark of collective operations: figures, ratios, and lines of tuning."""

import json
from dataclasses import dataclass, field

from .figures import median

OURS = "sluice"

# Bus bandwidth is the algorithm's bandwidth times this, for n members, as in nccl-tests.
_BUS_FACTORS = {
    "all_reduce": lambda n: 2 * (n - 1) / n,
    "all_gather": lambda n: (n - 1) / n,
    "reduce_scatter": lambda n: (n - 1) / n,
    "all_to_all": lambda n: (n - 1) / n,
    "broadcast": lambda n: 1.0,
}

# In tuning an algorithm stays for the next size unless another is faster than this.
_FASTER = 0.95


@dataclass
class Figure:
    """One row: an operation of one contender by one algorithm."""

    op: str
    contender: str
    transport: str
    algorithm: str
    members: int
    hosts: int
    bytes: int  # of a member's larger operand
    rounds: list  # seconds of one operation
    moved_bytes: float  # of all operations
    wall_seconds: float
    cpu_seconds: float  # of the members
    busy_seconds: float  # of everybody on the machine
    void: str = ""  # why it does not count

    @property
    def key(self):
        return self.op, self.members, self.hosts, self.bytes

    @property
    def seconds(self):
        return median(self.rounds)

    @property
    def algorithm_bandwidth(self):
        """Bytes a second."""
        return self.bytes / self.seconds

    @property
    def bus_bandwidth(self):
        return self.algorithm_bandwidth * _BUS_FACTORS[self.op](self.members)

    @property
    def cpu_seconds_per_gb(self):
        return self.cpu_seconds / max(self.moved_bytes / 1e9, 1e-12)


@dataclass
class Results:
    setting: dict = field(default_factory=dict)
    figures: list = field(default_factory=list)
    missing: dict = field(default_factory=dict)  # contender -> why

    def take(self, line):
        """A line of JSON that the measuring program printed."""
        said = json.loads(line)
        kind = said.pop("line")
        if kind == "setting":
            self.setting = said
        elif kind == "missing":
            self.missing[f"{said['contender']} ({said['transport']})"] = said["why"]
        else:
            self.figures.append(Figure(**said))

    def peers(self):
        return list(dict.fromkeys(f.contender for f in self.figures if f.contender != OURS))

    def ratio(self, figure, peer):
        """How many times as fast as the peer a figure of ours is: the median of the rounds' ratios.
        None if the peer was not measured.

        Of several algorithms of the peer the fastest counts. A peer without the transport counts
        with the one it has.
        """
        theirs = [f for f in self.figures if f.contender == peer and f.key == figure.key]
        same = [f for f in theirs if f.transport == figure.transport]
        if not theirs:
            return None
        best = min(same or theirs, key=lambda f: f.seconds)
        return median([other / own for other, own in zip(best.rounds, figure.rounds)])


# ---- tuning ------------------------------------------------------------------------------------


def _hosts_name(members, hosts):
    return "kOne" if hosts == 1 else "kAny" if hosts == members else "kShared"


def _fastest(figures):
    """Pairs of a size, at most, and the algorithm for it."""
    chosen = []
    for size in sorted({f.bytes for f in figures}):
        of = {f.algorithm: f.seconds for f in figures if f.bytes == size}
        best = min(of, key=of.get)
        if chosen:
            last = chosen[-1][1]
            if best == last or (last in of and of[best] > _FASTER * of[last]):
                chosen[-1] = (size, last)
                continue
        chosen.append((size, best))
    return chosen


def _size_text(size):
    for shift in (20, 10):
        if size % (1 << shift) == 0:
            return f"{size >> shift} << {shift}"
    return str(size)


def tuning_lines(results):
    """Lines for kChoices in worker_service/groups/algorithms/selection.cc, by the fastest figures.

    The last size and the last number of members that were measured stand for all larger ones.
    """
    for op in dict.fromkeys(f.op for f in results.figures):
        figures = [f for f in results.figures if f.op == op]
        if len({f.algorithm for f in figures}) == 1:
            yield _line(op, "kAny", None, None, figures[0].algorithm)
            continue
        for hosts in ("kOne", "kShared", "kAny"):
            on = [f for f in figures if _hosts_name(f.members, f.hosts) == hosts]
            by_members = {
                members: _fastest([f for f in on if f.members == members])
                for members in sorted({f.members for f in on})
            }
            counts = list(by_members)
            for members, larger in zip(counts, [*counts[1:], None]):
                chosen = by_members[members]
                if larger is not None and chosen == by_members[larger]:
                    continue
                for size, algorithm in chosen:
                    last = size == chosen[-1][0]
                    yield _line(op, hosts, larger and members, None if last else size, algorithm)


def _line(op, hosts, members, size, algorithm):
    """None: any number of members, any size."""
    name = "k" + op.title().replace("_", "")
    members = "kAnyMembers" if members is None else members
    size = "kAnySize" if size is None else _size_text(size)
    return f'    {{{name}, Hosts::{hosts}, {members}, {size}, "{algorithm}"}},'
