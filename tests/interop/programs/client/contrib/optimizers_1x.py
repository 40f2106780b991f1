# SPDX-License-Identifier: Apache-2.0
"""contrib.opt: its optimizers."""

import os
import tempfile

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True


def _optimizers(tf):
    o = contrib_of(tf).opt
    wider = o.extend_with_decoupled_weight_decay(tf.train.GradientDescentOptimizer)
    return [
        lambda: o.AdamWOptimizer(0.1, 0.05),
        lambda: o.AdamWOptimizer(weight_decay=0.01, learning_rate=0.1, beta1=0.8),
        lambda: o.MomentumWOptimizer(0.1, 0.05, 0.9),
        lambda: o.MomentumWOptimizer(0.1, 0.05, 0.9, use_nesterov=True),
        lambda: o.LazyAdamOptimizer(0.1),
        lambda: o.NadamOptimizer(0.1),
        lambda: o.AdaMaxOptimizer(0.1),
        lambda: wider(0.1, learning_rate=0.2),
    ]


def _steps(tf, make, use_resource, chosen):
    with tf.variable_scope("m", use_resource=use_resource):
        x = tf.get_variable("x", initializer=np.float32([1.0, -2.0]))
        table = tf.get_variable("table", initializer=np.float32([[1.0, 2], [3, 4], [5, 6]]))
    rows = tf.gather(table, [0, 2, 0])
    # The gradient reads no variable: nothing orders such a read and the decay.
    loss = tf.reduce_sum(tf.constant([0.3, -0.7]) * x) + tf.reduce_sum(rows * [0.5, -0.2])
    optimizer = make()
    pairs = optimizer.compute_gradients(loss)
    more = {"decay_var_list": [x]} if chosen else {}
    step = optimizer.apply_gradients(pairs, **more)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(step)
        found = sess.run(tf.global_variables())
    return [sorted(v.name for v in tf.global_variables()), found[:2]]


def steps(tf):
    found = []
    for make in _optimizers(tf):
        for use_resource in (False, True):
            with tf.Graph().as_default():
                found.append(_steps(tf, make, use_resource, False))
    return found


def chosen_variables_decay(tf):
    found = []
    for make in _optimizers(tf)[:3]:
        with tf.Graph().as_default():
            found.append(_steps(tf, make, False, True))
    return found


def minimized(tf):
    found = []
    for use_list in (False, True):
        with tf.Graph().as_default():
            x = tf.get_variable("x", initializer=np.float32([1.0, -2.0]))
            y = tf.get_variable("y", initializer=np.float32([3.0]))
            loss = tf.reduce_sum(x * [0.5, -0.3]) + tf.reduce_sum(y)
            more = {"decay_var_list": [x]} if use_list else {}
            step = contrib_of(tf).opt.AdamWOptimizer(0.1, 0.05).minimize(loss, **more)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                sess.run(step)
                found.append(sess.run([x, y]))
    return found


def averages(tf):
    found = []
    for sequential in (True,):
        x = tf.get_variable("x", initializer=np.float32([1.0, -2.0]))
        optimizer = contrib_of(tf).opt.MovingAverageOptimizer(
            tf.train.GradientDescentOptimizer(0.1), 0.5, sequential_update=sequential
        )
        step = optimizer.minimize(tf.reduce_sum(x * x))
        saver = optimizer.swapping_saver()
        plain = tf.train.Saver()
        with tf.Session() as sess, tempfile.TemporaryDirectory() as folder:
            sess.run(tf.global_variables_initializer())
            sess.run(step)
            sess.run(step)
            found.append(sess.run(tf.global_variables()))
            path = saver.save(sess, os.path.join(folder, "swapped"))
            plain.restore(sess, path)
            found.append(sess.run(tf.global_variables()))
            found.append(sorted(v.name for v in tf.global_variables()))
    return found
