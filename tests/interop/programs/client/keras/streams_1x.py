# SPDX-License-Identifier: Apache-2.0
"""Models that are trained on data sets, generators and sequences before they know their inputs."""

import numpy as np

from interop.programs.client._outcomes import message, outcome, says

ONLY_1X = True


def _model(tf):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__(name="net")
            self.one = tf.keras.layers.Dense(3, "relu", kernel_initializer="ones")
            self.two = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, inputs):
            return self.two(self.one(inputs))

    model = Net()
    model.compile(tf.keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
    return model


def _batches():
    while True:
        x = np.linspace(-1, 1, 8).reshape(4, 2)
        yield x, x[:, :1]


def _history(model, data, **kwargs):
    history = model.fit(data, verbose=0, epochs=2, **kwargs).history
    return [[float(v) for v in history[key]] for key in sorted(history)]


def first_batches(tf):
    class Batches(tf.keras.utils.Sequence):
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return next(_batches())

    x, y = next(_batches())
    x, y = x.astype("float32"), y.astype("float32")
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
    late = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    late.compile(tf.keras.optimizers.SGD(0.01), "mse")
    return [
        _history(_model(tf), data),
        _history(_model(tf), data, validation_data=data),
        _history(_model(tf), _batches(), steps_per_epoch=2),
        _history(_model(tf), Batches()),
        _history(late, data),
        [float(v) for v in _model(tf).evaluate(data, verbose=0)],
        _model(tf).predict(Batches()),
    ]


def arguments_beside_streams(tf):
    """Streams have targets, weights and batches of their own."""
    model = _model(tf)
    x, y = next(_batches())
    data = tf.data.Dataset.from_tensor_slices((x.astype("float32"), y.astype("float32"))).batch(2)
    endless = data.repeat()

    def four():
        while True:
            yield x, y, y, y

    model.fit(x, y, verbose=0)
    return [
        outcome(lambda: model.fit(data, batch_size=2)),
        outcome(lambda: model.fit(data, y)),
        outcome(lambda: model.fit(data, sample_weight=np.ones(4))),
        outcome(lambda: model.fit(data, validation_split=0.5)),
        outcome(lambda: model.fit(_batches(), batch_size=2, steps_per_epoch=1)),
        outcome(lambda: model.fit(_batches(), y, steps_per_epoch=1)),
        outcome(lambda: model.fit(endless)),
        outcome(lambda: model.evaluate(endless)),
        outcome(lambda: model.predict(endless)),
        outcome(lambda: model.evaluate(data, batch_size=3)),
        outcome(lambda: model.fit(four(), steps_per_epoch=1)),
    ]


def tensors_as_data(tf):
    """Tensors give the batches of fit(), evaluate(), predict() and of single steps."""
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))]
    )
    model.compile(tf.keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
    x, y = (tf.constant(a, tf.float32) for a in next(_batches()))
    kept = tf.keras.backend.variable(np.ones((4, 2)))
    return [
        _history(model, x, y=y, steps_per_epoch=3, validation_data=(kept, y), validation_steps=2),
        [float(v) for v in model.evaluate(x, y, steps=2, verbose=0)],
        model.predict(kept, steps=2),
        [float(v) for v in model.train_on_batch(x, y)],
        [float(v) for v in model.test_on_batch(x, y)],
        model.predict_on_batch(x),
        outcome(lambda: model.fit(x, y)),
    ]


def weights_after_none(tf):
    """A step that measures with weights may follow one without them."""
    model = _model(tf)
    x, y = next(_batches())
    model.train_on_batch(x, y)
    return [
        [float(v) for v in model.test_on_batch(x, y)],
        [float(v) for v in model.test_on_batch(x, y, sample_weight=np.arange(4.0))],
        [float(v) for v in model.evaluate(x, y, sample_weight=np.arange(4.0), verbose=0)],
    ]


def training_that_ends_early(tf):
    """A loss that is not a number ends training, also where validation data are measured."""
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="one", input_shape=(2,))])
    model.compile(keras.optimizers.SGD(1.0), "mse")
    x, y = np.full((4, 2), 1e30), np.zeros((4, 1))
    history = model.fit(
        x, y, validation_data=(np.ones((4, 2)), y), epochs=5, verbose=0, batch_size=2,
        callbacks=[keras.callbacks.TerminateOnNaN()],
    ).history  # fmt: skip
    return [len(history["loss"]), sorted(history)]


def batches_of_data_sets(tf):
    """A data set in place of a batch: its first element counts."""
    x, y = np.ones((6, 3), np.float32), np.arange(6, dtype=np.float32).reshape(6, 1)
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,),
                                                       kernel_initializer="ones")])  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    found = [float(model.train_on_batch(data)) for _ in range(2)]
    found += [float(model.test_on_batch(data)), model.predict_on_batch(data)]
    return found, says("should not specify a target", model.train_on_batch, data, y)


def words_of_refused_streams(tf):
    """What is said of arguments beside generators."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.compile("sgd", "mse")

    def stream():
        while True:
            yield np.ones((2, 3)), np.ones((2, 1))

    return [
        message(model.fit, stream(), verbose=0), message(model.evaluate, stream(), verbose=0),
        message(model.fit, stream(), np.ones((2, 1)), steps_per_epoch=1, verbose=0),
        message(model.fit, stream(), sample_weight=np.ones(2), steps_per_epoch=1, verbose=0),
        message(model.fit, stream(), validation_split=0.5, steps_per_epoch=1, verbose=0),
        message(model.fit, stream(), validation_data=stream(), steps_per_epoch=1, verbose=0),
    ]  # fmt: skip


def classes_of_data_sets(tf):
    """The weights of classes have no effect on a data set."""
    x, y = np.ones((6, 3), np.float32), (np.arange(6) % 2).reshape(6, 1)
    data = tf.data.Dataset.from_tensor_slices((x, y.astype(np.float32))).batch(2)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,),
                                                       kernel_initializer="ones")])  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return model.fit(data, class_weight={0: 5.0}, verbose=0).history
