# SPDX-License-Identifier: Apache-2.0
"""iter() and next() of data sets in tf.function."""

from .branches_1x import _values

ONLY_1X = True


def first_elements(tf):
    @tf.function
    def f(n):
        iterator = iter(tf.data.Dataset.range(n))
        return next(iterator) * 10 + next(iterator), iterator.get_next()

    return _values(tf, *f(tf.constant(3, tf.int64)), *f(tf.constant(4, tf.int64)))


def each_run_begins_anew(tf):
    @tf.function
    def f():
        return next(iter(tf.data.Dataset.range(5, 9)))

    found = f()
    with tf.Session() as session:
        return session.run(found), session.run(found)


def in_loops(tf):
    @tf.function
    def f():
        iterator, total = iter(tf.data.Dataset.range(9)), tf.constant(0, tf.int64)
        for _ in tf.range(3):
            total = total * 10 + next(iterator)
        while total < 20:
            total += next(iterator)
        return total, next(iterator)

    return _values(tf, *f())


def rest_of_an_iterator(tf):
    @tf.function
    def f():
        iterator, total = iter(tf.data.Dataset.range(7)), tf.constant(0, tf.int64)
        next(iterator)
        for x in iterator:
            if x > 3:
                break
            total = total * 10 + x
        after = next(iterator)
        for x in iterator:
            total = total * 10 + x
        return total, after

    return _values(tf, *f())


def in_branches(tf):
    numbers = tf.data.Dataset.range(5).map(lambda x: x + 1)

    @tf.function
    def f(x):
        iterator = iter(numbers)
        if x > 0:
            y = next(iterator)
        else:
            y = next(iterator) + 100
        return y, next(iterator)

    return _values(tf, *f(tf.constant(1)), *f(tf.constant(-1)))


def structures(tf):
    rows = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [3.0, 4.0]}).batch(2)

    @tf.function
    def f():
        iterator = iter(rows)
        row = next(iterator)
        return row["a"], {"size": iterator.element_spec["a"].shape.as_list()}, row["b"]

    a, shape, b = f()
    return _values(tf, a, b), shape


def in_data_sets(tf):
    def second(x):
        iterator = iter(tf.data.Dataset.range(x, x + 3))
        return next(iterator) * 0 + next(iterator)

    made = tf.data.Dataset.range(3).map(second)
    element = made.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        return [session.run(element) for _ in range(3)]


def past_the_end(tf):
    @tf.function
    def f():
        iterator = iter(tf.data.Dataset.range(1))
        first = next(iterator)
        next(iterator)
        return first

    try:
        return _values(tf, f())
    except tf.errors.OutOfRangeError:
        return "OutOfRangeError"


def outside_of_functions(tf):
    try:
        iter(tf.data.Dataset.range(1))
    except RuntimeError as e:
        return str(e)[:79]


def name_scopes(tf):
    def inner(x):
        return tf.add(x, 1, name="b")

    def outer(x):
        return inner(tf.add(x, 1, name="a"))

    scopes = tf.autograph.experimental.Feature.NAME_SCOPES
    made = tf.autograph.to_graph(outer, experimental_optional_features=scopes)
    found = made(tf.constant(1)), tf.autograph.to_graph(outer)(tf.constant(1))
    return [t.op.name for t in found], _values(tf, *found)
