# SPDX-License-Identifier: Apache-2.0
"""contrib.crf: conditional random fields."""

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True
SCORES = np.cos(np.arange(3 * 4 * 5) * 1.3).reshape(3, 4, 5).astype(np.float32)
PAIRS = np.sin(np.arange(25) * 0.7).reshape(5, 5).astype(np.float32)
TAGS = np.array([[0, 1, 2, 3], [4, 3, 2, 1], [1, 1, 0, 0]], np.int32)
LENGTHS = np.array([4, 2, 0], np.int32)


def _run(tf, fetches, feed=None):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed)


def scores(tf):
    c, found = contrib_of(tf).crf, []
    for tags in (TAGS, TAGS.astype(np.int64)):
        for steps in (4, 1):
            x, t, n = tf.constant(SCORES[:, :steps]), tf.constant(tags[:, :steps]), LENGTHS
            n = tf.constant(np.minimum(n, steps))
            found += [
                c.crf_sequence_score(x, t, n, tf.constant(PAIRS)),
                c.crf_unary_score(t, n, x),
                c.crf_log_norm(x, n, tf.constant(PAIRS)),
                c.crf_log_likelihood(x, t, n, tf.constant(PAIRS)),
                c.crf_multitag_sequence_score(x, x > 0.0, n, tf.constant(PAIRS)),
            ]
        found.append(c.crf_binary_score(tf.constant(tags), LENGTHS, tf.constant(PAIRS)))
    return _run(tf, found)


def training(tf):
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.1)):
        x = tf.constant(SCORES)
        likelihood, pairs = contrib_of(tf).crf.crf_log_likelihood(x, tf.constant(TAGS), LENGTHS)
    found = [likelihood, tf.gradients(likelihood, [x, pairs])]
    return [pairs.name, pairs.shape.as_list(), _run(tf, found)]


def decoding(tf):
    c, found = contrib_of(tf).crf, []
    for steps in (4, 1):
        x, n = tf.constant(SCORES[:, :steps]), tf.constant([steps, 1, 1])
        found.append(c.crf_decode(x, tf.constant(PAIRS), n))
    found = _run(tf, found)
    tags, score = c.viterbi_decode(SCORES[0], PAIRS)
    return [found, [int(t) for t in tags], score]


def of_unknown_size(tf):
    c, found = contrib_of(tf).crf, []
    x, n = tf.placeholder(tf.float32, [None, None, 5]), tf.placeholder(tf.int32, [None])
    tags = tf.placeholder(tf.int32, [None, None])
    likelihood = c.crf_log_likelihood(x, tags, n, tf.constant(PAIRS))
    made = [c.crf_decode(x, tf.constant(PAIRS), n), likelihood[0]]
    for steps in (4, 1):
        feed = {x: SCORES[:, :steps], n: [steps, 1, 1], tags: TAGS[:, :steps]}
        found.append(_run(tf, made, feed))
    return found
