# SPDX-License-Identifier: Apache-2.0
"""Metrics that the replicas of a strategy measure together."""

import numpy as np

ONLY_1X = True
LABELS = (np.arange(24) * 5 % 7 > 3).astype(np.int64)
SCORES = ((np.arange(24) * 11 % 24) / 24).astype(np.float32)
WEIGHTS = (1 + np.arange(24) % 3).astype(np.float32)


def _measured(tf, make, batch=4, steps=3):
    """The value after each step, and the local variables by their names."""
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    with strategy.scope():
        data = tf.data.Dataset.from_tensor_slices((LABELS, SCORES, WEIGHTS)).batch(2 * batch)
        iterator = strategy.make_dataset_iterator(data)

        def measure(element):
            made = make(*element)
            return [value for value, _ in made], [update for _, update in made]

        results, updates = strategy.experimental_run_v2(measure, args=(iterator.get_next(),))
        step = strategy.group([u for update in updates for u in strategy.unwrap(update)])
        start = [tf.local_variables_initializer(), iterator.initialize()]
    found = []
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        session.run(start)
        for _ in range(steps):
            session.run(step)
            found.append(session.run(results))
    return [found, sorted(v.name for v in tf.local_variables())]


def means(tf):
    def make(labels, scores, weights):
        m = tf.metrics
        return [
            m.mean(scores, weights), m.accuracy(labels, scores > 0.5),
            m.mean_squared_error(labels, tf.cast(scores * 4, tf.int64)),
            m.root_mean_squared_error(tf.cast(labels, tf.float32), scores),
            m.mean_absolute_error(tf.cast(labels, tf.float32), scores, weights),
            m.percentage_below(scores, 0.3),
            m.mean_relative_error(tf.cast(labels, tf.float32), scores, scores + 1),
        ]  # fmt: skip

    return _measured(tf, make)


def counts(tf):
    def make(labels, scores, weights):
        m, said = tf.metrics, scores > 0.5
        return [
            m.precision(labels, said), m.recall(labels, said, weights),
            m.true_positives(labels, said), m.false_negatives(labels, said, weights),
            m.mean_iou(labels, tf.cast(said, tf.int64), 2),
            m.mean_per_class_accuracy(labels, tf.cast(said, tf.int64), 2),
        ]  # fmt: skip

    return _measured(tf, make)


def thresholds(tf):
    def make(labels, scores, weights):
        m = tf.metrics
        return [
            m.auc(labels, scores), m.auc(labels, scores, weights, curve="PR"),
            m.precision_at_thresholds(labels, scores, [0.2, 0.6]),
            m.false_positives_at_thresholds(labels, scores, [0.5]),
            m.sensitivity_at_specificity(labels, scores, 0.6),
            m.specificity_at_sensitivity(labels, scores, 0.6),
        ]  # fmt: skip

    return _measured(tf, make)


def after_variables_of_a_model(tf):
    """Replicas that find variables by name still make their metrics in order."""

    def make(labels, scores, weights):
        x = tf.layers.dense(scores[:, None], 3, kernel_initializer=tf.ones_initializer())
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        return [tf.metrics.mean(x * w), tf.metrics.mean(x, name="x"), tf.metrics.mean(2 * x)]

    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    with strategy.scope():
        data = tf.data.Dataset.from_tensor_slices((LABELS, SCORES, WEIGHTS)).batch(8)
        iterator = strategy.make_dataset_iterator(data)
        values, updates = strategy.experimental_run_v2(
            lambda e: tuple(zip(*make(*e))), args=(iterator.get_next(),)
        )
        ops = [u for update in updates for u in strategy.unwrap(update)]
        start = [
            tf.global_variables_initializer(), tf.local_variables_initializer(),
            iterator.initialize(),
        ]  # fmt: skip
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        session.run(start)
        session.run(ops)
        return [session.run(list(values)), sorted(v.name for v in tf.global_variables())]


def values_are_collected_once(tf):
    def make(labels, scores, weights):
        return [tf.metrics.mean(scores, None, ["values"], ["updates"])]

    _measured(tf, make, steps=1)
    return [len(tf.get_collection("values")), len(tf.get_collection("updates"))]
