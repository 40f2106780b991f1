# SPDX-License-Identifier: Apache-2.0
"""Ops that read files by themselves, in TensorFlow and on our server: RecordInput, what finds the
words of an old vocabulary, what takes a matrix out of a checkpoint.

    input_files_test.py [NAME...]   parts of names of cases
"""


import numpy as np
import pytest
import tensorflow
from tensorflow.python.ops import gen_data_flow_ops

from interop.ops.staging_readers_test import compare, path, raw, record_file, write

tf = tensorflow.compat.v1


# ---- what a model keeps when its vocabulary changes


def vocabulary(name, *words):
    return write(name, b"".join(word + b"\n" for word in words))


def remapped_vocabulary(program):
    old, new = vocabulary("old", b"a", b"b", b"c", b"d"), vocabulary("new", b"x", b"c", b"b", b"a")
    twice = vocabulary("twice", b"a", b"b", b"a")
    blank, none = vocabulary("blank", b"a", b"", b"b"), vocabulary("none")
    unended, windows = write("unended", b"a\nb"), write("windows", b"b\r\na \r\n")

    def remap(new_file, old_file, offset, count, old_size=-1):
        program.run(
            list(
                raw.GenerateVocabRemapping(
                    new_vocab_file=new_file,
                    old_vocab_file=old_file,
                    new_vocab_offset=offset,
                    num_new_vocab=count,
                    old_vocab_size=old_size,
                )
            )
        )

    for offset, count in ((0, 4), (1, 2), (0, 0), (4, 0), (0, 5), (4, 1), (5, 0)):
        remap(new, old, offset, count)
    for size in (0, 1, 2, 4, 5):
        remap(new, old, 0, 4, size)
    for files in ((new, twice), (twice, old), (unended, old), (windows, old), (old, windows)):
        remap(*files, 0, 2)
    remap(new, twice, 0, 4, 2)
    for files in ((blank, old), (new, blank), (none, old), (new, none), (new, path("no file"))):
        remap(*files, 0, 1)
    remap(tf.placeholder_with_default([new], None), old, 0, 1)
    remap(tf.placeholder_with_default("", None), old, 0, 1)


def remapped_matrix(program):
    old = np.arange(20, dtype=np.float32).reshape(5, 4)
    name = tf.constant(path("remapped"))
    tensors = {"matrix": old, "integers": old.astype(np.int32), "deep": old.reshape(5, 2, 2)}
    names = sorted(tensors)
    save = raw.SaveV2(
        prefix=name,
        tensor_names=names + ["parts"] * 2,
        shape_and_slices=[""] * 3 + ["5 4 0,2:-", "5 4 2,3:-"],
        tensors=[tensors[n] for n in names] + [old[:2], old[2:]],
    )
    program.run(save)

    def load(tensor, rows, columns, values, shape, at_once=-1, file=name):
        program.run(
            raw.LoadAndRemapMatrix(
                ckpt_path=file,
                old_tensor_name=tensor,
                row_remapping=tf.placeholder_with_default(np.array(rows, np.int64), None),
                col_remapping=tf.placeholder_with_default(np.array(columns, np.int64), None),
                initializing_values=tf.constant(values, tf.float32),
                num_rows=shape[0],
                num_cols=shape[1],
                max_rows_in_memory=at_once,
            )
        )

    for tensor in ("matrix", "parts"):
        for at_once in (-1, 0, 1, 2, 100):
            load(tensor, [4, -1, 0, 3], [3, -1], np.arange(100, 105), (4, 2), at_once)
            load(tensor, [4, 0, 1], [], [], (3, 4), at_once)
    load("matrix", [-1, -5], [], np.arange(8), (2, 4))
    load("matrix", [], [], [], (0, 4))
    load("matrix", [1], [-1, -1], [[1], [2]], (1, 2))
    for rows, columns, values, shape in (
        ([4, 4], [], [], (2, 4)),
        ([4], [1, 2, 1], [], (1, 3)),
        ([-1], [], np.arange(3), (1, 4)),
        ([-1], [], np.arange(5), (1, 4)),
        ([0], [], [1], (1, 4)),
        ([0, 1], [], [], (3, 4)),
        ([0], [1, 2], [], (1, 3)),
        ([0], [], [], (1, 3)),
    ):
        load("matrix", rows, columns, values, shape)
    for tensor in ("integers", "deep", "nobody"):
        load(tensor, [0], [], [], (1, 2))
    load("matrix", [0], [], [], (1, 4), file=tf.constant(path("no checkpoint")))


def warm_start(program):
    """A program that keeps the weights of the words that its new vocabulary still has."""
    old, new = vocabulary("first", b"a", b"b", b"c"), vocabulary("second", b"c", b"z", b"a", b"y")
    folder = path("warm")
    weights = np.arange(6, dtype=np.float32).reshape(3, 2)
    with tf.variable_scope("before"):
        before = tf.get_variable("weights", initializer=weights)
    program.run(before.initializer)
    tf.train.Saver({"weights": before}).save(program.session, folder + "/model")
    kept = tf.get_variable(
        "weights", [4, 2], initializer=tf.zeros_initializer(), use_resource=False
    )
    info = tf.train.VocabInfo(new, 4, 0, old, backup_initializer=tf.ones_initializer())
    tf.train.warm_start(folder, "^weights", {"weights": info})
    program.run(kept.initializer)
    program.run(kept)


# ---- records of files in an order of chance


def record_epochs(program):
    """All records of an epoch come before one of the next."""
    for i in range(3):
        record_file("epoch%d" % i, [b"%d %d" % (i, j) for j in range(4)])
    for options in (
        {"file_buffer_size": 5},
        {"file_buffer_size": 100, "file_parallelism": 1},
        {"file_buffer_size": 1, "file_shuffle_shift_ratio": 0.5},
    ):
        batch = record_input(file_pattern=path("epoch?"), batch_size=6, **options)
        for _ in range(3):
            epoch = [program.session.run(batch) for _ in range(2)]
            program.results.append(np.sort(np.concatenate(epoch)))
    record_file("packed", [b"one"], "GZIP")
    batch = record_input(file_pattern=path("packed"), batch_size=2, compression_type="GZIP")
    program.run(batch, times=2)
    program.run(record_input(file_pattern=path("packed"), batch_size=2))
    # An unknown compression counts as none; no file is read before the first run.
    record_file("plain", [b"one"])
    for compression in ("gzip", "unknown"):
        for name in ("plain", "no such"):
            options = {"batch_size": 1, "compression_type": compression}
            program.run(record_input(file_pattern=path(name), **options))
    program.run(record_input(file_pattern=path("no such*"), batch_size=2))


def record_input(**attrs):
    return gen_data_flow_ops.record_input(**attrs)


CASES = [remapped_vocabulary, remapped_matrix, warm_start, record_epochs]


JOBS = {"worker": 1}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_input_files(ours, theirs, case):
    compare(case, ours, theirs)
