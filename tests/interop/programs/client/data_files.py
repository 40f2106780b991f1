# SPDX-License-Identifier: Apache-2.0
"""Data sets of files and tables, and the positions of iterators in checkpoints."""

import os
import sqlite3
import tempfile

import numpy as np

from interop.programs.client._outcomes import elements, outcome


def _file(name, text):
    path = os.path.join(tempfile.mkdtemp(), name)
    with open(path, "wb") as file:
        file.write(text)
    return path


def lines_and_records(tf):
    data = tf.data
    first, second = _file("a", b"one\ntwo\r\nthree"), _file("b", b"four\n")
    folder = os.path.dirname(first)
    names = data.Dataset.list_files(os.path.join(folder, "*"), shuffle=False)
    missing = data.Dataset.list_files(os.path.join(folder, "c*"))
    it = missing.make_initializable_iterator()
    with tf.Session() as sess:
        found = [outcome(sess.run, it.initializer)]
    return [
        *found,
        elements(tf, data.TextLineDataset([first, second])),
        elements(tf, data.TextLineDataset(data.Dataset.from_tensors(first), "", 10)),
        elements(tf, data.TextLineDataset([first, second], num_parallel_reads=2)),
        elements(tf, data.TextLineDataset(first, num_parallel_reads=-1)),
        elements(tf, data.FixedLengthRecordDataset(first, 3, 1, 2)),
        elements(tf, names.map(lambda name: tf.strings.substr(name, -1, 1))),
        outcome(elements, tf, data.TFRecordDataset(first)),
        outcome(elements, tf, data.TextLineDataset(os.path.join(folder, "none"))),
    ]


def csv_files(tf):
    more = tf.data.experimental
    path = _file("x.csv", b'a,b,c\n1,x,2.5\n2,,3\n3,"y,z",1e50\n4,5000000000,\n')
    whole = more.CsvDataset(path, [tf.int32, ["none"], [0.5]], header=True)
    some = more.CsvDataset([path], [tf.string], select_cols=[1], header=True, na_value="x")
    batches = more.make_csv_dataset(path, 2, label_name="c", num_epochs=1, shuffle=False)
    named = more.make_csv_dataset(
        path,
        3,
        column_names=["u", "v", "w"],
        select_columns=["w", "u"],
        num_epochs=2,
        shuffle=False,
    )
    wrong = more.CsvDataset(path, [tf.int32, tf.string, tf.float32], header=True)
    return [
        elements(tf, whole),
        outcome(elements, tf, some),
        [[dict(one[0]), one[1]] for one in elements(tf, batches)[:-1]],
        [dict(one) for one in elements(tf, named)[:-1]],
        outcome(elements, tf, wrong),
        outcome(more.make_csv_dataset, path + "z", 2),
        outcome(more.make_csv_dataset, path, 2, label_name="q"),
        outcome(more.make_csv_dataset, path, 2, select_columns=[1, 1]),
        outcome(more.make_csv_dataset, path, 2, select_columns=["q"]),
        outcome(more.make_csv_dataset, path, 2, header=False),
    ]


def databases(tf):
    path = os.path.join(tempfile.mkdtemp(), "x.db")
    base = sqlite3.connect(path)
    base.execute("create table people (name text, age int, size real)")
    base.executemany("insert into people values (?, ?, ?)", [("a", 3, 1.5), ("b", 70, 2.5)])
    base.commit()
    base.close()
    types = (tf.string, tf.int32, tf.float64)
    query = "select name, age, size from people order by age desc"
    return elements(tf, tf.data.experimental.SqlDataset("sqlite", path, query, types))


def other_steps(tf):
    data, more = tf.data.Dataset, tf.data.experimental
    sums = more.Reducer(lambda key: np.int64(0), lambda s, x: s + x, lambda s: {"sum": s})
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [5, 6], [3, 2])
    rows = data.range(4).map(lambda n: tf.fill([n], n))
    return [
        elements(tf, data.range(7).apply(more.group_by_reducer(lambda x: x % 3, sums))),
        elements(tf, data.from_sparse_tensor_slices(sparse)),
        elements(tf, rows.apply(more.dense_to_sparse_batch(3, [4])).map(tf.sparse.to_dense)),
    ]


def written_records(tf):
    path = os.path.join(tempfile.mkdtemp(), "x")
    data = tf.data.Dataset.from_tensor_slices(["a", "bc"])
    write = tf.data.experimental.TFRecordWriter(path, "GZIP").write(data)
    with tf.Session() as sess:
        sess.run(write)
    other = tf.data.experimental.TFRecordWriter(path)
    return [
        elements(tf, tf.data.TFRecordDataset(path, "GZIP")),
        outcome(other.write, tf.data.Dataset.range(3)),
        outcome(other.write, ["a"]),
    ]


def saved_positions(tf):
    data = tf.data.Dataset.range(30).map(lambda x: x * 2).batch(3).repeat(2)
    it = data.make_initializable_iterator()
    element = it.get_next()
    saveable = tf.data.experimental.make_saveable_from_iterator(it)
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
    saver = tf.train.Saver()
    path = os.path.join(tempfile.mkdtemp(), "x")
    with tf.Session() as sess:
        sess.run(it.initializer)
        found = [sess.run(element) for _ in range(4)]
        saver.save(sess, path)
        found += [sess.run(element) for _ in range(3)]
    with tf.Session() as sess:
        found.append(outcome(saver.restore, sess, path))
        sess.run(it.initializer)
        saver.restore(sess, path)
        found += [sess.run(element) for _ in range(3)]
    return [*found, saveable.name]
