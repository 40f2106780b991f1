# SPDX-License-Identifier: Apache-2.0
"""Matrices. The last two dimensions are the matrix, those before them are batches."""

from ..array.diagonals import *  # noqa: F403
from ..array.diagonals import __all__ as _diagonals
from ..math.clipping import global_norm  # noqa: F401
from ..math.products import *  # noqa: F403
from ..math.products import __all__ as _matrix_products
from .contraction import *  # noqa: F403
from .contraction import __all__ as _contraction
from .decompositions import *  # noqa: F403
from .decompositions import __all__ as _decompositions
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
    *_contraction,
    *_decompositions,
    *_diagonals,
    *_functions,
    *_norms,
    *_matrix_products,
    *_products,
    *_solving,
    *_transposing,
    "global_norm",
]
