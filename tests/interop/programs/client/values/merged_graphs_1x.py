# SPDX-License-Identifier: Apache-2.0
"""What is imported beside the nodes that a graph has: graphs of other versions, and parts."""

ONLY_1X = True


def _frozen(tf, producer):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.reduce_sum(x * 3.0, 1, name="y")
        graph_def = graph.as_graph_def()
    graph_def.versions.producer = producer
    return graph_def


def older_graphs_beside_nodes(tf):
    """Frozen models of older TensorFlows, and GraphDefs that a program wrote without a version."""
    found = []
    for producer in (0, 21, 26, 38):
        with tf.Graph().as_default() as graph:
            own = tf.constant([[1.0, 2.0]], name="own")
            (y,) = tf.import_graph_def(
                _frozen(tf, producer), {"x:0": own}, ["y:0"], name="m%d" % producer
            )
            total = tf.add(y, tf.constant(1.0), name="total")
            with tf.Session(graph=graph) as session:
                found.append([y.name, session.run(total)])
    return found


def several_versions_together(tf):
    with tf.Graph().as_default():
        parts = tf.import_graph_def(_frozen(tf, 21), return_elements=["x:0", "y:0"], name="first")
        own = tf.constant([[1.0, 2.0]], name="own")
        for producer in (38, 21, 26):
            parts += tf.import_graph_def(_frozen(tf, producer), {"x": own}, ["y:0"])
        with tf.Session() as session:
            values = session.run(parts[1:], {parts[0]: [[3.0, 4.0]]})
            return [values, [p.name for p in parts]]


def scopes_that_take_from_outside(tf):
    a = tf.placeholder(tf.float32, [2], name="outside")
    with tf.name_scope("inner"):
        b = tf.add(a, 1.0, name="b")
        tf.multiply(b, 2.0, name="c")
    exported = tf.train.export_meta_graph(export_scope="inner")
    nodes = sorted((n.name, sorted(n.input)) for n in exported.graph_def.node)
    unbound = exported.collection_def["unbound_inputs"].bytes_list.value
    errors, found = [], []
    for given in (None, "other", "$unbound_inputs_outside"):
        with tf.Graph().as_default(), tf.Session() as session:
            input_map = given and {given: tf.constant([1.0, 2.0])}
            try:
                tf.train.import_meta_graph(exported, input_map=input_map)
                found.append(session.run("c:0").tolist())
            except Exception as e:
                errors.append((type(e).__name__, str(e)))
    return nodes, [bytes(u) for u in unbound], errors, found
