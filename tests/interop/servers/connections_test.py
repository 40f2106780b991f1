# SPDX-License-Identifier: Apache-2.0
"""Clients that take connections, or a server's time, from others.

An honest client's steps go on, and new clients get in, although all come from one address.
"""

import contextlib
import os
import re
import socket
import struct
import tempfile
import threading
import time

import pytest

from interop.programs.models import tf
from interop.tools import http2
from interop.tools.cluster import SERVER, Cluster

pytestmark = pytest.mark.waits

tf.disable_v2_behavior()

DESCRIPTORS = 128
SILENCE = 10  # seconds that a server waits for the first bytes
LIST_DEVICES = "/tensorflow.MasterService/ListDevices"


class Small(Cluster):
    """One task with few descriptors. `log` is the path of its log."""

    def __init__(self, folder, descriptors=DESCRIPTORS, extra=()):
        program = os.path.join(folder, "server.sh")
        with open(program, "w") as script:
            script.write(f'#!/bin/sh\nulimit -n {descriptors}\nexec "{SERVER}" "$@"\n')
        os.chmod(program, 0o755)
        self.log = os.path.join(folder, "log")
        super().__init__({"worker": 1}, extra=["--log_file=" + self.log, *extra], program=program)

    @property
    def address(self):
        return self.target()[len("grpc://") :].replace("localhost", "127.0.0.1")

    def lines(self):
        with open(self.log) as log:
            return log.read().splitlines()

    def await_line(self, pattern, seconds=90):
        deadline = time.time() + seconds
        while time.time() < deadline:
            if any(re.search(pattern, line) for line in self.lines()):
                return
            time.sleep(0.1)
        raise AssertionError(f"no line {pattern!r} in {self.lines()}")

    def alive(self):
        return self.processes["worker", 0].poll() is None


@pytest.fixture
def small(tmp_path):
    with Small(str(tmp_path)) as started:
        yield started


class Steps:
    """A session of an honest client, which runs steps from time to time."""

    def __init__(self, cluster):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [])
            self.y = self.x + 1.0
        options = tf.ConfigProto(operation_timeout_in_ms=60000)
        self.session = tf.Session(cluster.target(), graph=self.graph, config=options)

    def run(self, count=20):
        for i in range(count):
            assert self.session.run(self.y, {self.x: float(i)}) == i + 1.0

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.session.close()


def silent(address, count, first=b""):
    host, port = address.rsplit(":", 1)
    connections = []
    for _ in range(count):
        # The server may have no place for it.
        with contextlib.suppress(OSError):
            connection = socket.create_connection((host, int(port)), timeout=10)
            connections.append(connection)
            connection.sendall(first)
    return connections


def is_answered_soon(cluster):
    """A new client gets in. Its first attempts may fail, and clients of gRPC repeat them."""
    deadline = time.time() + 60
    while not http2.is_answered(cluster.address, seconds=10):
        if time.time() > deadline:
            return False
        time.sleep(0.1)
    return True


def close(connections):
    for connection in connections:
        connection.close()


def test_connections_that_never_speak_are_closed(small):
    begins = b"", http2.PREFACE[:10], http2.PREFACE, b"\x16\x03\x01", b"GET / HTTP/1.1\r\n" * 2
    connections = [silent(small.address, 3, begin) for begin in begins]
    with Steps(small) as steps:
        steps.run()
        for group in connections:
            for connection in group:
                assert http2.is_closed_within(connection, 9 * SILENCE)
        steps.run()
    small.await_line("did not begin to speak")
    small.await_line("speaks neither HTTP/2 nor TLS")


def test_strangers_do_not_keep_clients_out(small):
    with Steps(small) as known:
        known.run()
        for begin in b"", http2.PREFACE + http2.frame(http2.SETTINGS):
            strangers = silent(small.address, 3 * DESCRIPTORS, begin)
            known.run()
            assert is_answered_soon(small)
            close(strangers)
            assert is_answered_soon(small)
        known.run()
    assert small.alive()
    small.await_line("a new one needs its place")


def test_a_server_without_descriptors_answers_later(tmp_path):
    # more connections than descriptors are allowed
    with Small(str(tmp_path), extra=["--max_connections=1000"]) as cluster:
        strangers = silent(cluster.address, 3 * DESCRIPTORS)
        close(strangers)
        assert is_answered_soon(cluster)


