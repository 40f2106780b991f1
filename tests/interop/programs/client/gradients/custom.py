# SPDX-License-Identifier: Apache-2.0
"""Gradients that Python functions make."""

import numpy as np

X = np.linspace(-2, 2, 6).reshape(2, 3).astype(np.float32)


def _run(tf, *fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


def _log1pexp(tf):
    @tf.custom_gradient
    def log1pexp(x):
        "The logarithm of 1 + e^x."
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    return log1pexp


def of_one_argument(tf):
    f = _log1pexp(tf)
    x = tf.constant([1.0, 100.0, -3.0])
    y = f(x * 2.0)
    grad = tf.gradients(y * y, x)[0]
    slope = tf.gradients(y, x, grad_ys=tf.constant([1.0, 2.0, 0.5]))[0]
    twice = tf.gradients(tf.gradients(f(x[2]), x)[0], x)[0]
    return [f.__name__, f.__doc__, y.shape.as_list(), y.op.type], _run(tf, y, grad, slope, twice)


def of_several_arguments(tf):
    seen = []

    @tf.custom_gradient
    def f(a, b, kept):
        def grad(da, db):
            seen.append([da.shape.as_list(), db.shape.as_list()])
            return da * 5.0 + db, None, tf.reduce_sum(da) * 2.0

        return [a * kept, b + 1.0], grad

    a, b, kept = tf.constant(X), tf.constant(X[0]), tf.constant(3.0)
    first, second = f(a, b, kept)
    grads = tf.gradients(first, [a, b, kept])
    both = tf.gradients([first, second * 2.0 + b], [kept, b])
    missing = [g is None for g in grads + both]
    found = [g for g in grads + both if g is not None]
    return seen, missing, _run(tf, first, second, *found)


def one_after_another(tf):
    calls = []

    def clip(limit):
        @tf.custom_gradient
        def f(x):
            def grad(dy):
                calls.append(limit)
                return tf.clip_by_value(dy, -limit, limit)

            return tf.identity(x), grad

        return f

    x = tf.constant(X)
    inner = clip(3.0)(x * x)
    outer = clip(1.0)(inner * inner) + clip(0.5)(x) + x * inner
    unused = clip(9.0)(tf.constant(1.0)) * outer
    grads = tf.gradients(unused, [x, inner])
    stopped = tf.gradients(outer, x, stop_gradients=[inner])
    none = tf.gradients(tf.constant(2.0) * clip(7.0)(tf.constant(1.0)), x)
    return sorted(calls), none, _run(tf, *grads, *stopped)


def inside_of_another(tf):
    f = _log1pexp(tf)

    @tf.custom_gradient
    def g(x):
        y = f(x) * f(2.0 * x)
        return y, lambda dy: 0.5 * tf.gradients(y, x, grad_ys=dy)[0]

    x = tf.constant(X)
    return _run(tf, *tf.gradients(g(x) + f(x), x))


def of_rows(tf):
    """Behind a gather the gradient has rows, and others come to it."""

    @tf.custom_gradient
    def f(x):
        return x * 1.0, lambda dy: dy * 10.0

    x = tf.constant(X)
    y = tf.reduce_sum(tf.gather(f(tf.gather(x, [1, 1, 0])), [0, 2])) + tf.reduce_sum(x * x)
    grad = tf.gradients(y, x)[0]
    return _run(tf, tf.convert_to_tensor(grad))


def of_resource_variables(tf):
    with tf.variable_scope("s", use_resource=True):
        v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0, 3.0]))
        w = tf.get_variable("w", initializer=tf.constant(4.0))

        @tf.custom_gradient
        def f(x):
            def grad(dy, variables=None):
                names = [u.name for u in variables]
                of = {"s/v:0": tf.reduce_sum(dy, 0) * 7.0, "s/w:0": tf.reduce_sum(dy) * 11.0}
                return dy * 2.0, [of[name] for name in names]

            return x * v + w, grad

        x = tf.constant(X)
        y = f(x)
    loss = tf.reduce_sum(y * y) + w
    steps = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
    grads = tf.gradients(loss, [x, v, w])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run([*grads, y])
        session.run(steps)
        return found, session.run([v, w])


def passed_through(tf):
    with tf.variable_scope("", use_resource=True):
        f = tf.grad_pass_through(tf.round)
        x = tf.constant(X)
        y = f(x * 1.5)
    return _run(tf, y, *tf.gradients(y * y, x))


def in_an_optimizer(tf):
    f = _log1pexp(tf)
    v = tf.Variable([0.5, -1.0], name="v")
    loss = tf.reduce_sum(f(v * 3.0) * [1.0, 2.0])
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run([loss, step])[0] for _ in range(3)] + [session.run(v)]
