# SPDX-License-Identifier: Apache-2.0
"""Replicas measure what one device measures: metrics that TensorFlow's strategies refuse."""

import numpy as np
import pytest
import sluice as sl

LABELS = (np.arange(24) * 5 % 3).astype(np.int64)
SCORES = np.sin(np.arange(72)).reshape(24, 3).astype(np.float32)


def measured(count, make):
    with sl.Graph().as_default():
        strategy = sl.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(count)])
        with strategy.scope():
            data = sl.data.Dataset.from_tensor_slices((LABELS, SCORES)).batch(12)
            iterator = strategy.make_dataset_iterator(data)
            values, updates = strategy.run(
                lambda e: tuple(zip(*make(*e))), args=(iterator.get_next(),)
            )
            step = [u for update in updates for u in strategy.unwrap(update)]
            start = [sl.local_variables_initializer(), iterator.initialize()]
        config = sl.ConfigProto(device_count={"CPU": count})
        with sl.Session(config=config) as session:
            session.run(start)
            session.run(step)
            session.run(step)
            return session.run(list(values))


def ranked(labels, scores):
    metrics = sl.metrics
    return [
        metrics.recall_at_k(labels, scores, 2), metrics.precision_at_k(labels, scores, 1),
        metrics.average_precision_at_k(labels, scores, 3),
        metrics.recall_at_top_k(labels[:, None], sl.argsort(scores)[:, :2], 2),
    ]  # fmt: skip


def of_rows(labels, scores):
    chosen = sl.one_hot(labels, 3)
    vectors = sl.nn.l2_normalize(scores, 1)
    return [sl.metrics.mean_cosine_distance(chosen, vectors, 1)]


@pytest.mark.parametrize("make", [ranked, of_rows])
def test_two_replicas_measure_what_one_measures(make):
    one, two = measured(1, make), measured(2, make)
    for a, b in zip(one, two):
        np.testing.assert_allclose(a, b, 1e-6)


def test_a_metric_outside_of_replicas_is_refused():
    with sl.Graph().as_default():
        strategy = sl.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        with strategy.scope(), pytest.raises(RuntimeError, match="in a replica"):
            sl.metrics.mean([1.0])


def test_variables_that_only_later_replicas_make_are_refused():
    def make():
        if sl.distribute.get_replica_context().number:
            sl.Variable(1.0, name="late")

    with sl.Graph().as_default():
        strategy = sl.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        with strategy.scope(), pytest.raises(RuntimeError, match="the variable 'late'"):
            strategy.run(make)
