# SPDX-License-Identifier: Apache-2.0
"""Steps of a cluster (ps and two workers, a process each): our servers against TensorFlow's.

TensorFlow's client drives both. Every round times both clusters, in turns; a ratio is the median
of the rounds' ratios, so that what else the machine does weighs on both. Graph rewriting
(Grappler) is off: it would fold the chains that are to be measured.

    SLUICE_BUILD=build python bench/steps_bench.py [--rounds 15] [--only REGEX]
"""

import argparse
import re

import numpy
import tensorflow
from contenders import Cluster, measure, tf

PS, WORKER0, WORKER1 = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"


def variable(value, device):
    with tf.device(device):
        return tf.Variable(value, dtype=tf.float32)


# ---- the steps: each builds its graph and returns the operation to run -------------------------


def null_step_here():
    with tf.device(WORKER0):
        return tf.no_op()


def null_step_there():
    with tf.device(WORKER1):
        return tf.no_op()


def eight_hops():
    x = variable(1.0, WORKER0)
    for hop in range(8):
        with tf.device(WORKER1 if hop % 2 == 0 else WORKER0):
            x = tf.identity(x)
    return x.op


def hundred_tensors():
    sources = [variable([float(i)] * 16, WORKER0) for i in range(100)]
    with tf.device(WORKER1):
        return tf.group(*[tf.identity(x) for x in sources])


def chain_of_adds():
    x, y = variable(0.0, WORKER0), variable(1.0, WORKER0)
    with tf.device(WORKER0):
        y = tf.identity(y)
        for _ in range(10000):
            x = tf.add(x, y)
    return x.op


def while_loop():
    with tf.device(WORKER0):
        return tf.while_loop(lambda i: i < 10000, lambda i: i + 1, [tf.constant(0)]).op


def mlp_step():
    tf.set_random_seed(1)
    with tf.device(WORKER0):
        labels = tf.constant([i % 10 for i in range(64)])
        x = variable(tf.random_normal([64, 784]), WORKER0)
        for inputs, outputs in ((784, 256), (256, 256), (256, 10)):
            weights = variable(tf.random_normal([inputs, outputs], stddev=0.05), PS)
            bias = variable(tf.zeros([outputs]), PS)
            x = tf.matmul(x, weights) + bias
            if outputs != 10:
                x = tf.nn.relu(x)
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)
        )
        return tf.train.GradientDescentOptimizer(0.01).minimize(loss)


def lstm_step():
    """A loop over 32 time steps of a batch of 32, and the loop that is its gradient."""
    tf.set_random_seed(1)
    steps, batch, width, units = 32, 32, 32, 64
    kernel = variable(tf.random_normal([width + units, 4 * units], stddev=0.1), PS)
    bias = variable(tf.zeros([4 * units]), PS)
    x = variable(tf.random_normal([steps, batch, width]), WORKER0)
    with tf.device(WORKER0):
        inputs = tf.TensorArray(tf.float32, size=steps).unstack(x)
        weights, offset = tf.identity(kernel), tf.identity(bias)

        def body(t, c, h, outputs):
            gates = tf.matmul(tf.concat([inputs.read(t), h], 1), weights) + offset
            i, j, f, o = tf.split(gates, 4, axis=1)
            c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
            h = tf.tanh(c) * tf.sigmoid(o)
            return t + 1, c, h, outputs.write(t, h)

        zeros = tf.zeros([batch, units])
        start = [tf.constant(0), zeros, zeros, tf.TensorArray(tf.float32, size=steps)]
        loop = tf.while_loop(lambda t, *unused: t < steps, body, start)
        loss = tf.reduce_mean(tf.square(loop[3].stack()))
        return tf.train.GradientDescentOptimizer(0.01).minimize(loss, var_list=[kernel, bias])


def big_tensor():
    with tf.device(WORKER1):
        x = tf.Variable(tf.zeros([16 << 20]), dtype=tf.float32)
    with tf.device(WORKER0):
        return tf.identity(x).op


def large_variable():
    """A gradient as large as the variable goes to the ps, and the variable comes back."""
    weights = variable(tf.ones([1024, 4096]), PS)
    with tf.device(WORKER0):
        loss = tf.reduce_sum(tf.square(weights))
        return tf.train.GradientDescentOptimizer(1e-6).minimize(loss)


def feed():
    with tf.device(WORKER0):
        x = tf.placeholder(tf.float32, [16 << 20])
        return tf.identity(x).op, {x: numpy.ones([16 << 20], numpy.float32)}


def fetch():
    with tf.device(WORKER0):
        return tf.Variable(tf.zeros([16 << 20]), dtype=tf.float32).value()


def thousand_nodes():
    x = [variable(1.0, PS), variable(2.0, PS)]
    for i in range(990):
        with tf.device(WORKER1 if i % 100 == 99 else WORKER0):
            x = [x[1], tf.add(x[0], x[1])]
    return x[1].op


# name, builds the graph, whether a measurement makes a session and runs it for the first time
STEPS = [
    ("null step, the master's task", null_step_here, False),
    ("null step, another task", null_step_there, False),
    ("one float, 8 hops between two tasks", eight_hops, False),
    ("100 small tensors at once to another task", hundred_tensors, False),
    ("chain of 10,000 scalar adds", chain_of_adds, False),
    ("while loop of 10,000 iterations", while_loop, False),
    ("MLP step (784-256-256-10), variables on the ps", mlp_step, False),
    ("LSTM training step (32 x 32, 64 units), variables on the ps", lstm_step, False),
    ("64 MB tensor between two tasks", big_tensor, False),
    ("training step, a variable of 16 MB on the ps", large_variable, False),
    ("feed of 64 MB", feed, False),
    ("fetch of 64 MB", fetch, False),
    ("new session and first run, 1,000 nodes", thousand_nodes, True),
]


# ---- measuring ---------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default=".", help="regular expression on the step's name")
    arguments = parser.parse_args()
    print("TensorFlow %s, %d rounds, medians" % (tensorflow.__version__, arguments.rounds))
    print("| step | ours | TensorFlow's | ours is x times as fast |\n|---|---|---|---|", flush=True)
    jobs = {"ps": 1, "worker": 2}
    with Cluster(jobs) as ours, Cluster(jobs, kind="tensorflow") as theirs:
        for name, build, creates_session in STEPS:
            if re.search(arguments.only, name):
                row = measure(build, (ours, theirs), arguments.rounds, creates_session)
                print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
