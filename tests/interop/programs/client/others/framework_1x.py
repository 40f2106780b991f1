# SPDX-License-Identifier: Apache-2.0
"""Graphs: what operations say of themselves, what is imported and exported, other graphs."""

import collections
import os
import tempfile
import threading

import numpy as np
from google.protobuf import text_format

ONLY_1X = True


def _raised(function, *arguments):
    """The result, or the most general class of the error but Exception."""
    try:
        return function(*arguments)
    except Exception as error:
        return [c.__name__ for c in type(error).__mro__ if c.__name__.endswith("Error")][-1]


def _says(function, words):
    try:
        return function()
    except Exception as error:
        return words in str(error)


def attributes_as_messages(tf):
    x = tf.placeholder(tf.float32, [2, None], "x")
    c = tf.constant([1, 2], name="c")
    q = tf.FIFOQueue(3, [tf.int32, tf.float32], [[], [2]])
    shape = x.op.get_attr("shape")
    return [
        [d.size for d in shape.dim], tf.make_ndarray(c.op.get_attr("value")),
        [len(s.dim) for s in q.queue_ref.op.get_attr("shapes")],
        [t.name for t in q.queue_ref.op.get_attr("component_types")],
        [a.name for a in tf.matmul([[1.0]], [[2.0]]).op.op_def.input_arg],
        str(tf.no_op("nothing")),
    ]  # fmt: skip


def ops_of_a_meta_graph(tf):
    x = tf.placeholder(tf.float32, [2])
    tf.cond(tf.constant(True), lambda: tf.Variable([1.0, 2.0]) * x, lambda: x)
    ops = tf.train.export_meta_graph().meta_info_def.stripped_op_list.op
    found = {op.name: op for op in ops}
    names = [op.name for op in ops]
    assign = found["Assign"]
    return [
        names == sorted(names), {"Assign", "Const", "Identity", "Mul", "Placeholder"} <= set(names),
        [a.name for a in assign.input_arg], [(a.name, a.type) for a in assign.attr],
        assign.attr[2].default_value.b, assign.allows_uninitialized_input, assign.is_stateful,
        found["Mul"].is_commutative, found["Placeholder"].attr[1].default_value.shape.unknown_rank,
    ]  # fmt: skip


def exported_scopes(tf):
    tf.add_to_collection("outside", tf.constant(1, name="there"))
    tf.add_to_collection("texts", "text")
    tf.add_to_collection("numbers", 3)
    with tf.name_scope("inside"):
        tf.add_to_collection("within", tf.constant(1, name="here"))
    exported = tf.train.export_meta_graph(export_scope="inside")
    return sorted(exported.collection_def)


def known_values(tf):
    x = tf.placeholder(tf.int32, [2, 4])
    found = [
        tf.range(1, 10, 2), tf.cast(tf.constant([2, 3]), tf.float32), tf.fill([2], 7),
        tf.concat([tf.constant([1]), tf.constant([2])], 0), tf.stack([tf.constant([1]), [2]]),
        tf.equal(tf.constant(1), 1), tf.shape(x), tf.concat([tf.constant([1]), x[0]], 0), x,
    ]  # fmt: skip
    return [None if v is None else v.tolist() for v in map(tf.get_static_value, found)]


def tensors_of_other_graphs(tf):
    other = tf.Graph()
    with other.as_default():
        x = tf.constant(1.0, name="x")
    found = [
        tf.assert_equal(x, 1.0), tf.assert_less(x, 3.0), tf.assert_positive(x),
        tf.assert_rank(x, 0), tf.get_variable("v", initializer=x), tf.Variable(x, name="w"),
    ]  # fmt: skip
    return [item.graph is other for item in found] + [
        _raised(lambda: tf.assert_equal(x, tf.constant(1.0)))
    ]


def imports_that_fail(tf):
    def coming(text, **arguments):
        graph_def = tf.GraphDef()
        text_format.Merge(text, graph_def)
        return tf.import_graph_def(graph_def, **arguments)

    x = (
        "node { name: 'A' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } } "
        "node { name: 'I' op: 'Placeholder' attr { key: 'dtype' value { type: DT_INT32 } } } "
    )

    def identity(source):
        kind = "attr { key: 'T' value { type: DT_FLOAT } }"
        return x + f"node {{ name: 'B' op: 'Identity' {source} {kind} }}"

    return [
        _says(lambda: coming(x + x), "Node 'A' is not unique"),
        _says(lambda: coming(identity("input: 'Z'")), "Node 'B': Unknown input node 'Z'"),
        _says(lambda: coming(identity("input: 'A:1'")),
              "Node 'B': Connecting to invalid output 1 of source node A which has 1 outputs"),
        _says(lambda: coming(identity("input: 'I'"), name="i"),
              "Input 0 of node i/B was passed int32 from i/I:0 incompatible with expected float"),
        _says(lambda: coming(identity("")),
              "NodeDef expected inputs 'float' do not match 0 inputs specified"),
        _says(lambda: coming(x, input_map={"Q:0": tf.constant(1)}),
              "Attempted to map inputs that were not found in graph_def: [Q:0]"),
        _says(lambda: coming(x, return_elements=["Q"]),
              "Requested return node 'Q' not found in graph def"),
        _says(lambda: coming(x, return_elements=["A:1"]),
              "Invalid return output 1 of node 'A', which has 1 output(s)"),
        _says(lambda: tf.import_graph_def(3), "graph_def must be a GraphDef proto."),
        _says(lambda: coming(x, return_elements=[3]),
              "return_elements must be a list of strings."),
        _says(lambda: coming("versions { producer: 999 min_consumer: 998 }"),
              "GraphDef min consumer version 998 above current version"),
        _says(lambda: coming("versions { producer: -1 }"),
              "GraphDef producer version -1 below min"),
    ]  # fmt: skip


