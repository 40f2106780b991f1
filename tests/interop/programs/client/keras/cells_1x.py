# SPDX-License-Identifier: Apache-2.0
"""Cells whose inputs, outputs and states are structures, and what layers refuse."""

import numpy as np

from interop.programs.client._outcomes import message

ONLY_1X = True

X = np.arange(24.0).reshape(2, 4, 3) / 10


def _predicted(tf, inputs, outputs, fed):
    model = tf.keras.Model(inputs, outputs)
    random = np.random.RandomState(3)
    model.set_weights([random.rand(*w.shape) - 0.5 for w in model.get_weights()])
    found = model.predict(fed)
    return [a.round(4).tolist() for a in (found if isinstance(found, list) else [found])]


def structures(tf):
    layers = tf.keras.layers

    class Pairs(layers.Layer):
        def __init__(self, one, two):
            self.state_size = self.output_size = (one, tf.TensorShape([two, 2]))
            super().__init__()

        def build(self, input_shape):
            one, two = input_shape
            self.first = self.add_weight("first", (one[1], self.state_size[0]))
            self.second = self.add_weight("second", (two[1], int(self.state_size[1][0])))
            self.built = True

        def call(self, inputs, states):
            one, two = inputs
            one = tf.matmul(one, self.first) + states[0]
            two = tf.einsum("bij,ik->bkj", two, self.second) + states[1]
            return (one, two), (one, two)

    class Plain:
        state_size = output_size = 3

        def call(self, inputs, states):
            return inputs + states[0], [inputs + states[0]]

    x, around = tf.keras.Input((4, 3)), tf.keras.Input((4, 5, 2))
    both = [X, np.arange(80.0).reshape(2, 4, 5, 2) / 40]
    stack = layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)], return_state=True)
    found = stack(x)
    whole = layers.RNN(Pairs(2, 3), return_sequences=True)((x, around))
    return [
        _predicted(tf, [x, around], list(whole), both),
        _predicted(tf, [x, around], list(layers.RNN(Pairs(2, 3))((x, around))), both),
        [len(found), len(found[1]), str(stack.cell.state_size)],
        _predicted(tf, x, tf.nest.flatten(found), X),
        _predicted(tf, x, layers.RNN([Plain(), layers.GRUCell(2)])(x), X),
    ]  # fmt: skip


def what_layers_refuse(tf):
    layers, x = tf.keras.layers, tf.keras.Input((4, 3))
    kept = layers.LSTM(3, stateful=True)
    kept(tf.keras.Input(batch_shape=(2, 4, 3)))
    inner, back = layers.LSTM(2), layers.LSTM(2, go_backwards=True, return_state=True)
    two = [tf.keras.Input((3,)), tf.keras.Input((4,))]
    return [
        message(layers.RNN, lambda x: x)[:25],
        message(layers.StackedRNNCells, [np])[:25],
        message(kept.reset_states, [np.ones((2, 3))])[:60],
        message(kept.reset_states, [np.ones((2, 3)), np.ones((2, 4))])[:43],
        message(layers.LSTM(3, stateful=True), x),
        message(layers.LSTM(3), x, initial_state=two)[:70],
        message(layers.LSTM(3), two[0]),
        message(layers.LSTM(3, unroll=True), tf.keras.Input((None, 3))),
        message(layers.Bidirectional, inner, backward_layer=inner),
        message(layers.Bidirectional, inner, backward_layer=back),
        message(layers.Bidirectional, inner, "none"),
        message(layers.TimeDistributed, 3),
        message(layers.TimeDistributed(layers.Dense(2)), two[0]),
    ]


def layers_after_a_mask(tf):
    """A layer that supports no masks ends the mask of its input."""
    layers = tf.keras.layers
    tokens = np.array([[1, 2, 0, 0], [3, 4, 5, 0]])
    flat, images = tf.keras.Input((4,)), tf.keras.Input((3, 5, 5, 1))
    embedded = layers.Embedding(9, 3, mask_zero=True)(flat)
    shape = layers.ConvLSTM2D(3, 2, return_state=True).compute_output_shape((2, 3, 5, 5, 2))
    return [
        _predicted(tf, flat, layers.Dense(1)(layers.Flatten()(embedded)), tokens),
        _predicted(tf, flat, layers.GlobalMaxPool1D()(layers.Conv1D(2, 2)(embedded)), tokens),
        _predicted(tf, images, layers.ConvLSTM2D(2, 2)(images), np.ones((2, 3, 5, 5, 1))),
        [tf.TensorShape(s).as_list() for s in shape],
    ]


def of_cudnn(tf):
    """The variables and the configuration of layers that have cuDNN's."""
    found = []
    for kind, more in (("CuDNNLSTM", {}), ("CuDNNGRU", {"return_state": True})):
        layer = getattr(tf.keras.layers, kind)(4, dtype="float32", **more)
        layer.build((None, 5, 3))
        config = layer.get_config()
        found.append([
            [(w.name, w.shape.as_list()) for w in layer.weights], config,
            layer.get_weights()[2].tolist(),
            type(layer).from_config(config).get_config() == config,
        ])  # fmt: skip
    return found


def stateful_in_both_directions(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Bidirectional(layers.LSTM(3, stateful=True), batch_input_shape=(2, 4, 3)),
        layers.Dense(1),
    ])  # fmt: skip
    random = np.random.RandomState(3)
    model.set_weights([random.rand(*w.shape) - 0.5 for w in model.get_weights()])
    model.compile("sgd", "mse")
    losses = model.fit(X, X[:, 0, :1], epochs=3, shuffle=False, verbose=0).history["loss"]
    found = [model.predict(X).round(4).tolist() for _ in range(2)]
    return [np.round(losses, 4).tolist(), found, model.stateful]
