# SPDX-License-Identifier: Apache-2.0
"""Sets: the rows of a tensor's last dimension. Results are SparseTensors of sorted rows."""

from .ops.sparse.sets import *  # noqa: F403
from .ops.sparse.sets import (  # noqa: F401
    __all__,
    set_difference,
    set_intersection,
    set_size,
    set_union,
)