def references_in_texts(tf):
    v = tf.Variable([1.0], name="v")
    r = tf.Variable([1.0], name="r", use_resource=True)
    texts = [repr(v), repr(r), str(v.assign([2.0])), str(v.value()), repr(v.op.outputs[0])]
    return [text.replace("sluice.", "tf.") for text in texts]


def ignored_shapes(tf):
    return tf.Variable([1, 2], expected_shape=[5]).shape.as_list()


def default_graphs_of_threads(tf):
    mine, found = tf.get_default_graph(), []

    def work():
        first = tf.get_default_graph()
        found.extend([first is mine, tf.constant(1).graph is first, tf.Variable(1.0).name])

    tf.Variable(1.0)
    for _ in range(2):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    return found


def devices(tf):
    parse = tf.DeviceSpec.from_string
    return [
        parse("/job:a/device:GPU:2") == parse("/job:a/gpu:2"),
        hash(parse("/job:a/device:GPU:2")) == hash(parse("/job:a/gpu:2")),
        parse("/cpu:0") == parse("/cpu:1"),
        _says(lambda: parse("/gpu:0/cpu:0"), "Cannot specify multiple device types"),
        _says(lambda: tf.get_default_graph().colocate_with(None).__enter__(),
              "Trying to reset colocation (op is None) but ignore_existing is not True"),
    ]  # fmt: skip


def sizes(tf):
    one, unknown = tf.Dimension(3), tf.Dimension(None)
    return [
        str(one), str(unknown), repr(one), repr(unknown), unknown < 4, int(tf.Dimension("3")),
        _says(lambda: tf.Dimension(-1), "Dimension -1 must be >= 0"),
        _says(lambda: tf.Dimension(1.5), "Ambiguous dimension"),
        _says(lambda: one.assert_is_compatible_with(4), "Dimensions 3 and 4 are not compatible"),
        str(tf.TensorShape(None)[1:3]),
    ]  # fmt: skip


def products_of_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    product = tf.matmul(tf.ones([2, 3]), x)
    with tf.Session() as session:
        return [product.op.type, session.run(product, {x: np.ones([2, 3, 1])}).shape]


def sparse_values(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0]), np.array([2, 2]))
    slices = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([2, 2]))
    with tf.Session() as session:
        return [
            session.run(tf.sparse.to_dense(tf.SparseTensor.from_value(value))),
            session.run(tf.convert_to_tensor(tf.scalar_mul(2.0, slices))),
            session.run(tf.convert_to_tensor(tf.clip_by_value(slices, 0.0, 3.5))),
            tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[3])),
        ]


def what_is_fed(tf):
    x = tf.placeholder(tf.int32, [])
    text = tf.placeholder(tf.string, [])
    slices = tf.IndexedSlices(tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int64, [2]))
    pair = collections.namedtuple("pair", "one two")
    with tf.Session() as session:
        one, two = session.run(pair(x, x + 1), {x: 5})
        value = session.run(slices, {slices: ([1.0, 2.0], [0, 3])})
        again = session.run(slices, {slices: value})
        return [type(one).__name__, int(one), int(two), again.values, again.dense_shape,
                str(session.run(text, {text: b"a"}).dtype)]  # fmt: skip


def handles(tf):
    x = tf.placeholder(tf.float32)
    twice = x * 2
    with tf.Session() as session:
        handle = session.run(tf.get_session_handle(tf.constant([1.0, 2.0])))
        raw = session.run(tf.get_session_handle(tf.constant(3.0))).get_raw_handle()
        found = [session.run(twice, {x: handle}), isinstance(raw, (str, bytes))]
        handle.delete()
        return [*found, _raised(handle.delete), _raised(handle.eval)]


def callables(tf):
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    session = tf.Session()
    add = session.make_callable(x + y, [x, y])
    found = [add(1, 2), add(1, 2, 3), _says(lambda: add(1), "You must feed a value")]
    found.append(_says(lambda: session.partial_run("none", x), "Must run"))
    session.close()
    return [*found, _says(session.list_devices, "Session has been closed.")]


def targets(tf):
    def refused(target):
        try:
            tf.Session(target)
        except Exception as error:
            return type(error).__name__

    texts = ["grpc://", "grpc://host", "grpc://host:5/x", "grpc://a/b:5", "grpc://host:port",
             "grpc://host:99999999999", "grpc:/x", "nothing"]  # fmt: skip
    return [refused(text) for text in texts]


def threads_and_savers(tf):
    looper = _says(lambda: tf.train.LooperThread(3, 1), "'coord' argument must be a Coordinator: 3")
    saved = _says(lambda: tf.train.Saver([tf.constant(1)]), "Variable to save is not a Variable")
    queue = tf.FIFOQueue(3, tf.float32)
    runner = tf.train.QueueRunner(queue, [queue.close()])
    both = _says(lambda: tf.train.QueueRunner(queue, queue_runner_def=runner.to_proto()),
                 "mutually exclusive")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        missing = _raised(lambda: tf.train.import_meta_graph(os.path.join(folder, "none")))
    return [looper, saved, both, missing]
