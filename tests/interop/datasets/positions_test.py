# SPDX-License-Identifier: Apache-2.0
"""Positions of iterators in checkpoints: what is read after a restore is what would have come next.

    positions_test.py [-k NAME]

The data sets are those of pipelines_test.py.
"""

import contextlib
import glob
import itertools
import os

import numpy as np
import pytest
import tensorflow

from interop.datasets import pipelines_test
from interop.datasets.pipelines_test import CASES
from interop.datasets.reading import MOST, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
MAJOR = int(tensorflow.__version__.split(".")[0])
files = pipelines_test.files

CONTAINERS = (f"reader{number}" for number in itertools.count())

# Their functions draw random numbers, which begin anew.
WITH_STATE = {"random_map"}

# They read another iterator through a generator, whose position is its own affair.
WITHOUT_POSITION = {"copied_to_a_device", "prefetched_to_a_device"}


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


class Reader:
    """An iterator on our server whose position can be written to a file."""

    def __init__(self, build, cluster, prefix):
        self.cluster = cluster
        self.graph = tf.Graph()
        self.container = next(CONTAINERS)
        with self.graph.as_default(), tf.container(self.container):
            tf.set_random_seed(42)
            iterator = tf.data.make_initializable_iterator(build())
            self.initializer = iterator.initializer
            self.following = tensorflow.nest.flatten(iterator.get_next())
            handle = iterator._iterator_resource
            self.position = tf.raw_ops.SerializeIterator(resource_handle=handle)
            self.write = tf.raw_ops.SaveV2(
                prefix=prefix,
                tensor_names=["position"],
                shape_and_slices=[""],
                tensors=[self.position],
            )
            (restored,) = tf.raw_ops.RestoreV2(
                prefix=prefix,
                tensor_names=["position"],
                shape_and_slices=[""],
                dtypes=[tf.variant],
            )
            self.restore = tf.raw_ops.DeserializeIterator(
                resource_handle=handle, serialized=restored
            )
        self.session = tf.Session(cluster.target(), graph=self.graph)
        self.session.run(self.initializer)

    def next(self):
        try:
            return self.session.run(self.following)
        except tf.errors.OutOfRangeError as error:
            assert "End of sequence" in error.message
            return "the end"
        except tf.errors.OpError as error:
            return type(error).__name__

    def reopen(self):
        """A new iterator at the position that was written."""
        self.session.close()
        tf.Session.reset(self.cluster.target(), [self.container])
        self.session = tf.Session(self.cluster.target(), graph=self.graph)
        self.session.run(self.initializer)
        self.session.run(self.restore)


def read(reader, between):
    """The elements; between(number) runs before each of them."""
    seen = []
    with reader.session:
        while len(seen) < MOST and seen[-1:] != ["the end"]:
            between(len(seen))
            seen.append(reader.next())
    return seen


def read_with_restores(reader):
    def between(number):
        if number % 3 != 0:
            return
        reader.session.run(reader.write)
        for _ in range(number % 2):  # what is read after the position was written is read again
            reader.next()
        reader.reopen()

    return read(reader, between)


@pytest.mark.parametrize("name", sorted(set(CASES) - WITH_STATE - WITHOUT_POSITION))
def test_goes_on_after_a_restore(name, cluster, files, tmp_path):
    prefix = str(tmp_path / "position")
    expected = read(Reader(CASES[name], cluster, prefix), lambda number: None)
    same(read_with_restores(Reader(CASES[name], cluster, prefix)), expected)


def by_rest(x):
    return x % 3


def saving(path):
    from tensorflow.python.data.ops import dataset_ops, save_op

    made = save_op._SaveDataset(tf.data.Dataset.range(10), path, by_rest, None)
    return dataset_ops.DatasetV1Adapter(made)


def snapshot(path):
    return tf.data.Dataset.range(10).snapshot(path, shard_func=by_rest)


@pytest.mark.skipif(MAJOR == 1, reason="1.15 does not have the functions")
@pytest.mark.parametrize("written, compression", [(saving, None), (snapshot, "AUTO")])
def test_goes_on_in_files_of_elements(written, compression, cluster, tmp_path):
    """The files have each element once."""
    path, prefix = str(tmp_path / "kept"), str(tmp_path / "position")
    seen = read_with_restores(Reader(lambda: written(path), cluster, prefix))
    same(seen, [[number] for number in range(10)] + ["the end"])
    folder = glob.glob(str(tmp_path / "kept/**/snapshot.metadata"), recursive=True)[0]
    spec = tensorflow.TensorSpec([], tf.int64)

    def kept():
        return tensorflow.data.Dataset.load(os.path.dirname(folder), spec, compression)

    in_one_run = read(Reader(kept, cluster, prefix), lambda number: None)
    assert sorted(number for (number,) in in_one_run[:-1]) == list(range(10))
    same(read_with_restores(Reader(kept, cluster, prefix)), in_one_run)


@pytest.mark.parametrize("name", sorted(WITHOUT_POSITION))
def test_a_position_that_cannot_be_saved(name, cluster, tmp_path):
    reader = Reader(CASES[name], cluster, str(tmp_path / "position"))
    with reader.session, pytest.raises(tf.errors.UnimplementedError):
        reader.session.run(reader.write)


def test_a_task_that_is_killed_goes_on(files, tmp_path):
    build = CASES["a_long_chain"]
    with Cluster({"worker": 1}) as cluster:
        prefix = str(tmp_path / "position")
        expected = read(Reader(build, cluster, prefix), lambda number: None)
        reader = Reader(build, cluster, prefix)
        seen = [reader.next() for _ in range(3)]
        reader.session.run(reader.write)
        reader.next()
        cluster.kill("worker", 0)
        cluster.restart("worker", 0)
        with contextlib.suppress(tf.errors.AbortedError):  # the session went with the task
            reader.session.close()
        restarted = Reader(build, cluster, prefix)
        restarted.session.run(restarted.restore)
        same(seen + read(restarted, lambda number: None), expected)


