# SPDX-License-Identifier: Apache-2.0
"""The same training by each transport for tensors: chosen, forced, forbidden, and not there."""

import os
import re
import signal
import tempfile

import numpy as np
import pytest
import tensorflow

from interop.tools import cluster

tf = getattr(tensorflow, "compat", tensorflow).v1
tf.disable_eager_execution()

STEPS = 10


def config_with(transport):
    """A ConfigProto with our field 10000, which TensorFlow's keeps without knowing it."""
    tag = 10000 << 3 | 2
    key = bytes([tag & 127 | 128, tag >> 7 & 127 | 128, tag >> 14])
    return tf.ConfigProto.FromString(key + bytes([len(transport)]) + transport.encode())


def losses(target, config=None):
    """Of a small regression whose variable lives on the ps; tensors of 4 B to 4 MB cross."""
    rng = np.random.RandomState(1)
    with tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            w = tf.Variable(rng.normal(size=[1000, 1000]).astype(np.float32) * 0.01)
            b = tf.Variable(np.zeros([1000], np.float32))
        with tf.device("/job:worker/task:1"):
            x = tf.constant(rng.normal(size=[8, 1000]).astype(np.float32))
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
            train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
        with tf.Session(target, config=config) as session:
            session.run(tf.global_variables_initializer())
            return [session.run([loss, train])[0] for _ in range(STEPS)]


class Logged(cluster.Cluster):
    """A cluster whose servers' words are kept; `of_task` are options of some tasks."""

    def __init__(self, jobs, extra, of_task):
        self.of_task = of_task
        super().__init__(jobs, extra=extra, errors=tempfile.TemporaryFile("w+"))

    def options(self, job, task):
        return self.of_task.get((job, task), self.extra)

    def transports(self, sender=""):
        self.errors.seek(0)
        found = re.findall(sender + r" sends tensors by (\w+) ", self.errors.read())
        return sorted(set(found))


JOBS = {"ps": 1, "worker": 2}


def trains_by(checks, name, expected, wanted, extra, of_task=()):
    with Logged(JOBS, extra, dict(of_task)) as servers:
        got = losses(servers.target())
        same = np.allclose(got, wanted, rtol=1e-5)
        checks.check(f"{name}: same losses", same, f"{got} {wanted}")
        used = servers.transports()
        checks.check(f"{name}: the transport", used == expected, repr(used))


def test_sessions_choose(checks, wanted):
    """One cluster; each session says by which transports its tensors go."""
    with Logged(JOBS, ["--transport=-grpc"], {}) as servers:
        for transport, so_far in ("tcp", ["tcp"]), ("-shm", ["tcp"]), ("shm", ["shm", "tcp"]):
            got = losses(servers.target(), config_with(transport))
            checks.check(f"a session by {transport!r}: same losses", np.allclose(got, wanted))
            transports = servers.transports(r"#\w+")  # of tasks as sessions call them
            checks.check("its transport", transports == so_far, repr(transports))
        for transport, error, phrase in (
            ("grpc", tf.errors.UnavailableError, "its configuration does not allow it"),
            ("pigeon", tf.errors.InvalidArgumentError, "pigeon"),
        ):
            try:
                losses(servers.target(), config_with(transport))
                checks.check(f"a session by {transport!r} fails", False)
            except error as e:
                checks.check(f"a session by {transport!r} fails", phrase in str(e), str(e))


def test_nothing_is_left(checks):
    """Shared memory goes with the processes, however they end."""
    before = set(os.listdir("/dev/shm"))
    with cluster.Cluster(JOBS) as servers:
        losses(servers.target())
        for task in list(servers.processes):
            servers.signal(*task, signal.SIGKILL)
            servers.processes[task].wait()
        sockets = open("/proc/net/unix").read()
        checks.check("no segment is left", set(os.listdir("/dev/shm")) <= before)
        mine = [p.pid for p in servers.processes.values()]
        checks.check("no process is left", all(not os.path.exists(f"/proc/{p}") for p in mine))
    checks.check("the sockets have no files", "/sluice-" not in sockets)


def test_a_required_transport_is_missing(checks):
    with cluster.Cluster(JOBS, extra=["--transport=shm"]) as servers:
        # The ps is started anew without it.
        servers.extra = ["--transport=grpc"]
        servers.restart("ps", 0)
        try:
            losses(servers.target())
            checks.check("a required transport that is missing fails", False)
        except tf.errors.UnavailableError as error:
            checks.check(
                "the error names the transport and why",
                "shm" in str(error) and "/job:ps/replica:0/task:0" in str(error),
                str(error),
            )


@pytest.fixture(scope="module")
def wanted():
    """The losses by gRPC."""
    with cluster.Cluster(JOBS, extra=["--transport=grpc"]) as servers:
        found = losses(servers.target())
    assert found[-1] < found[0], found
    return found


@pytest.mark.parametrize("name,expected,extra", (
    ("auto", ["shm"], []),
    ("tcp", ["tcp"], ["--transport=tcp"]),
    ("without shm", ["tcp"], ["--transport=-shm"]),
))  # fmt: skip
def test_one_transport(checks, wanted, name, expected, extra):
    trains_by(checks, name, expected, wanted, extra)


def test_one_side_has_grpc_only(checks, wanted):
    """The two workers are joined by shm, if at all."""
    only = {("ps", 0): ["--transport=grpc"]}
    trains_by(checks, "one side has gRPC only", ["grpc", "shm"], wanted, [], only)
