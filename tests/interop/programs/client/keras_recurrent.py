# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of Keras: variables, outputs, states, masks, training."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _given(model):
    """Variables that do not depend on how many operations there are."""
    model.set_weights([_data(*w.shape) * 0.5 for w in model.get_weights()])


def _run(tf, layer, *shape):
    """Names and first values of variables, then outputs with given values, and configuration."""
    tf.set_random_seed(2)
    x = tf.keras.layers.Input(shape[1:])
    model = tf.keras.Model(x, layer(x))
    first = model.get_weights()
    _given(model)
    names = [v.name for v in model.weights]
    return [names, first, model.predict(_data(*shape)), layer.get_config(),
            [tuple(s) for s in np.atleast_2d(np.array(layer.output_shape, dtype=object))
             .tolist()]]  # fmt: skip


def layers_of_cells(tf):
    keras, found = tf.keras.layers, []
    made = [
        lambda: keras.SimpleRNN(3), lambda: keras.LSTM(3), lambda: keras.GRU(3),
        lambda: keras.LSTM(3, return_sequences=True, recurrent_activation="sigmoid"),
        lambda: keras.LSTM(3, go_backwards=True, unit_forget_bias=False, use_bias=False),
        lambda: keras.GRU(3, reset_after=True, activation="relu"),
        lambda: keras.GRU(2, implementation=2, go_backwards=True, return_sequences=True),
        lambda: keras.LSTM(2, unroll=True), lambda: keras.SimpleRNN(2, activation="linear"),
        lambda: keras.RNN(keras.LSTMCell(3)),
        lambda: keras.RNN([keras.GRUCell(3), keras.LSTMCell(2)], return_sequences=True),
    ]  # fmt: skip
    for number, make in enumerate(made):
        with tf.Graph().as_default():
            result = _run(tf, make(), 2, 4, 3)
            found.append(result if number < 9 else result[:3])
    return found


def bidirectional(tf):
    keras, found = tf.keras.layers, []
    for mode in ("concat", "sum", "mul", "ave"):
        with tf.Graph().as_default():
            layer = keras.Bidirectional(keras.LSTM(2, return_sequences=True), merge_mode=mode)
            result = _run(tf, layer, 2, 4, 3)
            found.append([result[0], result[2]])
    with tf.Graph().as_default():
        result = _run(tf, keras.Bidirectional(keras.GRU(2)), 2, 4, 3)
        found.append([result[0], result[2]])
    return found


def over_steps(tf):
    keras, found = tf.keras.layers, []
    for make, shape in (
        (lambda: keras.TimeDistributed(keras.Dense(3)), (2, 4, 3)),
        (lambda: keras.TimeDistributed(keras.Conv2D(2, 2)), (2, 3, 4, 4, 1)),
    ):
        with tf.Graph().as_default():
            result = _run(tf, make(), *shape)
            found.append(result[:3])
    return found


def states(tf):
    """States that are returned, given, and kept between batches."""
    keras = tf.keras
    x = keras.layers.Input((4, 3))
    _, h, c = keras.layers.LSTM(2, return_state=True, name="encoder")(x)
    y = keras.layers.LSTM(2, return_sequences=True, name="decoder")(x, initial_state=[h, c])
    model = keras.Model(x, [y, h, c])
    _given(model)
    found = [model.predict(_data(2, 4, 3))]
    kept = keras.Sequential([keras.layers.GRU(2, stateful=True, batch_input_shape=(2, 4, 3))])
    _given_kept = [_data(*w.shape) * 0.5 for w in kept.get_weights()]
    kept.set_weights(_given_kept)
    for _ in range(2):
        found.append(kept.predict(_data(2, 4, 3), batch_size=2))
    kept.reset_states()
    found.append(kept.predict(_data(2, 4, 3), batch_size=2))
    return found


def masked(tf):
    keras, found = tf.keras.layers, []
    tokens = np.array([[1, 2, 0, 0], [3, 0, 0, 0], [4, 1, 2, 3]])
    for make in (
        lambda: keras.LSTM(3), lambda: keras.GRU(3, return_sequences=True),
        lambda: keras.Bidirectional(keras.SimpleRNN(2)),
        lambda: keras.Bidirectional(keras.LSTM(2, return_sequences=True)),
    ):  # fmt: skip
        with tf.Graph().as_default():
            x = keras.Input((4,))
            model = tf.keras.Model(x, make()(keras.Embedding(6, 3, mask_zero=True)(x)))
            _given(model)
            found.append(model.predict(tokens))
    return found


def text(tf):
    """A classifier of sequences of words, trained after it was asked for its weights."""
    keras = tf.keras
    model = keras.Sequential([
        keras.layers.Embedding(20, 4, mask_zero=True, input_length=6),
        keras.layers.Bidirectional(keras.layers.LSTM(3, return_sequences=True)),
        keras.layers.GRU(4), keras.layers.Dense(1, activation="sigmoid"),
    ])  # fmt: skip
    _given(model)
    x = (np.arange(60).reshape(10, 6) * 7) % 20
    y = np.arange(10) % 2
    model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", ["acc"])
    before = model.evaluate(x, y, verbose=0)
    history = model.fit(x, y, batch_size=5, epochs=4, verbose=0, shuffle=False).history
    return [before, history, model.predict(x)]


def first_values(tf):
    """The variables before a loop depend on the seed of the graph."""
    tf.set_random_seed(5)
    keras = tf.keras.layers
    x = keras.Input((6,))
    y = keras.LSTM(4, dropout=0.0)(keras.Embedding(9, 3)(x))
    model = tf.keras.Model(x, y)
    model.compile("sgd", "mse")
    tokens = np.arange(24).reshape(4, 6) % 9
    history = model.fit(tokens, _data(4, 4), epochs=3, verbose=0, shuffle=False).history
    return [history, model.get_weights()]


def own_cell(tf):
    class Cell(tf.keras.layers.Layer):
        def __init__(self, units, **kwargs):
            self.units, self.state_size = units, units
            super().__init__(**kwargs)

        def build(self, input_shape):
            size = int(input_shape[-1])
            self.kernel = self.add_weight(name="kernel", shape=(size, self.units))
            self.built = True

        def call(self, inputs, states):
            output = tf.matmul(inputs, self.kernel) + states[0] * 0.5
            return output, [output]

    x = tf.keras.layers.Input((4, 3))
    model = tf.keras.Model(x, tf.keras.layers.RNN(Cell(2), return_sequences=True)(x))
    model.compile("sgd", "mse")
    _given_once = model.fit(_data(4, 4, 3), _data(4, 4, 2), verbose=0).history
    return [sorted(_given_once), [v.name for v in model.weights]]


def mistakes(tf):
    keras = tf.keras.layers
    x = keras.Input((4, 3))
    return [
        outcome(lambda: keras.LSTM(3)(keras.Input((4,)))),
        outcome(lambda: keras.GRU(3, stateful=True)(x)),
        outcome(lambda: keras.RNN(keras.Dense(3))),
        outcome(lambda: keras.LSTM(3, unroll=True)(keras.Input((None, 3)))),
        outcome(lambda: keras.Bidirectional(keras.LSTM(3), merge_mode="other")),
        outcome(lambda: keras.LSTM(3).reset_states()),
    ]
