# SPDX-License-Identifier: Apache-2.0
"""Adjoints, inverses, Cholesky factors, products and solutions that are linear operators again.

Where the classes know a shorter form, the result has it; else it is computed when it is applied.
"""

from ..ops import linalg, math
from .blocks import LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorKronecker
from .circulant import LinearOperatorCirculant
from .dense import LinearOperatorLowerTriangular
from .diagonal import LinearOperatorDiag
from .identity import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .operator import LinearOperator
from .parts import conj_if
from .reflection import LinearOperatorHouseholder
from .rules import rule
from .turned import LinearOperatorAdjoint, LinearOperatorInversion


def _hints(operator, **others):
    names = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
    return {name: others.get(name, getattr(operator, name)) for name in names}


def _rows(operator):
    size = operator.range_dimension.value
    return operator.range_dimension_tensor() if size is None else size


def _conj(x):
    return conj_if(x.dtype.is_complex, x)


def _of_blocks(cls, method, **others):
    def made(operator):
        parts = [getattr(one, method)() for one in operator.operators]
        return cls(parts, **_hints(operator, **others))

    return made


@rule("adjoint", LinearOperator)
def _adjoint(operator):
    return LinearOperatorAdjoint(operator, **_hints(operator))


@rule("adjoint", LinearOperatorAdjoint)
@rule("inverse", LinearOperatorInversion)
def _turned_back(operator):
    return operator.operator


@rule("adjoint", LinearOperatorIdentity)
@rule("adjoint", LinearOperatorHouseholder)
@rule("inverse", LinearOperatorIdentity)
@rule("inverse", LinearOperatorHouseholder)
def _itself(operator):
    return operator


@rule("adjoint", LinearOperatorScaledIdentity)
def _adjoint_scaled(operator):
    factor = _conj(operator.multiplier)
    return LinearOperatorScaledIdentity(_rows(operator), factor, **_hints(operator))


@rule("adjoint", LinearOperatorDiag)
def _adjoint_diag(operator):
    return LinearOperatorDiag(_conj(operator.diag), **_hints(operator))


@rule("adjoint", LinearOperatorCirculant)
def _adjoint_circulant(operator):
    return LinearOperatorCirculant(
        _conj(operator.spectrum), operator.dtype, **_hints(operator, is_square=True)
    )


@rule("inverse", LinearOperator)
def _inverse(operator):
    return LinearOperatorInversion(operator, **_hints(operator))


@rule("inverse", LinearOperatorDiag)
def _inverse_diag(operator):
    return LinearOperatorDiag(1.0 / operator.diag, **_hints(operator))


@rule("inverse", LinearOperatorScaledIdentity)
def _inverse_scaled(operator):
    factor = 1.0 / operator.multiplier
    return LinearOperatorScaledIdentity(_rows(operator), factor, **_hints(operator))


@rule("inverse", LinearOperatorCirculant)
def _inverse_circulant(operator):
    return LinearOperatorCirculant(1.0 / operator.spectrum, operator.dtype, **_hints(operator))


_POSITIVE = {"is_non_singular": True, "is_self_adjoint": True, "is_positive_definite": True}
_FACTOR = {"is_non_singular": True, "is_self_adjoint": False, "is_positive_definite": None}


@rule("cholesky", LinearOperator)
def _cholesky(operator):
    factor = linalg.cholesky(operator.to_dense())
    return LinearOperatorLowerTriangular(factor, **_FACTOR)


@rule("cholesky", LinearOperatorDiag)
def _cholesky_diag(operator):
    return LinearOperatorDiag(math.sqrt(operator.diag), **_POSITIVE)


@rule("cholesky", LinearOperatorIdentity)
def _cholesky_identity(operator):
    return operator


@rule("cholesky", LinearOperatorScaledIdentity)
def _cholesky_scaled(operator):
    factor = math.sqrt(operator.multiplier)
    return LinearOperatorScaledIdentity(_rows(operator), factor, **_POSITIVE)


for _cls in (LinearOperatorBlockDiag, LinearOperatorKronecker):
    for _kind in ("adjoint", "inverse"):
        rule(_kind, _cls)(_of_blocks(_cls, _kind, is_square=True))
    rule("cholesky", _cls)(_of_blocks(_cls, "cholesky", is_square=True, **_FACTOR))


# ---- two operators


