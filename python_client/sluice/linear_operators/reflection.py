# SPDX-License-Identifier: Apache-2.0
"""Linear operators that reflect, and those that differ from another one by a low rank."""

from .. import errors
from ..graph.convert import convert_to_tensor
from ..ops import array as arrays
from ..ops import linalg, math
from ..ops.control_flow.grouping import no_op
from .diagonal import LinearOperatorDiag
from .identity import LinearOperatorIdentity
from .operator import LinearOperator
from .parts import adjoint_if, broadcast_batches, scope


class LinearOperatorHouseholder(LinearOperator):
    """Reflections I - 2 v v^H at the hyperplane through 0 that is orthogonal to v.

    Args:
        reflection_axis: The vectors v, a tensor [..., n] of any floating-point or complex dtype.
            They are divided by their lengths.
    """

    def __init__(self, reflection_axis, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None,
                 name="LinearOperatorHouseholder"):  # fmt: skip
        with scope(name):
            self._axis = convert_to_tensor(reflection_axis, name="reflection_axis")
        if self._axis.shape.ndims == 0:
            raise ValueError(
                f"Argument reflection_axis must have at least 1 dimension.  Found: {self._axis}"
            )
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite is True:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False:
            raise ValueError("A Householder operator is always square.")
        super().__init__(
            self._axis.dtype, [self._axis], is_non_singular, True, False, True, name
        )

    @property
    def reflection_axis(self):
        """The vectors that the reflections turn around, a tensor [..., n]."""
        return self._axis

    def _shape(self):
        return self._axis.shape.concatenate(self._axis.shape[-1:])

    def _shape_tensor(self):
        sizes = arrays.shape(self._axis)
        return arrays.concat([sizes, sizes[-1:]], 0)

    def _assert_non_singular(self):
        return no_op()

    _assert_self_adjoint = _assert_non_singular

    def _assert_positive_definite(self):
        raise errors.InvalidArgumentError("Householder operators are always non-positive definite.")

    def _unit(self):
        """The vectors of length 1 as matrices [..., n, 1]."""
        return (self._axis / linalg.norm(self._axis, axis=-1, keepdims=True))[..., None]

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x, unit = adjoint_if(adjoint_arg, x), self._unit()
        return x - 2 * unit * linalg.matmul(unit, x, adjoint_a=True)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _determinant(self):
        return -arrays.ones(self.batch_shape_tensor(), self.dtype)

    def _log_abs_determinant(self):
        return arrays.zeros(self.batch_shape_tensor(), self.dtype)

    def _trace(self):
        size = arrays.cast(self.domain_dimension_tensor() - 2, self.dtype)
        return size * arrays.ones(self.batch_shape_tensor(), self.dtype)

    def _to_dense(self):
        unit = self._unit()
        matrix = -2 * linalg.matmul(unit, unit, adjoint_b=True)
        return linalg.set_diag(matrix, 1 + linalg.diag_part(matrix))


