# SPDX-License-Identifier: Apache-2.0
"""Models of Keras: training of the same data from the same seeds, and what models say of
themselves."""

import json

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _classes(count, kinds):
    return (np.arange(count) * 7) % kinds


def _fitted(tf, model, x, y, **kwargs):
    """Losses and metrics of each epoch, then what the model predicts."""
    np.random.seed(1)
    history = model.fit(x, y, verbose=0, **kwargs).history
    return [history, model.predict(x), model.get_weights(), model.metrics_names]


def sequential(tf):
    tf.set_random_seed(1)
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(8, activation="relu", input_shape=(4,))])
    model.add(layers.Dropout(0.3))
    model.add(layers.Dense(3, activation="softmax"))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    found = _fitted(tf, model, _data(20, 4), _classes(20, 3), batch_size=6, epochs=4)
    names = [v.name for v in model.weights], [v.name for v in model.optimizer.weights]
    return [found, names, model.evaluate(_data(20, 4), _classes(20, 3), verbose=0)]


def functional(tf):
    tf.set_random_seed(2)
    layers = tf.keras.layers
    a, b = layers.Input((4,), name="a"), layers.Input((3,), name="b")
    hidden = layers.concatenate([layers.Dense(5, activation="tanh")(a), b])
    first = layers.Dense(2, name="first")(hidden)
    second = layers.Dense(1, activation="sigmoid", name="second")(hidden)
    model = tf.keras.Model([a, b], [first, second])
    model.compile(
        tf.keras.optimizers.SGD(0.1, momentum=0.9), {"first": "mse", "second":
        "binary_crossentropy"}, {"first": ["mae"], "second": ["acc"]}, [1.0, 0.5],
    )  # fmt: skip
    x = {"a": _data(12, 4), "b": _data(12, 3)}
    y = [_data(12, 2), _classes(12, 2).astype(np.float32)]
    found = _fitted(tf, model, x, y, batch_size=5, epochs=3)
    nodes = {n.name for n in tf.get_default_graph().as_graph_def().node}
    known = """
        first_target loss/first_loss/value metrics/first_mean_absolute_error/Identity
        training/SGD/dense/kernel/momentum training/SGD/iter training/SGD/learning_rate
    """.split()
    kept = [n for n in known if n in nodes]
    return [found, kept, [layer.name for layer in model.layers], model.input_names]


def subclassed(tf):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__(name="net")
            self.hidden = tf.keras.layers.Dense(6, activation="relu")
            self.last = [tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(2)]

        def call(self, inputs, training=None):
            x = self.hidden(inputs)
            return self.last[1](self.last[0](x, training=training))

    tf.set_random_seed(3)
    model = Net()
    model.compile("rmsprop", "mse")
    found = _fitted(tf, model, _data(10, 3), _data(10, 2), epochs=3, batch_size=4)
    return [found, [v.name for v in model.weights], [x.name for x in model.layers]]


def deferred(tf):
    """The data say the shape of the input."""
    tf.set_random_seed(4)
    model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mae")
    found = _fitted(tf, model, _data(8, 4), _data(8), epochs=2)
    return [found, [v.name for v in model.weights], model.output_names]


def convolutional(tf):
    """A small net for digits, with batch normalisation and dropout."""
    tf.set_random_seed(5)
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Conv2D(4, 3, activation="relu", input_shape=(12, 12, 1)),
        layers.BatchNormalization(), layers.MaxPooling2D(), layers.Dropout(0.25),
        layers.Conv2D(6, 3, use_bias=False), layers.BatchNormalization(), layers.ReLU(),
        layers.GlobalAveragePooling2D(), layers.Dense(5, activation="softmax"),
    ])  # fmt: skip
    model.compile("adam", "categorical_crossentropy", metrics=["acc"])
    y = np.eye(5, dtype=np.float32)[_classes(16, 5)]
    return _fitted(tf, model, _data(16, 12, 12, 1), y, batch_size=8, epochs=3)


