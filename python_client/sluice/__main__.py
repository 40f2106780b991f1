# SPDX-License-Identifier: Apache-2.0
"""python -m sluice: the command `sluice`."""

import sys

from .cli import main

sys.exit(main())
