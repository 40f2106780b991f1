# SPDX-License-Identifier: Apache-2.0
"""Norms."""

import numpy as np

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import math
from ..array import squeeze
from ..building import given, with_names


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """Computes the norm of vectors, matrices, or all elements.

    Args:
        tensor: A tensor of any floating-point or complex dtype.
        ord: "euclidean", 1, 2, inf or another positive number; for matrices "fro", 1 or inf.
        axis: A dimension for vectors, a pair of dimensions for matrices. None: all elements as one
            vector.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.
        keep_dims: Older name of keepdims.

    Returns:
        A real tensor without the reduced dimensions.

    Raises:
        ValueError: Matrices have no such norm here.

    Example:
        >>> sl.Session().run(sl.norm([3.0, 4.0]))
        5.0
    """
    keepdims = bool(given(keepdims, keep_dims))
    with name_scope(name, "norm"):
        return _norm(convert_to_tensor(tensor), ord, axis, keepdims)


def _norm(x, ord, axis, keepdims, name=None):
    pair = isinstance(axis, (list, tuple)) and len(axis) == 2
    if ord in ("euclidean", "fro") or ord == 2 and not pair:
        if x.dtype.is_complex:
            x = math.abs(x)
        result = math.sqrt(math.reduce_sum(x * x, axis, True))
        return result if keepdims else squeeze(result, axis)
    size = math.abs(x)
    if pair and ord in (1, np.inf):
        rows, columns = (a % x.shape.ndims for a in axis)
        inner, outer = (rows, columns) if ord == 1 else (columns, rows)
        result = math.reduce_max(math.reduce_sum(size, inner, True), outer, True)
        return result if keepdims else squeeze(result, [rows, columns], name)
    if pair:
        raise ValueError(f'matrices have no norm "{ord}" here: use "fro", 1 or inf')
    if ord == np.inf:
        return math.reduce_max(size, axis, keepdims, name)
    if ord == 1:
        return math.reduce_sum(size, axis, keepdims, name)
    total = math.reduce_sum(math.pow(size, ord), axis, keepdims)
    return math.pow(total, 1.0 / ord, name)


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """Divides a tensor by its norm.

    Args:
        tensor: A tensor of any floating-point or complex dtype.
        ord: The norm: see norm().
        axis: The dimensions: see norm().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the divided tensor, and the norm.
    """
    x = convert_to_tensor(tensor)
    length = norm(x, ord, axis, keepdims=True)
    return math.realdiv(x, arrays.cast(length, x.dtype), name), length


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """Divides by the Euclidean norm along a dimension: x / sqrt(max(sum(x^2), epsilon)).

    Args:
        x: A tensor of any floating-point dtype.
        axis: The dimensions, an int or a list of ints. None: all.
        epsilon: Lower limit of the sum, a float.
        name: Name of the operation, a str. None: a default name.
        dim: Older name of axis.

    Returns:
        A tensor of the shape and dtype of x.
    """
    with name_scope(name, "l2_normalize") as scope:
        x = convert_to_tensor(x, name="x")
        squares = math.reduce_sum(math.square(x), given(axis, dim), True)
        return math.multiply(x, math.rsqrt(math.maximum(squares, epsilon)), scope)


__all__ = with_names(globals())
