# SPDX-License-Identifier: Apache-2.0
"""Models under strategies with one replica, and models that are distributed when they are
compiled."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

_ROWS = np.cos(np.arange(48)).reshape(16, 3).astype(np.float32)
_RIGHT = np.sin(np.arange(32)).reshape(16, 2).astype(np.float32)


def _model(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Dense(4, kernel_initializer="ones", input_shape=(3,), activation="tanh"),
        layers.Dense(2, kernel_initializer="ones"),
    ])  # fmt: skip
    return model


def _fitted(model):
    history = model.fit(_ROWS, _RIGHT, batch_size=8, epochs=2, shuffle=False, verbose=0).history
    return [
        {key: np.round(values, 4) for key, values in history.items()},
        np.round(model.evaluate(_ROWS, _RIGHT, batch_size=8, verbose=0), 4),
        np.round(model.predict(_ROWS, batch_size=8)[:2], 4),
        [np.round(w, 4) for w in model.get_weights()],
    ]


def fitted_in_scopes_of_one_replica(tf):
    found, distribute = [], tf.distribute
    for strategy in (
        distribute.OneDeviceStrategy("/cpu:0"), distribute.experimental.ParameterServerStrategy()
    ):  # fmt: skip
        for make in (lambda: "sgd", lambda: tf.train.AdamOptimizer(0.1)):
            with tf.Graph().as_default():
                tf.keras.backend.set_session(tf.Session())
                with strategy.scope():
                    model = _model(tf)
                    model.compile(make(), "mse", metrics=["mae"])
                    found.append(_fitted(model))
    return found


def distributed_by_compile(tf):
    """The replicas train a copy of a model that is made already."""
    with tf.Graph().as_default():
        config = tf.ConfigProto(device_count={"CPU": 2})
        tf.keras.backend.set_session(tf.Session(config=config))
        strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        model = _model(tf)
        model.compile(tf.keras.optimizers.SGD(0.1), "mse", ["mae"], distribute=strategy)
        first = _fitted(model)
        more = model.fit(_ROWS, _RIGHT, batch_size=8, verbose=0, shuffle=False).history["loss"]
        return [first, np.round(more, 4), np.round(model.history.history["loss"], 4)]


def made_outside_of_scopes(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    model = _model(tf)
    with strategy.scope():
        return outcome(model.compile, "sgd", "mse")


def steps_of_arrays(tf):
    """A step takes all examples; under a strategy, a part of them."""
    found = []
    for count in (0, 2):
        with tf.Graph().as_default():
            config = tf.ConfigProto(device_count={"CPU": 2})
            tf.keras.backend.set_session(tf.Session(config=config))
            devices = ["/cpu:%d" % i for i in range(count)]
            strategy = tf.distribute.MirroredStrategy(devices) if count else None
            with strategy.scope() if strategy else tf.name_scope(None):
                model = _model(tf)
                model.compile(tf.keras.optimizers.SGD(0.1), "mse", ["mae"])
            data = _ROWS, _RIGHT
            history = model.fit(
                *data, epochs=2, steps_per_epoch=2, verbose=0, shuffle=False).history  # fmt: skip
            found.append([
                {key: np.round(values, 4) for key, values in history.items()},
                np.round(model.evaluate(*data, steps=4, verbose=0), 4),
                np.round(model.predict(_ROWS, steps=2)[::7], 4),
            ])  # fmt: skip
    return found


def batches_across_epochs(tf):
    """A strategy's batch may have the last examples of an epoch and the first ones of the next."""
    seen = []

    class Seen(tf.keras.callbacks.Callback):
        def on_batch_end(self, batch, logs=None):
            seen.append([batch, logs["size"], np.round(logs["loss"], 4)])

    with tf.Graph().as_default():
        config = tf.ConfigProto(device_count={"CPU": 2})
        tf.keras.backend.set_session(tf.Session(config=config))
        with tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]).scope():
            model = _model(tf)
            model.compile(tf.keras.optimizers.SGD(0.1), "mse", ["mae"])
        history = model.fit(
            _ROWS[:10], _RIGHT[:10], batch_size=4, epochs=3, verbose=0, shuffle=False,
            callbacks=[Seen()])  # fmt: skip
        found = {key: np.round(values, 4) for key, values in history.history.items()}
        params = {key: int(history.params[key]) for key in ("batch_size", "samples", "steps")}
        return [found, seen, params, [np.round(w, 4) for w in model.get_weights()]]
