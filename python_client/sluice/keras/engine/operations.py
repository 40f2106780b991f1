# SPDX-License-Identifier: Apache-2.0
"""Operations between the layers of a model, which the model has as layers of their own.

A program may call any function of the package on the output of a layer. Each operation that this
makes is a layer once a model or a further layer takes what comes of it.
"""

import numpy as np
from google.protobuf import json_format

from ... import messages, nest
from ...files.graph_io import import_graph_def
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_name_scope
from ...graph.elements import Operation
from ...graph.static_values import static_value
from ...layers.layer import layer_of
from ..base import values
from ..base.ragged_rows import op_of
from .layer import Layer
from .node import Node, history_of, is_derived
from .registry import set_recorder

_PREFIX = "tf_op_layer_"
_VERSION = 134  # of the GraphDefs that the package writes


class TensorFlowOpLayer(Layer):
    """One operation. A call makes an equal operation of other inputs.

    Args:
        node_def: The operation, an Operation; or its description: a NodeDef, its bytes, or a dict.
        name: Name of the operation, a str.
        constants: The inputs that come from no layer, a dict: number of the input -> array.
        trainable: Accepted. It has no effect.
        dtype: Accepted. It has no effect.

    `ends` is the layer of sluice.layers whose last operation it is, or None.
    """

    def __init__(self, node_def, name, constants=None, trainable=True, dtype=None):
        super().__init__(name=_PREFIX + name, trainable=trainable, dtype=dtype)
        self._origin = node_def
        vars(self)["constants"] = {int(i): value for i, value in (constants or {}).items()}
        self.built = True
        self.ends = None

    @property
    def node_def(self):
        """The description of the operation, a NodeDef."""
        if not isinstance(self._origin, messages.NodeDef):
            self._origin = _node_def(self._origin)
        return self._origin

    def call(self, inputs):
        inputs = list(nest.flatten(inputs))
        for number, value in sorted(self.constants.items()):
            inputs.insert(number, convert_to_tensor(value))
        graph_def = messages.GraphDef()
        graph_def.versions.producer = _VERSION
        node = graph_def.node.add()
        node.CopyFrom(self.node_def)
        node.name = node.name.rpartition("/")[2]
        given = [f"input{number}" for number in range(len(inputs))]
        del node.input[:]
        node.input.extend(given)
        node.attr.pop("_class", None)
        scope = get_name_scope()
        (op,) = import_graph_def(
            graph_def, dict(zip(given, inputs)), [node.name], f"{scope}/" if scope else ""
        )
        return op.outputs[0] if len(op.outputs) == 1 else op.outputs

    def get_config(self):
        return {
            **super().get_config(),
            "name": self._name[len(_PREFIX) :],
            "node_def": json_format.MessageToDict(self.node_def),
            "constants": dict(self.constants),
        }


def _node_def(origin):
    if isinstance(origin, dict):
        return json_format.ParseDict(origin, messages.NodeDef())
    if isinstance(origin, Operation):
        origin = origin.node_def
    return messages.take(messages.NodeDef, origin)


def record(tensors):
    """Makes layers of the operations between Keras' own tensors and others.

    Args:
        tensors: Tensors that depend on the output of a layer, a list.
    """
    done, stack = set(), [(op_of(tensor), None) for tensor in tensors if history_of(tensor) is None]
    while stack:
        op, inputs = stack.pop()
        if op in done:
            continue
        if inputs is None:
            inputs = op.inputs
            stack.append((op, inputs))
            stack += [
                (t.op, None) for t in inputs if history_of(t) is None and is_derived(t)
            ]  # fmt: skip
            continue
        done.add(op)
        constants = {i: _value(t) for i, t in enumerate(inputs) if history_of(t) is None}
        layer = TensorFlowOpLayer(op, op.name, constants)
        layer.ends = next((layer_of(t) for t in op.outputs if layer_of(t) is not None), None)
        Node(layer, [t for t in inputs if history_of(t) is not None], op.outputs)


def _value(tensor):
    """The value of a tensor that comes from no layer. A handle has none."""
    if tensor.dtype.as_numpy_dtype in (None, np.void):
        return tensor
    value = static_value(tensor)
    return values.get_value(tensor) if value is None else value


set_recorder(record)
