# SPDX-License-Identifier: Apache-2.0
"""What the tests of launchers have in common: commands, and processes that must be gone."""

import os
import subprocess
import sys
import time

COMMAND = os.path.join(os.environ["SLUICE_BUILD"], "sluice")
PYTHON = sys.executable
SECONDS = 100


def command(*arguments):
    return [COMMAND, "run", *arguments]


def run(*arguments, seconds=SECONDS):
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=seconds)


def start(*arguments):
    return subprocess.Popen(command(*arguments), text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)  # fmt: skip


def lives(pid):
    """Whether a process runs: one that nobody has waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_end(numbers):
    """Returns when none of the processes is left; pytest's time limit ends a longer wait."""
    while any(lives(number) for number in numbers):
        time.sleep(0.02)
