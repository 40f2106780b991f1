# SPDX-License-Identifier: Apache-2.0
"""Graphs: names, scopes, collections, import and export."""

from interop.programs.client._outcomes import outcome


def names_and_scopes(tf):
    found = []
    with tf.name_scope("a") as scope:
        found.append(scope)
        x = tf.constant(1.0)
        with tf.name_scope("b"):
            y = tf.identity(x, name="y")
        with tf.name_scope("b"):
            z = tf.identity(x)
        with tf.name_scope(None):
            top = tf.constant(2.0)
    with tf.name_scope("a/"):
        again = tf.constant(3.0)
    with tf.name_scope(None, "default", [x]):
        d = tf.add(x, y)
    found += [t.name for t in (x, y, z, top, again, d)]
    graph = tf.get_default_graph()
    found += [graph.unique_name("a"), graph.unique_name("fresh"), graph.get_name_scope()]
    return found + [op.name for op in graph.get_operations()]


def bad_scopes(tf):
    wrong = []
    for name in ("_a", "a b", "a@"):
        try:
            with tf.name_scope(name):
                pass
            wrong.append(name)
        except ValueError:
            pass
    return wrong


def elements_by_name(tf):
    graph = tf.get_default_graph()
    x = tf.constant(1.0, name="x")
    errors = []
    for call in (
        lambda: graph.get_operation_by_name("y"),
        lambda: graph.get_tensor_by_name("y:0"),
        lambda: graph.get_tensor_by_name("x:1"),
        lambda: graph.get_tensor_by_name("x"),
        lambda: graph.get_operation_by_name(3),
        lambda: graph.as_graph_element(3),
        lambda: graph.as_graph_element("x:0", allow_tensor=False),
        lambda: graph.as_graph_element("x", allow_operation=False),
        lambda: graph.as_graph_element(x, allow_tensor=False),
        lambda: x.op.get_attr("nothing"),
    ):
        try:
            call()
        except Exception as e:
            errors.append(type(e).__name__)
    return errors + [
        graph.get_tensor_by_name("x:0") is x,
        graph.get_operation_by_name("x") is x.op,
        graph.as_graph_element("x:0") is x,
        x.op.type,
        x.op.get_attr("dtype") == tf.float32,
        x.op.node_def.op,
        graph.graph_def_versions.producer == graph.as_graph_def().versions.producer > 0,
    ]


def collections(tf):
    graph = tf.get_default_graph()
    tf.add_to_collection("mine", 1)
    tf.add_to_collection("mine", 2)
    graph.add_to_collections(["mine", "other"], 3)
    graph.get_collection_ref("third").append(4)
    with tf.variable_scope("s"):
        v = tf.get_variable("v", [2])
    w = tf.get_variable("w", [1], trainable=False)
    keys = sorted(graph.get_all_collection_keys())
    found = [tf.get_collection(k) for k in ("mine", "other", "third", "none")]
    names = [
        [x.name for x in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=s)]
        for s in (None, "s/", "w", "x")
    ]
    graph.clear_collection("mine")
    return (
        keys,
        found,
        names,
        tf.get_collection("mine"),
        [x.name for x in tf.trainable_variables()],
        v.name,
        w.name,
    )


def the_names_of_collections(tf):
    return [
        getattr(tf.GraphKeys, k)
        for k in """GLOBAL_VARIABLES LOCAL_VARIABLES TRAINABLE_VARIABLES
        MODEL_VARIABLES MOVING_AVERAGE_VARIABLES SUMMARIES QUEUE_RUNNERS TABLE_INITIALIZERS
        RESOURCES
        LOCAL_RESOURCES COND_CONTEXT WHILE_CONTEXT INIT_OP LOCAL_INIT_OP READY_OP
        READY_FOR_LOCAL_INIT_OP SUMMARY_OP GLOBAL_STEP TRAIN_OP SAVERS UPDATE_OPS LOSSES
        REGULARIZATION_LOSSES""".split()
    ]


def finalized(tf):
    tf.constant(1.0)
    graph = tf.get_default_graph()
    graph.finalize()
    assert graph.finalized
    tf.constant(2.0)


def another_graphs_tensor(tf):
    x = tf.constant(1.0)
    with tf.Graph().as_default():
        tf.add(x, tf.constant(2.0))


def control_dependencies(tf):
    a, b, c = (tf.constant(1.0, name=n) for n in "abc")
    with tf.control_dependencies([a, b.op]):
        d = tf.identity(c, name="d")
        with tf.control_dependencies([c]):
            e = tf.no_op(name="e")
            with tf.control_dependencies(None):
                f = tf.no_op(name="f")
        g = tf.add(a, c, name="g")
    ops = d.op, e, f, g.op
    return [sorted(i.name for i in op.control_inputs) for op in ops]