def test_saver_keeps_the_position(cluster, files, tmp_path):
    """The shortest program of the documentation."""

    def program(run):
        with tf.Graph().as_default(), tf.container("saver"):
            made = tf.data.Dataset.range(30).shuffle(7, seed=2).batch(4)
            iterator = tf.data.make_initializable_iterator(made)
            following = iterator.get_next()
            saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
            tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
            saver = tf.train.Saver()
            with tf.Session(cluster.target()) as session:
                session.run(iterator.initializer)
                return run(session, following, saver)

    def first(session, following, saver):
        session.run([following])
        saver.save(session, str(tmp_path / "model"))
        return session.run(following)

    def second(session, following, saver):
        saver.restore(session, str(tmp_path / "model"))
        return session.run(following)

    same([[program(first)]], [[program(second)]])


def pairs(x):
    return tf.data.Dataset.from_tensor_slices([x, x + 1]).repeat(2)


def random(x):
    return tf.data.Dataset.from_tensors(x + tf.random.uniform([], 0, 9, dtype=tf.int64))


@pytest.mark.skipif(MAJOR == 1, reason="the op of 1.15 does not look at functions")
@pytest.mark.parametrize("inner, has_state", [(pairs, False), (random, True)])
def test_a_function_that_makes_data_sets_has_no_state(inner, has_state, cluster):
    refuse_state = 2
    with tf.Graph().as_default(), tf.container(inner.__name__):
        made = tf.data.Dataset.range(4).interleave(inner, cycle_length=2)
        iterator = tf.data.make_initializable_iterator(made)
        following = iterator.get_next()
        position = tf.raw_ops.SerializeIterator(
            resource_handle=iterator._iterator_resource, external_state_policy=refuse_state
        )
        with tf.Session(cluster.target()) as session:
            session.run(iterator.initializer)
            session.run(following)
            if has_state:
                with pytest.raises(tf.errors.FailedPreconditionError, match="has state"):
                    session.run(position.op)
            else:
                session.run(position.op)


def checked(x):
    with tf.control_dependencies([tf.Assert(x < 9, [x])]):
        return tf.Print(x, [x])


def reads_a_variable(x):
    return x + tf.get_variable("v", [], tf.int64, tf.zeros_initializer, use_resource=True)


@pytest.mark.skipif(MAJOR == 2, reason="a later release saves with a warning by default")
@pytest.mark.parametrize(
    "function, has_state",
    [
        (lambda x: x + tf.random.uniform([], 0, 9, dtype=tf.int64), True),
        (lambda x: tf.cond(x < 9, lambda: tf.random.uniform([]), lambda: 0.0), True),
        (reads_a_variable, True),
        (checked, False),
        (lambda x: tf.map_fn(lambda y: x + y, tf.range(3, dtype=tf.int64)), False),
    ],
)
def test_release_1_does_not_save_a_function_with_state(function, has_state, cluster, tmp_path):
    def build():
        return tf.data.Dataset.range(9).map(function).batch(2)

    reader = Reader(build, cluster, str(tmp_path / "position"))
    with reader.graph.as_default():
        variables = tf.global_variables_initializer()
    with tf.Session(cluster.target(), graph=reader.graph) as session:
        session.run(variables)
        session.run(reader.initializer)
        session.run(reader.following)
        if has_state:
            with pytest.raises(tf.errors.FailedPreconditionError, match="has state"):
                session.run(reader.write)
        else:
            session.run(reader.write)


def test_a_function_that_reads_a_table_has_no_state(cluster, tmp_path):
    def build():
        keys, values = np.arange(9), np.arange(9) * 3
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
        return tf.data.Dataset.range(20).map(table.lookup)

    reader = Reader(build, cluster, str(tmp_path / "position"))
    with reader.graph.as_default():
        tables = tf.tables_initializer()
    with tf.Session(cluster.target(), graph=reader.graph) as session:
        session.run([tables, reader.initializer])
        assert [session.run(reader.following) for _ in range(2)] == [[0], [3]]
        session.run(reader.write)
        assert [session.run(reader.following) for _ in range(2)] == [[6], [9]]
        session.run(reader.restore)
        assert session.run(reader.following) == [6]


@pytest.mark.parametrize(
    "other", [lambda: tf.data.Dataset.range(9).batch(2), lambda: tf.data.Dataset.range(9).skip(1)]
)
def test_the_state_of_another_data_set_is_refused(other, cluster, tmp_path):
    prefix = str(tmp_path / "position")
    reader = Reader(lambda: tf.data.Dataset.range(9), cluster, prefix)
    with reader.session:
        reader.session.run(reader.write)
    reader = Reader(other, cluster, prefix)
    with reader.session, pytest.raises(tf.errors.InvalidArgumentError, match="does not fit"):
        reader.session.run(reader.restore)


def test_an_iterator_must_be_initialized(cluster, tmp_path):
    reader = Reader(lambda: tf.data.Dataset.range(9), cluster, str(tmp_path / "position"))
    with reader.session:
        reader.session.run(reader.write)
    tf.Session.reset(cluster.target(), [reader.container])
    with tf.Session(cluster.target(), graph=reader.graph) as session:
        for name, fetch in (("Save", reader.position), ("Restore", reader.restore)):
            with pytest.raises(tf.errors.FailedPreconditionError, match=name + r"\(\) failed"):
                session.run(fetch)
