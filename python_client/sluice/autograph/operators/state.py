# SPDX-License-Identifier: Apache-2.0
"""Values of variables of Python as tensors: what branches and loops take and give."""

import sys

from ...graph.convert import convert_to_tensor
from ...graph.elements import Tensor
from ...ops.functions.structures import flatten, is_array
from ...ops.ragged.ragged_tensor import RaggedTensor
from ...ops.sparse.sparse_tensor import SparseTensor
from ...ops.state.variables import Variable
from ..calls import of_library


class _Sign:
    """A value that says that there is none."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


UNDEFINED = _Sign("undefined")
NOT_RETURNED = _Sign("not returned")


def value_of(read):
    """The value of a variable, attribute or element; UNDEFINED if it has none."""
    try:
        return read()
    except (NameError, AttributeError, LookupError, TypeError):
        return UNDEFINED


def returned(value):
    """What a function returns whose result variable has a value."""
    return None if value is NOT_RETURNED else value


def place():
    """Where the statement is that runs: the file and line of the program, for messages."""
    frame = sys._getframe(1)
    while frame is not None and of_library(frame.f_code.co_filename):
        frame = frame.f_back
    return f" ({frame.f_code.co_filename}, line {frame.f_lineno})" if frame else ""


def is_tensor(value):
    """Whether operators add operations for it: a tensor, or a variable."""
    return isinstance(value, (Tensor, Variable))


def encode(value):
    """A value as nested lists, tuples and dicts of tensors and TensorArrays. What cannot be a
    tensor, such as None or an object, is an empty tuple."""
    if isinstance(value, (list, tuple)):
        return tuple(encode(v) for v in value)
    if isinstance(value, dict):
        return {key: encode(v) for key, v in value.items()}
    if is_array(value):
        return value
    if isinstance(value, SparseTensor):
        return value.indices, value.values, value.dense_shape
    if isinstance(value, RaggedTensor):
        return value.flat_values, tuple(value.nested_row_splits)
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError):
        return ()


def decode(value, encoded):
    """The value that `encoded` stands for; `value` has its structure."""
    if isinstance(value, (list, tuple)):
        parts = [decode(v, e) for v, e in zip(value, encoded)]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return type(value)((key, decode(v, encoded[key])) for key, v in value.items())
    if isinstance(value, SparseTensor):
        return SparseTensor(*encoded)
    if isinstance(value, RaggedTensor):
        return RaggedTensor.from_nested_row_splits(*encoded, validate=False)
    return value if isinstance(encoded, tuple) else encoded


def check_same(name, one, other, where):
    """Tests that a variable has values of one kind in two places.

    Args:
        name: The variable, a str.
        one, other: Pairs of a value and what encode() makes of it.
        where: A pair: where each was found, strs such as "in the TRUE branch".

    Raises:
        TypeError: Their structures or dtypes differ, or they are not tensors and differ.
        ValueError: One is None and the other is not.
    """
    (value, encoded), (value2, encoded2) = one, other
    keys = _keys(value)
    if keys is not None or _keys(value2) is not None:
        if type(value) is not type(value2) or keys != _keys(value2):
            raise TypeError(
                f'"{name}" does not have the same nested structure {where[0]} and {where[1]}:'
                f" {_kind(*one)} and {_kind(*other)}{place()}"
            )
        for key in keys:
            check_same(name, (value[key], encoded[key]), (value2[key], encoded2[key]), where)
        return
    kinds = [[tensor.dtype for tensor in flatten(e)] for e in (encoded, encoded2)]
    if not kinds[0] and not kinds[1]:
        if value is not value2 and not _equal(value, value2):
            raise TypeError(
                f'"{name}" is {value!r} {where[0]} and {value2!r} {where[1]}: neither can be a'
                f" tensor{place()}"
            )
    elif kinds[0] != kinds[1] or type(encoded) is not type(encoded2):
        # TensorFlow raises another class if one branch gives nothing.
        raise (ValueError if value is None or value2 is None else TypeError)(
            f'"{name}" is {_kind(*one)} {where[0]}, but {_kind(*other)} {where[1]}. TensorFlow'
            f" control flow requires that they are the same.{place()}"
        )


def _keys(value):
    """How the parts of a structure are found; None of a value that has none."""
    if isinstance(value, dict):
        return sorted(value)
    return list(range(len(value))) if isinstance(value, (list, tuple)) else None


def _equal(one, other):
    try:
        return bool(one == other)
    except Exception:  # what Python cannot compare is not equal
        return False


def _kind(value, encoded):
    """What a value is, for messages."""
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, dict):
        return f"a dict with the keys {sorted(value)}"
    if isinstance(encoded, Tensor):
        return f"of dtype {encoded.dtype.name}"
    return "None" if value is None else f"a {type(value).__name__}"


__all__ = ["NOT_RETURNED", "UNDEFINED", "returned", "value_of"]
