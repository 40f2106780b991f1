# SPDX-License-Identifier: Apache-2.0
"""Skip-gram with noise-contrastive estimation; the embeddings lie in pieces on the ps tasks."""

import argparse
import collections
import random

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

TEXT = (
    "the king rules the land and the queen rules the land "
    "the cat eats the fish and the dog eats the meat "
    "a man walks the dog and a woman walks the cat "
) * 20


def skip_grams(words, window, seed):
    rng = random.Random(seed)
    while True:
        centre = rng.randrange(window, len(words) - window)
        other = centre + rng.choice([o for o in range(-window, window + 1) if o])
        yield words[centre], words[other]


def batch(pairs, size):
    centres, others = zip(*(next(pairs) for _ in range(size)))
    return np.array(centres, np.int32), np.array(others, np.int32).reshape([-1, 1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ps_hosts", type=lambda s: s.split(","))
    parser.add_argument("--worker_hosts", type=lambda s: s.split(","))
    parser.add_argument("--job_name")
    parser.add_argument("--task_index", type=int)
    parser.add_argument("--steps", type=int, default=1500)
    args = parser.parse_args()
    cluster = tf.train.ClusterSpec({"ps": args.ps_hosts, "worker": args.worker_hosts})
    server = tf.train.Server(cluster, job_name=args.job_name, task_index=args.task_index)
    if args.job_name == "ps":
        server.join()

    counts = collections.Counter(TEXT.split()).most_common()
    ids = {word: i for i, (word, _) in enumerate(counts)}
    words = [ids[word] for word in TEXT.split()]
    ps_tasks = len(args.ps_hosts)
    worker = "/job:worker/task:%d" % args.task_index
    setter = tf.train.replica_device_setter(cluster=cluster, worker_device=worker)
    with tf.device(setter):
        centres = tf.placeholder(tf.int32, [None])
        others = tf.placeholder(tf.int32, [None, 1])
        with tf.variable_scope("model", partitioner=tf.fixed_size_partitioner(ps_tasks)):
            embeddings = tf.get_variable(
                "embeddings", [len(ids), 16], initializer=tf.random_uniform_initializer(-1, 1)
            )
            nce_weights = tf.get_variable(
                "nce_weights", [len(ids), 16],
                initializer=tf.truncated_normal_initializer(stddev=0.25),
            )
            nce_biases = tf.get_variable(
                "nce_biases", [len(ids)], initializer=tf.zeros_initializer()
            )
        inputs = tf.nn.embedding_lookup(embeddings, centres, partition_strategy="div")
        loss = tf.reduce_mean(tf.nn.nce_loss(
            nce_weights, nce_biases, others, inputs, num_sampled=4, num_classes=len(ids),
            partition_strategy="div",
        ))
        step = tf.train.get_or_create_global_step()
        train = tf.train.AdagradOptimizer(0.5).minimize(loss, global_step=step)

    pairs = skip_grams(words, 2, args.task_index)
    losses = []
    with tf.train.MonitoredTrainingSession(
        server.target, is_chief=args.task_index == 0,
        config=tf.ConfigProto(device_filters=["/job:ps", worker]),
        hooks=[tf.train.StopAtStepHook(last_step=args.steps)],
    ) as session:
        while not session.should_stop():
            c, o = batch(pairs, 32)
            losses.append(session.run([loss, train], {centres: c, others: o})[0])
    n = max(1, len(losses) // 10)
    print("worker %d: loss %.3f to %.3f in %d pieces" % (
        args.task_index, np.mean(losses[:n]), np.mean(losses[-n:]), ps_tasks))


if __name__ == "__main__":
    main()
