# SPDX-License-Identifier: Apache-2.0
"""SavedModels of Keras: TensorFlow runs those of our client, and each loads the other's models."""

import os
import subprocess
import sys

import numpy as np
import pytest

from interop.tools.two_clients import our_command

X = np.cos(np.arange(24)).reshape(6, 4).astype(np.float32)
Y = np.sin(np.arange(12)).reshape(6, 2).astype(np.float32)


def _model(keras):
    layers = keras.layers
    inputs = layers.Input((4,), name="features")
    x = layers.Dropout(0.5)(layers.Dense(5, activation="tanh")(inputs))
    x = layers.BatchNormalization()(x)
    model = keras.Model(inputs, layers.Dense(2, name="scores")(x))
    model.compile(keras.optimizers.Adam(0.05), "mse", metrics=["mae"])
    model.fit(X, Y, epochs=2, verbose=0)
    return model


def write(tf, folder):
    """Saves a model; what it predicts, an array."""
    with tf.Graph().as_default(), tf.Session():
        model = _model(tf.keras)
        tf.keras.experimental.export_saved_model(model, os.path.join(folder, "exported"))
        model.save(os.path.join(folder, "saved"), save_format="tf")
        tf.saved_model.save(model, os.path.join(folder, "object"))
        return model.predict(X)


def write_class(tf, folder):
    """Saves a model whose class only this program has; what it predicts, an array."""

    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.last = tf.keras.layers.Dense(5, "tanh"), tf.keras.layers.Dense(2)

        def call(self, inputs):
            return self.last(self.first(inputs))

    with tf.Graph().as_default(), tf.Session():
        model = Own()
        model.compile("sgd", "mse")
        model.fit(X, Y, epochs=2, verbose=0)
        model.save(os.path.join(folder, "saved"), save_format="tf")
        return model.predict(X)


def read(tf, folder):
    """What the model predicts that the other client saved, an array."""
    with tf.Graph().as_default(), tf.Session():
        path = os.path.join(folder, "exported")
        return tf.keras.experimental.load_from_saved_model(path).predict(X)


def load(tf, folder):
    """What the model predicts that the other client saved by save(), an array. It learns on."""
    with tf.Graph().as_default(), tf.Session():
        model = tf.keras.models.load_model(os.path.join(folder, "saved"))
        weights = model.get_weights()
        assert np.isfinite(model.fit(X, Y, epochs=3, verbose=0).history["loss"]).all()
        model.set_weights(weights)
        return model.predict(X)


ACTIONS = {action.__name__: action for action in (write, read, load)}


def _ours(what, folder):
    command, env = our_command(__file__, what, str(folder))
    subprocess.run(command, env=env, check=True, timeout=240)
    return np.load(os.path.join(str(folder), f"{what}.npy"))


@pytest.fixture(scope="module")
def tf():
    import tensorflow

    if tensorflow.__version__[0] != "1":
        pytest.skip("later TensorFlows export models of another Keras")
    tensorflow.logging.set_verbosity(tensorflow.logging.ERROR)
    return tensorflow


def test_the_loader_runs_the_serving_signature_of_our_model(tmp_path):
    import tensorflow.compat.v1 as tf

    wanted = _ours("write", tmp_path)
    for name in ("exported", "saved", "object"):
        with tf.Graph().as_default(), tf.Session() as session:
            graph = tf.saved_model.loader.load(session, ["serve"], str(tmp_path / name))
            signature = graph.signature_def["serving_default"]
            assert signature.method_name == "tensorflow/serving/predict"
            feeds = {signature.inputs["features"].name: X}
            found = session.run(signature.outputs["scores"].name, feeds)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)


def test_tensorflow_loads_our_model(tmp_path, tf):
    wanted = _ours("write", tmp_path)
    np.testing.assert_allclose(read(tf, str(tmp_path)), wanted, rtol=1e-4, atol=1e-6)


def test_we_load_the_model_of_tensorflow(tmp_path, tf):
    wanted = write(tf, str(tmp_path))
    np.testing.assert_allclose(_ours("read", tmp_path), wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("saved", [write, write_class])
def test_we_load_what_save_of_tensorflow_wrote(tmp_path, tf, saved):
    wanted = saved(tf, str(tmp_path))
    np.testing.assert_allclose(_ours("load", tmp_path), wanted, rtol=1e-4, atol=1e-6)


if __name__ == "__main__" and sys.argv[1] in ACTIONS:
    import sluice

    found = ACTIONS[sys.argv[1]](sluice, sys.argv[2])
    np.save(os.path.join(sys.argv[2], sys.argv[1] + ".npy"), found)
