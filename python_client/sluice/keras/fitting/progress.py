# SPDX-License-Identifier: Apache-2.0
"""A progress bar."""

import sys
import time

import numpy as np


class Progbar:
    """Shows how far a loop is, with values.

    Args:
        target: How many steps there are, an int. None: not known.
        width: Width of the bar, an int.
        verbose: 0: silent, 1: a bar, 2: a line at the end.
        interval: How many seconds are between two changes, a float.
        stateful_metrics: Names of values that are not averaged, a list of str.
        unit_name: What is counted, a str.
    """

    def __init__(self, target, width=30, verbose=1, interval=0.05, stateful_metrics=None,
                 unit_name="step"):  # fmt: skip
        self.target, self.width, self.verbose, self.interval = target, width, verbose, interval
        self.stateful_metrics, self.unit_name = set(stateful_metrics or ()), unit_name
        self._values, self._seen, self._length = {}, 0, 0
        self._start, self._last = time.time(), 0.0

    def update(self, current, values=None):
        """Shows another state.

        Args:
            current: How many steps are done, an int.
            values: Pairs of a name and the value of the last step, a list.
        """
        for name, value in values or ():
            if name in self.stateful_metrics:
                self._values[name] = [value, 1]
            else:
                steps = current - self._seen
                total = self._values.setdefault(name, [0.0, 0])
                total[0], total[1] = total[0] + value * steps, total[1] + steps
        self._seen = current
        done = self.target is not None and current >= self.target
        now = time.time()
        if self.verbose == 1:
            too_early = now - self._last < self.interval and self.target is not None
            if done or not too_early:
                self._rewrite(current, now, done)
                self._last = now
        elif self.verbose == 2 and done:
            text = self._bar(current) + self._times(current, now, done) + self._shown()
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    def _rewrite(self, current, now, done):
        """Writes the line anew. As in TensorFlow 1.15, also where the output is a file."""
        text = self._bar(current) + self._times(current, now, done) + self._shown()
        sys.stdout.write("\b" * self._length + "\r" + text.ljust(self._length))
        self._length = len(text)
        if done:
            sys.stdout.write("\n")
        sys.stdout.flush()

    def _bar(self, current):
        if self.verbose == 2:
            return f"{current}/{self.target}"
        if self.target is None:
            return f"{current:7d}/Unknown"
        digits = len(str(self.target))
        filled = int(self.width * current / self.target)
        bar = "=" * filled
        if 0 < filled and current < self.target:
            bar = bar[:-1] + ">"
        return f"{current:{digits}d}/{self.target} [{bar.ljust(self.width, '.')}]"

    def _times(self, current, now, done):
        spent = now - self._start
        if not done and self.target and current:
            return f" - ETA: {_duration(spent / current * (self.target - current))}"
        if not done and self.target:
            return " - ETA: 0s"
        each = spent / current if current else 0
        if each >= 1 or each == 0:
            shown = f"{each:.0f}s"
        else:
            shown = f"{each * 1e3:.0f}ms" if each >= 1e-3 else f"{each * 1e6:.0f}us"
        return f" - {spent:.0f}s" if self.verbose == 2 else (
            f" - {spent:.0f}s {shown}/{self.unit_name}"
        )  # fmt: skip

    def _shown(self):
        parts = []
        for name, (total, count) in self._values.items():
            mean = float(np.mean(total / max(count, 1)))
            parts.append(f" - {name}: {mean:.4f}" if abs(mean) > 1e-3 else f" - {name}: {mean:.4e}")
        return "".join(parts)

    def add(self, n, values=None):
        """Shows a state that is some steps later.

        Args:
            n: How many steps, an int.
            values: Pairs of a name and the value of the last step, a list.
        """
        self.update(self._seen + n, values)


def _duration(seconds):
    """A time as text: seconds, minutes and seconds, or hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    if seconds > 3600:
        return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
    return f"{minutes}:{rest:02d}" if seconds > 60 else f"{rest}s"
