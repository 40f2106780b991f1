# SPDX-License-Identifier: Apache-2.0
"""What data sets give after an element that failed, and of elements that do not fit."""

import re

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _first_line(error):
    """Without the names of functions and nodes."""
    return re.sub(r"\{\{[^}]*\}\}", "", error.message.split("\n")[0]).strip()


def _elements(tf, dataset, most=12):
    """The elements in order; an error is its class, and the runs go on after it."""
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session:
        while len(found) < most:
            try:
                found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                found.append("end")
                break
            except tf.errors.OpError as error:
                found.append([type(error).__name__, _first_line(error)])
    return found


def _failing(tf, bad, *, size=10):
    """0, 1, ...; some fail."""

    def checked(x):
        wrong = tf.reduce_any(tf.equal(x, tf.constant(bad, tf.int64)))
        with tf.control_dependencies([tf.Assert(tf.logical_not(wrong), [x])]):
            return tf.identity(x)

    return tf.data.Dataset.range(size).map(checked)


def after_map(tf):
    return _elements(tf, _failing(tf, [2, 5]))


def after_parallel_map(tf):
    def checked(x):
        return tf.debugging.check_numerics(1.0 / tf.cast(x - 3, tf.float32), "infinite")

    return _elements(tf, tf.data.Dataset.range(6).map(checked, num_parallel_calls=2))


def after_batch(tf):
    return _elements(tf, _failing(tf, [2, 5]).batch(3))


def after_padded_batch(tf):
    return _elements(tf, _failing(tf, [2, 5]).padded_batch(3, []))


def after_shuffle(tf):
    return _elements(tf, _failing(tf, [2, 5], size=7).shuffle(1))


def after_prefetch(tf):
    return _elements(tf, _failing(tf, [2, 5], size=7).prefetch(2))


def after_repeat(tf):
    return _elements(tf, _failing(tf, [1], size=3).repeat(2))


def after_filter(tf):
    dataset = tf.data.Dataset.range(6).filter(
        lambda x: tf.greater(
            tf.debugging.check_numerics(1.0 / tf.cast(x - 3, tf.float32), "bad"), -9
        )
    )
    return _elements(tf, dataset)


def after_concatenate(tf):
    return _elements(tf, _failing(tf, [1], size=3).concatenate(tf.data.Dataset.range(2)))


def after_take_and_skip(tf):
    return [
        _elements(tf, _failing(tf, [1]).take(4)),
        _elements(tf, _failing(tf, [1]).skip(3)),
        _elements(tf, _failing(tf, [1]).shard(2, 1)),
    ]


def after_window(tf):
    dataset = _failing(tf, [4], size=9).window(3, drop_remainder=True)
    return _elements(tf, dataset.flat_map(lambda w: w.batch(3)))


def after_interleave(tf):
    def parts(x):
        return _failing(tf, [1], size=3).map(lambda y: 10 * x + y)

    return [
        _elements(tf, tf.data.Dataset.range(3).interleave(parts, cycle_length=2)),
        _elements(tf, tf.data.Dataset.range(3).interleave(parts, cycle_length=2, block_length=2)),
        _elements(tf, tf.data.Dataset.range(3).interleave(parts, cycle_length=1)),
        _elements(
            tf,
            _failing(tf, [1], size=4).interleave(
                lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2
            ),
        ),
    ]


def after_flat_map(tf):
    def parts(x):
        return _failing(tf, [1], size=3).map(lambda y: 10 * x + y)

    return [
        _elements(tf, tf.data.Dataset.range(2).flat_map(parts)),
        _elements(
            tf,
            _failing(tf, [1], size=4).flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(2)),
        ),
    ]


def after_group_by_window(tf):
    def reduction(key, window):
        return window.batch(3).map(
            lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 5, tf.float32), "bad group")
        )

    dataset = tf.data.Dataset.range(12).apply(
        tf.data.experimental.group_by_window(lambda x: x % 2, reduction, 3)
    )
    return _elements(tf, dataset)


