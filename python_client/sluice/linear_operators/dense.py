# SPDX-License-Identifier: Apache-2.0
"""Linear operators that are stored element by element."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..ops import array as arrays
from ..ops import linalg, math
from .operator import LinearOperator
from .parts import adjoint_if, assert_not_zero, broadcast_batches, scope

_DTYPES = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128
)  # fmt: skip


def _matrix(value, name, operator):
    with scope(operator):
        matrix = convert_to_tensor(value, name=name)
    if matrix.shape.ndims is not None and matrix.shape.ndims < 2:
        raise ValueError(f"Argument {name} must have at least 2 dimensions.  Found: {matrix}")
    return matrix


class LinearOperatorFullMatrix(LinearOperator):
    """Matrices of any kind.

    Args:
        matrix: The matrices, a tensor [..., n, m] of any floating-point or complex dtype.

    Raises:
        TypeError: The matrix has another dtype.
    """

    def __init__(self, matrix, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None,
                 name="LinearOperatorFullMatrix"):  # fmt: skip
        self._matrix = _matrix(matrix, "matrix", name)
        dtype = self._matrix.dtype
        if dtype.base_dtype not in _DTYPES:
            raise TypeError(f"Argument matrix must have dtype in {_DTYPES}.  Found: {dtype}")
        super().__init__(
            dtype, [self._matrix], is_non_singular, is_self_adjoint, is_positive_definite,
            is_square, name,
        )  # fmt: skip

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return arrays.shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return linalg.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self):
        return self._matrix


class LinearOperatorLowerTriangular(LinearOperator):
    """Lower triangular matrices.

    Args:
        tril: The matrices, a tensor [..., n, n] of any floating-point or complex dtype. What is
            above the diagonal is not read.
    """

    def __init__(self, tril, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorLowerTriangular"):  # fmt: skip
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = _matrix(tril, "tril", name)
        super().__init__(
            self._tril.dtype, [self._tril], is_non_singular, is_self_adjoint, is_positive_definite,
            True, name,
        )  # fmt: skip

    def _shape(self):
        return self._tril.shape

    def _shape_tensor(self):
        return arrays.shape(self._tril)

    def _diag_part(self):
        return linalg.diag_part(self._tril)

    def _assert_non_singular(self):
        message = "Singular operator:  Diagonal contained zero values."
        return assert_not_zero(self._diag_part(), message)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return linalg.matmul(self._to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        matrix, rhs = broadcast_batches(self._to_dense(), adjoint_if(adjoint_arg, rhs))
        return linalg.triangular_solve(matrix, rhs, lower=True, adjoint=adjoint)

    def _determinant(self):
        return math.reduce_prod(self._diag_part(), [-1])

    def _log_abs_determinant(self):
        return math.reduce_sum(math.log(math.abs(self._diag_part())), [-1])

    def _to_dense(self):
        return linalg.band_part(self._tril, -1, 0)
