# SPDX-License-Identifier: Apache-2.0
"""Keras models whose replicas get parts of different sizes, and models with losses and metrics of
their own."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

_DRAWN = np.random.RandomState(0)
_ROWS = _DRAWN.randn(13, 3).astype(np.float32)
_RIGHT = (_ROWS.sum(1, keepdims=True) + _DRAWN.randn(13, 1)).astype(np.float32)
_WEIGHTS = _DRAWN.rand(13).astype(np.float32)


def _strategy(tf, count):
    config = tf.ConfigProto(device_count={"CPU": count})
    tf.keras.backend.set_session(tf.Session(config=config))
    return tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(count)])


def _dense(tf, units=1, **more):
    return tf.keras.layers.Dense(
        units, kernel_initializer=tf.keras.initializers.Constant(0.2), **more
    )


def _compiled(tf, optimizer, loss, regularizer):
    model = tf.keras.Sequential([_dense(tf, kernel_regularizer=regularizer, input_shape=(3,))])
    model.compile(optimizer(), loss, metrics=["mae"])
    return model


def _numbers(history):
    return {key: np.round(values, 5) for key, values in history.items()}


def _fitted(tf, count, rows, batch, loss="mse", optimizer=None, weights=None, regularizer=None):
    optimizer = optimizer or (lambda: tf.keras.optimizers.SGD(0.1))
    with tf.Graph().as_default(), _strategy(tf, count).scope():
        model = _compiled(tf, optimizer, loss, regularizer)
        given = (_ROWS[:rows], _RIGHT[:rows], *([] if weights is None else [weights[:rows]]))
        data = tf.data.Dataset.from_tensor_slices(given).batch(batch)
        history = model.fit(data, epochs=2, verbose=0).history
        outputs = tf.data.Dataset.from_tensor_slices(_ROWS[:rows]).batch(batch)
        return [
            _numbers(history), model.get_weights(), model.evaluate(data, verbose=0),
            model.predict(outputs),
        ]  # fmt: skip


def last_batches_of_data_sets(tf):
    """All replicas count the same, also one that has fewer rows, or none."""
    cases = [(2, 13, 4), (2, 11, 4), (3, 10, 6), (3, 13, 4), (2, 13, 5)]
    return [_fitted(tf, *case) for case in cases]


def last_batches_with_weights(tf):
    return [
        _fitted(tf, 2, 11, 4, weights=_WEIGHTS),
        _fitted(tf, 2, 11, 4, regularizer=tf.keras.regularizers.l2(0.1)),
        _fitted(tf, 2, 11, 4, optimizer=lambda: tf.train.GradientDescentOptimizer(0.1)),
    ]


def last_batches_of_sums(tf):
    loss = tf.keras.losses.MeanSquaredError(reduction="sum")
    return _fitted(tf, 2, 11, 4, loss=loss, optimizer=lambda: tf.keras.optimizers.SGD(0.01))


def last_batches_of_arrays(tf):
    found = []
    for count, rows, batch in ((3, 13, 6), (3, 10, 6), (2, 13, 5)):
        with tf.Graph().as_default(), _strategy(tf, count).scope():
            model = _compiled(tf, lambda: tf.keras.optimizers.SGD(0.1), "mse", None)
            history = model.fit(
                _ROWS[:rows], _RIGHT[:rows], batch_size=batch, epochs=2, shuffle=False, verbose=0
            )
            found.append([_numbers(history.history), model.get_weights()])
    return found


def several_outputs(tf):
    """The losses of outputs are means of those of the replicas; one is a sum."""
    keras, found = tf.keras, []
    for rows in (12, 11):
        with tf.Graph().as_default(), _strategy(tf, 2).scope():
            inputs = keras.Input((3,))
            outputs = [_dense(tf, name=name)(inputs) for name in "ab"]
            model = keras.Model(inputs, outputs)
            total = keras.losses.MeanAbsoluteError(reduction="sum")
            model.compile(keras.optimizers.SGD(0.05), ["mse", total], loss_weights=[1.0, 0.5])
            data = tf.data.Dataset.from_tensor_slices(
                (_ROWS[:rows], (_RIGHT[:rows], -_RIGHT[:rows]))
            ).batch(4)
            history = model.fit(data, epochs=2, verbose=0).history
            found.append([_numbers(history), model.evaluate(data, verbose=0)])
    return found


def added_metrics(tf):
    """What replicas measure by add_metric() is in the history, and in what evaluate() returns."""

    class Halved(tf.keras.layers.Layer):
        def call(self, inputs):
            self.add_metric(tf.reduce_mean(inputs), name="mean_in", aggregation="mean")
            self.add_loss(0.1 * tf.reduce_sum(inputs**2), inputs=True)
            return inputs / 2.0

    with tf.Graph().as_default(), _strategy(tf, 2).scope():
        inputs = tf.keras.Input((3,))
        hidden = Halved()(_dense(tf, 2)(inputs))
        model = tf.keras.Model(inputs, _dense(tf)(hidden))
        model.add_metric(tf.reduce_max(hidden), name="most", aggregation="mean")
        model.compile(tf.keras.optimizers.SGD(0.05), "mse", metrics=["mae"])
        data = tf.data.Dataset.from_tensor_slices((_ROWS[:12], _RIGHT[:12])).batch(4)
        history = model.fit(data, epochs=2, verbose=0, validation_data=data).history
        return [model.metrics_names, _numbers(history), model.evaluate(data, verbose=0)]


def without_compiled_losses(tf):
    """The only loss is one that a layer computes of several inputs."""
    keras = tf.keras
    with tf.Graph().as_default(), _strategy(tf, 2).scope():
        given = keras.Input((3,), name="given"), keras.Input((1,), name="right")
        out = _dense(tf)(given[0])
        loss = keras.layers.Lambda(lambda x: tf.reduce_mean(tf.square(x[0] - x[1])), name="error")
        error = loss([out, given[1]])
        model = keras.Model(list(given), [out, error])
        model.add_loss(error)
        model.compile(keras.optimizers.SGD(0.1))
        fed = {"given": _ROWS[:12], "right": _RIGHT[:12]}
        data = tf.data.Dataset.from_tensor_slices((fed, {})).batch(4)
        history = model.fit(data, epochs=2, verbose=0).history
        return [_numbers(history), model.get_weights()]


def losses_outside_of_loops(tf):
    """A replica does not know the size of the batch of all."""
    losses, found = tf.keras.losses, []
    with tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]).scope():
        for reduction in ("auto", "sum_over_batch_size", "sum", "none"):
            made = losses.MeanSquaredError(reduction=reduction)
            found.append(outcome(lambda made=made: made([[1.0]], [[2.0]]) is not None))
    return found


def inputs_of_fixed_batches(tf):
    with tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]).scope():
        return outcome(tf.keras.Input, (3,), batch_size=5)
