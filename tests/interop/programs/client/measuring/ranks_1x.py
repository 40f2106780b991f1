# SPDX-License-Identifier: Apache-2.0
"""Losses and metrics of labels, predictions and weights whose ranks are known in run() only: one of
them may have a last dimension of 1 that the others do not have."""

import numpy as np

ONLY_1X = True  # metrics of later TensorFlows are objects

_COLUMN, _ROW, _WEIGHTS = np.array([[0], [1], [1]]), np.array([1, 1, 0]), np.array([1.0, 0, 2])
_SHAPES = (
    (_COLUMN, _ROW, _WEIGHTS), (_ROW, _COLUMN, _WEIGHTS), (_COLUMN, _COLUMN, _WEIGHTS),
    (_ROW, _ROW, _WEIGHTS.reshape(3, 1)), (_COLUMN, _COLUMN, 2.0),
)  # fmt: skip


def _run(tf, cases):
    """For each pair of tensors and what is fed: what the tensors are, or the class of the error."""
    found = []
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        for tensors, values in cases:
            try:
                found.append(session.run(tensors, values))
            except tf.errors.InvalidArgumentError as error:
                found.append(type(error).__name__)
    return found


def cross_entropy(tf):
    cases, weights = [], np.arange(3.0)
    logits_given = np.arange(9.0).reshape(3, 3) ** 2 % 5
    for labels_shape in (None, [None, None], [None, 1]):
        for weights_shape in (None, [None]):
            labels = tf.placeholder(tf.int64, labels_shape)
            logits = tf.placeholder(tf.float32, [None, 3])
            own = tf.placeholder(tf.float32, weights_shape)
            loss = tf.losses.sparse_softmax_cross_entropy(labels, logits, own)
            own_given = weights.reshape(3, 1) if weights_shape is None else weights
            values = {labels: [[0], [2], [1]], logits: logits_given, own: own_given}
            cases.append(([loss, tf.gradients(loss, logits)[0]], values))
    return _run(tf, cases)


def losses(tf):
    """Shapes that do not fit are an error, and are not broadcast."""
    cases = []
    for name in ("mean_squared_error", "absolute_difference"):
        labels, predictions, own = (tf.placeholder(tf.float32, None) for _ in range(3))
        loss = getattr(tf.losses, name)(labels, predictions, own)
        for x, y, weights in _SHAPES:
            cases.append(([loss], {labels: x, predictions: 0.25 + 0.5 * y, own: weights}))
    return _run(tf, cases)


def metrics(tf):
    cases = []
    for name in ("accuracy", "recall", "mean_absolute_error"):
        kind = tf.int64 if name == "accuracy" else tf.float32
        labels, predictions = (tf.placeholder(kind, None) for _ in range(2))
        own = tf.placeholder(tf.float32, None)
        _, update = getattr(tf.metrics, name)(labels, predictions, own)
        for x, y, weights in _SHAPES:
            cases.append(([update], {labels: x, predictions: y, own: weights}))
    column = tf.constant([[1.0], [3.0]])
    for update in (
        tf.metrics.recall(_COLUMN, _ROW)[1],
        tf.metrics.false_positives(_ROW, _COLUMN, _WEIGHTS)[1],
        tf.metrics.mean_relative_error(column, [2.0, 3.0], [1.0, 2.0])[1],
        tf.metrics.mean(column, [1.0, 3.0])[1],
        tf.metrics.precision(column > 2, column > 0, [1.0, 3.0])[1],
        tf.metrics.accuracy(column, [[1.0], [2.0]], [1.0, 3.0])[1],
        tf.metrics.auc(column > 2, column / 4, [1.0, 3.0])[1],
    ):  # fmt: skip
        cases.append(([update], {}))
    return _run(tf, cases)


def matrices(tf):
    cases = []
    for first, second in (
        (None, None), (None, [None, 1]), ([None], None), ([None], [None, 1]), ([None, 1], [None])
    ):  # fmt: skip
        labels, predictions = (tf.placeholder(tf.int64, s) for s in (first, second))
        matrix = tf.confusion_matrix(labels, predictions, 3)
        x = [[0], [2], [2]] if first == [None, 1] else [0, 2, 2]
        y = [[0], [1], [2]] if second != [None] else [0, 1, 2]
        cases.append(([matrix], {labels: x, predictions: y}))
    return _run(tf, cases)
