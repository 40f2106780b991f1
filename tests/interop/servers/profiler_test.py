# SPDX-License-Identifier: Apache-2.0
"""The reports of traced steps: node by node as TensorFlow's servers do, and as its tools read it.

The programs run on our servers and on TensorFlow's own, without its graph optimisations: they
change which nodes there are.
"""

import collections
import json
import threading

import numpy as np
import pytest
from tensorflow.core.protobuf import rewriter_config_pb2
from tensorflow.python.client import timeline
from tensorflow.python.framework.function import Defun

from interop.programs.models import tf

tf.disable_v2_behavior()

# Labels and outputs are 1.15's. Later servers leave out outputs that nobody reads.
REFERENCE = tf.VERSION.startswith("1.")
TRACED = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)


def config():
    rewriting = rewriter_config_pb2.RewriterConfig(disable_meta_optimizer=True)
    optimizing = tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0)
    graph = tf.GraphOptions(rewrite_options=rewriting, optimizer_options=optimizing)
    return tf.ConfigProto(graph_options=graph)


class Net:
    """A loop, both kinds of variables, an optimizer with slots, random numbers, a convolution."""

    def __init__(self, variables_on=None):
        self.x = tf.placeholder(tf.float32, [None, 2], name="x")
        with tf.device(variables_on):
            v = tf.get_variable("v", [2, 3], use_resource=False)
            r = tf.get_variable("r", [3], use_resource=True)
        y = tf.nn.relu(tf.matmul(self.x, v, name="mm") + r, name="y")
        _, a = tf.while_loop(
            lambda i, a: i < 3,
            lambda i, a: (i + 1, tf.tanh(a * 2.0, name="th")),
            [tf.constant(0, name="zero"), y],
            name="loop",
        )
        image = tf.random_uniform([1, 8, 8, 3], name="image")
        filters = tf.constant(np.ones([3, 3, 3, 4], np.float32), name="filters")
        self.conv = tf.nn.conv2d(image, filters, [1, 1, 1, 1], "SAME", name="conv")
        self.loss = tf.reduce_sum(a, name="loss")
        self.train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(self.loss)
        self.fetches = [self.loss, self.train, self.conv]
        self.feeds = {self.x: [[1.0, 2.0], [3.0, 4.0]]}

    def traced(self, session):
        metadata = tf.RunMetadata()
        session.run(self.fetches, self.feeds, options=TRACED, run_metadata=metadata)
        return metadata


def reported(target, variables_on=None):
    """The second step: (nodes of the graph that ran, by name; all of its devices)."""
    with tf.Graph().as_default() as graph:
        net = Net(variables_on)
        with tf.Session(target, config=config()) as session:
            session.run(tf.global_variables_initializer())
            net.traced(session)
            metadata = net.traced(session)
        names = {op.name for op in graph.get_operations()} - {"x"}
    ran = collections.defaultdict(list)
    for device in metadata.step_stats.dev_stats:
        for node in device.node_stats if device.device.startswith("/job:") else ():
            if node.node_name in names:
                ran[node.node_name].append(node)
    return ran


def described(node):
    return [
        (
            output.slot,
            output.tensor_description.dtype,
            [dim.size for dim in output.tensor_description.shape.dim],
            output.tensor_description.allocation_description.requested_bytes,
        )
        for output in node.output
        # A handle's bytes are of its object, a matter of each implementation.
        if output.tensor_description.dtype != tf.resource.as_datatype_enum
    ]


def label(node):
    """The label, with what feeds and fetches are called left out and control inputs sorted."""
    name, _, inputs = node.timeline_label.rstrip(")").partition("(")
    inputs = [i for i in inputs.split(", ") if not i.startswith(("_arg", "_recv"))]
    return name, [i for i in inputs if "^" not in i], sorted(i for i in inputs if "^" in i)


def as_theirs(checks, ours, theirs):
    """Each node once an iteration, its inputs, its outputs, and memory that stays."""
    checks.check(
        "the same nodes ran", set(ours) == set(theirs), repr(sorted(set(ours) ^ set(theirs)))
    )
    for name in sorted(set(ours) & set(theirs)):
        mine, other = ours[name], theirs[name]
        checks.check(name + " runs", len(mine) == len(other), f"{len(mine)}, not {len(other)}")
        stays = [n.memory_stats.persistent_memory_size for n in (mine[-1], other[-1])]
        checks.check(name + " memory that stays", stays[0] == stays[1], repr(stays))
        if not REFERENCE:
            continue
        checks.check(
            name + " outputs",
            [described(n) for n in mine] == [described(n) for n in other],
            f"{described(mine[-1])}, not {described(other[-1])}",
        )
        checks.check(
            name + " label", label(mine[0]) == label(other[0]), f"{mine[0]}, not {other[0]}"
        )


