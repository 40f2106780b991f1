# SPDX-License-Identifier: Apache-2.0
"""Data that end early or do not fit a model, and arguments that do not fit its outputs."""

import numpy as np

from interop.programs.client._outcomes import message

ONLY_1X = True

X = np.linspace(-1, 1, 36).reshape(12, 3).astype("float32")
Y = X[:, :2]


def _model(tf, **kwargs):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,), kernel_initializer="ones")])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"], **kwargs)
    return model


def _history(found):
    return {k: np.round(v, 4).tolist() for k, v in found.history.items()}


def ends_of_data(tf):
    """Training ends with the data; evaluate() divides by the steps that it was to make."""
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    model = _model(tf)

    def three():
        for start in (0, 4, 8):
            yield X[start : start + 4], Y[start : start + 4]

    return [
        _history(_model(tf).fit(data, steps_per_epoch=2, epochs=4, verbose=0)),
        _history(_model(tf).fit(data.take(2), steps_per_epoch=2, epochs=4, verbose=0)),
        _history(_model(tf).fit_generator(three(), 5, epochs=2, verbose=0)),
        np.round(model.evaluate(data, steps=5, verbose=0), 4).tolist(),
        model.predict(data, steps=5).shape,
        message(_model(tf).fit, data.take(0), steps_per_epoch=2, verbose=0),
    ]


def sizes_of_batches(tf):
    """Batches have the size of the input; one batch alone is not shuffled."""
    layers, random = tf.keras.layers, np.random.RandomState(2)
    net = tf.keras.Sequential([layers.LSTM(2, stateful=True, batch_input_shape=(4, 4, 3))])
    net.compile("sgd", "mse")
    whole = random.rand(12, 4, 3)
    fixed = tf.keras.Sequential([layers.Dense(2, input_shape=(3,), kernel_initializer="ones")])
    fixed.compile("sgd", "mse", target_tensors=[tf.constant(Y[:4])])
    return [
        net.predict(whole).shape,
        message(net.fit, whole[:10], Y[:10], verbose=0),
        message(net.fit, whole[:9], Y[:9], batch_size=3, verbose=0),
        _history(fixed.fit(X[:4], epochs=2, verbose=0, batch_size=4)),
    ]


def data_that_do_not_fit(tf):
    model = _model(tf)
    several = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(3,))])
    several.compile("sgd", "categorical_crossentropy")
    steps = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4, 3))])
    steps.compile("sgd", "mse", sample_weight_mode="temporal")
    ranks = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4, 3))])
    ranks.compile("sgd", "mse")
    return [
        message(model.fit, X, X, verbose=0),
        message(model.fit, X, Y[:5], verbose=0),
        message(several.fit, X, np.arange(12) % 3, verbose=0),
        message(model.fit, X, Y, sample_weight=np.ones(5), verbose=0),
        message(ranks.fit, np.ones((2, 4, 3)), np.ones((2, 4, 3)), class_weight={0: 1}, verbose=0),
        message(tf.keras.Sequential([tf.keras.layers.Dense(1)]).evaluate, X, Y),
    ]


def arguments_that_do_not_fit(tf):
    layers = tf.keras.layers
    x = tf.keras.Input((3,))
    model = tf.keras.Model(x, [layers.Dense(2, name="u")(x), layers.Dense(2, name="v")(x)])

    def fitted(**kwargs):
        model.compile("sgd", "mse")
        model.fit(X, [Y, Y], verbose=0, **kwargs)

    return [
        message(model.compile, "sgd", ["mse"] * 3),
        message(model.compile, "sgd", "mse", loss_weights=[1.0]),
        message(model.compile, "sgd", "mse", loss_weights=3.0),
        message(model.compile, "sgd", "mse", metrics={"w": "mae"}),
        message(model.compile, "sgd", "mse", metrics=[["mae"], ["acc"], ["mse"]]),
        message(model.compile, "sgd", "mse", metrics="mae"),
        message(model.compile, "none", "mse"),
        message(model.compile, "sgd", "none"),
        message(model.compile, "sgd", "mse", metrics=["none"]),
        message(fitted, sample_weight=np.ones(12))[:80],
        message(fitted, sample_weight={"w": np.ones(12)}),
    ]


