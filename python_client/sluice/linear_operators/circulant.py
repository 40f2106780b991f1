# SPDX-License-Identifier: Apache-2.0
"""Linear operators whose products are convolutions: circulant and Toeplitz matrices."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import linalg, math
from ..ops.debug.assertions import assert_equal, assert_less, assert_positive
from ..ops.signal import signal
from .operator import LinearOperator
from .parts import adjoint_if, assert_no_imaginary_part, assert_not_zero, conj_if, scope


def _complex(x):
    if x.dtype.is_complex:
        return x
    return arrays.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


class CirculantOperator(LinearOperator):
    """A circulant matrix with blocks that are circulant themselves, to some depth.

    The discrete Fourier transform diagonalizes it: the eigenvalues are the spectrum.
    """

    _DEPTH = 1

    def __init__(self, spectrum, input_output_dtype, is_non_singular, is_self_adjoint,
                 is_positive_definite, is_square, name):  # fmt: skip
        with scope(name):
            self._spectrum = convert_to_tensor(spectrum, name="spectrum")
        ndims = self._spectrum.shape.ndims
        if ndims is not None and ndims < self._DEPTH:
            raise ValueError(
                f"Argument spectrum must have at least {self._DEPTH} dimensions.  Found:"
                f" {self._spectrum}"
            )
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("A [[nested] block] circulant operator is always square.")
        super().__init__(
            input_output_dtype, [self._spectrum], is_non_singular, is_self_adjoint,
            is_positive_definite, True, name,
        )  # fmt: skip
        self._transform, self._inverse_transform = {
            1: (signal.fft, signal.ifft),
            2: (signal.fft2d, signal.ifft2d),
            3: (signal.fft3d, signal.ifft3d),
        }[self._DEPTH]
        self._axes = list(range(-self._DEPTH, 0))

    @property
    def spectrum(self):
        """The eigenvalues, a tensor [..., *block_shape]."""
        return self._spectrum

    @property
    def block_depth(self):
        """The number of dimensions of a block: 1, 2 or 3."""
        return self._DEPTH

    @property
    def block_shape(self):
        """The static TensorShape of a block: its product is the number of rows."""
        return self._spectrum.shape[-self._DEPTH :]

    def block_shape_tensor(self):
        """Computes the shape of a block.

        Returns:
            An int32 vector.
        """
        return arrays.shape(self._spectrum)[-self._DEPTH :]

    def _shape(self):
        size = None
        if self.block_shape.is_fully_defined():
            size = int(np.prod(self.block_shape.as_list()))
        return self._spectrum.shape[: -self._DEPTH].concatenate(TensorShape([size, size]))

    def _shape_tensor(self):
        sizes = arrays.shape(self._spectrum)
        size = math.reduce_prod(sizes[-self._DEPTH :], keepdims=True)
        return arrays.concat([sizes[: -self._DEPTH], size, size], 0)

    def convolution_kernel(self, name="convolution_kernel"):
        """Computes the kernel of the convolution: the inverse transform of the spectrum.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor [..., *block_shape] of the operator's dtype.
        """
        with self._scope(name):
            kernel = self._inverse_transform(_complex(self._spectrum))
            return arrays.cast(kernel, self.dtype)

    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum"):
        """Checks that the kernel is real, up to rounding.

        Args:
            name: Name of the operation, a str.

        Returns:
            The Operation.

        Raises:
            errors.InvalidArgumentError: In run(): it is not.
        """
        with self._scope(name):
            imaginary = math.abs(math.imag(self.convolution_kernel()))
            epsilon = np.finfo(imaginary.dtype.as_numpy_dtype).eps
            most = epsilon * arrays.cast(self.domain_dimension_tensor(), imaginary.dtype)
            return assert_less(imaginary, most, message="Spectrum was not Hermitian")

    def _assert_non_singular(self):
        message = "Singular operator:  Spectrum contained zero values."
        return assert_not_zero(self._spectrum, message)

    def _assert_positive_definite(self):
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return assert_positive(math.real(self._spectrum), message=message)

    def _assert_self_adjoint(self):
        message = "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        return assert_no_imaginary_part(self._spectrum, message)

    def _filtered(self, x, adjoint, adjoint_arg, function):
        """function(transform, spectrum) of the columns of x, transformed back."""
        spectrum = conj_if(adjoint, _complex(self._spectrum))
        x = linalg.matrix_transpose(adjoint_if(adjoint_arg, x))
        batch = arrays.broadcast_static_shape(self.batch_shape, x.shape[:-2])
        columns = x.shape[-2]
        x = arrays.cast(x, spectrum.dtype)
        blocks = arrays.concat([arrays.shape(x)[:-1], self.block_shape_tensor()], 0)
        x = self._transform(arrays.reshape(x, blocks))
        x = function(x, arrays.expand_dims(spectrum, -self._DEPTH - 1))
        x = self._inverse_transform(x)
        x = arrays.reshape(x, arrays.concat([arrays.shape(x)[: -self._DEPTH], [-1]], 0))
        x = linalg.matrix_transpose(x)
        x.set_shape(batch.concatenate(TensorShape([self.range_dimension, columns])))
        return arrays.cast(x, self.dtype)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._filtered(x, adjoint, adjoint_arg, math.multiply)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._filtered(rhs, adjoint, adjoint_arg, math.divide)

    def _determinant(self):
        return arrays.cast(math.reduce_prod(self._spectrum, self._axes), self.dtype)

    def _log_abs_determinant(self):
        logarithms = math.log(math.abs(self._spectrum))
        return arrays.cast(math.reduce_sum(logarithms, self._axes), self.dtype)

    def _trace(self):
        total = math.reduce_sum(self._spectrum, self._axes)
        return arrays.cast(total, self.dtype)

    def _diag_part(self):
        sizes = self.shape_tensor()[:-1]
        mean = self.trace() / arrays.cast(self.domain_dimension_tensor(), self.dtype)
        return mean[..., None] * arrays.ones(sizes, self.dtype)


class LinearOperatorCirculant(CirculantOperator):
    """Circulant matrices: each column is the one before it, rotated down by one place.

    Args:
        spectrum: The eigenvalues, a tensor [..., n] of any floating-point or complex dtype: the
            Fourier transform of the first column.
        input_output_dtype: Dtype of the matrix and of its arguments.
    """

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None,
                 is_self_adjoint=None, is_positive_definite=None, is_square=True,
                 name="LinearOperatorCirculant"):  # fmt: skip
        super().__init__(
            spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
            is_square, name,
        )  # fmt: skip


class LinearOperatorCirculant2D(CirculantOperator):
    """Circulant matrices whose blocks are circulant.

    Args:
        spectrum: The eigenvalues, a tensor [..., n1, n2] of any floating-point or complex dtype:
            the matrix has n1 n2 rows.
        input_output_dtype: Dtype of the matrix and of its arguments.
    """

    _DEPTH = 2

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None,
                 is_self_adjoint=None, is_positive_definite=None, is_square=True,
                 name="LinearOperatorCirculant2D"):  # fmt: skip
        super().__init__(
            spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
            is_square, name,
        )  # fmt: skip


class LinearOperatorCirculant3D(CirculantOperator):
    """Circulant matrices whose blocks are circulant with circulant blocks.

    Args:
        spectrum: The eigenvalues, a tensor [..., n1, n2, n3] of any floating-point or complex
            dtype: the matrix has n1 n2 n3 rows.
        input_output_dtype: Dtype of the matrix and of its arguments.
    """

    _DEPTH = 3

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None,
                 is_self_adjoint=None, is_positive_definite=None, is_square=True,
                 name="LinearOperatorCirculant3D"):  # fmt: skip
        super().__init__(
            spectrum, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
            is_square, name,
        )  # fmt: skip


class LinearOperatorToeplitz(LinearOperator):
    """Toeplitz matrices, whose diagonals are constant.

    Args:
        col: The first columns, a tensor [..., n] of any floating-point or complex dtype.
        row: The first rows, a tensor [..., n] of that dtype. Their first element is not read.
    """

    def __init__(self, col, row, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None,
                 name="LinearOperatorToeplitz"):  # fmt: skip
        with scope(name):
            self._row = convert_to_tensor(row, name="row")
            self._col = convert_to_tensor(col, name="col")
            for argument, value in ("row", self._row), ("col", self._col):
                if value.shape.ndims == 0:
                    raise ValueError(
                        f"Argument {argument} must have at least 1 dimension.  Found: {value}"
                    )
            if not self._row.shape[-1:].is_compatible_with(self._col.shape[-1:]):
                raise ValueError(
                    "Expected square matrix, got row and col with mismatched dimensions."
                )
            # The first column of a circulant matrix of twice the size, whose corner this one is.
            parts = [
                self._col,
                arrays.zeros_like(self._col[..., :1]),
                arrays.reverse(self._row[..., 1:], [-1]),
            ]
            column = _complex(arrays.concat(parts, -1))
            self._circulant = LinearOperatorCirculant(signal.fft(column), self._row.dtype)
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        super().__init__(
            self._row.dtype, [self._row, self._col], is_non_singular, is_self_adjoint,
            is_positive_definite, True, name,
        )  # fmt: skip

    @property
    def col(self):
        """The first columns, a tensor [..., n]."""
        return self._col

    @property
    def row(self):
        """The first rows, a tensor [..., n]."""
        return self._row

    def _shape(self):
        shape = arrays.broadcast_static_shape(self._row.shape, self._col.shape)
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        sizes = arrays.broadcast_dynamic_shape(arrays.shape(self._row), arrays.shape(self._col))
        return arrays.concat([sizes, sizes[-1:]], 0)

    def _assert_self_adjoint(self):
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return assert_equal(self._row, self._col, message=message)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = adjoint_if(adjoint_arg, x)
        x = arrays.concat([x, arrays.zeros_like(x)], -2)
        result = self._circulant.matmul(x, adjoint=adjoint)
        return result[..., : self.domain_dimension_tensor(), :]

    def _trace(self):
        return arrays.cast(self.domain_dimension_tensor(), self.dtype) * self._col[..., 0]

    def _diag_part(self):
        return self._col[..., :1] * arrays.ones([self.domain_dimension_tensor()], self.dtype)
