# SPDX-License-Identifier: Apache-2.0
"""A client that attacks the servers of a cluster in many ways at once, until its input ends.

hostile_client.py SEED PART NAME=HOST:PORT...: the gRPC addresses are named "grpc", others "tcp".
Each of PARTS processes makes its part of the attacks, each on a thread of its own. It prints a line
when it begins, and at its end, as JSON, how often it made them.
"""

import json
import os
import random
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))]

import numpy as np  # noqa: E402
import sluice as sl  # noqa: E402
from faults import raw_http2  # noqa: E402
from interop.tools import http2  # noqa: E402

SECONDS = 2  # the deadline of a step
PARTS = 4
CALLS = (
    "/tensorflow.MasterService/CreateSession", "/tensorflow.MasterService/ExtendSession",
    "/tensorflow.MasterService/RunStep", "/tensorflow.MasterService/MakeCallable",
    "/tensorflow.MasterService/ListDevices", "/tensorflow.WorkerService/GetStatus",
    "/tensorflow.WorkerService/CreateWorkerSession", "/tensorflow.WorkerService/RegisterGraph",
    "/tensorflow.WorkerService/RunGraph", "/tensorflow.WorkerService/RecvTensor",
    "/tensorflow.WorkerService/CleanupGraph", "/sluice.Transports/Handshake",
)  # fmt: skip


