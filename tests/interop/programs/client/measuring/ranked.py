# SPDX-License-Identifier: Apache-2.0
"""Metrics of the k classes with the largest predictions."""

import numpy as np

from interop.programs.client._outcomes import outcome

PREDICTIONS = np.array(
    [[0.1, 0.5, 0.3, 0.05, 0.2], [0.9, 0.1, 0.4, 0.8, 0.7], [0.0, 0.2, 0.3, 0.4, 0.1]], np.float32
)
BEST = np.array([[1, 2], [0, 3], [3, 2]], np.int64)
LABELS = np.array([[1, 2], [4, -1], [0, 3]], np.int64)  # -1: no label
NONE = np.array([[1, 2], [-1, -1], [7, 3]], np.int64)  # one row has none


def _steps(tf, metric, labels, *arguments, **more):
    """Names, and the values before a batch, of two batches, and after them."""
    with tf.Graph().as_default(), tf.Session() as session:
        made = [value() if callable(value) else value for value in (labels, *arguments)]
        value, update = metric(*made, **more)
        session.run(tf.local_variables_initializer())
        found = [session.run(each) for each in (value, update, update, value)]
        names = [variable.op.name for variable in tf.local_variables()]
        return [value.name, update.name, names, found]


def _sparse(tf):
    indices = [[0, 0], [0, 1], [2, 0]]
    return lambda: tf.SparseTensor(indices, tf.constant([1, 3, 3], tf.int64), [3, 5])


def at_k(tf):
    """Labels as rows, one a row, sparse, and in more dimensions."""
    found = []
    metrics = tf.metrics.precision_at_k, tf.metrics.recall_at_k, tf.metrics.average_precision_at_k
    for metric in metrics:
        for labels in (LABELS, LABELS[:, 0], NONE, _sparse(tf)):
            found += [_steps(tf, metric, labels, PREDICTIONS, k) for k in (1, 3)]
        found.append(_steps(tf, metric, NONE[None], PREDICTIONS[None], 2, name="named"))
    return found


def weights_and_classes(tf):
    metrics, found = tf.metrics, []
    for metric in (metrics.precision_at_k, metrics.recall_at_k):
        found.append(_steps(tf, metric, LABELS, PREDICTIONS, 2, class_id=1))
        found.append(_steps(tf, metric, _sparse(tf), PREDICTIONS, 2, class_id=3, weights=[1, 2, 3]))
        found.append(_steps(tf, metric, LABELS, PREDICTIONS, 2, weights=2.0))
    weights = [0.0, 0.5, 3.0]
    found.append(_steps(tf, metrics.average_precision_at_k, LABELS, PREDICTIONS, 3, weights))
    return found


def at_top_k(tf):
    found = []
    labels, best = lambda: tf.constant(LABELS), lambda: tf.constant(BEST)
    for metric in (tf.metrics.precision_at_top_k, tf.metrics.recall_at_top_k):
        for more in ({}, {"k": 2}, {"class_id": 3}, {"k": 1, "class_id": 3}, {"name": "named"}):
            found.append(_steps(tf, metric, labels, best, **more))
    return found


def collections_and_mistakes(tf):
    tf.metrics.recall_at_k(LABELS, PREDICTIONS, 2, metrics_collections=["values"])
    tf.metrics.average_precision_at_k(LABELS, PREDICTIONS, 2, updates_collections=["updates"])
    return [
        [tensor.name for key in ("values", "updates") for tensor in tf.get_collection(key)],
        outcome(lambda: tf.metrics.average_precision_at_k(LABELS, PREDICTIONS, 0)),
        outcome(lambda: tf.metrics.recall_at_k(LABELS, PREDICTIONS, 6)),
        outcome(lambda: tf.metrics.precision_at_k(LABELS.astype(np.int32), PREDICTIONS, 2)),
    ]
