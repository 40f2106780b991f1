# SPDX-License-Identifier: Apache-2.0
"""Functions of matrices: determinants, exponentials, logarithms, roots."""

import numpy as np

from ...graph.convert import constant, convert_to_tensor
from .. import array as arrays
from .. import math, raw_ops
from ..array import shape
from ..array.diagonals import diag_part, eye
from ..building import thin, with_names
from ..functions.cond_and_while import while_loop
from ..math.products import matmul
from .decompositions import cholesky
from .solving import solve

det = thin(
    "MatrixDeterminant",
    "input",
    """Computes the determinants of matrices.

    Returns:
        A tensor [...] of the dtype of `input`, which is [..., n, n].
    """,
)


slogdet = thin(
    "LogMatrixDeterminant",
    "input",
    "Computes the sign and the logarithm of the absolute value of determinants.",
)


logm = thin("MatrixLogarithm", "input", "Computes the matrix logarithm of complex matrices.")


sqrtm = thin("MatrixSquareRoot", "input", "Computes the square root of matrices.")


def expm(input, name=None):
    """Computes the exponential of matrices, by a Pade approximant of order 13 with scaling and
    squaring.

    N. J. Higham, The scaling and squaring method for the matrix exponential revisited (2005).

    Args:
        input: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of input.
    """
    x = convert_to_tensor(input)
    norm = math.reduce_max(math.reduce_sum(math.abs(x), -2), -1)[..., None, None]
    squarings = math.maximum(math.ceil(math.log(math.maximum(norm, 1e-30) / 4.25) / np.log(2)), 0)
    x = x / arrays.cast(math.pow(constant(2, norm.dtype), squarings), x.dtype)
    ident = eye(shape(x)[-1], dtype=x.dtype)
    b = [64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
         129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960,
         16380, 182, 1]  # fmt: skip
    b = [v / b[0] for v in b]
    x2 = matmul(x, x)
    x4 = matmul(x2, x2)
    x6 = matmul(x4, x2)
    odd = matmul(x6, x6 * b[13] + x4 * b[11] + x2 * b[9])
    odd = matmul(x, odd + x6 * b[7] + x4 * b[5] + x2 * b[3] + ident * b[1])
    even = matmul(x6, x6 * b[12] + x4 * b[10] + x2 * b[8])
    even = even + x6 * b[6] + x4 * b[4] + x2 * b[2] + ident * b[0]
    result = solve(even - odd, even + odd)
    return _squared(result, squarings, name)


def _squared(x, times, name):
    """Each matrix squared as often as `times` says of it."""
    most = math.reduce_max(times)

    def step(i, value):
        go_on = math.less(raw_ops.OnesLike(x=times) * i, times)
        return i + 1, raw_ops.SelectV2(condition=go_on, t=matmul(value, value), e=value)

    zero = constant(0, times.dtype)
    shapes = [zero.shape, x.shape]
    last = while_loop(lambda i, value: i < most, step, [zero, x], shape_invariants=shapes)
    return raw_ops.Identity(input=last[1], name=name)


def logdet(matrix, name=None):
    """Computes the logarithm of the determinants of positive definite matrices.

    Args:
        matrix: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A real tensor [...].
    """
    factor = diag_part(cholesky(matrix))
    return math.multiply(math.reduce_sum(math.log(math.real(factor)), -1), 2, name)


def trace(x, name=None):
    """Adds up the main diagonal of matrices.

    Args:
        x: A tensor [..., n, m] of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [...] of the same dtype.
    """
    return math.reduce_sum(diag_part(x), [-1], name=name)


__all__ = with_names(globals())
