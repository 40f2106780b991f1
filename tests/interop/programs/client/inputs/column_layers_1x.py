# SPDX-License-Identifier: Apache-2.0
"""Feature columns in layers of Keras: one tensor of features, or of sequences of them."""

import numpy as np

from interop.programs.client._outcomes import outcome
from interop.programs.client.columns import _initializer, _ran

ONLY_1X = True


def _sequences(tf):
    """Features of three examples of 2, 1 and 0 steps."""
    places = [[0, 0], [0, 1], [1, 0]]
    return {
        "word": tf.SparseTensor(places, ["b", "c", "a"], [3, 2]),
        "id": tf.SparseTensor(places, [3, 1, 0], [3, 2]),
        "x": tf.SparseTensor(places, [1.5, 2.5, 3.5], [3, 2]),
        "pair": tf.SparseTensor([[0, i] for i in range(4)] + [[1, 0], [1, 1]],
                                [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 4]),
        "words": tf.SparseTensor([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]],
                                 ["a", "b", "x", "c"], [3, 2, 2]),
        "number": tf.SparseTensor(places, tf.constant([7, 8, 9], tf.int64), [3, 2]),
    }  # fmt: skip


def _names(variables):
    return [[v.name, v.shape.as_list(), v.trainable] for v in variables]


def sequence_features(tf):
    fc = tf.feature_column
    words = fc.sequence_categorical_column_with_vocabulary_list("word", ["a", "b", "c"])
    ids = fc.sequence_categorical_column_with_identity("id", 4)
    columns = [
        fc.sequence_numeric_column("x"),
        fc.embedding_column(words, 2, initializer=_initializer(tf)),
        fc.indicator_column(ids),
    ]
    layer = tf.keras.experimental.SequenceFeatures(columns)
    values, lengths = layer(_sequences(tf))
    again, _ = layer(_sequences(tf))
    return [
        _ran(tf, values, lengths, again), _names(layer.weights), _names(tf.global_variables()),
        [values.shape.as_list(), lengths.shape.as_list(), lengths.dtype.name],
        [values.op.name, lengths.op.name, layer.name],
    ]  # fmt: skip


def sequences_of_several_values(tf):
    fc = tf.feature_column
    words = fc.sequence_categorical_column_with_hash_bucket("words", 5)
    columns = [
        fc.sequence_numeric_column("pair", shape=2, default_value=-1.0),
        fc.embedding_column(words, 3, "sqrtn", initializer=_initializer(tf)),
        fc.indicator_column(fc.sequence_categorical_column_with_vocabulary_list(
            "word", ["b", "a"], num_oov_buckets=2)),
        fc.sequence_numeric_column("x", normalizer_fn=lambda x: x * 2.0),
        fc.sequence_numeric_column("number", default_value=0, dtype=tf.int64,
                                   normalizer_fn=lambda x: tf.cast(x, tf.float32)),
    ]  # fmt: skip
    layer = tf.keras.experimental.SequenceFeatures(columns, trainable=False, name="mine")
    values, lengths = layer(_sequences(tf))
    return [
        _ran(tf, values, lengths), _names(layer.weights), layer.trainable, layer.name,
        [c.name for c in columns],
    ]  # fmt: skip


def lengths_of_sequences(tf):
    fc = tf.feature_column
    columns = [fc.sequence_numeric_column("x"), fc.sequence_numeric_column("y")]
    features = {
        "x": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.5, 2.5, 3.5], [2, 2]),
        "y": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [1.5, 2.5, 3.5], [2, 2]),
    }
    values, lengths = tf.keras.experimental.SequenceFeatures(columns)(features)
    with tf.Session() as session:
        return outcome(session.run, [values, lengths])


def wrong_sequence_features(tf):
    fc = tf.feature_column
    ids = fc.categorical_column_with_identity("id", 4)
    sequence = fc.sequence_categorical_column_with_identity("id", 4)
    layer = tf.keras.experimental.SequenceFeatures
    indicator = fc.indicator_column(sequence)
    calls = [
        lambda: layer([fc.indicator_column(ids)])(_sequences(tf)),
        lambda: layer([sequence]), lambda: layer([fc.numeric_column("x")]), lambda: layer([]),
        lambda: layer([indicator, indicator]), lambda: layer([indicator])({}),
        lambda: layer([indicator])(tf.zeros([2, 3])),
        lambda: layer([indicator])({"id": tf.zeros([2, 3], tf.int64)}).__class__,
        lambda: layer(fc.sequence_numeric_column("x")),
        lambda: tf.keras.layers.DenseFeatures([indicator])(_sequences(tf)),
    ]  # fmt: skip
    return [outcome(call) for call in calls]


