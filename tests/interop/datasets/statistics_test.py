# SPDX-License-Identifier: Apache-2.0
"""Statistics of data sets: the summaries of TensorFlow and of our server agree where no time is
measured. Each stage records under the name of its node, as TensorFlow writes the graph anew.

    statistics_test.py [-k NAME]
"""

import glob
import os
import re

import numpy as np
import pytest
import tensorflow

from interop.datasets.raw_pipelines_test import raw
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
MAJOR = int(tensorflow.__version__.split(".")[0])
data = tf.data.Dataset


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def elements():
    return data.range(1, 20).map(lambda x: (x, tf.fill([x % 5, 3], 0.5)))


def strings():
    return data.range(1, 9).map(lambda x: tf.fill([x % 3], tf.strings.as_string(x**9)))


def measured(made, stats, tag="", latency=True):
    made = raw("BytesProducedStatsDataset", made, tag="bytes")
    if latency:
        made = raw("LatencyStatsDataset", made, tag="latency")
    return raw(
        "SetStatsAggregatorDataset", made, stats_aggregator=stats, tag=tag, counter_prefix=""
    )


def read_all(session, iterator, following):
    session.run(iterator.initializer)
    count = 0
    while True:
        try:
            session.run(following)
            count += 1
        except tf.errors.OutOfRangeError:
            return count


def summary_of(target, made, tag, runs=1):
    name = f"stats-{made.__name__}-{tag}"
    with tf.Graph().as_default(), tf.container(name), tf.Session(target) as session:
        stats = tf.raw_ops.StatsAggregatorHandle()
        iterator = tf.data.make_initializable_iterator(measured(made(), stats, tag))
        following = iterator.get_next()
        summary = tf.raw_ops.StatsAggregatorSummary(iterator=stats)
        assert session.run(summary) == b""
        for _ in range(runs):
            read_all(session, iterator, following)
        found = tf.Summary.FromString(session.run(summary))
        return {value.tag: value.histo for value in found.value if value.HasField("histo")}


@pytest.mark.parametrize("tag", ("", "name"))
@pytest.mark.parametrize("made", (elements, strings))
def test_summaries_agree(cluster, tag, made):
    if made is strings and MAJOR > 1:
        pytest.skip("a string has another head in TensorFlow 2")
    ours = summary_of(cluster.target(), made, tag, runs=2)
    theirs = summary_of("", made, tag, runs=2)
    prefix = f"{tag}::" if tag else ""
    assert {prefix + "bytes", prefix + "latency"} <= set(ours) & set(theirs)
    assert ours[prefix + "bytes"] == theirs[prefix + "bytes"]
    assert ours[prefix + "latency"].num == theirs[prefix + "latency"].num
    assert ours[prefix + "latency"].min >= 0


def events_of(target, folder):
    with tf.Graph().as_default(), tf.container("stats-events"), tf.Session(target) as session:
        writer = tf.raw_ops.SummaryWriter(shared_name="stats", container="")
        opened = tf.raw_ops.CreateSummaryFileWriter(
            writer=writer, logdir=folder, max_queue=2, flush_millis=100000, filename_suffix=".s"
        )
        stats = tf.raw_ops.StatsAggregatorHandleV2()
        iterator = tf.data.make_initializable_iterator(measured(elements(), stats, "v2", False))
        following = iterator.get_next()
        session.run(opened)
        session.run(
            tf.raw_ops.StatsAggregatorSetSummaryWriter(stats_aggregator=stats, summary=writer)
        )
        read_all(session, iterator, following)
        session.run(tf.raw_ops.CloseSummaryWriter(writer=writer))
    (path,) = glob.glob(os.path.join(folder, "*"))
    return [
        (event.step, value.tag, value.histo)
        for event in tf.train.summary_iterator(path)
        for value in event.summary.value
        if value.tag.endswith("bytes")
    ]


def test_events_agree(cluster, tmp_path):
    ours = events_of(cluster.target(), str(tmp_path / "ours"))
    theirs = events_of("", str(tmp_path / "theirs"))
    assert [event[1:] for event in ours] == [event[1:] for event in theirs] and len(ours) == 19
    if MAJOR == 1:
        np.testing.assert_array_equal([e[0] for e in ours], [e[0] for e in theirs])


def test_a_closed_writer_is_not_found(cluster):
    with tf.Graph().as_default(), tf.Session(cluster.target()) as session:
        stats = tf.raw_ops.StatsAggregatorHandleV2()
        writer = tf.raw_ops.SummaryWriter(shared_name="never opened", container="")
        with pytest.raises(tf.errors.NotFoundError):
            session.run(
                tf.raw_ops.StatsAggregatorSetSummaryWriter(stats_aggregator=stats, summary=writer)
            )


