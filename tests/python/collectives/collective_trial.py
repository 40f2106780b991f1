# SPDX-License-Identifier: Apache-2.0
"""One trial of a fault: its random choices, its time line, and what must hold after the fault."""

import itertools
import threading
import time

from collective_cluster import CollectiveCluster, name_of
from collective_members import (
    ALGORITHMS,
    REDUCTIONS,
    Attempt,
    Member,
    Op,
    Pace,
    RoundGivenUpError,
    Stream,
)
from faults.trial_record import TrialError, TrialRecord
from sluice import _sluice

TASKS = 4
TRANSPORTS = ("shm,grpc", "tcp,grpc", "grpc")
LIMIT = 10.0  # seconds within which the others fail when a member is gone
MARGIN = 2.0
RECOVERY = 12.0  # seconds of a step after the repair
WAIT_FOR_STATUS = 3.0  # seconds

_keys = itertools.count(1)


class Clusters:
    """The clusters of the trials: at most `lanes` of each transport, with and without proxies. A
    cluster has one trial at a time."""

    def __init__(self, lanes):
        self._lanes = lanes
        self._lock = threading.Lock()
        self._free, self._places = {}, {}

    def take(self, transport, links):
        """Waits for a cluster that has no trial."""
        kind = transport, links
        with self._lock:
            places = self._places.setdefault(kind, threading.Semaphore(self._lanes))
            free = self._free.setdefault(kind, [])
        places.acquire()
        try:
            return free.pop()
        except IndexError:
            return CollectiveCluster(TASKS, transport, links)

    def give_back(self, cluster, transport, links, sound):
        """The trial of this cluster has ended; if it failed, the next one has servers without a
        past."""
        if sound:
            self._free[transport, links].append(cluster)
        else:
            cluster.close()
        self._places[transport, links].release()

    def close(self):
        for free in self._free.values():
            while free:
                free.pop().close()


