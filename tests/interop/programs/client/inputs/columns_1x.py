# SPDX-License-Identifier: Apache-2.0
"""Feature columns of sequences, which 1.x's contrib turns into tensors."""

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome
from interop.programs.client.columns import _initializer, _ran

ONLY_1X = True


def sequences(tf):
    fc, own = tf.feature_column, contrib_of(tf).feature_column
    words = own.sequence_categorical_column_with_vocabulary_list("word", ["a", "b", "c"])
    ids = own.sequence_categorical_column_with_identity("id", 4)
    columns = [
        fc.embedding_column(words, 2, initializer=_initializer(tf)),
        fc.indicator_column(ids),
        own.sequence_numeric_column("x"),
    ]
    features = {
        "word": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["b", "c", "a"], [3, 2]),
        "id": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [3, 1, 0], [3, 2]),
        "x": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.5, 2.5, 3.5], [3, 2]),
    }
    values, lengths = own.sequence_input_layer(features, columns)
    names = [v.name for v in tf.global_variables()]
    return [_ran(tf, values, lengths), names, [c.name for c in columns]]


def sequences_of_pairs(tf):
    own = contrib_of(tf).feature_column
    column = own.sequence_numeric_column("x", shape=2, default_value=-1.0)
    features = {"x": tf.SparseTensor([[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1]],
                                     [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 4])}  # fmt: skip
    return _ran(tf, *own.sequence_input_layer(features, [column]))


def wrong_sequences(tf):
    fc, own = tf.feature_column, contrib_of(tf).feature_column
    ids = fc.categorical_column_with_identity("id", 4)
    features = {"id": tf.SparseTensor([[0, 0]], [3], [1, 1])}
    sequence = own.sequence_categorical_column_with_identity("id", 4)
    calls = [
        lambda: own.sequence_input_layer(features, [fc.indicator_column(ids)]),
        lambda: fc.input_layer(features, [fc.indicator_column(sequence)]),
        lambda: own.sequence_numeric_column("x", dtype=tf.string),
        lambda: own.sequence_numeric_column("x", shape=0),
        lambda: own.sequence_categorical_column_with_identity("x", 0),
    ]
    return [outcome(call) for call in calls]


def ids_out_of_range(tf):
    fc = tf.feature_column
    column = fc.indicator_column(fc.categorical_column_with_identity("x", 3))
    x = tf.placeholder(tf.int64, [None, 1])
    y = fc.input_layer({"x": x}, [column])
    found = []
    with tf.Session() as sess:
        for value in (2, 3, -2):
            found.append(outcome(sess.run, y, {x: [[value]]}))
    return found
