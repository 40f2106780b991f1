# SPDX-License-Identifier: Apache-2.0
"""Meta graphs through the module of TensorFlow's sources, and what their collections hold."""

import importlib
import os
import tempfile

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _module(tf, path):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.{path}")


def scopes(tf):
    meta_graph = _module(tf, "framework.meta_graph")
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        with tf.variable_scope("hidden"):
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            tf.add_to_collection("out", tf.multiply(x, w, name="y"))
        made, own = meta_graph.export_scoped_meta_graph(graph=graph, export_scope="hidden")
        found = [[n.name for n in made.graph_def.node], sorted(made.collection_def), sorted(own)]
        renamed, _ = meta_graph.export_scoped_meta_graph(
            graph=graph, export_scope="hidden", unbound_inputs_col_name="given"
        )
        found.append("given" in renamed.collection_def)
    with tf.Graph().as_default():
        given = {"$unbound_inputs_x": tf.constant([5.0, 6.0])}
        own = meta_graph.import_scoped_meta_graph(made, import_scope="s", input_map=given)
        found += [{k: v.name for k, v in own.items()}, [t.name for t in tf.get_collection("out")]]
        own, (y,) = meta_graph.import_scoped_meta_graph_with_return_elements(
            made, import_scope="s", input_map=given, return_elements=["y:0"],
            restore_collections_predicate=lambda key: key == "variables",
        )  # fmt: skip
        found += [{k: v.name for k, v in own.items()}, len(tf.get_collection("out"))]
        found.append(len(tf.trainable_variables()))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found.append(session.run(y))
        found.append(outcome(meta_graph.import_scoped_meta_graph, made))
    return found


def copies_of_scopes(tf):
    meta_graph = _module(tf, "framework.meta_graph")
    with tf.Graph().as_default() as first:
        with tf.name_scope("a"):
            tf.square(tf.Variable(3.0, name="c"), name="square")
        with tf.Graph().as_default() as second:
            own = meta_graph.copy_scoped_meta_graph("a", "b", from_graph=first, to_graph=second)
        found = [sorted(own), [op.name for op in second.get_operations()]]
        found.append(outcome(meta_graph.copy_scoped_meta_graph, "a", "a"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph")
        meta_graph.export_scoped_meta_graph(path, graph=first)
        found.append(len(meta_graph.read_meta_graph_file(path).graph_def.node))
        found.append(outcome(meta_graph.read_meta_graph_file, path + "_"))
    return [*found, sorted(meta_graph.ops_used_by_graph_def(first.as_graph_def()))]


def items_of_collections(tf):
    """Variables under a name of the program come back as tensors, Savers as Savers."""
    v = tf.Variable(2.0, name="v", use_resource=False)
    for key, item in (("mine", v), ("texts", "text"), ("numbers", 3), ("shares", 1.5)):
        tf.add_to_collection(key, item)
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    meta = tf.train.export_meta_graph()
    found = [sorted((k, c.WhichOneof("kind")) for k, c in meta.collection_def.items())]
    for scope in (None, "scope", "scope"):
        with tf.Graph().as_default():
            for _ in range(2 if scope else 1):
                tf.train.import_meta_graph(meta, import_scope=scope)
            found += [
                [item.name for item in tf.get_collection("mine")], tf.get_collection("texts"),
                tf.get_collection("numbers"), [v.name for v in tf.global_variables()],
                [s.saver_def.restore_op_name for s in tf.get_collection(tf.GraphKeys.SAVERS)],
            ]  # fmt: skip
    return found


def graphs_of_older_versions(tf):
    """They do not say of a variable whether it is trainable: its collection does."""
    tf.Variable(1.0, name="a", use_resource=False)
    tf.Variable(1.0, name="b", use_resource=False, trainable=False)
    meta = tf.train.export_meta_graph()
    found = []
    for version in ("1.15.0", "1.8.0"):
        meta.meta_info_def.tensorflow_version = version
        with tf.Graph().as_default():
            tf.train.import_meta_graph(meta)
            found.append([(v.name, v.trainable) for v in tf.global_variables()])
    return found


def parts_by_their_names(tf):
    """A part of a variable is found by its own name."""
    with tf.variable_scope("s"):
        whole = tf.get_variable("p", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    with tf.variable_scope("s", reuse=True):
        part = tf.get_variable("p/part_1", [2, 2])
    return [part is list(whole)[1], len(tf.global_variables())]
