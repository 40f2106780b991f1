# SPDX-License-Identifier: Apache-2.0
"""Matrices transposed."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from ..building import with_names


def matrix_transpose(a, name=None, conjugate=False):
    """Exchanges the last two dimensions.

    Args:
        a: A tensor [..., n, m] of any dtype and of known rank.
        name: Name of the operation, a str. None: a default name.
        conjugate: Whether complex numbers become their conjugates. A bool.

    Returns:
        A tensor [..., m, n].

    Raises:
        ValueError: The rank is not known.
    """
    with name_scope(name, "matrix_transpose"):
        a = convert_to_tensor(a, name="a")
        if a.shape.ndims is None:
            raise ValueError("the rank must be known")
        order = list(range(a.shape.ndims))
        order[-2:] = order[:-3:-1]
        return arrays.transpose(a, order, conjugate=conjugate)


transpose = matrix_transpose


def adjoint(matrix, name=None):
    """Computes the conjugate transpose of matrices.

    Args:
        matrix: A tensor [..., n, m] of any dtype and of known rank.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., m, n].

    Raises:
        ValueError: The rank is not known.
    """
    return matrix_transpose(matrix, name, conjugate=True)


__all__ = with_names(globals())
