# SPDX-License-Identifier: Apache-2.0
"""Data sets: what later TensorFlows do in another way."""

from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True


def orders(tf):
    tf.set_random_seed(7)
    data = tf.data.Dataset.range(8)
    return [
        elements(tf, data.shuffle(4, seed=3)),
        elements(tf, data.shuffle(8, seed=5).repeat(2)),
        elements(tf, data.shuffle(8, seed=5, reshuffle_each_iteration=False).repeat(2)),
        elements(tf, data.apply(tf.data.experimental.shuffle_and_repeat(5, 2, seed=1))),
        elements(tf, tf.data.experimental.RandomDataset(seed=4).take(3)),
    ]


def captured_variables(tf):
    found = []
    for resource in (False, True):
        v = tf.Variable(10, dtype=tf.int64, use_resource=resource)
        data = tf.data.Dataset.range(4).map(lambda x, v=v: x + v)
        it = data.make_initializable_iterator()
        element, change = it.get_next(), tf.assign(v, 100)
        with tf.Session() as sess:
            sess.run(v.initializer)
            sess.run(it.initializer)
            found.append(sess.run(element))
            sess.run(change)
            if resource:  # the value of another one is taken when the iterator begins
                found += [sess.run(element), sess.run(element)]
        found.append(outcome(data.make_one_shot_iterator))
    return found


def optionals(tf):
    more = tf.data.experimental
    it = tf.data.Dataset.range(2).make_one_shot_iterator()
    optional = more.get_next_as_optional(it)
    two = [optional.has_value(), optional.get_value()]
    made = more.Optional.from_value({"a": tf.constant(3)})
    none = more.Optional.none_from_structure(made.value_structure)
    with tf.Session() as sess:
        found = [sess.run(two), sess.run(two), sess.run(two[0]), outcome(sess.run, two[1])]
        found += [sess.run(made.get_value()), sess.run([made.has_value(), none.has_value()])]
    return found


def options(tf):
    options = tf.data.Options()
    options.experimental_threading.private_threadpool_size = 2
    options.experimental_optimization.apply_default_optimizations = False
    data = tf.data.Dataset.range(4).with_options(options).map(lambda x: x + 1)
    other = tf.data.Options()
    other.experimental_threading.private_threadpool_size = 3
    return [
        elements(tf, data),
        data.options().experimental_threading.private_threadpool_size,
        data.options().experimental_optimization.autotune is None,
        outcome(options.merge, other),
        outcome(setattr, options, "nothing", 1),
        outcome(setattr, options, "experimental_slack", 1),
    ]


def mistakes(tf):
    data = tf.data.Dataset
    number, text = data.range(3), data.from_tensors("a")
    it = tf.data.Iterator.from_structure(tf.int64, [])
    lists = data.from_tensor_slices(([1, 2], [3, 4]))
    return [
        outcome(number.concatenate, text),
        outcome(data.zip, [number, text]),
        outcome(number.filter, lambda x: x),
        outcome(number.flat_map, lambda x: x),
        outcome(number.interleave, lambda x: x),
        outcome(number.map, lambda x: object()),
        outcome(number.map, lambda x, y: x),
        outcome(number.map, 3),
        outcome(number.map, lambda x: None),
        outcome(number.batch, None),
        outcome(tf.identity, number),
        outcome(number.apply, lambda d: 3),
        outcome(number.unbatch),
        outcome(number.padded_batch, 2, [3]),
        outcome(number.padded_batch, 2, [], padding_values=0.5),
        outcome(number.batch, "a"),
        outcome(number.reduce, 0, lambda s, x: s + 1.5),
        outcome(number.reduce, 0, lambda s, x: x),
        outcome(data.from_tensor_slices, 3),
        outcome(data.from_tensor_slices, ([1], [1, 2])),
        outcome(data.from_tensors, object()),
        outcome(data.range),
        outcome(data.from_sparse_tensor_slices, [1]),
        outcome(it.make_initializer, text),
        outcome(it.make_initializer, number.batch(2)),
        outcome(it.make_initializer, lists),
        outcome(iter, number),
        outcome(tf.data.TFRecordDataset, number),
        outcome(tf.data.experimental.choose_from_datasets, [number], text),
        outcome(tf.data.experimental.sample_from_datasets, [number, number], [0.5]),
        outcome(tf.data.experimental.sample_from_datasets, [number, number], [1, 2]),
        outcome(text.batch(1).apply, tf.data.experimental.group_by_window(lambda x: x, None, 1)),
    ]


def statistics(tf):
    more = tf.data.experimental
    data = tf.data.Dataset.range(6).apply(more.bytes_produced_stats("bytes"))
    data = data.apply(more.latency_stats("latency"))
    aggregator = more.StatsAggregator()
    options = tf.data.Options()
    options.experimental_stats.aggregator = aggregator
    options.experimental_stats.prefix = "train"
    it = data.with_options(options).make_initializable_iterator()
    element, summary = it.get_next(), aggregator.get_summary()
    with tf.Session() as sess:
        sess.run(it.initializer)
        for _ in range(6):
            sess.run(element)
        found = tf.Summary.FromString(sess.run(summary))
    values = {v.tag: v.histo.num if v.HasField("histo") else "" for v in found.value}
    once = data.with_options(options)
    return [values, elements(tf, data), outcome(once.make_one_shot_iterator)]
