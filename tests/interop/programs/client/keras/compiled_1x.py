# SPDX-License-Identifier: Apache-2.0
"""What compile() fixes: the layers that are trained, the metrics; and data that is checked."""

import logging

import numpy as np

ONLY_1X = True

ONES = np.ones((10, 3), np.float32)


def _outcome(function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except Exception as error:
        return [type(error).__name__, str(error)]


def _logged(tf, steps):
    """The warnings that each step logs."""
    found = []

    class Kept(logging.Handler):
        def emit(self, record):
            found.append(record.getMessage())

    handler, logger = Kept(logging.WARNING), tf.get_logger()
    level = logger.level
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        of_steps = []
        for step in steps:
            del found[:]
            step()
            of_steps.append([text for text in found if "shuffle" not in text])
        return of_steps
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _two(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(3, input_shape=(3,)), layers.Dense(2)])
    model.compile("sgd", "mse")
    return model


def layers_fixed_after_compiling(tf):
    model, targets = _two(tf), np.zeros((10, 2))
    model.layers[0].trainable = False
    return _logged(
        tf,
        [
            lambda: model.fit(ONES, targets, verbose=0),
            lambda: model.fit(ONES, targets, verbose=0),
            lambda: model.train_on_batch(ONES, targets),
            lambda: model.compile("sgd", "mse"),
            lambda: model.train_on_batch(ONES, targets),
        ],
    )


def normalization_shared_by_two_models(tf):
    shared = tf.keras.layers.BatchNormalization()
    found, models = [], []
    for trainable in (False, True):
        given = tf.keras.Input((3,))
        models.append(tf.keras.Model(given, shared(given)))
        shared.trainable = trainable
        models[-1].compile("sgd", "mse")
    for model in models:
        before = model.predict_on_batch(ONES)
        model.train_on_batch(ONES, ONES)
        found.append(bool(np.any(before != model.predict_on_batch(ONES))))
    return found


def updates_of_fixed_layers(tf):
    class Counter(tf.keras.layers.Layer):
        def build(self, input_shape):
            self.count = self.add_weight("count", [], "int32", "zeros", trainable=False)

        def call(self, inputs):
            self.add_update(tf.assign_add(self.count, 1))
            return inputs

    layer, found = Counter(), []
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(3,)), layer])
    for trainable in (True, False):
        layer.trainable = trainable
        model.compile("sgd", "mse")
        model.train_on_batch(ONES, ONES)
        found += [int(tf.keras.backend.get_value(layer.count)), len(layer.get_updates_for(None))]
    return found


def variables_set_before_the_constructor(tf):
    class Early(tf.keras.layers.Layer):
        def __init__(self):
            self.scale = tf.Variable(2.0, use_resource=True)
            self.offset = tf.Variable(1.0, use_resource=True, trainable=False)
            super().__init__()

    layer = Early()
    return [len(layer.trainable_weights), len(layer.non_trainable_weights)]


def metrics_in_attributes(tf):
    class Measured(tf.keras.Model):
        def __init__(self, *names):
            super().__init__()
            self.dense = tf.keras.layers.Dense(3)
            self.first = tf.keras.metrics.Mean(name=names[0])
            self.last = tf.keras.metrics.Mean(name=names[1])

        def call(self, inputs):
            self.add_metric(self.last(inputs), name=self.last.name)
            self.add_metric(tf.reduce_sum(inputs), name=self.first.name, aggregation="mean")
            return self.dense(inputs)

    model = Measured("a", "b")
    model.compile("sgd", "mse")
    found = [model.train_on_batch(ONES, ONES)[1:], model.metrics_names]
    twice = Measured("a", "a")
    twice.compile("sgd", "mse")
    text = str(_outcome(twice.train_on_batch, ONES, ONES))
    return [*found, [metric.name for metric in model.metrics], "We found 2 metrics" in text]


def metrics_of_one_name(tf):
    given = tf.keras.Input((3,))
    dense = [tf.keras.layers.Dense(3, name=name)(given) for name in ("one", "two")]
    model = tf.keras.Model(given, dense)
    model.compile("sgd", "mse", metrics=["mae", "mae", "acc", "accuracy"])
    return [model.metrics_names, [metric.name for metric in model.metrics]]


