# SPDX-License-Identifier: Apache-2.0
"""Learning rates and producers of input: the operations that TensorFlow 1.15 makes of them."""

from interop.programs.client._outcomes import message

ONLY_1X = True


def _nodes(tf, make):
    """The operations of a graph with their inputs, and the name of what `make` returns."""
    with tf.Graph().as_default() as graph:
        found = make()
        nodes = [(n.name, list(n.input)) for n in graph.as_graph_def().node]
        runners = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
        ops = [[op.name for op in r.enqueue_ops] + [r.close_op.name] for r in runners]
        return [sorted(nodes), found.name, ops]


def _rates(tf, step):
    t = tf.train
    half = tf.constant(0.5, tf.float64)
    return {
        "exponential": lambda: t.exponential_decay(0.1, step, 10, 0.5),
        "stairs": lambda: t.exponential_decay(half, step, 10, 0.5, staircase=True, name="rate"),
        "natural": lambda: t.natural_exp_decay(0.1, step, 10, 0.5, True),
        "cosine": lambda: t.cosine_decay(0.1, step, 10, 0.1),
        "linear": lambda: t.linear_cosine_decay(0.1, step, 10),
        "inverse": lambda: t.inverse_time_decay(0.1, step, 10, 0.5),
        "polynomial": lambda: t.polynomial_decay(0.1, step, 10),
        "cycles": lambda: t.polynomial_decay(0.1, step, 10, 0.01, 0.5, cycle=True),
        "restarts": lambda: t.cosine_decay_restarts(0.1, step, 10),
        "equal_restarts": lambda: t.cosine_decay_restarts(0.1, step, 10, 1.0, 0.5, 0.1),
        "pieces": lambda: t.piecewise_constant(step, [5, 15], [1.0, 0.5, 0.25]),
    }


def operations_of_rates(tf):
    def make(name):
        return _rates(tf, tf.train.get_or_create_global_step())[name]()

    straight = ("exponential", "stairs", "natural", "cosine", "linear")
    return {name: _nodes(tf, lambda name=name: make(name)) for name in straight}


def values_of_rates(tf):
    step = tf.placeholder(tf.int64, [])
    rates = {name: make() for name, make in _rates(tf, step).items()}
    with tf.Session() as sess:
        found = [sess.run(rates, {step: at}) for at in (0, 4, 10, 15, 37)]
    return [{name: round(float(v), 6) for name, v in row.items()} for row in found]


def refused_rates(tf):
    t = tf.train
    step = tf.constant(3, tf.int64)
    return [
        message(make)
        for make in (
            lambda: t.exponential_decay(0.1, None, 10, 0.5),
            lambda: t.piecewise_constant(step, [1.5], [1.0, 2.0]),
            lambda: t.piecewise_constant(step, [1], [1.0, 2]),
        )
    ]


def operations_of_producers(tf):
    t = tf.train
    rows = [[1, 2], [3, 4], [5, 6]]
    makers = {
        "rows": lambda: t.input_producer(tf.constant(rows), num_epochs=1),
        "range": lambda: t.range_input_producer(5, shuffle=False, num_epochs=2),
        "named": lambda: t.range_input_producer(5, seed=2, name="numbers"),
        "slices": lambda: t.slice_input_producer([rows, [1, 2, 3]])[0],
        "limit": lambda: t.limit_epochs(tf.constant(1), 2),
        "batch": lambda: t.batch([tf.constant(1)], 4),
        "threads": lambda: t.batch([tf.constant(1)], tf.constant(4), num_threads=2),
        "padded": lambda: t.batch([tf.constant([1])], 4, dynamic_pad=True, name="padded"),
        "kept": lambda: t.maybe_batch([tf.constant(rows)], [True, False, True], 2, 1, 9, True),
        "never": lambda: t.maybe_batch([tf.constant(1)], False, 4),
        "readers": lambda: t.batch_join([[tf.constant(1)], [tf.constant(2)]], 4),
        "shuffled": lambda: t.shuffle_batch([tf.constant(1)], 4, 20, 5, seed=1),
    }
    return {name: _nodes(tf, make) for name, make in makers.items()}


def batches_in_order(tf):
    one = {"b": tf.constant(1), "a": tf.constant([2.0])}
    first = tf.train.batch(one, tf.constant(2))
    queue = tf.train.string_input_producer(["x", "y"], shuffle=False, num_epochs=1)
    text = queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coordinator)
        found = [sess.run(first), sess.run(text), first["a"].shape.as_list()]
        coordinator.request_stop()
        coordinator.join(threads)
    return found


def refused_producers(tf):
    t = tf.train
    one, two = tf.constant([1]), tf.constant([1, 2])
    return [
        message(make)
        for make in (
            lambda: t.batch_join([], 4),
            lambda: t.batch([], 4),
            lambda: t.batch_join([[one], [tf.constant("a")]], 4),
            lambda: t.batch_join([{"a": one}, {"b": one}], 4),
            lambda: t.batch_join([[one], [two]], 4),
            lambda: t.batch([tf.placeholder(tf.int32, name="any")], 4),
            lambda: t.shuffle_batch([one], 4, 5, 5),
            lambda: t.maybe_batch([one], tf.constant([True, False]), 4),
            lambda: t.string_input_producer([]),
            lambda: t.slice_input_producer([]),
            lambda: t.input_producer(tf.constant(1)),
            lambda: t.input_producer(tf.placeholder(tf.int32, [None, None])),
            lambda: t.limit_epochs(one, 0),
        )
    ]


def strings_of_constants(tf):
    constant = tf.constant(["abc", "", "x" * 200])
    protos = constant.op.node_def.attr["value"].tensor, constant.op.get_attr("value")
    return [[v.decode() for v in tf.make_ndarray(proto)] for proto in protos]
