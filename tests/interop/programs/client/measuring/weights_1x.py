# SPDX-License-Identifier: Apache-2.0
"""Weights of losses and metrics that do not fit, and collections that get them."""

import numpy as np

from interop.programs.client._outcomes import message, says

ONLY_1X = True
_VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)


def refused_weights(tf):
    ones = np.ones_like(_VALUES)
    given = [[1.0, 2.0], np.ones((4, 3)), np.ones((2, 2)), np.ones((2, 3, 1)), [[1.0, 2.0]]]
    return [
        *[message(tf.losses.absolute_difference, ones, _VALUES, weights) for weights in given],
        message(tf.metrics.mean, _VALUES, [1.0, 2.0]),
        message(tf.losses.mean_pairwise_squared_error, ones, _VALUES, np.ones((2, 3, 4))),
        message(tf.losses.compute_weighted_loss, ones, reduction="other"),
    ]


def weights_of_unknown_shapes(tf):
    values, weights = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    found = []
    with tf.Session() as session:
        for loss in (tf.losses.mean_squared_error, tf.losses.mean_pairwise_squared_error):
            made = loss(values * 2.0, values, weights)
            found.append(session.run(made, {values: _VALUES, weights: [[1.0], [2.0]]}))
            feed = {values: _VALUES, weights: [1.0, 2.0]}
            found.append(says("weights can not be broadcast to values.", session.run, made, feed))
            found.append(str(made.shape))
    return found


def names_of_pairwise_errors(tf):
    loss = tf.losses.mean_pairwise_squared_error
    made = [loss(_VALUES, -_VALUES), loss(_VALUES, -_VALUES, 2.0, "own")]
    with tf.Session() as session:
        return [[tensor.name for tensor in made], session.run(made)]


def collections_by_name(tf):
    tf.metrics.mean(_VALUES, metrics_collections="kept", updates_collections="updates")
    tf.metrics.precision(_VALUES > 1, _VALUES > 2, metrics_collections=["kept", "kept"])
    return [[tensor.name for tensor in tf.get_collection(key)] for key in ("kept", "updates")]


def losses_of_heads(tf):
    """The loss of a head is in no collection; that of each example may be."""
    found = []
    for head, labels in (
        (tf.estimator.RegressionHead(2), [[1.0, 0.0], [0.0, 1.0]]),
        (tf.estimator.MultiLabelHead(2), [[1, 0], [0, 1]]),
        (tf.estimator.BinaryClassHead(), [[1], [0]]),
    ):
        size = head.logits_dimension
        with tf.Graph().as_default():
            tf.train.create_global_step()
            for mode in ("train", "eval"):
                more = {"train_op_fn": lambda loss: tf.no_op()} if mode == "train" else {}
                logits = tf.constant([[1.0, 2.0], [3.0, 0.0]])[:, :size]
                head.create_estimator_spec({}, mode, logits, tf.constant(labels), **more)
                found.append([str(t.shape) for t in tf.get_collection(tf.GraphKeys.LOSSES)])
    return found
