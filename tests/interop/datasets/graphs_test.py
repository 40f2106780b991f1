# SPDX-License-Identifier: Apache-2.0
"""Data sets as graphs, on TensorFlow and on our server: written and made again, rewritten by
options, cut into shards of files, asserted, kept as snapshots.

graphs_test.py [-k NAME]
"""

import os
import re

import numpy as np
import pytest
import tensorflow

from interop.datasets.raw_pipelines_test import raw, variant
from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
MAJOR = int(tensorflow.__version__.split(".")[0])
data = tf.data.Dataset
experimental = tf.data.experimental
of_tf2 = pytest.mark.skipif(MAJOR == 1, reason="TensorFlow 1.15 does not have it")


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    for i in range(5):
        with tf.io.TFRecordWriter(str(folder / f"part-{i}")) as writer:
            for j in range(4):
                writer.write(b"%d.%d" % (i, j))
    return [str(folder / f"part-{i}") for i in range(5)]


def with_options(made, autotune=True, **rewrites):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    if MAJOR == 1:
        options.experimental_optimization.autotune = autotune
    for name, value in rewrites.items():
        setattr(options.experimental_optimization, name, value)
    return made.with_options(options)


def run(target, build):
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(42)
        result = build()
        with tf.Session(target, graph=graph) as session:
            return session.run(result)


# --- graphs ---


def of_captures():
    more = tf.constant([10, 20], tf.int64)
    return data.range(4).map(lambda x: x + more).filter(lambda x: x[0] > 10)


def of_nested_functions():
    return data.range(4).flat_map(lambda x: data.range(x).map(lambda y: y * x)).batch(2)


def of_many_inputs():
    words = data.from_tensor_slices(["a", "b", "c"])
    both = data.zip((words, data.range(5).shuffle(5, seed=3).repeat(2)))
    return both.concatenate(both).padded_batch(2, ([], []))


def of_parallel_stages():
    made = data.range(9).map(lambda x: (x, {"half": x / 2}), num_parallel_calls=3)
    return made.interleave(
        lambda x, y: data.from_tensors((x, y["half"])).repeat(2), 2, num_parallel_calls=2
    ).prefetch(2)


GRAPHS = [of_captures, of_nested_functions, of_many_inputs, of_parallel_stages]


def to_graph(made):
    if MAJOR == 1:
        return tf.raw_ops.DatasetToGraph(input_dataset=variant(made))
    return tf.raw_ops.DatasetToGraphV2(input_dataset=variant(made))


def from_graph(text, build):
    """A data set like that of `build`."""
    from tensorflow.python.data.ops import dataset_ops

    def make():
        handle = tf.raw_ops.DatasetFromGraph(graph_def=tf.constant(text))
        like = build().element_spec
        return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, like))

    return make


@pytest.mark.parametrize("build", GRAPHS, ids=lambda build: build.__name__)
def test_makes_data_sets_again_from_graphs(cluster, build):
    expected = read(build, "", one_shot=False)
    config = tf.ConfigProto()  # TensorFlow would fold the new data set to a constant
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    for writer in (cluster.target(), ""):
        text = run(writer, lambda: to_graph(build()))
        for reader in (cluster.target(), ""):
            again = from_graph(text, build)
            same(read(again, reader, one_shot=False, config=config), expected)


def test_writes_no_graph_with_resources(cluster):
    def build():
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant([1], tf.int64), ["x"]), "-"
        )
        return to_graph(data.range(3).map(table.lookup))

    with pytest.raises(tf.errors.FailedPreconditionError, match="resource"):
        run(cluster.target(), build)


@pytest.mark.parametrize("text", [b"", b"\xff\xff", b"\x0a\x02\x0a\x00"])
def test_refuses_what_is_no_graph(cluster, text):
    build = from_graph(text, lambda: data.range(3))
    with pytest.raises(tf.errors.OpError):
        run(cluster.target(), lambda: tf.data.make_one_shot_iterator(build()).get_next())


# --- assertions ---


def assert_next(names):
    return lambda made: raw(
        "AssertNextDataset" if MAJOR == 2 else "ExperimentalAssertNextDataset",
        made,
        transformations=names,
    )


