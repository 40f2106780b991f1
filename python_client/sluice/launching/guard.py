# SPDX-License-Identifier: Apache-2.0
"""Ends process groups when this process ends, even if it is killed."""

import os
import signal
import time

_GRACE_SECONDS = 2.0


class Guard:
    """A child process that waits for the end of this one.

    It knows the process groups through a pipe, which the kernel closes when this process ends.
    Make it before other threads start, because it is a fork.
    """

    def __init__(self):
        reader, self._writer = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            try:
                os.close(self._writer)
                _watch(reader)
            finally:
                os._exit(0)
        os.close(reader)

    def add(self, group):
        """From now on the group ends with this process."""
        os.write(self._writer, b"%d\n" % group)

    def remove(self, group):
        """The group has ended: its number may get another meaning."""
        os.write(self._writer, b"-%d\n" % group)

    def close(self):
        """Ends the guard, and the groups that are left."""
        if self._writer is not None:
            os.close(self._writer)
            self._writer = None
            os.waitpid(self._process, 0)


def _watch(reader):
    os.setsid()  # Ctrl-C is not for the guard
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # The output of whoever reads that of the launcher must not stay open.
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    groups = set()
    with os.fdopen(reader, "rb") as lines:
        for line in lines:
            number = int(line)
            if number > 0:
                groups.add(number)
            else:
                groups.discard(-number)
    end_groups(groups, _GRACE_SECONDS)


def end_groups(groups, seconds):
    """Sends SIGTERM to process groups, and SIGKILL to those that are left after a time."""
    groups = {group for group in groups if signal_group(group, signal.SIGTERM)}
    deadline = time.monotonic() + seconds
    while groups and time.monotonic() < deadline:
        time.sleep(0.02)
        groups = {group for group in groups if signal_group(group, 0)}
    for group in groups:
        signal_group(group, signal.SIGKILL)


def signal_group(group, number):
    """Sends a signal to a process group. Returns whether it is there."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
