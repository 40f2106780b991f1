# SPDX-License-Identifier: Apache-2.0
"""Where the client is built: SLUICE_BUILD, or build/ of this tree. The tests' child processes
find it there too."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.setdefault("SLUICE_BUILD", os.path.join(ROOT, "build"))
PACKAGE = os.path.join(os.path.abspath(BUILD), "python")

if not os.path.isdir(os.path.join(PACKAGE, "sluice")):
    raise SystemExit(f"{PACKAGE} has no package sluice: ./run build makes it")
sys.path.insert(0, PACKAGE)
os.environ["PYTHONPATH"] = PACKAGE
