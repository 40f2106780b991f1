# SPDX-License-Identifier: Apache-2.0
"""Tests that a case of one node cannot do: ops that write into their input, variants that hold
numbers, gradients of an empty batch, and refusals by name."""

import struct

import numpy as np
import pytest
import tensorflow
from tensorflow.core.framework import attr_value_pb2, tensor_pb2
from tensorflow.python.framework import function

from interop.tools.op_nodes import make_op, tf

MAJOR = int(tensorflow.__version__.split(".")[0])


def run(target, build, feeds=None, config=None):
    """The values of build()'s fetches, or an error's class and the line that describes it."""
    config = config or tf.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Graph().as_default() as graph:
        fetches = build()
        with tf.Session(target, graph=graph, config=config) as session:
            try:
                return session.run(fetches, feeds)
            except tf.errors.OpError as error:
                return error


# ---- ops that write into their input -------------------------------------------------------------


def extremes(op, resource):
    """ScatterNdMax, ScatterNdMin, ResourceScatterNdMax, ResourceScatterNdMin: extremes so far."""

    def build():
        v = tf.get_variable("v", initializer=[1.0, 2.0, 3.0], use_resource=resource)
        with tf.control_dependencies([v.initializer]):
            indices, updates = tf.constant([[0], [2], [0]]), tf.constant([5.0, -6.0, -7.0])
            ref = v.handle if resource else v._ref()
            done = make_op(op, {"ref": ref, "indices": indices, "updates": updates})
        with tf.control_dependencies([done]):
            return v.read_value()

    return build


@pytest.mark.skipif(MAJOR == 1, reason="the ops are of TensorFlow 2")
@pytest.mark.parametrize("op", ["ScatterNdMax", "ScatterNdMin"])
@pytest.mark.parametrize("resource", [False, True])
def test_scattered_extremes(op, resource, target):
    build = extremes(("Resource" if resource else "") + op, resource)
    np.testing.assert_array_equal(run(target, build), run("", build))



def updated(op, make_x):
    def build():
        x = make_x()
        y = make_op(op, {"x": x, "i": tf.constant([1]), "v": tf.constant([[5.0, 6.0]])}).outputs[0]
        with tf.control_dependencies([y]):
            later = tf.add(x, 1)
        return x, y, later

    return build


def copied(op):
    """A copy is written, not what it is of."""

    def build():
        x = tf.zeros([3, 2]) + 1
        copy = make_op(op, {"x" if op == "DeepCopy" else "input": x}).outputs[0]
        y = make_op(
            "InplaceUpdate", {"x": copy, "i": tf.constant([1]), "v": tf.constant([[5.0, 6.0]])}
        ).outputs[0]
        with tf.control_dependencies([y]):
            later = tf.add(x, 1)
        return x, y, later

    return build


ALIASING = {
    f"{op} of {kind}": updated(op, make_x)
    for op in ("InplaceUpdate", "InplaceAdd", "InplaceSub")
    for kind, make_x in {
        "a sum": lambda: tf.zeros([3, 2]) + tf.random_uniform([3, 2], 1, 1),
        "a constant": lambda: tf.constant(np.ones((3, 2), np.float32)),
        "an identity": lambda: tf.identity(tf.zeros([3, 2]) + 1),
        "a fill": lambda: tf.fill([3, 2], 2.0),
    }.items()
}
ALIASING.update({f"a {op}": copied(op) for op in ("DeepCopy", "Snapshot")})


# ---- variants that hold numbers ------------------------------------------------------------------

NUMBERS = {
    "int": struct.pack("<i", 7),
    "float": struct.pack("<f", 2.5),
    "double": struct.pack("<d", 0.1),
    "bool": b"\1",
}


def variant(type_name, metadata):
    value = tensor_pb2.TensorProto(dtype=tf.variant.as_datatype_enum)
    value.variant_val.add(type_name=type_name, metadata=metadata)
    attrs = {
        "dtype": attr_value_pb2.AttrValue(type=tf.variant.as_datatype_enum),
        "value": attr_value_pb2.AttrValue(tensor=value),
    }
    return tf.get_default_graph().create_op("Const", [], [tf.variant], attrs=attrs).outputs[0]


def shown(x):
    """An Assert whose message shows the variant: no client can fetch one."""
    types = attr_value_pb2.AttrValue.ListValue(type=[x.dtype.as_datatype_enum])
    attrs = {
        "T": attr_value_pb2.AttrValue(list=types),
        "summarize": attr_value_pb2.AttrValue(i=10),
    }
    return tf.get_default_graph().create_op("Assert", [tf.constant(False), x], [], attrs=attrs)


def zeros_of(name):
    return lambda: shown(make_op("ZerosLike", {"x": variant(name, NUMBERS[name])}).outputs[0])


def sum_of(*names):
    return lambda: shown(
        make_op("AddN", {"inputs": [variant(n, NUMBERS[n]) for n in names]}).outputs[0]
    )


