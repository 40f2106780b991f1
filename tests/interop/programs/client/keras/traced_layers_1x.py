# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph as methods of layers and of other classes."""

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def functions_as_methods(tf):
    """call() can be a function of the graph."""

    class Scaled(tf.keras.layers.Layer):
        def build(self, input_shape):
            self.scale = self.add_weight("scale", (), initializer="ones")

        @tf.function
        def call(self, inputs, training=None, factor=3.0):
            if training is None:
                training = tf.keras.backend.learning_phase()
            training = tf.cast(training, tf.bool)
            return self.scale * tf.cond(training, lambda: inputs * factor, lambda: inputs)

    model = tf.keras.Sequential([Scaled(input_shape=(2,)), Scaled()])
    model.compile("sgd", "mse")
    loss = model.train_on_batch(_data(3, 2), _data(3, 2))

    class Counter:
        def __init__(self, step):
            self.step = step

        @tf.function
        def after(self, x, times=1, more=0):
            return x + self.step * times + more

    one, two = Counter(1), Counter(10)
    with tf.Session() as session:
        sums = session.run([
            one.after(1), two.after(1), one.after(tf.constant(1), times=2),
            two.after(1, more=tf.constant(5)), one.after(x=tf.constant(2)),
        ])  # fmt: skip
    return [float(loss), model.predict(_data(3, 2)), sums]
