# SPDX-License-Identifier: Apache-2.0
"""The results of the benchmark of transports, which rows count, and the ratios that matter."""

import json
from dataclasses import dataclass, field

from .bench_programs import disturbed
from .figures import median

_SLOW = 0.7  # of its known figure: the machine is not itself

# transport -> what does the same work without us, by metric.
_TCP = {"latency": "raw-tcp", "bandwidth": "raw-tcp", "exchanges": "raw-tcp"}
_SHM = {"latency": "unix", "bandwidth": "memcpy", "exchanges": "unix"}
_GRPC = {"latency": "grpc-stream", "bandwidth": "raw-tcp", "exchanges": "grpc-stream"}
_RAW_PEERS = {
    "tcp": _TCP, "tcp-spin": _TCP, "tcp-unsummed": _TCP, "runtime-tcp": _TCP,
    "shm": _SHM, "runtime-shm": _SHM, "shm-spin": {**_SHM, "latency": "spin"},
    "grpc": _GRPC, "runtime-grpc": _GRPC, "grpc-unary": {m: "grpc-unary" for m in _GRPC},
}  # fmt: skip

# The rows to show: metric, payload, transport, its peer, and the ratio that is aimed at.
_LARGE, _SMALL = str(64 << 20), "4"
WANTED = [
    ("bandwidth", _LARGE, "grpc", "raw-tcp", ">= 0.7"),
    ("bandwidth", _LARGE, "tcp", "raw-tcp", ">= 0.95"),
    ("bandwidth", _LARGE, "tcp", "tcp-unsummed", ">= 0.97"),
    ("bandwidth", _LARGE, "shm", "memcpy", ">= 0.85"),
    ("bandwidth", _LARGE, "runtime-grpc", "grpc", ">= 0.9"),
    ("bandwidth", _LARGE, "runtime-tcp", "tcp", ">= 0.9"),
    ("bandwidth", _LARGE, "runtime-shm", "shm", ">= 0.9"),
    ("latency", _SMALL, "tcp", "raw-tcp", "<= 1.3"),
    ("latency", _SMALL, "tcp-spin", "raw-tcp", ""),
    ("latency", _SMALL, "shm-spin", "spin", "<= 8"),
    ("latency", _SMALL, "shm", "unix", "<= 1.5"),
    ("latency", _SMALL, "grpc", "grpc-stream", "<= 1.2"),
    ("latency", _SMALL, "runtime-tcp", "tcp-spin", ""),
    ("latency", _SMALL, "runtime-shm", "shm-spin", ""),
    ("latency", _SMALL, "runtime-grpc", "grpc", ""),
    ("bandwidth", _LARGE, "tf-on-sluice", "tf-servers", ""),
    ("latency", _SMALL, "tf-on-sluice", "tf-servers", ""),
]


@dataclass
class Figure:
    """One row: a metric of one transport and one payload. Of latency the unit is seconds one way,
    of bandwidth bytes a second, of exchanges (servers and workers) exchanges a second."""

    metric: str
    transport: str
    layer: str  # "channel", "runtime", "peer"
    payload: str
    bytes: int
    buffers: list
    serialised: bool
    rounds: list
    moved_bytes: float
    wall_seconds: float
    cpu_seconds: float  # of the benchmark's processes
    busy_seconds: float  # of everybody on their machines
    percentiles: dict = field(default_factory=dict)  # "p50", "p90", "p99", "p99.9" of latency
    void: str = ""  # why it does not count

    @property
    def key(self):
        return self.metric, self.payload, self.serialised

    @property
    def value(self):
        return self.percentiles.get("p50", median(self.rounds))

    @property
    def messages_per_second(self):
        return self.value / self.bytes

    @property
    def cpu_seconds_per_gb(self):
        return self.cpu_seconds / max(self.moved_bytes / 1e9, 1e-12)


@dataclass
class Ratio:
    metric: str
    payload: str
    transport: str
    peer: str
    aim: str
    value: float  # the median of the rounds' ratios
    void: str = ""


@dataclass
class Results:
    setting: dict = field(default_factory=dict)
    figures: list = field(default_factory=list)
    missing: dict = field(default_factory=dict)  # transport -> why

    def take(self, line):
        """A line of JSON that the measuring program printed."""
        said = json.loads(line)
        kind = said.pop("line")
        if kind == "setting":
            self.setting = said
        elif kind == "missing":
            self.missing[said["transport"]] = said["why"]
        else:
            said["percentiles"] = {
                name: said.pop(name) for name in ("p50", "p90", "p99", "p99.9") if name in said
            }
            said.pop("samples", None)
            self.figures.append(Figure(**said))

    def find(self, key, transport):
        for figure in self.figures:
            if figure.key == key and figure.transport == transport:
                return figure
        return None

    def mark_void(self, known=()):
        """Says of each figure that does not count why. known: figures of earlier runs."""
        best = {}
        for figure in [*self.figures, *known]:
            seen = best.get((figure.key, figure.transport))
            rounds = figure.rounds if seen is None else [*figure.rounds, seen]
            better = min if figure.metric == "latency" else max
            best[figure.key, figure.transport] = better(rounds)
        for figure in self.figures:
            figure.void = disturbed(figure) or self._slow_peer(figure, best)

    def _slow_peer(self, figure, best):
        name = _RAW_PEERS.get(figure.transport, {}).get(figure.metric, figure.transport)
        peer = self.find(figure.key, name)
        if peer is None:
            return ""
        known, now = best[peer.key, name], median(peer.rounds)
        share = known / now if figure.metric == "latency" else now / known
        return f"{name} did {share:.0%} of its best" if share < _SLOW else ""

    def ratios(self):
        """Those of WANTED that were measured."""
        found = []
        for metric, payload, transport, peer, aim in WANTED:
            key = metric, payload, False
            mine, other = self.find(key, transport), self.find(key, peer)
            if mine and other:
                value = median([a / b for a, b in zip(mine.rounds, other.rounds) if b > 0] or [0])
                found.append(
                    Ratio(metric, payload, transport, peer, aim, value, mine.void or other.void)
                )
        return found
