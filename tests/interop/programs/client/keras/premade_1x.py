# SPDX-License-Identifier: Apache-2.0
"""Models that Keras has ready: linear ones, wide and deep ones, and those of several GPUs."""

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras


def _draw(*shape):
    return np.random.RandomState(3).rand(*shape).astype(np.float32)


def _deep(tf):
    return tf.keras.Sequential([
        tf.keras.layers.Dense(4, "relu", kernel_initializer="ones"),
        tf.keras.layers.Dense(1, kernel_initializer="ones"),
    ])  # fmt: skip


def a_linear_model(tf):
    model = tf.keras.experimental.LinearModel(2, "relu", kernel_initializer="ones")
    model.compile("sgd", "mse")
    history = model.fit([_draw(8, 3), _draw(8, 2)], _draw(8, 2), verbose=0, epochs=2).history
    return history["loss"], model.get_weights(), model.get_config()["units"]


def a_wide_and_deep_model(tf):
    linear = tf.keras.experimental.LinearModel(kernel_initializer="ones")
    model = tf.keras.experimental.WideDeepModel(linear, _deep(tf), "sigmoid")
    model.compile(["sgd", "adam"], "mse", ["mae"])
    inputs = [_draw(8, 3), _draw(8, 2)]
    history = model.fit(inputs, _draw(8, 1), verbose=0, epochs=3).history
    return history["loss"], model.predict(inputs), model.get_weights()


def one_gpu_is_not_several(tf):
    found = []
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    for gpus in (1, [0]):
        try:
            tf.keras.utils.multi_gpu_model(model, gpus)
        except ValueError as error:
            found.append(str(error))
    return found
