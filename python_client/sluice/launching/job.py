# SPDX-License-Identifier: Apache-2.0
"""What a job of another launcher is made of."""

from typing import Any, NamedTuple

# A line of a shell. Each run of a job has another secret.
EXPORT_TOKEN = "export SLUICE_RENDEZVOUS_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')\n"


class Job(NamedTuple):
    """options: those of `sluice launch`. size: number of processes. command: what each runs."""

    options: Any
    size: int
    command: list
