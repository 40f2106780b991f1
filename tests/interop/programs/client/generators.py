# SPDX-License-Identifier: Apache-2.0
"""Data sets of Python generators."""

import collections

import numpy as np

from interop.programs.client._outcomes import elements, outcome

_Pair = collections.namedtuple("Pair", "first second")


def _of(tf, *args, **more):
    return tf.data.Dataset.from_generator(*args, **more)


def _outcome(tf, generator, types, shapes=None):
    """The elements before an error, and its class."""
    element = tf.data.make_one_shot_iterator(_of(tf, generator, types, shapes)).get_next()
    found = []
    with tf.Session() as session:
        try:
            while len(found) < 20:
                found.append(session.run(element))
        except tf.errors.OpError as e:
            found.append(type(e).__name__)
    return found


def simple(tf):
    def count():
        yield from range(5)

    made = _of(tf, count, tf.int64, [])
    unknown = _of(tf, count, tf.float32)
    return (
        elements(tf, made),
        elements(tf, unknown),
        made.output_shapes.as_list(),
        unknown.output_shapes.ndims,
        [made.output_types.name, unknown.output_types.name],
    )


def structures(tf):
    def dicts():
        for i in range(3):
            yield {"b": [i] * i, "a": (i, "text %d" % i)}

    def tuples():
        yield 1, np.ones([2, 3])
        yield 2, np.zeros([1, 3])

    def pairs():
        yield _Pair(1, 2.5)
        yield _Pair(3, 4.5)

    return (
        elements(tf, _of(tf, dicts, {"b": tf.int32, "a": (tf.int64, tf.string)},
                         {"b": [None], "a": ([], [])})),
        elements(tf, _of(tf, tuples, (tf.int32, tf.float64), ([], [None, 3]))),
        [list(p) for p in elements(tf, _of(tf, pairs, _Pair(tf.int32, tf.float32)))[:2]],
    )  # fmt: skip


def texts(tf):
    def words():
        yield b"ab\0"
        yield "\u00e4"
        yield ["a", "bcd"]
        yield np.array([b"x", b"yz"])

    return elements(tf, _of(tf, words, tf.string))


def arguments(tf):
    def numbers(low, high, word):
        assert isinstance(word, bytes)
        for i in range(low, high):
            yield i, word

    args = (2, tf.constant(5, tf.int64), "w")
    made = _of(tf, numbers, (tf.int64, tf.string), ([], []), args)
    return elements(tf, made.repeat(2))


def it_is_called_for_each_reading(tf):
    calls = []

    def numbers():
        calls.append(1)
        yield from range(3)

    made = _of(tf, numbers, tf.int64, [])
    both = tf.data.Dataset.zip((made, made.skip(1)))
    twice = elements(tf, made.repeat(2))
    return twice, elements(tf, both), len(calls)


def several_iterators(tf):
    made = _of(tf, lambda: iter(range(4)), tf.int64, [])
    ones = [tf.data.make_one_shot_iterator(made).get_next() for _ in range(2)]
    again = tf.data.make_initializable_iterator(made)
    value = again.get_next()
    with tf.Session() as session:
        found = [session.run(ones[0]), session.run(ones[0]), session.run(ones[1])]
        for _ in range(2):
            session.run(again.initializer)
            found += [session.run(value), session.run(value)]
        return found + session.run(ones)


def mixed_with_other_stages(tf):
    def numbers():
        yield from range(12)

    made = _of(tf, numbers, tf.int64, []).filter(lambda x: tf.equal(x % 2, 0))
    made = made.map(lambda x: tf.py_func(lambda v: v * v, [x], tf.int64), num_parallel_calls=2)
    return elements(tf, made.map(_scalar).batch(4).prefetch(1))


def _scalar(value):
    value.set_shape([])
    return value


def interleaved(tf):
    def rows(n):
        for i in range(3):
            yield n * 10 + i

    made = tf.data.Dataset.range(3).interleave(
        lambda n: _of(tf, rows, tf.int64, [], (n,)), cycle_length=3, block_length=1
    )
    return elements(tf, made)


def functions_in_map(tf):
    def halves(x):
        return x // 2, np.float32(x / 2)

    made = tf.data.Dataset.range(5).map(
        lambda x: tuple(tf.py_func(halves, [x], [tf.int64, tf.float32]))
    )
    broken = tf.data.Dataset.range(3).map(
        lambda x: tf.py_func(lambda v: 1 // (1 - v), [x], tf.int64)
    )
    element = tf.data.make_one_shot_iterator(broken).get_next()
    found = []
    with tf.Session() as session:
        for _ in range(3):
            try:
                found.append(session.run(element))
            except tf.errors.OpError as e:
                found.append(type(e).__name__)
    return elements(tf, made), len(found)


def generators_that_fail(tf):
    def raises(kind):
        def numbers():
            yield 1
            raise kind("no more")

        return numbers

    return [_outcome(tf, raises(kind), tf.int64) for kind in (ValueError, KeyError, MemoryError)]


def wrong_elements(tf):
    def of(value):
        def generator():
            yield value

        return generator

    return {
        "shape": _outcome(tf, of([1, 2]), tf.int64, [3]),
        "rank": _outcome(tf, of(1), tf.int64, [None]),
        "text": _outcome(tf, of("a"), tf.int64),
        "another tuple": _outcome(tf, of((1, 2)), _Pair(tf.int64, tf.int64)),
        "list": _outcome(tf, of([1, 2]), (tf.int64, tf.int64)),
        "structure": _outcome(tf, of((1, 2)), (tf.int64, tf.int64, tf.int64)),
        "no tuple": _outcome(tf, of(1), (tf.int64, tf.int64)),
        "other keys": _outcome(tf, of({"a": 1}), {"b": tf.int64}),
        "not iterable": _outcome(tf, lambda: 3, tf.int64),
        "arguments": _outcome(tf, lambda x: iter([x]), tf.int64),
    }


def mistakes(tf):
    return [
        outcome(_of, tf, 3, tf.int64),
        outcome(_of, tf, [1, 2], tf.int64),
        outcome(_of, tf, lambda: iter([1]), "nope"),
        outcome(_of, tf, lambda: iter([1]), (tf.int64, tf.int64), [3, 4, 5]),
    ]


def an_iterator_may_be_left(tf):
    """A generator that is not read to its end."""

    def forever():
        n = 0
        while True:
            yield n
            n += 1

    element = tf.data.make_one_shot_iterator(_of(tf, forever, tf.int64, []).prefetch(3)).get_next()
    with tf.Session() as session:
        return [session.run(element) for _ in range(3)]
