# SPDX-License-Identifier: Apache-2.0
"""Ops as lines of data: inputs, attributes and the error expected."""

import importlib
import pathlib


def families():
    """Functions that yield cases."""
    for path in sorted(pathlib.Path(__file__).parent.glob("*_cases.py")):
        yield from importlib.import_module(f"{__name__}.{path.stem}").FAMILIES
