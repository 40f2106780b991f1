# SPDX-License-Identifier: Apache-2.0
"""Reports the progress of a slow command on standard error."""

import sys
import threading
import time

FIRST, EVERY = 2.0, 5.0  # seconds


class Progress:
    """Reports the current step after 2 s and then every 5 s, while the `with` block runs.

    command: begins each line. out: a file; default: standard error. first, every: seconds.
    """

    def __init__(self, command, out=None, first=FIRST, every=EVERY):
        self._command, self._out = command, out if out is not None else sys.stderr
        self._first, self._every = first, every
        self._step, self._ended = "", threading.Event()
        self._thread = threading.Thread(target=self._report, daemon=True)

    def step(self, text):
        """Sets the text of the current step."""
        self._step = text

    def _report(self):
        begin, wait = time.monotonic(), self._first
        while not self._ended.wait(wait):
            seconds = time.monotonic() - begin
            print(f"{self._command}: {self._step}, {seconds:.0f} s", file=self._out, flush=True)
            wait = self._every

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
