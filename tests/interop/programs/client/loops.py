# SPDX-License-Identifier: Apache-2.0
"""Loops, conditionals, arrays of tensors."""

import collections

import numpy as np


def _run(tf, fetches, feed=None):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed)


def maps(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    n = tf.placeholder(tf.float32, [None])
    squares = tf.map_fn(lambda v: v * v, x)
    pair = tf.map_fn(lambda p: (p[0] + p[1], p[0]), (x, -x))
    other = tf.map_fn(lambda v: tf.cast(tf.reduce_sum(v), tf.int32), x, dtype=tf.int32)
    two = tf.map_fn(
        lambda v: {"s": tf.reduce_sum(v), "v": v}, x, dtype={"s": tf.float32, "v": tf.float32}
    )
    unknown = tf.map_fn(lambda v: v + 1.0, n)
    (grad,) = tf.gradients(squares, x)
    shapes = [t.shape.as_list() for t in (squares, pair[0], other)]
    return [shapes, _run(tf, [squares, pair, other, two, unknown, grad], {n: [1, 2, 3]})]


def folds_and_scans(tf):
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    m = tf.constant(np.arange(6.0).reshape(3, 2))
    found = [
        tf.foldl(lambda a, v: a * 2.0 + v, x),
        tf.foldr(lambda a, v: a * 2.0 + v, x),
        tf.foldl(lambda a, v: a + v, x, initializer=10.0),
        tf.scan(lambda a, v: a + v, x),
        tf.scan(lambda a, v: a + v, x, reverse=True),
        tf.scan(lambda a, v: a * v, x, initializer=2.0),
        tf.scan(
            lambda a, v: (a[0] + v, a[1] * 2.0),
            m,
            initializer=(tf.zeros([2], tf.float64), tf.constant(1.0)),
        ),
    ]
    grads = tf.gradients(found[3], x) + tf.gradients(found[1], x)
    return _run(tf, [found, grads])


def cases(tf):
    x = tf.placeholder(tf.float32, [])
    pairs = [(x < 1.0, lambda: tf.constant(10.0)), (x < 2.0, lambda: x * 100.0)]
    y = tf.case(pairs, default=lambda: tf.constant(-1.0))
    only = tf.case([(x > 0.0, lambda: [x, x + 1.0])], exclusive=True)
    alone = tf.case(
        {x < 1.0: lambda: x, x > 2.0: lambda: -x}, default=lambda: x * 0.0, exclusive=True
    )
    found = []
    with tf.Session() as sess:
        for value in (0.5, 1.5, 2.5):
            found.append(sess.run([y, only, alone], {x: value}))
        try:
            sess.run(only, {x: -1.0})
        except tf.errors.InvalidArgumentError as e:
            found.append(e.error_code)
    return found


def conditionals(tf):
    p = tf.placeholder(tf.bool, [])
    v = tf.Variable(1.0, use_resource=True)
    x = tf.constant([1.0, 2.0])
    one = tf.cond(p, lambda: x * 2.0, lambda: -x)
    single = tf.cond(p, lambda: [x], lambda: [x + 1.0])
    strict = tf.cond(p, lambda: [x], lambda: [x + 1.0], strict=True)
    nested = tf.cond(p, lambda: (x, {"a": x}), lambda: (x + 1.0, {"a": x * 3.0}))
    effect = tf.cond(p, lambda: v.assign_add(5.0), lambda: v.read_value())
    (grad,) = tf.gradients(one, x)
    found = [isinstance(strict, list), single.shape.as_list()]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for value in (True, False):
            found.append(sess.run([one, single, strict, nested, grad], {p: value}))
            found.append(sess.run(effect, {p: value}))
    for call in (
        lambda: tf.cond(True, lambda: x, lambda: x),
        lambda: tf.cond(p, 1, 2),
        lambda: tf.cond(p, lambda: x, lambda: tf.constant(1)),
    ):
        try:
            call()
            found.append("fine")
        except (TypeError, ValueError) as e:
            found.append(type(e).__name__)
    return found


def while_loops(tf):
    pair = collections.namedtuple("pair", "a b")
    i, x = tf.while_loop(
        lambda i, x: i < 5, lambda i, x: (i + 1, x * 2.0), (0, tf.constant([1.0, 2.0]))
    )
    single = tf.while_loop(lambda i: i < 5, lambda i: i + 2, [0])
    same = tf.while_loop(lambda i: i < 5, lambda i: [i + 2], [0], return_same_structure=True)
    named = tf.while_loop(lambda p: p.a < 3, lambda p: [pair(p.a + 1, p.b + 1.0)], [pair(0, 1.0)])
    grown = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: [i + 1, tf.concat([x, x], 0)],
        [0, tf.constant([1.0])],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )
    most = tf.while_loop(lambda i: True, lambda i: i + 1, [0], maximum_iterations=7)
    nested = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (
            i + 1,
            tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + 1.0), (0, s))[1],
        ),
        (0, 0.0),
    )
    w = tf.Variable(1.5)
    powers = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * w), (0, tf.constant(1.0)))[
        1
    ]
    (grad,) = tf.gradients(powers, w)
    return _run(tf, [i, x, single, same, named, grown, most, nested, powers, grad]) + [
        isinstance(same, list)
    ]


