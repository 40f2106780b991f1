# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors: the places that are not zero, and what stands there."""

from .arithmetic import *  # noqa: F403
from .arithmetic import __all__ as _arithmetic
from .crossing import *  # noqa: F403
from .crossing import __all__ as _crossing
from .rearranging import *  # noqa: F403
from .rearranging import __all__ as _rearranging
from .segments import *  # noqa: F403
from .segments import __all__ as _segments
from .sparse_tensor import *  # noqa: F403
from .sparse_tensor import __all__ as _sparse_tensor

__all__ = [*_arithmetic, *_crossing, *_rearranging, *_segments, *_sparse_tensor]
