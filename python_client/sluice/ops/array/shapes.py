# SPDX-License-Identifier: Apache-2.0
"""The shapes and sizes of tensors."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape, as_shape
from .. import raw_ops
from ..building import with_names
from .casting import cast


def shape(input, name=None, out_type=dtypes.int32):
    """Returns the shape of a tensor as a vector.

    Args:
        input: A tensor of any dtype, or a SparseTensor.
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result, int32 or int64.

    Returns:
        A tensor [rank].

    Example:
        >>> sl.Session().run(sl.shape([[1, 2, 3], [4, 5, 6]]))
        array([2, 3], dtype=int32)
    """
    with name_scope(name, "Shape", [input]) as scope:
        if getattr(input, "dense_shape", None) is not None:
            return cast(input.dense_shape, out_type)
        input = convert_to_tensor(input)
        if input.shape.is_fully_defined():
            return constant(input.shape.as_list(), out_type, [input.shape.ndims], scope)
        return raw_ops.Shape(input=input, out_type=out_type, name=scope)


def size(input, name=None, out_type=dtypes.int32):
    """Returns the number of elements of a tensor.

    Args:
        input: A tensor of any dtype; or a SparseTensor, which counts as if it were dense.
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result, int32 or int64.

    Returns:
        A scalar.

    Example:
        >>> sl.Session().run(sl.size([[1, 2, 3], [4, 5, 6]]))
        6
    """
    with name_scope(name, "Size") as scope:
        if getattr(input, "dense_shape", None) is not None:
            sizes = cast(input.dense_shape, out_type)
            return raw_ops.Prod(input=sizes, reduction_indices=0, name=scope)
        input = convert_to_tensor(input)
        if input.shape.is_fully_defined():
            return constant(input.shape.num_elements(), out_type, name=scope)
        return raw_ops.Size(input=input, out_type=out_type, name=scope)


def rank(input, name=None):
    """Returns the number of dimensions of a tensor.

    Args:
        input: A tensor or SparseTensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 scalar.

    Example:
        >>> sl.Session().run(sl.rank([[1, 2], [3, 4]]))
        2
    """
    with name_scope(name, "Rank") as scope:
        if getattr(input, "dense_shape", None) is not None:
            return raw_ops.Size(input=input.dense_shape, name=scope)
        input = convert_to_tensor(input)
        if input.shape.ndims is not None:
            return constant(input.shape.ndims, dtypes.int32, name=scope)
        return raw_ops.Rank(input=input, name=scope)


def shape_n(input, out_type=dtypes.int32, name=None):
    """Returns the shapes of several tensors.

    Args:
        input: A list of tensors of one dtype.
        out_type: Dtype of the results, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of vectors.
    """
    return raw_ops.ShapeN(input=list(input), out_type=out_type, name=name)


def broadcast_dynamic_shape(shape_x, shape_y):
    """Computes the shape of two tensors that are broadcast, when a step runs.

    Args:
        shape_x: The first shape, an int32 or int64 vector.
        shape_y: The second shape, of the same dtype.

    Returns:
        A vector.

    Raises:
        errors.InvalidArgumentError: In run(): the shapes cannot be broadcast.
    """
    return raw_ops.BroadcastArgs(s0=shape_x, s1=shape_y)


def broadcast_static_shape(shape_x, shape_y):
    """Computes the shape of two tensors that are broadcast, when the graph is built.

    Args:
        shape_x: The first TensorShape.
        shape_y: The second TensorShape.

    Returns:
        A TensorShape.

    Raises:
        ValueError: The shapes cannot be broadcast.
    """
    x, y = as_shape(shape_x), as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return TensorShape(None)
    rank_ = max(x.ndims, y.ndims)
    pairs = zip(*([1] * (rank_ - s.ndims) + s.as_list() for s in (x, y)))
    return TensorShape([_broadcast_size(a, b, x, y) for a, b in pairs])


def _broadcast_size(a, b, x, y):
    if 1 in (a, b):
        return b if a == 1 else a
    if None in (a, b):
        return b if a is None else a
    if a != b:
        raise ValueError(f"shapes {x} and {y} cannot be broadcast against each other")
    return a


def ensure_shape(x, shape, name=None):
    """Checks the shape of a tensor when a step runs.

    Args:
        x: A tensor of any dtype.
        shape: The shape to expect: sizes, None where any is fine.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the value of x and the static shape `shape`.

    Raises:
        errors.InvalidArgumentError: In run(): the shape is another one.
    """
    return raw_ops.EnsureShape(input=x, shape=None if shape is None else list(shape), name=name)


__all__ = with_names(globals())
