# SPDX-License-Identifier: Apache-2.0
"""Linear operators that are stored by their main diagonal."""

from ..graph.convert import convert_to_tensor
from ..ops import array as arrays
from ..ops import linalg, math
from ..ops.debug.assertions import assert_positive
from .operator import LinearOperator
from .parts import adjoint_if, assert_no_imaginary_part, assert_not_zero, conj_if, scope


class LinearOperatorDiag(LinearOperator):
    """Diagonal matrices.

    Args:
        diag: The diagonals, a tensor [..., n] of any floating-point or complex dtype.
    """

    def __init__(self, diag, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorDiag"):  # fmt: skip
        with scope(name):
            self._diag = convert_to_tensor(diag, name="diag")
        if self._diag.shape.ndims == 0:
            raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {self._diag}")
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(
            self._diag.dtype, [self._diag], is_non_singular, is_self_adjoint, is_positive_definite,
            True, name,
        )  # fmt: skip

    @property
    def diag(self):
        """The diagonals, a tensor [..., n]."""
        return self._diag

    def _shape(self):
        return self._diag.shape.concatenate(self._diag.shape[-1:])

    def _shape_tensor(self):
        sizes = arrays.shape(self._diag)
        return arrays.concat([sizes, sizes[-1:]], 0)

    def _assert_non_singular(self):
        return assert_not_zero(self._diag, "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self):
        message = "Diagonal operator had diagonal entries that were not positive."
        return assert_positive(math.real(self._diag), message=message)

    def _assert_self_adjoint(self):
        message = "This diagonal operator contained non-zero imaginary values."
        return assert_no_imaginary_part(self._diag, message)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return conj_if(adjoint, self._diag)[..., None] * adjoint_if(adjoint_arg, x)

    def _matvec(self, x, adjoint=False):
        return conj_if(adjoint, self._diag) * x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return adjoint_if(adjoint_arg, rhs) * (1.0 / conj_if(adjoint, self._diag))[..., None]

    def _determinant(self):
        return math.reduce_prod(self._diag, [-1])

    def _log_abs_determinant(self):
        return arrays.cast(math.reduce_sum(math.log(math.abs(self._diag)), [-1]), self.dtype)

    def _to_dense(self):
        return linalg.diag(self._diag)

    def _diag_part(self):
        return self._diag

    def _add_to_tensor(self, x):
        return linalg.set_diag(x, self._diag + linalg.diag_part(x))
