# SPDX-License-Identifier: Apache-2.0
"""Errors of data sets, on TensorFlow and on our server: which come once, which at each call.

errors_test.py [-k NAME]
"""

import gzip
import os
import re

import pytest
import tensorflow

from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
data = tf.data.Dataset
experimental = tf.data.experimental


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of lines, records and pieces."""
    folder = tmp_path_factory.mktemp("files")
    for i in range(2):
        lines = "".join(f"line {i}.{k}\n" for k in range(4)).encode()
        (folder / f"text{i}.txt").write_bytes(lines)
        (folder / f"text{i}.gz").write_bytes(gzip.compress(lines))
        with tf.io.TFRecordWriter(str(folder / f"records{i}.tfrecord")) as writer:
            writer.write(b"record")
    (folder / "fixed0.bin").write_bytes(b"HD" + bytes(range(12)) + b"F")
    packed = gzip.compress(bytes(range(60)))
    pieces = {"whole": packed, "cut": packed[:-12], "sum": packed[:-8] + b"s" + packed[-7:]}
    for name, content in pieces.items():
        (folder / f"{name}.gz").write_bytes(content)
    (folder / "returns.txt").write_bytes(b"a\rb\r\n\r\nc\r\r\nd")
    (folder / "folder").mkdir()
    os.environ["SLUICE_TEST_FILES"] = str(folder)


def one(name):
    return os.path.join(os.environ["SLUICE_TEST_FILES"], name)


# --- errors that come again at each call ---


def lines_of(*names, **options):
    return tf.data.TextLineDataset([one(name) for name in names], **options)


def missing_lines():
    return lines_of("text0.txt", "none", "text1.txt")


def missing_compressed_lines():
    return lines_of("text0.gz", "none", "text1.gz", compression_type="GZIP").prefetch(2)


def damaged_compressed_lines():
    return lines_of("text0.txt", "text1.gz", compression_type="GZIP")


def lines_of_a_folder():
    return lines_of("text0.txt", ".", "text1.txt").batch(3)


def missing_records():
    names = [one("records0.tfrecord"), one("none"), one("records1.tfrecord")]
    return tf.data.TFRecordDataset(names).map(lambda x: x, num_parallel_calls=2)


def missing_fixed_records():
    return tf.data.FixedLengthRecordDataset([one("none"), one("fixed0.bin")], 4, 2, 1)


def cut_fixed_records():
    return tf.data.FixedLengthRecordDataset([one("fixed0.bin")], 5, 2, 1)


def missing_rows():
    return experimental.CsvDataset([one("text0.txt"), one("none"), one("text1.txt")], [tf.string])


def damaged_compressed_rows():
    names = [one("text0.txt"), one("text1.gz")]
    return experimental.CsvDataset(names, [tf.string], compression_type="GZIP")


def missing_in_a_cycle():
    names = data.from_tensor_slices([one("text0.txt"), one("none"), one("text1.txt")])
    return names.interleave(tf.data.TextLineDataset, cycle_length=2)


@pytest.mark.parametrize(
    "build",
    [
        missing_lines,
        missing_compressed_lines,
        damaged_compressed_lines,
        lines_of_a_folder,
        missing_records,
        missing_fixed_records,
        cut_fixed_records,
        missing_rows,
        damaged_compressed_rows,
        missing_in_a_cycle,
    ],
)
def test_an_iterator_does_not_pass_a_bad_file(build, cluster, files):
    seen = read(build, cluster.target(), one_shot=False)
    assert isinstance(seen[-1], str) and seen[-1] != "the end"
    same(seen, read(build, "", one_shot=False))


def errors_in_a_cycle():
    def some(x):
        numbers = data.range(5).map(lambda y: 1.0 / tf.cast((x + y) % 3 - 1, tf.float32))
        return numbers.map(lambda y: tf.debugging.check_numerics(y, "x"))

    return data.range(4).interleave(some, cycle_length=2, block_length=2)


def test_an_error_keeps_the_turn(cluster):
    seen = read(errors_in_a_cycle, cluster.target(), one_shot=False)
    assert seen.count("InvalidArgumentError") > 4 and seen[-1] == "the end"
    same(seen, read(errors_in_a_cycle, "", one_shot=False))


def bad_elements(cycle, block, calls):
    def numbers():
        bad = data.from_tensor_slices(tf.constant([1.0, float("nan"), 2.0, float("nan"), 3.0]))
        checked = bad.map(lambda x: tf.debugging.check_numerics(x, "x"))
        return checked.interleave(
            lambda x: data.from_tensors(x).repeat(2), cycle, block, num_parallel_calls=calls
        )

    return numbers


@pytest.mark.parametrize("cycle, block, calls", [(2, 1, 1), (2, 3, 2), (3, 1, 2), (7, 2, 3)])
def test_an_element_that_fails_ahead_of_its_turn(cluster, cycle, block, calls):
    build = bad_elements(cycle, block, calls)
    seen = read(build, cluster.target(), one_shot=False)
    assert seen.count("InvalidArgumentError") == 2 and seen[-1] == "the end"
    same(seen, read(build, "", one_shot=False))


def ignored_missing_file():
    return missing_lines().apply(experimental.ignore_errors())


def test_an_error_that_repeats_is_not_ignored(cluster, files):
    """TensorFlow ignores it without end."""
    seen = read(ignored_missing_file, cluster.target(), one_shot=False)
    assert seen[:4] == [[b"line 0.%d" % i] for i in range(4)]
    assert set(seen[4:]) == {"NotFoundError"}


# --- damage that ends a file ---


def pieces_of(*names, **options):
    names = [one(name) for name in names]
    return tf.data.FixedLengthRecordDataset(names, compression_type="GZIP", **options)


def pieces_of_a_cut_file():
    return pieces_of("cut.gz", "whole.gz", record_bytes=4)


def pieces_of_damaged_files():
    return pieces_of("sum.gz", "text0.txt", "folder", "whole.gz", record_bytes=20)


def pieces_that_do_not_fill_the_file():
    return pieces_of("whole.gz", "whole.gz", record_bytes=7, header_bytes=2, footer_bytes=3)


def pieces_behind_a_damaged_header():
    return pieces_of("text0.txt", "whole.gz", record_bytes=20, header_bytes=20)


def lines_of_a_cut_file():
    return lines_of("cut.gz", "text0.gz", compression_type="GZIP")


def lines_with_carriage_returns():
    return lines_of("returns.txt")


@pytest.mark.parametrize(
    "build",
    [
        pieces_of_a_cut_file,
        pieces_of_damaged_files,
        pieces_that_do_not_fill_the_file,
        pieces_behind_a_damaged_header,
        lines_of_a_cut_file,
        lines_with_carriage_returns,
    ],
)
def test_damage_of_a_file_ends_it(build, cluster, files):
    seen = read(build, cluster.target(), one_shot=False)
    assert seen[-1] == "the end"
    same(seen, read(build, "", one_shot=False))


# --- a map and a batch in one stage ---


def map_and_batch(shape):
    return data.range(1, 5).apply(
        experimental.map_and_batch(lambda x: tf.zeros(shape(x)), 4, num_parallel_calls=1)
    )


def other_sizes():
    return map_and_batch(lambda x: tf.stack([2 + x // 3]))


def same_sizes():
    return map_and_batch(lambda x: tf.stack([x, 12 // x]))


def texts(build, target):
    """What the errors of the first two elements say, or the elements."""
    with tf.Graph().as_default() as graph, tf.container(build.__name__.replace("_", "-")):
        iterator = tf.data.make_initializable_iterator(build())
        following, said = iterator.get_next(), []
        with tf.Session(target, graph=graph) as session:
            session.run(iterator.initializer)
            for _ in range(2):
                try:
                    said.append(session.run(following).tolist())
                except tf.errors.InvalidArgumentError as error:
                    said.append(re.search("Cannot .*", error.message).group())
                except tf.errors.OutOfRangeError:
                    said.append("the end")
    return said


@pytest.mark.parametrize("build", [other_sizes, same_sizes])
def test_a_fused_batch_compares_counts_of_elements(build, cluster):
    assert texts(build, cluster.target()) == texts(build, "")


def uneven_components():
    """The first component differs in a later row than the second."""
    made = data.range(1, 5).map(lambda x: (tf.zeros([x // 4]), tf.zeros([x // 2])))
    return made.take(4).batch(4)  # TensorFlow 2 would join the map and the batch in one stage


def test_the_first_component_that_differs_is_named(cluster):
    said = texts(uneven_components, cluster.target())
    assert "component 0" in said[0] and said == texts(uneven_components, "")
