# SPDX-License-Identifier: Apache-2.0
"""One trial of a fault while two programs train on a ps and two workers."""

import threading
import time

import sluice as sl
from faults.server_processes import CLIENT
from faults.training import CHECKPOINT_STEPS, Trainee
from faults.trial_record import TrialRecord

PS, WORKER0, WORKER1 = range(3)
SIZES = (64, 5000, 1 << 17)  # weights
CALM = 30.0  # the deadline of a call without a fault, in seconds
RECOVERY = 40.0  # from the repair to the last right step, in seconds
MOST_ERRORS = 4  # of a program after the repair
# The way of tensors and calls, for each program by its worker.
WAYS = {
    0: {(WORKER0, PS), (PS, WORKER0), (WORKER0, WORKER1), (PS, WORKER1), (WORKER1, PS)}
    | {(CLIENT, WORKER0)},
    1: {(WORKER1, PS), (PS, WORKER1), (CLIENT, WORKER1)},
}


class VoidTrialError(Exception):
    """The machine is too slow for the deadlines of this trial."""


class Stream:
    """Steps of a program on a thread of its own, until one fails or is wrong, or stop()."""

    def __init__(self, trainee):
        self.trainee = trainee
        self.steps, self.error, self.wrong = 0, None, ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        try:
            while not self._stop.is_set() and not self.wrong:
                self.wrong = self.trainee.train()
                self.steps += 1
        except sl.errors.OpError as error:
            self.error = error

    @property
    def ended(self):
        return not self._thread.is_alive()

    def wait(self, seconds):
        self._thread.join(seconds)
        return self.ended

    def stop(self, seconds):
        self._stop.set()
        return self.wait(seconds)


class TrainingTrial(TrialRecord):
    """`margin` is what a call may take beyond its deadline; `slow` permits deadlines that let the
    servers find a silent peer."""

    def __init__(self, kind, seed, cluster, margin, slow):
        self.draw = self.draw_of(kind, seed)
        super().__init__(kind, seed, cluster)
        self.margin, self.slow = margin, slow
        self.programs, self.streams = [], []
        self.culprits = []  # tasks that an error may name
        self.use_size(self.draw.choice(SIZES))

    # --- what happens ---

    def use_size(self, size):
        self.say(f"transport {self.cluster.transport}, {size} weights")
        self.programs = [
            Trainee(self.cluster, worker, helpers, size, CALM, self.say)
            for worker, helpers in ((0, [0, 1]), (1, [1]))
        ]

    def begin(self):
        """Both programs train, for a random time."""
        for program in self.programs:
            program.open()
        self.streams = [Stream(program) for program in self.programs]
        self.steps_of(self.streams, 1)
        time.sleep(self.draw.uniform(0, 0.2))

    def harm(self, what, users, *culprits, waits=False):
        """Before a harm: where users may wait for a deadline, their calls now have a short one."""
        deadline = CALM
        if self.slow or waits:
            deadline = self.draw.choice([3.0, 6.0, 15.0]) if self.slow else 5.0
        for stream in users:
            stream.trainee.deadline = deadline
        self.steps_or_errors(users, 1)
        if any(isinstance(stream.error, sl.errors.DeadlineExceededError) for stream in users):
            raise VoidTrialError
        self.steps_of(users, 0)
        self.culprits = list(culprits)
        self.say(f"{what}; deadline {deadline} s")

    def using_task(self, task):
        name = self.cluster.name(task)
        return [s for s in self.streams if name in s.trainee.tasks]

    def using_way(self, way):
        return [s for s in self.streams if way in WAYS[s.trainee.worker]]

    def others(self, streams):
        return [s for s in self.streams if s not in streams]

    def some_way(self):
        """A connection that one of the programs uses."""
        return self.draw.choice(sorted(WAYS[0] | WAYS[1]))

    # --- what must hold ---

    def steps_of(self, streams, more):
        """Each makes so many steps more, and none fails."""
        self.steps_or_errors(streams, more)
        for stream in streams:
            if stream.error is not None:
                self.fail(f"worker {stream.trainee.worker} failed: {stream.error}")

    def steps_or_errors(self, streams, more):
        """Each makes so many right steps more, or fails."""
        goals = [(stream, stream.steps + more) for stream in streams]
        end = time.monotonic() + more * (CALM + self.margin)
        for stream, goal in goals:
            while not stream.ended and stream.steps < goal:
                if time.monotonic() > end:
                    self.fail(f"worker {stream.trainee.worker} hangs")
                time.sleep(0.005)
            if stream.wrong:
                self.fail(stream.wrong)

    def all_fail(self, streams):
        """Each fails. The last step that had begun before the harm has the long deadline."""
        for stream in streams:
            if not stream.wait(CALM + self.margin + 5):
                self.fail(f"worker {stream.trainee.worker} does not fail")
            if stream.wrong:
                self.fail(stream.wrong)
            if stream.error is None:
                self.fail(f"worker {stream.trainee.worker} ended without an error")

    def check_calls(self, at_fault=True):
        """No call took longer than its deadline and the margin, and each error names a culprit."""
        for program in self.programs:
            for what, deadline, took, error in program.calls.ended:
                where = f"worker {program.worker} {what}"
                if took > deadline + self.margin:
                    self.note(f"{where}: took {took:.1f} s of {deadline} s")
                if error is not None and not any(self.names(error, task) for task in self.culprits):
                    names = [self.cluster.name(task) for task in self.culprits]
                    self.note(f"{where}: the error names none of {names}: {error}")
            program.calls.ended.clear()

    def names(self, error, task):
        text = str(error)
        return self.cluster.name(task) in text or any(
            address in text for address in self.cluster.addresses(task)
        )

    def recover(self):
        """Both programs end their sessions, go back to what they saved, and train on."""
        self.say("repaired")
        for stream in self.streams:
            if not stream.stop(CALM + self.margin):
                self.fail(f"worker {stream.trainee.worker} hangs after the repair")
            if stream.wrong:
                self.fail(stream.wrong)
        begin = time.monotonic()
        threads = [
            threading.Thread(target=self._recover_one, args=(stream,)) for stream in self.streams
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.check_calls()
        self.say(f"both are right {time.monotonic() - begin:.2f} s after the repair")

    def _recover_one(self, stream):
        program = stream.trainee
        program.deadline = CALM
        goal = (program.step // CHECKPOINT_STEPS + 2) * CHECKPOINT_STEPS
        end, errors, lost = time.monotonic() + RECOVERY, 0, stream.error is not None
        while True:
            try:
                if lost:
                    self._close(program)
                    program.open()
                while program.step < goal:
                    wrong = program.train()
                    if wrong:
                        return self.note(wrong)
                return None
            except sl.errors.OpError as error:
                lost, errors = True, errors + 1
                if errors > MOST_ERRORS or time.monotonic() > end:
                    return self.note(f"worker {program.worker} does not recover: {error}")

    def _close(self, program):
        try:
            program.close()
        except sl.errors.OpError as error:
            self.say(f"worker {program.worker}: the old session's end: {error.message}")

    def abandon(self):
        for stream in self.streams:
            stream.stop(CALM + self.margin)
            self._close(stream.trainee)

    def close(self):
        for program in self.programs:
            self._close(program)
        self.finish()
