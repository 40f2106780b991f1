# SPDX-License-Identifier: Apache-2.0
"""Variables: both kinds, scopes, reuse, parts, initial values."""

import numpy as np

from interop.programs.client._outcomes import outcome


def _started(tf, fetches, feed=None):
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed)


def both_kinds(tf):
    found = []
    for resource in (False, True):
        v = tf.Variable([1.0, 2.0], use_resource=resource, name="v%d" % resource)
        with tf.Session() as sess:
            try:
                sess.run(v)
            except tf.errors.FailedPreconditionError as e:
                found.append(e.error_code)
            sess.run(v.initializer)
            found += [sess.run(v.assign([5.0, 6.0])), sess.run(v.assign_add([1.0, 1.0]))]
            found += [sess.run(tf.assign_sub(v, [2.0, 2.0])), sess.run(v + 1.0), v.eval(sess)]
            sess.run(v.assign([9.0, 9.0], read_value=False))
            v.load([7.0, 8.0], sess)
            found += [
                sess.run(v.read_value()),
                sess.run(v.value()),
                sess.run(tf.is_variable_initialized(v)),
            ]
        found += [
            v.name,
            v.op.type,
            v.op.name,
            v.dtype.base_dtype.name,
            v.shape.as_list(),
            v.trainable,
        ]
    return found


def nodes_of_a_reference_variable(tf):
    tf.Variable([1.0], name="v")
    tf.get_variable("w", [2], initializer=tf.ones_initializer())
    return sorted((n.name, n.op) for n in tf.get_default_graph().as_graph_def().node)


