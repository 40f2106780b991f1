# SPDX-License-Identifier: Apache-2.0
"""Writes runs of TensorFlow, with their answers, to files for the player (tests/player/).

The files go to the folder of SLUICE_RECORDED_CASES. Without it nothing is recorded.
"""

import os
import threading

import numpy as np
import tensorflow
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from interop.tools.cluster import BUILD

tf = tensorflow.compat.v1

FOLDER = os.environ.get("SLUICE_RECORDED_CASES")
DESCRIPTORS = os.path.join(BUILD, "tests", "player", "recorded_cases.desc")
# On a GPU it is open which of several updates of a row is the last.
LAST_WINS = (
    "ResourceScatterNdUpdate", "ResourceScatterUpdate", "ScatterNdUpdate", "ScatterUpdate",
    "TensorScatterUpdate",
)  # fmt: skip
_made = threading.local()


def _message_class():
    if not hasattr(_made, "cases"):
        pool = descriptor_pool.DescriptorPool()
        with open(DESCRIPTORS, "rb") as file:
            for one in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
                pool.AddSerializedFile(one.SerializeToString())
        descriptor = pool.FindMessageTypeByName("sluice.proto.RecordedCases")
        if hasattr(message_factory, "GetMessageClass"):
            _made.cases = message_factory.GetMessageClass(descriptor)
        else:
            _made.cases = message_factory.MessageFactory(pool).GetPrototype(descriptor)
    return _made.cases


def tensor_bytes(value, dtype):
    if dtype != tf.string:
        return tf.make_tensor_proto(np.asarray(value), dtype=dtype).SerializeToString()
    array = np.array(value, object)  # NumPy's own strings lose zeros at their ends
    proto = tf.make_tensor_proto([], dtype=dtype, shape=[0])
    proto.tensor_shape.CopyFrom(tf.TensorShape(array.shape).as_proto())
    proto.string_val.extend(tf.compat.as_bytes(v) for v in array.ravel())
    return proto.SerializeToString()


def variables_of(node):
    """The variables that a node takes."""
    for tensor in node.inputs:
        if tensor.op.type == "VarHandleOp":
            yield tensor.op
        elif tensor.dtype._is_ref_dtype:
            yield tensor.op if tensor.op.type.startswith("Variable") else tensor.op.inputs[0].op


def names_a_row_twice(node, feeds):
    if node.type not in LAST_WINS:
        return False
    indices = np.asarray(feeds[node.inputs[1]])
    by_rows = "Nd" in node.type or "Tensor" in node.type
    rows = indices.reshape(-1, indices.shape[-1] if by_rows else 1)
    return len(np.unique(rows, axis=0)) < len(rows)


class RecordedCases:
    """The runs of one session on one graph. `name` is the file's name, without a folder."""

    def __init__(self, name, graph):
        self._name, self._graph = name, graph
        self._message = _message_class()(name=name, tensorflow=tensorflow.__version__)

    def add(self, name, feeds, fetches, answers, targets=(), nodes=(), rtol=None, atol=None):
        """`answers`: a value for each fetch, or the OpError that the run ends with.

        `feeds`: tensor -> array. `nodes`: operations that are tested. Left out are runs without
        fetches and targets, and runs whose answer is open.
        """
        if not fetches and not targets or any(names_a_row_twice(node, feeds) for node in nodes):
            return
        run = self._message.runs.add(name=name, rtol=rtol or 0, atol=atol or 0)
        for node in nodes:
            run.nodes.append(node.name)
            run.nodes.extend(variable.name for variable in variables_of(node))
        run.fetches.extend(fetch.name for fetch in fetches)
        run.targets.extend(target.name for target in targets)
        for tensor, value in feeds.items():
            feed = run.feeds.add(name=tensor.name)
            feed.tensor.ParseFromString(tensor_bytes(value, tensor.dtype))
        if isinstance(answers, tf.errors.OpError):
            run.code = answers.error_code
        else:
            for fetch, answer in zip(fetches, answers):
                run.answers.add().ParseFromString(tensor_bytes(answer, fetch.dtype.base_dtype))

    def write(self):
        if not self._message.runs:
            return
        self._message.graph.ParseFromString(self._graph.as_graph_def().SerializeToString())
        os.makedirs(FOLDER, exist_ok=True)
        with open(os.path.join(FOLDER, self._name + ".cases"), "wb") as file:
            file.write(self._message.SerializeToString())
