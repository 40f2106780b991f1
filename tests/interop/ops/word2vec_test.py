# SPDX-License-Identifier: Apache-2.0
"""Skipgram and NegTrain, in graphs of the age that has them.

word2vec_test.py
"""

import numpy as np
import pytest
import tensorflow
from tensorflow.core.framework import graph_pb2

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

JOBS = {"worker": 1}


def skipgram(target, file, runs=3, **attrs):
    graph = graph_pb2.GraphDef()
    graph.versions.producer = 18
    node = graph.node.add(name="pairs", op="Skipgram")
    attrs = dict(dict(batch_size=700, window_size=3, min_count=3, subsample=0.0), **attrs)
    node.attr["filename"].s = str(file).encode()
    for name, value in attrs.items():
        if isinstance(value, float):
            node.attr[name].f = value
        else:
            node.attr[name].i = value
    with tf.Graph().as_default():
        tf.import_graph_def(graph, name="")
        with tf.Session(target) as session:
            return [session.run(["pairs:%d" % i for i in range(7)]) for _ in range(runs)]


@pytest.fixture
def text(tmp_path):
    """Words of which no two are equally frequent: their order depends on the C++ library."""
    rng = np.random.RandomState(2)
    words = [word for i in range(2, 40) for word in ["word%d" % i] * i] + ["rare", "one"]
    file = tmp_path / "text"
    file.write_text("  " + " \n\t ".join(rng.permutation(words)) + "\n")
    return file


@pytest.mark.parametrize("subsample", (0.0, 0.01))
@pytest.mark.parametrize("window", (1, 2, 3, 5))
def test_pairs(target, text, window, subsample):
    ours, theirs = (
        skipgram(t, text, window_size=window, subsample=subsample) for t in (target, "")
    )
    for run, expected in zip(ours, theirs):
        for a, b in zip(run, expected):
            np.testing.assert_array_equal(a, b)


def test_bad_texts(target, text, tmp_path):
    def fails(error, match, file=text, **attrs):
        with pytest.raises(error, match=match):
            skipgram(target, file, **attrs)

    invalid = tf.errors.InvalidArgumentError
    fails(tf.errors.NotFoundError, "nothing", tmp_path / "nothing")
    fails(invalid, "contains too little data: 781 words", window_size=100)
    fails(tf.errors.UnimplementedError, "File system scheme", "s3://bucket/text")
    (tmp_path / "empty").write_text("")
    fails(invalid, "contains too little data: 0 words", tmp_path / "empty")
    fails(invalid, "window_size", window_size=0)
    fails(invalid, "leaves too few words", subsample=1e-30)
    fails((invalid, ValueError), "batch_size", batch_size=-1)


def trained(target, samples, counts):
    """The matrices after two steps; with one word of a positive count, nothing is random."""
    rng = np.random.RandomState(4)
    start = [rng.randn(5, 6).astype(np.float32) for _ in range(2)]
    graph = graph_pb2.GraphDef()
    graph.versions.producer = 18
    for name in ("in", "out"):
        node = graph.node.add(name=name, op="VariableV2")
        node.attr["dtype"].type = 1
        node.attr["shape"].shape.CopyFrom(tf.TensorShape([5, 6]).as_proto())
    inputs = dict(examples=np.int32([0, 1, 0]), labels=np.int32([2, 3, 3]), lr=np.float32(0.2))
    for name, value in list(inputs.items()) + [("in0", start[0]), ("out0", start[1])]:
        node = graph.node.add(name=name, op="Const")
        node.attr["dtype"].type = tf.as_dtype(value.dtype).as_datatype_enum
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))
    for name in ("in", "out"):
        node = graph.node.add(name="set_" + name, op="Assign", input=[name, name + "0"])
        node.attr["T"].type = 1
    node = graph.node.add(name="step", op="NegTrain", input=["in", "out", *inputs])
    node.attr["vocab_count"].list.i.extend(counts)
    node.attr["num_negative_samples"].i = samples
    with tf.Graph().as_default():
        tf.import_graph_def(graph, name="")
        with tf.Session(target) as session:
            session.run(["set_in", "set_out"])
            for _ in range(2):
                session.run("step")
            return session.run(["in:0", "out:0"])


@pytest.mark.parametrize("samples", (0, 1, 3))
def test_training(target, samples):
    ours, theirs = (trained(t, samples, [0, 0, 0, 9, 0]) for t in (target, ""))
    for a, b in zip(ours, theirs):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_bad_training(target):
    for counts in ([1, 1], [], [0, 0, 0, 0, 0], [1, 1, -1, 1, 1]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="vocab"):
            trained(target, 1, counts)
