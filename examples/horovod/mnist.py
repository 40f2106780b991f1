# SPDX-License-Identifier: Apache-2.0
"""Trains a small convolutional net on pictures of digits, on several ranks.

    build/sluice run -np 2 python3 examples/horovod/mnist.py

The pictures are synthetic: a fixed pattern for each digit, and noise. With --tensorflow the same
program uses TensorFlow's client, 1.15 or 2.x, of the Python that runs it.
"""

import argparse

import numpy as np
import sluice.hvd

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--tensorflow", action="store_true", help="use TensorFlow's client")
options.add_argument("--steps", type=int, default=60, help="steps of all ranks together")
options.add_argument("--batch", type=int, default=32, help="pictures of a step and rank")
options.add_argument("--checkpoints", help="folder for checkpoints of rank 0")
options = options.parse_args()

if options.tensorflow:
    import tensorflow

    hvd = sluice.hvd.over(tensorflow)
    tf = tensorflow.compat.v1
    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
else:
    import sluice as tf

    hvd = sluice.hvd


def batches(rank):
    """Pictures [batch, 28, 28, 1] and digits [batch], other ones on each rank."""
    patterns = np.random.RandomState(0).rand(10, 28, 28, 1)
    random = np.random.RandomState(1 + rank)
    while True:
        digits = random.randint(10, size=options.batch)
        noise = random.rand(options.batch, 28, 28, 1)
        yield (0.7 * patterns[digits] + 0.3 * noise - 0.5).astype(np.float32), digits


def layer(name, x, shape):
    """A convolution [5, 5, in, out] with pooling, or a matrix product [in, out]."""
    with tf.variable_scope(name):
        weights = tf.get_variable("weights", shape, initializer=tf.glorot_uniform_initializer())
        biases = tf.get_variable("biases", shape[-1:], initializer=tf.zeros_initializer())
        if len(shape) == 2:
            return tf.matmul(x, weights) + biases
        x = tf.nn.relu(tf.nn.conv2d(x, weights, [1, 1, 1, 1], "SAME") + biases)
        return tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")


def main():
    hvd.init()
    pictures = tf.placeholder(tf.float32, [None, 28, 28, 1])
    digits = tf.placeholder(tf.int32, [None])
    x = layer("conv1", pictures, [5, 5, 1, 8])
    x = layer("conv2", x, [5, 5, 8, 16])
    x = tf.nn.relu(layer("dense1", tf.reshape(x, [-1, 7 * 7 * 16]), [7 * 7 * 16, 64]))
    logits = layer("dense2", x, [64, 10])
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=digits, logits=logits)
    )

    step = tf.train.get_or_create_global_step()
    rate = hvd.scaled_learning_rate(0.001, step, warmup_steps=10)
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(rate))
    train = optimizer.minimize(loss, global_step=step)
    mean_loss = hvd.allreduce(loss, name="mean_loss")

    last = options.steps // hvd.size()
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=last)]
    # Only rank 0 saves checkpoints: the others would overwrite them.
    folder = options.checkpoints if hvd.rank() == 0 else None
    data, number = batches(hvd.rank()), 0
    with tf.train.MonitoredTrainingSession(
        hvd.target(), config=hvd.config(), hooks=hooks, checkpoint_dir=folder
    ) as session:
        while not session.should_stop():
            chosen = dict(zip((pictures, digits), next(data)))
            _, value = session.run([train, mean_loss], chosen)
            number += 1
            if hvd.rank() == 0 and (number % 10 == 0 or number == last):
                print(f"step {number}: loss {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