AUTOTUNE = tf.data.experimental.AUTOTUNE


def repeated(x):
    return tf.tile([x], [x])


def prefetched():
    return data.range(10).map(repeated).prefetch(1)


def tuned():
    return data.range(10).prefetch(AUTOTUNE)


def filtered():
    return data.range(101).filter(lambda x: tf.equal(x % 3, 0))


def two_prefetched():
    return data.range(10).prefetch(2).filter(lambda x: tf.equal(x % 2, 0)).prefetch(1)


def captured():
    numbers = tf.constant([5, 6], tf.int64)
    return data.range(5).shuffle(2, seed=1).repeat(2).filter(lambda x: x < numbers[0]).prefetch(1)


def joined():
    first = data.range(10).skip(1).filter(lambda x: x > 3)
    second = data.from_tensor_slices([1.0, 2.0, 3.0, 4.0]).repeat()
    return data.zip((first, second)).prefetch(1)


def parallel_maps():
    return data.range(10).map(repeated, num_parallel_calls=4).filter(lambda x: tf.size(x) > 3)


def interleaved():
    def inner(x):
        return data.range(x + 8)

    return data.range(2).interleave(inner, cycle_length=2, num_parallel_calls=2).prefetch(1)


def in_functions():
    def inner(x):
        return data.range(x + 2).map(lambda y: y * 2).filter(lambda y: y < 3).prefetch(1)

    return data.range(3).flat_map(inner).prefetch(1)


def maps_and_batches():
    made = data.range(100)
    return made.apply(
        tf.data.experimental.map_and_batch(lambda x: tf.tile([x], [2]), 16, num_parallel_calls=2)
    )


def one_by_one():
    made = data.range(9).apply(
        tf.data.experimental.scan(np.int64(0), lambda state, x: (state + x, state + x))
    )
    return made.apply(tf.data.experimental.take_while(lambda x: x < 20))


def parsed():
    def example(**features):
        made = tf.train.Example()
        for key, values in features.items():
            made.features.feature[key].int64_list.value.extend(values)
        return made.SerializeToString()

    examples = [
        example(a=[1], b=[1, 2]),
        example(a=[4]),
        example(a=[3], b=[], d=[5, 6]),
        example(b=[1, 2, 3]),
        example(c=[1, 2]),
    ]
    features = {
        "a": tf.FixedLenFeature([], tf.int64, default_value=7),
        "b": tf.VarLenFeature(tf.int64),
        "e": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    }
    made = data.from_tensor_slices(examples).batch(2)
    made = made.apply(tf.data.experimental.parse_example_dataset(features))
    return made if MAJOR == 1 else made.map(lambda parsed: parsed["a"] + 1)


def captured_by_functions():
    made = data.range(3).filter(lambda x: x > 0)
    return data.range(3).flat_map(lambda x: made if MAJOR == 1 else data.range(x)).prefetch(1)


def returned_arguments():
    return data.range(4).map(lambda x: (x, x), num_parallel_calls=2).prefetch(1)


def skipped():
    return data.range(9).skip(0).repeat(1).filter(lambda x: x > 2).cache().prefetch(1)


STAGES = (
    prefetched, tuned, filtered, two_prefetched, captured, joined, parallel_maps, interleaved,
    in_functions, maps_and_batches, one_by_one, parsed, captured_by_functions, returned_arguments,
    skipped,
)  # fmt: skip


def with_stats(made, options):
    """The data set with an aggregator, and the tensor of its summary."""
    if MAJOR == 1:
        stats = tf.data.experimental.StatsAggregator()
        options.experimental_stats.aggregator = stats
        return made.with_options(options), stats.get_summary()
    stats = tf.raw_ops.StatsAggregatorHandle()
    summary = tf.raw_ops.StatsAggregatorSummary(iterator=stats)
    made = raw("SetStatsAggregatorDataset", made, stats_aggregator=stats, tag="", counter_prefix="")
    # Our server changes no map to a parallel one unless it is asked to.
    options.experimental_optimization.map_parallelization = False
    return made.with_options(options), summary


def statistics_of(target, made, options, each_element=False):
    """The values by tag: of the end, or of each element too."""
    name = f"stages-{made.__name__}-{each_element}".replace("_", "-")
    with tf.Graph().as_default(), tf.container(name), tf.Session(target) as session:
        dataset, summary = with_stats(made(), options)
        iterator = tf.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
        session.run(iterator.initializer)
        found = []
        while True:
            try:
                session.run(following)
            except tf.errors.OutOfRangeError:
                return [*found, by_tag(session.run(summary))]
            if each_element:
                found.append(by_tag(session.run(summary)))


