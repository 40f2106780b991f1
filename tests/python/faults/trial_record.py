# SPDX-License-Identifier: Apache-2.0
"""What happens in one trial of a fault: random choices, a time line, and failures."""

import random
import time

LOG_LINES = 30  # of each server, in a report


class TrialError(AssertionError):
    """A trial that failed; the text is its report."""


class TrialRecord:
    """The record of a trial with a ServerProcesses, which `say` may extend from any thread."""

    def __init__(self, kind, seed, cluster):
        self.kind, self.seed, self.cluster = kind, seed, cluster
        self._begin = time.monotonic()
        self._lines, self._noted = [], []
        self._logs = cluster.log_sizes()

    @staticmethod
    def draw_of(kind, seed):
        return random.Random(f"{kind}/{seed}")

    def say(self, text):
        self._lines.append(f"{time.monotonic() - self._begin:7.3f} s  {text}")

    def note(self, text):
        """A failure after which the trial goes on."""
        self.say(f"FAILED: {text}")
        self._noted.append(text)

    def fail(self, text):
        self.say(f"FAILED: {text}")
        text = "; ".join([*self._noted, text])
        raise TrialError(self.report(text))

    def report(self, text):
        lines = [
            f"{self.kind} with SLUICE_FAULT_SEED={self.seed}: {text}",
            *[f"  {line}" for line in self._lines],
        ]
        for crash in self.cluster.crashed():
            lines.append(f"  CRASHED: {crash}")
        for task, begin in enumerate(self._logs):
            log = self.cluster.log(task, begin).splitlines()
            name = self.cluster.name(task)
            lines += [f"  log of {name}: {line}" for line in log[-LOG_LINES:]]
        return "\n".join(lines)

    def finish(self):
        """No server has crashed, and nothing was noted."""
        crashed = self.cluster.crashed()
        if crashed:
            self.fail("; ".join(crashed))
        if self._noted:
            raise TrialError(self.report("; ".join(self._noted)))
