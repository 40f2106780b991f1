# SPDX-License-Identifier: Apache-2.0
"""Data sets on TensorFlow and on our server: the elements, their order, errors and the end agree.

    pipelines_test.py [-k NAME]

A case builds a data set. Both sides read it, element by element, through a one-shot and through an
initializable iterator.
"""

import gzip
import os
import zlib

import numpy as np
import pytest
import tensorflow

from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
MAJOR = int(tensorflow.__version__.split(".")[0])
data = tf.data.Dataset
experimental = tf.data.experimental

CASES = {}


def case(build):
    CASES[build.__name__] = build
    return build


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of lines, records and pieces."""
    folder = tmp_path_factory.mktemp("files")
    for i in range(3):
        lines = "".join(f"line {i}.{k}\n" for k in range(4 + i)).encode()
        (folder / f"text{i}.txt").write_bytes(lines)
        (folder / f"text{i}.gz").write_bytes(gzip.compress(lines))
        (folder / f"text{i}.zlib").write_bytes(zlib.compress(lines))
        (folder / f"fixed{i}.bin").write_bytes(b"HD" + bytes(range(10 * i, 10 * i + 12)) + b"F")
        for suffix, kind in (("", ""), (".gz", "GZIP"), (".zlib", "ZLIB")):
            name = str(folder / f"records{i}.tfrecord{suffix}")
            options = tf.io.TFRecordOptions(compression_type=kind)
            with tf.io.TFRecordWriter(name, options=options) as writer:
                for k in range(3 + i):
                    writer.write(f"record {i}.{k}".encode() * (k + 1))
    damaged = (folder / "records1.tfrecord").read_bytes()
    (folder / "damaged.tfrecord").write_bytes(damaged[:40] + b"\xff" + damaged[41:])
    (folder / "cut.tfrecord").write_bytes(damaged[:-3])
    os.environ["SLUICE_TEST_FILES"] = str(folder)
    return folder


def paths(pattern):
    return [os.path.join(os.environ["SLUICE_TEST_FILES"], pattern % i) for i in range(3)]


def one(name):
    return os.path.join(os.environ["SLUICE_TEST_FILES"], name)


# --- sources ---


@case
def one_tensor():
    return data.from_tensors(np.arange(6).reshape(2, 3))


@case
def tuples():
    return data.from_tensors((1, [2.0, 3.0], {"a": "x", "b": [True, False]}))


@case
def rows():
    return data.from_tensor_slices((np.arange(12.0).reshape(4, 3), np.array(list("abcd"))))


@case
def rows_of_no_elements():
    return data.from_tensor_slices(np.zeros((0, 3), np.float32))


@case
def ranges():
    return data.range(-3, 20, 4).concatenate(data.range(5)).concatenate(data.range(4, -5, -3))


@case
def lines():
    return tf.data.TextLineDataset(paths("text%d.txt"))


@case
def compressed_lines():
    return tf.data.TextLineDataset(paths("text%d.gz"), "GZIP").concatenate(
        tf.data.TextLineDataset(paths("text%d.zlib"), "ZLIB")
    )


@case
def records():
    return tf.data.TFRecordDataset(paths("records%d.tfrecord"))


@case
def compressed_records():
    return tf.data.TFRecordDataset(paths("records%d.tfrecord.gz"), "GZIP").concatenate(
        tf.data.TFRecordDataset(paths("records%d.tfrecord.zlib"), "ZLIB")
    )


@case
def fixed_records():
    return tf.data.FixedLengthRecordDataset(paths("fixed%d.bin"), 4, 2, 1)


@case
def cut_records():
    return tf.data.TFRecordDataset([one("cut.tfrecord")])


# --- transformations of one element ---


@case
def mapped():
    scale = tf.constant(3, tf.int64)
    return data.range(10).map(lambda x: (x * scale, tf.strings.as_string(x)))


@case
def mapped_with_errors():
    return data.range(6).map(
        lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "x")
    )


@case
def mapped_in_parallel():
    return data.range(40).map(lambda x: x * x, num_parallel_calls=4)


@case
def parallel_errors():
    return data.range(9).map(
        lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x % 4 - 2, tf.float32), "x"),
        num_parallel_calls=3,
    )


@case
def filtered():
    return data.range(20).filter(lambda x: tf.equal(x % 3, 1))


@case
def conditional_map():
    def body(x):
        return tf.cond(
            x > 4, lambda: x * 10, lambda: tf.while_loop(lambda i: i < 7, lambda i: i + 1, [x])
        )

    return data.range(9).map(body)


@case
def scanned():
    return data.range(8).apply(
        experimental.scan(np.int64(1), lambda state, x: (state + x, (state, state * x)))
    )


@case
def until():
    return data.range(20).apply(experimental.take_while(lambda x: x < 5))


@case
def random_map():
    def draw(x):
        return tf.random.uniform([], seed=7) + tf.cast(x, tf.float32)

    return data.range(5).map(draw).repeat(3)


# --- sequences ---


@case
def repeated():
    return data.range(3).repeat(4).concatenate(data.range(2).repeat(0))


@case
def repeated_without_end():
    return data.range(3).repeat()


@case
def nothing_repeated():
    return data.range(0).repeat()


@case
def taken():
    return (
        data.range(10)
        .skip(3)
        .take(4)
        .concatenate(data.range(3).take(-1))
        .concatenate(data.range(9).skip(-1))
    )


@case
def sharded():
    return data.range(11).shard(3, 1)


@case
def zipped():
    return data.zip((data.range(5), {"b": data.range(10, 14).map(lambda x: x * 2)}))


@case
def flattened():
    return data.range(5).flat_map(lambda x: data.from_tensors(x).repeat(x))


@case
def interleaved():
    return data.range(1, 8).interleave(
        lambda x: data.from_tensors(x).repeat(x), cycle_length=3, block_length=2
    )


@case
def copied_to_a_device():
    return data.range(6).apply(experimental.copy_to_device("/cpu:0"))


@case
def prefetched_to_a_device():
    return data.range(6).apply(experimental.prefetch_to_device("/cpu:0"))


@case
def interleaved_by_default():
    return data.range(9).interleave(lambda x: data.from_tensors(x).repeat(2))


@case
def interleaved_by_default_by_one_call():
    twice = lambda x: data.from_tensors(x).repeat(2)  # noqa: E731
    return data.range(9).interleave(twice, num_parallel_calls=1)


@case
def interleaved_by_default_by_many_calls():
    twice = lambda x: data.from_tensors(x).repeat(2)  # noqa: E731
    return data.range(9).interleave(twice, num_parallel_calls=experimental.AUTOTUNE)


@case
def interleaved_in_parallel():
    return data.range(1, 8).interleave(
        lambda x: data.range(10 * x, 10 * x + x),
        cycle_length=3,
        block_length=2,
        num_parallel_calls=2,
    )


@case
def parallel_interleave():
    return data.range(1, 8).apply(
        experimental.parallel_interleave(
            lambda x: data.range(10 * x, 10 * x + 4), cycle_length=2, block_length=1
        )
    )


@case
def files_interleaved():
    return data.from_tensor_slices(paths("text%d.txt")).interleave(
        tf.data.TextLineDataset, cycle_length=2, block_length=3
    )


@case
def shuffled():
    return data.range(30).shuffle(7, seed=3)


@case
def shuffled_each_time():
    return data.range(12).shuffle(5, seed=11).repeat(3)


@case
def shuffled_alike():
    return data.range(12).shuffle(5, seed=11, reshuffle_each_iteration=False).repeat(3)


@case
def shuffled_at_two_places():
    made = data.range(2).shuffle(2, seed=92)
    return made.concatenate(made)


@case
def shuffled_and_repeated():
    return data.range(9).apply(experimental.shuffle_and_repeat(4, count=4, seed=5))


@case
def prefetched():
    return data.range(20).map(lambda x: x + 1).prefetch(3).prefetch(1)


@case
def prefetched_errors():
    return (
        data.range(6)
        .map(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "x"))
        .prefetch(2)
    )


@case
def cached():
    return data.range(5).map(lambda x: x * 2).cache().repeat(3)


@case
def without_errors():
    return (
        data.range(8)
        .map(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x % 3 - 1, tf.float32), "x"))
        .apply(experimental.ignore_errors())
    )


# --- batches ---


@case
def batches():
    return data.from_tensor_slices((np.arange(14).reshape(7, 2), np.array(list("abcdefg")))).batch(
        3
    )


@case
def large_batches():
    """More strings than a batch has memory for at first; the last batch is smaller."""
    texts = np.array(["a text of row %d" % i for i in range(30000)])
    return data.from_tensor_slices((texts, np.arange(30000))).batch(17000)


@case
def a_batch_larger_than_its_data_set():
    return data.range(600000).batch(1000000)


@case
def whole_batches():
    return data.range(11).batch(4, drop_remainder=True)


@case
def uneven_batches():
    return data.range(1, 6).map(lambda x: tf.fill([x % 3], x)).batch(2)


@case
def padded_batches():
    return (
        data.range(1, 9)
        .map(lambda x: (tf.fill([x % 4], x), tf.fill([x % 3, 2], "s")))
        .padded_batch(3, padded_shapes=([None], [4, None]), padding_values=(np.int64(-1), "p"))
    )


@case
def too_large_to_pad():
    return data.range(1, 9).map(lambda x: tf.fill([x], x)).padded_batch(2, padded_shapes=[3])


@case
def mapped_batches():
    return data.range(17).apply(
        experimental.map_and_batch(lambda x: (x, x * x), 5, num_parallel_calls=3)
    )


@case
def unbatched():
    return data.range(10).batch(4).apply(experimental.unbatch()).map(lambda x: x + 100)


@case
def random_numbers():
    return experimental.RandomDataset(seed=9).take(10)


@case
def sampled():
    return experimental.sample_from_datasets(
        [data.range(20), data.range(100, 104)], [0.6, 0.4], seed=3
    )


@case
def chosen():
    return experimental.choose_from_datasets(
        [data.range(5), data.range(10, 12)], data.range(12).map(lambda x: x % 2)
    )


@case
def unique():
    return data.range(30).map(lambda x: tf.strings.as_string(x % 7)).apply(experimental.unique())


@case
def shuffled_sets():
    """Elements that are data sets wait in a buffer."""
    sets = data.range(7).map(lambda n: data.range(n).map(lambda x: x * n))
    return sets.shuffle(3, seed=4).interleave(lambda s: s.batch(2), cycle_length=2)


@case
def windows():
    return data.range(11).window(4, shift=3, stride=2).flat_map(lambda w: w.batch(4))


@case
def whole_windows():
    def join(x, y):
        return data.zip((x.batch(3), y.batch(3)))

    pairs = data.zip((data.range(10), data.range(10, 20)))
    return pairs.window(3, shift=4, drop_remainder=True).flat_map(join)


@case
def groups():
    return data.range(17).apply(
        experimental.group_by_window(lambda x: x % 3, lambda key, w: w.batch(4), window_size=4)
    )


@case
def groups_of_sizes():
    return data.range(17).apply(
        experimental.group_by_window(
            lambda x: x % 3,
            lambda key, w: w.map(lambda x: (key, x)),
            window_size_func=lambda key: key + 1,
        )
    )


@case
def buckets():
    return (
        data.range(1, 14)
        .map(lambda x: tf.range(x % 7))
        .apply(experimental.bucket_by_sequence_length(tf.size, [3, 5], [2, 3, 2]))
    )


def example(i):
    feature = {
        "id": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
        "words": tf.train.Feature(
            bytes_list=tf.train.BytesList(value=[b"w%d" % k for k in range(i % 4)])
        ),
        "list": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5 * i] * (i % 3))),
    }
    if i % 5 != 4:
        feature["pair"] = tf.train.Feature(float_list=tf.train.FloatList(value=[i, -i]))
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def examples(features, missing=False):
    found = [example(i) for i in range(13) if missing or i % 5 != 4]
    made = data.from_tensor_slices(found).batch(4)
    return made.apply(experimental.parse_example_dataset(features, num_parallel_calls=2))


def densified(parsed):
    return {k: tf.sparse.to_dense(v, "") if k == "words" else v for k, v in parsed.items()}


@case
def examples_of_dense_features():
    return examples(
        {
            "pair": tf.io.FixedLenFeature([2], tf.float32),
            "id": tf.io.FixedLenFeature([], tf.int64),
            "none": tf.io.FixedLenFeature([1], tf.string, ["x"]),
            "list": tf.io.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
        }
    )


@case
def examples_of_sparse_features():
    return examples(
        {"words": tf.io.VarLenFeature(tf.string), "id": tf.io.FixedLenFeature([], tf.int64)}
    ).map(densified)


@case
def examples_without_a_feature():
    return examples({"pair": tf.io.FixedLenFeature([2], tf.float32)}, missing=True)


@case
def a_long_chain():
    return (
        data.from_tensor_slices(paths("records%d.tfrecord"))
        .shuffle(3, seed=1)  # 1.15 draws the seeds of this order once more than 2.x
        .interleave(tf.data.TFRecordDataset, cycle_length=2)
        .map(tf.strings.length, num_parallel_calls=2)
        .shuffle(6, seed=2)
        .repeat(2)
        .batch(5)
        .prefetch(1)
    )


@pytest.mark.parametrize("name", CASES)
def test_elements_agree(name, cluster, files):
    build = CASES[name]
    for one_shot in (False, True):
        same(read(build, cluster.target(), one_shot), read(build, "", one_shot))


def begun(target):
    """The error of the initializer, if there is one."""
    with tf.Graph().as_default() as graph:
        made = data.range(3).interleave(lambda x: data.range(2), 1, 1, num_parallel_calls=3)
        iterator = tf.data.make_initializable_iterator(made)
        with tf.Session(target, graph=graph) as session:
            try:
                return session.run(iterator.initializer)
            except tf.errors.OpError as error:
                return type(error).__name__


def test_more_calls_than_a_cycle(cluster):
    assert begun(cluster.target()) == begun("") == "InvalidArgumentError"
