# SPDX-License-Identifier: Apache-2.0
"""Data sets and iterators: sources, transformations, structures, functions with captures."""

import collections

import numpy as np

from interop.programs.client._outcomes import elements, outcome


def sources(tf):
    data = tf.data.Dataset
    pairs = data.from_tensor_slices(([1, 2, 3], np.ones([3, 2], np.float32)))
    named = data.from_tensor_slices({"b": [[1], [2]], "a": ["x", "y"]})
    return [
        elements(tf, data.range(3)),
        elements(tf, data.range(2, 9, 3)),
        elements(tf, data.range(3, 0, -1)),
        elements(tf, data.from_tensors([[1.5, 2.5]])),
        elements(tf, pairs),
        elements(tf, named),
        elements(tf, data.zip((data.range(3), {"x": data.range(5, 9)}))),
        elements(tf, data.range(2).concatenate(data.range(7, 9))),
    ]


def numbers_of_elements(tf):
    data = tf.data.Dataset.range(7)
    return [
        elements(tf, data.take(2)),
        elements(tf, data.skip(5)),
        elements(tf, data.take(2).repeat(2)),
        elements(tf, data.shard(3, 1)),
        elements(tf, data.enumerate(4).take(2)),
        elements(tf, data.filter(lambda x: x % 3 > 0)),
        elements(tf, data.cache().repeat(2).take(9)),
        elements(tf, data.prefetch(2)),
        elements(tf, data.batch(3)),
        elements(tf, data.batch(3, drop_remainder=True)),
        elements(tf, data.batch(2).unbatch()),
        elements(tf, data.apply(lambda d: d.skip(6))),
    ]


def functions(tf):
    data = tf.data.Dataset
    point = collections.namedtuple("Point", "x y")
    pairs = data.from_tensor_slices(([1, 2, 3], [0.5, 1.5, 2.5]))

    def spread(x):
        return data.from_tensors(x).repeat(x).map(lambda y: x * 10 + y)

    return [
        elements(tf, pairs.map(lambda n, x: tf.cast(n, tf.float32) * x)),
        elements(tf, pairs.map(lambda n, x: {"twice": n + n, "both": (n, x)})),
        elements(tf, pairs.map(lambda n, x: [n, x])),
        elements(tf, pairs.map(lambda n, x: point(n, x)).map(lambda p: p.x + 1)),
        elements(tf, data.range(5).map(lambda x: x * x, num_parallel_calls=3)),
        elements(tf, data.range(4).flat_map(spread)),
        elements(tf, data.range(4).interleave(spread)),
        elements(tf, data.range(4).interleave(spread, cycle_length=2)),
        elements(tf, data.range(4).interleave(spread, 2, 2, num_parallel_calls=2)),
        elements(tf, data.range(3).map(lambda x: tf.cond(x > 1, lambda: x, lambda: -x))),
        elements(tf, data.range(2).map(lambda x: ("text", 2, x))),
    ]


def windows(tf):
    data = tf.data.Dataset
    windows_of = data.range(7).window(3, shift=2, drop_remainder=True)
    pairs = data.zip((data.range(4), data.range(4, 8))).window(2)
    return [
        elements(tf, windows_of.flat_map(lambda w: w.batch(3))),
        elements(tf, data.range(7).window(2, stride=3).flat_map(lambda w: w.batch(2))),
        elements(tf, pairs.flat_map(lambda a, b: data.zip((a.batch(2), b.batch(2))))),
    ]


def padding(tf):
    rows = tf.data.Dataset.from_tensor_slices([1, 3, 2]).map(lambda n: tf.fill([n], n))
    both = rows.map(lambda r: (r, tf.as_string(r)))
    one = both.padded_batch(2, ([None], [4]), (-1, "-"), drop_remainder=True)
    return [
        elements(tf, rows.padded_batch(2, [None])),
        elements(tf, rows.padded_batch(2, [5])),
        elements(tf, rows.padded_batch(2, tf.TensorShape([None]), padding_values=9)),
        elements(tf, one),
        [s.as_list() for s in one.output_shapes],
        rows.padded_batch(2, [5]).output_shapes.as_list(),
    ]


def structures(tf):
    data = tf.data.Dataset.from_tensor_slices({"n": [1, 2], "x": np.ones([2, 3])})
    nested = tf.data.Dataset.zip((data, tf.data.Dataset.range(2))).batch(2)
    found = []
    for one in (data, nested, nested.make_one_shot_iterator()):
        found.append(repr(_names(tf.data.get_output_types(one))))
        found.append(repr(_lists(tf.data.get_output_shapes(one))))
    found.append(tf.data.get_output_classes(data)["n"] is tf.Tensor)
    sparse = tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1.0], [2]))
    found.append(tf.data.get_output_classes(sparse) is tf.SparseTensor)
    found.append(sparse.output_shapes.as_list())
    found.append(sparse.output_types.name)
    return found


