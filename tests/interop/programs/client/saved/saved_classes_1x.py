# SPDX-License-Identifier: Apache-2.0
"""SavedModels of models that are classes of the program."""

import os
import tempfile

import numpy as np

ONLY_1X = True

X = np.linspace(-1, 1, 12).astype(np.float32).reshape(4, 3)
Y = X.sum(1, keepdims=True)

_folders = []  # TensorFlow reads a model at the first use


def _dense(tf, units, **more):
    return tf.keras.layers.Dense(units, kernel_initializer="ones", **more)


def _model(tf):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = _dense(tf, 3, activation="tanh")
            self.scale = self.add_weight("scale", [], initializer="ones", trainable=False)
            self.last = _dense(tf, 1)

        def call(self, inputs):
            return self.last(self.first(inputs)) * self.scale

    return Own()


def _reloaded(tf, model, **more):
    _folders.append(tempfile.TemporaryDirectory())
    path = os.path.join(_folders[-1].name, "model")
    model.save(path, save_format="tf")
    return tf.keras.models.load_model(path, **more)


def class_after_training(tf):
    model = _model(tf)
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
    model.fit(X, Y, epochs=2, verbose=0)
    loaded = _reloaded(tf, model)
    return [
        type(loaded).__name__, isinstance(loaded, tf.keras.Model), loaded.predict(X),
        loaded.evaluate(X, Y, verbose=0), loaded.metrics_names,
        type(loaded.optimizer).__name__, loaded.optimizer.get_config()["learning_rate"],
    ]  # fmt: skip


def weights_of_the_class(tf):
    model = _model(tf)
    model.predict(X)
    loaded = _reloaded(tf, model)
    return [
        loaded.get_weights(), [v.shape.as_list() for v in loaded.trainable_weights],
        len(loaded.non_trainable_weights), loaded.optimizer is None,
    ]  # fmt: skip


def called_on_tensors(tf):
    model = _model(tf)
    model.predict(X)
    loaded = _reloaded(tf, model)
    inputs = tf.keras.Input((3,))
    return tf.keras.Model(inputs, loaded(inputs) + 1.0).predict(X)


def several_inputs_and_outputs(tf):
    class Two(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.one, self.two = _dense(tf, 2), _dense(tf, 1)

        def call(self, inputs):
            left, right = inputs
            return self.one(left), self.two(right)

    model = Two()
    wanted = model.predict([X, 2 * X[:, :2]])
    loaded = _reloaded(tf, model)
    found = loaded.predict([X, 2 * X[:, :2]])
    return [len(wanted), *(bool(np.allclose(a, b)) for a, b in zip(wanted, found))]


def without_compiling(tf):
    model = _model(tf)
    model.compile("sgd", "mse")
    model.fit(X, Y, verbose=0)
    loaded = _reloaded(tf, model, compile=False)
    return loaded.get_weights()


def layers_of_a_known_kind(tf):
    inputs = tf.keras.Input((3,), name="given")
    hidden = tf.keras.layers.BatchNormalization()(_dense(tf, 2)(inputs))
    model = tf.keras.Model(inputs, _dense(tf, 1, name="end")(hidden))
    model.compile(tf.keras.optimizers.Adam(0.1), "mse")
    model.fit(X, Y, epochs=2, verbose=0, shuffle=False)
    loaded = _reloaded(tf, model)
    return [
        type(loaded).__name__, [layer.name for layer in loaded.layers if "batch" not in layer.name],
        loaded.predict(X), loaded.evaluate(X, Y, verbose=0), loaded.to_json() == model.to_json(),
    ]  # fmt: skip


def layer_of_the_program(tf):
    class Doubled(tf.keras.layers.Layer):
        def build(self, shape):
            self.factor = self.add_weight("factor", [shape[-1]], initializer="ones")

        def call(self, inputs):
            return 2 * inputs * self.factor

    model = tf.keras.Sequential([_dense(tf, 2, input_shape=(3,)), Doubled()])
    loaded = _reloaded(tf, model)
    return [type(loaded).__name__, loaded.predict(X), loaded.get_weights()]


def not_called_yet(tf):
    found = []
    for model in (_model(tf), tf.keras.Sequential([_dense(tf, 2)])):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found.append(model.save(os.path.join(folder, "model"), save_format="tf"))
            except Exception as error:
                found.append([type(error).__name__, str(error).split(" because ")[-1]])
    return found
