# SPDX-License-Identifier: Apache-2.0
"""Vectors of sizes, and what is known of them when the graph is built."""

from .elements import attr_of
from .tensor_shape import TensorShape


def shape_in(vector):
    """The shape whose sizes an integer vector holds, as far as they are known."""
    op = vector.op
    if op.type == "Const":
        return TensorShape([None if size < 0 else int(size) for size in attr_of(op, "value")])
    if op.type in ("Cast", "Identity"):
        return shape_in(op.inputs[0])
    if op.type == "Pack" and not op.get_attr("axis"):
        sizes = [attr_of(t.op, "value") if t.op.type == "Const" else -1 for t in op.inputs]
        return TensorShape([None if size < 0 else int(size) for size in sizes])
    if op.type == "ConcatV2":
        shape = TensorShape([])
        for part in op.inputs[:-1]:
            shape = shape.concatenate(shape_in(part))
        return shape
    count = vector.shape.with_rank(1)[0].value
    return TensorShape(None if count is None else [None] * count)
