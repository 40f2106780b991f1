# SPDX-License-Identifier: Apache-2.0
"""Conversions between dtypes."""

from ... import dtypes
from ...graph.convert import convert_to_tensor, is_resource_variable, number
from ...graph.default_graph import name_scope
from ...graph.elements import IndexedSlices, Tensor
from .. import raw_ops
from ..building import of_stored, with_names


@of_stored
def cast(x, dtype, name=None):
    """Converts a tensor to another dtype. Floating-point numbers are truncated to integers.

    Args:
        x: A tensor of any numeric dtype or of bools, a number, a SparseTensor or IndexedSlices.
        dtype: The new dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `dtype` and of the shape of x; x itself if it has the dtype.

    Raises:
        TypeError: dtype is not an element type.

    Example:
        >>> sl.Session().run(sl.cast([1.7, -1.7], sl.int32))
        array([ 1, -1], dtype=int32)
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    # A variable of resources is read where its value is used.
    if (isinstance(x, Tensor) or is_resource_variable(x)) and x.dtype == dtype:
        return x
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, dtype, name), x.indices, x.dense_shape)
    with name_scope(name, "Cast") as scope:
        x = convert_to_tensor(x, name="x")
        return x if x.dtype.base_dtype == dtype else raw_ops.Cast(x=x, DstT=dtype, name=scope)


def saturate_cast(value, dtype, name=None):
    """Converts a tensor to another dtype. Values that it cannot hold become its limits.

    Args:
        value: A tensor of any real dtype.
        dtype: The new dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `dtype` and of the shape of value.
    """
    value, dtype = convert_to_tensor(value), dtypes.as_dtype(dtype)
    limits = [number(v, value.dtype) for v in dtypes.limits(dtype, value.dtype)]
    value = raw_ops.Maximum(x=value, y=limits[0])
    return cast(raw_ops.Minimum(x=value, y=limits[1]), dtype, name)


def bitcast(input, type, name=None):
    """Reads the bytes of a tensor as another dtype.

    Args:
        input: A tensor of any numeric dtype.
        type: The new dtype. If its size differs, the last dimension appears, vanishes or changes.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `type`.

    Raises:
        errors.InvalidArgumentError: The last dimension does not fit the new size.
    """
    return raw_ops.Bitcast(input=input, type=type, name=name)


__all__ = with_names(globals())
