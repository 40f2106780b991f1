# SPDX-License-Identifier: Apache-2.0
"""Ops that TensorFlow took out of newer graphs, in a graph of their age: there and on our server.

Their handles are references to two strings, and a client makes none of them any more.
"""


import numpy as np
import tensorflow
from tensorflow.core.framework import graph_pb2

from interop.tools.batch import Batch
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
PRODUCER = 15  # the last version of graphs that may hold them


class OldGraph:
    def __init__(self):
        self.graph = graph_pb2.GraphDef()
        self.graph.versions.producer = PRODUCER

    def node(self, name, op, *inputs, **attrs):
        node = self.graph.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            if isinstance(value, tf.DType):
                node.attr[key].type = value.as_datatype_enum
            elif isinstance(value, bool):
                node.attr[key].b = value
            elif isinstance(value, bytes):
                node.attr[key].s = value
            else:
                node.attr[key].tensor.CopyFrom(tf.make_tensor_proto(value))

    def constant(self, name, value):
        value = np.asarray(value)
        self.node(name, "Const", dtype=tf.as_dtype(value.dtype), value=value)

    def array(self, name, **attrs):
        self.node(name, "TensorArray", "three", dtype=tf.float32, **attrs)

    def unpacked(self, name, values="rows", **attrs):
        """An array with a row of the values as each element."""
        self.array(name, **attrs)
        self.node(name + "_flow", "TensorArrayUnpack", name, values, "flow", T=tf.float32)


def old_graph():
    """The graph, and what is fetched one after the other."""
    g, kind = OldGraph(), {"dtype": tf.float32}
    g.constant("three", np.int32(3))
    g.constant("one", np.int32(1))
    g.constant("flow", np.float32(0))
    g.constant("rows", np.arange(6, dtype=np.float32).reshape(3, 2))
    g.constant("too_many", np.zeros((4, 2), np.float32))
    g.constant("row", np.float32([7, 8]))
    g.constant("lengths", np.int64([1, 0, 2]))
    g.constant("back", np.int32([2, 0]))

    g.unpacked("packed")
    g.node("pack", "TensorArrayPack", "packed", "packed_flow", **kind)
    g.unpacked("kept", clear_after_read=False)
    g.node("read", "TensorArrayRead", "kept", "one", "kept_flow", **kind)
    g.node("gather", "TensorArrayGather", "kept", "back", "kept_flow", **kind)
    g.node("size", "TensorArraySize", "kept", "kept_flow")
    g.node("gradient", "TensorArrayGrad", "kept", "kept_flow", source=b"s")
    for i in "12":
        g.node("sum" + i, "TensorArrayWrite", "gradient", "one", "row", "kept_flow", T=tf.float32)
    g.node("added", "TensorArrayRead", "gradient", "one", "sum1", "^sum2", **kind)
    g.array("split")
    g.node("split_flow", "TensorArraySplit", "split", "rows", "lengths", "flow", T=tf.float32)
    g.node("concat", "TensorArrayConcat", "split", "split_flow", **kind)
    g.array("scattered")
    g.node("scatter", "TensorArrayScatter", "scattered", "back", "rows", "flow", T=tf.float32)
    g.unpacked("full", "too_many")
    g.unpacked("grown", "too_many", dynamic_size=True)
    g.node("grown_pack", "TensorArrayPack", "grown", "grown_flow", **kind)
    g.node("close", "TensorArrayClose", "packed", "^pack")
    g.node("closed", "TensorArrayRead", "packed", "one", "packed_flow", "^close", **kind)

    g.node("stack", "Stack", elem_type=tf.float32)
    g.node("push", "StackPush", "stack", "rows", T=tf.float32)
    g.node("push_row", "StackPush", "stack", "row", "^push", T=tf.float32)
    g.node("pop", "StackPop", "stack", "^push_row", elem_type=tf.float32)
    g.node("pop_rows", "StackPop", "stack", "^pop", elem_type=tf.float32)
    g.node("pop_nothing", "StackPop", "stack", "^pop_rows", elem_type=tf.float32)
    g.node("close_stack", "StackClose", "stack", "^pop")
    g.node("pop_closed", "StackPop", "stack", "^close_stack", elem_type=tf.float32)
    fetches = """pack:0 read:0 gather:0 size:0 added:0 concat:0 concat:1 scatter:0 full_flow:0
        grown_pack:0 close closed:0 pop:0 pop_rows:0 pop_nothing:0 close_stack pop_closed:0"""
    return g.graph, fetches.split()


def results_of(target, graph, fetches):
    results = {}
    with tf.Graph().as_default(), tf.Session(target) as session:
        tf.import_graph_def(graph, name="")
        for fetch in fetches:
            try:
                results[fetch] = session.run(fetch)
            except tf.errors.OpError as error:
                results[fetch] = type(error).__name__
    return results


def names():
    return old_graph()[1]


def run(fetches, results):
    graph, _ = old_graph()
    jobs = {"worker": 1}
    with Cluster(jobs) as ours, Cluster(jobs, kind="tensorflow") as theirs:
        expected = results_of(theirs.target(), graph, fetches)
        actual = results_of(ours.target(), graph, fetches)
    for fetch in fetches:
        a, e = actual[fetch], expected[fetch]
        results[fetch].check(fetch, np.array_equal(a, e), f"{a}, TensorFlow's {e}")


FETCHES = Batch(names, run)
