# SPDX-License-Identifier: Apache-2.0
"""Random numbers. With set_random_seed() or a seed of their own they are the same in every
session, and TensorFlow's."""

from .ops.random.random import *  # noqa: F403
from .ops.random.random import __all__  # noqa: F401
