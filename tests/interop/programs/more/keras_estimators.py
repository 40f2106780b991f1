# SPDX-License-Identifier: Apache-2.0
"""Models of Keras as estimators, copies of models, variables of metrics."""

import numpy as np

ONLY_1X = True
X = np.linspace(-1, 1, 64 * 4).reshape(64, 4).astype(np.float32)
Y = (X[:, :1] * 2 + X[:, 1:2] > 0).astype(np.float32)
WEIGHTS = [
    np.linspace(-1, 1, 20).reshape(4, 5), np.zeros(5), np.linspace(1, -1, 5).reshape(5, 1),
    np.zeros(1),
]  # fmt: skip


def _evaluated(estimator, input_fn):
    found = estimator.evaluate(input_fn)
    return [(key, float(found[key])) for key in sorted(found)]


def a_model_as_an_estimator(tf):
    keras = tf.keras
    hidden = keras.layers.Dense(5, activation="tanh", input_shape=(4,), name="a")
    model = keras.Sequential([hidden, keras.layers.Dense(1, activation="sigmoid", name="b")])
    model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", ["accuracy"])
    model.set_weights(WEIGHTS)
    estimator = keras.estimator.model_to_estimator(model)

    def given():
        return tf.data.Dataset.from_tensor_slices(({model.input_names[0]: X}, Y)).batch(16)

    first = _evaluated(estimator.train(given), given)
    predictions = [p["b"] for p, _ in zip(estimator.predict(given), range(3))]
    estimator.train(given, steps=3)
    return [first, predictions, sorted(estimator.get_variable_names()),
            _evaluated(estimator, given)]  # fmt: skip


def checkpoints_by_objects(tf):
    keras = tf.keras
    hidden = keras.layers.Dense(5, activation="tanh", input_shape=(4,), name="a")
    model = keras.Sequential([hidden, keras.layers.Dense(1, name="b")])
    model.compile(keras.optimizers.Adam(0.05), "mse", ["mae"])
    model.set_weights(WEIGHTS)
    estimator = keras.estimator.model_to_estimator(model, checkpoint_format="checkpoint")

    def given():
        return tf.data.Dataset.from_tensor_slices(({model.input_names[0]: X}, Y)).batch(16)

    found = [_evaluated(estimator.train(given), given), sorted(estimator.get_variable_names())]
    estimator.train(given, steps=3)
    found += [_evaluated(estimator, given), next(estimator.predict(given))["b"]]
    model.load_weights(estimator.latest_checkpoint())
    found.append([float(v) for v in model.evaluate(X, Y, 16, verbose=0)])
    try:
        keras.estimator.model_to_estimator(model, checkpoint_format="other")
    except ValueError as error:
        found.append(str(error))
    return found


def a_model_of_two_inputs(tf):
    keras = tf.keras
    p, q = keras.Input((2,), name="p"), keras.Input((2,), name="q")
    hidden = keras.layers.BatchNormalization()(keras.layers.concatenate([p, q]))
    outputs = keras.layers.Dense(1, name="o", kernel_initializer="ones")(hidden)
    model = keras.Model([p, q], outputs)
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse", ["mae"])
    estimator = keras.estimator.model_to_estimator(keras_model=model)

    def given():
        features = {"p": X[:, :2], "q": X[:, 2:]}
        return tf.data.Dataset.from_tensor_slices((features, {"o": Y})).batch(16)

    spec = tf.estimator.TrainSpec(given, max_steps=4)
    tf.estimator.train_and_evaluate(estimator, spec, tf.estimator.EvalSpec(given))
    return [_evaluated(estimator, given), sorted(estimator.get_variable_names())]


def models_that_are_no_estimators(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    texts = []
    for given in ({}, {"keras_model": model}, {"keras_model": model, "keras_model_path": "x"}):
        try:
            tf.keras.estimator.model_to_estimator(**given)
        except ValueError as error:
            texts.append(str(error))
    return texts


def copies_of_models(tf):
    p, q = tf.keras.Input((2,), name="p"), tf.keras.Input((3,), name="q")
    model = tf.keras.Model([p, q], tf.keras.layers.concatenate([p, q]))
    copy = tf.keras.models.clone_model(model)
    fed = tf.keras.models.clone_model(model, [tf.ones([2, 2]), tf.zeros([2, 3])])
    layer = model.layers[0]
    return [
        copy.output_shape, [layer.name for layer in copy.layers],
        [layer.name for layer in fed.layers], fed.output.shape.as_list(),
        layer.input is layer.output, layer.get_output_at(0) is layer.output,
    ]  # fmt: skip


def variables_of_metrics(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile("sgd", "mse", ["mae"])
    tf.keras.metrics.Mean()(1.0)
    return [[v.name for v in tf.global_variables()], len(tf.local_variables())]


def a_model_that_was_trained(tf):
    """Its optimizer has variables already, in another graph than the estimator's."""
    keras = tf.keras
    hidden = keras.layers.Dense(5, activation="tanh", input_shape=(4,), name="a")
    model = keras.Sequential([hidden, keras.layers.Dense(1, activation="sigmoid", name="b")])
    model.compile("rmsprop", "binary_crossentropy", ["accuracy"])
    model.set_weights(WEIGHTS)
    model.fit(X, Y, 16, 2, 0, shuffle=False)
    keras.backend.set_value(model.optimizer.lr, 0.02)
    estimator = keras.estimator.model_to_estimator(model)

    def given():
        return tf.data.Dataset.from_tensor_slices(({model.input_names[0]: X}, Y)).batch(16)

    estimator.train(given, steps=2)
    return [_evaluated(estimator, given), [p["b"] for p in estimator.predict(given)][:3]]
