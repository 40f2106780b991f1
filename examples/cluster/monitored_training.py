# SPDX-License-Identifier: Apache-2.0
"""Trains a linear model with parameter servers and workers that do not wait for each other.

    build/sluice run --ps 2 --workers 3 examples/cluster/monitored_training.py

Each process runs this file. TF_CONFIG says which task it is. With --checkpoints the chief saves
them, one file for each parameter server, and training goes on from the last one after a failure.
"""

import argparse
import json
import os

import numpy as np
import sluice as tf

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--steps", type=int, default=200, help="steps of all workers together")
options.add_argument("--checkpoints", help="folder for checkpoints")
options = options.parse_args()

WEIGHTS = np.array([[1.0], [-2.0], [3.0], [0.5]], np.float32)


def batches(seed):
    """Inputs [32, 4] and targets [32, 1], other ones for each worker."""
    random = np.random.RandomState(seed)
    while True:
        x = random.randn(32, 4).astype(np.float32)
        yield x, x @ WEIGHTS + 1.0


def build(cluster, task):
    """The graph: variables on the parameter servers, the rest on this worker."""
    worker = f"/job:worker/task:{task}"
    with tf.device(tf.train.replica_device_setter(worker_device=worker, cluster=cluster)):
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.placeholder(tf.float32, [None, 1])
        step = tf.train.get_or_create_global_step()
        weights = tf.get_variable("weights", [4, 1], initializer=tf.zeros_initializer())
        bias = tf.get_variable("bias", [1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) + bias - y))
        train = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=step)
    return x, y, step, loss, train


def main():
    if "TF_CONFIG" not in os.environ:
        raise SystemExit("TF_CONFIG is not set: start this by sluice run --ps 2 --workers 3")
    config = json.loads(os.environ["TF_CONFIG"])
    cluster = tf.train.ClusterSpec(config["cluster"])
    job, task = config["task"]["type"], config["task"]["index"]
    server = tf.train.Server(cluster, job, task)
    print(f"process {os.getpid()}", flush=True)
    if job == "ps":
        server.join()

    x, y, step, loss, train = build(cluster, task)
    data = batches(task)
    scaffold = tf.train.Scaffold(saver=tf.train.Saver(sharded=True))
    first = True
    with tf.train.MonitoredTrainingSession(
        server.target, is_chief=task == 0, checkpoint_dir=options.checkpoints, scaffold=scaffold,
        save_checkpoint_steps=20, save_checkpoint_secs=None, save_summaries_steps=None,
        save_summaries_secs=None, hooks=[tf.train.StopAtStepHook(last_step=options.steps)],
    ) as session:  # fmt: skip
        while not session.should_stop():
            inputs, targets = next(data)
            number, value, _ = session.run([step, loss, train], {x: inputs, y: targets})
            if first:
                print(f"starts at step {number}", flush=True)
            first = False
            if number % 20 == 0:
                print(f"step {number}: loss {value:.4f}", flush=True)
    print("ended", flush=True)


if __name__ == "__main__":
    main()
