# SPDX-License-Identifier: Apache-2.0
"""Models: their ends, before they have any, and what freezing them changes."""

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True  # later TensorFlows have another Keras

_X, _Y = np.cos(np.arange(60)).reshape(20, 3).astype("f"), np.sin(np.arange(20)).reshape(20, 1)


def single_ends(tf):
    """A list of one input or output stands for that tensor."""
    layers = tf.keras.layers
    start = tf.keras.Input((3,))
    model = tf.keras.Model([start], [layers.Dense(2)(start)])
    again = tf.keras.Model.from_config(model.get_config())
    return [
        [type(m.output).__name__ for m in (model, again)], [m.input_shape for m in (model, again)],
        model.output_shape, type(model(start)).__name__, type(model([start])).__name__,
        model.get_config()["input_layers"], model.get_config()["output_layers"],
        layers.Dense(1)(model.output).shape.as_list(), type(model.predict([_X])).__name__,
    ]  # fmt: skip


def unbuilt(tf):
    """What models without inputs have."""

    class Own(tf.keras.Model):
        def call(self, inputs):
            return inputs * 2.0

    one = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    one.pop()
    found = [[m.inputs, m.outputs] for m in (Own(), tf.keras.Sequential())]
    return [found, one.inputs, one.outputs, hasattr(Own(), "total_loss"), Own().optimizer]


def frozen_lists(tf):
    """Layers in lists and dicts stay trainable when the layer around them is not."""
    layers = tf.keras.layers

    class Own(layers.Layer):
        def __init__(self):
            super().__init__()
            self.normed, self.one = [layers.BatchNormalization()], layers.Dense(2)
            self.named = {"last": layers.Dense(1, kernel_initializer="ones")}

        def call(self, inputs):
            return self.named["last"](self.normed[0](inputs))

    own = Own()
    model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(3,)), own])
    own.trainable = False
    parts = (own.normed[0], own.one, own.named["last"])
    model.compile("sgd", "mse")
    losses = [model.train_on_batch(_X, _Y), model.test_on_batch(_X, _Y)]
    counted = [len(own.trainable_weights), len(own.non_trainable_weights), len(model.updates)]
    return [[part.trainable for part in parts], losses, counted]


def two_input_layers(tf):
    """A second InputLayer of a Sequential model passes its input on."""
    layers = tf.keras.layers
    parts = [layers.InputLayer((2,)), layers.InputLayer((2,)), layers.Dense(1)]
    model = tf.keras.Sequential(parts)
    return [len(model.layers), model.predict(np.ones((2, 2))).shape, model.input_shape]


def nested_graphs(tf):
    """The default graph of a block is not cleared."""
    with tf.Graph().as_default():
        return says("clear nested graphs", tf.keras.backend.clear_session)