def collections(tf):
    tf.Variable(1.0, name="a")
    tf.Variable(1.0, name="b", trainable=False)
    tf.Variable(1.0, name="c", collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    tf.get_local_variable("d", [2])
    tf.get_variable("e", [2], collections=["own"])
    return [
        [v.name for v in f()]
        for f in (tf.global_variables, tf.trainable_variables, tf.local_variables)
    ] + [[v.name for v in tf.get_collection("own")]]


def scopes(tf):
    names = []
    with tf.variable_scope("a") as a:
        names.append(tf.get_variable("v", [1]).name)
        names.append(tf.Variable(1.0, name="x").name)
        names.append((tf.constant(1.0) + 1.0).name)
        with tf.variable_scope("b", reuse=tf.AUTO_REUSE) as b:
            names += [tf.get_variable("v", [1]).name, tf.get_variable("v", [1]).name, b.name]
            with tf.variable_scope("c"):
                names += [tf.get_variable("w", [1]).name, tf.get_variable("w", [1]).name]
    with tf.variable_scope("a", reuse=True):
        names += [
            tf.get_variable("v", [1]).name,
            tf.Variable(1.0, name="x").name,
            (tf.constant(1.0) + 1.0).name,
        ]
    with tf.variable_scope("other"):
        with tf.variable_scope(a, reuse=True) as again:
            names += [
                tf.get_variable("v").name,
                again.name,
                again.original_name_scope,
                tf.constant(1.0).name,
            ]
        with tf.variable_scope(b):
            names += [tf.get_variable("z", [1]).name, tf.get_variable_scope().name]
    for _ in range(3):
        with tf.variable_scope(None, "default"):
            names.append(tf.get_variable("v", [1]).name)
    with tf.variable_scope("a"):
        with tf.variable_scope(None, "default"):
            names.append(tf.get_variable("v", [1]).name)
    with tf.variable_scope("quiet", auxiliary_name_scope=False):
        names += [tf.get_variable("v", [1]).name, tf.constant(1.0).name]
    with tf.name_scope("n"):
        names.append(tf.get_variable("plain", [1]).name)
        with tf.variable_scope("m"):
            names += [tf.get_variable("v", [1]).name, tf.constant(1.0).name]
    tf.get_variable_scope().reuse_variables()
    names.append(tf.get_variable("plain", [1]).name)
    return names


def scope_errors(tf):
    kinds = []

    def attempt(function):
        kinds.append(outcome(function))

    with tf.variable_scope("s"):
        v = tf.get_variable("v", [2])
    with tf.variable_scope("s"):
        attempt(lambda: tf.get_variable("v", [2]))
    with tf.variable_scope("s", reuse=True):
        attempt(lambda: tf.get_variable("w", [2]))
        attempt(lambda: tf.get_variable("v", [3]))
        attempt(lambda: tf.get_variable("v", [2], dtype=tf.int32))
        attempt(lambda: tf.get_variable("v", [2]) is v)
    attempt(lambda: tf.get_variable("no_shape"))
    attempt(lambda: tf.get_variable("bad", [2], initializer=tf.constant([1.0, 2.0, 3.0])))
    attempt(lambda: tf.variable_scope(None).__enter__())
    attempt(lambda: tf.variable_scope("x", reuse=3).__enter__())
    attempt(lambda: tf.Variable())
    attempt(lambda: tf.Variable(tf.placeholder(tf.float32, [None])))
    return kinds


def scope_settings(tf):
    with tf.variable_scope(
        "s",
        initializer=tf.constant_initializer(3.0),
        dtype=tf.float64,
        regularizer=lambda v: tf.reduce_sum(v) * 0.5,
    ) as scope:
        v = tf.get_variable("v", [2])
        w = tf.get_variable(
            "w", [2], initializer=tf.zeros_initializer, regularizer=tf.no_regularizer
        )
        with tf.variable_scope("t", use_resource=True):
            u = tf.get_variable("u", [])
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    found = [v.dtype.base_dtype.name, u.op.type, len(losses), scope.dtype.name]
    return found + _started(tf, [v, w, u, tf.add_n(losses)])


def custom_getters(tf):
    asked = []

    def outer(getter, name, *args, **kwargs):
        asked.append("outer " + name)
        return getter(name, *args, **kwargs) * 2.0

    def inner(getter, name, *args, **kwargs):
        asked.append("inner " + name)
        return getter(name, *args, **kwargs) + 1.0

    with tf.variable_scope("a", custom_getter=outer):
        x = tf.get_variable("x", [], initializer=tf.ones_initializer())
        with tf.variable_scope("b", custom_getter=inner):
            y = tf.get_variable("y", [], initializer=tf.ones_initializer())
    return asked + _started(tf, [x, y])


def templates(tf):
    def layer(x):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
        return x * w

    shared = tf.make_template("layer", layer)
    y = shared(1.0) + shared(tf.constant(3.0))
    other = tf.make_template("layer", layer)(5.0)
    return [[v.name for v in tf.global_variables()], _started(tf, [y, other])]


def parts(tf):
    value = np.arange(14.0, dtype=np.float32).reshape(7, 2)
    v = tf.get_variable(
        "v",
        [7, 2],
        initializer=tf.constant_initializer(3.0),
        partitioner=tf.fixed_size_partitioner(3),
    )
    w = tf.get_variable("w", initializer=tf.constant(value), shape=None)
    with tf.variable_scope("s", partitioner=tf.variable_axis_size_partitioner(16)):
        x = tf.get_variable("x", [7, 2])
    y = tf.get_variable(
        "y", [10, 4], partitioner=tf.min_max_variable_partitioner(4, min_slice_size=40)
    )
    names = [[(p.op.name, p.shape.as_list()) for p in u] for u in (v, x, y)]
    infos = [
        p._get_save_slice_info().spec
        if hasattr(p, "_get_save_slice_info")
        else p._save_slice_info.spec
        for p in v
    ]
    total = tf.reduce_sum(tf.convert_to_tensor(v)) + tf.reduce_sum(v.as_tensor())
    rows = tf.nn.embedding_lookup(v, [0, 3, 6], partition_strategy="div")
    return [
        names,
        infos,
        v.name,
        v.shape.as_list(),
        [n.name for n in tf.global_variables()],
        _started(tf, [total, rows, w]),
    ]


def initial_values(tf):
    a = tf.Variable(3.0, name="a")
    b = tf.Variable(a.initialized_value() * 2.0, name="b")
    c = tf.Variable(lambda: tf.constant([1, 2]), name="c", dtype=tf.int32)
    d = tf.get_variable("d", initializer=np.array([[1.5]], np.float32))
    e = tf.get_variable("e", [2], tf.int64)
    f = tf.Variable(1.0, use_resource=True)
    g = tf.Variable(tf.constant(2.0) * 3.0)
    h = tf.Variable(["x", "y"])
    with tf.Session() as sess:
        sess.run(tf.variables_initializer([b, g]))
        first = sess.run([b, g])
        sess.run(tf.global_variables_initializer())
        return first + sess.run([a, b, c, d, e, f, g, h])


def initializers(tf):
    makers = [
        tf.zeros_initializer(),
        tf.ones_initializer(dtype=tf.int32),
        tf.constant_initializer([1, 2, 3, 4, 5, 6]),
        tf.random_uniform_initializer(-1, 1, seed=1),
        tf.random_normal_initializer(seed=2),
        tf.truncated_normal_initializer(stddev=0.5, seed=3),
        tf.glorot_uniform_initializer(seed=4),
        tf.glorot_normal_initializer(seed=5),
        tf.variance_scaling_initializer(2.0, "fan_out", "uniform", seed=6),
        tf.uniform_unit_scaling_initializer(seed=7),
        tf.initializers.he_normal(seed=8),
        tf.initializers.lecun_uniform(seed=9),
    ]
    values = [m([2, 3]) for m in makers]
    shapes = [tf.orthogonal_initializer(seed=1)([4, 3]).shape.as_list()]
    return [shapes, _started(tf, values)]


def uninitialized(tf):
    a = tf.Variable(1.0, name="a")
    tf.Variable(1.0, name="b", use_resource=True)
    tf.Variable(1.0, name="c", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    report = tf.report_uninitialized_variables()
    own = tf.report_uninitialized_variables([a])
    with tf.Session() as sess:
        before = sess.run([report, own])
        sess.run(a.initializer)
        middle = sess.run([report, own, tf.is_variable_initialized(a)])
        sess.run(tf.global_variables_initializer())
        sess.run(tf.local_variables_initializer())
        return [before, middle, sess.run(report)]


def protos(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable([1.0, 2.0], name="w", use_resource=True, trainable=False)
    found = []
    for var in (v, w):
        proto = var.to_proto()
        found.append(
            [proto.variable_name, proto.initializer_name, proto.is_resource, proto.trainable]
        )
        if var is w:
            break
        again = tf.Variable.from_proto(proto)
        with tf.Session() as sess:
            sess.run(again.initializer)
            found.append(sess.run([again, var, again.initialized_value()]))
    return found


def without_a_shape(tf):
    x = tf.placeholder_with_default([1.0, 2.0], [None])
    v = tf.Variable(x, validate_shape=False)
    w = tf.Variable([1.0, 2.0])
    grown = tf.assign(w, [1.0, 2.0, 3.0], validate_shape=False)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [v.shape.ndims is None, sess.run(v), sess.run(grown), sess.run(w)]


def rows_and_counting(tf):
    found = []
    for resource in (False, True):
        v = tf.Variable(np.zeros((3, 2), np.float32), use_resource=resource)
        n = tf.Variable(0, use_resource=resource)
        update = tf.scatter_update(v, [0, 2], [[1.0, 2.0], [3.0, 4.0]])
        with tf.control_dependencies([update]):
            more = tf.scatter_add(v, [0, 0], [[1.0, 1.0], [1.0, 1.0]])
        up = n.count_up_to(2)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            found += [sess.run(more), sess.run(up), sess.run(up)]
            try:
                sess.run(up)
            except tf.errors.OutOfRangeError:
                found.append("end")
    return found


def on_two_devices(tf):
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), caching_device="/cpu:1")
    with tf.device("/cpu:1"):
        y = v + 1.0
        with tf.colocate_with(v.op):
            z = v * 2.0
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
        sess.run(tf.global_variables_initializer())
        return [v.device, y.device, z.device, v.initializer.device] + sess.run([y, z])


def initializers_of_parts(tf):
    """An initializer may require partition_info, and gets None for a variable in one piece."""
    seen = []

    def initial(shape, dtype, partition_info):
        seen.append(partition_info and list(partition_info.full_shape))
        return tf.ones(shape, dtype)

    whole = tf.get_variable("whole", [2], initializer=initial)
    parted = tf.get_variable(
        "parted", [4], initializer=initial, partitioner=tf.fixed_size_partitioner(2)
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [seen, session.run(whole), session.run(tf.convert_to_tensor(parted))]


def parts_of_a_tensor(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        v = tf.get_variable("v", initializer=tf.reshape(tf.range(8.0), [4, 2]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [x.name for x in tf.global_variables()], session.run(
            tf.convert_to_tensor(v)
        ).tolist()
