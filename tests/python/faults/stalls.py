# SPDX-License-Identifier: Apache-2.0
"""Notices when the machine stands still, or has no processor for this process."""

import threading
import time

STEP = 0.1  # seconds


class Stalls:
    def __init__(self):
        self._found = []  # (end, seconds)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self):
        last = time.monotonic()
        while not self._end.wait(STEP):
            now = time.monotonic()
            if now - last > 2 * STEP:
                self._found.append((now, now - last - STEP))
            last = now

    def longest(self, since):
        """Seconds of the longest one that ended after this time (time.monotonic())."""
        time.sleep(2 * STEP)  # one that has just ended is noted
        return max((seconds for end, seconds in list(self._found) if end > since), default=0.0)

    def close(self):
        self._end.set()
        self._thread.join()
