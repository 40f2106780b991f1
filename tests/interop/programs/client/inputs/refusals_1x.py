# SPDX-License-Identifier: Apache-2.0
"""What 1.15 refuses, or does not refuse, and later TensorFlows treat in another way."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome
from interop.programs.client.inputs.errors_1x import _elements

ONLY_1X = True


def _run(tf, make):
    """The value of the tensor that make() gives, or the class of the error."""
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            return session.run(make())
        except (tf.errors.OpError, TypeError, ValueError) as error:
            return type(error).__name__


def numbers_with_a_plus(tf):
    found = []
    for dtype in (tf.int32, tf.int64, tf.float32, tf.float64):
        for text in ("+5", " +5", "5", "-5"):
            default = np.zeros([1], dtype.as_numpy_dtype)
            found += [
                _run(tf, lambda t=text, d=dtype: tf.string_to_number([t], d)),
                _run(tf, lambda t=text, d=default: tf.decode_csv([t], [d])),
            ]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("1,2.5\n+5,2.5\n6,+2.5\n")
        rows = tf.data.experimental.CsvDataset(path, [tf.int32, tf.float32])
        iterator = tf.data.make_initializable_iterator(rows)
        elements = iterator.get_next(), tf.data.make_one_shot_iterator(rows).get_next()
        with tf.Session() as session:
            session.run(iterator.initializer)
            for element in elements:
                found += [outcome(session.run, element) for _ in range(4)]
    return found


def folders_that_are_missing(tf):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.txt"), "w", encoding="utf-8") as file:
            file.write("a")
        patterns = ["*.txt", "b*", "none/*", "none/a", "n*e/a", "a.txt"]
        paths = [os.path.join(folder, pattern) for pattern in patterns]
        found = []
        for path in (*paths, paths[::5], [paths[0], paths[2]]):
            names = _run(tf, lambda path=path: tf.io.matching_files(path))
            found.append(names if isinstance(names, str) else [os.path.basename(n) for n in names])
        for path in paths:
            with tf.Graph().as_default(), tf.Session() as session:
                listed = tf.data.Dataset.list_files(path, shuffle=False)
                begin = tf.data.make_initializable_iterator(listed).initializer
                found.append(outcome(session.run, begin))
        return found


def qualities_of_jpeg(tf):
    pixels = np.arange(8 * 8 * 3, dtype=np.uint8).reshape(8, 8, 3)
    return [
        _run(tf, lambda q=quality: tf.image.adjust_jpeg_quality(pixels, q))
        for quality in (-7, 0, 1, 100, 101, 2**31 - 1)
    ]


def buffers_of_interleaving(tf):
    found = []
    for wrong in (
        {"cycle_length": 0}, {"cycle_length": -1}, {"block_length": 0}, {"block_length": -1},
        {"buffer_output_elements": 0}, {"buffer_output_elements": -1},
        {"prefetch_input_elements": -1}, {"prefetch_input_elements": 0},
    ):  # fmt: skip
        parts = tf.data.experimental.parallel_interleave(
            lambda x: tf.data.Dataset.from_tensors(x), **{"cycle_length": 2, **wrong}
        )
        rows = tf.data.Dataset.range(3).apply(parts)
        begin = tf.data.make_initializable_iterator(rows).initializer
        with tf.Session() as session:
            try:
                found.append(session.run(begin))
            except tf.errors.InvalidArgumentError as error:
                found.append(next(iter(wrong)) in str(error) and "must be >" in str(error))
    return found


def compressions_that_do_not_exist(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records")
        with tf.python_io.TFRecordWriter(path) as writer:
            writer.write(b"one")
            writer.write(b"two")
        data = tf.data
        sets = [
            data.TFRecordDataset(path, "FOO"),
            data.TFRecordDataset(path, "gzip"),
            data.TextLineDataset(path, "FOO"),
            data.FixedLengthRecordDataset(path, 4, compression_type="FOO"),
        ]
        found = []
        for records in sets:
            rows = _elements(tf, records)
            found.append([row if isinstance(row, (bytes, str)) else row[0] for row in rows])
        missing = data.TFRecordDataset(path + "_", "FOO").take(1)
        return [*found, _elements(tf, missing, 1)[0][0]]


def sequences_of_any_key(tf):
    column = tf.feature_column.sequence_numeric_column(7)
    return [column.key, list(column.shape), column.default_value, column.dtype.name]
