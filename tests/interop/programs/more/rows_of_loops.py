# SPDX-License-Identifier: Apache-2.0
"""Gradients that the body of a loop computes by variables outside of it."""

import numpy as np


def gradients_by_variables(tf):
    found = []
    for use_resource in (False, True):
        w = tf.Variable([1.0, 2.0], use_resource=use_resource)

        def row(x, w=w):
            (gradient,) = tf.gradients(tf.reduce_sum(tf.square(x * w)), [w])
            return tf.gradients(tf.reduce_sum(gradient * (w - 0.1 * gradient)), [w])[0]

        found.append(tf.map_fn(row, tf.constant(np.arange(6.0).reshape(3, 2), tf.float32)))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(found)


def dtypes_of_python(tf):
    kinds = [tf.as_dtype(kind).name for kind in ("float", float, "double", bool)]
    x = tf.constant([0.5, 2.0], tf.float64)
    with tf.Session() as session:
        return [kinds, *session.run([tf.cast(x, "float"), tf.cast(x, float), tf.cast(x, tf.int32)])]
