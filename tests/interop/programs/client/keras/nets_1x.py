# SPDX-License-Identifier: Apache-2.0
"""Well-known networks of Keras: the losses of each epoch, from the same seeds."""

import numpy as np

from interop.programs import keras_nets

ONLY_1X = True  # later TensorFlows have another Keras


def _losses(tf, name, count, batch, epochs):
    np.random.seed(7)
    tf.set_random_seed(7)
    model = keras_nets.NETS[name](tf.keras, whole=False)
    x, y = keras_nets.DATA[name](count)
    history = model.fit(x, y, batch_size=batch, epochs=epochs, verbose=0).history
    return {key: [float(v) for v in values] for key, values in history.items()}


def digits(tf):
    return _losses(tf, "digits", 128, 32, 3)


def texts(tf):
    return _losses(tf, "texts", 96, 32, 3)


def resnet20(tf):
    return _losses(tf, "resnet20", 48, 16, 2)
