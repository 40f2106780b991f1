# SPDX-License-Identifier: Apache-2.0
"""Files of the kind that guides read: CSV, examples, lines, records."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True
TABLE = """age,name,score,member
34,ann,1.5,yes
,bob,2.5,no
27,"smith, joe",,yes
51,eve,4.25,no
19,,0.5,yes
"""


def _with_files(run, **texts):
    """What run(paths) finds, of files of these texts."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, text in texts.items():
            paths[name] = os.path.join(folder, f"{name}.txt")
            with open(paths[name], "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        return run(paths)


def _told(dataset):
    """The structure of a data set's elements, as text."""
    types = str(dataset.output_types).replace("sluice.", "tf.")
    return [types, str(dataset.output_shapes)]


def _read(tf, dataset):
    """The elements of a data set, or the class of an error."""
    try:
        return elements(tf, dataset)
    except tf.errors.OpError as error:
        return type(error).__name__


def csv_columns(tf):
    make = tf.data.experimental.CsvDataset

    def run(paths):
        path = paths["table"]
        whole = make(path, [[0], "", [0.0], tf.string], header=True)
        some = make([path, path], [tf.constant([7], tf.int64), tf.float32], header=True,
                    select_cols=[0, 2])  # fmt: skip
        return [
            elements(tf, whole), elements(tf, some.apply(tf.data.experimental.ignore_errors())),
            elements(tf, make(paths["spaced"], [tf.int32, tf.string, ["none"]], field_delim=" ",
                              na_value="NA")),
            elements(tf, make(paths["quoted"], [tf.string] * 2, use_quote_delim=False)),
            _told(whole),
            outcome(elements, tf, make(path, [tf.int32, tf.string])),
            outcome(elements, tf, make(path, [tf.int32] * 4, header=True)),
            outcome(make, path, [], header=True),
            outcome(elements, tf, make(path, [tf.int32], select_cols=[0, 1])),
            outcome(elements, tf, make(path, [tf.int32] * 2, select_cols=[2, 1])),
        ]  # fmt: skip

    return _with_files(run, table=TABLE, spaced='1 "a b" NA\n2 c d\n', quoted='"a,b"\nc,d\n')


def decoded_lines(tf):
    def run(paths):
        lines = tf.data.TextLineDataset(paths["table"]).skip(1)
        parsed = lines.map(lambda line: tf.io.decode_csv(line, [[-1], ["?"], [0.0], ["no"]]))
        rows = parsed.map(
            lambda age, name, score, member: (
                {"age": age, "name": name, "score": score},
                tf.equal(member, "yes"),
            )
        )
        some = lines.map(lambda line: tf.io.decode_csv(line, [[0.0], ["no"]], select_cols=[2, 3]))
        batch = tf.io.decode_csv(tf.constant(["1;x", "2;y"]), [[0], [""]], field_delim=";")
        with tf.Session() as session:
            return [elements(tf, rows), elements(tf, rows.batch(3)), elements(tf, some),
                    session.run(batch)]  # fmt: skip

    return _with_files(run, table=TABLE)


def made_csv_datasets(tf):
    make = tf.data.experimental.make_csv_dataset

    def run(paths):
        path, found = paths["table"], []
        fixed = {"num_epochs": 1, "shuffle": False}
        calls = [
            lambda: make(path, 2, **fixed), lambda: make(path, 2, label_name="member", **fixed),
            lambda: make(path, 3, select_columns=["name", "score"], label_name="score", **fixed),
            lambda: make(path, 4, column_names=["a", "b", "c", "d"], header=True, **fixed),
            lambda: make(
                path, 4, column_defaults=[tf.float32, "nobody", [9.5], tf.string], **fixed
            ),
            lambda: make(path, 2, select_columns=[0, 1], column_defaults=[tf.int64, tf.string],
                         num_epochs=2, shuffle=False),
            lambda: make(path, 5, num_epochs=1, shuffle_seed=3, shuffle_buffer_size=4),
            lambda: make([path, path], 10, num_parallel_reads=1, sloppy=False, **fixed),
            lambda: make(path, 2, label_name="age", num_rows_for_inference=1, **fixed),
        ]  # fmt: skip
        for call in calls:
            dataset = call()
            found.append(_told(dataset))
            found.append(_read(tf, dataset))
        return found + [
            outcome(make, path, 2, label_name="nothing"),
            outcome(make, path, 2, ["a", "a", "b", "c"]),
            outcome(make, paths["none"], 2), outcome(make, path + "?", 2),
            outcome(make, path, 2, select_columns=["nobody"]),
            outcome(make, path, 2, column_defaults=[tf.int32]),
        ]  # fmt: skip

    return _with_files(run, table=TABLE, none="")


def _examples(tf):
    def feature(**lists):
        return tf.train.Feature(**{k: v for k, v in lists.items()})

    for i in range(5):
        yield tf.train.Example(features=tf.train.Features(feature={
            "id": feature(int64_list=tf.train.Int64List(value=[i])),
            "tags": feature(bytes_list=tf.train.BytesList(value=[b"t0", b"t1"][: i % 3])),
            "xy": feature(float_list=tf.train.FloatList(value=[i, i * 0.5])),
            "path": feature(float_list=tf.train.FloatList(value=range(2 * (i % 2 + 1)))),
        })).SerializeToString()  # fmt: skip


def _spec(tf):
    return {
        "id": tf.io.FixedLenFeature([], tf.int64),
        "tags": tf.io.VarLenFeature(tf.string),
        "xy": tf.io.FixedLenFeature([2], tf.float32),
        "more": tf.io.FixedLenFeature([], tf.string, default_value="none"),
        "path": tf.io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True),
    }


