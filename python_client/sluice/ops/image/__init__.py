# SPDX-License-Identifier: Apache-2.0
"""Images."""

from .adjusting import *  # noqa: F403
from .adjusting import __all__ as _adjusting
from .boxes import *  # noqa: F403
from .boxes import __all__ as _boxes
from .codecs import *  # noqa: F403
from .codecs import __all__ as _codecs
from .colours import *  # noqa: F403
from .colours import __all__ as _colours
from .conversion import *  # noqa: F403
from .conversion import __all__ as _conversion
from .cropping import *  # noqa: F403
from .cropping import __all__ as _cropping
from .flipping import *  # noqa: F403
from .flipping import __all__ as _flipping
from .measuring import *  # noqa: F403
from .measuring import __all__ as _measuring
from .patches import *  # noqa: F403
from .patches import __all__ as _patches
from .resizing import *  # noqa: F403
from .resizing import __all__ as _resizing

__all__ = [
    *_adjusting,
    *_boxes,
    *_codecs,
    *_colours,
    *_conversion,
    *_cropping,
    *_flipping,
    *_measuring,
    *_patches,
    *_resizing,
]