VARIANTS = {f"zeros of {name}": zeros_of(name) for name in NUMBERS}
VARIANTS.update({f"three of {name}": sum_of(name, name, name) for name in NUMBERS})
VARIANTS["of two types"] = sum_of("int", "float")


def text_shown(answer):
    message = getattr(answer, "message", "") or ""
    begin = message.find("Variant<")
    return message[begin : message.find(">", begin) + 1] if begin >= 0 else ""


# ---- gradients of an empty batch -----------------------------------------------------------------


def empty_batch(dtype, training):
    def build():
        x = tf.constant(np.zeros((0, 2, 3, 4)), dtype)
        scale, offset = tf.ones(4), tf.ones(4)
        known = {} if training else {"mean": tf.ones(4), "variance": tf.ones(4)}
        y = tf.nn.fused_batch_norm(x, scale, offset, is_training=training, **known)[0]
        return tf.gradients(y, [x, scale, offset])

    return build


# ---- what is refused by name ---------------------------------------------------------------------


def guaranteed_handle():
    handle = make_op("VarHandleOp", {"dtype": tf.float32, "shape": [2]}).outputs[0]
    return tf.group(make_op("GuaranteeConst", {"input": handle}))


def too_many_gradients():
    """A gradient function with one result where the node states two."""

    @function.Defun(tf.float32, tf.float32, func_name="ofTwo")
    def of_two(x, y):
        return x * y

    @function.Defun(tf.float32, tf.float32, tf.float32, func_name="oneGradient")
    def one_gradient(x, y, dy):
        return x * y * dy

    of_two.add_to_graph(tf.get_default_graph())
    one_gradient.add_to_graph(tf.get_default_graph())
    graph = tf.get_default_graph()
    library = tf.GraphDef()
    library.versions.CopyFrom(graph.as_graph_def().versions)
    library.library.gradient.add(function_name="ofTwo", gradient_func="oneGradient")
    library.library.function.extend(graph.as_graph_def().library.function)
    node = library.node.add(name="slopes", op="SymbolicGradient", input=["one", "one", "one"])
    node.attr["f"].func.name = "ofTwo"
    node.attr["Tin"].list.type.extend([tf.float32.as_datatype_enum] * 3)
    node.attr["Tout"].list.type.extend([tf.float32.as_datatype_enum] * 2)
    one = tf.constant(1.0, name="one")
    library.node.add().CopyFrom(one.op.node_def)
    tf.import_graph_def(library, name="in")
    return ["in/slopes:0", "in/slopes:1"]


def check_same(checks, name, ours, theirs):
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        checks.check(name, type(ours) is type(theirs), f"{ours!r}, TensorFlow's {theirs!r}")
        return
    for a, e in zip(ours, theirs):
        same = np.array_equal(a, e)
        checks.check(name, same, f"{a!r}, TensorFlow's {e!r}")


def check_error(checks, name, answer, kind, text):
    good = isinstance(answer, kind) and text in (answer.message or "")
    checks.check(name, good, f"expected {kind.__name__} with {text!r}, got {answer}")


JOBS = {"worker": 1}
INVALID = tf.errors.InvalidArgumentError


@pytest.mark.parametrize("name", ALIASING)
def test_aliasing(checks, target, name):
    check_same(checks, name, run(target, ALIASING[name]), run("", ALIASING[name]))


@pytest.mark.parametrize("name", VARIANTS)
def test_variant(checks, target, name):
    a, e = run(target, VARIANTS[name]), run("", VARIANTS[name])
    check_same(checks, name, a, e)
    if MAJOR == 1:  # 2.x shows no type
        checks.check(name, text_shown(a) == text_shown(e), f"{text_shown(a)!r}, {e!r}")


@pytest.mark.parametrize("training", (True, False))
@pytest.mark.parametrize("dtype", (tf.float32, tf.float16), ids=lambda dtype: dtype.name)
def test_gradients_of_an_empty_batch(checks, target, dtype, training):
    build = empty_batch(dtype, training)
    check_same(checks, dtype.name, run(target, build), run("", build))


def test_guarantee_const(checks, target):
    text = "Input tensor cannot be a resource variable handle."
    check_error(checks, "GuaranteeConst", run(target, guaranteed_handle), INVALID, text)


def test_symbolic_gradient(checks, target):
    text = "SymGrad expects to return 2 tensor(s), but get 1 tensor(s) instead."
    check_error(checks, "SymbolicGradient", run(target, too_many_gradients), INVALID, text)


def executed_by(target, executor):
    config = tf.ConfigProto()
    config.experimental.executor_type = executor
    return run(target, lambda: [tf.constant(1)], config=config)


@pytest.mark.parametrize("executor", ("", "DEFAULT", "SINGLE_THREADED_EXECUTOR"))
def test_executor(target, executor):
    assert executed_by(target, executor) == [1]


def test_unknown_executor(checks, target):
    answer = executed_by(target, "nobody's")
    check_error(checks, "an unknown executor", answer, tf.errors.NotFoundError, "nobody's")
