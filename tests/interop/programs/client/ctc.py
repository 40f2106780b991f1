# SPDX-License-Identifier: Apache-2.0
"""Connectionist temporal classification: losses, gradients, decoders, labels."""

import numpy as np

from interop.programs.client._outcomes import outcome


def _logits(steps=6, batch=3, classes=5):
    return np.sin(np.arange(steps * batch * classes) * 1.7).reshape(steps, batch, classes) * 3


def _labels(tf):
    return tf.SparseTensor(
        [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]], [0, 1, 3, 2, 2, 0], [3, 3]
    )


def losses(tf):
    x = tf.constant(_logits(), tf.float32)
    lengths = tf.constant([6, 4, 6])
    found = []
    for more in (
        {},
        {"preprocess_collapse_repeated": True},
        {"ctc_merge_repeated": False},
        {"ignore_longer_outputs_than_inputs": True},
    ):
        loss = tf.nn.ctc_loss(_labels(tf), x, lengths, **more)
        found += [loss, tf.gradients(tf.reduce_sum(loss * [1.0, 2.0, 3.0]), x)[0]]
    batch_major = tf.transpose(x, [1, 0, 2])
    found.append(
        tf.nn.ctc_loss(_labels(tf), logits=batch_major, sequence_length=lengths, time_major=False)
    )
    with tf.Session() as sess:
        return sess.run(found)


def losses_of_the_second_version(tf):
    x = tf.constant(_logits(), tf.float32)
    lengths, counts = tf.constant([6, 4, 6]), tf.constant([2, 1, 3])
    dense = tf.constant([[1, 2, 0], [4, 0, 0], [3, 3, 1]])
    loss = tf.nn.ctc_loss_v2
    found = []
    for made in (
        loss(dense, x, counts, lengths),
        loss(dense, tf.transpose(x, [1, 0, 2]), counts, lengths, logits_time_major=False),
        loss(dense, x, counts, lengths, unique=tf.nn.ctc_unique_labels(dense)),
        loss(_labels(tf), x, None, lengths, blank_index=-1),
        loss(_labels(tf), x, None, lengths, blank_index=4),
        loss(
            tf.SparseTensor([[0, 0], [1, 0], [2, 0]], [0, 3, 4], [3, 1]), x, None, lengths,
            blank_index=2,
        ),
    ):  # fmt: skip
        # Beyond an example's steps 1.15 gives logits a gradient, which they do not have.
        found += [made, tf.gradients(made, x)[0][:4]]
    with tf.Session() as sess:
        return sess.run(found)


def decoders(tf):
    x = tf.constant(_logits(8, 2, 4), tf.float32)
    lengths = tf.constant([8, 5])
    found = []
    made = [
        tf.nn.ctc_greedy_decoder(x, lengths),
        tf.nn.ctc_greedy_decoder(x, lengths, merge_repeated=False),
        tf.nn.ctc_beam_search_decoder(x, lengths, beam_width=10),
        tf.nn.ctc_beam_search_decoder(x, lengths, 20, 2, merge_repeated=False),
        tf.nn.ctc_beam_search_decoder_v2(x, lengths, beam_width=12, top_paths=3),
    ]
    for decoded, scores in made:
        found.append(scores)
        for part in decoded:
            found += [part.indices, part.values, part.dense_shape]
    with tf.Session() as sess:
        return sess.run(found)


def labels(tf):
    x = tf.constant([[1, 1, 2, 2, 1, 0], [3, 3, 3, 0, 0, 5], [4, 5, 6, 7, 7, 7]])
    collapsed = tf.nn.collapse_repeated(x, [6, 3, 5])
    unique = tf.nn.ctc_unique_labels(tf.constant([[3, 4, 4, 3], [1, 2, 3, 4]]))
    with tf.Session() as sess:
        return sess.run([*collapsed, *unique])


def training(tf):
    """A small network learns labels."""
    x = tf.constant(_logits(6, 3, 4), tf.float32)
    w = tf.Variable(np.cos(np.arange(20)).reshape(4, 5).astype(np.float32))
    logits = tf.tensordot(x, w, [[2], [0]])
    loss = tf.reduce_mean(tf.nn.ctc_loss(_labels(tf), logits, tf.constant([6, 6, 6])))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            found.append(sess.run(loss))
            sess.run(train)
        return [*found, sess.run(w)]


def mistakes(tf):
    x, lengths = tf.constant(_logits(), tf.float32), tf.constant([6, 4, 6])
    calls = [
        lambda: tf.nn.ctc_loss([[1]], x, lengths),
        lambda: tf.nn.ctc_loss_v2(_labels(tf), x, None, lengths),
        lambda: tf.nn.ctc_loss(_labels(tf), x, lengths, logits=x),
    ]
    found = [outcome(call) for call in calls]
    with tf.Session() as sess:
        few = tf.nn.ctc_loss(_labels(tf), x, tf.constant([6, 4, 2]))
        found.append(outcome(sess.run, few))
        many = tf.nn.ctc_loss(_labels(tf), x, tf.constant([6, 4, 9]))
        found.append(outcome(sess.run, many))
    return found