def group_by_window_with_failing_parts(tf):
    of_key = tf.data.experimental.group_by_window(
        lambda x: tf.cast(
            tf.debugging.check_numerics(1.0 / tf.cast(x - 3, tf.float32), "bad key") * 0, tf.int64
        ),
        lambda _, window: window.batch(2),
        2,
    )

    def of_window(x):
        with tf.control_dependencies([tf.Assert(tf.not_equal(x, 2), [x])]):
            return tf.constant(2, tf.int64)

    sized = tf.data.experimental.group_by_window(
        lambda x: x % 3, lambda _, window: window.batch(2), window_size_func=of_window
    )

    def of_reduction(key, window):
        with tf.control_dependencies([tf.Assert(tf.not_equal(key, 1), [key])]):
            key = tf.identity(key)
        return window.batch(2).map(lambda x: x + 0 * key)

    made = tf.data.experimental.group_by_window(lambda x: x % 3, of_reduction, 2)
    numbers = tf.data.Dataset.range(9)
    first = [_elements(tf, numbers.apply(one)) for one in (of_key, sized)]
    return [*first, _elements(tf, numbers.apply(made), most=5)]


def after_scan_and_reduce(tf):
    def step(state, x):
        state += tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "bad step")
        return state, state

    dataset = tf.data.Dataset.range(5)
    total = dataset.reduce(0.0, lambda s, x: step(s, x)[0])
    with tf.Session() as session:
        said = outcome(session.run, total)
    return [said, _elements(tf, dataset.apply(tf.data.experimental.scan(0.0, step)))]


def ignored(tf):
    ignore = tf.data.experimental.ignore_errors()
    return _elements(tf, _failing(tf, [1, 4], size=7).apply(ignore))


def _told(tf, dataset):
    """The errors of the first runs, whole up to the node's name."""
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session:
        for _ in range(3):
            try:
                found.append(session.run(element))
            except tf.errors.OpError as error:
                found.append([type(error).__name__, _first_line(error)])
    return found


def _ragged(tf):
    return tf.data.Dataset.range(5).map(lambda x: tf.fill([x + 1], x))


def elements_that_do_not_fit(tf):
    rows = tf.data.Dataset.range(4).map(lambda x: tf.fill([x + 1, 2], x))
    uneven = tf.data.Dataset.from_generator(
        lambda: (np.zeros([1] * (i + 1), np.int64) for i in range(3)), tf.int64
    )
    return [
        _told(tf, _ragged(tf).batch(2)),
        _told(tf, _ragged(tf).padded_batch(2, [1])),
        _told(tf, _ragged(tf).padded_batch(4, [2])),
        _told(tf, rows.padded_batch(2, [2, 2])),
        _told(tf, uneven.batch(2)),
        _told(tf, uneven.padded_batch(2, [None])),
        _told(tf, uneven.padded_batch(2, [None, None])),
    ]


def padding_that_does_not_fit(tf):
    numbers = tf.data.Dataset.range(4)
    rows = _ragged(tf)
    calls = [
        lambda: rows.map(lambda x: tf.stack([x, x], 1)).padded_batch(2, [None, 1]),
        lambda: rows.padded_batch(2, [None, None]),
        lambda: rows.padded_batch(2, []),
        lambda: numbers.padded_batch(2, [None]),
        lambda: rows.padded_batch(2, [[None], [None]]),
        lambda: rows.padded_batch(2, [None], padding_values=0.5),
        lambda: rows.padded_batch(2, [None], padding_values="x"),
        lambda: rows.padded_batch(2, [None], padding_values=[1, 2]),
        lambda: rows.padded_batch(2, ["x"]),
        lambda: rows.padded_batch(2, [-2]),
        lambda: rows.padded_batch(2, None),
    ]
    return [outcome(call) for call in calls]