def shapes_of_sequence_features(tf):
    fc = tf.feature_column
    sequence = fc.sequence_categorical_column_with_identity("id", 4)
    layer = tf.keras.experimental.SequenceFeatures(
        [fc.indicator_column(sequence), fc.sequence_numeric_column("x", shape=2)])  # fmt: skip
    return [
        [tf.TensorShape(layer.compute_output_shape(s)).as_list() for s in ((3, None), (None, 4))],
        layer.stateful, sorted(layer.get_config()), layer.get_config()["name"],
    ]  # fmt: skip


def a_recurrent_model(tf):
    fc = tf.feature_column
    sequence = fc.sequence_categorical_column_with_identity("id", 4)
    columns = [fc.embedding_column(sequence, 2, initializer=_initializer(tf))]
    values, lengths = tf.keras.experimental.SequenceFeatures(columns)(_sequences(tf))
    mask = tf.sequence_mask(lengths)
    cell = tf.keras.layers.SimpleRNN(3, kernel_initializer="ones", recurrent_initializer="zeros")
    outputs = cell(values, mask=mask)
    loss = tf.reduce_sum(outputs)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [session.run([outputs, loss, train])[:2] for _ in range(3)]
        return [found, session.run(tf.trainable_variables()[0])]


def dense_features(tf):
    fc = tf.feature_column
    color = fc.categorical_column_with_vocabulary_list("color", ["red", "green", "blue"])
    price = fc.numeric_column("price")
    columns = [
        price, fc.bucketized_column(price, [0.5, 2.0]), fc.indicator_column(color),
        fc.embedding_column(color, 2, initializer=_initializer(tf)),
        fc.indicator_column(fc.crossed_column(["color", fc.bucketized_column(price, [1.0])], 3)),
    ]  # fmt: skip
    features = {"price": tf.constant([[1.5], [0.25], [3.0]]),
                "color": tf.constant([["red"], ["blue"], ["black"]])}  # fmt: skip
    layer = tf.keras.layers.DenseFeatures(columns)
    tensors = {}
    values = layer(features, cols_to_output_tensors=tensors)
    again = layer(features)
    config = layer.get_config()
    return [
        _ran(tf, values, again, [tensors[c] for c in columns]), _names(layer.weights),
        [values.op.name, again.op.name, values.shape.as_list()],
        str(layer.compute_output_shape((5, 1))), sorted(config),
        [c["class_name"] for c in config["feature_columns"]],
    ]  # fmt: skip


def dense_features_of_a_configuration(tf):
    fc = tf.feature_column
    color = fc.categorical_column_with_vocabulary_list("color", ["red", "green", "blue"])
    price = fc.numeric_column("price")
    columns = [
        price, fc.bucketized_column(price, [0.5, 2.0]), fc.indicator_column(color),
        fc.embedding_column(color, 2, initializer=tf.ones_initializer()),
    ]  # fmt: skip
    features = {"price": tf.constant([[1.5], [0.25]]), "color": tf.constant([["red"], ["blue"]])}
    layer = tf.keras.layers.DenseFeatures(columns, name="inputs")
    config = layer.get_config()
    again = tf.keras.layers.DenseFeatures.from_config({**config, "name": "again"})
    same = again.get_config()["feature_columns"] == config["feature_columns"]
    return [again.name, config, same, _ran(tf, layer(features), again(features))]


