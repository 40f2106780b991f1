# SPDX-License-Identifier: Apache-2.0
"""Between-graph replication, asynchronous: a graph for each worker, the variables on the ps."""

import argparse

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

parser = argparse.ArgumentParser()
parser.add_argument("--ps_hosts", default="localhost:2222")
parser.add_argument("--worker_hosts", default="localhost:2223,localhost:2224")
parser.add_argument("--job_name", choices=["ps", "worker"], required=True)
parser.add_argument("--task_index", type=int, default=0)
parser.add_argument("--steps", type=int, default=1500)
parser.add_argument("--logdir", default=None)


class LossHistory(tf.train.SessionRunHook):
    """Keeps the loss of every step of this worker."""

    def __init__(self, loss):
        self.loss = loss
        self.seen = []

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        self.seen.append(run_values.results)


def batches(seed, size=64):
    rng = np.random.RandomState(seed)
    while True:
        x = rng.uniform(-1, 1, [size, 16]).astype(np.float32)
        yield x, (x[:, :8].sum(1) > x[:, 8:].sum(1)).astype(np.int64)


def main():
    args = parser.parse_args()
    cluster = tf.train.ClusterSpec(
        {"ps": args.ps_hosts.split(","), "worker": args.worker_hosts.split(",")}
    )
    server = tf.train.Server(cluster, job_name=args.job_name, task_index=args.task_index)
    if args.job_name == "ps":
        server.join()
        return

    worker = "/job:worker/task:%d" % args.task_index
    with tf.device(tf.train.replica_device_setter(worker_device=worker, cluster=cluster)):
        x = tf.placeholder(tf.float32, [None, 16], name="x")
        y = tf.placeholder(tf.int64, [None], name="y")
        w1 = tf.get_variable("w1", [16, 32], initializer=tf.glorot_uniform_initializer(seed=1))
        b1 = tf.get_variable("b1", [32], initializer=tf.zeros_initializer())
        w2 = tf.get_variable("w2", [32, 2], initializer=tf.glorot_uniform_initializer(seed=2))
        b2 = tf.get_variable("b2", [2], initializer=tf.zeros_initializer())
        hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
        logits = tf.matmul(hidden, w2) + b2
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        )
        accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
        step = tf.train.get_or_create_global_step()
        train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
        tf.summary.scalar("loss", loss)

    history = LossHistory(loss)
    hooks = [
        tf.train.StopAtStepHook(last_step=args.steps),
        tf.train.LoggingTensorHook({"step": step, "loss": loss}, every_n_iter=500),
        tf.train.NanTensorHook(loss),
        history,
    ]
    data = batches(args.task_index)
    with tf.train.MonitoredTrainingSession(
        master=server.target,
        is_chief=args.task_index == 0,
        config=tf.ConfigProto(device_filters=["/job:ps", worker]),
        checkpoint_dir=args.logdir,
        hooks=hooks,
        save_checkpoint_steps=500,
    ) as session:
        last = 0.0
        while not session.should_stop():
            images, labels = next(data)
            _, last = session.run([train, accuracy], {x: images, y: labels})
    print("worker %d: %d steps, loss %.3f to %.3f, accuracy %.3f" % (
        args.task_index, len(history.seen), history.seen[0], history.seen[-1], last))


if __name__ == "__main__":
    main()