def residual(tf):
    """Blocks whose inputs are added to their outputs."""
    tf.set_random_seed(6)
    layers = tf.keras.layers

    def block(x, filters, strides):
        short = x
        if strides > 1:
            short = layers.Conv2D(filters, 1, strides=strides, kernel_regularizer="l2")(x)
        for step in (strides, 1):
            x = layers.Conv2D(
                filters, 3, strides=step, padding="same", kernel_initializer="he_normal",
                kernel_regularizer=tf.keras.regularizers.l2(1e-3),
            )(x)  # fmt: skip
            x = layers.BatchNormalization()(x)
            x = layers.Activation("relu")(x) if step == strides else x
        return layers.Activation("relu")(layers.add([x, short]))

    inputs = layers.Input((8, 8, 3))
    x = block(block(inputs, 3, 1), 5, 2)
    outputs = layers.Dense(4, activation="softmax")(layers.Flatten()(layers.AveragePooling2D(4)(x)))
    model = tf.keras.Model(inputs, outputs)
    model.compile(tf.keras.optimizers.SGD(0.05), "sparse_categorical_crossentropy", ["accuracy"])
    return _fitted(tf, model, _data(12, 8, 8, 3), _classes(12, 4), batch_size=6, epochs=2)


def optimizers(tf):
    made = [
        lambda o: o.SGD(0.1), lambda o: o.SGD(0.1, 0.9, nesterov=True, decay=0.1),
        lambda o: o.RMSprop(0.01), lambda o: o.RMSprop(0.01, momentum=0.5, centered=True),
        lambda o: o.RMSprop(0.01, centered=True), lambda o: o.Adagrad(0.1),
        lambda o: o.Adadelta(1.0), lambda o: o.Adam(0.01), lambda o: o.Adam(0.01, amsgrad=True),
        lambda o: o.Adamax(0.01), lambda o: o.Nadam(0.01), lambda o: o.Ftrl(0.1),
        lambda o: o.Ftrl(0.1, l1_regularization_strength=0.01),
        lambda o: o.SGD(0.1, clipnorm=0.1), lambda o: o.SGD(0.1, clipvalue=0.01),
        lambda o: o.SGD(o.schedules.ExponentialDecay(0.1, 2, 0.5)), lambda o: "adadelta",
    ]  # fmt: skip
    found = []
    for make in made:
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
            optimizer = make(tf.keras.optimizers)
            model.compile(optimizer, "mse")
            history = model.fit(_data(9, 4), _data(9, 3), 3, 3, verbose=0, shuffle=False).history
            config = model.optimizer.get_config()
            names = sorted(v.name for v in model.optimizer.weights)
            config = {k: v for k, v in config.items() if k != "learning_rate"}
            found.append([history, model.get_weights(), names, sorted(config)])
    return found


def embeddings_trained(tf):
    """Gradients of rows that are looked up."""
    found = []
    for name in ("sgd", "adam", "adagrad", "rmsprop", "adadelta"):
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            layers = tf.keras.layers
            model = tf.keras.Sequential([
                layers.Embedding(12, 3, input_length=4), layers.Flatten(), layers.Dense(1),
            ])  # fmt: skip
            optimizer = tf.keras.optimizers.SGD(0.1, 0.9) if name == "sgd" else name
            model.compile(optimizer, "mse")
            x = np.arange(24).reshape(6, 4) % 9
            found.append(_fitted(tf, model, x, _data(6), epochs=2, batch_size=3))
    return found


def losses(tf):
    names = """
        mean_squared_error mae mape msle squared_hinge hinge categorical_hinge logcosh kld poisson
        cosine_similarity binary_crossentropy categorical_crossentropy
    """.split()
    y_true = tf.constant(np.abs(_data(4, 3)))
    y_pred = tf.constant(np.abs(_data(4, 3) * 0.7 + 0.1))
    found = {name: tf.keras.losses.get(name)(y_true, y_pred) for name in names}
    kinds = """
        BinaryCrossentropy CategoricalCrossentropy CategoricalHinge CosineSimilarity Hinge Huber
        KLDivergence LogCosh MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError
        MeanSquaredLogarithmicError Poisson SquaredHinge
    """.split()
    weights = tf.constant([1.0, 2.0, 0.0, 1.0])
    for kind in kinds:
        loss = getattr(tf.keras.losses, kind)()
        found[kind] = loss(y_true, y_pred)
        found[kind + " weighted"] = loss(y_true, y_pred, sample_weight=weights)
        found[kind + " sum"] = getattr(tf.keras.losses, kind)(reduction="sum")(y_true, y_pred)
    smooth = tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)
    found["smooth"] = smooth(y_true, y_pred)
    sparse = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    found["sparse"] = sparse(tf.constant([0, 2, 1, 1]), y_pred)
    with tf.Session() as sess:
        values = sess.run(found)
    return [values, [tf.keras.losses.get(k).get_config() for k in kinds]]


