# SPDX-License-Identifier: Apache-2.0
"""Tensors that hold one value, and grids."""

from numbers import Integral

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor, number
from ...graph.default_graph import name_scope
from ...graph.elements import Tensor
from ...graph.seeds import count_more_nodes
from ...graph.tensor_shape import as_shape
from .. import raw_ops
from ..building import thin, with_names
from .joining import stack
from .shapes import shape, size
from .shaping import broadcast_to, reshape, transpose

fill = thin(
    "Fill",
    "dims value",
    """Makes a tensor that holds one value everywhere.

    Args:
        dims: The shape, an int32 or int64 vector.
        value: A scalar of any dtype.

    Returns:
        A tensor of shape `dims` and of the dtype of `value`.

    Example:
        >>> sl.Session().run(sl.fill([2, 2], 7))
        array([[7, 7],
               [7, 7]], dtype=int32)
    """,
)


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    """Makes zeros of the shape of a tensor.

    Args:
        tensor: A tensor of any dtype.
        dtype: Dtype of the result. None: that of tensor.
        name: Name of the operation, a str. None: a default name.
        optimize: Accepted. It has no effect.

    Returns:
        A tensor of zeros; of dtype string, empty strings.

    Example:
        >>> sl.Session().run(sl.zeros_like([1, 2]))
        array([0, 0], dtype=int32)
    """
    return _like("ZerosLike", tensor, dtype, name or "zeros_like", optimize)


def ones_like(tensor, dtype=None, name=None, optimize=True):
    """Makes ones of the shape of a tensor.

    Args:
        tensor: A tensor of any numeric dtype or of bools.
        dtype: Dtype of the result. None: that of tensor.
        name: Name of the operation, a str. None: a default name.
        optimize: Accepted. It has no effect.

    Returns:
        A tensor of ones.

    Example:
        >>> sl.Session().run(sl.ones_like([5, 6]))
        array([1, 1], dtype=int32)
    """
    return _like("OnesLike", tensor, dtype, name or "ones_like", optimize)


def _like(op, tensor, dtype, name, optimize):
    with name_scope(name) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        kind = tensor.dtype if dtype is None else dtypes.as_dtype(dtype)
        if op == "ZerosLike":
            if optimize and tensor.shape.is_fully_defined() and kind != dtypes.variant:
                return zeros(tensor.shape, kind, scope)
            if kind in (tensor.dtype, dtypes.variant):
                return raw_ops.ZerosLike(x=tensor, name=scope)
        sizes = shape(tensor) if optimize else raw_ops.Shape(input=tensor)
        return (zeros if op == "ZerosLike" else ones)(sizes, kind, scope)


def zeros(shape, dtype=dtypes.float32, name=None):
    """Makes a tensor of zeros.

    Args:
        shape: The shape: a list of ints or of scalar tensors, an int, or a vector.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of zeros; of dtype string, empty strings.

    Example:
        >>> sl.Session().run(sl.zeros([2, 3]))
        array([[0., 0., 0.],
               [0., 0., 0.]], dtype=float32)
    """
    empty = "" if dtypes.as_dtype(dtype) == dtypes.string else 0
    return _filled(shape, empty, dtype, name or "zeros")


def ones(shape, dtype=dtypes.float32, name=None):
    """Makes a tensor of ones.

    Args:
        shape: The shape: a list of ints or of scalar tensors, an int, or a vector.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of ones.

    Example:
        >>> sl.Session().run(sl.ones([2], sl.int32))
        array([1, 1], dtype=int32)
    """
    return _filled(shape, 1, dtype, name or "ones")


def _filled(shape, value, dtype, name):
    if shape is None:
        raise ValueError("a shape must be given, None is not one")
    for dim in shape if isinstance(shape, (list, tuple)) else ():
        if isinstance(dim, (str, float)):
            raise TypeError(f"{dim!r} is not a size, in the shape {shape!r}")
    with name_scope(name) as scope:
        shape = [shape] if isinstance(shape, Integral) else shape
        if not isinstance(shape, Tensor):
            if not any(isinstance(d, Tensor) for d in shape):
                return _of_known_shape(as_shape(shape).as_list(), value, dtype, scope)
            count_more_nodes(_of_product(shape))
            shape = convert_to_tensor(shape, dtypes.int32)
        elif shape.shape.ndims == 0:
            shape = reshape(shape, [-1])
        return fill(shape, number(value, dtype), scope)


def _of_product(shape):
    """How many nodes TensorFlow makes when it compares the size of a shape: they decide seeds."""
    count, product = 2, shape[0]
    for dim in shape[1:]:
        both = [isinstance(d, Tensor) for d in (product, dim)]
        count += any(both) * (1 if all(both) else 2)
        product = product if both[0] else dim
    return count


def _of_known_shape(shape, value, dtype, name):
    """A constant; where that is large, it is filled when it runs."""
    size = 1
    for dim in shape:
        size *= dim
    if size == 0:
        kind = dtypes.as_dtype(dtype).as_numpy_dtype
        return constant(np.empty(shape, object if kind is None else kind), dtype, name=name)
    if size < 1000:
        return number(value, dtype, shape, name)
    sizes = constant(shape, dtypes.int32, [len(shape)], "shape_as_tensor")
    return raw_ops.Fill(dims=sizes, value=number(value, dtype), name=name)


def meshgrid(*args, indexing="xy"):
    """Makes the coordinates of the points of a grid.

    Args:
        *args: Vectors, one for each dimension of the grid.
        indexing: "xy": the first vector runs along dimension 1; "ij": along dimension 0.

    Returns:
        A list of tensors of the grid's shape, one for each vector.
    """
    vectors = [convert_to_tensor(a) for a in args]
    count = len(vectors)
    sizes = stack([size(v) for v in vectors])
    grids = []
    for i, vector in enumerate(vectors):
        sides = [-1 if j == i else 1 for j in range(count)]
        grids.append(broadcast_to(reshape(vector, sides), sizes))
    if indexing == "xy" and count > 1:
        order = [1, 0, *range(2, count)]
        grids = [transpose(g, order) for g in grids]
    return grids


__all__ = with_names(globals())
