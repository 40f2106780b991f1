# SPDX-License-Identifier: Apache-2.0
"""Layers that programs put together of others, in the shape of those of known packages."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def a_function_with_a_given_shape(tf):
    layer = tf.keras.layers.Lambda(lambda x: x * 2, output_shape=(4,))
    layer(tf.keras.layers.Input((4,)))
    return [layer.input_shape, layer.output_shape, layer.compute_output_shape((3, 4)).as_list()]


def shapes_of_functions(tf):
    """Layers of packages ask a Lambda for the shape of its output, before or without a call."""
    keras = tf.keras
    last = keras.layers.Lambda(lambda x: x[:, -1, :])
    joined = keras.layers.Lambda(lambda xs: tf.concat(xs, 1))
    found = [
        last.compute_output_shape(tf.TensorShape([None, 7, 3])).as_list(),
        last.compute_output_shape((5, 7, None)).as_list(),
        joined.compute_output_shape([(None, 2), (None, 3)]).as_list(),
        keras.layers.Lambda(lambda x: x, output_shape=(4,)).compute_output_shape((None, 2)).
        as_list(),
        outcome(keras.layers.Lambda(lambda x: x[1, 2, 3, 4]).compute_output_shape, (None, 2)),
    ]  # fmt: skip
    return found


def version(tf):
    return tf.keras.__version__


def a_layer_as_metric(tf):
    """A package of metrics has layers that count; what they are called is their name."""

    class Positives(tf.keras.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(name="positives", **kwargs)
            self.stateful = True
            self.count = tf.keras.backend.variable(0.0)

        def reset_states(self):
            tf.keras.backend.set_value(self.count, 0.0)

        def __call__(self, y_true, y_pred):
            more = tf.reduce_sum(tf.cast(y_pred > 0.0, tf.float32))
            self.add_update(tf.assign_add(self.count, more), inputs=[y_true, y_pred])
            return more

    keras = tf.keras
    metric = Positives()
    metric.__name__ = "other"
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile("sgd", "mse", metrics=[metric])
    x = np.linspace(-1, 1, 12).reshape(6, 2)
    return [model.metrics_names, [float(v) for v in model.train_on_batch(x, x[:, :1])]]


def products_of_unequal_ranks(tf):
    """Capsules sum over the last dimension of one tensor and an inner one of another."""
    k = tf.keras.backend
    routes = k.constant(np.arange(30.0).reshape(2, 3, 5) / 30)
    votes = k.constant(np.arange(120.0).reshape(2, 3, 5, 4) / 120)
    sums = k.batch_dot(routes, votes, [2, 2])
    back = k.batch_dot(sums, votes, [2, 3])
    return [k.eval(sums), k.eval(back), k.int_shape(sums), k.int_shape(back)]


def a_discriminator_fixed_in_a_later_model(tf):
    """What was trainable when a model was compiled is what its training changes."""
    keras = tf.keras
    judge = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones", input_shape=(3,))])
    judge.compile(keras.optimizers.SGD(0.1), "mse")
    judge.trainable = False
    z = keras.Input((2,))
    made = keras.layers.Dense(3, kernel_initializer="ones")(z)
    both = keras.Model(z, judge(made))
    both.compile(keras.optimizers.SGD(0.01), "mse")
    x = np.linspace(-1, 1, 12).reshape(4, 3)
    losses = []
    for _ in range(3):
        losses.append(float(judge.train_on_batch(x, np.ones((4, 1)))))
        losses.append(float(both.train_on_batch(x[:, :2], np.zeros((4, 1)))))
    return losses, judge.get_weights(), both.get_weights()


def weights_that_a_generator_yields(tf):
    """The first batch says that examples have weights."""
    keras = tf.keras

    class Batches(keras.utils.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            x = np.linspace(-1, 1, 8).reshape(4, 2) + index
            return x, x[:, :1], np.arange(4.0) + index

    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile(keras.optimizers.SGD(0.01, momentum=0.9), "mse", weighted_metrics=["mae"])
    history = model.fit_generator(
        Batches(), epochs=2, shuffle=False, verbose=0, validation_data=Batches()
    )
    return [[float(v) for v in history.history[key]] for key in sorted(history.history)]


def a_loaded_decoder(tf):
    """A recurrent layer that begins from the states of another comes back from its config."""
    keras = tf.keras
    sources, targets = keras.Input((None, 2)), keras.Input((None, 3))
    _, h, c = keras.layers.LSTM(4, return_state=True, kernel_initializer="ones")(sources)
    decoder = keras.layers.LSTM(4, return_sequences=True, return_state=True)
    outputs, _, _ = decoder(targets, initial_state=[h, c])
    model = keras.Model([sources, targets], keras.layers.Dense(2)(outputs))
    copy = keras.Model.from_config(model.get_config())
    filled = [np.full(w.shape, 0.1) for w in model.get_weights()]
    model.set_weights(filled)
    copy.set_weights(filled)
    fed = [np.ones((2, 5, 2)), np.ones((2, 4, 3))]
    return model.predict(fed), copy.predict(fed)


def a_metric_that_returns_nothing(tf):
    """update_state() of a program's metric assigns to variables and returns None."""

    class Share(tf.keras.metrics.Metric):
        def __init__(self, name="share", **kwargs):
            super().__init__(name=name, **kwargs)
            self.found = self.add_weight(name="found", initializer="zeros")
            self.every = self.add_weight(name="every", initializer="zeros")

        def update_state(self, y_true, y_pred, sample_weight=None):
            self.found.assign_add(tf.reduce_sum(tf.cast(y_pred > y_true, tf.float32)))
            self.every.assign_add(tf.cast(tf.size(y_pred), tf.float32))

        def result(self):
            return self.found / self.every

    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile("sgd", "mse", metrics=[Share()])
    x = np.linspace(-1, 1, 12).reshape(6, 2)
    history = model.fit(x, x[:, :1], batch_size=2, epochs=2, shuffle=False, verbose=0)
    return [[float(v) for v in history.history[key]] for key in ("loss", "share")]


def training_given_to_all_layers(tf):
    layers, x, seen = tf.keras.layers, tf.ones([2, 3]), []

    class Plain(layers.Layer):
        def call(self, inputs):
            return inputs

    class Any(layers.Layer):
        def call(self, inputs, **kwargs):
            seen.append(sorted(kwargs))
            return inputs

    for layer in (layers.Dense(2), Plain(), Any(), layers.Flatten(), tf.layers.Dense(2)):
        layer(x, training=True)
        seen.append(type(layer).__name__)
    try:
        Plain()(x, other=True)
    except TypeError:
        seen.append("other")
    return seen