def _both(a, b, hint):
    """A hint of a product: True if both have it, False if one lacks what the other has."""
    values = getattr(a, hint), getattr(b, hint)
    if all(values):
        return True
    return False if True in values and False in values else None


def _joint_hints(a, b):
    """The hints of a product of two operators that commute."""
    non_singular = (a.is_non_singular, b.is_non_singular)
    self_adjoint = _both(a, b, "is_self_adjoint")
    positive = self_adjoint and a.is_positive_definite and b.is_positive_definite
    return {
        "is_non_singular": False if False in non_singular else all(non_singular) or None,
        "is_self_adjoint": self_adjoint,
        "is_positive_definite": True if positive else None,
        "is_square": True,
    }


def _is_square(a, b):
    if a.is_square and b.is_square:
        return True
    rows, columns = a.range_dimension.value, b.domain_dimension.value
    if a.is_square is False and b.is_square is False and None not in (rows, columns):
        return rows == columns
    if a.is_square != b.is_square and a.is_square is not None:
        return False
    return None


def _composed(a, b, left):
    square, non_singular = _is_square(a, b), None
    if square:
        non_singular = _joint_hints(a, b)["is_non_singular"]
    elif square is False:
        non_singular = False
    denied = False if square is False else None
    return LinearOperatorComposition(
        [left, b], non_singular, is_self_adjoint=denied, is_positive_definite=denied,
        is_square=square,
    )  # fmt: skip


@rule("matmul", LinearOperator, LinearOperator)
def _matmul(a, b):
    return _composed(a, b, a)


@rule("matmul", LinearOperatorIdentity, LinearOperator)
@rule("solve", LinearOperatorIdentity, LinearOperator)
def _second(a, b):
    del a
    return b


@rule("matmul", LinearOperator, LinearOperatorIdentity)
def _first(a, b):
    del b
    return a


def _zeros(zeros, other):
    if not zeros.is_square or not other.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not"
            " supported at this time."
        )
    return zeros


@rule("matmul", LinearOperatorZeros, LinearOperator)
def _zeros_left(a, b):
    return _zeros(a, b)


@rule("matmul", LinearOperator, LinearOperatorZeros)
def _zeros_right(a, b):
    return _zeros(b, a)


def _along(operator):
    """The diagonal of a diagonal operator, or the factor of an identity, ready to broadcast."""
    if isinstance(operator, LinearOperatorDiag):
        return operator.diag
    return operator.multiplier[..., None]


for _pair in (
    (LinearOperatorDiag, LinearOperatorDiag),
    (LinearOperatorDiag, LinearOperatorScaledIdentity),
    (LinearOperatorScaledIdentity, LinearOperatorDiag),
):
    rule("matmul", *_pair)(
        lambda a, b: LinearOperatorDiag(_along(a) * _along(b), **_joint_hints(a, b))
    )
    rule("solve", *_pair)(
        lambda a, b: LinearOperatorDiag(_along(b) / _along(a), **_joint_hints(a, b))
    )


def _triangular(matrix, a, b):
    hints = {**_joint_hints(a, b), "is_positive_definite": None}
    return LinearOperatorLowerTriangular(matrix, **hints)


@rule("matmul", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _diag_tril(a, b):
    return _triangular(a.diag[..., None] * b.to_dense(), a, b)


@rule("matmul", LinearOperatorLowerTriangular, LinearOperatorDiag)
def _tril_diag(a, b):
    return _triangular(a.to_dense() * b.diag[..., None, :], a, b)


@rule("solve", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _solve_diag_tril(a, b):
    return _triangular(b.to_dense() / a.diag[..., None], a, b)


@rule("matmul", LinearOperatorCirculant, LinearOperatorCirculant)
def _circulants(a, b):
    return LinearOperatorCirculant(a.spectrum * b.spectrum, a.dtype, **_joint_hints(a, b))


@rule("solve", LinearOperatorCirculant, LinearOperatorCirculant)
def _solve_circulants(a, b):
    return LinearOperatorCirculant(b.spectrum / a.spectrum, a.dtype, **_joint_hints(a, b))


@rule("solve", LinearOperator, LinearOperator)
def _solve(a, b):
    return _composed(a, b, LinearOperatorInversion(a))


@rule("solve", LinearOperatorInversion, LinearOperator)
def _solve_inversion(a, b):
    return a.operator.matmul(b)
