# SPDX-License-Identifier: Apache-2.0
"""Values of tensors that are known when the graph is built."""

import numpy as np

from .convert import convert_to_tensor
from .elements import attr_of


def static_value(tensor):
    """Finds the value of a constant, or of what a few ops compute of constants and known shapes.

    Args:
        tensor: A tensor, or a value that becomes one.

    Returns:
        An array; None if the value is not known.
    """
    op = convert_to_tensor(tensor).op
    if op.type == "Const":
        return np.asarray(attr_of(op, "value"), _dtype_of(op))
    if op.type in _OF_SHAPES:
        return _OF_SHAPES[op.type](op, op.inputs[0].shape)
    if op.type not in _OF_VALUES:
        return None
    values = [static_value(t) for t in op.inputs]
    return None if any(v is None for v in values) else _OF_VALUES[op.type](op, *values)


def _dtype_of(op):
    return op.outputs[0].dtype.as_numpy_dtype


def _shape(op, shape):
    return np.array(shape.as_list(), _dtype_of(op)) if shape.is_fully_defined() else None


def _size(op, shape):
    return np.array(shape.num_elements(), _dtype_of(op)) if shape.is_fully_defined() else None


def _rank(op, shape):
    return None if shape.ndims is None else np.array(shape.ndims, np.int32)


def _cast(op, value):
    kind = _dtype_of(op)
    return None if kind is None else value.astype(kind)


# An op -> the function of an Operation, and of the shape of its input.
_OF_SHAPES = {"Shape": _shape, "Size": _size, "Rank": _rank}
# An op -> the function of an Operation, and of the values of its inputs.
_OF_VALUES = {
    "Cast": _cast,
    "Concat": lambda op, axis, *parts: np.concatenate(parts, int(axis)),
    "ConcatV2": lambda op, *parts: np.concatenate(parts[:-1], int(parts[-1])),
    "Equal": lambda op, x, y: np.equal(x, y),
    "Fill": lambda op, dims, value: np.full(dims.tolist(), value, _dtype_of(op)),
    "NotEqual": lambda op, x, y: np.not_equal(x, y),
    "Pack": lambda op, *parts: np.stack(parts, attr_of(op, "axis")),
    "Range": lambda op, *limits: np.arange(*limits, dtype=_dtype_of(op)),
}
