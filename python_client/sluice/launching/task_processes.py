# SPDX-License-Identifier: Apache-2.0
"""The processes of a job with parameter servers."""

import signal
import time

from .rank_processes import RankProcesses, say


class TaskProcesses(RankProcesses):
    """Runs tasks until the chief has ended, or one has failed too often.

    When the chief ends with success, the others that train and the evaluator may end by themselves
    for a while. Then all are ended, parameter servers too.

    Args:
      guard: the Guard that ends the groups if this process is killed.
      chief: name of the chief.
      servers: names of the tasks that do not end by themselves.
      restarts: how often a task that failed is started again.
      grace: seconds that others may take after the chief's end.
    """

    kind = "task"

    def __init__(self, guard, chief, servers, restarts, grace):
        super().__init__(guard)
        self._chief, self._servers = chief, set(servers)
        self._restarts, self._grace = restarts, grace
        self._started = {}  # name -> the arguments of start()
        self._restarted = {}  # name -> how often
        self._finish_at = None  # when all are ended, after the chief
        self._is_finished = False

    def start(self, name, *arguments):
        """As RankProcesses.start()."""
        self._started[name] = arguments
        super().start(name, *arguments)

    def _ended(self, name, status):
        if self._finish_at is not None:
            return
        if status == 0:
            if name == self._chief:
                self._finish_at = time.monotonic() + self._grace
            return
        times = self._restarted.get(name, 0)
        if times == self._restarts:
            super()._ended(name, status)
            return
        self._restarted[name] = times + 1
        say(f"{self._described(name, status)}; restart {times + 1} of {self._restarts}")
        self.start(name, *self._started[name])

    def _look_at_job(self):
        if self._finish_at is None or self._is_finished:
            return
        if self._left <= self._servers or time.monotonic() > self._finish_at:
            self._is_finished = True
            self._end(signal.SIGTERM)
