# SPDX-License-Identifier: Apache-2.0
"""The adjoint and the inverse of another linear operator."""

from ..ops import array as arrays
from ..ops import linalg, math
from .operator import LinearOperator
from .parts import hints_of_same


class TurnedOperator(LinearOperator):
    """An operator that stands for another one."""

    _WHAT = _SUFFIX = ""

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):  # fmt: skip
        self._operator = operator
        hints = hints_of_same(
            operator, self._WHAT, is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite, is_square=is_square,
        )  # fmt: skip
        name = name or operator.name + self._SUFFIX
        super().__init__(operator.dtype, operator.graph_parents, name=name, **hints)

    @property
    def operator(self):
        """The LinearOperator that this one is made of."""
        return self._operator

    def _assert_non_singular(self):
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self._operator.assert_self_adjoint()


class LinearOperatorAdjoint(TurnedOperator):
    """The adjoint of an operator: its transpose, with conjugated elements.

    Args:
        operator: A LinearOperator.
    """

    _WHAT, _SUFFIX = "adjoint", "_adjoint"

    def _shape(self):
        shape = self._operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self):
        sizes = self._operator.shape_tensor()
        return arrays.concat([sizes[:-2], sizes[-1:], sizes[-2:-1]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self._operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return self._operator.solvevec(rhs, adjoint=not adjoint)

    def _determinant(self):
        return math.conj(self._operator.determinant())

    def _log_abs_determinant(self):
        return self._operator.log_abs_determinant()

    def _trace(self):
        return math.conj(self._operator.trace())

    def _to_dense(self):
        return linalg.adjoint(self._operator.to_dense())


class LinearOperatorInversion(TurnedOperator):
    """The inverse of an operator, which solves instead of multiplying.

    Args:
        operator: A LinearOperator that is square and has an inverse.
    """

    _WHAT, _SUFFIX = "inverse", "_inv"

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):  # fmt: skip
        for hint, given in ("is_non_singular", is_non_singular), ("is_square", is_square):
            if getattr(operator, hint) is False or given is False:
                raise ValueError(
                    f"operator and supplied hints must have `{hint}` equal to `True` or `None`."
                )
        super().__init__(
            operator, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )

    def _shape(self):
        return self._operator.shape

    def _shape_tensor(self):
        return self._operator.shape_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self):
        return -1.0 * self._operator.log_abs_determinant()
