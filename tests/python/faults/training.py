# SPDX-License-Identifier: Apache-2.0
"""A client that trains on a ps and workers, and knows the right value of every step."""

import time
from dataclasses import dataclass

import numpy as np
import sluice as sl

CHECKPOINT_STEPS = 5
SHOWN = 16  # elements of the weights that each step gives to the client


class Calls:
    """Calls with a deadline. `ended` has (what, deadline, seconds, error or None) of each."""

    def __init__(self, say):
        self._say = say
        self.ended = []

    def call(self, what, deadline, function):
        """What the function returns; its sl.errors.OpError goes on to the caller."""
        begin, error = time.monotonic(), None
        try:
            return function()
        except sl.errors.OpError as raised:
            error = raised
            raise
        finally:
            took = time.monotonic() - begin
            self.ended.append((what, deadline, took, error))
            if error is not None:
                text = str(error.message).split("\n")[0]
                self._say(f"{what}: {type(error).__name__} after {took:.1f} s: {text}")


@dataclass
class Saved:
    step: int
    weights: np.ndarray


class Trainee:
    """A program at /job:worker/task:`worker`, whose model is on the ps. `helpers` are the workers
    that compute gradients: for each, the difference of the weights from a target that moves.

    Arithmetic is float32 in an order that NumPy repeats, so every step has one right value.
    """

    def __init__(self, cluster, worker, helpers, size, deadline, say):
        self.worker, self.helpers, self.size = worker, helpers, size
        self.deadline = deadline
        self._target = cluster.target(cluster.tasks.index(("worker", worker)))
        self._say = lambda text: say(f"worker {worker}: {text}")
        self.calls = Calls(self._say)
        self.session = None
        self.step = 0  # steps that are known to be done
        self.saved = Saved(0, np.zeros([size], np.float32))
        self._right = {0: self.saved.weights}
        self._build()

    @property
    def tasks(self):
        """The names of the tasks that its steps use."""
        workers = sorted({self.worker, *self.helpers})
        return ["/job:ps/replica:0/task:0", *[f"/job:worker/replica:0/task:{n}" for n in workers]]

    def _build(self):
        self.graph = sl.Graph()
        with self.graph.as_default():
            with sl.device("/job:ps/task:0"):
                self._given = sl.placeholder(sl.float32, [self.size])
                weights = sl.get_variable(f"weights_{self.worker}_{self.size}", [self.size])
                self._restore = sl.assign(weights, self._given)
                self._number = sl.placeholder(sl.float32, [])
            gradients = []
            for helper in self.helpers:
                with sl.device(f"/job:worker/task:{helper}"):
                    target = sl.constant(self._base(helper)) + self._number
                    gradients.append(sl.subtract(weights, target))
            with sl.device("/job:ps/task:0"):
                total = gradients[0]
                for gradient in gradients[1:]:
                    total = sl.add(total, gradient)
                updated = sl.assign_sub(weights, total * 0.125)
                with sl.control_dependencies([updated]):
                    self._weights = sl.identity(weights)
                    self._shown = sl.slice(self._weights, [0], [min(SHOWN, self.size)])

    def _base(self, helper):
        return (np.arange(self.size, dtype=np.float32) % 101 + helper * 7) / 3

    def right(self, step):
        """The weights after so many steps."""
        known = max(number for number in self._right if number <= step)
        for number in range(known + 1, step + 1):
            before, total = self._right[number - 1], None
            for helper in self.helpers:
                gradient = before - (self._base(helper) + np.float32(number))
                total = gradient if total is None else total + gradient
            right = before - total * np.float32(0.125)
            self._right = {0: self._right[0], number - 1: before, number: right}
        return self._right[step]

    # --- calls; all raise sl.errors.OpError ---

    def open(self):
        """A new session, with the weights as they were saved last."""
        filters = ["/job:ps", *[f"/job:worker/task:{n}" for n in {self.worker, *self.helpers}]]
        milliseconds = int(self.deadline * 1000)
        config = sl.ConfigProto(
            device_filters=filters,
            operation_timeout_in_ms=milliseconds,
            connect_timeout_in_ms=milliseconds,
        )
        self.session = sl.Session(self._target, graph=self.graph, config=config)
        self.step = self.saved.step
        self._run("restores", self._restore.op, {self._given: self.saved.weights}, creates=True)

    def train(self):
        """One step; returns how its result is wrong, or ""."""
        step = self.step + 1
        keep = step % CHECKPOINT_STEPS == 0
        fetch = self._weights if keep else self._shown
        got = self._run(f"step {step}", fetch, {self._number: step})
        wrong = difference(got, self.right(step)[: len(got)])
        if wrong:
            return f"worker {self.worker}: {wrong} of step {step}"
        self.step = step
        if keep:
            self.saved = Saved(step, got)
        return ""

    def close(self):
        if self.session is not None:
            session, self.session = self.session, None
            self.calls.call("closes", self.deadline, session.close)

    def _run(self, what, fetch, feeds, creates=False):
        # The first run also creates the session, within a deadline of its own.
        options = sl.RunOptions(timeout_in_ms=int(self.deadline * 1000))
        allowed = self.deadline * (2 if creates else 1)
        return self.calls.call(what, allowed, lambda: self.session.run(fetch, feeds, options))


def difference(got, want):
    """A text that says how weights are wrong; "" if they are right."""
    wrong = np.flatnonzero(got != want)
    if not wrong.size:
        return ""
    at = wrong[0]
    return f"WRONG in {wrong.size} of {got.size} weights, first [{at}] = {got[at]}, not {want[at]}"
