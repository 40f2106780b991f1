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

    kind = "rank"  # what messages call a process

    def __init__(self, guard):
        self._guard = guard
        self._ranks = {}  # name -> subprocess.Popen
        self._left = set()  # the names of those that run
        self._selector = selectors.DefaultSelector()
        self._failure = None  # the exit status of the first rank that failed
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

    def start(self, name, command, environment, job=None):
        """Starts a rank, or starts it again after it has ended.

        Args:
          name: what its lines begin with, a str.
          command: a list of str.
          environment: a dict.
          job: bytes for its standard input, which stays open until the process is to end. None: it
            has no input.
        """
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL if job is None else subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._guard.add(process.pid)
        self._ranks[name] = process
        self._left.add(name)
        if job is not None:
            _write(process.stdin, job)
        for source, to in (
            (process.stdout, sys.stdout.buffer),
            (process.stderr, sys.stderr.buffer),
        ):
            os.set_blocking(source.fileno(), False)
            lines = _Lines(name, to)
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
            for name in sorted(self._left):
                self._look_at(name)
            self._look_at_job()
            if self._kill_at is not None and time.monotonic() > self._kill_at:
                self._signal(signal.SIGKILL)
        self._drain()
        if self._asked is not None:
            return 128 + self._asked
        return self._failure or 0

    def kill(self):
        """Kills the ranks that are left."""
        self._signal(signal.SIGKILL)
        for name in self._left:
            self._ranks[name].wait()
        self._left.clear()

    def _look_at_job(self):
        """For classes that end the job for other reasons."""

    def _look_at(self, name):
        process = self._ranks[name]
        # The group is signalled before the rank's number is free for another process.
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return
        signal_group(process.pid, signal.SIGKILL)  # what the rank left behind
        status = process.wait()
        self._left.discard(name)
        self._guard.remove(process.pid)
        _close(process.stdin)
        if self._failure is None and self._asked is None:
            self._ended(name, status)

    def _ended(self, name, status):
        """Is called when a rank has ended by itself, and none failed before."""
        if status != 0:
            rest = "; the others are ended" if self._left else ""
            self._fail(status, f"{self._described(name, status)}{rest}")

    def _described(self, name, status):
        how = f"exited with status {status}" if status > 0 else f"was ended by {_name(-status)}"
        return f"{self.kind} {name} (process {self._ranks[name].pid}) {how}"

    def _fail(self, status, text):
        self._failure = status if status > 0 else 128 - status
        say(text)
        self._end(signal.SIGTERM)

    def _end(self, number):
        self._signal(number)
        self._kill_at = time.monotonic() + _GRACE_SECONDS

    def _signal(self, number):
        for name in self._left:
            process = self._ranks[name]
            if process.stdin is not None and number != signal.SIGKILL:
                _close(process.stdin)  # the process ends what it started elsewhere
            else:
                signal_group(process.pid, number)

    def _signalled(self, reader, names):
        for number in os.read(reader, 64):
            if number not in names:
                continue
            if self._asked is not None:
                self._signal(signal.SIGKILL)
                continue
            self._asked = number
            say(f"{names[number]}: the {self.kind}s are ended")
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
    """Writes whole lines, each after the name of its rank."""

    def __init__(self, name, to):
        self._prefix, self._to, self._part = f"[{name}] ".encode(), to, b""

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


def _write(pipe, data):
    with contextlib.suppress(BrokenPipeError):  # the process has ended, which its status says
        pipe.write(data)
        pipe.flush()


def _close(pipe):
    if pipe is not None:
        with contextlib.suppress(BrokenPipeError):
            pipe.close()


def say(text):
    """Reports on standard error."""
    print(f"sluice run: {text}", file=sys.stderr, flush=True)
