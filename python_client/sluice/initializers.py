# SPDX-License-Identifier: Apache-2.0
"""Initial values of variables: each makes a function of (shape, dtype, ...)."""

from .ops.state.initializers import *  # noqa: F403
from .ops.state.initializers import __all__  # noqa: F401
