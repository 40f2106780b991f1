# SPDX-License-Identifier: Apache-2.0
"""contrib.metrics: the functions of metrics under older names."""

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True


def _run(tf, pairs):
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run([update for _, update in pairs])
        return sess.run([value for value, _ in pairs])


def streaming(tf):
    m = contrib_of(tf).metrics
    p, t = tf.constant([0, 1, 1, 0, 1]), tf.constant([0, 1, 0, 0, 0])
    x, y = tf.constant([0.1, 0.9, 0.6, 0.4, 0.2]), tf.constant([0.0, 1.0, 0.0, 1.0, 0.0])
    w = tf.constant([1.0, 0.0, 2.0, 1.0, 1.0])
    pairs = [
        getattr(m, f"streaming_{name}")(p, t, *more)
        for name in ("accuracy", "precision", "recall", "true_positives", "false_negatives")
        for more in ((), (w,))
    ]
    pairs += [getattr(m, f"streaming_{name}")(x, y) for name in (
        "mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "auc"
    )]  # fmt: skip
    pairs += [
        m.streaming_mean(x, w), m.streaming_mean_tensor(x), m.streaming_percentage_less(x, 0.5),
        m.streaming_mean_iou(p, t, 2), m.streaming_mean_relative_error(x, y, x),
        m.streaming_mean_cosine_distance(tf.reshape(x, [1, 5]), tf.reshape(y, [1, 5]), 1),
        m.streaming_precision_at_thresholds(x, y > 0, [0.3, 0.7]),
        m.streaming_recall_at_thresholds(x, labels=y > 0, thresholds=[0.3, 0.7]),
        m.streaming_sensitivity_at_specificity(x, y > 0, 0.5, num_thresholds=10),
        m.streaming_specificity_at_sensitivity(x, y > 0, 0.5, w, 10),
        m.streaming_auc(x, y > 0, None, 20, curve="PR"),
    ]
    return _run(tf, pairs)


def of_the_best_classes(tf):
    m = contrib_of(tf).metrics
    scores = tf.constant(np.cos(np.arange(12)).reshape(3, 4), tf.float32)
    labels = tf.constant([[1], [2], [0]], tf.int64)
    return _run(tf, [
        m.streaming_sparse_recall_at_k(scores, labels, 2),
        m.streaming_sparse_precision_at_k(scores, labels, 2, class_id=1),
        m.streaming_sparse_average_precision_at_k(scores, labels, 3),
        m.streaming_recall_at_k(scores, tf.constant([1, 2, 0]), 2),
    ])  # fmt: skip


def of_one_batch(tf):
    m = contrib_of(tf).metrics
    p, t = tf.constant([0, 1, 1, 0]), tf.constant([0, 1, 0, 0])
    values, updates = m.aggregate_metrics(m.streaming_mean([1.0]), m.streaming_mean([2.0, 4.0]))
    by_name = m.aggregate_metric_map({"a": m.streaming_mean([3.0]), "b": m.streaming_mean([5.0])})
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run([updates, by_name[1]])
        found = sess.run([
            values, by_name[0], m.accuracy(p, t), m.accuracy(p, t, tf.constant([1.0, 0, 2, 1])),
            m.confusion_matrix(t, p), m.set_size(m.set_intersection([[1, 2]], [[2, 3]])),
        ])  # fmt: skip
    outcomes = []
    for mistake in (
        lambda: m.accuracy(tf.constant([1.0]), tf.constant([1.0])),
        lambda: m.accuracy(p, tf.constant([True] * 4)),
        lambda: m.aggregate_metrics(),
    ):
        try:
            outcomes.append(mistake() is None)
        except Exception as error:
            outcomes.append(type(error).__name__)
    return [found, outcomes]