def memory(ran):
    """A node's memory is what it allocated: what is handed on counts once."""
    for handed_on in ("loop/Identity_1", "loop/Switch_1", "loop/Exit_1", "v/read"):
        assert not any(n.memory for n in ran[handed_on]), ran[handed_on]
    (allocated,) = ran["mm"][0].memory
    assert allocated.total_bytes == allocated.peak_bytes == allocated.live_bytes == 24, allocated
    assert allocated.allocation_records[0].alloc_bytes == 24, allocated


def tools(target, variables_on=None):
    """tf.profiler of one step and of several, and the timeline."""
    with tf.Graph().as_default() as graph:
        net = Net(variables_on)
        with tf.Session(target) as session:
            session.run(tf.global_variables_initializer())
            metadata = [net.traced(session) for _ in range(3)]
        options = tf.profiler.ProfileOptionBuilder
        quiet = {"output": "none"}
        one = tf.profiler.profile(
            graph, metadata[0], cmd="op", options={**options.time_and_memory(), **quiet}
        )
        matmul = next(child for child in walk(one) if child.name == "MatMul")
        assert matmul.total_exec_micros >= 0 and matmul.total_requested_bytes >= 24, matmul
        parameters = tf.profiler.profile(
            graph, options={**options.trainable_variables_parameter(), **quiet}
        )
        assert parameters.total_parameters == 9, parameters.total_parameters
        operations = tf.profiler.profile(
            graph, metadata[0], cmd="op", options={**options.float_operation(), **quiet}
        )
        assert operations.total_float_ops > 0, operations
        several = tf.profiler.Profiler(graph)
        for step, data in enumerate(metadata):
            several.add_step(step, data)
        everything = options.time_and_memory(min_micros=0, min_bytes=0)
        found = several.profile_name_scope({**everything, **quiet})
        tanh = next(child for child in walk(found) if child.name == "loop/th")
        assert tanh.run_count == 3, tanh  # a step
        several.advise({"ExpensiveOperationChecker": {}, "OperationChecker": {}})
        assert several.serialize_to_string()
        picture = timeline.Timeline(metadata[0].step_stats).generate_chrome_trace_format(
            show_memory=True
        )
        drawn = [e for e in json.loads(picture)["traceEvents"] if e.get("ph") == "X"]
        assert sum(e["args"].get("name") == "loop/th" for e in drawn) == 3, drawn


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def test_at_once(target):
    """Steps that are traced at the same time report their own nodes, each once."""
    with tf.Graph().as_default():
        net = Net()
        with tf.Session(target) as session:
            session.run(tf.global_variables_initializer())
            found = []
            threads = [
                threading.Thread(target=lambda: found.append(net.traced(session))) for _ in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert len(found) == 8
    for metadata in found:
        names = collections.Counter(
            n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats
        )
        assert names["mm"] == 1 and names["loop/th"] == 3, names


JOBS = {"ps": 1, "worker": 1}


@pytest.mark.parametrize("place", (None, "/job:ps"), ids=("one task", "variables on the ps"))
def test_reports(checks, ours, theirs, place):
    if not REFERENCE:
        print("labels and outputs are compared with TensorFlow 1.15's servers only")
    mine = reported(ours.target(), place)
    as_theirs(checks, mine, reported(theirs.target(), place))
    if place is None:
        checks.run("memory", lambda: memory(mine))
    checks.run("tools", lambda: tools(ours.target(), place))


def function_nodes(target):
    """The names of the nodes of functions' bodies, without the _0 that clients append to some."""

    @Defun(tf.float32)
    def inner(x):
        return tf.exp(x, name="exp")

    @Defun(tf.float32)
    def outer(x):
        return inner(x, name="in") * tf.sin(x, name="sin")

    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        result = outer(tf.cos(tf.tan(x)), name="call") + 1.0
        metadata = tf.RunMetadata()
        # TensorFlow puts the bodies into graphs of more than a few nodes.
        with tf.Session(target) as session:
            session.run(result, {x: 1.0}, options=TRACED, run_metadata=metadata)
    nodes = [n for d in metadata.step_stats.dev_stats for n in d.node_stats]
    names = {name for n in nodes for name in (n.node_name, n.timeline_label.split(" = ")[0])}
    return {n.split("_")[0] for n in names if ("exp" in n or "sin" in n) and ":" not in n}


def test_nodes_of_functions(ours, theirs):
    mine = function_nodes(ours.target())
    assert mine == function_nodes(theirs.target()) == {"call/in/exp", "call/sin"}, mine
