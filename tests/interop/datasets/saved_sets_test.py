# SPDX-License-Identifier: Apache-2.0
"""Data sets that are saved by one program and loaded by another: TensorFlow reads what our server
writes, and the reverse (SaveDataset, SaveDatasetV2, LoadDataset, SnapshotDatasetReader). And the
ops that ask a data set for one element or its batch size.
"""

import glob
import os
import shutil

import numpy as np
import pytest
import tensorflow

from interop.datasets.reading import read, same

tf = tensorflow.compat.v1
data = tf.data.Dataset
raw = getattr(tf, "raw_ops", None)

pytestmark = pytest.mark.skipif(
    tensorflow.__version__.startswith("1"), reason="1.15 does not have the ops"
)


def elements():
    return data.range(10).map(lambda x: (x, tf.strings.as_string(x), tf.fill([x], x)))


def by_rest(x, *_):
    return x % 3


def run(target, build):
    with tf.Graph().as_default(), tf.Session(target) as session:
        return session.run(build())


def load(path, compression):
    def loaded():
        return tensorflow.data.Dataset.load(path, compression=compression)

    return loaded


WAYS = [(None, None), ("GZIP", None), ("NONE", by_rest), ("GZIP", by_rest)]


@pytest.mark.parametrize("compression, shards", WAYS)
@pytest.mark.parametrize("ours_writes", [True, False])
def test_each_reads_what_the_other_writes(target, tmp_path, compression, shards, ours_writes):
    path = str(tmp_path / "saved")
    kw = {"compression": compression, "shard_func": shards}
    run(target if ours_writes else "", lambda: elements().save(path, **kw))
    files = glob.glob(os.path.join(path, "*", "*.shard", "*.snapshot"))
    assert len(files) == (3 if shards else 1)
    ours, theirs = (read(load(path, compression), place, False) for place in (target, ""))
    same(ours, theirs)
    assert sorted(int(x[0]) for x in ours[:-1]) == list(range(10))


@pytest.mark.parametrize("set_of", [lambda: data.range(0), lambda: data.range(3).repeat(2)])
def test_small_sets(target, tmp_path, set_of):
    path = str(tmp_path / "saved")
    run(target, lambda: set_of().save(path))
    same(read(load(path, None), target, False), read(load(path, None), "", False))
    sizes = [run(place, lambda: load(path, None)().cardinality()) for place in (target, "")]
    assert sizes[0] == sizes[1]


def saving(path):
    from tensorflow.python.data.ops import dataset_ops, save_op

    def passing():
        made = save_op._SaveDataset(elements(), path, by_rest, None)
        return dataset_ops.DatasetV1Adapter(made)

    return passing


@pytest.mark.parametrize("ours_writes", [True, False])
def test_saving_while_elements_pass(target, tmp_path, ours_writes):
    path, place = str(tmp_path / "saved"), target if ours_writes else ""
    same(read(saving(path), place, False), read(elements, "", False))
    ours, theirs = (read(load(path, None), where, False) for where in (target, ""))
    same(ours, theirs)
    assert len(ours) == 11


def shards_in_turn(shards):
    return shards.flat_map(lambda shard: shard)


def by_length(line):
    return tf.cast(tf.strings.length(line) % 3, tf.int64)


@pytest.mark.parametrize("compression", ["GZIP", "NONE", "AUTO", "SNAPPY"])
@pytest.mark.parametrize("ours_writes", [True, False])
def test_each_reads_the_others_snapshots(target, tmp_path, compression, ours_writes):
    """Each looks for the snapshot in a folder of its own name for the data set."""
    source, path = str(tmp_path / "source"), str(tmp_path / "kept")
    writes, reads = (target, "") if ours_writes else ("", target)

    def read_kept(place, reader=None):
        def kept():
            return tf.data.TextLineDataset(source).snapshot(path, compression, reader, by_length)

        return read(kept, place, False)

    lines = [b"line" * length for length in range(9)]
    with open(source, "wb") as file:
        file.write(b"\n".join(lines))
    same(read_kept(writes), [[line] for line in lines] + ["the end"])
    (written,) = glob.glob(os.path.join(path, "*"))
    assert len(glob.glob(os.path.join(written, "*", "*.shard", "*.snapshot"))) == 3
    with open(source, "wb") as file:
        file.write(b"another\n")
    os.rename(path, path + "_written")
    assert read_kept(reads)[0] == [b"another"]
    shutil.copytree(os.path.join(path + "_written", os.path.basename(written)), written)
    (expected,) = set(os.listdir(path)) - {os.path.basename(written)}
    shutil.rmtree(os.path.join(path, expected))
    shutil.copytree(written, os.path.join(path, expected))
    for reader in (None, shards_in_turn):
        ours, theirs = (read_kept(place, reader) for place in (target, ""))
        same(ours, theirs)
        assert sorted(line for (line,) in ours[:-1]) == lines