class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U D V^H: an operator L that is changed by one of low rank k.

    Solutions and determinants are those of L and of a k x k matrix, by the formulas of Woodbury
    and Sylvester.

    Args:
        base_operator: The LinearOperator L [..., n, m].
        u: The matrices U, a tensor [..., n, k] of the dtype of L.
        diag_update: The diagonals of D, a tensor [..., k]. None: ones.
        v: The matrices V, a tensor [..., m, k]. None: U.
        is_diag_update_positive: Whether D is positive. A bool. None: unknown.
    """

    def __init__(self, base_operator, u, diag_update=None, v=None, is_diag_update_positive=None,
                 is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorLowRankUpdate"):  # fmt: skip
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    "Default diagonal is the identity, which is positive.  However, user set"
                    " 'is_diag_update_positive' to False."
                )
            is_diag_update_positive = True
        symmetric = base_operator.is_self_adjoint and v is None
        self._use_cholesky = bool(
            symmetric and base_operator.is_positive_definite and is_diag_update_positive
        )
        if symmetric and not base_operator.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is"
                    " self-adjoint, this must be a self-adjoint operator."
                )
            is_self_adjoint = True
        if self._use_cholesky:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        with scope(name):
            self._u = convert_to_tensor(u, name="u")
            self._v = self._u if v is None else convert_to_tensor(v, name="v")
            self._diag_update = None
            if diag_update is not None:
                self._diag_update = convert_to_tensor(diag_update, name="diag_update")
        self._base, self._positive = base_operator, is_diag_update_positive
        parents = [p for p in (self._u, self._diag_update, self._v) if p is not None]
        super().__init__(
            base_operator.dtype, [*base_operator.graph_parents, *parents],
            is_non_singular, is_self_adjoint, is_positive_definite, is_square, name,
        )  # fmt: skip
        if self._diag_update is None:
            rank = self._u.shape[-1:]
            rank = int(rank[0]) if rank.is_fully_defined() else arrays.shape(self._u)[-1]
            self._diag_operator = LinearOperatorIdentity(rank, dtype=self.dtype)
        else:
            self._diag_operator = LinearOperatorDiag(
                self._diag_update, is_positive_definite=is_diag_update_positive
            )
        self._check_shapes()

    def _check_shapes(self):
        shape = arrays.broadcast_static_shape(self._u.shape, self._v.shape)
        batch = arrays.broadcast_static_shape(self._base.batch_shape, shape[:-2])
        self._base.domain_dimension.assert_is_compatible_with(shape[-2])
        if self._diag_update is not None:
            self._diag_operator.domain_dimension.assert_is_compatible_with(shape[-1])
            arrays.broadcast_static_shape(batch, self._diag_update.shape[:-1])

    @property
    def base_operator(self):
        """The LinearOperator L."""
        return self._base

    @property
    def u(self):
        """The matrices U, a tensor [..., n, k]."""
        return self._u

    @property
    def v(self):
        """The matrices V, a tensor [..., m, k]."""
        return self._v

    @property
    def diag_update(self):
        """The diagonals of D, a tensor [..., k]; None if they are ones."""
        return self._diag_update

    @property
    def diag_operator(self):
        """The LinearOperator D."""
        return self._diag_operator

    @property
    def is_diag_update_positive(self):
        """Whether D is positive: a bool, or None if that is not known."""
        return self._positive

    def _shape(self):
        batch = arrays.broadcast_static_shape(self._base.batch_shape, self._u.shape[:-2])
        return batch.concatenate(self._base.shape[-2:])

    def _shape_tensor(self):
        batch = arrays.broadcast_dynamic_shape(
            self._base.batch_shape_tensor(), arrays.shape(self._u)[:-2]
        )
        return arrays.concat([batch, self._base.shape_tensor()[-2:]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        x = adjoint_if(adjoint_arg, x)
        small = self._diag_operator.matmul(linalg.matmul(right, x, adjoint_a=True), adjoint=adjoint)
        return self._base.matmul(x, adjoint=adjoint) + linalg.matmul(left, small)

    def _capacitance(self):
        """D^-1 + V^H L^-1 U, a matrix [..., k, k]."""
        inner = linalg.matmul(self._v, self._base.solve(self._u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        if self._base.is_non_singular is False:
            raise ValueError(
                "Solve not implemented unless this is a perturbation of a non-singular"
                " LinearOperator."
            )
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        first = self._base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        small = linalg.matmul(right, first, adjoint_a=True)
        if self._use_cholesky:
            factor = linalg.cholesky(self._capacitance())
            small = linalg.cholesky_solve(*broadcast_batches(factor, small))
        else:
            small = linalg.solve(*broadcast_batches(self._capacitance(), small), adjoint=adjoint)
        return first - self._base.solve(linalg.matmul(left, small), adjoint=adjoint)

    def _determinant(self):
        if self.is_positive_definite:
            return math.exp(self.log_abs_determinant())
        small = linalg.det(self._capacitance()) * self._diag_operator.determinant()
        return small * self._base.determinant()

    def _log_abs_determinant(self):
        if self._use_cholesky:
            diagonal = linalg.diag_part(linalg.cholesky(self._capacitance()))
            logarithm = 2 * math.reduce_sum(math.log(diagonal), [-1])
        else:
            modulus = math.abs(linalg.det(self._capacitance()))
            logarithm = arrays.cast(math.log(modulus), self.dtype)
        logarithm += self._diag_operator.log_abs_determinant()
        return logarithm + self._base.log_abs_determinant()
