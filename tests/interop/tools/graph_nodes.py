# SPDX-License-Identifier: Apache-2.0
"""A GraphDef as nodes that can be compared: constants by value, defaults filled in."""

import numpy as np
import tensorflow

tf = tensorflow.compat.v1

from tensorflow.python.framework import op_def_registry  # noqa: E402

# Attributes that say nothing of what an op computes or where.
SILENT = {"_output_shapes", "_XlaMustCompile", "_has_manual_control_dependencies"}

# Ops whose output is, or may be, the very buffer of their first input.
ALIASES = {
    "Identity", "RefIdentity", "Enter", "RefEnter", "Exit", "RefExit", "Switch", "RefSwitch",
    "Merge", "RefMerge", "NextIteration", "RefNextIteration", "Reshape", "Squeeze", "ExpandDims",
    "StopGradient", "PreventGradient", "CheckNumerics", "PlaceholderWithDefault",
}  # fmt: skip


def op_def(op):
    """The OpDef, or None."""
    if hasattr(op_def_registry, "get"):
        return op_def_registry.get(op)
    return op_def_registry.get_registered_ops().get(op)


class Node:
    """A node: its data inputs as (node, output), its control inputs as a set of names."""

    def __init__(self, node_def):
        self.name, self.op, self.device = node_def.name, node_def.op, _device(node_def.device)
        self.inputs, self.controls = [], set()
        for text in node_def.input:
            if text.startswith("^"):
                self.controls.add(text[1:])
            else:
                name, _, index = text.partition(":")
                self.inputs.append((name, int(index or 0)))
        self.beside = set()
        self.attrs = {}
        self.value = None
        for key, attr in node_def.attr.items():
            if key == "_class":
                self.beside = {s.decode().replace("loc:@", "") for s in attr.list.s}
            elif key == "value" and node_def.op == "Const":
                self.value = _array(attr.tensor)
            elif key not in SILENT:
                self.attrs[key] = attr
        definition = op_def(self.op)
        known = {attr.name: attr for attr in definition.attr} if definition else {}
        for name, attr in known.items():
            if attr.HasField("default_value"):
                self.attrs.setdefault(name, attr.default_value)
        # Attributes that came after this TensorFlow.
        for name in [n for n in self.attrs if known and n not in known and n[0] != "_"]:
            del self.attrs[name]

    def attributes(self):
        return {key: plain(value) for key, value in self.attrs.items()}


def _array(tensor):
    """A TensorProto's value. Strings as bytes with their lengths in front are not known to
    TensorFlow's Python, only to its runtime."""
    if tensor.dtype != tf.string.as_datatype_enum or not tensor.tensor_content:
        return tf.make_ndarray(tensor)
    shape, content = [d.size for d in tensor.tensor_shape.dim], tensor.tensor_content
    lengths, at = [], 0
    for _ in range(int(np.prod(shape))):
        length = shift = 0
        while True:
            byte = content[at]
            length, shift, at = length | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                break
        lengths.append(length)
    strings = np.empty(len(lengths), object)
    for i, length in enumerate(lengths):
        strings[i], at = content[at : at + length], at + length
    return strings.reshape(shape)


def _device(name):
    """A device's name in one spelling."""
    return tf.DeviceSpec.from_string(name).to_string() if name else ""


def plain(attr):
    """An AttrValue as something to compare and print. Functions have names of their own."""
    kind = attr.WhichOneof("value")
    if kind == "func":
        return "a function"
    if kind == "tensor":
        return _array(attr.tensor).tolist()
    if kind == "shape":
        return _shape(attr.shape)
    if kind == "list":
        return [_shape(s) for s in attr.list.shape] or [
            v for field in ("s", "i", "f", "b", "type") for v in getattr(attr.list, field)
        ]
    return getattr(attr, kind) if kind else None


def _shape(shape):
    return None if shape.unknown_rank else [d.size for d in shape.dim]


def read(serialized):
    """name -> Node, of a serialised GraphDef."""
    graph_def = tf.GraphDef.FromString(serialized)
    return {n.name: Node(n) for n in graph_def.node}


def same_value(a, b):
    """Are two constants' values equal, bit for bit but for the sign of zero and NaN?"""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind == "O":
        return a.tolist() == b.tolist()
    a, b = (x.astype(np.float64) if x.dtype.kind == "V" else x for x in (a, b))
    return np.array_equal(a, b) or bool(np.all((a == b) | ((a != a) & (b != b))))
