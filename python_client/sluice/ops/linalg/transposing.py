# SPDX-License-Identifier: Apache-2.0
"""Matrices transposed."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from ..building import with_names


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """Exchanges the last two dimensions.

    Args:
        a: A tensor [..., n, m] of any dtype.
        name: Name of the operation, a str. None: a default name.
        conjugate: Whether complex numbers become their conjugates. A bool.

    Returns:
        A tensor [..., m, n].

    Raises:
        ValueError: The rank is known and less than 2.
    """
    with name_scope(name, "matrix_transpose"):
        a = convert_to_tensor(a, name="a")
        ndims = a.shape.ndims
        if ndims is None:
            rank = arrays.rank(a)
            order = arrays.concat([arrays.range(rank - 2), [rank - 1, rank - 2]], 0)
        elif ndims < 2:
            raise ValueError(f"Argument 'a' should be a (batch) matrix, not a tensor {a.shape}")
        else:
            order = [*range(ndims - 2), ndims - 1, ndims - 2]
        return arrays.transpose(a, order, conjugate=conjugate)


transpose = matrix_transpose


def adjoint(matrix, name=None):
    """Computes the conjugate transpose of matrices.

    Args:
        matrix: A tensor [..., n, m] of any dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., m, n].

    Raises:
        ValueError: The rank is known and less than 2.
    """
    return matrix_transpose(matrix, name, conjugate=True)


__all__ = with_names(globals())
