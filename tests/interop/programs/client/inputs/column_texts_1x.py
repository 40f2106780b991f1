# SPDX-License-Identifier: Apache-2.0
"""What feature columns say of arguments and features that are not possible."""

import re

from interop.programs.client._outcomes import message, says

ONLY_1X = True


def _text(call, *args, **kwargs):
    """The text of the error, without the classes of the columns that it shows."""
    return re.split(r" Given|, of type", message(call, *args, **kwargs))[0]


def numeric_columns(tf):
    make, ranges = tf.feature_column.numeric_column, tf.feature_column.bucketized_column
    price = make("price")
    return [
        message(make, "a", [0]), message(make, "a", [1.5]), message(make, "a", dtype=tf.string),
        message(make, "a", [2], [1.0]), message(make, "a", [2], ["x", "y"]),
        message(make, "a", normalizer_fn="x"), message(make, 3),
        _text(ranges, "price", [1]), _text(ranges, make("b", [1, 2]), [1]),
        message(ranges, price, []), message(ranges, price, [2, 1]), message(ranges, price, 3),
    ]  # fmt: skip


def categorical_columns(tf):
    column = tf.feature_column
    hashed, identity = (
        column.categorical_column_with_hash_bucket, column.categorical_column_with_identity
    )  # fmt: skip
    listed, file = (
        column.categorical_column_with_vocabulary_list,
        column.categorical_column_with_vocabulary_file,
    )
    return [
        message(hashed, "a", None), message(hashed, "a", 0), message(hashed, 3, 4),
        message(hashed, "a", 3, tf.float32), message(identity, "a", 0),
        message(identity, "a", 3, 3), message(listed, "a", []), message(listed, "a", ["x", "x"]),
        message(listed, "a", ["x"], tf.int32), message(listed, "a", ["x"], num_oov_buckets=-1),
        message(listed, "a", ["x"], default_value=0, num_oov_buckets=1),
        message(listed, "a", [1.5]), message(file, "a", ""), message(file, "a", "/none"),
        message(file, "a", "/none", 0), message(file, "a", "/none", 3, num_oov_buckets=-1),
        message(column.weighted_categorical_column, identity("a", 3), "w", tf.string),
    ]  # fmt: skip


def dense_columns(tf):
    column = tf.feature_column
    ids = column.categorical_column_with_identity("a", 3)
    more = column.categorical_column_with_identity("b", 4)
    hashed = column.categorical_column_with_hash_bucket("c", 4)
    embed, shared = column.embedding_column, column.shared_embedding_columns
    return [
        message(embed, ids, 0), message(embed, ids, None),
        message(embed, ids, 2, ckpt_to_load_from="x"),
        says("initializer must be callable if specified.", embed, ids, 2, initializer="x"),
        _text(shared, [ids, more], 2), _text(shared, [ids, hashed], 2),
        _text(column.crossed_column, ["a", "b"], 0), _text(column.crossed_column, ["a"], 3),
        _text(column.crossed_column, ["a", hashed], 3), _text(column.crossed_column, ["a", 3], 3),
    ]  # fmt: skip


def layers(tf):
    column = tf.feature_column
    price = column.numeric_column("price")
    ids = column.categorical_column_with_identity("a", 3)
    words = column.sequence_categorical_column_with_identity("s", 3)
    features = {
        "price": tf.constant([[1.0], [2.0]]), "a": tf.constant([[1]]), "x": tf.constant(1.0),
        "text": tf.constant([["t"]]), "s": tf.constant([[1]]),
    }  # fmt: skip
    layer, linear = column.input_layer, column.linear_model
    text = column.indicator_column(column.categorical_column_with_identity("text", 3))
    return [
        message(layer, features, []), message(layer, features, {"a": price}),
        says("Items of feature_columns must be a", layer, features, ["price"]),
        _text(layer, features, [ids]),
        message(layer, features, [column.numeric_column("none")]),
        _text(layer, features, [column.numeric_column("x")]),
        says("Duplicate feature column name found", linear, features, [price, price]),
        message(layer, features, [price, column.indicator_column(ids)]),
        message(layer, features, [text]),
        _text(layer, features, [column.indicator_column(words)]),
        _text(layer, features, [column.embedding_column(words, 2)]),
        says("All feature_columns must be", column.make_parse_example_spec, ["a"]),
        says("contain different parse_spec for key", column.make_parse_example_spec,
             [price, column.indicator_column(
                 column.categorical_column_with_identity("price", 3))]),
    ]  # fmt: skip


def ids_out_of_range(tf):
    found = []
    for value in (3, -1):
        ids = tf.feature_column.categorical_column_with_identity("a", 3)
        x = tf.feature_column.input_layer(
            {"a": tf.constant([[value]])}, [tf.feature_column.indicator_column(ids)]
        )
        with tf.Session() as session:
            text = "exceeds number of buckets" if value > 0 else "Negative bucket index"
            found.append(says(text, session.run, x))
    return found
