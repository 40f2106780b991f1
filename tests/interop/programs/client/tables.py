# SPDX-License-Identifier: Apache-2.0
"""Lookup tables: filled from tensors and from files, changed, saved."""

import os
import tempfile

from interop.programs.client._outcomes import outcome

WORDS = ["emerson", "lake", "palmer"]


def _lookup_ops(tf):
    """The module with the functions that TensorFlow has in contrib, under one name."""
    if hasattr(tf, "contrib"):
        return tf.contrib.lookup
    from tensorflow.python.ops import lookup_ops

    lookup_ops.MutableDenseHashTable = lookup_ops.DenseHashTable
    return lookup_ops


def _nodes(tf, start=0):
    """(name, op, device, inputs) of the nodes of the default graph."""
    nodes = tf.get_default_graph().as_graph_def().node
    return [[n.name, n.op, n.device, list(n.input)] for n in nodes][start:]


def static_tables(tf):
    numbers = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(WORDS, [1, 2, 3], tf.string, tf.int64), -1
    )
    texts = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant([5, 6]), ["five", "six"]), "none", "mine"
    )
    with tf.name_scope("outer"):
        found = [
            numbers.lookup(tf.constant([["lake", "king"]])),
            texts.lookup(tf.constant([6, 7, 5]), name="looked_up"),
            numbers.size(),
            tf.reduce_sum(numbers.export()[1]),
            numbers.default_value,
        ]
    sparse = tf.SparseTensor([[0, 1], [2, 0]], ["palmer", "x"], [3, 2])
    found += list(numbers.lookup(sparse))
    shapes = [str(f.shape) for f in found[:2]]
    names = [numbers.name, texts.name, numbers.key_dtype.name, numbers.value_dtype.name]
    collected = [op.name for op in tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS)]
    with tf.Session() as sess:
        before = outcome(sess.run, found[0])
        sess.run(tf.tables_initializer())
        values = sess.run(found)
        sess.run(numbers.initializer)
        return [values, shapes, names, collected, before, _nodes(tf)]


def tables_of_files(tf):
    index = tf.lookup.TextFileIndex
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words.txt")
        with open(path, "w") as file:
            file.write("emerson 10\nlake 20\npalmer 30\n")
        rows = [
            (tf.string, 0, tf.int64, 1, -1),
            (tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER, -1),
            (tf.int64, index.LINE_NUMBER, tf.string, index.WHOLE_LINE, "none"),
            (tf.int64, 1, tf.string, 0, "none"),
        ]
        tables = [
            tf.lookup.StaticHashTable(
                tf.lookup.TextFileInitializer(path, *row[:4], delimiter=" "), row[4]
            )
            for row in rows
        ]
        keys = [["lake", "x"], ["lake 20", "lake"], [2, 3], [30, 31]]
        found = [t.lookup(tf.constant(k, tf.as_dtype(r[0]))) for t, k, r in zip(tables, keys, rows)]
        few = tf.lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1, 2, " ", "few")
        few = tf.lookup.StaticHashTable(few, -1)
        found.append(few.size())
        assets = len(tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS))
        with tf.Session() as sess:
            sess.run(tf.tables_initializer())
            values = sess.run(found)
        shared = [t.resource_handle.op.get_attr("shared_name") for t in [*tables, few]]
        shared = [s.decode().replace(folder, "") for s in shared]
        return [values, assets, shared, [n[:3] for n in _nodes(tf)]]


def vocabularies(tf):
    words = tf.lookup.KeyValueTensorInitializer(WORDS, [0, 1, 2], tf.string, tf.int64)
    table = tf.lookup.StaticVocabularyTable(words, 5)
    keys = tf.constant(["lake", "king", "crimson", "emerson", ""])
    numbers = tf.lookup.KeyValueTensorInitializer([7, 8], [0, 1], tf.int64, tf.int64)
    narrow = tf.lookup.StaticVocabularyTable(numbers, 3, lookup_key_dtype=tf.int32)
    buckets = tf.lookup.StaticVocabularyTable(None, 4)
    found = [
        table.lookup(keys),
        table.size(),
        narrow.lookup(tf.constant([8, 9, 7, -4])),
        narrow.size(),
        buckets.lookup(keys),
        buckets.size(),
    ]
    found += list(table.lookup(tf.SparseTensor([[0, 1]], ["king"], [2, 2])))
    names = [table.name, narrow.name, buckets.name]
    with tf.Session() as sess:
        sess.run([table.initializer, narrow.initializer])
        return [sess.run(found), names]


