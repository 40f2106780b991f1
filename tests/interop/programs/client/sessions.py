# SPDX-License-Identifier: Apache-2.0
"""Sessions and runs."""

import collections

import numpy as np


def nested_fetches(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y, total = x * 2.0 + 1.0, tf.reduce_sum(x)
    pair = collections.namedtuple("pair", "a b")
    with tf.Session() as sess:
        out = sess.run({"y": y, "both": [total, (y, y.op)], "p": pair(x, [total])}, {x: [[1, 2]]})
        return [
            out["y"],
            out["both"][0],
            out["both"][1],
            out["p"].a,
            out["p"].b,
            sess.run("x:0", {"x:0": [[5, 6]]}),
        ]


def partial_runs(tf):
    a, b, c = (tf.placeholder(tf.float32, [], name=n) for n in "abc")
    r1 = a + b
    r2 = r1 * c
    with tf.Session() as sess:
        handle = sess.partial_run_setup([r1, r2], [a, b, c])
        first = sess.partial_run(handle, r1, {a: 1, b: 2})
        second = sess.partial_run(handle, r2, {c: first * 17})
        handle = sess.partial_run_setup([r1, r2.op], [a, b, c])
        third = sess.partial_run(handle, [r1], {a: 1, b: 2, c: 3})
        return [first, second, third]


def partial_run_of_an_operation(tf):
    a = tf.placeholder(tf.float32, [])
    b = a + 1.0
    with tf.Session() as sess:
        sess.partial_run(sess.partial_run_setup([b.op], [a]), b.op, {a: 1})


def partial_run_without_setup(tf):
    a = tf.placeholder(tf.float32, [])
    b = a + 1.0
    with tf.Session() as sess:
        handle = sess.partial_run_setup([b], [a])
        sess.partial_run(handle, b, {a: 1})
        return sess.partial_run(handle, b, {a: 1})


def callables(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.placeholder(tf.float32, [])
    with tf.Session() as sess:
        both = sess.make_callable({"p": x * y, "s": tf.reduce_sum(x)}, [x, y])
        nothing = sess.make_callable(tf.no_op())
        metadata = tf.RunMetadata()
        traced = sess.make_callable(x + 1.0, [x], accept_options=True)
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        value = traced([1.0], options=options, run_metadata=metadata)
        return [both([1, 2], 3), nothing(), value, len(metadata.step_stats.dev_stats) > 0]


def metadata_of_a_run(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.add(x, x, name="sum")
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    config = tf.ConfigProto(
        graph_options=tf.GraphOptions(
            optimizer_options=tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0)
        )
    )
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Session(config=config) as sess:
        value = sess.run(y, options=options, run_metadata=metadata)
    nodes = {s.node_name for d in metadata.step_stats.dev_stats for s in d.node_stats}
    return [value, "sum" in nodes, len(metadata.partition_graphs)]


def interactive(tf):
    sess = tf.InteractiveSession()
    v = tf.Variable([1.0, 2.0])
    v.initializer.run()
    tf.assign_add(v, [1.0, 1.0]).eval()
    found = [v.eval(), (v * 2.0).eval(), tf.get_default_session() is sess]
    sess.close()
    return found + [tf.get_default_session() is None]


def feeding_of_anything(tf):
    c = tf.constant(3.0)
    d = tf.constant([1.0, 2.0], name="d")
    e = tf.identity(d) * c
    with tf.Session() as sess:
        return [sess.run(e, {c: 5.0}), sess.run(e, {"d:0": [7, 8]}), sess.run([c, e], {c: 1})]


def fed_wrongly(tf):
    x = tf.placeholder(tf.float32, [2])
    errors = []
    with tf.Session() as sess:
        for feed in (
            {x: np.zeros(3)},
            {"nothing:0": 1},
            {x.op: [1, 2]},
            {x: tf.constant([1.0, 2.0])},
        ):
            try:
                sess.run(x + 1.0, feed)
            except Exception as e:
                errors.append(type(e).__name__)
        for fetch in (None, "x", "nothing:0", 3.5):
            try:
                sess.run(fetch)
            except Exception as e:
                errors.append(type(e).__name__)
        try:
            sess.run(x + 1.0)
        except tf.errors.InvalidArgumentError as e:
            errors.append(e.error_code)
    return errors


def closed(tf):
    x = tf.constant(1.0)
    sess = tf.Session()
    sess.run(x)
    sess.close()
    sess.run(x)


def devices_by_name(tf):
    config = tf.ConfigProto(device_count={"CPU": 3}, allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        with tf.device("/cpu:2"):
            x = tf.constant(1.0) + tf.constant(2.0)
        with tf.device("/gpu:7"):
            y = x * 2.0
        found = [d.name for d in sess.list_devices() if d.device_type == "CPU"]
        return [found, sess.run(y), x.device, y.device]


def session_handles(tf):
    x = tf.constant([1.0, 2.0])
    with tf.Session() as sess:
        handle = sess.run(tf.get_session_handle(x * 3.0))
        holder, value = tf.get_session_tensor(handle.handle, tf.float32)
        found = [sess.run(value + 1.0, {holder: handle.handle}), handle.eval()]
        holder, deleter = tf.delete_session_tensor(handle.handle)
        sess.run(deleter, {holder: handle.handle})
        return found


def sparse_values(tf):
    s = tf.sparse_placeholder(tf.float32)
    doubled = tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)
    table = tf.Variable(np.arange(6.0, dtype=np.float32).reshape(3, 2))
    (grad,) = tf.gradients(tf.reduce_sum(tf.gather(table, [0, 2, 0])), [table])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        value = tf.SparseTensorValue(
            np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0], np.float32), np.array([3, 2])
        )
        out = sess.run(doubled, {s: value})
        slices = sess.run(grad)
        return [out.indices, out.values, out.dense_shape, slices.values, slices.indices]


def metadata_needs_options(tf):
    x = tf.constant(1.0)
    with tf.Session() as sess:
        return sess.run(
            x, options=tf.RunOptions(timeout_in_ms=60000), run_metadata=tf.RunMetadata()
        )
