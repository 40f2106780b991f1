# SPDX-License-Identifier: Apache-2.0
"""Decompositions of matrices, and what follows from them."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from .. import array as arrays
from .. import math, raw_ops
from ..building import thin, with_names
from ..math.products import matmul

_CHOLESKY = "The lower triangle L with L L^H = input. InvalidArgumentError: not positive definite."


cholesky = thin("Cholesky", "input", _CHOLESKY)


qr = thin(
    "Qr",
    "input full_matrices=False",
    """Factorises matrices: input = q r. The columns of q are orthonormal, r is upper triangular.

    Args:
        full_matrices: Whether q is square. A bool.
    """,
)


lu = thin(
    "Lu",
    "input output_idx_type=int32",
    """Factorises matrices with row exchanges into lower and upper triangular matrices.

    Args:
        output_idx_type: Dtype of the permutation, int32 or int64. Default: int32.

    Returns:
        A named tuple. `lu`: both triangles in one matrix; `p`: the permutation of rows.
    """,
)


def eigh(tensor, name=None):
    """Computes the eigenvalues and eigenvectors of self-adjoint matrices.

    Args:
        tensor: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple. `e`: the eigenvalues [..., n], ascending; `v`: the eigenvectors as columns.
    """
    return raw_ops.SelfAdjointEigV2(input=tensor, compute_v=True, name=name)


def eigvalsh(tensor, name=None):
    """Computes the eigenvalues of self-adjoint matrices.

    Args:
        tensor: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n], ascending.
    """
    return raw_ops.SelfAdjointEigV2(input=tensor, compute_v=False, name=name)[0]


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """Computes the singular value decomposition: tensor = u diag(s) v^H.

    Args:
        tensor: A tensor [..., n, m] of any floating-point or complex dtype.
        full_matrices: Whether u and v are square. A bool.
        compute_uv: Whether u and v are computed. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple of s [..., min(n, m)], descending, u and v. Without compute_uv: s alone.
    """
    parts = raw_ops.Svd(input=tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return parts if compute_uv else parts[0]


def pinv(a, rcond=None, validate_args=False, name=None):
    """Computes the Moore-Penrose inverse of matrices.

    Args:
        a: A tensor [..., n, m] of any floating-point or complex dtype.
        rcond: Singular values below rcond times the largest one count as 0, a float. None: 10
            max(n, m) epsilon.
        validate_args: Accepted. Ranks are always checked.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., m, n].
    """
    a = convert_to_tensor(a)
    if rcond is None:
        rcond = 10.0 * max(a.shape.as_list()[-2:]) * np.finfo(a.dtype.as_numpy_dtype).eps
    s, u, v = svd(a)
    small = s <= math.reduce_max(s, -1, True) * rcond
    inverse = raw_ops.SelectV2(condition=small, t=raw_ops.ZerosLike(x=s), e=math.reciprocal(s))
    return matmul(v * arrays.cast(inverse, a.dtype)[..., None, :], u, adjoint_b=True, name=name)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """Computes the ranks of matrices: how many singular values are above a limit.

    Args:
        a: A tensor [..., n, m] of any floating-point or complex dtype.
        tol: The limit. None: epsilon max(n, m) times the largest singular value.
        validate_args: Accepted. Ranks are always checked.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 tensor [...].
    """
    a = convert_to_tensor(a)
    s = svd(a, compute_uv=False)
    if tol is None:
        eps = np.finfo(a.dtype.as_numpy_dtype).eps
        tol = math.reduce_max(s, -1, True) * (eps * max(a.shape.as_list()[-2:]))
    return math.reduce_sum(raw_ops.Cast(x=s > tol, DstT=dtypes.int32), -1, name=name)


__all__ = with_names(globals())
