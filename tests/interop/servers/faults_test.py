# SPDX-License-Identifier: Apache-2.0
"""A task that is not up, is killed or frozen in the middle of a step, or was restarted.

An error names it before the client's deadline; and the server serves the next session.
"""

import signal
import threading
import time

import numpy as np
import pytest

from interop.programs.models import tf
from interop.tools.cluster import Cluster

pytestmark = pytest.mark.alone

tf.disable_v2_behavior()


def outcome(function):
    """(error or None, seconds it took)"""
    start = time.time()
    try:
        function()
        return None, time.time() - start
    except tf.errors.OpError as error:
        return error, time.time() - start


def endless():
    """A step that runs on the worker and the ps until something stops it."""
    with tf.device("/job:ps/task:0"):
        one = tf.identity(tf.placeholder_with_default(1, []))
    with tf.device("/job:worker/task:0"):
        loop = tf.while_loop(lambda i: i >= 0, lambda i: i * 1 + 0 * one, [tf.constant(0)])
    with tf.device("/job:ps/task:0"):
        return tf.identity(loop)


def mid_step(checks, name, harm):
    with Cluster({"ps": 1, "worker": 1}) as cluster:
        with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
            step = endless()
            threading.Timer(2.0, lambda: harm(cluster)).start()
            error, took = outcome(
                lambda: session.run(step, options=tf.RunOptions(timeout_in_ms=40000))
            )
            checks.check(
                name + " ends the step",
                error is not None and took < 40,
                f"{error!r} after {took:.1f} s",
            )
            checks.check(
                name + " names the task", "/job:ps/replica:0/task:0" in str(error), str(error)[:400]
            )
            print(f"{name}: {type(error).__name__} after {took:.1f} s", flush=True)


def test_a_task_that_is_not_up(checks):
    with Cluster({"ps": 1, "worker": 1}) as cluster:
        cluster.kill("ps", 0)
        config = tf.ConfigProto(operation_timeout_in_ms=4000)
        with tf.Graph().as_default() as graph, tf.Session(
            cluster.target(), graph=graph, config=config
        ) as session:
            error, took = outcome(lambda: session.run(tf.constant(1.0) + 1.0))
            checks.check(
                "a missing task is an error in time",
                error is not None and took < 6,
                f"{error!r} {took:.1f}",
            )
            checks.check(
                "it is named",
                "/job:ps/replica:0/task:0" in str(error) and "localhost:" in str(error),
                str(error)[:400],
            )
        # With a filter the ps is not needed.
        config = tf.ConfigProto(device_filters=["/job:worker"])
        with tf.Graph().as_default() as graph, tf.Session(
            cluster.target(), graph=graph, config=config
        ) as session:
            checks.check(
                "filtered session works",
                session.run(tf.placeholder_with_default(1.0, []) + 1.0) == 2.0,
            )


def test_a_task_that_was_restarted(checks):
    with Cluster({"ps": 1, "worker": 1}) as cluster:
        with tf.Graph().as_default() as graph:
            with tf.device("/job:ps/task:0"):
                v = tf.get_variable("v", initializer=tf.constant(3.0))
            start = tf.global_variables_initializer()
            with tf.Session(cluster.target(), graph=graph) as session:
                session.run(start)
                checks.check("before the restart", session.run(v) == 3.0)
                cluster.restart("ps", 0)
                time.sleep(1.5)
                error, took = outcome(lambda: session.run(v))
                recoverable = (tf.errors.AbortedError, tf.errors.UnavailableError)
                checks.check(
                    "a restarted ps never gives a wrong value",
                    isinstance(error, recoverable),
                    f"{error!r}",
                )
                checks.check(
                    "it is named", "/job:ps/replica:0/task:0" in str(error), str(error)[:400]
                )
            with tf.Session(cluster.target(), graph=graph) as session:
                session.run(start)
                checks.check("a new session works", session.run(v) == 3.0)


def test_two_snapshots(checks):
    """A worker that reads a reference variable twice while the ps updates it: whole snapshots."""
    size = 1 << 18
    with Cluster({"ps": 1, "worker": 1}) as cluster:
        with tf.Graph().as_default() as graph:
            with tf.device("/job:ps/task:0"):
                v = tf.get_variable("v", initializer=tf.zeros([size]), use_resource=False)
                more = tf.assign_add(v, tf.ones([size]))
            with tf.device("/job:worker/task:0"):
                first = tf.identity(v) + 0.0
                with tf.control_dependencies([first]):
                    later = tf.identity(v.read_value()) + 0.0
                ranges = [tf.reduce_max(x) - tf.reduce_min(x) for x in (first, later)]
            with tf.Session(cluster.target(), graph=graph) as session:
                session.run(tf.global_variables_initializer())
                stop = threading.Event()

                def update():
                    while not stop.is_set():
                        session.run(more.op)

                writer = threading.Thread(target=update)
                writer.start()
                torn = sum(np.any(session.run(ranges)) for _ in range(100))
                stop.set()
                writer.join()
                checks.check("no torn snapshot", torn == 0, "%d of 100" % torn)


def test_a_task_that_is_killed(checks):
    mid_step(checks, "kill -9", lambda cluster: cluster.signal("ps", 0, signal.SIGKILL))


def test_a_task_that_is_stopped(checks):
    mid_step(checks, "SIGSTOP", lambda cluster: cluster.signal("ps", 0, signal.SIGSTOP))
