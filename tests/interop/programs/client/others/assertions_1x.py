# SPDX-License-Identifier: Apache-2.0
"""Assertions: when they fail, with which class and which words."""

ONLY_1X = True


def _outcome(tf, make, feeds=None):
    """"fine", or the class and the text of the error, whether it comes early or in run()."""
    try:
        check = make()
        with tf.Session() as session:
            session.run(check, feeds)
    except Exception as error:
        text = getattr(error, "message", None) or str(error)
        return [type(error).__name__, text.split("\n\t")[0].split("\n\n")[0].split(" [[")[0]]
    return "fine"


def comparisons(tf):
    p = tf.placeholder(tf.int32, name="p")
    x = tf.constant([1, 2], name="x")
    checks = [
        lambda: tf.assert_equal(x, [1, 2]), lambda: tf.assert_equal(p, x, message="not alike"),
        lambda: tf.assert_none_equal(p, x), lambda: tf.assert_less(p, x),
        lambda: tf.assert_less_equal(p, x), lambda: tf.assert_greater(p, x),
        lambda: tf.assert_greater_equal(p, x, message="too small"),
        lambda: tf.assert_less(p, p, data=["mine", p]),
        lambda: tf.assert_equal(tf.shape(tf.zeros([2, 3])), tf.constant([2, 4], name="wanted")),
        lambda: tf.debugging.assert_near(tf.constant(1.0), 1.0, rtol=0.0, atol=0.0) and None,
    ]  # fmt: skip
    return [_outcome(tf, check, {p: [-1, 9]}) for check in checks[:9]]


def signs(tf):
    p = tf.placeholder(tf.int32, name="p")
    checks = [tf.assert_negative, tf.assert_positive, tf.assert_non_negative]
    return [_outcome(tf, lambda check=check: check(p, message="no"), {p: [-1, 2]})
            for check in checks]  # fmt: skip


def ranks(tf):
    p = tf.placeholder(tf.float32, name="p")
    q = tf.placeholder(tf.float32, [None, 2], name="q")
    n = tf.placeholder(tf.int32, [], name="n")
    checks = [
        lambda: tf.assert_rank(q, 2), lambda: tf.assert_rank(q, 3, message="rank"),
        lambda: tf.assert_rank(p, 1), lambda: tf.assert_rank(q, [2]),
        lambda: tf.assert_rank(q, 2.0), lambda: tf.assert_rank(q, n),
        lambda: tf.assert_rank_at_least(q, 3), lambda: tf.assert_rank_at_least(p, 3),
        lambda: tf.assert_rank_in(q, [1, 2]), lambda: tf.assert_rank_in(p, [0, 1]),
        lambda: tf.debugging.assert_scalar(q), lambda: tf.debugging.assert_scalar(p),
        lambda: tf.assert_type(q, tf.int32, message="type"), lambda: tf.assert_integer(q),
    ]  # fmt: skip
    feeds = {p: [[1.0]], q: [[1.0, 2.0]], n: 2}
    return [_outcome(tf, check, feeds) for check in checks]


def shapes(tf):
    p = tf.placeholder(tf.float32, name="p")
    q = tf.placeholder(tf.float32, [None, 2], name="q")
    c = tf.zeros([3, 2], name="c")
    s = tf.constant(1.0, name="s")
    stated = [
        {c: (3, 2)}, {c: (3, 3)}, {c: ("N", "Q"), q: ("N", "Q")}, {p: ("N", 2), q: ("N", "D")},
        {p: (1, 3)}, {c: ("*", 2)}, {c: (Ellipsis, 3)}, {c: (2, "*")}, {s: ()}, {s: (1,)},
        {s: (2,)}, {c: None}, {c: 3}, {c: ("N", ".")}, {p: ("*", 5)}, {c: "NQ", q: "NQ"},
        [(c, (3, 2))],
    ]  # fmt: skip
    check = tf.debugging.assert_shapes
    feeds = {p: [[1.0, 2.0]], q: [[1.0, 2.0]]}
    return [_outcome(tf, lambda given=given: check(given, message="shape"), feeds)
            for given in stated]  # fmt: skip
