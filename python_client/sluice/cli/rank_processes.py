# SPDX-License-Identifier: Apache-2.0
"""The processes of a job: their output, and their end."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time

from .guard import signal_group

_GRACE_SECONDS = 5.0  # between the signal that asks ranks to end and SIGKILL
_DRAIN_SECONDS = 0.5  # for output of processes that a rank left behind
_CHUNK = 1 << 16


class RankProcesses:
    """Runs the ranks until all have ended, or one has failed.

    Each rank has a process group of its own, so that a signal reaches all that it started.

    Args:
      guard: the Guard that ends the groups if this process is killed.
    """

    def __init__(self, guard):
        self._guard = guard
        self._ranks = []  # subprocess.Popen, by rank
        self._left = set()  # the ranks that run
        self._selector = selectors.DefaultSelector()
        self._failure = None  # (status, what is said of it) of the first rank that failed
        self._kill_at = None  # when the ranks that are left are killed
        self._asked = None  # the signal that this process got

    @contextlib.contextmanager
    def signals(self, names):
        """Signals of this process reach the ranks.

        Args:
          names: a dict: signal -> what it is called.
        """
        reader, writer = os.pipe()
        for end in (reader, writer):
            os.set_blocking(end, False)
        before = {number: signal.signal(number, lambda *_: None) for number in names}
        before_wakeup = signal.set_wakeup_fd(writer)
        self._selector.register(
            reader, selectors.EVENT_READ, lambda: self._signalled(reader, names)
        )
        try:
            yield
        finally:
            signal.set_wakeup_fd(before_wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._selector.unregister(reader)
            os.close(reader)
            os.close(writer)

    def start(self, command, environment):
        """Starts the next rank.

        Args:
          command: a list of str.
          environment: a dict.
        """
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._guard.add(process.pid)
        rank = len(self._ranks)
        self._ranks.append(process)
        self._left.add(rank)
        for source, to in (
            (process.stdout, sys.stdout.buffer),
            (process.stderr, sys.stderr.buffer),
        ):
            os.set_blocking(source.fileno(), False)
            lines = _Lines(rank, to)
            self._selector.register(
                source, selectors.EVENT_READ, lambda s=source, ls=lines: self._copy(s, ls)
            )

    def wait(self):
        """Copies the output until all ranks have ended.

        Returns:
          The exit status: that of the first rank that failed, 128 + N for a signal N, or 0.
        """
        while self._left:
            for key, _ in self._selector.select(0.1):
                key.data()
            for rank in sorted(self._left):
                self._look_at(rank)
            if self._kill_at is not None and time.monotonic() > self._kill_at:
                self._signal(signal.SIGKILL)
        self._drain()
        if self._asked is not None:
            return 128 + self._asked
        return self._failure or 0

    def kill(self):
        """Kills the ranks that are left."""
        self._signal(signal.SIGKILL)
        for rank in self._left:
            self._ranks[rank].wait()
        self._left.clear()

    def _look_at(self, rank):
        process = self._ranks[rank]
        # The group is signalled before the rank's number is free for another process.
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return
        signal_group(process.pid, signal.SIGKILL)  # what the rank left behind
        status = process.wait()
        self._left.discard(rank)
        self._guard.remove(process.pid)
        if status != 0 and self._failure is None and self._asked is None:
            self._failure = status if status > 0 else 128 - status
            how = f"exited with status {status}" if status > 0 else f"was ended by {_name(-status)}"
            rest = "; the others are ended" if self._left else ""
            _say(f"rank {rank} (process {process.pid}) {how}{rest}")
            self._end(signal.SIGTERM)

    def _end(self, number):
        self._signal(number)
        self._kill_at = time.monotonic() + _GRACE_SECONDS

    def _signal(self, number):
        for rank in self._left:
            signal_group(self._ranks[rank].pid, number)

    def _signalled(self, reader, names):
        for number in os.read(reader, 64):
            if number not in names:
                continue
            if self._asked is not None:
                self._signal(signal.SIGKILL)
                continue
            self._asked = number
            _say(f"{names[number]}: the ranks are ended")
            self._end(number)

    def _copy(self, source, lines):
        try:
            data = os.read(source.fileno(), _CHUNK)
        except BlockingIOError:
            return False
        lines.write(data)
        if not data:
            self._selector.unregister(source)
            source.close()
        return bool(data)

    def _drain(self):
        """Copies what is left. A process that a rank detached may hold its output open."""
        deadline = time.monotonic() + _DRAIN_SECONDS
        while time.monotonic() < deadline:
            left = [k for k in self._selector.get_map().values() if not isinstance(k.fileobj, int)]
            if not left:
                return
            for key, _ in self._selector.select(0.05):
                key.data()
        for key in left:
            self._selector.unregister(key.fileobj)


class _Lines:
    """Writes whole lines, each after the rank."""

    def __init__(self, rank, to):
        self._prefix, self._to, self._part = b"[%d] " % rank, to, b""

    def write(self, data):
        """Takes some output; b"" is the end, after which an unfinished line is written too."""
        *whole, self._part = (self._part + data).split(b"\n")
        if not data and self._part:
            whole, self._part = [self._part], b""
        if whole:
            try:
                self._to.write(b"".join(self._prefix + line + b"\n" for line in whole))
                self._to.flush()
            except BrokenPipeError:
                pass  # nobody reads any more; the ranks go on


def _name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _say(text):
    print(f"sluice run: {text}", file=sys.stderr, flush=True)
