# SPDX-License-Identifier: Apache-2.0
"""Pipelines of the kind that guides show: structures, orders of steps, iterators, windows."""

import collections
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True
_Point = collections.namedtuple("_Point", "x y")


def _told(dataset):
    """The structure of a data set's elements, as text."""
    types = str(dataset.output_types).replace("sluice.", "tf.")
    return [types, str(dataset.output_shapes)]


def named_tuples(tf):
    points = tf.data.Dataset.from_tensor_slices(
        _Point(
            np.arange(6, dtype=np.float32), {"a": np.arange(6), "b": (np.arange(12).reshape(6, 2),)}
        )
    )
    moved = points.map(lambda p: _Point(p.x + 1, (p.y["b"][0], {"c": p.y["a"]})))
    batched = moved.batch(4).map(lambda p: {"sum": tf.reduce_sum(p.x), "rest": p.y})
    pairs = tf.data.Dataset.zip((points, moved)).filter(lambda p, q: tf.less(p.x, 2))
    pairs = pairs.flat_map(lambda p, q: tf.data.Dataset.from_tensors((p.x, q)))
    return [*map(_told, (points, moved, batched, pairs)), elements(tf, moved),
            elements(tf, batched), elements(tf, pairs)]  # fmt: skip


def sparse_rows(tf):
    rows = tf.SparseTensor([[0, 1], [2, 0], [2, 3], [3, 3]], [1.0, 2.0, 3.0, 4.0], [4, 4])
    dataset = tf.data.Dataset.from_tensor_slices({"row": rows, "id": tf.range(4)})
    doubled = dataset.map(lambda e: (tf.sparse.to_dense(e["row"]) * 2, e["id"]))
    kept = dataset.filter(lambda e: tf.greater(tf.size(e["row"].values), 0))
    batches = dataset.batch(3).map(lambda e: [e["row"].indices, e["row"].dense_shape, e["id"]])
    back = kept.map(lambda e: e["row"].values).padded_batch(2, [None])
    whole = tf.data.Dataset.from_tensors(rows).repeat(2).map(tf.sparse.reduce_sum)
    again = tf.data.Dataset.from_tensors(rows).flat_map(tf.data.Dataset.from_tensor_slices)
    return [_told(dataset), _told(dataset.batch(3)), elements(tf, doubled), elements(tf, batches),
            elements(tf, back), elements(tf, whole),
            elements(tf, again.map(lambda row: row.dense_shape))]  # fmt: skip


def caches_and_repetitions(tf):
    numbers = tf.data.Dataset.range(5)
    return [
        elements(tf, numbers.cache().shuffle(5, seed=3).repeat(2)),
        elements(tf, numbers.shuffle(5, seed=3).cache().repeat(2)),
        elements(tf, numbers.shuffle(5, seed=3).repeat(2)),
        elements(tf, numbers.repeat(2).shuffle(4, seed=3)),
        elements(tf, numbers.shuffle(5, seed=3, reshuffle_each_iteration=False).repeat(2)),
        elements(tf, numbers.take(3).cache().repeat().take(8)),
        elements(tf, numbers.repeat(2).batch(4)), elements(tf, numbers.batch(4).repeat(2)),
        elements(tf, numbers.apply(tf.data.experimental.shuffle_and_repeat(3, 2, seed=5))),
    ]  # fmt: skip


def caches_of_files(tf):
    with tempfile.TemporaryDirectory() as folder:
        path, found = os.path.join(folder, "kept"), []
        for size in (3, 5):
            dataset = tf.data.Dataset.range(size).map(lambda x: (x, tf.as_string(x))).cache(path)
            found.append(elements(tf, dataset.repeat(2)))
        return [found, sorted(os.listdir(folder))]


def a_generator_in_a_session(tf):
    def points(limit, label):
        for i in range(limit):
            yield {"x": np.full([i % 3], i, np.float32), "label": label}, (i, i * i)

    types = {"x": tf.float32, "label": tf.string}, (tf.int32, tf.int64)
    shapes = {"x": [None], "label": []}, ([], [])
    limit = tf.placeholder_with_default(tf.constant(4), [])
    dataset = tf.data.Dataset.from_generator(points, types, shapes, args=(limit, "mine"))
    padded = dataset.padded_batch(
        2,
        ({"x": [4], "label": []}, ([], [])),
        ({"x": -1.0, "label": ""}, (0, tf.constant(0, tf.int64))),
    )
    iterator = tf.data.make_initializable_iterator(padded.prefetch(1))
    element, found = iterator.get_next(), []
    with tf.Session() as session:
        for size in (3, 5):
            session.run(iterator.initializer, {limit: size})
            try:
                while True:
                    found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                found.append("end")
    return [_told(dataset), _told(padded), found]