FOLLOWING = {
    "map": lambda made: made.map(lambda x: x),
    "batch": lambda made: made.batch(2),
    "repeat": lambda made: made.repeat(),
    "repeat_twice": lambda made: made.repeat(2),
    "take": lambda made: made.take(2),
    "skip": lambda made: made.skip(1),
    "cache": lambda made: made.cache(),
    "zip": lambda made: data.zip((data.range(9), made)),
    "concatenate": lambda made: made.concatenate(data.range(4)),
    "parallel_map": lambda made: made.map(lambda x: x, 2).prefetch(1),
    "flat_map": lambda made: made.shuffle(3, seed=1).flat_map(data.range),
}


@pytest.mark.parametrize("names", [["Map"], ["X"] * 7, ["Map", "X"]], ids=str)
@pytest.mark.parametrize("following", FOLLOWING)
def test_compares_the_names_of_following_data_sets(cluster, following, names):
    def outcome(target, tuned):
        made = lambda: with_options(  # noqa: E731
            FOLLOWING[following](data.range(4).apply(assert_next(names))), tuned
        )
        try:
            run(target, lambda: tf.data.make_one_shot_iterator(made()).get_next())
        except tf.errors.InvalidArgumentError as error:
            return re.search(r"Asserted [^\n]*?(only \d+\.|instead\.)", str(error)).group()
        return "passed"

    for tuned in (True, False):
        assert outcome(cluster.target(), tuned) == outcome("", tuned)


# --- rewrites ---


def steps(made):
    added = tf.constant(7, tf.int64)
    made = made.map(lambda x: x + 1).map(lambda x: (x, x * added)).map(lambda x, y: y - x)
    made = made.filter(lambda x: x > 12).filter(lambda x: x < added * 9)
    return made.repeat(1).take(-1).skip(0).filter(lambda x: x % 4 > 0)


def random_steps(made):
    made = made.map(lambda x: (x, tf.random.uniform([], seed=5)))
    return made.map(lambda x, y: (x, y, tf.random.uniform([], seed=6)))


def failing_steps(made):
    made = made.map(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 3, tf.float32), ""))
    return made.map(lambda x: x * 2).map(lambda x: tf.cast(x, tf.string) if False else x)


def captures_of_both(made):
    one, two = tf.constant([3, 4], tf.int64), tf.constant(5, tf.int64)
    made = made.map(lambda x: (x * one, x)).map(lambda x, y: (x + y, tf.strings.as_string(y * two)))
    made = made.filter(lambda x, y: x[0] > one[0] * 2).filter(lambda x, y: x[1] < two * 15)
    return made.map(lambda x, y: {"x": x, "y": y}).filter(lambda d: d["x"][0] % two > 0)


