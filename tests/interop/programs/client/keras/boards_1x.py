# SPDX-License-Identifier: Apache-2.0
"""What the callback for TensorBoard writes, and when."""

import glob
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

X = np.linspace(-1, 1, 36).reshape(12, 3).astype("float32")
Y = X[:, :2]


def _events(tf, folder):
    """The step, tag and kind of each value."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "events*"))):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                kind = value.WhichOneof("value")
                number = round(value.simple_value, 3) if kind == "simple_value" else None
                found.append([event.step, value.tag, kind, number])
    return found


def _model(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Dense(4, input_shape=(3,), kernel_initializer="ones", name="first"),
        layers.Dense(2, kernel_initializer="ones", name="second"),
    ])  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
    return model


def _written(tf, fit=None, **kwargs):
    with tf.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
        model = _model(tf)
        board = tf.keras.callbacks.TensorBoard(folder, profile_batch=0, **kwargs)
        model.fit(X, Y, batch_size=4, epochs=3, shuffle=False, verbose=0, callbacks=[board],
                  **(fit or {}))  # fmt: skip
        return sorted(_events(tf, folder), key=str)


def values_of_epochs_and_batches(tf):
    return [_written(tf), _written(tf, update_freq="batch"), _written(tf, update_freq=8)]


def histograms(tf):
    """They come with each batch of validation, of the chosen epochs; without it there are none."""
    validated = {"validation_data": (X[:8], Y[:8])}
    return [
        _written(tf, histogram_freq=1), _written(tf, validated, histogram_freq=2),
        _written(tf, validated, histogram_freq=1, write_grads=True, write_images=True),
    ]  # fmt: skip


def summaries_of_the_program(tf):
    """Those in the graph are written with the histograms."""
    with tf.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
        model = _model(tf)
        tf.summary.scalar("mine", tf.reduce_sum(model.layers[0].weights[0]))
        board = tf.keras.callbacks.TensorBoard(folder, histogram_freq=1, profile_batch=0)
        model.fit(X, Y, epochs=1, verbose=0, callbacks=[board], validation_data=(X, Y))
        return sorted(_events(tf, folder), key=str)


def embeddings(tf):
    layers = tf.keras.layers
    rows = np.array([[1, 2], [3, 4], [0, 1], [2, 2], [4, 4]])
    with tf.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
        model = tf.keras.Sequential([
            layers.Embedding(5, 3, input_length=2, name="words", embeddings_initializer="ones"),
            layers.Flatten(), layers.Dense(1),
        ])  # fmt: skip
        model.compile(tf.keras.optimizers.SGD(0.0), "mse")
        board = tf.keras.callbacks.TensorBoard(
            folder, batch_size=2, embeddings_freq=1, embeddings_data=rows,
            embeddings_metadata="names.tsv", profile_batch=0,
        )  # fmt: skip
        without = tf.keras.callbacks.TensorBoard(folder, embeddings_freq=1, profile_batch=0)
        initialised = tf.keras.callbacks.LambdaCallback(
            on_train_begin=lambda logs: tf.keras.backend.get_session().run(
                tf.global_variables_initializer()
            )
        )  # TensorFlow does not initialise the variables of embeddings
        trained = outcome(
            model.fit, rows, np.ones(5), epochs=2, verbose=0, callbacks=[board, initialised]
        )
        with open(os.path.join(folder, "projector_config.pbtxt")) as file:
            text = file.read().split()
        files = sorted(n for n in os.listdir(folder) if n.startswith("keras"))
        saved = tf.train.load_checkpoint(os.path.join(folder, "keras_embedding.ckpt-1"))
        known = saved.get_variable_to_shape_map()
        return [
            trained, text, files, known, [saved.get_tensor(name) for name in sorted(known)],
            outcome(model.fit, rows, np.ones(5), verbose=0, callbacks=[without]),
        ]  # fmt: skip