def by_tag(summary):
    # Functions are numbered through the process.
    def unnumbered(tag):
        return re.sub(r"_\d+::execution_time", "::execution_time", tag)

    return {unnumbered(value.tag): value for value in tf.Summary.FromString(summary).value}


def check_values(ours, theirs):
    # TensorFlow's thread that starts calls may record its use after the last element was read.
    assert set(theirs) <= set(ours)
    assert all(tag.endswith("thread_utilization") for tag in set(ours) - set(theirs))
    for tag, value in theirs.items():
        assert ours[tag].WhichOneof("value") == value.WhichOneof("value"), tag
        if value.HasField("histo"):
            assert ours[tag].histo.num == value.histo.num, tag
        if re.search("features_count|feature_values_count", tag):
            assert ours[tag].histo == value.histo, tag
        if re.search("filtered_elements|dropped_elements", tag):
            assert ours[tag].simple_value == value.simple_value, tag
        if tag.endswith("thread_utilization"):
            assert 0 <= ours[tag].simple_value <= 1, tag
        if tag.endswith("buffer_utilization"):
            assert 0 < ours[tag].histo.min <= ours[tag].histo.max <= 1, tag


@pytest.mark.parametrize("made", STAGES, ids=lambda made: made.__name__)
def test_stages_record_as_in_tensorflow(cluster, made):
    (ours,) = statistics_of(cluster.target(), made, tf.data.Options())
    (theirs,) = statistics_of("", made, tf.data.Options())
    check_values(ours, theirs)
    for tag, value in theirs.items():
        if tag.endswith("buffer_capacity") and made is not tuned:
            assert ours[tag].simple_value == value.simple_value, tag


def test_values_are_there_with_their_element(cluster):
    seen = statistics_of(cluster.target(), prefetched, tf.data.Options(), each_element=True)
    for number, values in enumerate(seen[:-1]):
        assert values["PrefetchDataset/_6::buffer_utilization"].histo.num == number + 1
        assert values["PrefetchDataset/_6::buffer_size"].simple_value == 1
        assert values["PrefetchDataset/_6::buffer_capacity"].simple_value == 1
    seen = statistics_of(cluster.target(), filtered, tf.data.Options(), each_element=True)
    for number, values in enumerate(seen[:-1]):
        assert values["FilterDataset/_4::filtered_elements"].simple_value == number + 1
        dropped = values.get("FilterDataset/_4::dropped_elements")
        assert (dropped.simple_value if dropped else 0) == 2 * number


def unbuffered():
    return data.range(5).prefetch(0).filter(lambda x: x > 1)


def changed_options(**optimization):
    options = tf.data.Options()
    for name, value in optimization.items():
        setattr(options.experimental_optimization, name, value)
    return options


@pytest.mark.skipif(MAJOR > 1, reason="TensorFlow 2 has no such options")
@pytest.mark.parametrize("made", (two_prefetched, maps_and_batches, in_functions, unbuffered))
@pytest.mark.parametrize("latency", (False, True))
@pytest.mark.parametrize("option", ("apply_default_optimizations", "autotune"))
def test_options_agree(cluster, made, latency, option):
    results = []
    for target in (cluster.target(), ""):
        options = changed_options(**{option: False})
        options.experimental_stats.latency_all_edges = latency
        options.experimental_stats.prefix = "first"
        results += statistics_of(target, made, options)
    check_values(*results)
    assert all(tag.startswith("first::") for tag in results[0])
    assert any("record_latency::" in tag for tag in results[0]) == latency


def fused():
    return data.range(40).map(lambda x: tf.tile([x], [2])).batch(16).repeat(1).prefetch(1)


@pytest.mark.skipif(MAJOR > 1, reason="our server fuses maps and batches only for 1.15")
def test_a_fused_stage_is_named_after_its_op(cluster):
    results = []
    for target in (cluster.target(), ""):
        results += statistics_of(target, fused, tf.data.Options())
    check_values(*results)
    assert "MapAndBatchDataset::thread_utilization" in results[0]


@pytest.mark.skipif(MAJOR > 1, reason="TensorFlow 2 has no such option")
def test_measured_stages_are_seen_by_assertions(cluster):
    def asserted():
        names = ["LatencyStats", "Map", "LatencyStats", "Prefetch", "LatencyStats"]
        made = data.from_tensors(np.int64(1))
        made = raw("ExperimentalAssertNextDataset", made, transformations=names)
        return made.map(lambda x: x * x).prefetch(1)

    results = []
    for target in (cluster.target(), ""):
        options = changed_options(apply_default_optimizations=False)
        options.experimental_stats.latency_all_edges = True
        results += statistics_of(target, asserted, options)
    check_values(*results)
