# SPDX-License-Identifier: Apache-2.0
"""Descriptions of the arguments of functions."""

from ... import dtypes
from ...graph.tensor_shape import TensorShape


class TensorSpec:
    """The shape and dtype of an argument of function().

    Args:
        shape: The shape, or None for any.
        dtype: The dtype.
        name: Name of the argument, a str.

    Example:
        >>> sl.TensorSpec([None, 2], sl.float32)
        TensorSpec(shape=(?, 2), dtype=float32, name=None)
    """

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self.shape, self.dtype, self.name = TensorShape(shape), dtypes.as_dtype(dtype), name

    def __eq__(self, other):
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return self.dtype == other.dtype and repr(self.shape) == repr(other.shape)

    def __hash__(self):
        return hash((self.dtype, repr(self.shape)))

    def __repr__(self):
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype.name}, name={self.name!r})"
