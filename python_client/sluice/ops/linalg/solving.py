# SPDX-License-Identifier: Apache-2.0
"""Inverses and systems of linear equations."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from .. import array as arrays
from .. import math, raw_ops
from ..array import expand_dims, squeeze
from ..array.diagonals import diag_part
from ..building import thin, with_names
from .transposing import matrix_transpose

inv = thin(
    "MatrixInverse",
    "input adjoint=False",
    """Computes the inverses of matrices.

    Args:
        adjoint: Whether the adjoints of the matrices are inverted. A bool.

    Returns:
        A tensor of the shape and dtype of `input`, which is [..., n, n].

    Raises:
        errors.InvalidArgumentError: In run(): a matrix is not invertible.
    """,
)


solve = thin(
    "MatrixSolve",
    "matrix rhs adjoint=False",
    """Solves systems of linear equations: matrix x = rhs.

    Args:
        rhs: A tensor [..., n, k] of the dtype of `matrix`, which is [..., n, n].
        adjoint: Whether the adjoints of the matrices are used. A bool.

    Returns:
        The tensor x, [..., n, k].

    Raises:
        errors.InvalidArgumentError: In run(): a matrix is not invertible.
    """,
)


triangular_solve = thin(
    "MatrixTriangularSolve",
    "matrix rhs lower=True adjoint=False",
    """Solves systems of linear equations with triangular matrices: matrix x = rhs.

    Args:
        rhs: A tensor [..., n, k] of the dtype of `matrix`, which is [..., n, n].
        lower: Whether the lower triangle is used; the other one is not read. A bool.
        adjoint: Whether the adjoints of the matrices are used. A bool.

    Returns:
        The tensor x, [..., n, k].

    Raises:
        errors.InvalidArgumentError: In run(): a matrix is not invertible.
    """,
)


def cholesky_solve(chol, rhs, name=None):
    """Solves A x = rhs from the Cholesky factor of A.

    Args:
        chol: A tensor [..., n, n]: what cholesky() returned.
        rhs: A tensor [..., n, k] of the same dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The tensor x, [..., n, k].
    """
    half = triangular_solve(chol, rhs)
    return triangular_solve(chol, half, adjoint=True, name=name)


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """Finds the x that makes |matrix x - rhs|^2 + l2_regularizer |x|^2 smallest.

    Args:
        matrix: A tensor [..., n, m] of dtype float32, float64, complex64 or complex128.
        rhs: A tensor [..., n, k] of the same dtype.
        l2_regularizer: The factor, a float.
        fast: Whether the normal equations are solved, which is less exact. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The tensor x, [..., m, k].
    """
    return raw_ops.MatrixSolveLs(
        matrix=matrix, rhs=rhs, l2_regularizer=constant(l2_regularizer, dtypes.float64), fast=fast,
        name=name,
    )  # fmt: skip


def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False,
                      conjugate_rhs=False, name=None, partial_pivoting=True):  # fmt: skip
    """Solves systems of linear equations with tridiagonal matrices.

    Args:
        diagonals: The matrices, as diagonals_format says.
        rhs: A tensor [..., n, k], or vectors [..., n].
        diagonals_format: "compact": a tensor [..., 3, n] of the upper, main and lower diagonal;
            "sequence": a list of these three; "matrix": a tensor [..., n, n].
        transpose_rhs: Whether rhs is [..., k, n]. A bool.
        conjugate_rhs: Whether rhs is conjugated. A bool.
        name: Name of the operation, a str. None: a default name.
        partial_pivoting: Whether rows are exchanged, which is more exact. A bool.

    Returns:
        The tensor x, of the shape of rhs.

    Raises:
        ValueError: diagonals_format is unknown.
    """
    rhs = convert_to_tensor(rhs)
    upper, main, lower = _diagonals(diagonals, diagonals_format, rhs.dtype)
    vectors = rhs.shape.ndims == main.shape.ndims
    if transpose_rhs and not vectors:
        rhs = matrix_transpose(rhs, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        rhs = math.conj(rhs)
    x = raw_ops.TridiagonalSolve(
        diagonals=arrays.stack([upper, main, lower], -2),
        rhs=expand_dims(rhs, -1) if vectors else rhs, partial_pivoting=partial_pivoting, name=name,
    )  # fmt: skip
    return squeeze(x, [-1]) if vectors else x


def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """Multiplies tridiagonal matrices by matrices.

    Args:
        diagonals: The tridiagonal matrices: see tridiagonal_solve().
        rhs: A tensor [..., n, k].
        diagonals_format: "compact", "sequence" or "matrix": see tridiagonal_solve().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n, k].

    Raises:
        ValueError: diagonals_format is unknown.
    """
    rhs = convert_to_tensor(rhs)
    upper, main, lower = _diagonals(diagonals, diagonals_format, rhs.dtype)
    return raw_ops.TridiagonalMatMul(
        superdiag=expand_dims(upper, -2), maindiag=expand_dims(main, -2),
        subdiag=expand_dims(lower, -2), rhs=rhs, name=name,
    )  # fmt: skip


def _diagonals(diagonals, form, dtype):
    """The diagonals [..., n] of a tridiagonal matrix: the upper one ends with a number that does
    not count, the lower one begins with it."""
    if form == "compact":
        return arrays.unstack(convert_to_tensor(diagonals, dtype), 3, -2)
    if form == "sequence":
        upper, main, lower = (convert_to_tensor(d, dtype) for d in diagonals)
        short = int(main.shape[-1] or 0) - 1
        upper = _longer(upper, [0, 1]) if upper.shape[-1] == short else upper
        return upper, main, _longer(lower, [1, 0]) if lower.shape[-1] == short else lower
    if form != "matrix":
        raise ValueError(f'diagonals_format is "compact", "sequence" or "matrix", not "{form}"')
    matrix = convert_to_tensor(diagonals, dtype)
    upper, lower = diag_part(matrix, k=1), diag_part(matrix, k=-1)
    return _longer(upper, [0, 1]), diag_part(matrix), _longer(lower, [1, 0])


def _longer(x, by):
    return arrays.pad(x, [[0, 0]] * (x.shape.ndims - 1) + [by])


__all__ = with_names(globals())
