# SPDX-License-Identifier: Apache-2.0
"""In-graph replication: one client builds a tower for each worker; the other workers only serve."""

import argparse
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def tower(inputs, labels):
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    error = tf.matmul(inputs, w) + b - labels
    return tf.reduce_mean(tf.square(error))


def average(tower_gradients):
    result = []
    for pairs in zip(*tower_gradients):
        mean = tf.add_n([gradient for gradient, _ in pairs]) / len(pairs)
        result.append((mean, pairs[0][1]))
    return result


def main(ps_hosts, worker_hosts, job_name, task_index):
    cluster = tf.train.ClusterSpec(
        {"ps": ps_hosts.split(","), "worker": worker_hosts.split(",")}
    )
    server = tf.train.Server(cluster.as_cluster_def(), job_name, task_index)
    if job_name == "ps" or task_index > 0:
        server.join()

    workers = cluster.num_tasks("worker")
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None, 1])
    parts = list(zip(tf.split(x, workers), tf.split(y, workers)))
    gradients, losses = [], []
    for i, (inputs, labels) in enumerate(parts):
        setter = tf.train.replica_device_setter(
            worker_device="/job:worker/task:%d" % i, cluster=cluster
        )
        with tf.device(setter), tf.variable_scope("model", reuse=tf.AUTO_REUSE):
            losses.append(tower(inputs, labels))
            gradients.append(optimizer.compute_gradients(losses[-1]))
    with tf.device("/job:ps/task:0"):
        train = optimizer.apply_gradients(average(gradients))
    loss = tf.add_n(losses) / workers

    rng = np.random.RandomState(0)
    with tf.Session(server.target) as sess:
        print(sorted(device.name for device in sess.list_devices() if "CPU" in device.name))
        sess.run(tf.global_variables_initializer())
        for step in range(150):
            inputs = rng.normal(size=[16 * workers, 3])
            labels = inputs.dot([[2.0], [-1.0], [0.5]]) + 3.0
            _, value = sess.run([train, loss], feed_dict={x: inputs, y: labels})
            if step % 50 == 0:
                print("step", step, "loss", value)
    print("client: %d towers, loss %.6f" % (workers, value))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("ps_hosts", "worker_hosts", "job_name"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--task_index", type=int, default=0)
    sys.exit(main(**vars(parser.parse_args())))