def metrics(tf):
    keras = tf.keras
    labels, sparse = np.eye(4)[[0, 2, 1, 3, 2, 0]], [0, 2, 1, 3, 2, 0]
    made = [
        keras.metrics.Mean(), keras.metrics.Sum(), keras.metrics.BinaryAccuracy(threshold=0.3),
        keras.metrics.CategoricalAccuracy(), keras.metrics.SparseCategoricalAccuracy(),
        keras.metrics.TopKCategoricalAccuracy(k=2), keras.metrics.MeanSquaredError(),
        keras.metrics.RootMeanSquaredError(), keras.metrics.KLDivergence(),
        keras.metrics.CosineSimilarity(), keras.metrics.Hinge(), keras.metrics.LogCoshError(),
    ]  # fmt: skip
    results = []
    guesses = tf.constant(np.abs(_data(6, 4)))
    for metric in made:
        if type(metric).__name__ in ("Mean", "Sum"):
            results.append(metric(guesses))
        elif "Sparse" in type(metric).__name__:
            results.append(metric(tf.constant(sparse), guesses))
        else:
            weights = tf.constant([1.0, 2.0, 1.0, 0.0, 1.0, 3.0])
            results.append(metric(tf.constant(labels), guesses, sample_weight=weights))
    found = []
    with tf.Session() as sess:
        for metric in made:
            sess.run([v.initializer for v in metric.variables])
        for _ in range(2):
            found.append(sess.run(results))
    return [found, [m.name for m in made], [[v.name for v in m.variables] for m in made]]


def weights_and_validation(tf):
    """Weights of examples and of classes, validation, what batches return."""
    tf.set_random_seed(1)
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(3, activation="softmax", input_shape=(4,))])
    model.compile("sgd", "sparse_categorical_crossentropy", ["acc"], weighted_metrics=["acc"])
    x, y = _data(15, 4), _classes(15, 3)
    found = [
        model.fit(x, y, 4, 2, verbose=0, shuffle=False, validation_split=0.2).history,
        model.fit(x, y, 4, 2, verbose=0, shuffle=False, class_weight={0: 1.0, 1: 2.0, 2: 0.5},
                  validation_data=(x[:5], y[:5])).history,
        model.fit(x, y, 4, 3, verbose=0, shuffle=False, sample_weight=np.arange(15.0),
                  initial_epoch=1, validation_data=(x, y, np.ones(15)), validation_freq=2).history,
        model.train_on_batch(x, y, sample_weight=np.arange(15.0)),
        model.train_on_batch(x, y, class_weight={0: 1.0, 1: 0.0, 2: 1.0}),
        model.test_on_batch(x, y), model.predict_on_batch(x),
        model.evaluate(x, y, sample_weight=np.arange(15.0), verbose=0, batch_size=6),
    ]  # fmt: skip
    return [found, model.metrics_names]


def steps_and_generators(tf):
    tf.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse", ["mae"])

    def batches():
        while True:
            for size in (4, 2, 5):
                yield _data(size, 3), _data(size, 2)

    class Batches(tf.keras.utils.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return _data(index + 2, 3), _data(index + 2, 2)

    data_set = tf.data.Dataset.from_tensor_slices((_data(6, 3), _data(6, 2))).batch(2)
    found = [
        model.fit_generator(batches(), 3, 2, verbose=0).history,
        model.fit_generator(Batches(), epochs=2, verbose=0, shuffle=False,
                            validation_data=Batches()).history,
        model.fit(data_set.repeat(), epochs=2, steps_per_epoch=3, verbose=0,
                  validation_data=data_set, validation_steps=2).history,
        model.evaluate_generator(batches(), 3), model.evaluate(data_set, steps=3, verbose=0),
        model.predict_generator(Batches(), 3), model.predict(data_set, steps=3),
    ]  # fmt: skip
    return found


def callbacks(tf):
    tf.set_random_seed(1)
    keras, seen = tf.keras, []

    class Said(keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            seen.append(["begin", self.params["epochs"], self.params["samples"]])

        def on_batch_end(self, batch, logs=None):
            seen.append([batch, sorted(logs), int(logs["size"])])

        def on_epoch_end(self, epoch, logs=None):
            seen.append([epoch, sorted(logs)])

    model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    model.compile(keras.optimizers.SGD(0.5), "mse")
    x, y = _data(8, 3), _data(8, 2)
    more = {"verbose": 0, "batch_size": 4, "shuffle": False}
    found = [
        model.fit(x, y, epochs=2, callbacks=[Said()], **more).history,
        model.fit(x, y, epochs=8, callbacks=[keras.callbacks.EarlyStopping(
            "loss", min_delta=0.2, patience=1, restore_best_weights=True)], **more).history,
        model.fit(x, y, epochs=3, callbacks=[
            keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1))
        ], **more).history,
        model.fit(x, y, epochs=4, callbacks=[keras.callbacks.ReduceLROnPlateau(
            "loss", 0.5, patience=1, min_delta=1.0)], **more).history,
        model.fit(x * np.nan, y, epochs=3, callbacks=[keras.callbacks.TerminateOnNaN()],
                  **more).epoch,
    ]  # fmt: skip
    return [found, seen]


