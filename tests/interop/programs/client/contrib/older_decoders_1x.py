# SPDX-License-Identifier: Apache-2.0
"""contrib.legacy_seq2seq: models whose steps are lists of tensors."""

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True
READ = [np.int32([1, 4]), np.int32([0, 2]), np.int32([3, 3])]
WRITTEN = [np.int32([0, 1]), np.int32([2, 0])]


def _initializer(tf):
    """Values that differ from element to element, of the shape alone."""

    def values(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(
            0.7 * np.cos(1.7 * np.arange(count)).reshape(shape), (dtype or tf.float32).base_dtype
        )

    return values


def _ran(tf, outputs, state):
    variables = [(v.name, v.shape.as_list()) for v in tf.global_variables()]
    grads = tf.gradients(sum(tf.reduce_sum(tf.square(o)) for o in outputs), tf.global_variables())
    grads = [tf.convert_to_tensor(g) for g in grads if g is not None]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [variables, sess.run([outputs, state]), sess.run(grads)]


def _each(tf, makes):
    found = []
    for make in makes:
        with tf.Graph().as_default():
            with tf.variable_scope("m", initializer=_initializer(tf)):
                outputs, state = make(
                    contrib_of(tf).legacy_seq2seq, tf.nn.rnn_cell.GRUCell(3),
                    [tf.constant(x) for x in READ], [tf.constant(x) for x in WRITTEN],
                )  # fmt: skip
            found.append(_ran(tf, outputs, state))
    return found


def of_vectors(tf):
    def steps(count):
        return [tf.constant(np.cos(np.arange(6) + i).reshape(2, 3), tf.float32)
                for i in range(count)]  # fmt: skip

    return _each(tf, [
        lambda s, cell, r, w: s.basic_rnn_seq2seq(steps(3), steps(2), cell),
        lambda s, cell, r, w: s.tied_rnn_seq2seq(steps(3), steps(2), cell),
        lambda s, cell, r, w: s.rnn_decoder(steps(3), tf.ones([2, 3]), cell,
                                            loop_function=lambda last, i: last * float(i)),
        lambda s, cell, r, w: s.attention_decoder(
            steps(2), tf.ones([2, 3]), tf.stack(steps(4), 1), cell, output_size=5, num_heads=2),
        lambda s, cell, r, w: s.attention_decoder(
            steps(2), tf.ones([2, 3]), tf.stack(steps(4), 1), cell, initial_state_attention=True),
    ])  # fmt: skip


def of_symbols(tf):
    return _each(tf, [
        lambda s, cell, r, w: s.embedding_rnn_seq2seq(r, w, cell, 5, 4, 3),
        lambda s, cell, r, w: s.embedding_rnn_seq2seq(r, w, cell, 5, 4, 3, feed_previous=True),
        lambda s, cell, r, w: s.embedding_tied_rnn_seq2seq(r, w, cell, 5, 3),
        lambda s, cell, r, w: s.embedding_attention_seq2seq(r, w, cell, 5, 4, 3),
        lambda s, cell, r, w: s.embedding_attention_seq2seq(
            r, w, cell, 5, 4, 3, num_heads=2, feed_previous=True),
        lambda s, cell, r, w: s.embedding_attention_seq2seq(
            r, w, cell, 5, 4, 3,
            output_projection=(tf.get_variable("w", [3, 4]), tf.get_variable("b", [4]))),
    ])  # fmt: skip


def symbols_fed_by_a_tensor(tf):
    s, found = contrib_of(tf).legacy_seq2seq, []
    feed = tf.placeholder(tf.bool, [])
    with tf.variable_scope("m", initializer=_initializer(tf)):
        outputs, state = s.embedding_attention_seq2seq(
            [tf.constant(x) for x in READ], [tf.constant(x) for x in WRITTEN],
            tf.nn.rnn_cell.GRUCell(3), 5, 4, 3, feed_previous=feed,
        )  # fmt: skip
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for value in (True, False):
            found.append(sess.run([outputs, state], {feed: value}))
    return [sorted(v.name for v in tf.global_variables()), found]


def losses(tf):
    s = contrib_of(tf).legacy_seq2seq
    logits = [tf.constant(np.cos(np.arange(8) + i).reshape(2, 4), tf.float32) for i in range(2)]
    targets, weights = [tf.constant(x) for x in WRITTEN], [tf.constant([1.0, 0.5])] * 2
    model = s.model_with_buckets(
        logits, logits, targets, weights, [(1, 1), (2, 2)], lambda r, w: ([2.0 * x for x in w], 0)
    )
    found = [
        s.sequence_loss(logits, targets, weights),
        s.sequence_loss(logits, targets, weights, False, False),
        s.sequence_loss_by_example(logits, targets, weights),
        s.sequence_loss_by_example(
            logits, targets, weights,
            softmax_loss_function=lambda labels, logits: tf.reduce_sum(logits, 1)),
        model,
    ]  # fmt: skip
    outcomes = []
    for mistake in (
        lambda: s.sequence_loss(logits, targets[:1], weights),
        lambda: s.attention_decoder([], None, logits[0], None),
        lambda: s.model_with_buckets(logits, logits, targets, weights, [(3, 1)], None),
    ):
        try:
            outcomes.append(mistake() is None)
        except Exception as error:
            outcomes.append(type(error).__name__)
    with tf.Session() as sess:
        return [outcomes, sess.run(found)]
