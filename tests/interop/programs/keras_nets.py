# SPDX-License-Identifier: Apache-2.0
"""Well-known networks of Keras, the same text for our client and for every TensorFlow.

A net is a function of (keras, whole) that returns a compiled model; DATA has under the same name a
function of a number of examples that returns (inputs, targets). whole: the size that programs use;
otherwise one that tests can train. Initializers have seeds, so that all clients begin alike.
"""

import itertools

import numpy as np


class _Seeded:
    """Initializers of a model, each with a seed of its own."""

    def __init__(self, keras):
        self._kinds, self._seeds = keras.initializers, itertools.count(1)

    def glorot(self):
        return self._kinds.glorot_uniform(seed=next(self._seeds))

    def he(self):
        return self._kinds.he_normal(seed=next(self._seeds))

    def uniform(self):
        return self._kinds.RandomUniform(-0.05, 0.05, seed=next(self._seeds))

    def orthogonal(self):
        return self._kinds.Orthogonal(seed=next(self._seeds))


# ---- a convolutional network on digits


def digits(keras, whole=True):
    """Two convolutions and two dense layers, with dropout."""
    layers, initial, width = keras.layers, _Seeded(keras), 32 if whole else 8
    model = keras.Sequential([
        layers.Conv2D(width, 3, activation="relu", kernel_initializer=initial.glorot(),
                      input_shape=(28, 28, 1)),
        layers.Conv2D(2 * width, 3, activation="relu", kernel_initializer=initial.glorot()),
        layers.MaxPooling2D(2),
        layers.Dropout(0.25, seed=11),
        layers.Flatten(),
        layers.Dense(4 * width, activation="relu", kernel_initializer=initial.glorot()),
        layers.Dropout(0.5, seed=12),
        layers.Dense(10, activation="softmax", kernel_initializer=initial.glorot()),
    ])  # fmt: skip
    model.compile(keras.optimizers.Adadelta(1.0), "categorical_crossentropy", metrics=["accuracy"])
    return model


def _images(count, size, channels, seed):
    """Images of ten classes, each with a pattern of its own, and noise."""
    draws = np.random.RandomState(seed)
    patterns = draws.rand(10, size, size, channels)
    labels = draws.randint(0, 10, count)
    images = 0.5 * patterns[labels] + 0.5 * draws.rand(count, size, size, channels)
    return images.astype(np.float32), np.eye(10, dtype=np.float32)[labels]


# ---- a recurrent network on texts

_WORDS, _LENGTH = 20000, 80


def texts(keras, whole=True):
    """An LSTM over embedded words that says whether a text is favourable."""
    layers, initial, units = keras.layers, _Seeded(keras), 128 if whole else 16
    model = keras.Sequential([
        layers.Embedding(_WORDS, units, embeddings_initializer=initial.uniform()),
        layers.LSTM(units, recurrent_activation="sigmoid", kernel_initializer=initial.glorot(),
                    recurrent_initializer=initial.orthogonal(), dropout=0.2,
                    recurrent_dropout=0.2),
        layers.Dense(1, activation="sigmoid", kernel_initializer=initial.glorot()),
    ])  # fmt: skip
    model.compile(keras.optimizers.Adam(0.001), "binary_crossentropy", metrics=["accuracy"])
    return model


def _texts(count):
    """Numbers of words, padded at the front, and whether low or high numbers prevail."""
    draws = np.random.RandomState(2)
    labels = draws.randint(0, 2, count)
    words = draws.randint(1, _WORDS, [count, _LENGTH])
    favourable = draws.rand(count, _LENGTH) < 0.2
    words = np.where(favourable, 10 + 10 * labels[:, None] + words % 10, words)
    padded = np.arange(_LENGTH) < draws.randint(0, _LENGTH // 2, [count, 1])
    return np.where(padded, 0, words).astype(np.int32), labels.astype(np.float32)


# ---- ResNet-20 (He et al., 2015) on small images


def resnet20(keras, whole=True):
    """Three stages of three residual blocks each."""
    layers, initial = keras.layers, _Seeded(keras)
    width, decay = 16 if whole else 4, keras.regularizers.l2(1e-4)

    def convolved(x, filters, size=3, strides=1, activation="relu", normalized=True):
        x = layers.Conv2D(filters, size, strides=strides, padding="same",
                          kernel_initializer=initial.he(), kernel_regularizer=decay)(x)  # fmt: skip
        x = layers.BatchNormalization()(x) if normalized else x
        return layers.Activation(activation)(x) if activation else x

    inputs = layers.Input(shape=(32, 32, 3))
    x = convolved(inputs, width)
    for stage in range(3):
        filters = width << stage
        for block in range(3):
            strides = 2 if stage > 0 and block == 0 else 1
            y = convolved(x, filters, strides=strides)
            y = convolved(y, filters, activation=None)
            if strides == 2:
                x = convolved(x, filters, 1, strides, activation=None, normalized=False)
            x = layers.Activation("relu")(layers.add([x, y]))
    x = layers.Flatten()(layers.AveragePooling2D(8)(x))
    outputs = layers.Dense(10, activation="softmax", kernel_initializer=initial.he())(x)
    model = keras.Model(inputs, outputs)
    model.compile(keras.optimizers.Adam(0.001), "categorical_crossentropy", metrics=["accuracy"])
    return model


NETS = {"digits": digits, "texts": texts, "resnet20": resnet20}
DATA = {
    "digits": lambda count: _images(count, 28, 1, 1),
    "texts": _texts,
    "resnet20": lambda count: _images(count, 32, 3, 3),
}
BATCH = {"digits": 128, "texts": 32, "resnet20": 32}  # as in the programs that everybody knows
