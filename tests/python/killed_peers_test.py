# SPDX-License-Identifier: Apache-2.0
"""Tasks that are killed leave nothing: no memory, descriptor or thread of those that live on,
no file, socket or process of their own. SLUICE_KILLS says how many die."""

import os
import random
import re
import signal
import sys
import threading
from collections import Counter

import numpy as np
import pytest
import sluice as sl

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from faults.held import descriptors_of, settled, threads_of  # noqa: E402
from interop.tools.cluster import BUILD, Cluster  # noqa: E402

pytestmark = pytest.mark.alone

KILLS = int(os.environ.get("SLUICE_KILLS", "4"))
JOBS = {"ps": 1, "worker": 1}
SLACK = np.array([4, 0, 0])  # descriptors of calls that are under way
# A server whose GPUs are those of the double of the CUDA runtime.
DOUBLE = os.path.join(BUILD, "tests", "sluice-server-cuda-double")


def sockets():
    """Abstract sockets of transports on this machine: {inode: name}."""
    with open("/proc/net/unix") as table:
        return dict(re.findall(r"(\d+) @(sluice-\w+)", table.read()))


def sockets_of(pid):
    """The names of those that a process holds."""
    inodes = {link[len("socket:[") : -1] for link in descriptors_of(pid)}
    return {name for inode, name in sockets().items() if inode in inodes}


def graph_with_traffic():
    """Both ways: much that is small, some that is large."""
    graph = sl.Graph()
    with graph.as_default():
        with sl.device("/job:ps/task:0"):
            large = sl.fill([1 << 20], sl.placeholder_with_default(1.0, [], name="one"))
            small = [sl.reduce_sum(large[i : i + 2]) for i in range(0, 40, 2)]
        with sl.device("/job:worker/task:0"):
            total = sl.add_n([s + 1.0 for s in small]) + sl.reduce_sum(large * 2.0)
        with sl.device("/job:ps/task:0"):
            total = sl.identity(total, name="total")
    return graph


def graph_of_copies():
    """Copies between the GPUs of both tasks, each of which crosses the memory of both hosts."""
    graph = sl.Graph()
    with graph.as_default(), sl.device("/job:worker/task:0/device:GPU:0"):
        large = sl.fill([1 << 18], sl.placeholder_with_default(1.0, [], name="one"))
        for _ in range(4):
            for job in "ps", "worker":
                with sl.device(f"/job:{job}/task:0/device:GPU:0"):
                    large = sl.identity(large + 1.0)
        sl.reduce_sum(large, name="total")
    return graph


def steps_until_it_fails(session):
    """The message of the error."""
    try:
        while True:
            session.run("total:0")
    except sl.errors.OpError as error:
        return error.message


def kill_in_mid_step(cluster, graph, after, total=20 * 3.0 + (1 << 21)):
    """The names of the sockets that the killed task had."""
    names = set()

    def die():
        names.update(sockets_of(cluster.processes["ps", 0].pid))
        cluster.signal("ps", 0, signal.SIGKILL)

    with sl.Session(cluster.target(), graph=graph) as session:
        assert session.run("total:0") == total
        timer = threading.Timer(after, die)
        timer.start()
        message = steps_until_it_fails(session)
        timer.join()
        assert "/job:ps/replica:0/task:0" in message, message
    cluster.restart("ps", 0)
    return names


def test_killed_peers_leave_nothing_behind():
    draw = random.Random(1)
    graph = graph_with_traffic()
    files, names = set(os.listdir("/dev/shm")), set()
    for transport in "shm", "tcp":
        with Cluster(JOBS, extra=[f"--transport={transport},grpc"]) as cluster:
            survivor = cluster.processes["worker", 0].pid
            names |= kill_in_mid_step(cluster, graph, 0.1)  # makes the objects that exist once
            first = settled(survivor, 0, time_budget=1)
            for _ in range(KILLS):
                names |= kill_in_mid_step(cluster, graph, draw.uniform(0, 0.1))
            # The worker's sweep removes the channels of ended sessions.
            last = settled(survivor, first + SLACK)
            print(
                f"{transport}: descriptors, segments, threads {first} -> {last} after {KILLS} kills"
            )
            assert (last <= first + SLACK).all(), (
                transport,
                first,
                last,
                Counter(threads_of(survivor)),
            )
    assert len(names) > KILLS
    assert not names & set(sockets().values())
    assert set(os.listdir("/dev/shm")) <= files


@pytest.mark.skipif(not os.path.exists(DOUBLE), reason="the build has no server on the CUDA double")
@pytest.mark.parametrize("transport", ["shm", "tcp"])
def test_a_task_killed_in_mid_copy_of_its_gpu_leaves_nothing_behind(monkeypatch, transport):
    # Half of the copies and kernels wait for 10 ms on average, so a step is mostly in a copy.
    monkeypatch.setenv("SLUICE_CUDA_DOUBLE", "devices=1,megabytes=512,delay=20000")
    draw = random.Random(2)
    graph, total = graph_of_copies(), 9.0 * (1 << 18)
    files, names = set(os.listdir("/dev/shm")), set()
    with Cluster(JOBS, extra=[f"--transport={transport},grpc"], program=DOUBLE) as cluster:
        survivor = cluster.processes["worker", 0].pid
        names |= kill_in_mid_step(cluster, graph, 0.1, total)
        first = settled(survivor, 0, time_budget=1)
        for _ in range(KILLS):
            names |= kill_in_mid_step(cluster, graph, draw.uniform(0, 0.2), total)
        last = settled(survivor, first + SLACK)
        assert (last <= first + SLACK).all(), (first, last, Counter(threads_of(survivor)))
        with sl.Session(cluster.target(), graph=graph) as session:
            assert session.run("total:0") == total
    assert not names & set(sockets().values())
    assert set(os.listdir("/dev/shm")) <= files


def test_a_reset_ends_at_its_deadline():
    """A task that is stopped does not answer; the error names it unless the client is faster."""
    with Cluster({"worker": 2}) as cluster:
        cluster.signal("worker", 1, signal.SIGSTOP)
        try:
            config = sl.ConfigProto(operation_timeout_in_ms=1000)
            with pytest.raises(sl.errors.DeadlineExceededError):
                sl.Session.reset(cluster.target(), config=config)
        finally:
            cluster.signal("worker", 1, signal.SIGCONT)
