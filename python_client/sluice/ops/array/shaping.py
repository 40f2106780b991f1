# SPDX-License-Identifier: Apache-2.0
"""Tensors in another shape: reshaped, transposed, broadcast, repeated, padded."""

from numbers import Integral

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import Tensor
from .. import raw_ops
from ..building import given, thin, with_names
from . import ranges
from .shapes import rank

reshape = thin(
    "Reshape",
    "tensor shape",
    """Gives a tensor another shape. The elements and their order stay.

    Args:
        shape: The new sizes, an int32 or int64 vector. One of them may be -1: it follows from the
            others.

    Returns:
        A tensor of the dtype of `tensor` and of the new shape.

    Raises:
        errors.InvalidArgumentError: In run(): the number of elements differs.

    Example:
        >>> sl.Session().run(sl.reshape([1, 2, 3, 4], [2, -1]))
        array([[1, 2],
               [3, 4]], dtype=int32)
    """,
)


expand_dims = thin(
    "ExpandDims",
    "input axis|dim:dim",
    """Inserts a dimension of size 1.

    Args:
        axis: Where the new dimension is in the result, an int; a negative one counts from the end.

    Returns:
        A tensor of the dtype of `input`, with one dimension more.

    Example:
        >>> sl.expand_dims([1, 2, 3], 0).shape
        TensorShape([Dimension(1), Dimension(3)])
    """,
)


tile = thin(
    "Tile",
    "input multiples",
    """Repeats a tensor along its dimensions.

    Args:
        multiples: An int32 or int64 vector: how often each dimension is repeated.

    Returns:
        A tensor of the dtype of `input`; size i is multiples[i] times as large.

    Example:
        >>> sl.Session().run(sl.tile([1, 2], [2]))
        array([1, 2, 1, 2], dtype=int32)
    """,
)


broadcast_to = thin(
    "BroadcastTo",
    "input shape",
    """Repeats a tensor until it has a larger shape, by the rules of broadcasting.

    Args:
        shape: The new shape, an int32 or int64 vector.

    Returns:
        A tensor of the dtype of `input` and of the new shape.
    """,
)


def transpose(a, perm=None, name="transpose", conjugate=False):
    """Puts the dimensions of a tensor in another order.

    Args:
        a: A tensor of any dtype.
        perm: The dimensions in their new order, a list of ints or a vector. None: reversed.
        name: Name of the operation, a str. None: a default name.
        conjugate: Whether complex numbers become their conjugates. A bool.

    Returns:
        A tensor of the dtype of a.

    Example:
        >>> sl.Session().run(sl.transpose([[1, 2, 3], [4, 5, 6]]))
        array([[1, 4],
               [2, 5],
               [3, 6]], dtype=int32)
    """
    with name_scope(name, "transpose") as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None and a.shape.ndims is None:
            perm = ranges.range(rank(a) - 1, -1, -1)
        elif perm is None:
            perm = list(reversed(range(len(a.shape))))
        op = "ConjugateTranspose" if conjugate and a.dtype.is_complex else "Transpose"
        return raw_ops.apply_op(op, scope, x=a, perm=perm)


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    """Removes dimensions of size 1.

    Args:
        input: A tensor of any dtype.
        axis: The dimensions to remove, an int or a list of ints. None: all of size 1.
        name: Name of the operation, a str. None: a default name.
        squeeze_dims: Older name of axis.

    Returns:
        A tensor of the dtype of input.

    Raises:
        ValueError: Both axis and squeeze_dims are given, or a dimension has another size.

    Example:
        >>> sl.squeeze([[[1, 2, 3]]]).shape
        TensorShape([Dimension(3)])
    """
    axis = given(axis, squeeze_dims)
    axis = [] if axis is None else [axis] if isinstance(axis, Integral) else list(axis)
    return raw_ops.Squeeze(input=input, squeeze_dims=axis, name=name)


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    """Adds elements before and after a tensor in each dimension.

    Args:
        tensor: A tensor of any dtype.
        paddings: An int32 or int64 tensor [rank, 2]: how many elements before and after.
        mode: "CONSTANT": constant_values; "REFLECT": mirrored, without the edge; "SYMMETRIC":
            mirrored, with the edge.
        name: Name of the operation, a str. None: a default name.
        constant_values: The value for mode "CONSTANT", a scalar.

    Returns:
        A tensor of the dtype of tensor.

    Example:
        >>> sl.Session().run(sl.pad([1, 2], [[1, 2]]))
        array([0, 1, 2, 0, 0], dtype=int32)
    """
    mode = mode.upper()
    if mode != "CONSTANT":
        return raw_ops.MirrorPad(input=tensor, paddings=paddings, mode=mode, name=name)
    if isinstance(constant_values, Tensor) or constant_values != 0:
        return raw_ops.PadV2(
            input=tensor, paddings=paddings, constant_values=constant_values, name=name
        )
    return raw_ops.Pad(input=tensor, paddings=paddings, name=name)


__all__ = with_names(globals())
