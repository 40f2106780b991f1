# SPDX-License-Identifier: Apache-2.0
"""One worker of mirrored_bench.py: trains a network by MultiWorkerMirroredStrategy.

Reads a number of steps from each line of standard input, runs them, and prints the seconds.
"""

import json
import os
import sys
import time

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

BATCH = 32  # images of each worker
CONFIG = json.loads(os.environ["TF_CONFIG"])
RANK = CONFIG["task"]["index"]


def network(images):
    """4.1 million parameters, most of them in one dense layer."""
    x = images
    for i, filters in enumerate((32, 64)):
        shape = [3, 3, int(x.shape[3]), filters]
        x = tf.nn.relu(tf.nn.conv2d(x, tf.get_variable(f"conv{i}", shape), [1] * 4, "SAME"))
        x = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    x = tf.reshape(x, [BATCH, -1])
    x = tf.nn.relu(tf.matmul(x, tf.get_variable("hidden", [int(x.shape[1]), 1000])))
    return tf.matmul(x, tf.get_variable("output", [1000, 10]))


def train_step(images, labels):
    logits = network(images)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses)
    with tf.control_dependencies([tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)]):
        return tf.identity(loss)


def main():
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    random = np.random.RandomState(RANK)
    with strategy.scope():
        images = tf.constant(random.rand(BATCH, 32, 32, 3).astype(np.float32))
        labels = tf.constant(random.randint(0, 10, [BATCH]).astype(np.int32))
        run = getattr(strategy, "experimental_run_v2", None) or strategy.run
        losses = run(train_step, args=(images, labels))
        loss = strategy.reduce(tf.distribute.ReduceOp.MEAN, losses, axis=None)
        begin = tf.global_variables_initializer()
    config = strategy.update_config_proto(tf.ConfigProto(operation_timeout_in_ms=60000))
    with tf.Session("grpc://" + CONFIG["cluster"]["worker"][RANK], config=config) as session:
        session.run(begin)
        step = session.make_callable(loss)
        print("ready", flush=True)
        for line in sys.stdin:
            start = time.perf_counter()
            for _ in range(int(line)):
                last = step()
            print(time.perf_counter() - start, float(last), flush=True)


if __name__ == "__main__":
    main()
