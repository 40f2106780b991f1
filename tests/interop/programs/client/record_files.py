# SPDX-License-Identifier: Apache-2.0
"""TFRecord files and event files, written and read by the client itself."""

import glob
import os
import tempfile

from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True


def _records():
    return [b"", b"a", b"\x00\xff" * 50, bytes(range(256)) * 300]


def record_files(tf):
    folder, found = tempfile.mkdtemp(), []
    kinds = tf.python_io.TFRecordCompressionType
    for i, kind in enumerate([None, kinds.NONE, kinds.ZLIB, kinds.GZIP, "GZIP"]):
        path = os.path.join(folder, str(i))
        options = kind if kind is None or isinstance(kind, str) else None
        options = options or (None if kind is None else tf.io.TFRecordOptions(kind))
        with tf.python_io.TFRecordWriter(path, options) as writer:
            for record in _records():
                writer.write(record)
            writer.flush()
        again = list(tf.python_io.tf_record_iterator(path, options))
        name = tf.io.TFRecordOptions.get_compression_type_string(options)
        there = elements(tf, tf.data.TFRecordDataset(path, name))
        found.append([again == _records(), there[:-1] == _records(), name])
        if not name:
            with open(path, "rb") as file:
                found.append(file.read())
    return found


def options(tf):
    options = tf.io.TFRecordOptions("ZLIB", compression_level=9, window_bits=12, mem_level=3)
    path = os.path.join(tempfile.mkdtemp(), "x")
    writer = tf.io.TFRecordWriter(path, options)
    writer.write(b"a" * 5000)
    writer.close()
    return [
        [len(r) for r in tf.io.tf_record_iterator(path, "ZLIB")],
        os.path.getsize(path) < 200,
        options.compression_type,
        options.mem_level,
        outcome(tf.io.TFRecordOptions, "LZ4"),
    ]


def damaged_files(tf):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "x")
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"some text")
        writer.write(b"more text")
    with open(path, "rb") as file:
        whole = file.read()

    def read(data):
        with open(path, "wb") as file:
            file.write(data)
        return outcome(lambda: list(tf.python_io.tf_record_iterator(path)))

    changed = [whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :] for i in (0, 7, 9, 13, 22)]
    missing = tf.python_io.tf_record_iterator(os.path.join(folder, "y"))
    return [
        [read(data) for data in changed],
        [read(whole[:size]) for size in (0, 5, 12, 20, 25, 30)],
        outcome(lambda: list(missing)),
        outcome(tf.python_io.TFRecordWriter, os.path.join(folder, "z", "y")),
    ]


def event_files(tf):
    folder = tempfile.mkdtemp()
    with tf.summary.FileWriter(folder) as writer:
        for step in range(3):
            value = tf.Summary.Value(tag="loss", simple_value=step / 2.0)
            writer.add_summary(tf.Summary(value=[value]), step)
    (path,) = glob.glob(os.path.join(folder, "*"))
    return [
        [(e.step, [(v.tag, v.simple_value) for v in e.summary.value], e.file_version)
         for e in tf.train.summary_iterator(path)],
    ]  # fmt: skip
