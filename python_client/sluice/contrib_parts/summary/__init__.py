# SPDX-License-Identifier: Apache-2.0
"""Summaries that a step writes itself."""

from ... import modules
from . import recording, writers, writing

module = modules.make(
    "contrib.summary",
    "Summaries that a step writes itself, to the event file of a writer.",
    {
        name: getattr(source, name)
        for source in (recording, writers, writing)
        for name in source.__all__
    },
)
