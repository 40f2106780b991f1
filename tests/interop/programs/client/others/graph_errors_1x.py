# SPDX-License-Identifier: Apache-2.0
"""Words of errors on graphs and sessions that programs look for, and tensors of other graphs."""

ONLY_1X = True


def _errors(tf, *functions, length=60):
    """The kind of error of each function and how its text begins, or "none"."""
    found = []
    for function in functions:
        with tf.Graph().as_default():
            try:
                function()
                found.append("none")
            except (ValueError, TypeError, KeyError, RuntimeError, tf.errors.OpError) as e:
                kinds = ValueError, TypeError, KeyError, RuntimeError, tf.errors.OpError
                kind = next(k.__name__ for k in kinds if isinstance(e, k))
                found.append((kind, str(e)[:length]))
    return found


def _elsewhere(tf, value=1.0, **more):
    with tf.Graph().as_default():
        return tf.constant(value, **more)


def fetches(tf):
    def of(what):
        return lambda: (tf.constant(1, name="c"), tf.Session().run(what))

    found = _errors(tf, of(None), of([None]), of(37.0), of("foo:0"), of("foo"), of("c:1"))
    return found, _errors(tf, lambda: tf.Session().run(_elsewhere(tf)))


def feeds(tf):
    def with_key(key):
        return lambda: tf.Session().run(tf.constant(1.0, name="c"), {key: 2.0})

    def with_value(value, dtype, shape):
        def run():
            p = tf.placeholder(dtype, shape, "p")
            tf.Session().run(p, {p: value})

        return run

    def with_tensor():
        p = tf.placeholder(tf.float32)
        tf.Session().run(p, {p: tf.constant(1.0)})

    def prevented():
        c = tf.constant(1.0)
        tf.get_default_graph().prevent_feeding(c)
        tf.Session().run(c + 1, {c: 2.0})

    keys = _errors(tf, *map(with_key, (3, "c", "no:0", _elsewhere(tf))), length=90)
    values = _errors(tf, with_value([1.0], tf.float32, [2, 2]), with_value(1000, tf.int8, []))
    return keys, values, _errors(tf, with_tensor, prevented)


def sessions(tf):
    def closed():
        session, c = tf.Session(), tf.constant(1)
        session.close()
        session.run(c)

    def of_another_graph():
        with tf.Session():
            _elsewhere(tf).eval()

    return _errors(
        tf, closed, of_another_graph, lambda: tf.constant(1).eval(), lambda: tf.no_op().run(),
        lambda: tf.Session("nope://x"), lambda: tf.Session("local"), lambda: tf.Session(3),
        lambda: tf.Session(graph=3), lambda: tf.Session(config=3),
    )  # fmt: skip


def elements(tf):
    def of(what, **more):
        def run():
            tf.constant(1, name="c")
            tf.get_default_graph().as_graph_element(what, **more)

        return run

    def by_name(function, name):
        def run():
            tf.constant(1, name="c")
            getattr(tf.get_default_graph(), function)(name)

        return run

    tensor, operation = "get_tensor_by_name", "get_operation_by_name"
    return _errors(
        tf, of(None), of(1), of("no"), of("no:0"), of("a:b:c"), of("c:1"), of(_elsewhere(tf)),
        by_name(tensor, "c"), by_name(tensor, 3), by_name(operation, "c:0"), by_name(operation, 3),
        of("c", allow_operation=False), of("no", allow_operation=False), length=75,
    )  # fmt: skip


def values(tf):
    return _errors(
        tf, lambda: tf.convert_to_tensor(tf.constant(1), tf.float32), lambda: bool(tf.constant(1)),
        lambda: tf.convert_to_tensor([1, "a"]), lambda: tf.convert_to_tensor(1.5, tf.int32),
        lambda: list(tf.constant([1])), lambda: len(tf.constant([1])), length=54,
    )  # fmt: skip


def scopes(tf):
    def scope(*args):
        return lambda: tf.name_scope(*args).__enter__()

    one = tf.constant(1)
    return _errors(
        tf, scope("a b"), scope("_a"), scope("a", [one]), scope(None, None, [one]),
        scope("a", None, [one, _elsewhere(tf)]), scope("a", None, [3, one]), scope(None),
    )  # fmt: skip


def scope_of_the_graph_of_values(tf):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.constant(2.0)
    before = tf.get_default_graph()
    with tf.name_scope(None, "double", [x]) as scope:
        y = tf.multiply(x, 2.0)
        inside = tf.get_default_graph() is graph
    after = tf.get_default_graph() is before
    with tf.Session(graph=graph) as session:
        return scope, inside, after, y.name, session.run(y)


def mixed_graphs(tf):
    def text(function):
        (found,) = _errors(tf, function, length=400)
        return found[0], "must be from the same graph" in found[1]

    other = _elsewhere(tf)
    one = tf.constant(1.0)
    return [
        text(function)
        for function in (
            lambda: tf.constant(1.0) + other,
            lambda: tf.stack([tf.constant(1.0), other]),
            lambda: tf.cond(tf.constant(True), lambda: other + 1, lambda: tf.constant(2.0)),
            lambda: tf.while_loop(lambda i: i < 3.0, lambda i: i + other, [tf.constant(0.0)]),
            lambda: tf.map_fn(lambda x: x + other, tf.constant([1.0])),
            lambda: tf.gradients(other, one),
            lambda: tf.group(other, tf.constant(1)),
            lambda: tf.get_variable("v", initializer=1.0).assign(other),
        )
    ]


def functions_in_the_graph_of_tensors(tf):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.constant([1.0, 2.0])
        v = tf.get_variable("v", initializer=3.0)
        start = v.initializer
    found = [
        tf.map_fn(lambda e: e + 1, x),
        tf.scan(lambda a, e: a + e, x),
        tf.shape(tf.nn.dropout(x, 0.5)),
        tf.while_loop(lambda e: e < 9.0, lambda e: e * 2, [v.value()]),
    ]
    saver = tf.train.Saver({"v": v})
    with tf.Session(graph=graph) as session:
        session.run(start)
        return session.run(found), saver.saver_def.save_tensor_name


def consumers_and_inputs_of_imports(tf):
    """A consumer is listed for each input; values of an input_map have a scope of their own."""
    graph = tf.get_default_graph()
    c = tf.constant([1.0], name="c")
    tf.add_n([c, c], name="sum")
    found = [[op.name for op in c.consumers()], graph.building_function]
    definition = graph.as_graph_def()
    tf.function(lambda x: found.append(tf.get_default_graph().building_function))(c)
    with tf.Graph().as_default() as other:
        tf.import_graph_def(definition, {"c:0": [2.0]}, name="part")
        found.append([op.name for op in other.get_operations()])
    queue = tf.FIFOQueue(3, [tf.int32, tf.int32], [[], []])
    for rows in ([3, 4], [3]):
        try:
            found.append(queue.enqueue_many(([1, 2], rows)).type)
        except ValueError:
            found.append("rows of other numbers")
    try:
        tf.FIFOQueue.from_list(0, [1])
    except TypeError:
        found.append("not a queue")
    return found
