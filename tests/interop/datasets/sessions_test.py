# SPDX-License-Identifier: Apache-2.0
"""Sessions that make, use and drop iterators leave nothing in the server, also if they are killed.

SLUICE_SESSIONS and SLUICE_KILLS say how many (30 and 2).
"""

import os
import re
import subprocess
import sys
import time

import pytest
import tensorflow

from interop.tools.cluster import TESTS, Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

SESSIONS = int(os.environ.get("SLUICE_SESSIONS", "30"))
KILLS = int(os.environ.get("SLUICE_KILLS", "2"))
WARM_UP = 5
MOST_THREADS, MOST_DESCRIPTORS, MOST_MB = 6, 8, 40  # that a server may gain


def pipeline(elements, one_shot=False):
    """The initializer and the next batch of a data set whose stages have threads."""
    numbers = tf.data.Dataset.range(elements).shuffle(1000, seed=1)
    batches = numbers.map(lambda x: x * 2, num_parallel_calls=2).batch(10).prefetch(5)
    if one_shot:
        return tf.no_op(), tf.data.make_one_shot_iterator(batches).get_next()
    iterator = tf.data.make_initializable_iterator(batches)
    return iterator.initializer, iterator.get_next()


def held(cluster):
    """Threads, descriptors and MB of the server."""
    process = f"/proc/{cluster.processes['worker', 0].pid}"
    with open(f"{process}/status") as file:
        status = file.read()
    threads, kilobytes = (
        int(re.search(rf"{key}:\s+(\d+)", status).group(1)) for key in ("Threads", "VmRSS")
    )
    return threads, len(os.listdir(f"{process}/fd")), kilobytes / 1024


def check_is_flat(cluster, before):
    deadline = time.time() + 10  # threads of what was dropped end by themselves
    while True:
        gained = [after - old for after, old in zip(held(cluster), before)]
        threads, descriptors, megabytes = gained
        report = "the server gained %d threads, %d descriptors, %.0f MB" % (*gained,)
        if threads <= MOST_THREADS and descriptors <= MOST_DESCRIPTORS and megabytes <= MOST_MB:
            print(report)
            return
        assert time.time() < deadline, report
        time.sleep(0.1)


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def use_and_drop(cluster, number):
    container = f"session{number}"
    with tf.Graph().as_default(), tf.container(container):
        initializer, following = pipeline(100000, one_shot=number % 3 == 0)
        with tf.Session(cluster.target()) as session:
            session.run(initializer)
            for _ in range(3):
                session.run(following)
    tf.Session.reset(cluster.target(), [container])


def test_sessions_leave_nothing(cluster):
    for number in range(WARM_UP):
        use_and_drop(cluster, number)
    before = held(cluster)
    for number in range(WARM_UP, SESSIONS):
        use_and_drop(cluster, number)
    check_is_flat(cluster, before)


def test_killed_clients_leave_nothing(cluster):
    """All use one iterator, as the runs of one program do; each makes it anew."""
    for number in range(WARM_UP):
        use_and_drop(cluster, number)
    before = held(cluster)
    for _ in range(KILLS):
        client = subprocess.Popen(
            [sys.executable, __file__, cluster.target()],
            env={**os.environ, "PYTHONPATH": TESTS},
            stdout=subprocess.PIPE,
        )
        assert client.stdout.readline() == b"reads\n"
        time.sleep(0.05)
        client.kill()
        client.wait()
        client.stdout.close()
    tf.Session.reset(cluster.target())
    check_is_flat(cluster, before)


if __name__ == "__main__":
    made, batch = pipeline(10**9)
    with tf.Session(sys.argv[1]) as endless:
        endless.run(made)
        print("reads", flush=True)
        while True:
            endless.run(batch)
