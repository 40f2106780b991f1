# SPDX-License-Identifier: Apache-2.0
"""What callbacks are told of fit(), evaluate() and predict(), and what the first batch refuses."""

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True  # later TensorFlows have another Keras

_X, _Y = np.cos(np.arange(60)).reshape(20, 3).astype("f"), np.sin(np.arange(20)).reshape(20, 1)
_NUMBERED = "epoch_begin epoch_end train_batch_begin train_batch_end test_batch_begin"
_NUMBERED = (_NUMBERED + " test_batch_end predict_batch_begin predict_batch_end").split()
_OTHERS = "train_begin train_end test_begin test_end predict_begin predict_end".split()


def _model(tf):
    dense = tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones")
    model = tf.keras.Sequential([dense])
    model.compile("sgd", "mse", metrics=["mae"])
    return model


def _seen(logs):
    return sorted(logs) if isinstance(logs, dict) else logs


def _recorder(tf):
    """(a callback that records its calls, the calls)."""
    calls, recorder = [], type("Recorder", (tf.keras.callbacks.Callback,), {})

    def numbered(name):
        return lambda self, number, logs=None: calls.append([name, number, _seen(logs)])

    def other(name):
        return lambda self, logs=None: calls.append([name, _seen(logs)])

    for name in _NUMBERED:
        setattr(recorder, f"on_{name}", numbered(name))
    for name in _OTHERS:
        setattr(recorder, f"on_{name}", other(name))
    return recorder(), calls


def told(tf):
    """Which methods of a callback are called with what, and the parameters of each loop."""
    model, (callback, calls) = _model(tf), _recorder(tf)
    found = []
    more = {"callbacks": [callback], "batch_size": 10, "verbose": 0}
    model.fit(_X, _Y, epochs=2, validation_data=(_X, _Y), **more)
    found.append(dict(callback.params))
    model.evaluate(_X, _Y, **more)
    found.append(dict(callback.params))
    model.predict(_X, **more)
    return [calls, found, dict(callback.params), callback.model is model]


def told_of_data_sets(tf):
    """The parameters of loops over data sets, generators and numbers of steps."""
    model, (callback, calls) = _model(tf), _recorder(tf)
    found = []
    data = tf.data.Dataset.from_tensor_slices((_X, _Y)).batch(8)
    model.fit(data, verbose=0, callbacks=[callback])
    found.append([int(callback.params[key]) for key in ("samples", "steps")])
    batches = ((_X, _Y) for _ in range(9))
    model.fit_generator(batches, 2, 1, verbose=0, callbacks=[callback])
    found.append([int(callback.params[key]) for key in ("samples", "steps")])
    model.evaluate(data, verbose=0, callbacks=[callback])
    found.append([int(callback.params[key]) for key in ("samples", "steps")])
    return [calls, found]


def named_logs(tf):
    """Methods for a batch get their logs by name."""
    callbacks = tf.keras.callbacks
    seen = []
    named = callbacks.LambdaCallback(on_batch_end=lambda batch, logs: seen.append(batch))
    _model(tf).fit(_X, _Y, 10, verbose=0, callbacks=[named])
    other = callbacks.LambdaCallback(on_batch_end=lambda batch, found: seen.append(batch))
    return [seen, says("logs", _model(tf).fit, _X, _Y, 10, verbose=0, callbacks=[other])]


def late_refusals(tf):
    """compile() takes any argument, which the first batch refuses; odd parts validate nothing."""
    model = _model(tf)
    model.compile("sgd", "mse", foo=3)
    refused = says('Invalid argument "foo"', model.train_on_batch, _X, _Y)
    model.compile("sgd", "mse")
    kept = [sorted(model.fit(_X, _Y, verbose=0, validation_split=part).history)
            for part in (0.0, 0.5, 1.0, -0.5)]  # fmt: skip
    return [refused, kept]


def steps_of_arrays(tf):
    """With a number of steps, each step has all arrays, whatever the size of batches."""
    recorder, calls = _recorder(tf)
    model, validation = _model(tf), (_X[:4], _Y[:4])
    history = model.fit(_X, _Y, steps_per_epoch=2, verbose=0, callbacks=[recorder]).history
    more = model.fit(_X, _Y, 5, steps_per_epoch=2, verbose=0, validation_data=validation,
                     validation_steps=2).history  # fmt: skip
    return [
        history, more, calls, model.evaluate(_X, _Y, steps=3, verbose=0),
        model.predict(_X, steps=2).shape,
    ]  # fmt: skip