def indices_of_words(tf):
    lookup = _lookup_ops(tf)
    keys = tf.constant(["lake", "king", "crimson", "emerson"])
    strong = lookup.StrongHashSpec([3, 4])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words.txt")
        with open(path, "w") as file:
            file.write("\n".join(WORDS))
        tables = [
            lookup.index_table_from_tensor(tf.constant(WORDS)),
            lookup.index_table_from_tensor(WORDS, num_oov_buckets=7),
            lookup.index_table_from_tensor(WORDS, 7, hasher_spec=strong, name="strong"),
            lookup.index_table_from_file(path, default_value=9),
            lookup.index_table_from_file(path, 3, vocab_size=2),
            lookup.IdTableWithHashBuckets(None, 6),
        ]
        found = [t.lookup(keys) for t in tables] + [t.size() for t in tables]
        back = [
            lookup.index_to_string_table_from_tensor(WORDS),
            lookup.index_to_string_table_from_file(path, default_value="?"),
        ]
        found += [t.lookup(tf.constant([2, 3, 0], tf.int64)) for t in back]
        numbers = lookup.index_table_from_tensor([30, 20], dtype=tf.int32, num_oov_buckets=2)
        found.append(numbers.lookup(tf.constant([20, 30, 40, 50])))
        names = [t.name for t in [*tables, *back, numbers]]
        with tf.Session() as sess:
            sess.run(tf.tables_initializer())
            return [sess.run(found), names, [n[0] for n in _nodes(tf)]]


def changing_tables(tf):
    lookup = _lookup_ops(tf)
    table = lookup.MutableHashTable(tf.string, tf.int64, -1)
    rows = lookup.MutableHashTable(tf.int64, tf.float32, [0.5, 0.5], name="rows")
    dense = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, default_value=-1, empty_key=0, deleted_key=-7, initial_num_buckets=8
    )
    steps = [
        table.insert(["a", "b", "c"], tf.constant([1, 2, 3], tf.int64)),
        table.remove(tf.constant(["b", "z"])),
        rows.insert([3, 4], [[1.0, 2.0], [3.0, 4.0]]),
        dense.insert_or_assign(tf.constant([5, 6], tf.int64), [50, 60]),
        dense.erase(tf.constant([5], tf.int64)),
        dense.insert(tf.constant([8], tf.int64), [80]),
    ]
    found = [
        table.lookup(["a", "b", "c"]),
        table.size(),
        rows.lookup([[3, 9]]),
        dense.lookup([5, 6, 8]),
        dense.size(),
    ]
    exported = table.export()
    values = []
    with tf.Session() as sess:
        for step in steps:
            sess.run(step)
            values.append([*sess.run(found), sorted(zip(*sess.run(exported)))])
    return [values, [table.name, rows.name, dense.name], [n[:3] for n in _nodes(tf)]]


def tables_in_checkpoints(tf):
    lookup = _lookup_ops(tf)
    with tempfile.TemporaryDirectory() as folder:
        table = lookup.MutableHashTable(tf.string, tf.float32, -1.0, name="scores")
        dense = lookup.MutableDenseHashTable(
            tf.int64, tf.int64, -1, 0, -7, initial_num_buckets=8, name="dense"
        )
        v = tf.Variable([1.0, 2.0], name="v")
        insert = table.insert(["a", "b"], [1.5, 2.5])
        also = dense.insert(tf.constant([4], tf.int64), [40])
        other = [
            table.insert(["a", "c"], [7.5, 8.5]),
            dense.insert(tf.constant([9], tf.int64), [1]),
            v.assign([0.0, 0.0]),
        ]
        found = [table.lookup(["a", "b", "c"]), table.size(), dense.lookup([4, 9]), v]
        start = len(_nodes(tf))
        saver = tf.train.Saver()
        nodes = _nodes(tf, start)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run([insert, also])
            path = saver.save(sess, folder + "/m", write_meta_graph=False)
            sess.run(other)
            changed = sess.run(found)
            saver.restore(sess, path)
            return [changed, sess.run(found), nodes]


