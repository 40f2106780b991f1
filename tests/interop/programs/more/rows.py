# SPDX-License-Identifier: Apache-2.0
"""Functions of the rows of tensors, and derivatives of every element."""

import numpy as np

X = np.linspace(-1, 1, 6).reshape(3, 2).astype(np.float32)


def rows_of_several_tensors(tf):
    x = tf.constant(X)

    def function(row):
        first, second = row
        return {"sum": first + second, "most": tf.reduce_max(first)}

    kinds = {"sum": tf.float32, "most": tf.float32}
    found = tf.map_fn(function, (x, 2 * x), dtype=kinds, parallel_iterations=1)
    (gradient,) = tf.gradients(found["most"], x)
    with tf.Session() as session:
        return session.run([found, gradient])


def rows_in_other_dtypes(tf):
    x, w = tf.constant(X), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    found = [
        tf.vectorized_map(lambda row: tf.tensordot(row, w, 1), x),
        tf.vectorized_map(lambda row: (row[0] > 0, [tf.cast(row, tf.int32)]), x),
        tf.vectorized_map(lambda row: {"a": row["x"] + tf.cast(row["n"], tf.float32)},
                          {"x": x, "n": tf.range(3)}),
    ]  # fmt: skip
    (gradient,) = tf.gradients(found[0][:, 1], x)
    with tf.Session() as session:
        return session.run([found, gradient]) + [found[0].shape.as_list()]


def jacobians_of_tapes(tf):
    x, v = tf.constant(X), tf.Variable([2.0, -1.0], use_resource=True)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.square(x) * v
        total = tf.reduce_sum(y, 1)
        rows = tf.matmul(x, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    found = [
        tape.jacobian(total, x), tape.jacobian(y, [x, v]), tape.batch_jacobian(y, x),
        tape.batch_jacobian(rows, x),
    ]  # fmt: skip
    unconnected = tape.jacobian(total, tf.constant(1.0))
    zeros = tape.jacobian(rows, v, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    with tf.GradientTape() as once:
        once.watch(x)
        z = tf.tanh(x)[0]
    found += [once.jacobian(z, x), zeros]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run(found), unconnected]


def jacobians_that_are_refused(tf):
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.square(x)
    try:
        tape.batch_jacobian(y[:2], x)
    except ValueError as e:
        return [str(e)]


def second_derivatives_of_matrices(tf):
    x = tf.constant(X)
    found = tf.hessians(tf.reduce_sum(x * x * x) + x[0, 0] * x[2, 1], [x, x])
    with tf.Session() as session:
        return session.run(found)
