# SPDX-License-Identifier: Apache-2.0
"""Feature columns: input layers, linear models, variables, parsing, sequences, mistakes."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome


def _initializer(tf):
    def initial(shape, dtype=None, partition_info=None):
        size = int(np.prod([int(d) for d in shape]))
        return tf.constant(np.sin(np.arange(size)).reshape(shape).astype(np.float32))

    return initial


def _ran(tf, *found, feed=None):
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return sess.run(list(found), feed)


def _features(tf):
    """Features as programs parse them."""
    return {
        "price": tf.constant([[1.5], [3.0], [0.25]]),
        "size": tf.constant([[1, 2], [3, 4], [5, 6]]),
        "word": tf.SparseTensor(
            [[0, 0], [0, 1], [2, 0]], ["lake", "king", "emerson"], [3, 2]
        ),
        "id": tf.constant([[1], [0], [3]], tf.int64),
        "ids": tf.SparseTensor([[0, 0], [1, 0], [1, 1], [1, 2]], [4, 0, 4, 2], [3, 3]),
        "weights": tf.SparseTensor(
            [[0, 0], [1, 0], [1, 1], [1, 2]], [0.5, 1.0, 2.0, 3.0], [3, 3]
        ),
        "color": tf.constant(["red", "blue", ""]),
    }  # fmt: skip


def _columns(tf, path=None):
    fc = tf.feature_column
    price = fc.numeric_column("price")
    colors = fc.categorical_column_with_vocabulary_list("color", ["red", "green", "blue"])
    words = fc.categorical_column_with_hash_bucket("word", 7)
    ids = fc.categorical_column_with_identity("ids", 5)
    ranges = fc.bucketized_column(price, [0.5, 2.0, 5.0])
    found = {
        "price": price,
        "size": fc.numeric_column("size", 2, dtype=tf.int32, normalizer_fn=lambda x: x * 2),
        "ranges": ranges,
        "colors": colors,
        "words": words,
        "id": fc.categorical_column_with_identity("id", 3, default_value=2),
        "ids": ids,
        "weighted": fc.weighted_categorical_column(ids, "weights"),
        "crossed": fc.crossed_column(["color", "word"], 11),
        "crosses": fc.crossed_column([ranges, colors], 13, hash_key=5),
    }
    found["nested"] = fc.crossed_column([found["crossed"], found["id"]], 17)
    if path is not None:
        found["file"] = fc.categorical_column_with_vocabulary_file("word", path, num_oov_buckets=2)
    return found


def numbers_and_ranges(tf):
    columns, features = _columns(tf), _features(tf)
    by_column = {}
    chosen = [columns[k] for k in ("size", "price", "ranges")]
    x = tf.feature_column.input_layer(features, chosen, cols_to_output_tensors=by_column)
    names = sorted([c.name, y.shape.as_list()] for c, y in by_column.items())
    return [_ran(tf, x), x.shape.as_list(), names, x.op.name]


def indicators(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words")
        with open(path, "w") as file:
            file.write("emerson\nlake\npalmer\n")
        columns, features = _columns(tf, path), _features(tf)
        found = []
        for key in ("colors", "words", "id", "ids", "weighted", "crossed", "crosses", "nested",
                    "file"):  # fmt: skip
            column = tf.feature_column.indicator_column(columns[key])
            x = tf.feature_column.input_layer(features, [column])
            found += [column.name, x.shape.as_list()[1:], _ran(tf, x)]
        return found


def embeddings(tf):
    fc, columns, features = tf.feature_column, _columns(tf), _features(tf)
    made = [
        fc.embedding_column(columns["words"], 3, initializer=_initializer(tf)),
        fc.embedding_column(columns["ids"], 2, "sum", _initializer(tf), max_norm=0.5),
        fc.embedding_column(columns["weighted"], 2, "sqrtn", _initializer(tf), trainable=False),
        fc.embedding_column(columns["colors"], 4),
        fc.indicator_column(columns["id"]),
        columns["price"],
    ]
    variables = {}
    with tf.variable_scope("model"):
        x = fc.input_layer(features, made, cols_to_vars=variables)
    loss = tf.reduce_sum(x[:, :7] ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    names = [[v.name, v.shape.as_list()] for v in tf.global_variables()]
    trainable = [v.name for v in tf.trainable_variables()]
    model = [v.name for v in tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)]
    by_column = sorted([c.name, [v.name for v in vs]] for c, vs in variables.items())
    known = [v for v in tf.global_variables() if "color" not in v.name]
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        sess.run(train)
        return [names, trainable, model, by_column, sess.run(known), x.shape.as_list()]


def shared_embeddings(tf):
    fc = tf.feature_column
    one = fc.categorical_column_with_identity("one", 4)
    two = fc.categorical_column_with_identity("two", 4)
    shared = fc.shared_embedding_columns([two, one], 3, initializer=_initializer(tf))
    features = {"one": tf.constant([[0], [3]]), "two": tf.constant([[1, 2], [3, -1]])}
    x = fc.input_layer(features, shared)
    y = fc.input_layer(features, shared[:1])
    names = [v.name for v in tf.global_variables()]
    return [[c.name for c in shared], names, _ran(tf, x, y)]


def linear_models(tf):
    fc, columns, features = tf.feature_column, _columns(tf), _features(tf)
    made = [columns[k] for k in ("price", "size", "ranges", "colors", "ids", "crossed")]
    made.append(fc.embedding_column(columns["words"], 2, initializer=_initializer(tf)))
    variables, found = {}, []
    y = fc.linear_model(features, made, cols_to_vars=variables)
    found.append(sorted([getattr(c, "name", c), [v.name for v in vs]]
                        for c, vs in variables.items()))  # fmt: skip
    with tf.variable_scope("second"):
        z = fc.linear_model(
            features, [columns["weighted"], columns["id"]], units=2, sparse_combiner="mean",
            trainable=False, weight_collections=["mine"],
        )  # fmt: skip
    again = fc.linear_model(features, [columns["price"]])
    found.append([v.name for v in tf.global_variables()])
    found.append([v.name for v in tf.trainable_variables()])
    found.append([v.name for v in tf.get_collection("mine")])
    found.append([y.op.name, z.op.name, again.op.name])
    loss = tf.reduce_mean((y - [[1.0], [2.0], [3.0]]) ** 2)
    train = tf.train.AdagradOptimizer(0.5).minimize(loss)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        for _ in range(3):
            found.append(sess.run([loss, y, z]))
            sess.run(train)
        found.append(sess.run(tf.trainable_variables()))
    return found


def partitioned_and_reused(tf):
    fc, columns, features = tf.feature_column, _columns(tf), _features(tf)
    column = fc.embedding_column(columns["ids"], 2, initializer=_initializer(tf))
    found = []
    for reuse in (None, True):
        with tf.variable_scope("m", reuse=reuse, partitioner=tf.fixed_size_partitioner(2)):
            found.append(fc.input_layer(features, [column]))
    names = [v.name for v in tf.global_variables()]
    return [names, _ran(tf, *found)]


def features_of_unknown_rank(tf):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.feature_column.input_layer({"x": x}, [tf.feature_column.numeric_column("x")])
    found = []
    for value in ([1.0, 2.0], [[3.0], [4.0]]):
        found += _ran(tf, y, feed={x: value})
    return found


def parsing_specs(tf):
    columns = _columns(tf)
    columns = [columns[k] for k in ("price", "size", "words", "weighted", "crossed", "id")]
    columns.append(tf.feature_column.numeric_column("more", (2, 2), default_value=3))
    columns.append(tf.feature_column.embedding_column(columns[2], 3))
    spec = tf.feature_column.make_parse_example_spec(columns)
    found = {}
    for key, value in spec.items():
        found[key] = [type(value).__name__, value.dtype.name]
        if hasattr(value, "shape"):
            found[key] += [list(value.shape), value.default_value]
    return found


def columns_of_examples(tf):
    def example(**features):
        made = {}
        for key, values in features.items():
            if isinstance(values[0], bytes):
                value = tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
            elif isinstance(values[0], float):
                value = tf.train.Feature(float_list=tf.train.FloatList(value=values))
            else:
                value = tf.train.Feature(int64_list=tf.train.Int64List(value=values))
            made[key] = value
        features = tf.train.Features(feature=made)
        return tf.train.Example(features=features).SerializeToString()

    fc = tf.feature_column
    price = fc.numeric_column("price", default_value=7.0)
    words = fc.categorical_column_with_vocabulary_list("word", ["a", "b"], num_oov_buckets=1)
    columns = [price, fc.indicator_column(words), fc.bucketized_column(price, [1.0, 5.0])]
    serialized = [example(price=[2.0], word=[b"b", b"x"]), example(word=[b"a"])]
    features = tf.parse_example(serialized, fc.make_parse_example_spec(columns))
    return _ran(tf, fc.input_layer(features, columns))


def crosses_of_tensors(tf):
    sparse = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2])
    numbers = tf.SparseTensor([[0, 0], [1, 0]], [3, 4], [2, 1])
    dense = tf.constant([["x", "y"], ["z", "w"]])
    found = [
        tf.sparse.cross([sparse, dense]),
        tf.sparse.cross([numbers, sparse, dense]),
        tf.sparse.cross_hashed([sparse, dense], num_buckets=10),
        tf.sparse.cross_hashed([numbers, tf.constant([[1], [2]])], 100, hash_key=7),
        tf.sparse.cross_hashed([dense]),
    ]
    return [_ran(tf, f.indices, f.values, f.dense_shape) for f in found]


def wrong_columns(tf):
    fc, features = tf.feature_column, _features(tf)
    price = fc.numeric_column("price")
    words = fc.categorical_column_with_hash_bucket("word", 5)
    ids = fc.categorical_column_with_identity("ids", 5)
    weighted = fc.weighted_categorical_column(ids, "weights")
    calls = [
        lambda: fc.numeric_column(7),
        lambda: fc.numeric_column("x", 0),
        lambda: fc.numeric_column("x", (2.5,)),
        lambda: fc.numeric_column("x", dtype=tf.string),
        lambda: fc.numeric_column("x", default_value="no"),
        lambda: fc.numeric_column("x", (2,), default_value=[1.0]),
        lambda: fc.numeric_column("x", dtype=tf.int32, default_value=1.5),
        lambda: fc.numeric_column("x", normalizer_fn=3),
        lambda: fc.bucketized_column(words, [1]),
        lambda: fc.bucketized_column(price, []),
        lambda: fc.bucketized_column(price, [2, 1]),
        lambda: fc.bucketized_column(fc.numeric_column("m", (2, 2)), [1]),
        lambda: fc.categorical_column_with_hash_bucket("x", 0),
        lambda: fc.categorical_column_with_hash_bucket("x", 3, tf.float32),
        lambda: fc.categorical_column_with_identity("x", 0),
        lambda: fc.categorical_column_with_identity("x", 3, 3),
        lambda: fc.categorical_column_with_vocabulary_list("x", []),
        lambda: fc.categorical_column_with_vocabulary_list("x", ["a", "a"]),
        lambda: fc.categorical_column_with_vocabulary_list("x", [1.5]),
        lambda: fc.categorical_column_with_vocabulary_list("x", ["a"], tf.int32),
        lambda: fc.categorical_column_with_vocabulary_list("x", ["a"], None, 0, 2),
        lambda: fc.categorical_column_with_vocabulary_file("x", ""),
        lambda: fc.categorical_column_with_vocabulary_file("x", "/none/at/all"),
        lambda: fc.categorical_column_with_vocabulary_file("x", "/f", 0),
        lambda: fc.weighted_categorical_column(ids, "w", tf.string),
        lambda: fc.crossed_column(["a"], 3),
        lambda: fc.crossed_column(["a", "b"], 0),
        lambda: fc.crossed_column(["a", words], 3),
        lambda: fc.crossed_column(["a", price], 3),
        lambda: fc.embedding_column(words, 0),
        lambda: fc.embedding_column(words, 2, initializer=3),
        lambda: fc.embedding_column(words, 2, ckpt_to_load_from="f"),
        lambda: fc.shared_embedding_columns([words, ids], 2),
        lambda: fc.shared_embedding_columns(
            [ids, fc.categorical_column_with_identity("other", 6)], 2
        ),
        lambda: fc.input_layer(features, []),
        lambda: fc.input_layer(features, [words]),
        lambda: fc.input_layer(features, ["price"]),
        lambda: fc.input_layer(features, {"price": price}),
        lambda: fc.input_layer(features, [price, fc.numeric_column("price")]),
        lambda: fc.input_layer({}, [price]),
        lambda: fc.input_layer({"price": tf.constant(1.0)}, [price]),
        lambda: fc.input_layer({"price": features["ids"]}, [price]),
        lambda: fc.input_layer(
            {"price": tf.zeros([2, 1]), "x": tf.zeros([3, 1])}, [price, fc.numeric_column("x")]
        ),
        lambda: fc.input_layer({"word": tf.constant([[1.5]])}, [fc.indicator_column(words)]),
        lambda: fc.input_layer({"word": tf.constant([[1]])}, [fc.indicator_column(words)]),
        lambda: fc.input_layer({"ids": tf.constant([["a"]])}, [fc.indicator_column(ids)]),
        lambda: fc.input_layer(
            {"ids": features["ids"], "weights": tf.constant([[1]])},
            [fc.indicator_column(weighted)],
        ),
        lambda: fc.linear_model(features, []),
        lambda: fc.linear_model(features, [fc.crossed_column([weighted, "word"], 3)]),
        lambda: fc.make_parse_example_spec(["price"]),
        lambda: fc.make_parse_example_spec([price, fc.numeric_column("price", 2)]),
        lambda: tf.sparse.cross(tf.constant([["a"]])),
        lambda: tf.sparse.cross(["a", "b"]),
    ]
    return [outcome(call) for call in calls]


def attributes_of_columns(tf):
    """What programs read of columns: TensorFlow's names of the arguments."""
    fc = tf.feature_column
    numbers = fc.numeric_column("x", [2], normalizer_fn=abs)
    ranges = fc.bucketized_column(numbers, [0, 1])
    words = fc.categorical_column_with_hash_bucket("word", 5)
    ids = fc.categorical_column_with_identity("id", 4, default_value=1)
    listed = fc.categorical_column_with_vocabulary_list("w", ["a", "b"], num_oov_buckets=1)
    crossed = fc.crossed_column([ids, "word"], 6, hash_key=7)
    table = fc.embedding_column(ids, 2, ckpt_to_load_from="f", tensor_name_in_ckpt="t")
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("a\nb\nc\n")
        file.flush()
        filed = fc.categorical_column_with_vocabulary_file("v", file.name)
        found = [filed.vocabulary_size, filed.vocabulary_file == file.name, filed.num_buckets]
    weighted = fc.weighted_categorical_column(ids, "weight")
    return found + [
        numbers.normalizer_fn is abs, list(numbers.shape), numbers.default_value,
        list(ranges.boundaries), ranges.source_column is numbers, words.hash_bucket_size,
        words.num_buckets, ids.number_buckets, ids.default_value, list(listed.vocabulary_list),
        listed.num_oov_buckets, crossed.hash_bucket_size, crossed.hash_key, crossed.num_buckets,
        table.ckpt_to_load_from, table.tensor_name_in_ckpt, table.dimension, table.combiner,
        table.max_norm, table.trainable, weighted.weight_feature_key,
    ]  # fmt: skip