@pytest.mark.parametrize("first, version", [(0, 2), (1, 2), (0, 3)])
def test_one_shard(target, tmp_path, first, version):
    path = str(tmp_path / "saved")
    run("", lambda: data.range(10).save(path, shard_func=by_rest))
    folder = sorted(glob.glob(os.path.join(path, "*", "*.shard")))[1]

    spec = {"output_types": [tf.int64], "output_shapes": [[]]}
    seen = []
    for place in (target, ""):
        with tf.Graph().as_default(), tf.Session(place) as session:
            # Fed: TensorFlow folds a constant data set, and does not find it afterwards.
            fed = tf.placeholder(tf.string, [])
            shard = raw.SnapshotDatasetReader(
                shard_dir=fed, start_index=first, version=version, **spec
            )
            two = raw.TakeDataset(input_dataset=shard, count=2, **spec)
            second = raw.SkipDataset(input_dataset=two, count=1, **spec)
            element = raw.DatasetToSingleElement(dataset=second, **spec)
            try:
                seen.append(session.run(element, {fed: folder}))
            except tf.errors.OpError as error:
                seen.append(type(error).__name__)
    assert seen[0] == seen[1]
    if (first, version) == (0, 2):
        assert seen[0] == [4]


def test_what_cannot_be_loaded(target, tmp_path):
    path = str(tmp_path / "none")

    def missing():
        return tensorflow.data.Dataset.load(path, tensorflow.TensorSpec([], tf.int64))

    for place in (target, ""):
        with pytest.raises(tf.errors.NotFoundError, match="Could not find metadata file"):
            read(missing, place, False)
    saved = str(tmp_path / "saved")
    run("", lambda: elements().save(saved))
    file = glob.glob(os.path.join(saved, "*", "*.shard", "*.snapshot"))[0]
    with open(file, "r+b") as damaged:
        damaged.seek(15)
        damaged.write(b"?")
    for place in (target, ""):
        assert "DataLossError" in read(load(saved, None), place, False)


def element(made, index, dtype=tf.int64, shape=()):
    return raw.GetElementAtIndex(
        dataset=made._variant_tensor, index=index, output_types=[dtype], output_shapes=[shape]
    )


def batches():
    return data.range(10).batch(3)


@pytest.mark.parametrize("index", [0, 1, 3])
def test_element_at_an_index(target, index):
    def build():
        rows = data.from_tensor_slices(np.arange(10) ** 2)
        return element(rows, index)[0], element(batches(), index, shape=[None])[0]

    for ours, theirs in zip(run(target, build), run("", build)):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("index", [-1, 4])
def test_no_element_at_an_index(target, index):
    for place in (target, ""):
        with pytest.raises(tf.errors.OutOfRangeError, match=r"Index out of range \[0, 4\)"):
            run(place, lambda: element(batches(), index, shape=[None]))
    for place in (target, ""):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(place, lambda: element(data.range(4), 0, tf.int32))


@pytest.mark.parametrize(
    "made",
    [
        batches,
        lambda: data.range(10),
        lambda: batches().map(lambda x: x),
        lambda: batches().repeat().prefetch(2),
        lambda: data.zip((batches(), batches())),
        lambda: data.zip((batches(), data.range(7).batch(2))),
        lambda: batches().concatenate(batches().skip(1)),
        lambda: data.range(10).padded_batch(4).shuffle(2).cache(),
        lambda: data.range(10).batch(5).take(1).filter(lambda x: True).shard(2, 0),
    ],
)
def test_batch_size(target, made):
    def build():
        return raw.ComputeBatchSize(input_dataset=made()._variant_tensor)

    assert run(target, build) == run("", build)


JOBS = {"worker": 1}
