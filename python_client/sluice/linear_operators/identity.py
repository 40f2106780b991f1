# SPDX-License-Identifier: Apache-2.0
"""Linear operators that are stored by their size: multiples of the identity, and zeros."""

from .. import dtypes, errors
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import control_dependencies
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import linalg, math
from ..ops.control_flow.grouping import no_op
from ..ops.debug.assertions import assert_equal, assert_non_negative, assert_positive
from .operator import LinearOperator
from .parts import (
    adjoint_if,
    assert_no_imaginary_part,
    conj_if,
    known_shape,
    scope,
    shape_tensor,
    static_value,
)


class SizedOperator(LinearOperator):
    """An operator that knows its numbers of rows and columns, and the shape of its batch.

    A derived constructor calls _set_sizes() before that of LinearOperator.
    """

    def _set_sizes(self, num_rows, num_columns, batch_shape, checked, name):
        self._checked = checked
        with scope(name):
            self._rows = self._size_tensor(num_rows, "num_rows", 0)
            self._columns = self._rows
            if num_columns is not None:
                self._columns = self._size_tensor(num_columns, "num_columns", 0)
            self._batch = None
            if batch_shape is not None:
                self._batch = self._size_tensor(batch_shape, "batch_shape", 1)

    def _size_tensor(self, value, name, rank):
        tensor = shape_tensor(value, name)
        if not tensor.dtype.is_integer:
            raise TypeError(f"Argument {name} must be integer type.  Found: {tensor}")
        static = static_value(tensor)
        if static is None:
            if self._checked:
                with control_dependencies([assert_non_negative(tensor)]):
                    return arrays.identity(tensor)
            return tensor
        if static.ndim != rank:
            raise ValueError(f"Argument {name} must be a {rank}-D Tensor.  Found: {static}")
        if (static < 0).any():
            raise ValueError(f"Argument {name} must be non-negative.  Found: {static}")
        return tensor

    def _shape(self):
        sizes = [static_value(size) for size in (self._rows, self._columns)]
        matrix = TensorShape([None if size is None else int(size) for size in sizes])
        if self._batch is None:
            return matrix
        batch = static_value(self._batch)
        batch = TensorShape(None if batch is None else [int(size) for size in batch])
        return batch.concatenate(matrix)

    def _shape_tensor(self):
        matrix = arrays.stack([self._rows, self._columns])
        return matrix if self._batch is None else arrays.concat([self._batch, matrix], 0)

    def _checked_argument(self, x, adjoint=False):
        """x, which is checked when a step runs if the constructor was told so."""
        if not self._checked:
            return x
        size = self.range_dimension_tensor() if adjoint else self.domain_dimension_tensor()
        message = "Dimensions are not compatible."
        with control_dependencies([assert_equal(arrays.shape(x)[-2], size, message=message)]):
            return arrays.identity(x)

    def _in_batch(self, x):
        """x with the batch shape of the operator, against which it is broadcast."""
        if self._batch is None:
            return x
        batch = arrays.concat([self.batch_shape_tensor(), [1, 1]], 0)
        return x + arrays.zeros(batch, self.dtype)

    def _batch_of(self, make):
        return make(known_shape(self.batch_shape, self.batch_shape_tensor), self.dtype)

    def _diagonal_of(self, make):
        sizes = self.shape_tensor()
        shortest = math.reduce_min(sizes[-2:], keepdims=True)
        return make(arrays.concat([sizes[:-2], shortest], 0), self.dtype)


