# SPDX-License-Identifier: Apache-2.0
"""Caches of data sets in files: TensorFlow and our server read each other's.

caches_test.py [-k NAME]
"""

import functools
import os
import time

import pytest
import tensorflow

from interop.datasets.raw_pipelines_test import raw
from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
MAJOR = int(tensorflow.__version__.split(".")[0])
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


def shared_cache():
    handle, _ = tf.raw_ops.AnonymousMemoryCache()
    return raw("CacheDatasetV2", elements(), filename="", cache=handle).repeat(3)


def own_cache():
    handle = tf.raw_ops.DummyMemoryCache()
    return raw("CacheDatasetV2", elements(), filename="", cache=handle).repeat(3)


def shuffled(handle, size=5, **args):
    made = raw(
        "ShuffleDatasetV3",
        data.range(12).filter(lambda x: x > 0),
        buffer_size=size,
        seed=4,
        seed2=9,
        seed_generator=handle,
        **args,
    )
    return made.repeat(3)


def own_seeds():
    return shuffled(tf.raw_ops.DummySeedGenerator())


def own_seeds_that_stay():
    return shuffled(tf.raw_ops.DummySeedGenerator(), reshuffle_each_iteration=False)


def shuffled_whole():
    return shuffled(tf.raw_ops.DummySeedGenerator(), size=-2)


def seeds_that_stay():
    return shuffled(tf.raw_ops.AnonymousSeedGenerator(seed=3, seed2=8, reshuffle=False).handle)


def seeds_that_change():
    return shuffled(tf.raw_ops.AnonymousSeedGenerator(seed=3, seed2=8, reshuffle=True).handle)


SHARED = (
    shared_cache,
    own_cache,
    own_seeds,
    own_seeds_that_stay,
    shuffled_whole,
    seeds_that_stay,
    seeds_that_change,
)


@pytest.mark.skipif(MAJOR == 1, reason="1.15 deletes the resource with its step, or has no such op")
@pytest.mark.parametrize("build", SHARED)
def test_shared_resources(cluster, build):
    same(read(build, cluster.target(), False), read(build, "", False))


def test_a_generator_gives_the_seeds_of_runs(cluster):
    """No version of TensorFlow has a generator for this op that works in a graph."""

    def by_generator():
        handle, deleter = tf.raw_ops.AnonymousRandomSeedGenerator(seed=3, seed2=8)
        made = raw("ShuffleDatasetV2", data.range(12), buffer_size=5, seed_generator=handle)
        return made.filter(lambda x: x > 0).repeat(3)

    def by_seeds():
        made = raw("ShuffleDataset", data.range(12), buffer_size=5, seed=3, seed2=8)
        return made.filter(lambda x: x > 0).repeat(3)  # 1.15 joins shuffle and repeat

    same(read(by_generator, cluster.target(), False), read(by_seeds, "", False))


def test_other_resources_are_refused(cluster):
    def build(op, name):
        def made():
            handle, _ = tf.raw_ops.AnonymousMemoryCache()
            return raw(op, data.range(3), buffer_size=5, **{name: handle})

        return named(made, "another-resource")

    with pytest.raises(tf.errors.InvalidArgumentError):
        read(build("ShuffleDatasetV2", "seed_generator"), cluster.target(), False)


def test_a_cache_in_files_needs_no_memory(cluster, tmp_path):
    def build():
        handle, _ = tf.raw_ops.AnonymousMemoryCache()
        path = str(tmp_path / "cache")
        return raw("CacheDatasetV2", elements(), filename=path, cache=handle).repeat(2)

    seen = read(named(build, "cache-of-files"), cluster.target(), False)
    assert len(seen) == 15 and os.path.exists(tmp_path / "cache.index")


def test_handles_are_deleted(cluster):
    with tf.Graph().as_default(), tf.Session(cluster.target()) as session:
        cache, seeds = (
            tf.raw_ops.AnonymousMemoryCache(),
            tf.raw_ops.AnonymousRandomSeedGenerator(seed=1, seed2=2),
        )
        session.run(tf.raw_ops.DeleteMemoryCache(handle=cache[0], deleter=cache[1]))
        session.run(tf.raw_ops.DeleteRandomSeedGenerator(handle=seeds[0], deleter=seeds[1]))
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(tf.raw_ops.DeleteRandomSeedGenerator(handle=cache[0], deleter=cache[1]))
