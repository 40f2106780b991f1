"""The operators of tensors and variables."""

from . import dtypes, math, raw_ops
from .convert import convert_to_tensor
from .graph import Tensor
from .linalg import matmul


def _getitem(tensor, key):
    keys = key if isinstance(key, tuple) else (key,)
    if len(keys) == 1 and getattr(key, "dtype", None) == dtypes.bool_ and hasattr(key, "graph"):
        from .arrays import boolean_mask

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
    return raw_ops.StridedSlice(
        input=tensor, begin=_ints(begin), end=_ints(end), strides=_ints(strides),
        name="strided_slice", **masks,
    )  # fmt: skip


def _ints(values):
    return convert_to_tensor(values, dtypes.int32)


def _plus(x, y, name):
    first = x if hasattr(x, "graph") else y
    op = "Add" if first.dtype == dtypes.string else "AddV2"
    return raw_ops.apply_op(op, name, x=x, y=y)


def _bool_or_bits(logical, bits):
    def function(x, y, name):
        tensor = x if hasattr(x, "dtype") else y
        if dtypes.as_dtype(tensor.dtype) == dtypes.bool_:
            return logical(x, y, name=name)
        return raw_ops.apply_op(bits, name, x=x, y=y)

    return function


def _forward(function, name):
    return lambda self, other: function(self, other, name=name)


def _reverse(function, name):
    return lambda self, other: function(other, self, name=name)


def overload_operators(cls):
    """Gives a class of tensors +, -, *, /, //, %, **, @, &, |, ^, ~, comparisons and [ ]."""
    for name, function in [
        ("add", _plus), ("sub", math.subtract), ("mul", math.multiply),
        ("truediv", math.divide), ("floordiv", math.floordiv), ("mod", math.floormod),
        ("pow", math.pow), ("matmul", matmul),
        ("and", _bool_or_bits(math.logical_and, "BitwiseAnd")),
        ("or", _bool_or_bits(math.logical_or, "BitwiseOr")),
        ("xor", _bool_or_bits(math.logical_xor, "BitwiseXor")),
    ]:  # fmt: skip
        setattr(cls, f"__{name}__", _forward(function, name))
        setattr(cls, f"__r{name}__", _reverse(function, name))
    for name, function in [
        ("lt", math.less), ("le", math.less_equal), ("gt", math.greater),
        ("ge", math.greater_equal),
    ]:  # fmt: skip
        setattr(cls, f"__{name}__", _forward(function, None))
    cls.__neg__ = lambda self: math.negative(self)
    cls.__abs__ = lambda self: math.abs(self)
    cls.__invert__ = lambda self: (
        math.logical_not(self) if self.dtype == dtypes.bool_ else raw_ops.Invert(x=self)
    )
    cls.__getitem__ = _getitem


overload_operators(Tensor)
