# SPDX-License-Identifier: Apache-2.0
"""Trains a small residual net of Keras on several ranks, with the callbacks for large batches.

    build/sluice run -np 2 python3 examples/horovod/keras_resnet.py

The rate is --rate for one rank, and N times as large for N ranks. It grows to that during the
first epochs, and falls to a tenth near the end (Goyal et al., "Accurate, Large Minibatch SGD",
2017). The pictures are synthetic. large_batch.py does the same without Keras.
"""

import argparse

import numpy as np
import sluice as tf
import sluice.hvd as hvd

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--epochs", type=int, default=5)
options.add_argument("--batch", type=int, default=32, help="pictures of a rank")
options.add_argument("--rate", type=float, default=0.02, help="learning rate for one rank")
options.add_argument("--warmup", type=int, default=2, help="epochs")
options.add_argument("--checkpoint", help="prefix of the checkpoint that rank 0 saves")
options = options.parse_args()

layers = tf.keras.layers
CLASSES, PICTURES = 4, 256


def convolve(x, channels, stride=1):
    """A convolution 3 x 3 with batch normalization."""
    decay = tf.keras.regularizers.l2(1e-4)
    x = layers.Conv2D(
        channels, 3, stride, "same", use_bias=False, kernel_regularizer=decay,
        kernel_initializer="he_normal",
    )(x)  # fmt: skip
    return layers.BatchNormalization(momentum=0.8)(x)


def block(x, channels, stride):
    """A residual block. The last normalization could begin with scale 0, as in the paper."""
    y = layers.Activation("relu")(convolve(x, channels, stride))
    y = convolve(y, channels)
    if stride > 1:
        x = layers.Conv2D(channels, 1, stride, use_bias=False)(x)
    return layers.Activation("relu")(layers.add([x, y]))


def residual_net():
    pictures = layers.Input([16, 16, 3])
    x = layers.Activation("relu")(convolve(pictures, 8))
    for channels, stride in ((8, 1), (16, 2), (32, 2)):
        x = block(x, channels, stride)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(pictures, layers.Dense(CLASSES, activation="softmax")(x))


def main():
    hvd.init()
    tf.keras.backend.set_session(tf.Session(hvd.target(), config=hvd.config()))
    tf.set_random_seed(3)

    random = np.random.RandomState(0)
    labels = random.randint(CLASSES, size=PICTURES)
    pictures = random.rand(CLASSES, 16, 16, 3)[labels] + random.rand(PICTURES, 16, 16, 3) - 1.0
    own = slice(hvd.rank(), None, hvd.size())  # this rank's pictures

    rate = options.rate * hvd.size()
    model = residual_net()
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(rate, momentum=0.9))
    model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(
        pictures[own], labels[own], batch_size=options.batch, epochs=options.epochs, verbose=0,
        callbacks=[
            hvd.callbacks.BroadcastGlobalVariablesCallback(0),
            hvd.callbacks.MetricAverageCallback(),
            hvd.callbacks.LearningRateWarmupCallback(rate, warmup_epochs=options.warmup),
            hvd.callbacks.LearningRateScheduleCallback(
                rate, 1.0, options.warmup, options.epochs - 1
            ),
            hvd.callbacks.LearningRateScheduleCallback(rate, 0.1, options.epochs - 1),
        ],
    ).history  # fmt: skip
    if hvd.rank() == 0:
        for epoch, values in enumerate(zip(history["lr"], history["loss"], history["acc"])):
            print("epoch %d: rate %.4f, loss %.4f accuracy %.3f" % (epoch, *values), flush=True)
        if options.checkpoint:
            model.save_weights(options.checkpoint)


if __name__ == "__main__":
    main()
