# SPDX-License-Identifier: Apache-2.0
"""Reference variables: their dtypes, what is made of them, values that begin with others'."""

import importlib

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows make resource variables


def _started(tf, fetches):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(fetches)


def _names(items):
    return [item.dtype.name for item in items]


def dtypes_of_variables(tf):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    n = tf.get_variable("n", [2], tf.int64, use_resource=False)
    r = tf.Variable(1.0, use_resource=True)
    parts = tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2), use_resource=False)
    changed = [v.assign([3.0, 4.0]), tf.assign_add(n, [1, 1]), tf.scatter_add(v, [0], [1.0])]
    read = [v.value(), v.read_value(), v.initial_value, tf.identity(changed[0]), v + 1.0]
    other = tf.Variable.from_proto(v.to_proto())
    step = tf.train.AdamOptimizer().minimize(tf.reduce_sum(v * v))
    del step
    return [
        _names([v, n, r, parts, *parts, v.op.outputs[0], other]), _names(changed), _names(read),
        _names(tf.global_variables()), v.dtype == tf.float32, v.dtype.base_dtype == tf.float32,
        str(v.dtype), v.dtype.is_compatible_with(tf.float32), str(v.op.outputs[0]),
    ]  # fmt: skip


def dtypes_made_of_dtypes(tf):
    """The dtype of a variable stands for that of its values where one is asked for."""
    v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    kind = v.dtype
    w = tf.get_variable("w", [2], kind, use_resource=False)
    with tf.variable_scope("scope", dtype=kind):
        u = tf.get_variable("u", [1], use_resource=False)
    called = tf.py_func(lambda x: x * 2, [v], kind)
    made = [tf.zeros([2], kind), tf.constant(1.0, kind), tf.cast([1, 2], kind), called, w, u]
    tf.get_variable_scope().reuse_variables()
    again = tf.get_variable("w", [2], kind)
    layer = tf.layers.Dense(2, dtype=kind)
    layer.build([None, 3])
    return [_names(made), again is w, _started(tf, made[:4]), layer.dtype, layer.kernel.dtype.name]


def updates_are_tensors(tf):
    """What assign() and the like return is a reference that operations read."""
    v = tf.Variable([1.0, 2.0], use_resource=False)
    n = tf.Variable(3, use_resource=False)
    c = tf.Variable(1 + 2j, use_resource=False)
    m = tf.Variable([[1.0, 2.0], [3.0, 4.0]], use_resource=False)
    a, i = v.assign([3.0, 4.0]), n.assign(2)
    z, square = c.assign(2 + 1j), m.assign([[2.0, 1.0], [1.0, 2.0]])
    results = {
        "divided": i / 2, "rest": i % 2, "power": a**2, "sliced": a[0], "stacked": tf.stack([a, v]),
        "packed": tf.convert_to_tensor([[1.0, 2.0], a]), "cast": tf.cast(i, tf.float32),
        "cond": tf.cond(i > 1, lambda: a, lambda: v.value()), "zeros": tf.zeros([i]),
        "case": tf.switch_case(i, [lambda: a, lambda: a + 1.0, lambda: a + 2.0]),
        "absolute": tf.abs(z), "real": tf.real(z), "sum": tf.add_n([a, v]), "norm": tf.norm(a),
        "map": tf.map_fn(lambda x: x + 1.0, a), "inverse": tf.matrix_inverse(square),
        "moments": tf.nn.moments(a, [0]), "softmax": tf.nn.softmax(a), "one_hot": tf.one_hot(i, 3),
        "rate": tf.train.piecewise_constant(i, [1, 3], [1.0, 2.0, 3.0]),
        "dense": tf.layers.dense(square, 1, kernel_initializer=tf.ones_initializer()),
        "keras": tf.keras.layers.Dense(1, kernel_initializer="ones")(square),
        "function": tf.function(lambda x: x * 2)(a), "gradient": tf.gradients(a * a, a),
        "loss": tf.losses.mean_squared_error(a, v), "array": tf.TensorArray(a.dtype, 1).size(),
    }  # fmt: skip
    found = {}
    for name, result in results.items():
        parts = result if isinstance(result, (list, tuple)) else [result]
        found[name] = _names(parts), _started(tf, result)
    return found


