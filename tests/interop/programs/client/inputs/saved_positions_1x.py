# SPDX-License-Identifier: Apache-2.0
"""Positions of iterators in checkpoints: which functions of a pipeline can be saved."""

import os
import tempfile

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _saved(tf, make):
    """What saving says, the elements after the position, and those after it is restored."""
    with tf.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
        dataset = make(os.path.join(folder, "out"))
        iterator = tf.data.make_initializable_iterator(dataset)
        element = iterator.get_next()
        saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
        saver, path = tf.train.Saver(), os.path.join(folder, "position")
        with tf.Session() as session:
            session.run(
                [iterator.initializer, tf.global_variables_initializer(), tf.tables_initializer()]
            )
            first = [session.run(element) for _ in range(2)]
            said = outcome(saver.save, session, path)
            after = [session.run(element) for _ in range(2)]
            if said != "fine":
                return [first, said, after]
            session.run(iterator.initializer)
            saver.restore(session, path)
            return [first, said, after, [session.run(element) for _ in range(2)]]


def _mapped(tf, function, size=6):
    return _saved(tf, lambda path: tf.data.Dataset.range(size).map(lambda x: function(x, path)))


def checks(tf):
    def asserted(x, _):
        with tf.control_dependencies([tf.debugging.assert_less(x, tf.constant(99, tf.int64))]):
            return tf.identity(x)

    def ranked(x, _):
        return tf.ensure_shape(x, []) + tf.cast(tf.rank(x), tf.int64)

    return [_mapped(tf, one) for one in (asserted, ranked)]


def printed(tf):
    def shown(x, _):
        with tf.control_dependencies([tf.print("x", x)]):
            return tf.identity(x)

    return [_mapped(tf, shown), _mapped(tf, lambda x, _: tf.Print(x, [x]))]


def files(tf):
    def read(x, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("7")
        return tf.strings.to_number(tf.io.read_file(path)) + tf.cast(x, tf.float32)

    def found(x, path):
        return tf.size(tf.io.matching_files(path + "*"), out_type=tf.int64) + x

    return [_mapped(tf, one) for one in (read, found)]


def random_numbers(tf):
    return [
        _mapped(tf, lambda x, _: tf.cast(x, tf.float32) + 0 * tf.random.uniform([], seed=3))[1],
        _mapped(tf, lambda x, _: tf.random.stateless_uniform([], [1, 2]) * tf.cast(x, tf.float32)),
    ]


def tables(tf):
    def looked_up(_):
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.range(9, dtype=tf.int64), tf.range(9) * 2), -1
        )
        return tf.data.Dataset.range(6).map(table.lookup)

    return _saved(tf, looked_up)[1]


def variables(tf):
    def added(_):
        v = tf.get_variable("v", initializer=5.0, use_resource=True)
        return tf.data.Dataset.range(6).map(lambda x: tf.cast(x, tf.float32) + v)

    return _saved(tf, added)[1]


def _all_kinds(tf, fine):
    data = tf.data
    return [
        _saved(tf, lambda _: data.Dataset.range(6).filter(lambda x: tf.less(fine(x), 5))),
        _saved(tf, lambda _: data.Dataset.range(3).flat_map(lambda x: data.Dataset.range(fine(x)))
               .repeat(3)),
        _saved(tf, lambda _: data.Dataset.range(3).interleave(
            lambda x: data.Dataset.range(fine(x) + 2).map(fine), 2, num_parallel_calls=2)),
        _saved(tf, lambda _: data.Dataset.range(6).map(fine, num_parallel_calls=2).batch(1)),
        _saved(tf, lambda _: data.Dataset.range(8).apply(
            data.experimental.map_and_batch(fine, 2))),
        _saved(tf, lambda _: data.Dataset.range(6).apply(
            data.experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + fine(x), s)))),
        _saved(tf, lambda _: data.Dataset.range(8).apply(data.experimental.group_by_window(
            lambda x: fine(x) % 2, lambda _, window: window.map(fine).batch(2), 2))),
        _saved(tf, lambda _: data.Dataset.range(8).apply(
            data.experimental.take_while(lambda x: tf.less(fine(x), 6)))),
    ]  # fmt: skip


def assertions_in_other_functions(tf):
    def fine(x):
        with tf.control_dependencies([tf.Assert(tf.less(x, tf.constant(99, tf.int64)), [x])]):
            return tf.identity(x)

    return _all_kinds(tf, fine)
