# SPDX-License-Identifier: Apache-2.0
"""A server that was started with --deterministic gives the same values whenever a program runs.

Nothing in the programs has a seed, and the order in which some of their nodes run is left open.
"""

import numpy as np
import pytest

from interop.programs.models import tf
from interop.tools.cluster import Cluster

tf.disable_v2_behavior()


def training():
    """A step of a net whose start, dropout and batches are random, and what is fetched."""
    queue = tf.RandomShuffleQueue(256, 0, [tf.float32], shapes=[[8, 8, 1]])
    data = tf.reshape(tf.range(32 * 64, dtype=tf.float32) / 2048, [32, 8, 8, 1])
    with tf.control_dependencies([queue.enqueue_many([data])]):
        batch = queue.dequeue_many(16)
    filters = tf.get_variable("filters", [3, 3, 1, 8], use_resource=True)
    dense = tf.get_variable("dense", [8 * 64, 10], use_resource=False)
    table = tf.get_variable("table", [5, 10], initializer=tf.random_normal_initializer())
    x = tf.nn.relu(tf.nn.conv2d(batch, filters, strides=[1, 1, 1, 1], padding="SAME"))
    x = tf.matmul(tf.nn.dropout(tf.reshape(x, [16, -1]), rate=0.4), dense)
    x += tf.nn.embedding_lookup(table, tf.random_uniform([16], 0, 5, tf.int32))
    loss = tf.reduce_mean(tf.square(x - tf.stop_gradient(tf.random_shuffle(x))))
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    with tf.control_dependencies([step]):
        return [loss, filters.read_value(), tf.identity(dense), tf.identity(table)]


def unordered():
    """Sums in floats, whose last bits tell the order."""
    rounding = np.float32(10.0) ** np.arange(-4, 4)
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)
    adds = [total.assign_add(rounding[i % 8] * (1 + i), read_value=False) for i in range(400)]
    with tf.control_dependencies(adds):
        return [total.read_value()]


def drawn():
    """One op of each kind that takes seeds, also where it runs again and again."""
    image = tf.reshape(tf.range(256, dtype=tf.float32), [1, 16, 16, 1])
    looped = tf.while_loop(
        lambda i, _: i < 5, lambda i, x: (i + 1, x + tf.random_normal([])), [0, tf.constant(0.0)]
    )
    return [
        tf.random_uniform([3]),
        tf.truncated_normal([3]),
        tf.random_gamma([3], 2.0),
        tf.multinomial(tf.zeros([1, 9]), 8),
        tf.random_crop(image, [1, 4, 4, 1]),
        tf.nn.fractional_max_pool(image, [1, 1.5, 1.5, 1])[0],
        tf.nn.uniform_candidate_sampler([[0]], 1, 5, True, 100)[0],
        looped[1],
    ]


PROGRAMS = {"training": training, "unordered": unordered, "drawn": drawn}


def values(cluster, build, task=0, steps=6):
    """The values of every step of a new session; no state stays in the servers."""
    tf.Session.reset(cluster.target())
    with tf.Graph().as_default():
        with tf.device(f"/job:worker/task:{task}"):
            fetches = build()
        start = tf.global_variables_initializer()
        with tf.Session(cluster.target()) as session:
            session.run(start)
            return [np.asarray(v) for _ in range(steps) for v in session.run(fetches)]


def same(some, others):
    return all(a.tobytes() == b.tobytes() for a, b in zip(some, others))


OPTION = ["--deterministic", "--intra_op_threads", "2"]


@pytest.fixture(scope="module")
def clusters():
    with Cluster({"worker": 2}, extra=OPTION) as one, Cluster(
        {"worker": 2}, extra=OPTION
    ) as other, Cluster({"worker": 1}) as free:
        yield one, other, free


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_program(checks, clusters, name):
    cluster, other, free = clusters
    build = PROGRAMS[name]
    first = values(cluster, build)
    for _ in range(3):
        checks.check("again", same(first, values(cluster, build)))
    checks.check("in other processes", same(first, values(other, build)))
    if name != "unordered":
        elsewhere = values(cluster, build, task=1)
        checks.check("on another task", not same(first, elsewhere))
        loose = [values(free, build) for _ in range(2)]
        checks.check("without the option", not same(*loose))
