# SPDX-License-Identifier: Apache-2.0
"""Layers that programs derive from the base classes in the sources of Keras."""

import numpy as np

from interop.programs.client._outcomes import outcome
from interop.programs.client.others.keras_sources_1x import _module

ONLY_1X = True  # later TensorFlows have another Keras

STEPS = np.arange(2 * 6 * 3, dtype="float32").reshape(2, 6, 3) / 10
IMAGES = np.arange(2 * 5 * 5 * 3, dtype="float32").reshape(2, 5, 5, 3) / 10
VOLUMES = np.arange(4**3 * 2, dtype="float32").reshape(1, 4, 4, 4, 2) / 10


def _values(tf, tensors):
    session = tf.keras.backend.get_session()
    session.run(tf.global_variables_initializer())
    return [[t.name.split("/")[0], session.run(t)] for t in tensors]


def convolutions(tf):
    base = _module(tf, "layers.convolutional")

    class Own(base.Conv):
        def __init__(self, **kwargs):
            super().__init__(2, 2, 3, kernel_initializer="ones", **kwargs)

    class Mixed(base.SeparableConv):
        def call(self, inputs):
            return inputs * tf.reduce_sum(self.pointwise_kernel + self.bias)

    layers = [
        base.Conv(rank, 2, 2, activation="relu", kernel_initializer="ones", padding="same")
        for rank in (1, 2, 3)
    ]
    layers += [Own(), Mixed(2, 2, 2, pointwise_initializer="ones", depth_multiplier=2)]
    inputs = [STEPS, IMAGES, VOLUMES, IMAGES, IMAGES]
    outputs = [layer(tf.constant(x)) for layer, x in zip(layers, inputs)]
    configs = [sorted(layer.get_config().items(), key=str) for layer in (layers[0], layers[4])]
    return _values(tf, outputs), configs, [[v.name for v in layer.weights] for layer in layers]


def pools(tf):
    """What the function is called with, and layers of other functions."""
    base, calls = _module(tf, "layers.pooling"), []

    def pool(inputs, *args, **kwargs):
        calls.append([args, sorted(kwargs.items())])
        return inputs

    layers = [
        base.Pooling1D(pool, 2, None), base.Pooling2D(pool, 2, 1, "same", "channels_first"),
        base.Pooling3D(pool, (2, 2, 1), 1), base.Pooling2D(tf.nn.max_pool2d, 2, 1),
    ]  # fmt: skip
    inputs = [STEPS, IMAGES, VOLUMES, IMAGES]
    outputs = [layer(tf.constant(x)) for layer, x in zip(layers, inputs)]
    configs = [sorted(layer.get_config().items()) for layer in layers[:3]]
    return _values(tf, outputs), calls, configs, outputs[-1].name


def global_pools(tf):
    base = _module(tf, "layers.pooling")

    class Smallest(base.GlobalPooling2D):
        def call(self, inputs):
            return tf.reduce_min(inputs, [1, 2])

    plain = [base.GlobalPooling1D(), base.GlobalPooling2D(), base.GlobalPooling3D()]
    inputs = [STEPS, IMAGES, VOLUMES]
    return [
        [sorted(layer.get_config().items()) for layer in plain],
        [layer.compute_output_shape(x.shape).as_list() for layer, x in zip(plain, inputs)],
        [outcome(layer, tf.constant(x)) for layer, x in zip(plain, inputs)],
        _values(tf, [Smallest()(tf.constant(IMAGES))]),
    ]


def what_layers_are(tf):
    """Which of the public classes derive from which."""
    layers, found = tf.keras.layers, []
    convolutional, pooling = _module(tf, "layers.convolutional"), _module(tf, "layers.pooling")
    recurrent = _module(tf, "layers.recurrent")
    bases = [convolutional.Conv, convolutional.SeparableConv, layers.Conv2D, layers.Conv3D]
    bases += [getattr(pooling, f"{kind}Pooling{n}D") for kind in ("", "Global") for n in (1, 2, 3)]
    bases.append(recurrent.DropoutRNNCellMixin)
    for name in sorted(dir(layers)):
        cls = getattr(layers, name)
        if isinstance(cls, type):
            found.append([name, [base.__name__ for base in bases if issubclass(cls, base)]])
    return [pair for pair in found if pair[1]]


def cells(tf):
    recurrent = _module(tf, "layers.recurrent")
    cell_of_images = _module(tf, "layers.convolutional_recurrent").ConvLSTM2DCell
    masks = []

    class Dropping(recurrent.DropoutRNNCellMixin, tf.keras.layers.Layer):
        dropout, recurrent_dropout, state_size, output_size = 0.5, 0.0, 3, 3

        def call(self, inputs, states, training=None):
            mask = self.get_dropout_mask_for_cell(inputs, training)
            masks.append(self.get_recurrent_dropout_mask_for_cell(states[0], training))
            return inputs * mask, [states[0] + 1]

    layers, x = tf.keras.layers, tf.constant(STEPS)
    outputs = [
        layers.RNN(Dropping(), return_sequences=True)(x),
        layers.RNN(recurrent.PeepholeLSTMCell(
            2, kernel_initializer="ones", recurrent_initializer="ones"
        ))(x),
    ]  # fmt: skip
    dropped = layers.RNN(Dropping(), return_sequences=True)(x, training=True)
    values = tf.keras.backend.get_session().run(dropped)
    same_in_all_steps = [np.unique((values[i] > 0)[1:], axis=0).shape for i in range(2)]
    config = sorted(cell_of_images(2, 3).get_config().items(), key=str)
    return _values(tf, outputs), same_in_all_steps, set(map(type, masks)) == {type(None)}, config
