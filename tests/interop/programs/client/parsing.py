# SPDX-License-Identifier: Apache-2.0
"""Examples, SequenceExamples, CSV lines and TensorProtos, parsed in the graph and by data sets."""

import os
import tempfile
import zlib

import numpy as np
from google.protobuf import descriptor_pb2

from interop.programs.client._outcomes import elements, outcome


def _feature(tf, values):
    first = values[0] if values else 0
    if isinstance(first, bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(first, float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def _example(tf, **features):
    made = {key: _feature(tf, values) for key, values in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


def _sequence(tf, context, **lists):
    made = {
        key: tf.train.FeatureList(feature=[_feature(tf, row) for row in rows])
        for key, rows in lists.items()
    }
    return tf.train.SequenceExample(
        context=tf.train.Features(feature={k: _feature(tf, v) for k, v in context.items()}),
        feature_lists=tf.train.FeatureLists(feature_list=made),
    ).SerializeToString()


def _two(tf):
    return [
        _example(tf, n=[1, 2], text=[b"a", b"bc"], at=[0, 2], value=[0.5, 1.5], grows=[7]),
        _example(tf, n=[3, 4], text=[], at=[1], value=[2.5], grows=[8, 9]),
    ]


def _wanted(tf):
    return {
        "n": tf.FixedLenFeature([2], tf.int64),
        "text": tf.VarLenFeature(tf.string),
        "sparse": tf.SparseFeature("at", "value", tf.float32, 4),
        "grows": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1),
        "missing": tf.FixedLenFeature([1, 2], tf.float32, [[0.5, 0.25]]),
        "none": tf.FixedLenSequenceFeature([2], tf.string, allow_missing=True),
    }


def examples(tf):
    batch = tf.parse_example(_two(tf), _wanted(tf))
    several = tf.io.parse_example(_two(tf), {"n": tf.VarLenFeature(tf.int64)}, name="named")
    found = [[name, batch[name].dtype.name, batch[name].shape.as_list()] for name in sorted(batch)]
    with tf.Session() as sess:
        return found + [sess.run(batch), sess.run(several), several["n"].values.name]


def single_examples(tf):
    found = []
    for names in (None, "the name"):
        for serialized in _two(tf):
            parsed = tf.parse_single_example(serialized, _wanted(tf), example_names=names)
            with tf.Session() as sess:
                found.append(sess.run(parsed))
            found.append(parsed["n"].shape.as_list())
    return found


def sequence_examples(tf):
    first = _sequence(tf, {"id": [5], "tags": [b"x"]}, word=[[1], [2]], mixed=[[0.5], [1.5, 2.5]])
    second = _sequence(tf, {"id": [6], "tags": [b"y", b"z"]}, word=[[3]], mixed=[[]])
    context = {"id": tf.FixedLenFeature([], tf.int64), "tags": tf.VarLenFeature(tf.string)}
    lists = {
        "word": tf.FixedLenSequenceFeature([1], tf.int64),
        "mixed": tf.VarLenFeature(tf.float32),
        "none": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
    }
    both = tf.io.parse_sequence_example([first, second], context, lists)
    one = tf.parse_single_sequence_example(first, context, lists)
    only = tf.parse_single_sequence_example(second, sequence_features={"word": lists["word"]})
    with tf.Session() as sess:
        return [list(sess.run(both)), list(sess.run(one)), list(sess.run(only))]


def other_records(tf):
    lines = ["1,a,2.5", "2,,", '3,"x,y",0.5']
    csv = tf.decode_csv(lines, [[0], ["none"], [1.5]])
    some = tf.io.decode_csv(lines, [["none"]], select_cols=[1], na_value="a")
    json = tf.decode_json_example('{"features": {"feature": {"n": {"int64List": {"value": [4]}}}}}')
    parsed = tf.parse_single_example(json, {"n": tf.FixedLenFeature([], tf.int64)})
    there = tf.parse_tensor(tf.serialize_tensor(tf.constant([[1.5], [2.5]])), tf.float32)
    with tf.Session() as sess:
        found = sess.run([csv, some, parsed, there])
    return [*found, there.shape.ndims]


def in_data_sets(tf):
    more = tf.data.experimental
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "x")
    with tf.io.TFRecordWriter(path) as writer:
        for serialized in _two(tf):
            writer.write(serialized)
    wanted = _wanted(tf)
    del wanted["none"]
    records = tf.data.TFRecordDataset([path, path])
    parsed = records.map(lambda x: tf.parse_single_example(x, {"n": wanted["n"]}))
    batches = records.batch(2).apply(more.parse_example_dataset(wanted, 2))
    read = more.make_batched_features_dataset(
        path, 2, wanted, label_key="n", num_epochs=2, shuffle=False
    )
    return [elements(tf, parsed), elements(tf, batches), elements(tf, read)]


def mistakes(tf):
    text = _two(tf)[0]
    items = tf.FixedLenSequenceFeature([], tf.int64)
    number = tf.FixedLenFeature([], tf.int64)

    def parse(feature):
        return outcome(tf.parse_example, [text], {"n": feature})

    def run(feature):
        with tf.Session() as sess:
            return outcome(sess.run, tf.parse_single_example(text, {"n": feature}))

    return [
        parse(tf.FixedLenFeature(None, tf.int64)),
        parse(tf.FixedLenFeature([None], tf.int64)),
        parse(tf.FixedLenFeature([2, None], tf.int64)),
        parse(tf.FixedLenFeature([2], None)),
        parse(tf.FixedLenSequenceFeature([], tf.int64)),
        parse(tf.VarLenFeature(None)),
        parse(tf.SparseFeature(None, "value", tf.float32, 3)),
        parse(tf.SparseFeature("n", "n", tf.float32, 3)),
        parse("n"),
        parse(tf.FixedLenFeature([2], tf.int64, [1, 2, 3])),
        parse(tf.FixedLenFeature([2], tf.int64, "text")),
        parse(tf.FixedLenFeature([2], tf.int32)),
        outcome(tf.parse_example, [text], {}),
        outcome(tf.parse_single_example, [text], {"n": number}),
        outcome(tf.parse_single_example, text, None),
        outcome(tf.parse_single_sequence_example, text),
        outcome(tf.io.parse_sequence_example, [text], {"n": items}),
        outcome(
            tf.parse_single_sequence_example,
            text,
            None,
            {"n": tf.FixedLenSequenceFeature([], tf.int64, True, 3)},
        ),
        outcome(tf.decode_csv, ["1"], [[0]], select_cols=[1, 0]),
        outcome(tf.decode_csv, ["1"], [[0]], select_cols=[-1]),
        outcome(tf.decode_csv, ["1"], [[0]], select_cols=[0, 1]),
        outcome(tf.decode_csv, ["1"], [[True]]),
        run(tf.FixedLenFeature([3], tf.int64)),
        run(tf.FixedLenFeature([2], tf.string)),
        run(tf.VarLenFeature(tf.float32)),
    ]


def raw_bytes(tf):
    data = np.arange(6, dtype=np.uint16)
    with tf.Session() as sess:
        return sess.run(
            [
                tf.io.decode_compressed([zlib.compress(b"text")], "ZLIB"),
                tf.decode_compressed(["as it is"]),
                tf.decode_raw([data.tobytes(), data[::-1].tobytes()], tf.uint16),
                tf.io.decode_raw(data.tobytes(), tf.uint8, little_endian=False),
            ]
        )


def protocol_messages(tf):
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="shop.proto", package="shop")
    order = file.message_type.add(name="Order")
    order.field.add(name="counts", number=1, label=3, type=5)
    order.field.add(name="buyer", number=2, label=1, type=9)
    source = b"bytes://" + files.SerializeToString()
    names = ["counts", "buyer"]
    sizes = [[2, 1], [1, 0]]
    values = [tf.constant([[3, 4], [5, 0]]), tf.constant([["ann"], [""]])]
    text = tf.io.encode_proto(sizes, values, names, "shop.Order", source)
    types = [tf.int32, tf.string]
    again = tf.io.decode_proto(text, "shop.Order", names, types, source)
    wrong = tf.io.decode_proto(text, "shop.Bill", names, types, source)
    with tf.Session() as sess:
        found = sess.run(again)
        return [sess.run(text), found.sizes, list(found.values), outcome(sess.run, wrong)]
