# SPDX-License-Identifier: Apache-2.0
"""What Keras prints while it trains, measures and predicts. Times, and the states of a bar before
the last one, are left out: they depend on time and on the terminal."""

import contextlib
import io
import re

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras

X = np.cos(np.arange(80)).reshape(40, 2).astype(np.float32)
Y = np.sin(np.arange(40)).reshape(40, 1).astype(np.float32)


def _batches():
    while True:
        yield X[:8], Y[:8]


def _printed(call):
    """(the lines, with # for the numbers that were measured, those numbers)."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        call()
    text = re.sub(r"\r? *\d+/\d+ \[[=>.]*\] - ETA[^\x08\r\n]*[\x08]*|\r", "", said.getvalue())
    text = re.sub(r"- \d+s(?: \d+[mu]?s/\w+)?", "- T", text)
    number = r"\d+\.\d+(?:e-\d+)?"
    return re.sub(number, "#", text).splitlines(), [float(n) for n in re.findall(number, text)]


def lines_of_loops(tf):
    keras = tf.keras

    def model():
        layers = keras.layers
        made = keras.Sequential([
            layers.Dense(3, input_shape=(2,), kernel_initializer=keras.initializers.Constant(0.1)),
            layers.Dense(1, kernel_initializer="ones"),
        ])  # fmt: skip
        made.compile(keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
        return made

    def data():
        return tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(8)

    found = []
    for verbose in (1, 2):
        arrays = {"batch_size": 16, "shuffle": False, "verbose": verbose}
        steps = {"steps": 3, "verbose": verbose}
        found += [
            _printed(lambda a=arrays: model().fit(X, Y, epochs=2, **a)),
            _printed(lambda a=arrays: model().fit(X, Y, validation_split=0.2, **a)),
            _printed(lambda a=arrays: model().fit(X, Y, validation_data=(X[:5], Y[:5]), **a)),
            _printed(lambda v=verbose: model().fit(data(), steps_per_epoch=3, verbose=v)),
            _printed(lambda v=verbose: model().fit_generator(_batches(), 3, 2, v)),
            _printed(lambda v=verbose: model().evaluate(X, Y, 16, v)),
            _printed(lambda s=steps: model().evaluate(data(), **s)),
            _printed(lambda s=steps: model().evaluate_generator(_batches(), **s)),
            _printed(lambda v=verbose: model().predict(X, 16, v)),
            _printed(lambda s=steps: model().predict_generator(_batches(), **s)),
        ]
    return found


def states_of_a_bar(tf):
    """A bar shows the first state and the last one, also where the output is a file."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for target in (3, None):
            bar = tf.keras.utils.Progbar(target, width=5, interval=1000)
            for step in (1, 2, 3):
                bar.update(step, [("loss", step)])
    text = re.sub(r"\d+s(?: \d+[mu]?s/\w+)?", "T", said.getvalue())
    return re.sub(r" *[\x08]+\r| +\n", " / ", text)
