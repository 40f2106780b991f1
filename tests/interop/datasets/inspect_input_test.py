# SPDX-License-Identifier: Apache-2.0
"""sluice inspect input names the slow stage of a data set that TensorFlow's client runs."""

import json
import os
import subprocess
import threading

import pytest
import tensorflow

from interop.tools.cluster import BUILD

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

JOBS = {"worker": 1}
COMMAND = os.path.join(BUILD, "sluice")

pytestmark = pytest.mark.alone


def slow(number):
    """Some milliseconds of work on one thread."""
    values = tf.fill([20000], tf.cast(number, tf.float32))
    for _ in range(4):
        values = tf.sort(tf.math.sin(values + tf.cast(tf.range(20000), tf.float32)))
    return tf.reduce_sum(values)


def repeated(number):
    return tf.data.Dataset.from_tensors(number).repeat(100)


def inspect(target, *options):
    done = subprocess.run(
        [COMMAND, "inspect", "input", target, *options],
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def batched(numbers, fused):
    """Pairs of what `slow` makes, one after the other. TensorFlow 1.15 fuses by default."""
    options = tf.data.Options()
    options.experimental_optimization.map_and_batch_fusion = fused
    return numbers.map(slow).batch(2).prefetch(2).with_options(options)


class Reader:
    """Reads elements in a thread while the `with` block runs."""

    def __init__(self, target, elements, name):
        self._ended, self._read = threading.Event(), threading.Event()
        iterator = tf.data.make_initializable_iterator(elements, shared_name=name)
        self._session = tf.Session(target)
        self._session.run(iterator.initializer)
        self._next = iterator.get_next()
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        while not self._ended.is_set():
            self._session.run(self._next)
            self._read.set()

    def __enter__(self):
        self._thread.start()
        assert self._read.wait(30)

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self._session.close()


def test_a_slow_map(checks, target):
    with tf.Graph().as_default():
        numbers = tf.data.Dataset.range(1 << 40).map(lambda x: x + 1)
        with Reader(target, batched(numbers, fused=False), "slow_map"):
            answer = inspect(target, "--iterator=slow_map", "--json")
            table = inspect(target, "--iterator=slow_map")
    (pipeline,) = json.loads(answer)
    stages = pipeline["stages"]
    made = [one["op"] for one in stages if "Map" in one["op"] or "Range" in one["op"]]
    checks.check("the maps", made == ["MapDataset", "MapDataset", "RangeDataset"], answer)
    limit = stages[pipeline["bottleneck"]]
    reader = stages[limit["reader"]]
    checks.check("the slow map", limit["op"] == "MapDataset", answer)
    checks.check("not the cheap one", reader["op"].startswith("BatchDataset"), answer)
    checks.check("how much", 0.5 < pipeline["share"] <= 1.1, answer)
    checks.check("elements", limit["elements"] >= 2 * reader["elements"] - 4 > 0, answer)
    checks.check("what to do", "num_parallel_calls" in pipeline["advice"], answer)
    checks.check("as text", "bottleneck: " + limit["node"] in table, table)


def test_a_slow_map_that_makes_batches(checks, target):
    with tf.Graph().as_default():
        numbers = tf.data.Dataset.range(1 << 40)
        with Reader(target, batched(numbers, fused=True), "slow_batches"):
            answer = inspect(target, "--iterator=slow_batches", "--json")
    (pipeline,) = json.loads(answer)
    limit = pipeline["stages"][pipeline["bottleneck"]]
    checks.check("the map", limit["op"] == "MapAndBatchDataset", answer)
    checks.check("how much", 0.5 < pipeline["share"] <= 1.1, answer)
    checks.check("what to do", "num_parallel_calls" in pipeline["advice"], answer)


def test_a_parallel_map_and_a_nested_data_set(checks, target):
    with tf.Graph().as_default():
        numbers = tf.data.Dataset.range(1 << 40)
        sets = numbers.interleave(repeated, cycle_length=2, block_length=1)
        elements = sets.map(slow, num_parallel_calls=2).prefetch(1)
        with Reader(target, elements, "parallel_map"):
            answer = inspect(target, "--iterator=parallel_map", "--json")
    (pipeline,) = json.loads(answer)
    limit = pipeline["stages"][pipeline["bottleneck"]]
    checks.check("the map", limit["op"].startswith("ParallelMapDataset"), answer)
    checks.check("its workers", limit["workers"] == 2, answer)
    nested = [one for one in pipeline["stages"] if one["op"] == "RepeatDataset"]
    checks.check("one row for the data sets of a function", len(nested) == 1, answer)


def test_an_iterator_that_is_gone_is_not_listed(checks, target):
    with tf.Graph().as_default():
        with Reader(target, tf.data.Dataset.range(1 << 40), "range"):
            held = json.loads(inspect(target, "--total", "--json"))
        checks.check("it was listed", any(p["stages"] for p in held), str(held))
        tf.Session.reset(target)
    left = inspect(target, "--total")
    checks.check("nothing is left", "no iterator" in left, left)
