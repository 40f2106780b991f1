# SPDX-License-Identifier: Apache-2.0
"""Linear operators: matrices that need not be stored element by element."""

from . import algebra  # noqa: F401, it registers the rules
from .blocks import LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorKronecker
from .circulant import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
    LinearOperatorToeplitz,
)
from .dense import LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .diagonal import LinearOperatorDiag
from .identity import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .operator import LinearOperator
from .reflection import LinearOperatorHouseholder, LinearOperatorLowRankUpdate
from .turned import LinearOperatorAdjoint, LinearOperatorInversion

__all__ = [
    "LinearOperator", "LinearOperatorAdjoint", "LinearOperatorBlockDiag",
    "LinearOperatorCirculant", "LinearOperatorCirculant2D", "LinearOperatorCirculant3D",
    "LinearOperatorComposition", "LinearOperatorDiag", "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder", "LinearOperatorIdentity", "LinearOperatorInversion",
    "LinearOperatorKronecker", "LinearOperatorLowRankUpdate", "LinearOperatorLowerTriangular",
    "LinearOperatorScaledIdentity", "LinearOperatorToeplitz", "LinearOperatorZeros",
]  # fmt: skip
