# SPDX-License-Identifier: Apache-2.0
"""contrib.losses: values, weights, collections, and losses of embeddings."""

import numpy as np

from .._contrib import contrib_of
from .._outcomes import outcome

ONLY_1X = True


def _data(*shape):
    return (np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape) * 0.9).astype(np.float32)


def _run(tf, *tensors):
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return [np.round(v, 4).tolist() for v in sess.run(list(tensors))]


def values(tf):
    losses = contrib_of(tf).losses
    x, y = tf.constant(_data(3, 4)), tf.constant(np.cos(_data(3, 4)))
    hot = tf.constant(np.eye(4)[[1, 0, 3]].astype(np.float32))
    found = [
        losses.absolute_difference(x, y), losses.mean_squared_error(x, y),
        losses.mean_squared_error(x, y, weights=[1.0, 0.0, 2.0]),
        losses.mean_squared_error(x, y, weights=[[1.0], [0.0], [2.0]]),
        losses.absolute_difference(x, y, weights=_data(3, 4) > 0),
        losses.sigmoid_cross_entropy(x, hot, weights=0.5, label_smoothing=0.2),
        losses.softmax_cross_entropy(x, hot, label_smoothing=0.1),
        losses.sparse_softmax_cross_entropy(x, tf.constant([[1], [0], [3]])),
        losses.log_loss(tf.abs(x), hot, weights=[2.0, 1.0, 0.0]),
        losses.hinge_loss(x, hot), losses.mean_pairwise_squared_error(x, y),
        losses.mean_pairwise_squared_error(x, y, weights=[1.0, 0.0, 3.0]),
        losses.cosine_distance(tf.nn.l2_normalize(x, 1), tf.nn.l2_normalize(y, 1), 1),
        losses.compute_weighted_loss(x, 0.0), losses.get_total_loss(),
    ]  # fmt: skip
    return _run(tf, *found), len(losses.get_losses()), len(losses.get_regularization_losses())


def mistakes(tf):
    losses, x = contrib_of(tf).losses, tf.zeros([2, 3])
    return [
        outcome(lambda: losses.cosine_distance(x, x)),
        outcome(lambda: losses.compute_weighted_loss(tf.placeholder(tf.float32))),
        outcome(lambda: losses.absolute_difference(x, tf.zeros([3, 3]))),
    ]


def embeddings(tf):
    losses = contrib_of(tf).losses.metric_learning
    labels, x = tf.constant([0, 1, 0, 2, 1, 0]), tf.constant(_data(6, 3))
    one = tf.constant(_data(6, 3) * 0.3)
    found = [
        losses.contrastive_loss(tf.constant([0, 1, 0, 1, 1, 0]), x, one, margin=0.7),
        losses.triplet_semihard_loss(labels, x), losses.npairs_loss(labels, x, one),
        losses.triplet_semihard_loss(labels, x, margin=0.2),
    ]  # fmt: skip
    return _run(tf, *found, *tf.gradients(found[1:3], x))


def sparsemax(tf):
    module = contrib_of(tf).sparsemax
    x = tf.constant(_data(3, 5) * 2.0)
    p = module.sparsemax(x)
    loss = module.sparsemax_loss(x, p, tf.constant(np.eye(5)[[0, 3, 1]].astype(np.float32)))
    return _run(tf, p, loss, *tf.gradients(loss, x))