def _names(structure):
    if isinstance(structure, dict):
        return sorted((key, _names(value)) for key, value in structure.items())
    if isinstance(structure, tuple):
        return tuple(map(_names, structure))
    return structure.name


def _lists(structure):
    if isinstance(structure, dict):
        return sorted((key, _lists(value)) for key, value in structure.items())
    if isinstance(structure, tuple):
        return tuple(map(_lists, structure))
    return structure.as_list()


def sparse_elements(tf):
    data = tf.data.Dataset
    sparse = tf.SparseTensor([[0, 1], [1, 2], [2, 0]], [5, 6, 7], [3, 3])
    rows = data.from_tensor_slices(sparse)
    return [
        elements(tf, rows.map(tf.sparse.to_dense)),
        elements(tf, rows.batch(2).map(tf.sparse.to_dense)),
        elements(tf, data.from_tensors({"s": sparse}).map(lambda d: d["s"].values)),
        elements(tf, rows.filter(lambda s: tf.reduce_sum(s.values) > 5).map(lambda s: s.values)),
        elements(tf, data.from_tensors(sparse).unbatch().map(tf.sparse.to_dense)),
        elements(tf, data.range(2).map(lambda n: tf.sparse.from_dense([n, 0, 1]))),
    ]


def captured_tensors(tf):
    factor = tf.constant(3, tf.int64)
    data = tf.data.Dataset.range(4).map(lambda x: x * factor)
    fed = tf.placeholder(tf.int64, [])
    from_feed = tf.data.Dataset.range(fed).map(lambda x: x + fed)
    it = from_feed.make_initializable_iterator()
    element = it.get_next()
    with tf.Session() as sess:
        sess.run(it.initializer, {fed: 3})
        found = [sess.run(element) for _ in range(3)]
    return [elements(tf, data), found, outcome(from_feed.make_one_shot_iterator)]


def reductions(tf):
    data = tf.data.Dataset.range(5)
    total = data.reduce(np.int64(0), lambda s, x: s + x)
    mean = data.reduce((0.0, 0), lambda s, x: (s[0] + tf.cast(x, tf.float32), s[1] + 1))
    grown = data.reduce(np.zeros([0], np.int64), lambda s, x: tf.concat([s, [x]], 0))
    with tf.Session() as sess:
        return [sess.run(total), list(sess.run(mean)), sess.run(grown), grown.shape.as_list()]


def random_functions(tf):
    tf.set_random_seed(11)
    data = tf.data.Dataset.range(3).map(lambda x: tf.random_uniform([2], seed=4))
    it = data.make_initializable_iterator()
    element = it.get_next()
    with tf.Session() as sess:
        sess.run(it.initializer)
        return [sess.run(element) for _ in range(3)]


def iterators(tf):
    data = tf.data.Dataset
    it = tf.data.Iterator.from_structure((tf.int64, tf.float32), ([], [2]))
    n, x = it.get_next()
    first = data.zip((data.range(2), data.from_tensors([1.0, 2.0]).repeat()))
    second = data.zip((data.range(5, 6), data.from_tensors([3.0, 4.0])))
    begin = [it.make_initializer(first, name="begin"), it.make_initializer(second)]
    found = [begin[0].name, n.shape.as_list(), x.shape.as_list(), outcome(lambda: it.initializer)]
    with tf.Session() as sess:
        found.append(outcome(sess.run, n))
        for one in begin:
            sess.run(one)
            found.append(sess.run([n, x]))
        found.append(outcome(sess.run, n))
        sess.run(begin[0])
        found.append(sess.run(n))
    return found


def handles(tf):
    data = tf.data.Dataset
    handle = tf.placeholder(tf.string, [])
    it = tf.data.Iterator.from_string_handle(handle, tf.int64, [])
    element = it.get_next()
    one, other = data.range(3), data.range(10, 13)
    one, other = one.make_one_shot_iterator(), other.make_initializable_iterator()
    with tf.Session() as sess:
        names = sess.run([one.string_handle(), other.string_handle()])
        sess.run(other.initializer)
        return [sess.run(element, {handle: names[i]}) for i in (0, 1, 1, 0, 1)]


