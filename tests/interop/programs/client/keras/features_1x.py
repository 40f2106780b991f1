# SPDX-License-Identifier: Apache-2.0
"""Models of Keras whose first layer is made of feature columns."""

import numpy as np

from interop.programs.client._outcomes import message

ONLY_1X = True

AGES = np.array([[23.0], [45.0], [31.0], [67.0]], "float32")
WORDS = np.array([["cat"], ["dog"], ["cat"], ["cow"]])
Y = np.array([[0.0], [1.0], [1.0], [0.0]], "float32")


def _columns(tf):
    columns = tf.feature_column
    words = columns.categorical_column_with_vocabulary_list("word", ["cat", "dog", "cow"])
    age = columns.numeric_column("age")
    crossed = columns.crossed_column(["word", "other"], 5)
    return [
        columns.embedding_column(words, 2, initializer=tf.ones_initializer()), age,
        columns.bucketized_column(age, [30, 50]), columns.indicator_column(words),
        columns.indicator_column(crossed),
    ]  # fmt: skip


def _inputs(tf):
    return {
        "word": tf.keras.Input((1,), dtype=tf.string, name="word"),
        "other": tf.keras.Input((1,), dtype=tf.string, name="other"),
        "age": tf.keras.Input((1,), name="age"),
    }


def functional(tf):
    keras = tf.keras
    inputs = _inputs(tf)
    layer = keras.layers.DenseFeatures(_columns(tf))
    hidden = layer(inputs)
    outputs = keras.layers.Dense(1, kernel_initializer="ones")(hidden)
    model = keras.Model(inputs=list(inputs.values()), outputs=outputs)
    model.compile(keras.optimizers.SGD(0.01), "mse")
    with keras.backend.get_session().as_default() as session:
        session.run(tf.tables_initializer())
    given = [WORDS, WORDS[::-1], AGES]
    losses = [float(model.train_on_batch(given, Y)) for _ in range(3)]
    return [
        hidden.shape.as_list(), layer.name, [v.name for v in layer.weights],
        [v.shape.as_list() for v in layer.weights], layer.get_weights(),
        np.round(losses, 3).tolist(), model.predict(given),
    ]  # fmt: skip


def of_tensors(tf):
    """Called with tensors, without inputs of Keras; two columns share one table."""
    columns = tf.feature_column
    first, second = (
        columns.categorical_column_with_identity(key, 4) for key in ("first", "second")
    )
    layer = tf.keras.layers.DenseFeatures([
        columns.numeric_column("x", shape=(2,)), columns.numeric_column("a"),
        columns.embedding_column(first, 2, initializer=tf.ones_initializer()),
    ])  # fmt: skip
    known = {}
    features = {
        "x": tf.constant([[1.0, 2.0], [3.0, 4.0]]), "a": tf.constant([[5.0], [6.0]]),
        "first": tf.constant([[1], [3]]), "second": tf.constant([[0], [0]]),
    }  # fmt: skip
    output = layer(features, cols_to_output_tensors=known)
    again = layer(features)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        values = session.run([output, again])
    return [
        values, sorted(column.name for column in known), len(layer.trainable_weights),
        "We expected a dictionary here" in message(layer, features["a"]),
    ]  # fmt: skip


def sequential_of_data_sets(tf):
    """The usual program: a data set of dicts, and no Input."""
    columns = tf.feature_column
    features = [
        columns.numeric_column("age"),
        columns.bucketized_column(columns.numeric_column("age"), [30, 50]),
    ]  # fmt: skip
    data = tf.data.Dataset.from_tensor_slices(({"age": AGES[:, 0]}, Y[:, 0])).batch(2)
    model = tf.keras.Sequential([
        tf.keras.layers.DenseFeatures(features),
        tf.keras.layers.Dense(1, kernel_initializer="ones", activation="sigmoid"),
    ])  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(0.01), "binary_crossentropy", metrics=["accuracy"])
    history = model.fit(data, epochs=2, verbose=0)
    return [
        {k: np.round(v, 4).tolist() for k, v in history.history.items()},
        np.round(model.evaluate(data, verbose=0), 4).tolist(), model.predict(data),
        [v.name for v in model.weights],
    ]  # fmt: skip