def metrics_that_layers_add(tf):
    """A layer may add the value of a Metric, or a value of which the mean is taken."""
    layers, metrics = tf.keras.layers, tf.keras.metrics

    class Measured(layers.Layer):
        def build(self, input_shape):
            self.kernel = self.add_weight("kernel", (3, 2), initializer="ones")
            self.total = metrics.Sum(name="total")

        def call(self, inputs):
            outputs = tf.matmul(inputs, self.kernel)
            self.add_metric(tf.reduce_mean(outputs), name="mean_output", aggregation="mean")
            self.add_metric(self.total(outputs))
            return outputs

    model = tf.keras.Sequential([Measured(input_shape=(3,))])
    model.compile("sgd", "mse", metrics=["mae"])
    history = _history(model.fit(X, Y, batch_size=4, epochs=2, shuffle=False, verbose=0))
    x = tf.keras.Input((3,))
    other = tf.keras.Model(x, layers.Dense(2)(x))
    output = other.outputs[0]
    return [
        sorted(model.metrics_names), history,
        message(other.add_metric, output, name="one"),
        message(other.add_metric, output, aggregation="mean"),
        message(other.add_metric, output, name="one", aggregation="sum"),
        message(other.add_metric, metrics.Sum()(output)),
    ]  # fmt: skip


def values_and_weights_of_metrics(tf):
    """Weights with a column; predictions that must be from 0 to 1; the means of elements."""
    keras = tf.keras
    session = keras.backend.get_session()
    weighted = keras.losses.MeanSquaredError()(Y, -Y, sample_weight=np.ones((12, 1)) * 2)
    whole = keras.metrics.AUC()
    session.run([v.initializer for v in whole.variables])
    update = whole.update_state([[0.0, 1.0]], [[0.5, 1.5]])
    means = keras.metrics.MeanTensor()
    for _ in range(2):
        session.run(means.update_state([1.0, 3.0]))
    return [
        round(float(session.run(weighted)), 4), message(session.run, update)[:24],
        session.run(means.result()).tolist(), message(means.update_state, [1.0, 2.0, 3.0]),
        message(keras.metrics.MeanTensor().result), message(keras.metrics.AUC, curve="none"),
        message(keras.losses.MeanSquaredError, reduction="none of these"),
    ]  # fmt: skip


def layers_and_models_that_do_not_fit(tf):
    keras, layers = tf.keras, tf.keras.layers
    x, other, images = keras.Input((3, 4)), keras.Input((4, 5)), keras.Input((4, 4, None))

    class Dynamic(layers.Layer):
        def __init__(self):
            super().__init__(dynamic=True)

        def call(self, inputs):
            return inputs * 2

        def compute_output_shape(self, input_shape):
            return input_shape

    model = keras.Model(x, Dynamic()(x))
    named = layers.Dense(2, name="one")(layers.Dense(2, name="one")(x))
    return [
        model.dynamic, message(model.compile, "sgd", "mse"),
        message(keras.Model, x, layers.Dense(2)(other))[:60],
        message(keras.Model, x, named), message(model.get_layer, index=9),
        message(keras.Sequential([layers.Dense(2)]).summary),
        message(layers.Add(), [x, other]), message(layers.Add(), [x]), message(layers.Add(), x),
        message(layers.Concatenate(), [x, other]), message(layers.Permute, (0, 1)),
        message(layers.Conv2D, 3, 2, padding="none"), message(layers.Conv2D, 3, (2, 2, 2)),
        message(layers.Conv2D(3, 2), images), message(layers.Dense(3), images),
        message(layers.Dense, 3, none=1), message(layers.Dense, 3, "none"),
        message(layers.Dense, 3, kernel_initializer="none"), message(keras.Input),
        message(layers.Dense, 3, kernel_constraint="none"),
        message(keras.backend.set_learning_phase, 3), message(keras.backend.set_floatx, "none"),
    ]  # fmt: skip
