# SPDX-License-Identifier: Apache-2.0
"""Trains in step with a backup worker: each update averages the gradients of the fastest.

    build/sluice run --ps 1 --workers 3 --grace 1 examples/cluster/sync_replicas.py

Of W workers with B backups, the first W - B gradients of a step count. A gradient that comes later
is dropped, so a slow worker does not slow the others: here the last one sleeps. Only the chief
counts steps: a worker that left before would be missing in the chief's last step. The launcher ends
the others after the chief.
"""

import argparse
import json
import os
import time

import numpy as np
import sluice as tf

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--steps", type=int, default=40, help="updates of the variables")
options.add_argument("--backups", type=int, default=1, help="gradients that an update leaves out")
options.add_argument("--slow", type=float, default=0.2, help="seconds that the last worker loses")
options = options.parse_args()

WEIGHTS = np.array([[1.0], [-2.0], [3.0]], np.float32)


def main():
    if "TF_CONFIG" not in os.environ:
        raise SystemExit("TF_CONFIG is not set: start this by sluice run --ps 1 --workers 3")
    config = json.loads(os.environ["TF_CONFIG"])
    cluster = tf.train.ClusterSpec(config["cluster"])
    job, task = config["task"]["type"], config["task"]["index"]
    server = tf.train.Server(cluster, job, task)
    if job == "ps":
        server.join()

    workers, is_chief = cluster.num_tasks("worker"), task == 0
    device = tf.train.replica_device_setter(
        worker_device=f"/job:worker/task:{task}", cluster=cluster
    )
    with tf.device(device):
        x = tf.placeholder(tf.float32, [None, 3])
        step = tf.train.get_or_create_global_step()
        weights = tf.get_variable("weights", [3, 1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - tf.matmul(x, WEIGHTS)))
        optimizer = tf.train.SyncReplicasOptimizer(
            tf.train.GradientDescentOptimizer(0.1),
            replicas_to_aggregate=max(1, workers - options.backups), total_num_replicas=workers,
        )  # fmt: skip
        train = optimizer.minimize(loss, global_step=step)

    random = np.random.RandomState(task)
    hooks = [optimizer.make_session_run_hook(is_chief, num_tokens=0)]
    if is_chief:
        hooks.append(tf.train.StopAtStepHook(last_step=options.steps))
    with tf.train.MonitoredTrainingSession(server.target, is_chief, hooks=hooks) as session:
        steps = 0
        while not session.should_stop():
            if task == workers - 1 > 0:
                time.sleep(options.slow)
            number, value, _ = session.run([step, loss, train], {x: random.randn(16, 3)})
            steps += 1
            if steps % 10 == 1:
                print(f"its gradient number {steps}: step {number}, loss {value:.4f}", flush=True)
    print(f"gave {steps} gradients, loss {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
