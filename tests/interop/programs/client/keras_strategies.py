# SPDX-License-Identifier: Apache-2.0
"""Models of Keras that several replicas train."""

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras


def _fitted(tf, devices, build, epochs=3):
    """Losses and metrics of each epoch, weights, and what the model predicts."""
    with tf.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy(devices)
        config = tf.ConfigProto(device_count={"CPU": len(devices)})
        tf.keras.backend.set_session(tf.Session(config=config))
        x = np.cos(np.arange(96)).reshape(24, 4).astype(np.float32)
        y = (np.arange(24) * 7 % 3).astype(np.float32).reshape(24, 1)
        with strategy.scope():
            model = build()
        history = model.fit(x, y, batch_size=8, epochs=epochs, shuffle=False, verbose=0).history
        return [history, model.get_weights(), model.predict(x, batch_size=8)]


def dense(tf):
    """Two replicas give what one gives."""
    keras = tf.keras

    def build():
        model = keras.Sequential([
            keras.layers.Dense(5, activation="tanh", input_shape=(4,)),
            keras.layers.Dense(3, activation="softmax"),
        ])  # fmt: skip
        model.compile(
            keras.optimizers.SGD(0.1, momentum=0.9), "sparse_categorical_crossentropy",
            metrics=["accuracy"],
        )  # fmt: skip
        model.set_weights([np.sin(np.arange(w.size)).reshape(w.shape) for w in model.get_weights()])
        return model

    found = [_fitted(tf, devices, build) for devices in (["/cpu:0"], ["/cpu:0", "/cpu:1"])]
    for name, values in found[0][0].items():
        np.testing.assert_allclose(found[1][0][name], values, 1e-4)
    return found


def normalized(tf):
    """Each replica normalises its own part of the batch."""
    keras = tf.keras

    def build():
        model = keras.Sequential([
            keras.layers.Dense(5, kernel_initializer="ones", input_shape=(4,)),
            keras.layers.BatchNormalization(),
            keras.layers.Dense(1, kernel_regularizer=keras.regularizers.l2(0.01)),
        ])  # fmt: skip
        model.compile(keras.optimizers.Adam(0.05), "mse", metrics=["mae"])
        return model

    history, weights, predicted = _fitted(tf, ["/cpu:0", "/cpu:1"], build)
    return [sorted(history), [w.shape for w in weights], predicted.shape]


def measured(tf):
    """evaluate() and predict() of replicas, also of a last batch that they cannot divide."""
    keras, found = tf.keras, []
    for devices in (["/cpu:0"], ["/cpu:0", "/cpu:1"]):
        with tf.Graph().as_default():
            strategy = tf.distribute.MirroredStrategy(devices)
            config = tf.ConfigProto(device_count={"CPU": len(devices)})
            tf.keras.backend.set_session(tf.Session(config=config))
            x = np.cos(np.arange(96)).reshape(24, 4).astype(np.float32)
            y = (np.arange(24) * 7 % 3).astype(np.float32).reshape(24, 1)
            with strategy.scope():
                model = keras.Sequential([
                    keras.layers.Dense(3, activation="softmax", input_shape=(4,),
                                       kernel_regularizer=keras.regularizers.l2(0.1)),
                ])  # fmt: skip
                model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
                weights = model.get_weights()
                model.set_weights([np.sin(np.arange(w.size)).reshape(w.shape) for w in weights])
            found.append([
                model.evaluate(x, y, batch_size=8, verbose=0), model.predict(x, batch_size=8),
            ])  # fmt: skip
    return found


def added_losses(tf):
    """evaluate() of a model whose layer adds a loss of its input: each replica adds its own."""
    keras, found = tf.keras, []

    class Penalty(keras.layers.Layer):
        def call(self, x):
            self.add_loss(0.25 * tf.reduce_mean(tf.square(x)), inputs=True)
            return x

    for devices in (["/cpu:0"], ["/cpu:0", "/cpu:1"]):
        with tf.Graph().as_default():
            strategy = tf.distribute.MirroredStrategy(devices)
            config = tf.ConfigProto(device_count={"CPU": len(devices)})
            tf.keras.backend.set_session(tf.Session(config=config))
            x = np.cos(np.arange(64)).reshape(16, 4).astype(np.float32)
            y = np.sin(np.arange(16)).astype(np.float32).reshape(16, 1)
            with strategy.scope():
                model = keras.Sequential([
                    keras.layers.Dense(2, kernel_initializer="ones", input_shape=(4,)),
                    Penalty(), keras.layers.Dense(1, kernel_initializer="ones"),
                ])  # fmt: skip
                model.compile(keras.optimizers.SGD(0.01), "mse")
            before = model.evaluate(x, y, batch_size=8, verbose=0)
            losses = model.fit(x, y, 8, 2, shuffle=False, verbose=0).history["loss"]
            found.append([before, losses, model.evaluate(x, y, batch_size=8, verbose=0)])
    return found