class Trial(TrialRecord):
    def __init__(self, kind, seed, clusters, links=False):
        self.draw = self.draw_of(kind, seed)
        self.transport = "grpc" if links else self.draw.choice(TRANSPORTS)
        self._clusters, self._links = clusters, links
        super().__init__(kind, seed, clusters.take(self.transport, links))
        self.size = self.draw.choice([3, 4])
        self.leader = 0
        self.members = []
        self.key = next(_keys)
        self.say(f"transport {self.transport}, {self.size} members, group {self.key}")

    # --- what happens ---

    def op(self, instance=1, **fields):
        return Op(**{"key": self.key, "size": self.size, "instance": instance, **fields})

    def some_reduction(self):
        return self.draw.choice(REDUCTIONS)

    def some_algorithm(self):
        kind, hint = self.draw.choice(ALGORITHMS)
        return {"kind": kind, "hint": hint}

    def next_algorithm(self):
        """Trials with successive seeds have each algorithm in turn."""
        kind, hint = ALGORITHMS[self.seed % len(ALGORITHMS)]
        return {"kind": kind, "hint": hint}

    def join(self, *ops, tasks=None):
        """Opens a session on each of these tasks (default: as many as the group has members)."""
        for rank, task in enumerate(range(self.size) if tasks is None else tasks):
            self.members.append(self.member(task, rank, ops))
        return list(self.members)

    def member(self, task, rank, ops):
        return Member(self.cluster, task, rank, ops, self.leader, self.say)

    def reopen(self, member, *ops):
        """Another session of the same member."""
        fresh = self.member(member.task, member.rank, ops)
        self.members[self.members.index(member)] = fresh
        return fresh

    def some_member(self):
        return self.draw.choice(self.members)

    def others(self, *without):
        return [m for m in self.members if m not in without]

    def streams(self, ops, members=None):
        pace = Pace()
        return [Stream(m, ops, lambda: 30.0, pace) for m in members or self.members], pace

    def hurried_stream(self, member, ops, pace):
        """A stream whose deadlines are often shorter than its steps."""
        return Stream(member, ops, lambda: self.draw.expovariate(1 / 0.05), pace)

    def wait(self, low, high):
        time.sleep(self.draw.uniform(low, high))

    # --- what must hold ---

    def end_by(self, attempts, until):
        """All end before this time, and none has a wrong value."""
        for attempt in attempts:
            if not attempt.wait(until):
                late = f"task {attempt.member.task} has not ended after"
                late += f" {until - attempt.began:.1f} s: {attempt.what}"
                for one in attempts:  # how it ends after all is evidence
                    one.wait(time.monotonic() + 15)
                self.fail(late)
        for attempt in attempts:
            if attempt.wrong:
                self.fail(f"task {attempt.member.task} got a wrong value: {attempt}")

    def fail(self, text):
        """Also says where attempts are that have not ended, and for what the servers wait."""
        for member in self.members:
            for attempt in list(member.running):
                self.say(f"task {member.task}: {attempt.what} is in {attempt.where()}")
        for task in range(TASKS):
            try:
                *_, waiting = _sluice.describe_task(self.cluster.target(task), WAIT_FOR_STATUS)
            except Exception as error:
                waiting = [f"not known: {error}"]
            for line in waiting:
                self.say(f"the server of task {task} waits: {line}")
        super().fail(text)

    def all_right(self, attempts, within):
        self.end_by(attempts, time.monotonic() + within)
        for attempt in attempts:
            if not attempt.right:
                self.fail(f"task {attempt.member.task} failed: {attempt}")

    def all_fail(self, attempts, since, within, *texts, names=None, address=True, classes=()):
        """All end with an error within so many seconds. Each error names the member that is at
        fault, or has one of `texts`."""
        self.end_by(attempts, since + within + MARGIN)
        for attempt in attempts:
            who = f"task {attempt.member.task}"
            if attempt.error is None:
                self.fail(f"{who} did not fail")
            message = str(attempt.error)
            if classes and not isinstance(attempt.error, tuple(classes)):
                self.note(f"{who} failed with {type(attempt.error).__name__}")
            if any(text in message for text in texts):
                continue
            if names is None:
                if texts:
                    self.note(f"the error of {who} has none of {texts}")
                continue
            members = names if isinstance(names, list) else [names]
            tasks = [member.task for member in members]
            if not any(self.names(message, member) for member in members):
                self.note(f"the error of {who} does not name task {tasks}")
            elif address and not any(self.names(message, member, True) for member in members):
                self.note(f"the error of {who} does not have the address of task {tasks}")

    def names(self, message, member, address=False):
        """Whether an error has the name of a member's task, and its address."""
        addresses = self.cluster.addresses(member.task)
        return name_of(member.task) in message and (
            not address or any(one in message for one in addresses)
        )

    def recovers(self, ops, step=1000, errors=1, begun=(), given_up=None):
        """All members get right results, after at most so many errors each. `begun` are attempts of
        this step that run already. `given_up` are the members (rank -> step) that gave up their
        last round; another may come to that round first."""
        begin = time.monotonic()
        for number in (step, step + 1):
            running = {one.member: one for one in begun if number == step}
            for member in self.members:
                running.setdefault(member, None)
                running[member] = running[member] or member.run(
                    ops, number, RECOVERY, given_up=given_up
                )
            given_up = None
            seen = dict.fromkeys(self.members, 0)
            while running:
                for member, attempt in list(running.items()):
                    if not attempt.wait(time.monotonic() + 0.02):
                        if time.monotonic() > begin + 2 * (RECOVERY + MARGIN):
                            self.fail(f"task {member.task} hangs after the repair")
                        continue
                    del running[member]
                    if attempt.right:
                        continue
                    seen[member] += not isinstance(attempt.error, RoundGivenUpError)
                    if attempt.wrong or seen[member] > errors or number > step:
                        self._let_end(running.values())
                        count = seen[member]
                        self.fail(f"task {member.task}, error {count} after the repair: {attempt}")
                    running[member] = member.run(ops, number, RECOVERY)
        self.say(f"all are right {time.monotonic() - begin:.2f} s after the repair")

    def _let_end(self, attempts):
        for attempt in list(attempts):
            attempt.wait(time.monotonic() + RECOVERY + MARGIN)

    def close(self):
        """The sessions end, no server has crashed, and nothing was noted."""
        closing = [member.close() for member in self.members]
        self.end_by(closing, time.monotonic() + LIMIT)
        self.finish()

    def give_back(self, sound):
        """Leaves the cluster to the next trial."""
        self._clusters.give_back(self.cluster, self.transport, self._links, sound)


__all__ = ["LIMIT", "MARGIN", "TRANSPORTS", "Attempt", "Clusters", "TrialError", "Trial"]