@pytest.mark.parametrize("limit", ["--max_connections=6", "--max_connections_per_address=6"])
def test_sessions_keep_their_places(tmp_path, limit):
    with Small(str(tmp_path), descriptors=1024, extra=[limit]) as cluster:
        with Steps(cluster) as steps:
            for _ in range(4):
                strangers = silent(cluster.address, 10)
                steps.run()
                close(strangers)


def send_forever(address, frames, stop):
    """Sends frames, and connects again when the server has closed the connection."""
    while not stop.is_set():
        with contextlib.suppress(OSError), http2.connect(address) as connection:
            connection.settimeout(0.1)
            left = frames
            while not stop.is_set():
                with contextlib.suppress(socket.timeout):
                    left = left[connection.send(left) :] or frames
                with contextlib.suppress(BlockingIOError):
                    if not connection.recv(1 << 16, socket.MSG_DONTWAIT):
                        break


# Frames that belong to no call.
FLOODS = {
    "settings": http2.frame(http2.SETTINGS),
    "windows": http2.frame(http2.WINDOW_UPDATE, payload=struct.pack(">I", 1)),
}


@pytest.mark.parametrize("kind", sorted(FLOODS))
def test_steps_go_on_while_frames_flood_the_server(small, kind):
    stop = threading.Event()
    flood = threading.Thread(target=send_forever, args=(small.address, FLOODS[kind] * 2000, stop))
    with Steps(small) as steps:
        steps.run()
        flood.start()
        try:
            small.await_line("closes the connection|ended before a call")
            steps.run()
            assert is_answered_soon(small)
        finally:
            stop.set()
            flood.join()
        steps.run()
    assert small.alive()


def test_steps_go_on_beside_a_flood_of_calls(small):
    path = "/tensorflow.WorkerService/CreateWorkerSession"
    calls = b"".join(
        http2.headers(stream, path) + http2.frame(http2.DATA, stream, bytes(5), http2.END_STREAM)
        for stream in range(1, 4000, 2)
    )
    stop = threading.Event()

    def flood():
        with contextlib.suppress(OSError), http2.connect(small.address) as connection:
            connection.settimeout(20)
            connection.sendall(calls)
            stop.wait(120)

    with Steps(small) as steps:
        steps.run()
        floods = [threading.Thread(target=flood) for _ in range(8)]  # four budgets at once
        for one in floods:
            one.start()
        try:
            small.await_line("makes too many calls a second")
            steps.run()
            assert is_answered_soon(small)
        finally:
            stop.set()
            for one in floods:
                one.join()
    assert small.alive()


def test_calls_that_are_cancelled_at_once_end_their_connection(small):
    resets = b"".join(
        http2.headers(stream, LIST_DEVICES) + http2.frame(http2.RST_STREAM, stream, http2.CANCEL)
        for stream in range(1, 12000, 2)
    )
    with Steps(small) as steps, http2.connect(small.address) as connection:
        steps.run()
        with contextlib.suppress(OSError):
            connection.sendall(resets)
        assert http2.is_closed_within(connection, 60)
        steps.run()
    assert small.alive()


def test_large_metadata_is_refused(small):
    with Steps(small) as steps, http2.connect(small.address) as connection:
        connection.sendall(http2.headers(1, LIST_DEVICES, [("x", "y" * 60000)]))
        connection.settimeout(30)
        assert connection.recv(1 << 16)
        steps.run()


def test_the_log_says_who_was_admitted(tmp_path):
    secret = "0123456789secret"
    token = tmp_path / "token"
    token.write_text(secret)
    folder = tempfile.mkdtemp(dir=tmp_path)
    with Small(folder, extra=[f"--token_file={token}"]) as cluster:
        for wrong in [], [("authorization", "Bearer wrong" + secret)]:
            with http2.connect(cluster.address) as connection:
                connection.sendall(http2.headers(1, LIST_DEVICES, wrong))
                cluster.await_line("with a wrong token" if wrong else "without a token")
        right = [("authorization", "Bearer " + secret)]
        with http2.connect(cluster.address) as connection:
            connection.sendall(http2.headers(1, LIST_DEVICES + "\n/1", right))
            cluster.await_line(r"admits 127\.0\.0\.1:\d+, which calls .*, with the cluster's token")
        before = len(cluster.lines())
        with http2.connect(cluster.address) as connection:
            for stream in range(1, 1201, 2):
                connection.sendall(http2.headers(stream, LIST_DEVICES))
            time.sleep(1)
        assert len(cluster.lines()) - before < 200
        assert secret not in "\n".join(cluster.lines())
