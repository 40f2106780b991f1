# SPDX-License-Identifier: Apache-2.0
"""Models whose inputs are RaggedTensors."""

import numpy as np

from interop.programs.client._outcomes import message

ONLY_1X = True

ROWS = [[1.0, 2.0], [3.0], [], [4.0, 5.0, 6.0]]


def _dense(tf, **kwargs):
    class Dense(tf.keras.layers.Layer):
        def call(self, inputs):
            return inputs.to_tensor()

    return Dense(**kwargs)


def _data(tf, batch, *more):
    rows = tf.ragged.constant(ROWS)
    elements = (rows, *more) if more else rows
    return tf.data.Dataset.from_tensor_slices(elements).batch(batch)


def inputs(tf):
    layers, make = tf.keras.layers, tf.keras.Input
    found = []
    for shape in ((None,), (None, None), (None, 3)):
        x = make(shape=shape, ragged=True)
        found.append([type(x).__name__, x.shape.as_list(), x.ragged_rank, x.dtype.name])
        found.append([x.flat_values.name, x.flat_values.shape.as_list()])
    x = make(shape=(2, None), ragged=True)
    found.append([type(x).__name__, x.shape.as_list()])
    layer = layers.InputLayer(input_shape=(None,), ragged=True, name="rows")
    found += [sorted(layer.get_config().items(), key=str), layer.output_shape]
    x = tf.keras.backend.placeholder(shape=(None, None, 4), ragged=True)
    found += [x.shape.as_list(), tf.keras.backend.int_shape(x)]
    return found, message(make, shape=(None,), ragged=True, sparse=True)


def predictions(tf):
    """Of a functional and a sequential model."""
    keras = tf.keras
    x = keras.Input(shape=(None,), ragged=True)
    twice = keras.layers.Lambda(lambda rows: rows.to_tensor() * 2)
    models = [
        keras.Model(x, _dense(tf)(x)), keras.Model(x, twice(x)),
        keras.Sequential([keras.layers.InputLayer((None,), ragged=True), _dense(tf)]),
    ]  # fmt: skip
    return [
        [model.predict(_data(tf, 4), steps=1), model.input_shape, model.output_shape]
        for model in models
    ]


def training(tf):
    layers = tf.keras.layers
    x = tf.keras.Input(shape=(None,), ragged=True)
    y = layers.Lambda(lambda t: tf.reduce_sum(t, 1, keepdims=True))(_dense(tf)(x))
    y = layers.Dense(1, kernel_initializer="ones")(layers.Reshape((1,))(y))
    model = tf.keras.Model(x, y)
    model.compile(tf.keras.optimizers.SGD(0.01), "mse")
    data = _data(tf, 2, np.ones([4, 1], "float32"))
    history = model.fit(data, epochs=2, verbose=0)
    return history.history["loss"], model.evaluate(data, verbose=0), model.get_weights()


def given_tensors(tf):
    """As the tensor of an input, and to a model that is called."""
    keras, rows = tf.keras, tf.ragged.constant(ROWS)
    x = keras.Input(tensor=rows, ragged=True)
    model = keras.Model(x, _dense(tf)(x))
    free = keras.Input(shape=(None,), ragged=True)
    other = keras.Model(free, _dense(tf)(free))
    return model.predict(None, steps=1), keras.backend.eval(other(rows * 3.0))