def _of_pairs(tf, keys, values):
    pairs = tf.lookup.KeyValueTensorInitializer(keys, values, tf.string, tf.int64)
    return tf.lookup.StaticHashTable(pairs, -1)


def wrong_tables(tf):
    lookup = _lookup_ops(tf)
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["a"], [1], value_dtype=tf.int64), -1
    )
    mutable = lookup.MutableHashTable(tf.string, tf.int64, -1)
    index, first = tf.lookup.TextFileIndex, tf.lookup.TextFileInitializer
    calls = [
        lambda: table.lookup(tf.constant([1])),
        lambda: mutable.lookup(tf.constant([1])),
        lambda: mutable.insert(["a"], ["b"]),
        lambda: mutable.remove(tf.constant([1])),
        lambda: first("", tf.string, 0, tf.int64, 1),
        lambda: first("f", tf.string, -3, tf.int64, 1),
        lambda: first("f", tf.string, index.LINE_NUMBER, tf.int64, 1),
        lambda: first("f", tf.float32, index.WHOLE_LINE, tf.int64, 1),
        lambda: first("f", tf.string, 0, tf.int64, 1, vocab_size=0),
        lambda: tf.lookup.StaticVocabularyTable(None, 0),
        lambda: lookup.index_table_from_tensor(None),
        lambda: lookup.index_table_from_tensor(["a"], -1),
        lambda: lookup.index_table_from_tensor(["a"], dtype=tf.float32),
        lambda: lookup.index_table_from_tensor([1], dtype=tf.string),
        lambda: lookup.index_table_from_file(""),
        lambda: lookup.index_table_from_file("f", vocab_size=0),
        lambda: lookup.index_to_string_table_from_tensor(None),
        lambda: lookup.IdTableWithHashBuckets(table, 3, hasher_spec=None),
        lambda: lookup.StrongHashSpec([1]),
        lambda: tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a"], [1]), default_value=[-1, -1]
        ),
        lambda: tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a"], [1]), default_value="x"
        ),
        lambda: _of_pairs(tf, ["a"], [1, 2]),
        lambda: _of_pairs(tf, "a", 1),
        lambda: _of_pairs(tf, [["a", "b"]], [[1, 2]]),
    ]
    return [outcome(call) for call in calls]


def tables_in_loops(tf):
    words = tf.constant(WORDS)

    def count(i, total):
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(WORDS, [1, 20, 300]), -1
        )
        return i + 1, total + table.lookup(words[i])

    loop = tf.while_loop(lambda i, _: i < 3, count, [0, 0])
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        return sess.run(loop)


def tables_of_monitored_sessions(tf):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(WORDS, [1, 2, 3]), -1)
    found = table.lookup(tf.constant(["palmer", "x"]))
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession() as sess:
        return sess.run(found)


def tables_of_meta_graphs(tf):
    """Another program goes on with a graph that has tables: it fills and restores them."""
    lookup = _lookup_ops(tf)
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default():
            words = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(WORDS, [1, 2, 3]), -1
            )
            scores = lookup.MutableHashTable(tf.string, tf.float32, -1.0, name="scores")
            x = tf.placeholder(tf.string, [None], name="x")
            tf.identity(words.lookup(x), name="number")
            tf.identity(scores.lookup(x), name="score")
            v = tf.get_variable("v", initializer=2.0)
            insert = scores.insert(["lake"], [7.5])
            with tf.Session() as sess:
                sess.run([v.initializer, insert])
                path = tf.train.Saver().save(sess, folder + "/m")
        found = []
        for scope in (None, "again"):
            with tf.Graph().as_default(), tf.Session() as sess:
                saver = tf.train.import_meta_graph(path + ".meta", import_scope=scope)
                sess.run(tf.tables_initializer())
                saver.restore(sess, path)
                prefix = scope + "/" if scope else ""
                fetches = [prefix + "number:0", prefix + "score:0", prefix + "v:0"]
                found.append(sess.run(fetches, {prefix + "x:0": ["lake", "sea"]}))
        return found
