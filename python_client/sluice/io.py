# SPDX-License-Identifier: Apache-2.0
"""Files and bytes."""

from .ops.io.io import *  # noqa: F403
from .ops.io.io import __all__ as _io
from .ops.parsing import *  # noqa: F403
from .ops.parsing import __all__ as _parsing
from .ops.sparse.serialization import *  # noqa: F403
from .ops.sparse.serialization import __all__ as _serialization
from .ops.strings.binary import *  # noqa: F403
from .ops.strings.binary import __all__ as _binary

__all__ = [*_io, *_parsing, *_serialization, *_binary]
