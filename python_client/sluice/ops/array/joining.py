# SPDX-License-Identifier: Apache-2.0
"""Tensors that are joined."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..building import thin, with_names
from .passing import identity
from .shaping import expand_dims

dynamic_stitch = thin(
    "DynamicStitch",
    "indices data",
    """Puts the rows of several tensors together. It is the reverse of dynamic_partition().

    Args:
        indices: A list of int32 tensors: the row of the result for each row of data.
        data: A list of tensors of one dtype, one for each tensor of indices.

    Returns:
        A tensor with the largest index plus 1 rows. If an index is repeated, the last row is taken.
    """,
)


def concat(values, axis, name="concat"):
    """Joins tensors along a dimension.

    Args:
        values: A list of tensors of one dtype, whose other sizes are equal; or one tensor.
        axis: The dimension, an int or an int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same dtype.

    Raises:
        ValueError or errors.InvalidArgumentError: The shapes or dtypes do not fit.

    Example:
        >>> sl.Session().run(sl.concat([[1, 2], [3]], axis=0))
        array([1, 2, 3], dtype=int32)
    """
    values = list(values) if isinstance(values, (list, tuple)) else [values]
    if len(values) == 1:
        if isinstance(axis, (list, tuple)):
            raise ValueError(f"concat(values, axis): the axis is a number, not {axis}")
        convert_to_tensor(axis, dtypes.int32)
        return identity(values[0], name)
    return raw_ops.ConcatV2(values=values, axis=axis, name=name or "concat")


def parallel_stack(values, name="parallel_stack"):
    """Stacks tensors of known shapes along a new first dimension.

    Args:
        values: A list of tensors of one dtype and one known shape.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [number of tensors, ...].
    """
    with name_scope(name, "parallel_stack"):
        values = [expand_dims(v, 0) for v in values]
        shape = [len(values), *values[0].shape.as_list()[1:]]
        return raw_ops.ParallelConcat(values=values, shape=shape)


def stack(values, axis=0, name="stack"):
    """Joins tensors of one shape along a new dimension.

    Args:
        values: A list of tensors of one shape and dtype.
        axis: Where the new dimension is in the result, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with one dimension more.

    Example:
        >>> sl.Session().run(sl.stack([[1, 2], [3, 4]], axis=1))
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
    name = name or "stack"
    if axis == 0 and hasattr(values, "graph"):
        return convert_to_tensor(values)  # it is the stack of its rows
    values = list(values)
    if axis == 0 or not values:
        return convert_to_tensor(values, name=name)
    convert_to_tensor(values[0], name=name)  # a constant there is made, as in TensorFlow
    return raw_ops.Pack(values=values, axis=axis, name=name)


__all__ = with_names(globals())
