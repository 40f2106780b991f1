# SPDX-License-Identifier: Apache-2.0
"""Layers that several layers hold, and targets of other shapes or of none."""

import contextlib
import io

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _twice(tf):
    """A model with a layer that is by itself and in a model inside."""
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones", input_shape=(2,))
    inputs = tf.keras.Input((2,))
    return tf.keras.Model(inputs, tf.keras.Sequential([layer])(layer(inputs)))


def counted_twice(tf):
    """The variables are there twice, and are changed once in a step."""
    model = _twice(tf)
    model.compile("sgd", "mse")
    model.train_on_batch(np.ones((4, 2)), np.zeros((4, 2)))
    lists = model.weights, model.trainable_weights, model.variables
    return [len(found) for found in lists], model.count_params(), model.get_weights()


def summary_of_shared(tf):
    """The summary counts each variable once; those of compile() count as trainable."""
    model, text = _twice(tf), io.StringIO()
    model.compile("sgd", "mse")
    model.trainable = False
    with contextlib.redirect_stdout(text):
        model.summary()
    return text.getvalue().splitlines()[-5:]


def order_of_variables(tf):
    """Layers come before variables of the model; lists have their trainable variables first."""
    layers = tf.keras.layers

    class Mixed(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.scale = tf.Variable(1.0, name="scale")
            self.first = layers.Dense(2)
            self.several = [layers.BatchNormalization(), layers.Dense(1), self.first]

        def call(self, x):
            return self.several[1](self.several[0](self.first(x))) * self.scale

    model = Mixed()
    model(tf.keras.Input((3,)))
    names = [[v.name for v in model.weights]]
    for value in (True, False):
        model.trainable = value
        names += [[v.name for v in found]
                  for found in (model.trainable_weights, model.non_trainable_weights)]  # fmt: skip
    return names


def targets_of_other_shapes(tf):
    """Targets may have another number of dimensions than the output, if the loss takes them."""
    found = []
    for shape in (4, 1), (4, 1, 1), (4, 4, 2), (4, 3):
        tf.keras.backend.clear_session()
        model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,),
                                                           kernel_initializer="ones")])  # fmt: skip
        model.compile("sgd", lambda y, p: tf.reduce_sum(p, -1) * tf.reshape(y, [-1])[0])
        found.append(float(model.train_on_batch(np.ones((4, 3)), np.ones(shape))))
    return found


def no_targets(tf):
    """Without targets the first batch function gets the phase of training in their place."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,),
                                                       kernel_initializer="ones")])  # fmt: skip
    model.compile("sgd", "mse")
    x = np.ones((4, 3), np.float32)
    return [
        model.fit(x, epochs=2, verbose=0).history, float(model.train_on_batch(x)),
        outcome(model.evaluate, x, verbose=0), outcome(model.test_on_batch, x),
    ]  # fmt: skip