def values_that_begin_with_others(tf):
    """The initializer of a variable runs before that of the one that it takes its value from."""
    v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    w = tf.Variable(v * 2.0, name="w", use_resource=False)
    with tf.name_scope("scope"):
        x = tf.get_variable("x", initializer=tf.gather(v, 1) + 1.0, use_resource=False)
        y = tf.Variable(v[0], name="y", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    names = sorted((op.name, op.type) for op in tf.get_default_graph().get_operations())
    found = [names, w.initial_value.name, w.initializer.inputs[1].name]
    with tf.Session() as session:
        session.run([w.initializer, x.initializer, y.initializer])
        found += session.run([w, x, y]), outcome(session.run, v)
        session.run(v.initializer)
        session.run(v.assign([5.0, 6.0]))
        session.run([w.initializer, x.initializer, y.initializer])
        found.append(session.run([w, x, y]))
    return found


def values_that_stay_as_they_are(tf):
    """A variable that no collection has, a resource variable, and what a loop computes."""
    v = tf.Variable(1.0, name="v", use_resource=False, collections=["other"])
    r = tf.Variable(1.0, name="r", use_resource=True)
    tf.Variable(v * 2.0, name="w", use_resource=False)
    tf.Variable(r * 2.0, name="x", use_resource=False)
    tf.Variable(
        lambda: tf.while_loop(lambda i: i < v, lambda i: i + 1.0, [0.0]), name="y",
        use_resource=False,
    )  # fmt: skip
    found = [v.initializer.inputs[1].op.type]
    with tf.Session() as session:
        for name in ("w", "x", "y"):
            op = tf.get_default_graph().get_operation_by_name(name + "/Assign")
            found.append(outcome(session.run, op))
    return found


def a_local_value_of_a_recovered_session(tf):
    v = tf.Variable(1.0, name="v", use_resource=False)
    w = tf.Variable(
        v * 2.0, name="w", collections=[tf.GraphKeys.LOCAL_VARIABLES], use_resource=False,
        trainable=False,
    )  # fmt: skip
    manager = tf.train.SessionManager(
        ready_op=tf.report_uninitialized_variables(), local_init_op=w.initializer
    )
    session, recovered = manager.recover_session("", saver=tf.train.Saver([v]))
    return [recovered, session.run(w), outcome(session.run, v)]


def variables_as_bools(tf):
    found = []
    for resource in (False, True):
        v = tf.Variable(0.0, use_resource=resource)
        for use in (bool, lambda v: 1 if v else 2, lambda v: v and 3):
            try:
                found.append(use(v) is not None)
            except TypeError:
                found.append("TypeError")
        found.append(v in [v])
    return found


def small_things(tf):
    """Shapes that become known, rows of something else, the rank of a single variable."""
    v = tf.Variable(tf.placeholder(tf.float32, [None]), validate_shape=False, use_resource=False)
    found = [str(v.shape)]
    v.set_shape([3])
    found += [str(v.shape), outcome(v.scatter_sub, 1)]
    w = tf.Variable(True, name="w", use_resource=False, collections=[])
    found.append((w ^ True).name)
    found += sorted(op.name for op in tf.get_default_graph().get_operations() if "xor" in op.name)
    with tf.Graph().as_default():
        tf.Variable([1.0], use_resource=False, collections=["other"])
        found += [str(tf.assert_variables_initialized().shape)]
        cached = tf.get_variable("c", [1], use_resource=True, caching_device="/job:a")
        found += [cached.value().name, cached.value().device]
    return found


def references_are_updated(tf):
    """The functions of updates take the reference in place of the variable."""
    v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    n = tf.Variable(1, use_resource=False)
    node = v.op.outputs[0]
    first = tf.assign(node, [5.0, 6.0])
    updates = [
        first, tf.assign_add(first, [1.0, 1.0]), tf.assign_sub(node, [1.0, 1.0]),
        tf.assign(node, [7.0, 8.0, 9.0], validate_shape=False),
        tf.scatter_update(node, [0], [1.0]), tf.count_up_to(n.op.outputs[0], 4),
        tf.is_variable_initialized(node),
    ]  # fmt: skip
    found = [outcome(tf.assign, tf.constant(1.0), 2.0)]
    for update in updates:
        found.append((update.op.type, update.name, _started(tf, update)))
    return found


def nodes_without_variables(tf):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    state_ops = importlib.import_module(f"{root}.python.ops.state_ops")
    v = state_ops.variable_op_v2([2], tf.float32, name="v")
    started = [
        state_ops.init_variable(v, tf.ones_initializer()),
        state_ops.init_variable(v, [3.0, 4.0], name="other"),
    ]
    older = [state_ops.variable_op([2], tf.float32, set_shape=known) for known in (True, False)]
    found = [v.name, v.op.type, v.dtype.name, [(t.op.type, str(t.shape)) for t in older]]
    with tf.Session() as session:
        for value in started:
            found.append((value.name, session.run(value), session.run(v)))
    return found
