# SPDX-License-Identifier: Apache-2.0
"""RaggedTensorValues are data of models, and come from models.

TensorFlow 1.15 fails with an AttributeError where a model of a graph is given one.
"""

import numpy as np
import sluice as sl

keras = sl.keras
ROWS = [[1.0, 2.0], [3.0], [], [4.0, 5.0, 6.0], [7.0]]


def rows():
    return sl.ragged.constant_value(ROWS, dtype="float32")


def sums(x):
    dense = keras.layers.Lambda(lambda r: sl.reduce_sum(r.to_tensor(), 1, keepdims=True))(x)
    return keras.layers.Reshape((1,))(dense)


def test_batches_have_their_rows():
    x = keras.Input(shape=(None,), ragged=True)
    found = keras.Model(x, sums(x)).predict(rows(), batch_size=2)
    assert found.tolist() == [[3.0], [3.0], [0.0], [15.0], [7.0]]


def test_rows_train_a_model():
    x = keras.Input(shape=(None,), ragged=True)
    model = keras.Model(x, keras.layers.Dense(1, kernel_initializer="ones")(sums(x)))
    model.compile(keras.optimizers.SGD(0.0), "mse")
    targets = np.array([[3.0], [3.0], [0.0], [15.0], [9.0]])
    assert np.isclose(model.evaluate(rows(), targets, verbose=0), 4 / 5)
    history = model.fit(rows(), targets, batch_size=2, verbose=0)
    assert np.isclose(history.history["loss"][0], 4 / 5)


def test_outputs_are_ragged():
    x = keras.Input(shape=(None, None), ragged=True)
    model = keras.Model(x, keras.layers.Lambda(lambda r: r * 2.0)(x))
    deep = [[[1.0], [2.0, 3.0]], [], [[], [4.0]]]
    found = model.predict(sl.ragged.constant_value(deep, dtype="float32"), batch_size=2)
    assert found.to_list() == [[[2.0], [4.0, 6.0]], [], [[], [8.0]]]


def test_a_layer_may_return_its_input():
    x = keras.Input(shape=(None,), ragged=True)
    model = keras.Model(x, keras.layers.Lambda(lambda r: r)(x))
    assert model.predict(rows(), batch_size=3).to_list() == ROWS
