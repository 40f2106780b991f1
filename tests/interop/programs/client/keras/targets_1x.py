# SPDX-License-Identifier: Apache-2.0
"""Targets and weights of other shapes and kinds than the outputs of a model."""

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def classes_of_steps(tf):
    """Each step of a sequence has a class: the targets have one dimension less than the output."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Dense(2, input_shape=(3, 4), kernel_initializer="ones"),
        layers.Dense(5, activation="softmax", kernel_initializer="zeros"),
    ])  # fmt: skip
    model.compile("sgd", "sparse_categorical_crossentropy")
    x, y = _data(10, 3, 4), np.arange(30).reshape(10, 3) % 5
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(5)
    return [
        model.fit(x, y, 5, 2, 0, shuffle=False).history,
        model.fit(data, epochs=1, verbose=0).history,
        float(model.train_on_batch(x, y[..., None])),
        float(model.evaluate(x, y, verbose=0)), model.get_weights(),
    ]  # fmt: skip


def weights_of_a_generator(tf):
    """Batches of training have weights, the data for validation has none."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,),
                                                       kernel_initializer="ones")])  # fmt: skip
    model.compile("sgd", "mse", weighted_metrics=["mae"])

    def batches():
        while True:
            yield _data(4, 3), _data(4, 1), np.arange(4, dtype=np.float32)

    validation = (_data(8, 3), _data(8, 1))
    return model.fit_generator(
        batches(), 3, 2, 0, workers=0, validation_data=validation
    ).history  # fmt: skip


def masked_integers(tf):
    """The first data are integers, of which TimeDistributed makes floats."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Masking(0), layers.TimeDistributed(layers.Dense(1, kernel_initializer="ones")),
    ])  # fmt: skip
    model.compile("sgd", "mse")
    x, y = np.array([[[1], [1]], [[0], [0]]]), np.array([[[1], [1]], [[1], [1]]])
    return float(model.train_on_batch(x, y))


def parts_of_tensors(tf):
    """Tensors cannot be split for validation."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.compile("sgd", "mse")
    x, y = tf.constant(_data(4, 3)), tf.constant(_data(4, 1))
    return says("you cannot use `validation_split`", model.fit, x, y, steps_per_epoch=1,
                validation_split=0.5, verbose=0)  # fmt: skip


def of_a_scalar(tf):
    """A layer computes the loss of the whole batch; what is fed as its target does not count."""
    layers, backend = tf.keras.layers, tf.keras.backend
    x, y = tf.keras.Input((3,), name="x"), tf.keras.Input((1,), name="y")
    made = layers.Dense(1, kernel_initializer="ones")(x)

    def difference(args):
        return backend.sum(backend.square(args[0] - args[1]))

    loss = layers.Lambda(difference, output_shape=(1,), name="difference")([made, y])
    model = tf.keras.Model([x, y], loss)
    model.compile(tf.keras.optimizers.SGD(0.01), {"difference": lambda y_true, y_pred: y_pred})
    values = np.cos(np.arange(12.0)).reshape(4, 3)
    data = ([values, values[:, :1]], np.zeros(4))
    history = model.fit(*data, batch_size=2, epochs=2, shuffle=False, verbose=0).history
    return [history, model.train_on_batch(*data), loss.shape.as_list()]


def of_other_ranks(tf):
    """The target of a loss that the program wrote may have another rank than the output."""
    layers, backend = tf.keras.layers, tf.keras.backend
    values = np.cos(np.arange(12.0)).reshape(4, 3)
    summed = tf.keras.Sequential([
        layers.Dense(2, input_shape=(3,), kernel_initializer="ones"),
        layers.Lambda(lambda x: backend.sum(backend.square(x), -1)),
    ])  # fmt: skip
    summed.compile("sgd", lambda y_true, y_pred: y_pred)
    shaped = tf.keras.Sequential([
        layers.Dense(2, input_shape=(3,), kernel_initializer="ones"), layers.Reshape((2, 1)),
    ])  # fmt: skip

    def of_rows(y_true, y_pred):
        rows = backend.reshape(y_true, backend.shape(y_pred)[:-1])
        return backend.square(rows - y_pred[..., 0])

    shaped.compile("sgd", of_rows)
    return [
        summed.train_on_batch(values, np.zeros(4)), shaped.train_on_batch(values, values[:, :2]),
        shaped.evaluate(values, values[:, :2], verbose=0),
    ]  # fmt: skip