def colocation(tf):
    with tf.device("/job:ps/task:1"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/job:worker"):
        with tf.colocate_with(v.op):
            a = tf.constant(1.0, name="a")
            with tf.colocate_with(None, ignore_existing=True):
                b = tf.constant(1.0, name="b")
        c = tf.constant(1.0, name="c")
    return [[x.device, [bytes(n) for n in x.op.colocation_groups()]] for x in (v, a, b, c)]


def device_functions(tf):
    seen = []

    def place(op):
        seen.append(op.type)
        return "/job:ps" if op.type.startswith("Variable") else "/job:worker/task:3"

    with tf.device(place):
        v = tf.Variable([1.0])
        w = v + 1.0
        with tf.device("/task:1"):
            x = w * 2.0
        with tf.device(None):
            y = x * 2.0
        with tf.device(tf.DeviceSpec(job="other", device_type="CPU", device_index=0)):
            z = x * 2.0
    return [t.device for t in (v, w, x, y, z)]


def containers(tf):
    with tf.container("c1"):
        v = tf.Variable(1.0)
        q = tf.FIFOQueue(3, tf.float32)
        with tf.container("c2"):
            w = tf.Variable(2.0)
    u = tf.Variable(3.0)
    return [op.get_attr("container") for op in (v.op, q.queue_ref.op, w.op, u.op)]


def import_and_map(tf):
    with tf.Graph().as_default() as inner:
        x = tf.placeholder(tf.float32, [2], name="x")
        c = tf.constant([1.0, 2.0], name="c")
        with tf.control_dependencies([c]):
            tf.add(x, c, name="sum")
    graph_def = inner.as_graph_def()
    mine = tf.constant([10.0, 20.0])
    total, op = tf.import_graph_def(graph_def, {"x:0": mine}, ["sum:0", "sum"])
    (again,) = tf.import_graph_def(
        graph_def.SerializeToString() and graph_def, {"c": mine, "x": mine}, ["sum:0"], name="again"
    )
    tf.import_graph_def(graph_def, name="")
    names = [n.name for n in tf.get_default_graph().as_graph_def().node]
    with tf.Session() as sess:
        values = sess.run([total, again, "sum:0"], {"x:0": [1, 1]})
    return [values, op.name, again.name, sorted(names)]


def imported_again(tf):
    with tf.Graph().as_default() as inner:
        v = tf.Variable([1.0], name="v")
        tf.assign_add(v, [2.0], name="more")
    graph_def = inner.as_graph_def()
    with tf.device("/cpu:0"):
        tf.import_graph_def(graph_def, name="p")
    graph = tf.get_default_graph()
    with tf.Session() as sess:
        sess.run("p/v/Assign")
        value = sess.run("p/more:0")
    op = graph.get_operation_by_name("p/v/read")
    tf.import_graph_def(graph_def, name="p")
    return [value, op.colocation_groups(), op.device, len(graph.get_operations())]


def imported_with_its_functions(tf):
    @tf.function
    def squashed(x, w):
        return tf.tanh(tf.matmul(x, w))

    x, w = tf.placeholder(tf.float32, [1, 2], name="x"), tf.constant([[0.5], [0.25]])
    y = tf.identity(squashed(x, w), name="y")
    (slope,) = tf.gradients(y, x)
    slope = tf.identity(slope, name="slope")
    graph_def = tf.get_default_graph().as_graph_def()
    found = tf.import_graph_def(graph_def, {"x": x}, ["y:0", "slope:0"], name="again")
    with tf.Session() as sess:
        return sess.run([y, slope, *found], {x: [[1.0, 2.0]]})


def import_errors(tf):
    with tf.Graph().as_default() as inner:
        tf.add(tf.constant(1.0, name="a"), 2.0, name="b")
    graph_def = inner.as_graph_def()
    kinds = []
    for arguments in (
        {"input_map": {"nothing:0": tf.constant(1.0)}},
        {"return_elements": ["nothing:0"]},
        {"return_elements": ["nothing"]},
    ):
        kinds.append(outcome(tf.import_graph_def, graph_def, **arguments))
    return kinds


def graph_defs(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    graph = tf.get_default_graph()
    before = graph.version
    tf.matmul(x, tf.constant([[1.0], [2.0], [3.0]], name="w"), name="y")
    whole = graph.as_graph_def(add_shapes=True)
    assert graph.version > before
    y = [n for n in whole.node if n.name == "y"][0]
    shape = [d.size for d in y.attr["_output_shapes"].list.shape[0].dim]
    again = tf.GraphDef()
    again.ParseFromString(whole.SerializeToString())
    return [
        [(n.name, n.op, list(n.input)) for n in whole.node],
        shape,
        again == whole,
        whole.versions.producer > 0,
        y.attr["transpose_a"].b,
    ]


def shapes(tf):
    x = tf.placeholder(tf.float32, [None, 3, 2])
    y = tf.placeholder(tf.float32)
    s = x.shape
    found = [s.as_list(), s.ndims, y.shape.ndims, s[1:].as_list(), s.is_fully_defined()]
    found += [tf.TensorShape([2, 3]).num_elements(), s.is_compatible_with([5, 3, 2])]
    found += [s.merge_with([7, None, 2]).as_list(), s.concatenate([1]).as_list()]
    found += [tf.Dimension(3).value, int(s[1]) * 2, str(tf.TensorShape(None))]
    y.set_shape([4, None])
    found += [y.get_shape().as_list(), (y + 1.0).shape.as_list()]
    try:
        y.set_shape([5, 1])
    except ValueError:
        found.append("ValueError")
    return found


def seeds(tf):
    tf.set_random_seed(7)
    a = tf.random_uniform([3], seed=1)
    tf.set_random_seed(8)
    b = tf.random_uniform([3], seed=1)
    c = tf.get_default_graph().seed
    with tf.Session() as sess:
        return [sess.run([a, b]), c, tf.get_seed(5)]
