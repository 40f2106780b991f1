# SPDX-License-Identifier: Apache-2.0
"""A cluster with servers of TensorFlow and of ours is refused by both, and says which is which."""

import time

import pytest
import tensorflow as tf

from interop.tools.cluster import Cluster

pytestmark = pytest.mark.waits

tf = tf.compat.v1

JOBS = {"ps": 1, "worker": 2}


class Mixed(Cluster):
    """The tasks in `ours` have our servers, the others TensorFlow's."""

    def __init__(self, ours):
        self.ours = ours
        super().__init__(JOBS, kind="mixed")

    def start(self, job, task):
        self.kind = "sluice" if (job, task) in self.ours else "tensorflow"
        super().start(job, task)
        self.kind = "mixed"


def outcome(target, filters=()):
    """The error of a step with an op on the ps, or None, and the seconds it took."""
    with tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            total = tf.reduce_sum(tf.random_uniform([4]) * 0.0)
        config = tf.ConfigProto(device_filters=list(filters))
        began = time.time()
        try:
            with tf.Session(target, config=config) as session:
                session.run(total + 1.0)
            return None, time.time() - began
        except tf.errors.OpError as error:
            return error, time.time() - began


def names(text, cluster, *tasks):
    """Whether an error names these tasks and their addresses."""
    return all(
        "task /job:%s/replica:0/task:%d at %s" % (job, task, cluster.spec[job][task]) in text
        for job, task in tasks
    )


def test_our_master(checks):
    with Mixed({("worker", 0)}) as cluster:
        error, seconds = outcome(cluster.target("worker", 0))
        text = str(error)
        checks.check(
            "our master, two TensorFlow tasks",
            isinstance(error, tf.errors.FailedPreconditionError)
            and names(text, cluster, ("ps", 0), ("worker", 1))
            and "are TensorFlow servers, not Sluice" in text
            and "task /job:worker/replica:0/task:0 is a Sluice server" in text,
            text,
        )
        checks.check("our master refuses at once", seconds < 15, seconds)
        error, _ = outcome(cluster.target("worker", 0), ["/job:ps"])
        checks.check(
            "our master, one TensorFlow task of the session's",
            names(str(error), cluster, ("ps", 0))
            and "is a TensorFlow server, not Sluice" in str(error)
            and "/job:worker/replica:0/task:1" not in str(error),
            error,
        )
        with tf.Session(cluster.target("worker", 0), config=tf.ConfigProto(
            device_filters=["/job:nobody"]
        )) as session:  # fmt: skip
            checks.check("our task alone works", session.run(tf.constant(3.0)) == 3.0)


def test_their_master(checks):
    with Mixed({("ps", 0)}) as cluster:
        for task in (0, 1):
            error, seconds = outcome(
                cluster.target("worker", task), ["/job:ps", "/job:worker/task:%d" % task]
            )
            text = str(error)
            checks.check(
                "TensorFlow's master of worker %d, our ps" % task,
                isinstance(error, tf.errors.FailedPreconditionError)
                and names(text, cluster, ("worker", task))
                and "TensorFlow server" in text
                and "task /job:ps/replica:0/task:0 is a Sluice server" in text,
                text,
            )
            checks.check("our ps refuses at once", seconds < 15, seconds)
        with tf.Session(cluster.target("ps", 0), config=tf.ConfigProto(
            device_filters=["/job:ps"]
        )) as session:  # fmt: skip
            checks.check("our ps lives on", session.run(tf.constant(3.0)) == 3.0)


def test_equal_clusters(checks):
    with Mixed({("ps", 0), ("worker", 0), ("worker", 1)}) as cluster:
        error, _ = outcome(cluster.target())
        checks.check("a cluster of ours alone works", error is None, error)



