# SPDX-License-Identifier: Apache-2.0
"""Gradients in bodies of conditionals and loops, of what was computed outside of them.

So do optimizers that clip the gradients of each example.
"""

ONLY_1X = True  # TensorFlow 2 has other names and other loops


def _losses(tf, resource):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5]])
    ones = tf.ones_initializer()
    v = tf.get_variable("v", [2, 1], initializer=ones, use_resource=resource)
    b = tf.get_variable("b", [], initializer=ones, use_resource=resource)
    return tf.square(tf.tanh(tf.matmul(x, v) * 0.1) + b)[:, 0], [v, b]


def _run(tf, made, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(made, feeds)


def _of_each(tf, resource):
    losses, variables = _losses(tf, resource)

    def body(i, *sums):
        grads = tf.gradients(tf.reduce_mean(tf.gather(losses, [i])), variables)
        grads, _ = tf.clip_by_global_norm(grads, 0.5)
        return [i + 1, *[s + g for s, g in zip(sums, grads)]]

    start = [0, tf.zeros([2, 1]), 0.0]
    return _run(tf, tf.while_loop(lambda i, *_: i < 3, body, start))


def of_each_example(tf):
    """The norm of each example's gradients is limited, and they are added up."""
    found = []
    for resource in (False, True):
        with tf.Graph().as_default():
            found.append(_of_each(tf, resource))
    return found


def in_a_conditional(tf):
    losses, variables = _losses(tf, False)
    chosen = tf.placeholder(tf.bool)
    grads = tf.cond(
        chosen,
        lambda: tf.gradients(tf.reduce_sum(losses), variables),
        lambda: tf.gradients(tf.reduce_max(losses * losses), variables),
    )
    return [_run(tf, grads, {chosen: value}) for value in (True, False)]


def in_a_branch_of_a_loop(tf):
    losses, (v, b) = _losses(tf, True)

    def body(i, total):
        grad = tf.cond(
            i > 0, lambda: tf.gradients(losses[i] * total[0, 0], v)[0], lambda: tf.ones_like(v)
        )
        return i + 1, total + grad

    return _run(tf, tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros([2, 1])]))


def by_an_optimizer(tf):
    losses, variables = _losses(tf, False)
    optimizer = tf.train.GradientDescentOptimizer(0.1)

    def of_example(i):
        pairs = optimizer.compute_gradients(losses[i], variables)
        return [grad for grad, _ in pairs]

    grads = tf.map_fn(of_example, tf.range(3), [tf.float32] * 2)
    pairs = [(tf.reduce_sum(g, 0), v) for g, v in zip(grads, variables)]
    with tf.control_dependencies(grads):  # else a variable changes while another's are computed
        step = optimizer.apply_gradients(pairs)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run([grads, step])[0], session.run(variables)]


def of_rows_and_of_both_sides(tf):
    """Part of the loss is made in the body, part of it outside; the rows of a table are sparse."""
    table = tf.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rows = tf.reduce_sum(tf.nn.embedding_lookup(table, [0, 2, 2]) ** 2, 1)
    unused = tf.get_variable("unused", initializer=1.0)

    def body(i, total):
        loss = rows[i] + tf.reduce_sum(table[i] * 3.0)
        grad, none = tf.gradients(loss, [table, unused])
        return i + 1, total + tf.convert_to_tensor(grad) + (0.0 if none is None else 100.0)

    return _run(tf, tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros([3, 2])]))


def through_gradients_of_programs(tf):
    """What counts as a constant, and a function with a gradient of its own, outside of a loop."""

    @tf.custom_gradient
    def halved(x):
        return x * 1.0, lambda grad: grad * 0.5

    v = tf.get_variable("v", initializer=[1.0, 2.0])
    square = v * v
    outer = halved(square * 3.0) + tf.stop_gradient(v) * v

    def body(i, total):
        loss = outer[i] * square[i]
        grad = tf.gradients(loss, v)[0]
        stopped = tf.gradients(loss, v, stop_gradients=[square])[0]
        return i + 1, total + tf.stack([grad, stopped])

    return _run(tf, tf.while_loop(lambda i, _: i < 2, body, [0, tf.zeros([2, 2])]))


def drawn_outside(tf):
    """What is drawn outside is not drawn once more."""
    tf.set_random_seed(3)
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    noise = tf.random_uniform([2])
    loss = tf.reduce_sum(v * noise)
    grad = tf.cond(loss > 0, lambda: tf.gradients(loss * loss, v)[0], lambda: v)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        drawn, value, found = session.run([noise, loss, grad])
    return bool(abs(found - 2 * value * drawn).max() < 1e-5)