def records_of_examples(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "examples.gz")
        options = tf.io.TFRecordOptions(tf.io.TFRecordCompressionType.GZIP)
        with tf.io.TFRecordWriter(path, options) as writer:
            for example in _examples(tf):
                writer.write(example)
        records = tf.data.TFRecordDataset(path, "GZIP")
        single = records.map(lambda r: tf.io.parse_single_example(r, _spec(tf)))
        dense = single.map(lambda e: {**e, "tags": tf.sparse.to_dense(e["tags"], "")})
        batched = records.batch(3).map(lambda r: tf.io.parse_example(r, _spec(tf)))
        lists = batched.map(lambda e: [e["id"], e["tags"].values, e["tags"].dense_shape, e["path"]])
        by_step = records.batch(2).apply(tf.data.experimental.parse_example_dataset(_spec(tf)))
        padded = dense.padded_batch(
            3, {"id": [], "tags": [None], "xy": [2], "more": [], "path": [None, 2]}
        )
        count = records.reduce(0, lambda n, _: n + 1)
        with tf.Session() as session:
            counted = session.run(count)
        return [
            counted, elements(tf, dense), elements(tf, lists), elements(tf, padded),
            elements(tf, by_step.map(lambda e: (e["id"], e["tags"].indices, e["more"]))),
            _told(batched),
            outcome(elements, tf, tf.data.TFRecordDataset(path)),
        ]  # fmt: skip


def made_feature_datasets(tf):
    make = tf.data.experimental.make_batched_features_dataset
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"part-{i}") for i in range(2)]
        for path in paths:
            with tf.io.TFRecordWriter(path) as writer:
                for example in _examples(tf):
                    writer.write(example)
        spec = {key: _spec(tf)[key] for key in ("id", "xy", "more")}
        plain = {"num_epochs": 1, "shuffle": False}
        datasets = [
            make(os.path.join(folder, "part-*"), 3, spec, **plain),
            make(paths[0], 2, spec, label_key="id", num_epochs=2, shuffle=False),
            make(paths, 4, spec, drop_final_batch=True, reader_num_threads=2, parser_num_threads=2,
                 **plain),
            make(paths[0], 4, spec, shuffle=True, shuffle_seed=7, num_epochs=1),
            make(paths[0], 5, _spec(tf), **plain).map(lambda e: (e["tags"].values, e["path"])),
            make(paths[1], 5, spec, reader=tf.data.TFRecordDataset, reader_args=[""], **plain),
        ]  # fmt: skip
        return [
            [[_told(d), elements(tf, d)] for d in datasets],
            outcome(make, os.path.join(folder, "nothing-*"), 2, spec),
            outcome(make, paths, 2, spec, label_key="nothing"),
        ]


def files_side_by_side(tf):
    def run(paths):
        names = tf.data.Dataset.from_tensor_slices([paths["a"], paths["b"], paths["c"]])
        read = tf.data.TextLineDataset
        listed = tf.data.Dataset.list_files(os.path.dirname(paths["a"]) + "/*.txt", shuffle=False)
        return [
            elements(tf, names.interleave(lambda p: read(p).skip(1), 2, 2)),
            elements(tf, names.interleave(read, 3, 1, num_parallel_calls=2)),
            elements(tf, names.apply(tf.data.experimental.parallel_interleave(read, 2))),
            elements(tf, names.flat_map(lambda p: read(p).filter(
                lambda line: tf.not_equal(tf.strings.substr(line, 0, 1), "#")))),
            elements(tf, tf.data.Dataset.zip((read(paths["a"]), read(paths["b"])))),
            elements(tf, read([paths["a"], paths["c"]], buffer_size=3).enumerate(start=5)),
            elements(tf, listed.map(lambda p: tf.strings.split([p], "/").values[-1])),
            elements(tf, tf.data.FixedLengthRecordDataset(paths["d"], 2, 1, 1).map(
                lambda r: tf.io.decode_raw(r, tf.uint8))),
            outcome(elements, tf, read("/nowhere/at/all")),
            outcome(elements, tf, tf.data.Dataset.list_files(paths["a"] + "?")),
        ]  # fmt: skip

    return _with_files(run, a="a0\na1\n#a2\na3", b="b0\r\nb1\r\n", c="", d=bytes(range(8)))


def arrays_in_records(tf):
    arrays = [np.arange(6, dtype=np.float32).reshape(2, 3) + i for i in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arrays")
        dataset = tf.data.Dataset.from_tensor_slices(np.stack(arrays)).map(tf.io.serialize_tensor)
        write = tf.data.experimental.TFRecordWriter(path).write(dataset)
        with tf.Session() as session:
            session.run(write)
        read = tf.data.TFRecordDataset(path)
        parsed = read.map(lambda r: tf.io.parse_tensor(r, tf.float32))
        shaped = parsed.map(lambda x: tf.ensure_shape(x, [2, 3])).batch(2)
        raw = read.map(lambda r: tf.strings.length(r))
        return [elements(tf, parsed), elements(tf, shaped), elements(tf, raw),
                str(parsed.output_shapes), str(shaped.output_shapes),
                outcome(elements, tf, read.map(
                    lambda r: tf.io.parse_tensor(r, tf.int32)))]  # fmt: skip
