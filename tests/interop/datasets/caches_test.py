# SPDX-License-Identifier: Apache-2.0
"""Caches of data sets in files: TensorFlow and our server read each other's.

caches_test.py [-k NAME]
"""

import functools
import os
import time

import pytest
import tensorflow

from interop.datasets.pipelines_test import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
data = tf.data.Dataset


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def elements(count=7):
    """Elements of several components; `count` has no influence on them."""
    return data.range(count).map(
        lambda x: (x, tf.strings.as_string(x * x), tf.fill([x % 3, 2], 0.5), tf.constant(True))
    )


def never():
    """Elements like those, all of them errors."""

    def fail(x, s, f, b):
        nan = tf.math.log(tf.cast(x, tf.float32) * 0.0 - 1.0)
        return x, s, f + tf.debugging.check_numerics(nan, "no"), b

    return elements().map(fail)


def named(build, name):
    """The function, with a name for the container of its iterators."""
    build.__name__ = name
    return build


def cached(made, path, name, times=1):
    return named(lambda: made().cache(path).repeat(times), name)


@pytest.mark.parametrize("one_shot", (False, True))
def test_elements_agree(cluster, tmp_path, one_shot):
    seen = {}
    for side, target in (("ours", cluster.target()), ("theirs", "")):
        path = str(tmp_path / side / "cache")
        os.mkdir(tmp_path / side)
        seen[side] = [
            read(cached(elements, path, f"cache-agrees-{run}", times=3), target, one_shot)
            for run in range(2)
        ]
    same(seen["ours"][0], seen["theirs"][0])
    same(seen["ours"][1], seen["theirs"][0])
    assert sorted(os.listdir(tmp_path / "ours")) == sorted(os.listdir(tmp_path / "theirs"))


def test_each_reads_the_others_files(cluster, tmp_path):
    for name, first, second in (("a", cluster.target(), ""), ("b", "", cluster.target())):
        path = str(tmp_path / name)
        written = read(cached(elements, path, f"cache-write-{name}"), first, False)
        same(read(cached(never, path, f"cache-read-{name}"), second, False), written)
        assert len(written) == 8


def many_components():
    return data.range(12).map(lambda x: tuple(x * 100 + i for i in range(11)))


def test_numbers_are_padded(cluster, tmp_path):
    """Components and elements whose numbers have two digits."""
    for name, first, second in (("a", cluster.target(), ""), ("b", "", cluster.target())):
        path = str(tmp_path / name)
        written = read(cached(many_components, path, f"cache-pads-{name}"), first, False)
        again = cached(lambda: many_components().take(0), path, f"cache-padded-{name}")
        same(read(again, second, False), written)
        assert len(written) == 13


def test_a_restarted_server_reads_the_cache(tmp_path):
    path = str(tmp_path / "cache")
    with Cluster({"worker": 1}) as ours:
        written = read(cached(elements, path, "restart"), ours.target(), False)
    with Cluster({"worker": 1}) as ours:
        same(read(cached(never, path, "restart"), ours.target(), False), written)


def test_one_run_writes_at_a_time(cluster, tmp_path):
    texts = []
    for side, target in (("ours", cluster.target()), ("theirs", "")):
        path = str(tmp_path / side)
        with tf.Graph().as_default(), tf.container(f"cache-lock-{side}"):
            iterators = [
                tf.data.make_initializable_iterator(elements().cache(path)) for _ in range(2)
            ]
            following = [iterator.get_next()[0] for iterator in iterators]
            with tf.Session(target) as session:
                session.run([iterator.initializer for iterator in iterators])
                assert session.run(following[0]) == 0
                with pytest.raises(tf.errors.AlreadyExistsError) as error:
                    session.run(following[1])
                text = error.value.message.replace(path, "PATH")
                texts.append(text[text.index("There appears") : text.index("contents: ")])
                assert [session.run(following[0]) for _ in range(6)] == [1, 2, 3, 4, 5, 6]
                with pytest.raises(tf.errors.OutOfRangeError):
                    session.run(following[0])
                session.run(iterators[1].initializer)
                assert [session.run(following[1]) for _ in range(7)] == list(range(7))
    assert texts[0] == texts[1]


def test_a_run_that_ends_early_leaves_no_files(cluster, tmp_path):
    with tf.Graph().as_default(), tf.container("cache-early"):
        iterator = tf.data.make_initializable_iterator(elements().cache(str(tmp_path / "cache")))
        following = iterator.get_next()[0]
        with tf.Session(cluster.target()) as session:
            for _ in range(3):
                session.run(iterator.initializer)
                assert session.run(following) == 0
                assert os.listdir(tmp_path)
                session.run(iterator.initializer)  # which ends the run
                end = time.monotonic() + 20
                while os.listdir(tmp_path) and time.monotonic() < end:
                    time.sleep(0.01)
                assert not os.listdir(tmp_path)


def test_elements_that_fail_are_not_in_the_cache(cluster, tmp_path):
    def made():
        return data.range(4).map(
            lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "x")
        )

    for name, target in (("ours", cluster.target()), ("theirs", "")):
        build = cached(made, str(tmp_path / name), "cache-errors", times=2)
        seen = read(build, target, False)
        assert seen[2] == "InvalidArgumentError"
        assert len([x for x in seen if isinstance(x, str)]) == 2, seen


def damaged(cluster, tmp_path, name, file, change):
    path = str(tmp_path / name)
    read(cached(elements, path, f"damage-{name}"), cluster.target(), False)
    change(path + file)
    return read(cached(elements, path, f"damaged-{name}"), cluster.target(), False)


def rewrite(path, change):
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(change(content))


def test_damaged_files_are_errors(cluster, tmp_path):
    index, values = ".index", ".data-00000-of-00001"
    for name, file, change in (
        ("short-index", index, lambda b: b[: len(b) // 2]),
        ("empty-index", index, lambda b: b""),
        (
            "noise-index",
            index,
            lambda b: bytes(x ^ 0x55 if i % 9 == 4 else x for i, x in enumerate(b)),
        ),
        ("short-values", values, lambda b: b[: len(b) // 2]),
        ("noise-values", values, lambda b: bytes(x ^ 1 for x in b)),
    ):
        seen = damaged(cluster, tmp_path, name, file, functools.partial(rewrite, change=change))
        assert "DataLossError" in seen, (name, seen)
    seen = damaged(cluster, tmp_path, "no-values", values, os.remove)
    assert "NotFoundError" in seen, seen


def test_a_cache_of_other_elements_is_an_error(cluster, tmp_path):
    path = str(tmp_path / "cache")
    read(cached(elements, path, "cache-types"), cluster.target(), False)
    other = cached(lambda: data.from_tensors((1.0, "x", [[1.0, 2.0]], True)), path, "cache-other")
    assert read(other, cluster.target(), False)[0] == "InvalidArgumentError"


def test_a_missing_folder_is_an_error(cluster, tmp_path):
    build = cached(elements, str(tmp_path / "no" / "folder" / "cache"), "cache-folder")
    assert read(build, cluster.target(), False)[0] == "NotFoundError"
