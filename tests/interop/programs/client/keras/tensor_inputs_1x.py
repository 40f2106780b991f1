# SPDX-License-Identifier: Apache-2.0
"""Models whose input is a tensor of the graph."""

import numpy as np

ONLY_1X = True

_X = np.cos(np.arange(24)).reshape(4, 6).astype(np.float32)


def inputs_of_a_tensor(tf):
    inputs = tf.keras.layers.Input(tensor=tf.constant(_X))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
    model.set_weights([_X.reshape(-1)[:6, None], _X[0, :1]])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    loss = model.train_on_batch(None, np.ones([4, 1]))
    return [float(loss), model.input_shape, model.layers[0].get_config()["batch_input_shape"]]


def sparse_placeholders(tf):
    k = tf.keras.backend
    x = k.placeholder((None, 6), sparse=True)
    product = k.dot(x, k.constant(np.ones([6, 2], np.float32)))
    with tf.Session() as session:
        value = tf.SparseTensorValue([[0, 1], [2, 5]], np.float32([3, 4]), [3, 6])
        return [
            k.is_sparse(x), k.is_sparse(product), k.ndim(x), type(x).__name__,
            session.run([product, k.to_dense(x)], {x: value}),
        ]  # fmt: skip


def size_of_a_batch_of_tensors(tf):
    """The tensors have the size of the batch: another one is ignored."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    x, y = tf.ones((4, 2)), tf.zeros((4, 1))
    history = model.fit(x, y, batch_size=2, steps_per_epoch=2, verbose=0).history
    return np.round(history["loss"], 5).tolist()
