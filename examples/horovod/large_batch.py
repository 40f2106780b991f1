# SPDX-License-Identifier: Apache-2.0
"""Trains a small residual net with large batches: linear scaling of the rate, with a warm-up.

    build/sluice run -np 2 python3 examples/horovod/large_batch.py

The rate is --rate for a batch of 32. For a batch of 32 k, over all ranks, it is k times as large
(Goyal et al., "Accurate, Large Minibatch SGD", 2017). It grows to that within --warmup steps, and
falls to a tenth at two thirds of the steps. The pictures are synthetic.
"""

import argparse

import numpy as np
import sluice as tf
import sluice.hvd as hvd

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--steps", type=int, default=24)
options.add_argument("--batch", type=int, default=32, help="pictures of a rank")
options.add_argument("--rate", type=float, default=0.02, help="learning rate for a batch of 32")
options.add_argument("--warmup", type=int, default=8, help="steps")
options = options.parse_args()


def convolve(x, channels, stride, name):
    """A convolution 3 x 3 with batch normalisation."""
    x = tf.layers.conv2d(x, channels, 3, stride, "same", use_bias=False, name=name)
    return tf.layers.batch_normalization(x, training=True, name=name + "_norm")


def block(x, channels, stride, name):
    """A residual block. The last normalisation could start at 0, as in the paper."""
    y = tf.nn.relu(convolve(x, channels, stride, name + "a"))
    y = convolve(y, channels, 1, name + "b")
    if stride > 1:
        x = tf.layers.conv2d(x, channels, 1, stride, use_bias=False, name=name + "short")
    return tf.nn.relu(x + y)


def learning_rate(step):
    """The rate of a step, a scalar tensor."""
    largest = options.rate * hvd.size() * options.batch / 32
    done = tf.cast(step, tf.float32) / options.warmup
    warm = options.rate + (largest - options.rate) * tf.minimum(done, 1.0)
    later = tf.train.piecewise_constant(
        tf.cast(step, tf.int32), [options.steps * 2 // 3], [1.0, 0.1]
    )
    return warm * later


def main():
    hvd.init()
    tf.set_random_seed(3)
    pictures = tf.placeholder(tf.float32, [None, 16, 16, 3])
    labels = tf.placeholder(tf.int32, [None])
    x = tf.nn.relu(convolve(pictures, 8, 1, "first"))
    for number, (channels, stride) in enumerate(((8, 1), (16, 2), (32, 2))):
        x = block(x, channels, stride, f"block{number}")
    logits = tf.layers.dense(tf.reduce_mean(x, [1, 2]), 4, name="logits")
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses)

    step = tf.train.get_or_create_global_step()
    rate = learning_rate(step)
    optimizer = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(rate, 0.9))
    train = optimizer.minimize(loss, global_step=step)
    mean_loss = hvd.allreduce(loss, name="mean_loss")

    patterns = np.random.RandomState(0).rand(4, 16, 16, 3)
    random = np.random.RandomState(1 + hvd.rank())
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(options.steps)]
    with tf.train.MonitoredTrainingSession(
        hvd.target(), config=hvd.config(), hooks=hooks
    ) as session:
        while not session.should_stop():
            chosen = random.randint(4, size=options.batch)
            noise = random.rand(options.batch, 16, 16, 3)
            feeds = {pictures: patterns[chosen] + noise - 1.0, labels: chosen}
            now, used, value, _ = session.run([step, rate, mean_loss, train], feeds)
            if hvd.rank() == 0:
                print(f"step {now}: rate {used:.4f}, loss {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
