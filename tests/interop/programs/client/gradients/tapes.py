# SPDX-License-Identifier: Apache-2.0
"""GradientTape in graphs."""

import numpy as np


def _run(tf, *fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [None if f is None else session.run(f) for f in fetches]


def gradients_of_tensors(tf):
    """Of structures; what was made before counts as constant; what is not watched has none."""
    x, other = tf.constant([1.0, 2.0]), tf.constant(5.0)
    before = x * x
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = before * x + other
        z = y * y
    found = tape.gradient(z, {"x": x, "y": [y, other]})
    return _run(tf, found["x"], found["y"][0], found["y"][1])


def gradients_of_variables(tf):
    """Trainable variables are watched; a persistent tape is used again."""
    v = tf.get_variable("v", initializer=[1.0, 3.0], use_resource=True)
    fixed = tf.get_variable("fixed", initializer=2.0, use_resource=True, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v * fixed
        z = tf.reduce_sum(y * v)
    found = [tape.gradient(z, v), tape.gradient(z, [y])[0], tape.gradient(y, [v, fixed])[1]]
    names = [w.name for w in tape.watched_variables()]
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(v)
        y = v * fixed
    found.append(tape.gradient(y, v, output_gradients=[tf.constant([3.0, 4.0])]))
    return _run(tf, *found), names


def gradients_of_gradients(tf):
    """A tape around another one; operations that do not count; zeros."""
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
            with tape.stop_recording():
                aside = y * x
            z = y + aside
        first = tape.gradient(z, x)
    second = outer.gradient(first, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(1.0) * 2.0
    none = tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return _run(tf, first, second, none)


def a_penalty_of_gradients(tf):
    """As networks that are trained against each other use it."""
    images = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4) / 10)
    w = tf.get_variable("w", initializer=np.ones([4, 1], np.float32) / 3,
                        use_resource=True)  # fmt: skip
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            tape.watch(images)
            scores = tf.tanh(tf.matmul(images, w))
        slopes = tf.norm(tape.gradient(scores, images), axis=1)
        penalty = tf.reduce_mean((slopes - 1.0) ** 2)
    return _run(tf, penalty, outer.gradient(penalty, w))


def a_tape_is_used_once(tf):
    """RuntimeError."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)