def configurations(tf):
    """What a model says of itself, and equal models made of that."""
    layers = tf.keras.layers
    x = layers.Input((4,))
    inner = tf.keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.ReLU()], name="inner")
    shared = layers.Dense(3, kernel_regularizer="l2", name="shared")
    y = layers.add([inner(x), shared(x)])
    model = tf.keras.Model(x, [y, layers.Dropout(0.5)(shared(x))], name="outer")
    again = tf.keras.models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    lines = []
    model.summary(print_fn=lines.append)
    inner.summary(print_fn=lines.append)
    return [
        json.loads(model.to_json()), json.loads(again.to_json()), lines,
        np.asarray(again.predict(_data(3, 4))) - np.asarray(model.predict(_data(3, 4))),
        model.count_params(), [layer.name for layer in again.layers],
    ]  # fmt: skip


def frozen_and_shared(tf):
    """Layers that are not trained, and one layer in two models."""
    tf.set_random_seed(1)
    layers = tf.keras.layers
    base = tf.keras.Sequential([layers.Dense(3, activation="relu", input_shape=(4,), name="base")])
    base.trainable = False
    model = tf.keras.Sequential([base, layers.Dense(2, name="head")])
    model.compile("sgd", "mse")
    before = base.get_weights()
    found = _fitted(tf, model, _data(6, 4), _data(6, 2), epochs=2)
    same = [bool(np.array_equal(a, b)) for a, b in zip(before, base.get_weights())]
    return [
        found, same, [v.name for v in model.trainable_weights],
        [v.name for v in model.non_trainable_weights], model.get_layer("head").count_params(),
    ]  # fmt: skip


def mistakes(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,))])
    return [
        outcome(lambda: model.fit(_data(4, 3), _data(4, 2))),
        outcome(lambda: model.compile("no such", "mse")),
        outcome(lambda: model.compile("sgd", {"other": "mse"})),
        outcome(lambda: model.compile("sgd", "mse")),
        outcome(lambda: model.fit(_data(4, 4), _data(4, 2), verbose=0)),
        outcome(lambda: model.predict(_data(4, 3, 1))),
        outcome(lambda: model.get_layer("other")),
        outcome(lambda: model.set_weights([_data(3, 3)])),
        outcome(lambda: model.add("layer")),
        outcome(lambda: tf.keras.optimizers.SGD(0.1, unknown=1)),
        outcome(lambda: tf.keras.optimizers.SGD(0.1, momentum=2.0)),
    ]


def as_scikit_learn_estimators(tf):
    """Models with the methods of scikit-learn's estimators."""
    layers, wrappers = tf.keras.layers, tf.keras.wrappers.scikit_learn

    def build(units=3, loss="sparse_categorical_crossentropy", activation="softmax"):
        kernel = tf.keras.initializers.glorot_uniform(seed=1)
        dense = layers.Dense(units, activation, kernel_initializer=kernel, input_shape=(4,))
        model = tf.keras.Sequential([dense])
        model.compile("sgd", loss, metrics=["accuracy"])
        return model

    x, kinds = _data(9, 4), np.array([3, 5, 8] * 3)
    more = {"epochs": 2, "verbose": 0, "shuffle": False}
    found = []
    for loss in ("sparse_categorical_crossentropy", "categorical_crossentropy"):
        three = wrappers.KerasClassifier(build, loss=loss, **more)
        found.append([three.fit(x, kinds).history, three.classes_, three.predict(x)])
        found.append([three.predict_proba(x), three.score(x, kinds, verbose=0)])
    two = wrappers.KerasClassifier(
        build, units=1, loss="binary_crossentropy", activation="sigmoid", **more
    )
    found.append([two.fit(x, kinds > 4).history, two.predict(x), two.predict_proba(x)])
    number = wrappers.KerasRegressor(build, units=1, loss="mse", activation="linear", **more)
    found.append([number.fit(x, x[:, 0], batch_size=4).history, number.predict(x)])
    found.append([number.score(x, x[:, 0], verbose=0), sorted(number.get_params())])
    found.append(outcome(lambda: number.set_params(unit=2)))
    return [*found, outcome(lambda: two.fit(x, _data(9, 1, 1)))]
