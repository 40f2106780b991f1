# SPDX-License-Identifier: Apache-2.0
"""Input by queue runners: files are read, parsed and shuffled by threads beside the training."""

import argparse
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def write_files(folder, count):
    rng = np.random.RandomState(7)
    for i in range(count):
        with open(os.path.join(folder, "part-%d.txt" % i), "w") as out:
            for a, b in rng.uniform(-1, 1, [50, 2]):
                out.write(f"{a:f} {b:f} {4 * a - b + 0.5:f}\n")


def input_pipeline(folder, batch_size):
    names = tf.train.match_filenames_once(os.path.join(folder, "part-*.txt"))
    queue = tf.train.string_input_producer(names, num_epochs=6, seed=1)
    _, line = tf.TextLineReader().read(queue)
    fields = tf.string_to_number(tf.string_split([line], " ").values)
    fields = tf.reshape(fields, [3])
    return tf.train.shuffle_batch(
        [fields[:2], fields[2]], batch_size, capacity=200, min_after_dequeue=40, num_threads=2
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ps_hosts")
    parser.add_argument("--worker_hosts")
    parser.add_argument("--job_name")
    parser.add_argument("--task_index", type=int)
    parser.add_argument("--logdir")
    args = parser.parse_args()
    cluster = tf.train.ClusterSpec(
        {"ps": args.ps_hosts.split(","), "worker": args.worker_hosts.split(",")}
    )
    server = tf.train.Server(cluster, job_name=args.job_name, task_index=args.task_index)
    if args.job_name == "ps":
        server.join()

    folder = os.path.join(args.logdir, "data-%d" % args.task_index)
    os.makedirs(folder)
    write_files(folder, 3)
    worker = "/job:worker/task:%d" % args.task_index
    with tf.device(worker):
        features, labels = input_pipeline(folder, 20)
    with tf.device(tf.train.replica_device_setter(worker_device=worker, cluster=cluster)):
        w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(features, w)[:, 0] + b - labels))
        step = tf.train.get_or_create_global_step()
        train = tf.train.FtrlOptimizer(1.0).minimize(loss, global_step=step)

    # The pipeline ends after its epochs: OutOfRangeError ends the loop.
    config = tf.ConfigProto(device_filters=["/job:ps", worker])
    values = []
    with tf.train.MonitoredTrainingSession(
        server.target, is_chief=args.task_index == 0, config=config
    ) as session:
        while not session.should_stop():
            values.append(session.run([train, loss])[1])
    print("worker %d: %d batches, loss %.4f to %.4f" % (
        args.task_index, len(values), values[0], values[-1]))


if __name__ == "__main__":
    main()
