# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells over sequences."""

import numpy as np

ONLY_1X = True
X = np.linspace(-1, 1, 2 * 3 * 4).reshape(2, 3, 4).astype(np.float32)


def _cells(tf):
    c = tf.nn.rnn_cell
    return [
        lambda: c.BasicRNNCell(3),
        lambda: c.GRUCell(3),
        lambda: c.BasicLSTMCell(3, forget_bias=0.5),
        lambda: c.LSTMCell(3, use_peepholes=True, cell_clip=0.5, num_proj=2, proj_clip=0.4),
        lambda: c.LSTMCell(3, state_is_tuple=False),
        lambda: c.MultiRNNCell([c.BasicLSTMCell(3), c.ResidualWrapper(c.GRUCell(3))]),
        lambda: c.DropoutWrapper(c.DeviceWrapper(c.GRUCell(3), "/cpu:0"), output_keep_prob=1.0),
    ]


def _outputs_and_gradients(tf, outputs, state):
    loss = tf.reduce_sum(tf.square(tf.concat(outputs, 1) if isinstance(outputs, list) else outputs))
    variables = tf.trainable_variables()
    grads = tf.gradients(loss, variables)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run([outputs, state, grads])
    return [[(v.name, v.shape.as_list()) for v in variables], found]


def over_dynamic_sequences(tf):
    found = []
    for make in _cells(tf):
        for lengths in (None, [3, 1]):
            with tf.Graph().as_default():
                with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
                    outputs, state = tf.nn.dynamic_rnn(
                        make(), tf.constant(X), lengths, dtype=tf.float32
                    )
                found.append([outputs.shape.as_list(), _outputs_and_gradients(tf, outputs, state)])
    return found


def over_lists(tf):
    found = []
    for make in _cells(tf)[:3]:
        with tf.Graph().as_default():
            with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
                inputs = tf.unstack(tf.constant(X), axis=1)
                outputs, state = tf.nn.static_rnn(
                    make(), inputs, dtype=tf.float32, sequence_length=[2, 3]
                )
            found.append(_outputs_and_gradients(tf, outputs, state))
    return found


def in_both_directions(tf):
    c = tf.nn.rnn_cell
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
        outputs, state = tf.nn.bidirectional_dynamic_rnn(
            c.BasicLSTMCell(2),
            c.GRUCell(3),
            tf.constant(X),
            sequence_length=[2, 3],
            dtype=tf.float32,
        )
        lists, _, _ = tf.nn.static_bidirectional_rnn(
            c.BasicRNNCell(2),
            c.BasicRNNCell(2),
            tf.unstack(tf.constant(X), axis=1),
            dtype=tf.float32,
        )
    return _outputs_and_gradients(tf, tf.concat(outputs + (tf.stack(lists, 1),), 2), state)


def of_unknown_length(tf):
    x = tf.placeholder(tf.float32, [None, None, 4])
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
        outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        again, _ = cell(x[:, 0], state)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_mean(outputs))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = []
        for _ in range(3):
            sess.run(train, {x: X})
            found.append(sess.run([outputs, state.c, again], {x: X}))
    return [outputs.shape.as_list(), [v.name for v in tf.trainable_variables()], found]
