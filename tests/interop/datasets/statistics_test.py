# SPDX-License-Identifier: Apache-2.0
"""Statistics of data sets: the summaries of TensorFlow and of our server agree where no time is
measured.

    statistics_test.py [-k NAME]
"""

import glob
import os

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
    assert set(ours) == {prefix + "bytes", prefix + "latency"} <= set(theirs)
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