def metrics_of_models_inside(tf):
    inner = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(3,))])
    inner.add_metric(tf.reduce_sum(inner.outputs[0]), name="inside", aggregation="mean")
    inner.compile("sgd", "mse", metrics=["mae"])
    given = tf.keras.Input((3,))
    outer = tf.keras.Model(given, inner(given))
    outer.compile("sgd", "mse", metrics=["acc"])
    return [outer.metrics_names, [metric.name for metric in outer.metrics]]


def tensors_as_inputs(tf):
    variable = tf.Variable(ONES)
    tf.keras.backend.get_session().run(variable.initializer)
    given = tf.keras.Input(tensor=variable)
    dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
    model = tf.keras.Model(given, dense(given))
    model.compile("sgd", "mse")
    targets = np.zeros((10, 2))
    trained = model.fit(None, targets, steps_per_epoch=3, verbose=0).history
    return [trained, model.evaluate(None, targets, steps=3, verbose=0), model.get_weights()]


def targets_that_are_tensors(tf):
    model = _two(tf)
    for layer in model.layers:
        layer.set_weights([np.ones_like(w) for w in layer.get_weights()])
    target = tf.keras.backend.variable(np.zeros((10, 2)))
    model.compile("sgd", "mse", target_tensors=[target])
    weighted = model.train_on_batch(ONES, None, sample_weight={"dense_1": np.arange(10.0)})
    found = _outcome(model.train_on_batch, ONES, np.zeros((10, 2)))
    return [weighted, found[0], "expected no data, but got" in found[1]]


def data_without_a_shape(tf):
    model, targets = _two(tf), np.zeros((10, 2))
    given = ([None], "text", 3.0, {1, 2})
    found = [_outcome(model.predict, value) for value in given]
    found += [_outcome(model.fit, value, targets) for value in given]
    found += [_outcome(model.fit, ONES, value) for value in given[1:]]
    return found + [_outcome(model.fit, ONES, targets, sample_weight="text")]


def data_tensors_without_steps(tf):
    model, tensor = _two(tf), tf.ones((10, 3))
    methods = (model.predict, lambda x: model.fit(x, x), lambda x: model.evaluate(x, x))
    return [_outcome(method, value) for method in methods for value in (tensor, [], None)]


def class_weights(tf):
    given = tf.keras.Input((3,))
    dense = tf.keras.layers.Dense(2, activation="softmax", kernel_initializer="ones")
    model = tf.keras.Model(given, dense(given))
    model.compile("sgd", "sparse_categorical_crossentropy")
    classes = np.array([0, 1] * 5)

    def trained(weights):
        return model.fit(ONES, classes, class_weight=weights, verbose=0, shuffle=False).history

    return [_outcome(trained, weights) for weights in ({0: 1.0, 1: 2.0}, {}, [1, 2], "text")]


def times_of_validation(tf):
    model, targets = _two(tf), np.zeros((10, 2))

    def losses(frequency):
        history = model.fit(ONES, targets, epochs=4, verbose=0, validation_data=(ONES, targets),
                            validation_freq=frequency).history  # fmt: skip
        return len(history["val_loss"])

    return [_outcome(losses, frequency) for frequency in (2, {1, 3}, (2,), 0, 1.5)]


def inputs_of_other_batches(tf):
    one, two = (tf.keras.Input((3,), batch_size=n) for n in (2, 3))
    joined = tf.keras.layers.Lambda(lambda tensors: tf.concat(tensors, 0))
    return _outcome(lambda: tf.keras.Model([one, two], joined([one, two])))


def data_that_ends_early(tf):
    model, targets = _two(tf), np.zeros((10, 2), np.float32)
    data = tf.data.Dataset.from_tensor_slices((ONES, targets)).batch(5)
    few = ((ONES, targets) for _ in range(2))
    return _logged(
        tf,
        [
            lambda: model.fit(data, steps_per_epoch=5, epochs=2, verbose=0),
            lambda: model.evaluate(data, steps=5, verbose=0),
            lambda: model.fit_generator(few, 5, verbose=0),
        ],
    )