class Attacks:
    """Each public function is an attack, made again and again. Errors are what the attacker wants
    to see; it goes on."""

    def __init__(self, seed, grpc, tcp):
        self._grpc, self._tcp = grpc, tcp
        self.draw = random.Random(seed)

    def _run(self, build, feeds=None, target=None):
        target = "grpc://" + (target or self.draw.choice(self._grpc))
        config = sl.ConfigProto(
            operation_timeout_in_ms=1000 * SECONDS, connect_timeout_in_ms=1000 * SECONDS
        )
        with sl.Graph().as_default() as graph:
            fetch, *given = build()
            with sl.Session(target, graph=graph, config=config) as session:
                options = sl.RunOptions(timeout_in_ms=1000 * SECONDS)
                session.run(fetch, dict(zip(given, feeds or [])), options)

    def big_tensors(self):
        size = self.draw.choice([1 << 24, 1 << 27, 1 << 29, 1 << 33])

        def build():
            parts = [sl.fill([sl.placeholder_with_default(size, [])], float(i)) for i in range(4)]
            return [sl.add_n([sl.reduce_sum(part) for part in parts])]

        self._run(build)

    def big_feeds(self):
        def build():
            given = sl.placeholder(sl.float32, [None])
            return sl.reduce_sum(given), given

        self._run(build, [np.ones([self.draw.choice([1 << 22, 1 << 25])], np.float32)])

    def strings(self):
        def build():
            start = sl.constant("ab" * self.draw.randrange(1, 100))
            return [sl.while_loop(lambda s: True, lambda s: sl.strings.join([s, s]), [start])]

        self._run(build)

    def many_strings(self):
        def build():
            text = sl.placeholder_with_default("x" * self.draw.choice([10, 1000]), [])
            return [sl.reduce_sum(sl.strings.length(sl.fill([1 << 22], text)))]

        self._run(build)

    def endless_loops(self):
        def build():
            return [sl.while_loop(lambda i: i >= 0, lambda i: i * 1, [sl.constant(0)])]

        self._run(build)

    def big_graphs(self):
        def build():
            value = sl.placeholder_with_default(1.0, [])
            for _ in range(self.draw.choice([100, 5000])):
                value = value + 1.0
            return [value]

        self._run(build)

    def waiting_steps(self):
        """Many steps of one session wait at the same time."""
        with sl.Graph().as_default() as graph:
            queue = sl.FIFOQueue(1, [sl.float32], [[]])
            waits = queue.dequeue()
            with sl.Session("grpc://" + self.draw.choice(self._grpc), graph=graph) as session:
                options = sl.RunOptions(timeout_in_ms=1000 * SECONDS)
                threads = [
                    threading.Thread(target=_ignored, args=(session.run, waits, None, options))
                    for _ in range(50)
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()

    def calls_at_once(self):
        """Thousands of calls on one connection, whose answers nobody reads."""
        with raw_http2.Connection(self.draw.choice(self._grpc)) as connection:
            path = self.draw.choice(CALLS)
            for number in range(2000):
                connection.send(raw_http2.call_frames(path, 2 * number + 1, b""))

    def rapid_resets(self):
        with raw_http2.Connection(self.draw.choice(self._grpc)) as connection:
            for number in range(2000):
                stream = 2 * number + 1
                connection.send(
                    raw_http2.call_frames(CALLS[4], stream, b"")
                    + http2.frame(http2.RST_STREAM, stream, http2.CANCEL)
                )

    def floods(self):
        """Settings and pings that ask for an answer."""
        with raw_http2.Connection(self.draw.choice(self._grpc)) as connection:
            kind, payload = self.draw.choice([(http2.SETTINGS, b""), (http2.PING, bytes(8))])
            connection.send(http2.frame(kind, payload=payload) * 5000)

    def big_metadata(self):
        with raw_http2.Connection(self.draw.choice(self._grpc)) as connection:
            pairs = [("x-a", chr(97 + n % 26) * 100) for n in range(150)]
            connection.send(raw_http2.call_frames(CALLS[4], 1, b"", pairs))
            connection.receive()

    def silent_connections(self):
        """Hold descriptors for a while."""
        opened = []
        try:
            for _ in range(300):
                address = self.draw.choice(self._grpc + self._tcp)
                opened.append(raw_http2.connect(address, SECONDS))
        finally:
            time.sleep(SECONDS)
            for one in opened:
                one.close()

    def cut_connections(self):
        """Resets in the middle of the first bytes."""
        for _ in range(20):
            hello = raw_http2.HELLO[: self.draw.randrange(len(raw_http2.HELLO))]
            raw_http2.Connection(self.draw.choice(self._grpc + self._tcp), hello).close()

    def malformed_frames(self):
        with raw_http2.Connection(self.draw.choice(self._grpc)) as connection:
            for _ in range(self.draw.randrange(1, 20)):
                kind, flags = self.draw.randrange(12), self.draw.randrange(256)
                payload = self.draw.randbytes(self.draw.randrange(200))
                connection.send(http2.frame(kind, self.draw.randrange(8), payload, flags))
            connection.receive()

    def malformed_streams(self):
        """Bytes for the port of the transport tcp."""
        if self._tcp:
            hello = self.draw.randbytes(self.draw.randrange(1, 2000))
            with raw_http2.Connection(self.draw.choice(self._tcp), hello, SECONDS) as connection:
                connection.receive()

    def malformed_messages(self):
        """Partitions, runs and sessions of random bytes, and of bytes that look like fields."""
        with raw_http2.Connection(self.draw.choice(self._grpc)) as connection:
            for number in range(20):
                message = b"".join(
                    bytes([self.draw.randrange(1, 12) << 3 | 2, length])
                    + self.draw.randbytes(length)
                    for length in [self.draw.randrange(100) for _ in range(self.draw.randrange(9))]
                )
                path = self.draw.choice(CALLS)
                connection.send(raw_http2.call_frames(path, 2 * number + 1, message))
            connection.receive()


def _ignored(function, *arguments):
    try:
        function(*arguments)
    except (OSError, ValueError, RuntimeError, sl.errors.OpError) as error:
        if os.environ.get("SLUICE_TEST_VERBOSE"):
            print(f"{error!r:.300}", file=sys.stderr, flush=True)


def lower_priority():
    """The lowest, also of the process group that Linux schedules as one."""
    os.nice(19)
    if os.path.exists("/proc/self/autogroup"):
        with open("/proc/self/autogroup", "w") as group:
            group.write("19")


def main():
    lower_priority()
    seed, part, *addresses = sys.argv[1:]
    addresses = [text.split("=") for text in addresses]
    named = {kind: [a for k, a in addresses if k == kind] for kind in ("grpc", "tcp")}
    names = [name for name in vars(Attacks) if not name.startswith("_")][int(part) :: PARTS]
    counts, stop = dict.fromkeys(names, 0), threading.Event()

    def attack(name):
        attacks = Attacks(f"{seed}/{name}", **named)
        while not stop.is_set():
            _ignored(getattr(attacks, name))
            counts[name] += 1
            stop.wait(attacks.draw.uniform(0, 0.2))

    for name in names:
        threading.Thread(target=attack, args=(name,), daemon=True).start()
    print("attacks", flush=True)
    sys.stdin.read()
    stop.set()
    print(json.dumps(counts), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
