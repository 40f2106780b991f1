# SPDX-License-Identifier: Apache-2.0
"""Functions of Python that converted code may call with tensors."""

import sys

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...ops import array as arrays
from ...ops import math, strings
from ...ops.list.tensor_array import TensorArray
from ..iterables import loops_of
from .state import is_tensor


def length(value):
    """len(): of a tensor the first size, an int if it is known."""
    if isinstance(value, TensorArray):
        return value.size()
    if not is_tensor(value):
        return len(value)
    tensor = convert_to_tensor(value)
    if tensor.shape.ndims == 0:
        raise ValueError(f"len requires a non-scalar tensor, got {tensor.name}")
    size = tensor.shape[0].value if tensor.shape.ndims else None
    return arrays.shape(tensor)[0] if size is None else size


def _range(start_or_stop, stop=None, step=None):
    given = [v for v in (start_or_stop, stop, step) if v is not None]
    if not any(map(is_tensor, given)):
        return range(*given)
    if step is None:  # Python's range is empty where TensorFlow's fails
        start = 0 if stop is None else start_or_stop
        last = start_or_stop if stop is None else stop
        return arrays.range(start, math.maximum(start, last))
    return arrays.range(*given)


def _int(*args, **kwargs):
    if not args or not is_tensor(args[0]):
        return int(*args, **kwargs)
    if list(args[1:]) + list(kwargs.values()) not in ([], [10]):
        raise NotImplementedError("a tensor becomes an int of base 10 only")
    return _number(args[0], dtypes.int32)


def _float(*args):
    return _number(args[0], dtypes.float32) if args and is_tensor(args[0]) else float(*args)


def _number(value, dtype):
    tensor = convert_to_tensor(value)
    if tensor.dtype == dtypes.string:
        return strings.to_number(tensor, dtype)
    return arrays.cast(tensor, dtype)


def _abs(value):
    return math.abs(value) if is_tensor(value) else abs(value)


def _enumerate(values, start=0):
    loops = loops_of(values)
    if loops is None:
        return enumerate(values, start)
    if loops.enumerated is None:
        raise TypeError(f"enumerate() of a {type(values).__name__} never ends: count in the loop")
    return loops.enumerated(values, start)


def _zip(*values, **kwargs):
    kinds = [loops_of(v) for v in values]
    if not kinds or kinds[0] is None or kinds.count(kinds[0]) < len(kinds) or not kinds[0].zipped:
        return zip(*values, **kwargs)
    return kinds[0].zipped(values)


def _print(*values, **kwargs):
    if not any(map(is_tensor, values)):
        return print(*values, **kwargs)
    return strings.print_v2(
        *values, output_stream=sys.stdout, sep=kwargs.get("sep", " "), end=kwargs.get("end", "\n")
    )


OVERLOADS = {
    abs: _abs,
    enumerate: _enumerate,
    float: _float,
    int: _int,
    len: length,
    range: _range,
    zip: _zip,
}
OVERLOADS_OF_FEATURES = {"BUILTIN_FUNCTIONS": {print: _print}}