def experimental(tf):
    data, more = tf.data.Dataset, tf.data.experimental
    number = data.range(5)
    lengths = data.from_tensor_slices([4, 1, 2, 3]).map(lambda n: tf.fill([n], n))
    ones = number.map(lambda x: 6 // (x - 2))
    odd = more.group_by_window(lambda x: x % 2, lambda key, w: w.batch(2), 2)
    by_length = more.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3], [2, 2])
    to_bound = more.bucket_by_sequence_length(
        lambda x: tf.shape(x)[0], [3, 6], [2, 2, 2], pad_to_bucket_boundary=True
    )
    return [
        elements(tf, number.apply(more.map_and_batch(lambda x: x + 1, 2))),
        elements(tf, number.apply(more.map_and_batch(lambda x: x, 2, drop_remainder=True))),
        elements(tf, number.apply(more.parallel_interleave(lambda x: data.range(x), 2))),
        elements(tf, number.apply(more.take_while(lambda x: x < 2))),
        elements(tf, number.map(lambda x: x // 2).apply(more.unique())),
        elements(tf, ones.apply(more.ignore_errors())),
        elements(tf, number.apply(more.scan(np.int64(1), lambda s, x: (s + x, s * x)))),
        elements(tf, more.Counter(3, 2).take(3)),
        elements(tf, number.apply(odd)),
        elements(tf, lengths.apply(by_length)),
        elements(tf, lengths.apply(to_bound)),
        elements(tf, more.choose_from_datasets([number, data.range(9, 12)], number.take(2))),
    ]


def samples(tf):
    data, more = tf.data.Dataset, tf.data.experimental
    several = [data.from_tensors(i).repeat() for i in range(3)]
    found = [
        elements(tf, more.sample_from_datasets(several, [0.5, 0.2, 0.3], seed=3).take(20)),
        elements(tf, more.sample_from_datasets(several, seed=9).take(20)),
    ]
    resample = more.rejection_resample(
        lambda x: tf.cast(x % 2, tf.int32), [0.2, 0.8], [0.5, 0.5], seed=2
    )
    it = data.range(60).apply(resample).make_initializable_iterator()
    element = it.get_next()
    with tf.Session() as sess:
        sess.run(it.initializer)
        found.append([sess.run(element) for _ in range(10)])
    return found


def single_elements(tf):
    more = tf.data.experimental
    data = tf.data.Dataset.range(3)
    with tf.Session() as sess:
        return [
            sess.run(more.get_single_element(data.batch(5))),
            outcome(sess.run, more.get_single_element(data)),
            sess.run([more.cardinality(d) for d in (data, data.repeat(), data.batch(2))]),
            sess.run(more.cardinality(data.filter(lambda x: x > 1))),
        ]


def in_loops_and_branches(tf):
    it = tf.data.Dataset.range(1, 20).make_one_shot_iterator()
    start = (tf.constant(0), tf.constant(0, tf.int64))
    _, total = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + it.get_next()), start)
    more = tf.placeholder(tf.bool, [])
    one = tf.cond(more, lambda: it.get_next(), lambda: tf.constant(-1, tf.int64))
    with tf.Session() as sess:
        found = [sess.run(total), sess.run(one, {more: True}), sess.run(one, {more: False})]
        return [*found, sess.run(it.get_next()), sess.run(total)]


def in_functions(tf):
    def body(x):
        loop = tf.while_loop(lambda i, s: i < x, lambda i, s: (i + 1, s * 2), (np.int64(0), x))
        return tf.map_fn(lambda y: y + x, tf.range(3, dtype=tf.int64)), loop[1]

    def nested(x):
        inner = tf.data.Dataset.range(x).map(lambda y: y * x)
        return inner.reduce(np.int64(0), lambda s, y: s + y)

    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1
    )
    words = tf.data.Dataset.from_tensor_slices(["b", "c", "a"]).map(table.lookup)
    it = words.make_initializable_iterator()
    element = it.get_next()
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        sess.run(it.initializer)
        found = [sess.run(element) for _ in range(3)]
    data = tf.data.Dataset.range(4)
    return [*found, elements(tf, data.map(body)), elements(tf, data.map(nested))]


def trained(tf):
    x = np.linspace(-1, 1, 40).reshape(20, 2).astype(np.float32)
    y = x.dot(np.float32([[2.0], [-3.0]])) + 1
    data = tf.data.Dataset.from_tensor_slices({"x": x, "y": y})
    it = data.shuffle(20, 1, False).repeat().batch(5).make_initializable_iterator()
    batch = it.get_next()
    w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(batch["x"], w) + b - batch["y"]))
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.2).minimize(loss, step)
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, it.initializer)
    losses = []
    hooks = [tf.train.StopAtStepHook(30)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
        while not sess.should_stop():
            losses.append(sess.run([train, loss])[1])
    return [len(losses), np.float32(losses)]


def imported_again(tf):
    data = tf.data.Dataset.range(5).map(lambda x: x * 3).filter(lambda x: x > 2)
    element = data.make_one_shot_iterator().get_next()
    name = tf.identity(element, name="element").name
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        (again,) = tf.import_graph_def(graph_def, return_elements=[name], name="again")
        with tf.Session() as sess:
            return [sess.run(again) for _ in range(3)]
