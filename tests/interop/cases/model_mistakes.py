# SPDX-License-Identifier: Apache-2.0
"""Typical mistakes of users with lookup tables, layers and feature columns: see mistakes.py."""

import os
import tempfile

from interop.cases.mistakes import mistake, run


def _words(tf):
    first = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2], value_dtype=tf.int64)
    return tf.lookup.StaticHashTable(first, -1, name="words")


def _layers(tf):
    """The layers; later TensorFlows have them in Keras only."""
    try:
        return tf.layers
    except Exception as e:
        raise AttributeError(str(e)) from None


# ---- tables


@mistake("tables", "a table that was not initialised", "words_Lookup", line=True)
def table_not_initialised(tf):
    run(tf, _words(tf).lookup(tf.constant(["a"])))


@mistake("tables", "keys of another dtype", "string", "int32")
def table_keys(tf):
    _words(tf).lookup(tf.constant([1]))


@mistake("tables", "a default value of another dtype", "x", "int64")
def table_default(tf):
    first = tf.lookup.KeyValueTensorInitializer(["a"], [1], value_dtype=tf.int64)
    tf.lookup.StaticHashTable(first, "x")


@mistake("tables", "a vocabulary file that does not exist", "/none/words.txt", line=True)
def table_without_file(tf):
    index = tf.lookup.TextFileIndex
    first = tf.lookup.TextFileInitializer(
        "/none/words.txt", tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
    )
    table = tf.lookup.StaticHashTable(first, -1)
    run(tf, table.initializer)


@mistake("tables", "a column of a file that is not a number", "Field y", "line 0", line=True)
def table_of_words(tf):
    path = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(path, "w") as file:
        file.write("x y\n")
    first = tf.lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1, delimiter=" ")
    run(tf, tf.lookup.StaticHashTable(first, -1).initializer)


@mistake("tables", "two values of one key", "Key a", line=True, newer="no error")
def table_with_key_twice(tf):
    first = tf.lookup.KeyValueTensorInitializer(["a", "a"], [1, 2])
    run(tf, tf.lookup.StaticHashTable(first, -1).initializer)


@mistake("tables", "a vocabulary table without buckets", "num_oov_buckets")
def table_without_buckets(tf):
    tf.lookup.StaticVocabularyTable(None, 0)


# ---- layers


@mistake("layers", "a layer called twice by one name", "fc/kernel", newer="AttributeError")
def layer_name_twice(tf):
    x = tf.zeros([2, 3])
    for _ in range(2):
        _layers(tf).dense(x, 4, name="fc")


@mistake("layers", "images without channels", "conv2d", "ndim=4", newer="AttributeError")
def layer_of_wrong_rank(tf):
    _layers(tf).conv2d(tf.zeros([2, 28, 28]), 8, 3)


@mistake("layers", "an input of another size", "fc", "[2, 5]", newer="AttributeError")
def layer_of_other_size(tf):
    layer = _layers(tf).Dense(4, name="fc")
    layer(tf.zeros([2, 3]))
    layer(tf.zeros([2, 5]))


@mistake("layers", "a last dimension that is not known", "last dimension", newer="AttributeError")
def layer_of_unknown_size(tf):
    _layers(tf).dense(tf.placeholder(tf.float32, [None, None]), 4)


@mistake("layers", "integers for a dense layer", "int32", newer="AttributeError")
def layer_of_integers(tf):
    _layers(tf).dense(tf.constant([[1, 2]]), 4)


@mistake("layers", "padding that does not exist", "Received: full", newer="AttributeError")
def layer_padding(tf):
    _layers(tf).conv2d(tf.zeros([1, 8, 8, 3]), 8, 3, padding="FULL")


@mistake("layers", "variables that were not initialised", "dense/kernel", newer="AttributeError")
def layer_not_initialised(tf):
    run(tf, _layers(tf).dense(tf.zeros([2, 3]), 4))


# ---- feature columns


@mistake("feature columns", "a column of ids as an input", "word", "embedding_column")
def column_of_ids(tf):
    word = tf.feature_column.categorical_column_with_hash_bucket("word", 9)
    tf.feature_column.input_layer({"word": tf.constant([["a"]])}, [word])


@mistake("feature columns", "a feature that is not there", "price")
def column_without_feature(tf):
    price = tf.feature_column.numeric_column("price")
    tf.feature_column.input_layer({"prize": tf.constant([[1.0]])}, [price])


@mistake("feature columns", "batches of unequal size", "a", "b", "2", "3")
def column_batches(tf):
    columns = [tf.feature_column.numeric_column(k) for k in "ab"]
    tf.feature_column.input_layer({"a": tf.zeros([2, 1]), "b": tf.zeros([3, 1])}, columns)


@mistake("feature columns", "numbers for a column of words", "word", "string")
def column_of_numbers(tf):
    word = tf.feature_column.categorical_column_with_hash_bucket("word", 9)
    word = tf.feature_column.indicator_column(word)
    tf.feature_column.input_layer({"word": tf.constant([[1]])}, [word])


@mistake("feature columns", "an id out of range", "id", "2", line=True, newer="no error")
def column_out_of_range(tf):
    ids = tf.feature_column.categorical_column_with_identity("id", 2)
    ids = tf.feature_column.indicator_column(ids)
    x = tf.placeholder(tf.int64, [None, 1])
    run(tf, tf.feature_column.input_layer({"id": x}, [ids]), {x: [[2]]})


@mistake("feature columns", "boundaries out of order", "sorted")
def column_boundaries(tf):
    tf.feature_column.bucketized_column(tf.feature_column.numeric_column("x"), [3, 1])


# ---- connectionist temporal classification


@mistake("CTC", "dense labels for ctc_loss()", "SparseTensor")
def ctc_dense_labels(tf):
    tf.nn.ctc_loss(tf.constant([[1]]), tf.zeros([3, 1, 4]), [3])


@mistake("CTC", "more labels than steps", "CTCLoss", line=True)
def ctc_too_many_labels(tf):
    labels = tf.SparseTensor([[0, 0], [0, 1], [0, 2]], [0, 1, 0], [1, 3])
    run(tf, tf.nn.ctc_loss(labels, tf.zeros([2, 1, 4]), [2]))
