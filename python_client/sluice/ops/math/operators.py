# SPDX-License-Identifier: Apache-2.0
"""The operators of tensors and variables."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import Tensor
from .. import math, raw_ops
from ..array import boolean_mask, cast, stack
from .products import matmul


def _getitem(x, key, assign_slice):
    tensor = _read(x)
    keys = key if isinstance(key, tuple) else (key,)
    if len(keys) == 1 and hasattr(key, "graph") and key.dtype.is_bool:
        return boolean_mask(tensor, key)
    begin, end, strides = [], [], []
    masks = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0}
    masks["shrink_axis_mask"] = 0
    for i, k in enumerate(keys):
        bit = 1 << i
        if k is Ellipsis or k is None:
            masks["ellipsis_mask" if k is Ellipsis else "new_axis_mask"] |= bit
            k = slice(0, 0, 1)
        elif not isinstance(k, slice):
            masks["shrink_axis_mask"] |= bit
            k = slice(k, k + 1, 1)
        else:
            masks["begin_mask"] |= bit if k.start is None else 0
            masks["end_mask"] |= bit if k.stop is None else 0
        begin.append(0 if k.start is None else k.start)
        end.append(0 if k.stop is None else k.stop)
        strides.append(1 if k.step is None else k.step)
    for index in (*begin, *end, *strides):
        if isinstance(index, (float, str)):
            raise TypeError(f"an index of a tensor is an int or a slice of ints, not {index!r}")
    with name_scope("strided_slice") as scope:
        packed = [stack(values) for values in (begin, end, strides)]
        if any(p.dtype == dtypes.int64 for p in packed):
            packed = [cast(p, dtypes.int64) for p in packed]
        part = raw_ops.StridedSlice(
            input=tensor, begin=packed[0], end=packed[1], strides=packed[2], name=scope, **masks
        )
    if assign_slice is not None:

        def assign(value, name=None):
            return assign_slice(x, *packed, value, name or f"{scope}_assign", **masks)

        part.assign = assign
    return part


def _plus(x, y, name):
    first = x if hasattr(x, "graph") else y
    op = "Add" if first.dtype.base_dtype == dtypes.string else "AddV2"
    return raw_ops.apply_op(op, name, x=x, y=y)


def _bool_or_bits(logical, bits):
    def function(x, y, name):
        tensor = x if hasattr(x, "dtype") else y
        if dtypes.as_dtype(tensor.dtype).is_bool:
            return logical(x, y, name=name)
        return raw_ops.apply_op(bits, name, x=x, y=y)

    return function


def _xor(x, y, name):
    with name_scope(name) as scope:
        y = convert_to_tensor(y, dtypes.bool_, "y")
        return math.logical_xor(x, y, scope)


def _forward(function, name):
    return lambda self, other: function(_read(self), other, name=name)


def _reverse(function, name):
    def operator(self, other):
        self = _read(self)
        if hasattr(other, "graph"):
            return function(other, self, name=name)
        with name_scope(name) as scope:
            return function(convert_to_tensor(other, self.dtype, name="x"), self, name=scope)

    return operator


def _read(x):
    """A variable's value, read outside of the operator's scope."""
    return x if isinstance(x, Tensor) else x.value()


def _compared(function):
    return lambda self, other: function(_read(self), other)


def overload_operators(cls, assign_slice=None):
    """Gives a class of tensors +, -, *, /, //, %, **, @, &, |, ^, ~, comparisons and [ ].

    Args:
        cls: The class.
        assign_slice: A function that assigns a part of a variable, for v[i].assign(value).
            None: the class has no variables.
    """
    for name, function in [
        ("add", _plus), ("sub", math.subtract), ("mul", math.multiply),
        ("truediv", math.truediv), ("div", math.div), ("floordiv", math.floordiv),
        ("mod", math.floormod),
        ("pow", math.pow), ("matmul", matmul),
        ("and", _bool_or_bits(math.logical_and, "BitwiseAnd")),
        ("or", _bool_or_bits(math.logical_or, "BitwiseOr")),
        ("xor", _bool_or_bits(_xor, "BitwiseXor")),
    ]:  # fmt: skip
        setattr(cls, f"__{name}__", _forward(function, name))
        setattr(cls, f"__r{name}__", _reverse(function, name))
    for name, function in [
        ("lt", math.less), ("le", math.less_equal), ("gt", math.greater),
        ("ge", math.greater_equal),
    ]:  # fmt: skip
        setattr(cls, f"__{name}__", _compared(function))
    cls.__neg__ = lambda self: math.negative(_read(self))
    cls.__abs__ = lambda self: math.abs(_read(self))
    cls.__invert__ = lambda self: (
        math.logical_not(_read(self)) if self.dtype.is_bool
        else raw_ops.Invert(x=_read(self))
    )  # fmt: skip
    cls.__getitem__ = lambda self, key: _getitem(self, key, assign_slice)


overload_operators(Tensor)