class LinearOperatorIdentity(SizedOperator):
    """The identity matrix, or a batch of them.

    Args:
        num_rows: The number of rows n, an int or an int32 scalar.
        batch_shape: The shape of the batch, a list of ints or an int32 vector. None: no batch.
        dtype: Dtype of the matrix. None: float32.
    """

    def __init__(self, num_rows, batch_shape=None, dtype=None, is_non_singular=True,
                 is_self_adjoint=True, is_positive_definite=True, is_square=True,
                 assert_proper_shapes=False, name="LinearOperatorIdentity"):  # fmt: skip
        for hint, what in (
            (is_self_adjoint, "self adjoint"),
            (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"),
            (is_square, "square"),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {what}.")
        self._set_sizes(num_rows, None, batch_shape, assert_proper_shapes, name)
        super().__init__(dtype or dtypes.float32, None, True, True, True, True, name)

    def _assert_non_singular(self):
        return no_op()

    _assert_positive_definite = _assert_self_adjoint = _assert_non_singular

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._in_batch(self._checked_argument(adjoint_if(adjoint_arg, x)))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _determinant(self):
        return self._batch_of(arrays.ones)

    def _log_abs_determinant(self):
        return self._batch_of(arrays.zeros)

    def _trace(self):
        return arrays.cast(self.range_dimension_tensor(), self.dtype) * self._determinant()

    def _diag_part(self):
        return self._diagonal_of(arrays.ones)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """Adds the identity to a tensor.

        Args:
            mat: A tensor [..., n, n] of the operator's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor of the shape of mat.
        """
        with self._scope(name):
            mat = convert_to_tensor(mat, name="mat")
            return linalg.set_diag(mat, 1 + linalg.diag_part(mat))


class LinearOperatorScaledIdentity(SizedOperator):
    """A multiple of the identity matrix, or a batch of them.

    Args:
        num_rows: The number of rows n, an int or an int32 scalar.
        multiplier: The factors, a tensor [...] of any floating-point or complex dtype.
    """

    def __init__(self, num_rows, multiplier, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorScaledIdentity"):  # fmt: skip
        with scope(name):
            self._multiplier = convert_to_tensor(multiplier, name="multiplier")
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        self._set_sizes(num_rows, None, None, assert_proper_shapes, name)
        super().__init__(
            self._multiplier.dtype, [self._multiplier], is_non_singular, is_self_adjoint,
            is_positive_definite, True, name,
        )  # fmt: skip

    @property
    def multiplier(self):
        """The factors, a tensor [...]."""
        return self._multiplier

    def _shape(self):
        return self._multiplier.shape.concatenate(super()._shape())

    def _shape_tensor(self):
        return arrays.concat([arrays.shape(self._multiplier), super()._shape_tensor()], 0)

    def _assert_non_singular(self):
        return assert_positive(math.abs(self._multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self):
        message = "LinearOperator was not positive definite."
        return assert_positive(math.real(self._multiplier), message=message)

    def _assert_self_adjoint(self):
        message = "LinearOperator was not self-adjoint"
        return assert_no_imaginary_part(self._multiplier, message)

    def _factor(self, conjugate):
        return conj_if(conjugate, self._multiplier)[..., None, None]

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._checked_argument(adjoint_if(adjoint_arg, x)) * self._factor(adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._checked_argument(adjoint_if(adjoint_arg, rhs)) / self._factor(adjoint)

    def _determinant(self):
        return self._multiplier ** arrays.cast(self._rows, self.dtype)

    def _log_abs_determinant(self):
        logarithm = math.log(math.abs(self._multiplier))
        return arrays.cast(self._rows, logarithm.dtype) * logarithm

    def _trace(self):
        return self._multiplier * arrays.cast(self._rows, self.dtype)

    def _diag_part(self):
        return self._diagonal_of(arrays.ones) * self._multiplier[..., None]

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """Adds the matrix to a tensor.

        Args:
            mat: A tensor [..., n, n] of the operator's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor of the shape of mat.
        """
        with self._scope(name):
            mat = convert_to_tensor(mat, name="mat")
            return linalg.set_diag(mat, self._multiplier[..., None] + linalg.diag_part(mat))


class LinearOperatorZeros(SizedOperator):
    """A matrix of zeros, or a batch of them.

    Args:
        num_rows: The number of rows n, an int or an int32 scalar.
        num_columns: The number of columns m, an int or an int32 scalar. None: as many as rows.
        batch_shape: The shape of the batch, a list of ints or an int32 vector. None: no batch.
        dtype: Dtype of the matrix. None: float32.
    """

    def __init__(self, num_rows, num_columns=None, batch_shape=None, dtype=None,
                 is_non_singular=False, is_self_adjoint=True, is_positive_definite=False,
                 is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorZeros"):  # fmt: skip
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        if is_non_singular:
            raise ValueError("A zero operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zero operator is always not positive-definite.")
        self._set_sizes(num_rows, num_columns, batch_shape, assert_proper_shapes, name)
        rows, columns = static_value(self._rows), static_value(self._columns)
        if is_square and None not in (rows, columns) and rows != columns:
            raise ValueError(
                f"LinearOperatorZeros initialized as is_square=True, but got num_rows({rows}) !="
                f" num_columns({columns})"
            )
        super().__init__(
            dtype or dtypes.float32, None, is_non_singular, is_self_adjoint, is_positive_definite,
            is_square, name,
        )  # fmt: skip

    def _assert_non_singular(self):
        raise errors.InvalidArgumentError("Zero operators are always non-invertible.")

    def _assert_positive_definite(self):
        raise errors.InvalidArgumentError("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return no_op()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._checked_argument(adjoint_if(adjoint_arg, x), adjoint)
        sizes = arrays.shape(x)
        rows = self.domain_dimension_tensor() if adjoint else self.range_dimension_tensor()
        sizes = arrays.concat([sizes[:-2], [rows], sizes[-1:]], 0)
        return self._in_batch(arrays.zeros(sizes, self.dtype))

    def _determinant(self):
        return self._batch_of(arrays.zeros)

    _trace = _determinant

    def _diag_part(self):
        return self._diagonal_of(arrays.zeros)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """Adds zeros to a tensor, which is broadcast.

        Args:
            mat: A tensor [..., n, m] of the operator's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor of the broadcast shape.
        """
        with self._scope(name):
            return self._in_batch(convert_to_tensor(mat, name="mat"))