def windows_of_series(tf):
    series = tf.data.Dataset.range(12)
    pairs = (
        series.window(4, shift=2, drop_remainder=True)
        .flat_map(lambda window: window.batch(4))
        .map(lambda row: (row[:-1], row[-1]))
    )
    strided = series.window(3, shift=1, stride=2, drop_remainder=True).flat_map(
        lambda window: window.batch(3)
    )
    loose = series.window(5, shift=4).map(
        lambda window: window.reduce(tf.constant(0, tf.int64), lambda total, x: total + x)
    )
    of_pairs = (
        tf.data.Dataset.zip((series, series.map(lambda x: x * 10)))
        .window(4)
        .flat_map(lambda a, b: tf.data.Dataset.zip((a.batch(4), b.skip(1).batch(4))))
    )
    of_dicts = (
        series.map(lambda x: {"x": x, "y": -x})
        .window(5, 5)
        .flat_map(lambda w: tf.data.Dataset.zip((w["x"], w["y"])).batch(5))
    )
    return [elements(tf, one) for one in (pairs, strided, loose, of_pairs, of_dicts)]


def reductions(tf):
    numbers = tf.data.Dataset.range(1, 6)
    total = numbers.reduce(np.int64(0), lambda s, x: s + x)
    count, mean = numbers.reduce((0, 0.0), lambda s, x: (s[0] + 1, s[1] + tf.cast(x, tf.float32)))
    state = numbers.batch(2).reduce(
        {"most": tf.constant(0, tf.int64), "text": ""},
        lambda s, x: {
            "most": tf.maximum(s["most"], tf.reduce_max(x)),
            "text": tf.strings.join([s["text"], tf.as_string(x[0])], "/"),
        },
    )
    grown = numbers.reduce(tf.zeros([0], tf.int64), lambda s, x: tf.concat([s, [x, x]], 0))
    empty = numbers.take(0).reduce(7, lambda s, x: s + 1)
    with tf.Session() as session:
        return [session.run([total, count, mean, state, grown, empty]), grown.shape.as_list(),
                outcome(numbers.reduce, 0, lambda s, x: s + x)]  # fmt: skip


def lengths_in_buckets(tf):
    words = ["a", "to", "of", "and", "the", "then", "those", "things", "anyone", "b"]
    lines = tf.data.Dataset.from_tensor_slices(words).map(
        lambda w: (tf.strings.unicode_decode(w, "UTF-8"), tf.strings.length(w))
    )
    bucket = tf.data.experimental.bucket_by_sequence_length
    return [
        elements(tf, lines.apply(bucket(lambda _, n: n, [3, 5], [3, 2, 2]))),
        elements(tf, lines.filter(lambda _, n: n < 5).apply(bucket(
            lambda _, n: n, [3, 5], [2, 2, 1], ([None], []), (-1, 0), True))),
        elements(tf, lines.apply(bucket(lambda _, n: n, [4], [3, 2], drop_remainder=True))),
        elements(tf, lines.map(lambda w, n: n).apply(
            bucket(lambda n: n, [4], [3, 2], no_padding=True))),
        outcome(bucket, lambda _, n: n, [3], [2]),
    ]  # fmt: skip


def feedable_iterators(tf):
    training = tf.data.Dataset.range(100).map(lambda x: x + 1000).shuffle(3, seed=1).repeat()
    checking = tf.data.Dataset.range(3)
    handle = tf.placeholder(tf.string, [])
    iterator = tf.data.Iterator.from_string_handle(
        handle, training.output_types, training.output_shapes
    )
    element = iterator.get_next()
    of_training = training.make_one_shot_iterator()
    of_checking = checking.make_initializable_iterator()
    found = []
    with tf.Session() as session:
        first, second = session.run([of_training.string_handle(), of_checking.string_handle()])
        found.append(outcome(session.run, element, {handle: second}))
        for _ in range(2):
            found += [session.run(element, {handle: first}) for _ in range(2)]
            session.run(of_checking.initializer)
            found += [session.run(element, {handle: second}) for _ in range(3)]
            found.append(outcome(session.run, element, {handle: second}))
        found.append(outcome(session.run, element, {handle: "nothing"}))
    return found


def reinitializable_iterators(tf):
    first = tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0], "y": ["a", "b"]})
    second = tf.data.Dataset.from_tensor_slices({"x": [9.0], "y": ["z"]}).repeat(3)
    iterator = tf.data.Iterator.from_structure(first.output_types, first.output_shapes)
    element = iterator.get_next()
    starts = [iterator.make_initializer(one) for one in (first, second)]
    found = []
    with tf.Session() as session:
        found.append(outcome(session.run, element))
        for start in (0, 1, 0):
            session.run(starts[start])
            try:
                while True:
                    found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                found.append("end")
    other = tf.data.Dataset.from_tensor_slices([1, 2])
    return [found, outcome(iterator.make_initializer, other)]


def options_of_pipelines(tf):
    options = tf.data.Options()
    options.experimental_deterministic = False
    options.experimental_optimization.map_and_batch_fusion = True
    options.experimental_optimization.noop_elimination = True
    options.experimental_threading.private_threadpool_size = 2
    dataset = tf.data.Dataset.range(6).map(lambda x: x * 2).batch(3).with_options(options)
    merged = tf.data.Dataset.zip((dataset, dataset)).options()
    again = dataset.with_options(tf.data.Options())
    return [
        elements(tf, dataset), merged.experimental_deterministic,
        merged.experimental_threading.private_threadpool_size,
        again.options().experimental_optimization.map_and_batch_fusion,
        outcome(setattr, options, "experimental_deterministic", 3),
        outcome(setattr, options, "experimental_determinism", True),
        options == tf.data.Options(), tf.data.Options() == tf.data.Options(),
    ]  # fmt: skip
