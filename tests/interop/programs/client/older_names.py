# SPDX-License-Identifier: Apache-2.0
"""Assertions, and short functions of older programs."""

import numpy as np

from interop.programs.client._outcomes import outcome


def assertions(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.placeholder(tf.float32)
    checks = [
        tf.assert_equal(x, [1.0, 2.0]),
        tf.assert_less(x, 3.0),
        tf.assert_greater(x, 1.5),
        tf.assert_positive(x),
        tf.assert_negative(x),
        tf.assert_non_negative(x, message="said"),
        tf.assert_rank(y, 1),
        tf.assert_rank_at_least(y, 2),
        tf.assert_none_equal(x, 7.0),
        tf.assert_less_equal(x, 2.0),
    ]
    found = []
    with tf.Session() as sess:
        for check in checks:
            try:
                sess.run(check, {x: [1.0, 2.0], y: [1.0]})
                found.append("fine")
            except tf.errors.InvalidArgumentError as e:
                found.append(["said" in str(e), e.error_code])
    for call in (
        lambda: tf.assert_equal(1, 2),
        lambda: tf.assert_rank(x, 2),
        lambda: tf.assert_type(x, tf.int32),
        lambda: tf.assert_integer(x),
        lambda: tf.assert_scalar(x),
        lambda: tf.assert_greater(2, 1),
    ):
        found.append(outcome(call))
    return found


def casts_and_orders(tf):
    x = tf.constant([[3.0, 1.0, 2.0], [0.5, 2.5, -1.0]])
    n = tf.constant([[3, 1, 2], [7, 7, -5]])
    found = [
        tf.to_float(n),
        tf.to_double(x),
        tf.to_int32(x),
        tf.to_int64(x),
        tf.to_complex64(x),
        tf.sort(x),
        tf.argsort(x),
        tf.sort(n, direction="DESCENDING"),
        tf.argsort(n),
        tf.batch_gather(x, [[2, 0], [1, 1]]),
        x[:, tf.newaxis],
        tf.sparse_to_dense([1, 3], [5], [7, 8]),
        tf.is_tensor(x),
        tf.executing_eagerly(),
        tf.verify_tensor_all_finite(x, "no"),
    ]
    tensors = [f for f in found if not isinstance(f, bool)]
    with tf.Session() as sess:
        return [sess.run(tensors), [f for f in found if isinstance(f, bool)]]


def slices_of_variables(tf):
    found = []
    for resource in (False, True):
        v = tf.Variable(np.zeros((3, 2), np.float32), use_resource=resource)
        with tf.Session() as sess:
            sess.run(v.initializer)
            found.append(sess.run(tf.scatter_nd_update(v, [[0, 1], [2, 0]], [5.0, 6.0])))
            found.append(sess.run(tf.scatter_nd_add(v, [[0], [0]], [[1.0, 1.0], [2.0, 2.0]])))
            found.append(sess.run(tf.scatter_nd_sub(v, [[1]], [[1.0, 1.0]])))
    return found


def in_compat(tf):
    v1 = tf.compat.v1 if hasattr(tf.compat, "v1") else tf
    with v1.Session() as sess:
        return sess.run(v1.constant(3.0))


def lifted_out_of_scopes(tf):
    first, found = tf.constant(1.0, name="first"), []

    def lifted(name):
        with tf.init_scope():
            made = tf.constant(2.0, name=name)
        found.append([made.op.name.split("/")[-1], len(made.op.control_inputs)])
        return made

    with tf.name_scope("outer"), tf.control_dependencies([first]):
        plain = tf.constant(3.0, name="plain")
        found.append([plain.op.name, len(plain.op.control_inputs)])
        found.append(lifted("in_scope").op.name)
    with tf.Graph().as_default():
        picked = tf.cond(tf.constant(False), lambda: tf.constant(1.0), lambda: lifted("a") * 2.0)
        looped = tf.while_loop(lambda i: i < 3.0, lambda i: i + lifted("b"), [0.0])
        with tf.Session() as sess:
            found += [float(v) for v in sess.run([picked, looped])]
    return found