def guarded_predicates(made):
    """The second predicate fails where the first one does not hold."""
    made = made.filter(lambda x: x % 3 > 0).filter(lambda x: 100 // (x % 3) > 60)
    return made.map(lambda x: 7 // (x - 10)).filter(lambda x: x > -3)


def batched_maps(made):
    added = tf.constant(2, tf.int64)
    made = made.map(lambda x: (x + added, x)).batch(3)
    made = made.map(lambda x, y: tf.reduce_sum(x) - y, num_parallel_calls=2)
    return made.batch(2, drop_remainder=True).map(lambda x: x * x).batch(2)


def two_readers(made):
    made = made.map(lambda x: x + 1)
    return data.zip((made.map(lambda x: x * 2), made.skip(1))).batch(4)


def calls_of_functions(made):
    """The bodies have functions of their own."""

    def odd_or_even(x):
        return tf.cond(tf.equal(x % 2, 0), lambda: x * 10, lambda: x - 1)

    made = made.map(odd_or_even).map(lambda x: data_of(x)).map(odd_or_even)
    return made.filter(lambda x: tf.less(odd_or_even(x), 50))


def data_of(x):
    return data.range(x).reduce(x, lambda a, b: a + b)


REWRITES = (
    "map_fusion",
    "filter_fusion",
    "map_and_filter_fusion",
    "map_and_batch_fusion",
    "map_parallelization",
    "noop_elimination",
)
CHAINS = (
    steps,
    random_steps,
    failing_steps,
    captures_of_both,
    guarded_predicates,
    batched_maps,
    two_readers,
    calls_of_functions,
)


@pytest.mark.parametrize("after", CHAINS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("rewrite", [*REWRITES, "all"])
def test_rewrites_change_no_element(cluster, after, rewrite):
    chosen = REWRITES if rewrite == "all" else [rewrite]

    def plain():
        return after(data.range(20)).repeat(2)

    def rewritten():
        return with_options(plain(), **dict.fromkeys(chosen, True))

    expected = read(plain, cluster.target(), one_shot=False)
    same(read(rewritten, cluster.target(), one_shot=False), expected)
    if after is not random_steps:
        same(expected, read(plain, "", one_shot=False))


# The names that each rewrite leaves.
REWRITTEN = {
    "maps": ("map_fusion", ["Map", "FiniteTake"]),
    "filters": ("filter_fusion", ["Filter", "FiniteTake"]),
    "map_and_filter": ("map_and_filter_fusion", ["Map", "FilterByLastComponent"]),
    "map_and_batch": ("map_and_batch_fusion", ["MapAndBatch", "FiniteTake"]),
    "parallel_map_and_batch": ("map_and_batch_fusion", ["MapAndBatch", "FiniteTake"]),
    "map": ("map_parallelization", ["ParallelMap", "FiniteTake"]),
    "noops": ("noop_elimination", ["FiniteTake"]),
    "random_maps": ("map_fusion", ["Map", "Map", "FiniteTake"]),
    "random_map_and_batch": ("map_and_batch_fusion", ["Map", "BatchV2"]),
}
STAGES = {
    "maps": lambda made: made.map(lambda x: x + 1).map(lambda x: x * 2).map(lambda x: x - 1),
    "filters": lambda made: made.filter(lambda x: x > 1).filter(lambda x: x < 9),
    "map_and_filter": lambda made: made.map(lambda x: x + 1).filter(lambda x: x > 2),
    "map_and_batch": lambda made: made.map(lambda x: x + 1).batch(2),
    "parallel_map_and_batch": lambda made: made.map(lambda x: x + 1, 2).batch(2),
    "map": lambda made: made.map(lambda x: x + 1),
    "noops": lambda made: made.repeat(1).skip(0).take(-1).prefetch(0),
    "random_maps": random_steps,
    "random_map_and_batch": lambda made: made.map(
        lambda x: x + tf.random.uniform([], maxval=2, dtype=tf.int64, seed=1)
    ).batch(2),
}


@pytest.mark.parametrize("stages", REWRITTEN)
def test_rewrites_where_it_is_asked_to(cluster, stages):
    rewrite, names = REWRITTEN[stages]

    def outcome(**rewrites):
        def build():
            made = STAGES[stages](data.range(8).apply(assert_next(names))).take(1)
            return tf.data.make_one_shot_iterator(with_options(made, **rewrites)).get_next()

        return run(cluster.target(), build)

    outcome(**{rewrite: True})
    if not stages.startswith("random"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Asserted"):
            outcome(**{rewrite: False})


@pytest.mark.skipif(MAJOR == 2, reason="2.x asks for no rewrite by itself")
def test_fuses_map_and_batch_by_default(cluster):
    def build():
        made = data.range(8).apply(assert_next(["MapAndBatch", "FiniteTake"]))
        made = made.map(lambda x: x + 1).batch(2).repeat(1).take(1)
        return tf.data.make_one_shot_iterator(made).get_next()

    for target in (cluster.target(), ""):
        assert run(target, build).tolist() == [1, 2]


@pytest.mark.skipif(MAJOR == 2, reason="the options of 2.x have other names")
def test_tunes_within_budgets(cluster):
    def build():
        options = tf.data.Options()
        options.experimental_optimization.autotune_buffers = True
        options.experimental_optimization.autotune_cpu_budget = 2
        made = data.range(40).map(lambda x: tf.fill([100], x), num_parallel_calls=-1)
        return made.prefetch(-1).with_options(options)

    same(read(build, cluster.target(), one_shot=False), read(build, "", one_shot=False))


# --- threads ---


@pytest.mark.parametrize("calls_at_once", [1, 2])
def test_a_private_pool_limits_calls(cluster, calls_at_once):
    """Each element is the number of calls that ran when its own began."""

    def build():
        running = tf.get_variable("running", initializer=tf.constant(0, tf.int64))

        def count(x):
            begun = tf.identity(running.assign_add(1))
            with tf.control_dependencies([begun]):
                waited = pause(x, 0.01)
            with tf.control_dependencies([waited, running.assign_sub(0 * waited + 1)]):
                return tf.identity(begun)

        options = tf.data.Options()
        threads = options.experimental_threading if MAJOR == 1 else options.threading
        threads.private_threadpool_size = calls_at_once
        threads.max_intra_op_parallelism = 1
        made = data.range(16).map(count, num_parallel_calls=8).with_options(options)
        iterator = tf.data.make_initializable_iterator(made)
        return running.initializer, iterator.initializer, iterator.get_next()

    with tf.Graph().as_default() as graph, tf.container(f"calls-{calls_at_once}"):
        tf.get_variable_scope().set_use_resource(True)
        first, second, following = build()
        with tf.Session(cluster.target(), graph=graph) as session:
            session.run(first)
            session.run(second)
            seen = [int(session.run(following)) for _ in range(16)]
    assert 1 <= min(seen) and max(seen) <= calls_at_once


# --- any order ---


def pause(x, seconds):
    """x, after a while."""
    busy = tf.while_loop(
        lambda i: i < tf.cast(seconds * 400_000, tf.int64),
        lambda i: i + 1,
        [tf.constant(0, tf.int64)],
    )
    with tf.control_dependencies([busy]):
        return tf.identity(x)


def slow_first(x):
    return tf.cond(tf.equal(x, 0), lambda: pause(x, 1.0), lambda: x)


def sloppy(made):
    options = tf.data.Options()
    options.experimental_deterministic = False
    return made.with_options(options)


def in_parallel_interleave():
    return data.range(4).apply(
        experimental.parallel_interleave(
            lambda x: data.range(x * 5, x * 5 + 5).map(slow_first), cycle_length=4, sloppy=True
        )
    )


def in_interleave():
    return sloppy(
        data.range(4).interleave(
            lambda x: data.range(x * 5, x * 5 + 5).map(slow_first), 4, num_parallel_calls=4
        )
    )


def in_map():
    return sloppy(data.range(20).map(slow_first, num_parallel_calls=4))


SLOPPY = [in_parallel_interleave, in_interleave, in_map]


@pytest.mark.parametrize("build", SLOPPY, ids=lambda build: build.__name__)
def test_gives_elements_as_soon_as_they_are_ready(cluster, build):
    seen = read(build, cluster.target(), one_shot=False)
    assert seen.pop() == "the end"
    numbers = [int(element[0]) for element in seen]
    assert sorted(numbers) == list(range(20))
    assert numbers[0] != 0


# --- shards ---


def by_pieces(files):
    return data.from_tensor_slices(files).interleave(tf.data.TFRecordDataset, cycle_length=2)


def by_shuffled_files(files):
    return data.from_tensor_slices(files).shuffle(5, seed=1).flat_map(tf.data.TFRecordDataset)


SHARDED = {
    "records": tf.data.TFRecordDataset,
    "batches": lambda files: tf.data.TFRecordDataset(files).map(lambda x: x + "!").batch(3),
    "pieces": by_pieces,
    "shuffled": by_shuffled_files,
    "repeated": lambda files: tf.data.TFRecordDataset(files).repeat(2).take(11),
    "both": lambda files: data.zip((tf.data.TFRecordDataset(files), by_pieces(files))),
    "few": lambda files: tf.data.TFRecordDataset(files[:2]),
    "lines": tf.data.TextLineDataset,
    "numbers": lambda files: data.range(len(files)),
    "names": lambda files: data.from_tensor_slices([f[-6:] for f in files]).map(lambda x: x),
    "nested": lambda files: data.range(4).flat_map(lambda x: tf.data.TFRecordDataset(files)),
}


@pytest.mark.parametrize("policy", [0, 1, 2, -1] if MAJOR == 2 else [0])
@pytest.mark.parametrize("name", SHARDED)
def test_shards_as_tensorflow(cluster, files, name, policy):
    for workers, index in ((3, 1), (7, 6)):

        def sharded(workers=workers, index=index):
            args = {"auto_shard_policy": policy} if MAJOR == 2 else {}
            op = "AutoShardDataset" if MAJOR == 2 else "ExperimentalAutoShardDataset"
            return raw(op, SHARDED[name](files), num_workers=workers, index=index, **args)

        def outcome(target, sharded=sharded):
            try:
                return read(sharded, target, one_shot=False)
            except tf.errors.OpError as error:
                return [type(error).__name__]

        same(outcome(cluster.target()), outcome(""))


# --- batches again ---


@of_tf2
@pytest.mark.parametrize("sizes", [3, [3], [2, 1], [1, 0, 2], [7], [20]], ids=str)
@pytest.mark.parametrize("drop", [False, True])
def test_batches_again(cluster, sizes, drop):
    def build():
        made = data.range(10).map(lambda x: (x, tf.strings.as_string(x))).batch(4)
        return raw("RebatchDatasetV2", made, batch_sizes=np.int64(sizes), drop_remainder=drop)

    same(read(build, cluster.target(), one_shot=False), read(build, "", one_shot=False))


# --- snapshots ---


def test_reads_snapshots(cluster, tmp_path):
    """The elements of the second run are those of the first, although the source has changed."""
    path = str(tmp_path / "source")

    def lines():
        return tf.data.TextLineDataset(path).map(lambda x: (x, tf.strings.length(x)))

    def kept():
        if MAJOR == 2:
            return lines().snapshot(str(tmp_path / "kept"))
        unset = -1  # as the function of 1.15 writes it
        return raw(
            "SnapshotDataset", lines(), path=str(tmp_path / "kept"),
            pending_snapshot_expiry_seconds=unset,
        )  # fmt: skip

    with open(path, "w") as file:
        file.write("a\nbc\n\ndef\n")
    first = read(kept, cluster.target(), one_shot=False)
    same(first, read(lines, "", one_shot=False))
    with open(path, "w") as file:
        file.write("other\n")
    same(read(kept, cluster.target(), one_shot=False), first)


def test_runs_beside_the_one_that_writes_a_snapshot(cluster, tmp_path):
    def build():
        made = data.range(6)
        if MAJOR == 2:
            return made.snapshot(str(tmp_path))
        return raw("SnapshotDataset", made, path=str(tmp_path))

    with tf.Graph().as_default() as graph:
        iterators = [tf.data.make_initializable_iterator(build()) for _ in range(2)]
        following = [iterator.get_next() for iterator in iterators]
        with tf.Session(cluster.target(), graph=graph) as session:
            session.run([iterator.initializer for iterator in iterators])
            assert session.run(following[0]) == 0
            assert [session.run(following[1]) for _ in range(6)] == list(range(6))
            assert [session.run(following[0]) for _ in range(5)] == list(range(1, 6))


def test_several_modes_of_snapshots(cluster, tmp_path):
    if MAJOR == 1:
        pytest.skip("the op of 1.15 has no modes")

    def build(mode):
        return lambda: raw(
            "SnapshotDataset", data.range(3), path=str(tmp_path), mode=mode, snapshot_name="name"
        )

    def outcome(mode):
        made = build(mode)
        made.__name__ = mode or "unset"
        try:
            return read(made, cluster.target(), one_shot=False)
        except tf.errors.OpError as error:
            return type(error).__name__

    assert "NotFoundError" in outcome("read")
    same(outcome("passthrough"), outcome("write"))
    assert os.path.isdir(tmp_path / "name")
    same(outcome("read"), outcome("auto"))
    same(outcome("read"), outcome(""))