def arrays_of_tensors(tf):
    a = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    a = a.write(0, [1.0, 2.0]).write(2, [5.0, 6.0]).write(1, [3.0, 4.0])
    rows = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(
        tf.constant([[1.0], [2.0], [3.0]])
    )
    split = tf.TensorArray(tf.float32, 2, infer_shape=False, clear_after_read=False).split(
        tf.constant([1.0, 2.0, 3.0]), [1, 2]
    )
    spread = tf.TensorArray(tf.int32, 3).scatter([2, 0, 1], [7, 8, 9])
    grow = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
    _, grow = tf.while_loop(
        lambda i, t: i < 4, lambda i, t: (i + 1, t.write(i, tf.cast(i, tf.float32))), (0, grow)
    )
    x = tf.constant([1.0, 2.0, 3.0])
    out = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    _, out = tf.while_loop(
        lambda i, t: i < 3, lambda i, t: (i + 1, t.write(i, x[i] * x[i])), (0, out)
    )
    (grad,) = tf.gradients(out.stack(), x)
    return _run(
        tf,
        [
            a.stack(),
            a.read(1),
            a.size(),
            a.gather([2, 0]),
            a.concat(),
            rows.read(2),
            split.read(1),
            split.concat(),
            spread.stack(),
            grow.stack(),
            grow.size(),
            grad,
        ],
    )


def variables_made_in_a_loop(tf):
    x = tf.constant([[1.0, 2.0]])

    def body(i, y):
        with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
            w = tf.get_variable(
                "w", [2, 2], initializer=tf.constant_initializer([[0.5, 0.0], [0.0, 2.0]])
            )
        return i + 1, tf.matmul(y, w)

    _, y = tf.while_loop(lambda i, y: i < 3, body, (0, x))
    names = [v.name for v in tf.trainable_variables()]
    return [names, _run(tf, [y] + tf.gradients(y, tf.trainable_variables()))]


def structures_of_loops(tf):
    """A loop returns its variables as the body does."""

    def kind(value):
        return type(value).__name__

    def counted(body, variables, **more):
        return tf.while_loop(lambda i, *_: i < 3, body, variables, **more)

    nested = counted(lambda i, d: (i + 1, {"a": d["a"] * 2}), [0, {"a": tf.constant(1.0)}])
    limited = counted(
        lambda i, d: [i + 1, d], [0, (tf.constant(1.0), tf.constant(2.0))], maximum_iterations=2
    )
    array = counted(lambda i, t: (i + 1, t.write(i, 1.0)), [0, tf.TensorArray(tf.float32, 3)])
    return [
        kind(counted(lambda i, x: (i + 1, x), [0, 1.0])),
        kind(counted(lambda i, x: [i + 1, x], (0, 1.0))),
        kind(counted(lambda i: [i + 1], [0], return_same_structure=True)),
        kind(counted(lambda i: (i + 1,), [0], return_same_structure=True)),
        [kind(nested), kind(nested[1])], [kind(limited), kind(limited[1])],
        kind(array),
    ]  # fmt: skip
