# SPDX-License-Identifier: Apache-2.0
"""Functions of data sets that only 1.x's contrib has."""

import os
import tempfile

from interop.programs.client._outcomes import elements, outcome
from interop.tools.lmdb_files import lmdb_folder

ONLY_1X = True


def _contrib(tf):
    """The module of 1.x's contrib."""
    try:
        from tensorflow.contrib import data
    except ImportError:
        return tf.contrib.data
    return data


def batches(tf):
    more, number = _contrib(tf), tf.data.Dataset.range(7)
    rows = number.map(lambda n: tf.fill([n], n))
    return [
        elements(tf, number.apply(more.batch_and_drop_remainder(3))),
        elements(tf, rows.apply(more.padded_batch_and_drop_remainder(3, [None]))),
        elements(tf, number.apply(more.sliding_window_batch(3))),
        elements(tf, number.apply(more.sliding_window_batch(2, window_shift=3, window_stride=2))),
        outcome(more.sliding_window_batch, 2, stride=1, window_shift=1),
        sorted(elements(tf, number.apply(more.sloppy_interleave(_two(tf), 2)))[:-1]),
        elements(tf, number.apply(more.map_and_batch(lambda x: x + 1, 4))),
    ]


def _two(tf):
    return lambda x: tf.data.Dataset.from_tensors(x).repeat(2)


def shapes(tf):
    more, number = _contrib(tf), tf.data.Dataset.range(3)
    rows = number.map(lambda n: (tf.fill([n], n), n))
    known = rows.apply(more.assert_element_shape((tf.TensorShape([2]), tf.TensorShape([]))))
    fine = rows.skip(2).apply(more.assert_element_shape((tf.TensorShape([2]), None)))
    return [
        known.output_shapes[0].as_list(),
        outcome(elements, tf, known),
        elements(tf, fine),
        fine.output_shapes[0].as_list(),
    ]


def others(tf):
    more = _contrib(tf)
    path = os.path.join(tempfile.mkdtemp(), "x")
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[4]))
    with tf.python_io.TFRecordWriter(path) as writer:
        example = tf.train.Example(features=tf.train.Features(feature={"n": feature}))
        writer.write(example.SerializeToString())
    wanted = {"n": tf.FixedLenFeature([], tf.int64)}
    batch = more.read_batch_features(path, 2, wanted, randomize_input=False, num_epochs=3)
    sums = more.Reducer(lambda key: key, lambda s, x: s + x, lambda s: s)
    total = more.reduce_dataset(tf.data.Dataset.range(5), sums)
    with tf.Session() as sess:
        return [sess.run(batch), sess.run(batch), sess.run(total)]


def databases(tf):
    entries = [(b"k%d" % (9 - i), b"v%d" % i) for i in range(5)]
    paths = [lmdb_folder(os.path.join(tempfile.mkdtemp(), name), entries) for name in "ab"]
    return elements(tf, _contrib(tf).LMDBDataset(paths))
