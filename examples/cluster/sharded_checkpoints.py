# SPDX-License-Identifier: Apache-2.0
"""Saves one file for each parameter server, and goes on from them after one was killed.

    build/sluice run --ps 2 --workers 1 --restarts 1 examples/cluster/sharded_checkpoints.py /tmp/c

After step --kill_at the worker kills the first parameter server. The launcher starts it again, with
no values. The worker opens another session and restores the last checkpoint from the folder. This
program does by hand what MonitoredTrainingSession does by itself (monitored_training.py).
"""

import argparse
import glob
import json
import os
import signal

import numpy as np
import sluice as tf

options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
options.add_argument("folder", help="where the checkpoints are")
options.add_argument("--steps", type=int, default=100)
options.add_argument("--kill_at", type=int, default=55, help="step; 0: never")
options = options.parse_args()

X = np.random.RandomState(0).randn(64, 4).astype(np.float32)
Y = X @ np.array([[1.0], [-2.0], [3.0], [0.5]], np.float32)
PID_FILE = os.path.join(options.folder, "ps0.pid")


def build(cluster):
    """The graph. Variables take turns on the parameter servers."""
    with tf.device(tf.train.replica_device_setter(cluster=cluster)):
        step = tf.train.get_or_create_global_step()
        weights = tf.get_variable("weights", [4, 1], initializer=tf.zeros_initializer())
        bias = tf.get_variable("bias", [1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(X, weights) + bias - Y))
        train = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=step)
    return step, loss, train


def train(session, saver, step, loss, train_op):
    """Trains from the last checkpoint on, or from the beginning. Saves each 10 steps."""
    latest = tf.train.latest_checkpoint(options.folder)
    if latest:
        saver.restore(session, latest)
        print(f"restored {os.path.basename(latest)}", flush=True)
    else:
        session.run(tf.global_variables_initializer())
    number = session.run(step)
    while number < options.steps:
        value, _ = session.run([loss, train_op])
        number += 1
        if number % 10 == 0:
            saver.save(session, os.path.join(options.folder, "model"), global_step=number)
            print(f"step {number}: loss {value:.4f}", flush=True)
        if number == options.kill_at and not latest:
            with open(PID_FILE) as file:
                os.kill(int(file.read()), signal.SIGKILL)


def main():
    if "TF_CONFIG" not in os.environ:
        raise SystemExit("TF_CONFIG is not set: start this by sluice run --ps 2 --workers 1")
    config = json.loads(os.environ["TF_CONFIG"])
    cluster = tf.train.ClusterSpec(config["cluster"])
    job, task = config["task"]["type"], config["task"]["index"]
    os.makedirs(options.folder, exist_ok=True)
    if (job, task) == ("ps", 0):
        with open(PID_FILE, "w") as file:
            file.write(str(os.getpid()))
    server = tf.train.Server(cluster, job, task)
    if job == "ps":
        server.join()

    fetches = build(cluster)
    saver = tf.train.Saver(sharded=True)
    while True:
        try:
            with tf.Session(server.target) as session:
                train(session, saver, *fetches)
            break
        except (tf.errors.UnavailableError, tf.errors.AbortedError) as error:
            print(f"lost a task: {type(error).__name__}", flush=True)
    latest = tf.train.latest_checkpoint(options.folder)
    shards = len(glob.glob(latest + ".data-*"))
    print(f"{os.path.basename(latest)} is in {shards} files", flush=True)


if __name__ == "__main__":
    main()
