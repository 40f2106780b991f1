# SPDX-License-Identifier: Apache-2.0
"""Layers with the variables of cuDNN's have the numbers of the layers without."""

import numpy as np
import sluice as sl

keras = sl.keras


def _matches(layer, other, joined, **kwargs):
    """Whether two layers predict the same, the second with the biases of the first `joined`."""
    x = keras.Input((5, 3))
    one = keras.Model(x, layer(4, return_sequences=True, bias_initializer="uniform")(x))
    same = other(4, return_sequences=True, recurrent_activation="sigmoid", **kwargs)
    two = keras.Model(x, same(x))
    data = np.random.RandomState(1).rand(2, 5, 3)
    for _ in range(2):
        kernel, recurrent, bias = one.get_weights()
        two.set_weights([kernel, recurrent, joined(bias.reshape(2, -1))])
        if not np.allclose(one.predict(data), two.predict(data), atol=1e-6):
            return False
        one.compile("sgd", "mse")
        one.fit(data, np.ones((2, 5, 4)), verbose=0)
    return True


def test_layers_of_cudnn_have_their_numbers_on_all_devices():
    layers = keras.layers
    assert _matches(layers.CuDNNLSTM, layers.LSTM, lambda biases: biases.sum(0))
    assert _matches(layers.CuDNNGRU, layers.GRU, lambda biases: biases, reset_after=True)
