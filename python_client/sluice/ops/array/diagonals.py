# SPDX-License-Identifier: Apache-2.0
"""Diagonals and bands of matrices."""

from numbers import Integral

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import Tensor
from ...graph.tensor_shape import as_shape
from .. import raw_ops
from ..building import shape_tensor, thin, with_names
from . import concat, ones, zeros

band_part = thin(
    "MatrixBandPart",
    "input num_lower num_upper",
    """Keeps a band of diagonals of matrices; all other elements become zero.

    Args:
        num_lower: How many diagonals below the main one, an int32 or int64 scalar; -1: all.
        num_upper: How many diagonals above the main one, of the same dtype; -1: all.

    Returns:
        A tensor of the shape and dtype of `input`.
    """,
)


tensor_diag = thin(
    "Diag",
    "diagonal",
    """Makes a tensor with the given elements on its diagonal and zeros elsewhere.

    Returns:
        A tensor with twice as many dimensions: those of `diagonal`, twice.
    """,
)


tensor_diag_part = thin(
    "DiagPart",
    "input",
    """Returns the diagonal of a tensor. It is the reverse of tensor_diag().

    Returns:
        A tensor with half as many dimensions.
    """,
)


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0):
    """Makes matrices with the given vectors on a diagonal.

    Args:
        diagonal: A tensor [..., n] of any dtype; for several diagonals [..., diagonals, n].
        name: Name of the operation, a str. None: a default name.
        k: Number of the diagonal, an int: 0 is the main one, positive ones are above. Or a pair
            (lowest, highest).
        num_rows: How many rows, an int; -1: as few as possible.
        num_cols: How many columns, an int; -1: as few as possible.
        padding_value: The value elsewhere, a number.

    Returns:
        A tensor [..., rows, columns].
    """
    if isinstance(k, int) and (k, num_rows, num_cols) == (0, -1, -1):
        return raw_ops.MatrixDiag(diagonal=diagonal, name=name)
    diagonal = convert_to_tensor(diagonal)
    return raw_ops.MatrixDiagV2(
        diagonal=diagonal, k=k, num_rows=num_rows, num_cols=num_cols,
        padding_value=constant(padding_value, diagonal.dtype), name=name,
    )  # fmt: skip


def diag_part(input, name="diag_part", k=0, padding_value=0):
    """Returns a diagonal of matrices.

    Args:
        input: A tensor [..., n, m] of any dtype.
        name: Name of the operation, a str. None: a default name.
        k: Number of the diagonal, an int: 0 is the main one, positive ones are above. Or a pair
            (lowest, highest).
        padding_value: The value that fills up shorter diagonals, a number.

    Returns:
        A tensor [..., elements]; of several diagonals [..., diagonals, elements].
    """
    if isinstance(k, int) and k == 0:
        return raw_ops.MatrixDiagPart(input=input, name=name)
    input = convert_to_tensor(input)
    return raw_ops.MatrixDiagPartV2(
        input=input, k=k, padding_value=constant(padding_value, input.dtype), name=name
    )


def set_diag(input, diagonal, name="set_diag", k=0):
    """Returns matrices with a diagonal replaced.

    Args:
        input: A tensor [..., n, m] of any dtype.
        diagonal: A tensor [..., elements] of the same dtype.
        name: Name of the operation, a str. None: a default name.
        k: Number of the diagonal, an int, or a pair (lowest, highest).

    Returns:
        A tensor of the shape and dtype of input.
    """
    if isinstance(k, int) and k == 0:
        return raw_ops.MatrixSetDiag(input=input, diagonal=diagonal, name=name)
    return raw_ops.MatrixSetDiagV2(input=input, diagonal=diagonal, k=k, name=name)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    """Makes identity matrices.

    Args:
        num_rows: How many rows, an int or an int32 scalar.
        num_columns: How many columns. None: as many as rows.
        batch_shape: Leading dimensions, a list of ints or a vector. None: none.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch_shape..., num_rows, num_columns].

    Example:
        >>> sl.Session().run(sl.eye(2))
        array([[1., 0.],
               [0., 1.]], dtype=float32)
    """
    with name_scope(name, "eye"):
        square = num_columns is None
        sides = [num_rows, num_rows if square else num_columns]
        batch = [] if batch_shape is None else batch_shape
        if all(isinstance(n, Integral) for n in sides):
            square, length = sides[0] == sides[1], min(sides)
        else:
            length = raw_ops.Minimum(x=sides[0], y=sides[1])
        if isinstance(batch, Tensor) or isinstance(length, Tensor):
            batch = shape_tensor(batch)
            along = concat([batch, [length]], 0)
            whole = None if square else concat([batch, sides], 0)
        else:
            batch = as_shape(batch).as_list()
            along, whole = [*batch, length], [*batch, *sides]
        elements = ones(along, dtype)
        return diag(elements) if square else set_diag(zeros(whole, dtype), elements)


__all__ = with_names(globals())
