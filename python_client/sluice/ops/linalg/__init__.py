# SPDX-License-Identifier: Apache-2.0
"""Matrices. The last two dimensions are the matrix, those before them are batches."""

from ..math.clipping import global_norm  # noqa: F401
from .decompositions import *  # noqa: F403
from .decompositions import __all__ as _decompositions
from .diagonals import *  # noqa: F403
from .diagonals import __all__ as _diagonals
from .functions import *  # noqa: F403
from .functions import __all__ as _functions
from .norms import *  # noqa: F403
from .norms import __all__ as _norms
from .products import *  # noqa: F403
from .products import __all__ as _products
from .solving import *  # noqa: F403
from .solving import __all__ as _solving
from .transposing import *  # noqa: F403
from .transposing import __all__ as _transposing

__all__ = [
    *_decompositions,
    *_diagonals,
    *_functions,
    *_norms,
    *_products,
    *_solving,
    *_transposing,
    "global_norm",
]
