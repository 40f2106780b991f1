# SPDX-License-Identifier: Apache-2.0
"""Metrics over many steps, with the older names and order of arguments."""

from ... import modules
from . import older

module = modules.make(
    "contrib.metrics",
    "Metrics over many steps under older names: predictions come before labels.",
    {name: getattr(older, name) for name in older.__all__},
)