def configurations_of_columns(tf):
    fc = tf.feature_column

    def halved(x):
        return x / 2

    price = fc.numeric_column("price", 2, 1.5, tf.float64, halved)
    ids = fc.categorical_column_with_identity("i", 5, 2)
    columns = [
        price,
        fc.embedding_column(fc.categorical_column_with_hash_bucket("w", 5, tf.int64), 4),
        fc.indicator_column(fc.weighted_categorical_column(ids, "weights")),
        fc.indicator_column(
            fc.crossed_column(["color", fc.bucketized_column(fc.numeric_column("x"), [1.0])], 3, 7)
        ),
    ]
    layer = tf.keras.layers.DenseFeatures(columns)
    again = tf.keras.layers.DenseFeatures.from_config(layer.get_config(), {"halved": halved})
    sequences = tf.keras.experimental.SequenceFeatures(
        [
            fc.sequence_numeric_column("x", (2, 3)),
            fc.indicator_column(fc.sequence_categorical_column_with_identity("id", 4)),
        ]
    )
    return [
        layer.get_config(),
        again.get_config() == layer.get_config(),
        sequences.get_config(),
    ]


def wrong_dense_features(tf):
    fc = tf.feature_column
    color = fc.categorical_column_with_vocabulary_list("color", ["red", "green", "blue"])
    price = fc.numeric_column("price")
    layer = tf.keras.layers.DenseFeatures
    calls = [
        lambda: layer([color]), lambda: layer([]), lambda: layer([price, price]),
        lambda: layer([price])(tf.zeros([2, 1])), lambda: layer([price])({}),
        lambda: layer(["price"]), lambda: layer({"price": price}),
        lambda: layer([price])({"price": tf.zeros([2])}),
        lambda: layer([price, fc.numeric_column("y")])(
            {"price": tf.zeros([2, 1]), "y": tf.zeros([3, 1])}),
    ]  # fmt: skip
    return [outcome(call) for call in calls]


def a_model_of_features(tf):
    fc = tf.feature_column
    columns = [fc.numeric_column("a"), fc.numeric_column("b", shape=2)]
    model = tf.keras.Sequential([
        tf.keras.layers.DenseFeatures(columns),
        tf.keras.layers.Dense(1, kernel_initializer="ones"),
    ])  # fmt: skip
    model.compile("sgd", "mse")
    data = {"a": np.arange(4.0)[:, None], "b": np.arange(8.0).reshape(4, 2)}
    dataset = tf.data.Dataset.from_tensor_slices((data, np.ones([4, 1]))).batch(2)
    losses = model.fit(dataset, epochs=2, steps_per_epoch=2, verbose=0).history["loss"]
    return [np.array(losses), [w.name for w in model.weights], model.layers[0].name]


def parsing_of_sequences(tf):
    fc = tf.feature_column
    columns = [
        fc.sequence_numeric_column("x", shape=(2, 3), dtype=tf.float64),
        fc.indicator_column(fc.sequence_categorical_column_with_identity("id", 4, 3)),
        fc.embedding_column(fc.sequence_categorical_column_with_hash_bucket("h", 9, tf.int64), 2),
        fc.embedding_column(fc.sequence_categorical_column_with_vocabulary_list("v", [3, 4]), 2),
    ]
    return [
        [[c.name, sorted([k, type(v).__name__, v.dtype.name]
                         for k, v in c.parse_example_spec.items())] for c in columns],
        [outcome(fc.make_parse_example_spec, columns[i : i + 1]) for i in range(1, 4)],
    ]  # fmt: skip


def wrong_sequence_columns(tf):
    fc = tf.feature_column
    calls = [
        lambda: fc.sequence_numeric_column("x", shape=[0]),
        lambda: fc.sequence_numeric_column("x", shape=[2.0]),
        lambda: fc.sequence_numeric_column("x", dtype=tf.string),
        lambda: fc.sequence_numeric_column("x", normalizer_fn=3),
        lambda: fc.sequence_categorical_column_with_identity("x", 0),
        lambda: fc.sequence_categorical_column_with_identity("x", 3, 5),
        lambda: fc.sequence_categorical_column_with_hash_bucket("x", 0),
        lambda: fc.sequence_categorical_column_with_hash_bucket("x", 3, tf.float32),
        lambda: fc.sequence_categorical_column_with_vocabulary_list("x", []),
        lambda: fc.sequence_categorical_column_with_vocabulary_list("x", ["a", "a"]),
        lambda: fc.sequence_categorical_column_with_vocabulary_file("x", ""),
        lambda: fc.sequence_categorical_column_with_vocabulary_file("x", "/nowhere/at/all"),
    ]  # fmt: skip
    return [outcome(call) for call in calls]
