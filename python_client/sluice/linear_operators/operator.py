# SPDX-License-Identifier: Apache-2.0
"""The base class of linear operators."""

import abc

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..ops import array as arrays
from ..ops import linalg, math
from ..ops.debug.assertions import assert_equal, assert_less, assert_positive
from .parts import adjoint_if, broadcast_batches
from .properties import OperatorProperties
from .rules import apply_rule


class LinearOperator(OperatorProperties):
    """A matrix [..., n, m], or a batch of them, that need not be stored element by element.

    Hints promise properties. They are not checked, but choose the algorithm.

    A class that derives from this one defines _shape(), _shape_tensor() and
    _matmul(x, adjoint, adjoint_arg). Whatever else it leaves out is computed from the dense matrix:
    _add_to_tensor(x), _assert_non_singular(), _assert_positive_definite(), _assert_self_adjoint(),
    _determinant(), _diag_part(), _log_abs_determinant(), _matvec(x, adjoint),
    _solve(rhs, adjoint, adjoint_arg), _solvevec(rhs, adjoint), _to_dense() and _trace().

    Args:
        dtype: Dtype of the matrix and of its arguments. None: unknown.
        graph_parents: The tensors and variables that it is made of, a list. None: none.
        is_non_singular: Whether the matrix has an inverse. A bool. None: unknown.
        is_self_adjoint: Whether the matrix equals its adjoint. A bool. None: unknown.
        is_positive_definite: Whether the real part of x^H A x is positive for all x != 0. A bool.
            None: unknown.
        is_square: Whether the matrix is square. A bool. None: as its shape says.
        name: Name of the operator, a str. None: the name of the class.

    Raises:
        ValueError: Hints contradict each other.

    Example:
        >>> operator = sl.linalg.LinearOperatorDiag([1.0, 2.0])
        >>> sl.Session().run(operator.matmul([[3.0], [4.0]]))
        array([[3.],
               [8.]], dtype=float32)
    """

    # ---- products and solutions

    @abc.abstractmethod
    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        """The product with matrices."""

    def _argument(self, x, adjoint, axis, place):
        """x as a tensor whose size at `axis` agrees with the operator's at `place`."""
        x = convert_to_tensor(x, name="x")
        if x.dtype.base_dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype}.  Found: {x.dtype} in tensor {x}"
            )
        place = -3 - place if adjoint else place
        size = self.domain_dimension if place == -1 else self.range_dimension
        if x.shape.ndims is not None:
            size.assert_is_compatible_with(x.shape[axis])
        return x

    def _with_operator(self, kind, other, adjoint, adjoint_arg, name):
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if not left.domain_dimension.is_compatible_with(right.range_dimension):
            raise ValueError(
                f"Operators are incompatible. Expected `x` to have dimension"
                f" {left.domain_dimension} but got {right.range_dimension}."
            )
        with self._scope(name):
            return apply_rule(kind, left, right)

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """Computes the product A x.

        Args:
            x: A tensor [..., m, k] of the operator's dtype; or a LinearOperator.
            adjoint: Whether the adjoint of the operator is used. A bool.
            adjoint_arg: Whether the adjoint of x is used. A bool.
            name: Name of the operation, a str.

        Returns:
            A tensor [..., n, k]; or a LinearOperator, if x is one.

        Raises:
            TypeError: x has another dtype.
            ValueError: The shapes do not fit.
        """
        if isinstance(x, LinearOperator):
            return self._with_operator("matmul", x, adjoint, adjoint_arg, name)
        with self._scope(name):
            x = self._argument(x, adjoint, -1 if adjoint_arg else -2, -1)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return arrays.squeeze(self.matmul(x[..., None], adjoint=adjoint), -1)

    def matvec(self, x, adjoint=False, name="matvec"):
        """Computes the product A x with vectors.

        Args:
            x: A tensor [..., m] of the operator's dtype.
            adjoint: Whether the adjoint of the operator is used. A bool.
            name: Name of the operation, a str.

        Returns:
            A tensor [..., n].

        Raises:
            TypeError: x has another dtype.
            ValueError: The shapes do not fit.
        """
        with self._scope(name):
            x = self._argument(x, adjoint, -1, -1)
            return self._matvec(x, adjoint=adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_if(adjoint_arg, rhs)
        if self._can_use_cholesky():
            factor = linalg.cholesky(self.to_dense())
            return linalg.cholesky_solve(*broadcast_batches(factor, rhs))
        return linalg.solve(*broadcast_batches(self.to_dense(), rhs), adjoint=adjoint)

    def _check_solvable(self):
        for hint, text in (self.is_non_singular, "be singular"), (self.is_square, "not be square"):
            if hint is False:
                raise NotImplementedError(
                    f"Exact solve not implemented for an operator that is expected to {text}."
                )

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """Solves A x = rhs.

        Args:
            rhs: A tensor [..., n, k] of the operator's dtype; or a LinearOperator.
            adjoint: Whether the adjoint of the operator is used. A bool.
            adjoint_arg: Whether the adjoint of rhs is used. A bool.
            name: Name of the operation, a str.

        Returns:
            The tensor x, [..., n, k]; or a LinearOperator, if rhs is one.

        Raises:
            NotImplementedError: A hint says that the operator is singular or not square.
            TypeError: rhs has another dtype.
            ValueError: The shapes do not fit.
        """
        self._check_solvable()
        if isinstance(rhs, LinearOperator):
            return self._with_operator("solve", rhs, adjoint, adjoint_arg, name)
        with self._scope(name):
            rhs = self._argument(rhs, adjoint, -1 if adjoint_arg else -2, -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return arrays.squeeze(self.solve(rhs[..., None], adjoint=adjoint), -1)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        """Solves A x = rhs for vectors.

        Args:
            rhs: A tensor [..., n] of the operator's dtype.
            adjoint: Whether the adjoint of the operator is used. A bool.
            name: Name of the operation, a str.

        Returns:
            The tensor x, [..., n].

        Raises:
            NotImplementedError: A hint says that the operator is singular or not square.
            TypeError: rhs has another dtype.
            ValueError: The shapes do not fit.
        """
        with self._scope(name):
            rhs = self._argument(rhs, adjoint, -1, -2)
            return self._solvevec(rhs, adjoint=adjoint)

    # ---- other operators

    def adjoint(self, name="adjoint"):
        """Makes the adjoint operator.

        Args:
            name: Name of the operation, a str.

        Returns:
            A LinearOperator: this one if a hint says that it is self-adjoint.
        """
        if self.is_self_adjoint is True:
            return self
        with self._scope(name):
            return apply_rule("adjoint", self)

    H = property(adjoint, doc="The adjoint LinearOperator.")

    def inverse(self, name="inverse"):
        """Makes the inverse operator.

        Args:
            name: Name of the operation, a str.

        Returns:
            A LinearOperator.

        Raises:
            ValueError: A hint says that the operator is singular or not square.
        """
        for hint, what in (self.is_square, "non square"), (self.is_non_singular, "singular"):
            if hint is False:
                raise ValueError(
                    f"Cannot take the Inverse: This operator represents a {what} matrix."
                )
        with self._scope(name):
            return apply_rule("inverse", self)

    def cholesky(self, name="cholesky"):
        """Makes the Cholesky factor, a lower triangular operator.

        Args:
            name: Name of the operation, a str.

        Returns:
            A LinearOperator.

        Raises:
            ValueError: No hint says that the operator is self-adjoint and positive definite.
        """
        if not self._can_use_cholesky():
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint"
                " matrix."
            )
        with self._scope(name):
            return apply_rule("cholesky", self)

    # ---- the matrix and numbers of it

    def _to_dense(self):
        columns = self.domain_dimension.value
        columns = self.domain_dimension_tensor() if columns is None else columns
        return self.matmul(
            linalg.eye(columns, batch_shape=self.batch_shape_tensor(), dtype=self.dtype)
        )

    def to_dense(self, name="to_dense"):
        """Computes the matrix.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor [..., n, m].
        """
        with self._scope(name):
            return self._to_dense()

    def _diag_part(self):
        return linalg.diag_part(self.to_dense())

    def diag_part(self, name="diag_part"):
        """Computes the main diagonal.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor [..., min(n, m)].
        """
        with self._scope(name):
            return self._diag_part()

    def _trace(self):
        return math.reduce_sum(self.diag_part(), -1)

    def trace(self, name="trace"):
        """Computes the sum of the main diagonal.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor [...].
        """
        with self._scope(name):
            return self._trace()

    def _add_to_tensor(self, x):
        return self.to_dense() + x

    def add_to_tensor(self, x, name="add_to_tensor"):
        """Adds the matrix to a tensor.

        Args:
            x: A tensor [..., n, m] of the operator's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor of the broadcast shape.

        Raises:
            TypeError: x has another dtype.
        """
        with self._scope(name):
            return self._add_to_tensor(self._argument(x, False, -1, -1))

    def _check_square(self):
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )

    def _determinant(self):
        if self._can_use_cholesky():
            return math.exp(self.log_abs_determinant())
        return linalg.det(self.to_dense())

    def determinant(self, name="det"):
        """Computes the determinant.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor [...].

        Raises:
            NotImplementedError: The operator is not square.
        """
        self._check_square()
        with self._scope(name):
            return self._determinant()

    def _log_abs_determinant(self):
        if self._can_use_cholesky():
            diagonal = linalg.diag_part(linalg.cholesky(self.to_dense()))
            return 2 * math.reduce_sum(math.log(diagonal), [-1])
        return linalg.slogdet(self.to_dense())[1]

    def log_abs_determinant(self, name="log_abs_det"):
        """Computes the logarithm of the absolute value of the determinant.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor [...].

        Raises:
            NotImplementedError: The operator is not square.
        """
        self._check_square()
        with self._scope(name):
            return self._log_abs_determinant()

    # ---- checks

    def _assert_non_singular(self):
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = linalg.svd(self.to_dense(), compute_uv=False)
        condition = math.reduce_max(values, -1) / math.reduce_min(values, -1)
        sizes = [self.range_dimension_tensor(), self.domain_dimension_tensor()]
        most = math.reduce_max([100.0, *(arrays.cast(s, dtypes.float32) for s in sizes)])
        epsilon = np.finfo(self.dtype.as_numpy_dtype).eps
        most = 1 / (arrays.cast(most, condition.dtype) * epsilon)
        return assert_less(condition, most, message="Singular matrix up to precision epsilon.")

    def assert_non_singular(self, name="assert_non_singular"):
        """Checks that the matrix has an inverse: its condition number is small enough.

        Args:
            name: Name of the operation, a str.

        Returns:
            The Operation.

        Raises:
            errors.InvalidArgumentError: It is singular: in run(), or at once if that is known.
        """
        with self._scope(name):
            return self._assert_non_singular()

    def _assert_positive_definite(self):
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        diagonal = linalg.diag_part(linalg.cholesky(self.to_dense()))
        return assert_positive(diagonal, message="Matrix was not positive definite.")

    def assert_positive_definite(self, name="assert_positive_definite"):
        """Checks that the real part of x^H A x is positive for all x != 0.

        Args:
            name: Name of the operation, a str.

        Returns:
            The Operation.

        Raises:
            errors.InvalidArgumentError: It is not: in run(), or at once if that is known.
            NotImplementedError: No hint says that the operator is self-adjoint.
        """
        with self._scope(name):
            return self._assert_positive_definite()

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        message = "Matrix was not equal to its adjoint."
        return assert_equal(dense, linalg.adjoint(dense), message=message)

    def assert_self_adjoint(self, name="assert_self_adjoint"):
        """Checks that the matrix equals its adjoint.

        Args:
            name: Name of the operation, a str.

        Returns:
            The Operation.

        Raises:
            errors.InvalidArgumentError: It does not: in run(), or at once if that is known.
        """
        with self._scope(name):
            return self._assert_self_adjoint()
