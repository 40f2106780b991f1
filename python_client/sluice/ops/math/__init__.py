# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, comparison, special functions, reductions, scans and segments."""

from .arithmetic import *  # noqa: F403
from .arithmetic import __all__ as _arithmetic
from .comparison import *  # noqa: F403
from .comparison import __all__ as _comparison
from .complex_numbers import *  # noqa: F403
from .complex_numbers import __all__ as _complex_numbers
from .counting import *  # noqa: F403
from .counting import __all__ as _counting
from .elementary import *  # noqa: F403
from .elementary import __all__ as _elementary
from .ranking import *  # noqa: F403
from .ranking import __all__ as _ranking
from .reductions import *  # noqa: F403
from .reductions import __all__ as _reductions
from .rounding import *  # noqa: F403
from .rounding import __all__ as _rounding
from .scans import *  # noqa: F403
from .scans import __all__ as _scans
from .segments import *  # noqa: F403
from .segments import __all__ as _segments
from .special import *  # noqa: F403
from .special import __all__ as _special

__all__ = [
    *_arithmetic,
    *_comparison,
    *_complex_numbers,
    *_counting,
    *_elementary,
    *_ranking,
    *_reductions,
    *_rounding,
    *_scans,
    *_segments,
    *_special,
]
