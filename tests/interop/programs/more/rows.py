# SPDX-License-Identifier: Apache-2.0
"""Functions of the rows of tensors."""

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
