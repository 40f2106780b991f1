"""python -m sluice: the command `sluice`."""

import sys

from .cli import main

sys.exit(main())
