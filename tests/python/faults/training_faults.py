# SPDX-License-Identifier: Apache-2.0
"""The kinds of faults of training_faults_test.py. Each function gets a TrainingTrial whose programs
train; it returns when the fault is repaired."""

import time

from faults.server_processes import CLIENT
from faults.training_trial import PS, WORKER0, WORKER1


def _some_task(t):
    return t.draw.choice([PS, WORKER0, WORKER1])


def none(t):
    t.steps_of(t.streams, 5)


def killed(t):
    """kill -9 of a task; it comes back after its peers have failed."""
    task = _some_task(t)
    users = t.using_task(task)
    t.harm(f"kill {t.cluster.name(task)}", users, task)
    t.cluster.kill(task)
    t.all_fail(users)
    t.steps_of(t.others(users), 2)
    t.cluster.restart(task)


def restarted(t):
    """kill -9 of a task, which comes back at once."""
    task = _some_task(t)
    users = t.using_task(task)
    t.harm(f"restart {t.cluster.name(task)}", users, task)
    t.cluster.kill(task)
    t.cluster.restart(task)
    t.all_fail(users)
    t.steps_of(t.others(users), 2)


def stopped(t):
    """SIGSTOP of a task, and SIGCONT after its peers have failed."""
    task = _some_task(t)
    users = t.using_task(task)
    t.harm(f"stop {t.cluster.name(task)}", users, task, waits=True)
    t.cluster.stop(task)
    try:
        t.all_fail(users)
        t.steps_of(t.others(users), 2)
    finally:
        t.cluster.resume(task)


def stopped_shortly(t):
    """SIGSTOP, and SIGCONT soon: steps wait, and none fails."""
    task = _some_task(t)
    t.say(f"stop {t.cluster.name(task)} shortly")
    t.cluster.stop(task)
    time.sleep(t.draw.uniform(0.01, 0.5))
    t.cluster.resume(task)
    t.steps_of(t.streams, 3)


def _harm_way(t, what, waits=False):
    """The link of a way, and the programs that use it. An error names an end of it."""
    way = t.some_way()
    users = t.using_way(way)
    ends = [t.cluster.name(end) if end != CLIENT else "the client" for end in way]
    what = f"{what} the connections from {ends[0]} to {ends[1]}"
    t.harm(what, users, *set(way) - {CLIENT}, waits=waits)
    return t.cluster.links[way], users


def stalls(t):
    """A connection that carries nothing more, and stays open."""
    link, users = _harm_way(t, "stall", waits=True)
    link.silence()
    try:
        t.all_fail(users)
        t.steps_of(t.others(users), 2)
    finally:
        link.mend()


def resets(t):
    """The peers connect again; a step that was under way may fail."""
    link, users = _harm_way(t, "reset")
    link.reset()
    t.steps_or_errors(users, 3)
    t.steps_of(t.others(users), 2)


def truncates(t):
    """The connection ends in the middle of a message."""
    link, users = _harm_way(t, "truncate")
    link.truncate(t.draw.choice([0, t.draw.randrange(100), t.draw.randrange(100_000)]))
    t.steps_or_errors(users, 4)
    t.steps_of(t.others(users), 2)
    link.mend()


def delays(t):
    """Slow steps that are right."""
    way = t.some_way()
    seconds = t.draw.uniform(0.005, 0.05)
    t.say(f"delay {way} by {seconds:.3f} s")
    t.cluster.links[way].delay(seconds)
    t.steps_of(t.streams, 3)
    t.cluster.links[way].mend()


def corrupts(t):
    """Bits change between the tasks. A step fails, or is right because they hit nothing of it."""
    way = t.draw.choice([way for way in t.cluster.links if CLIENT not in way])
    users = t.using_way(way)
    t.harm(f"corrupt {way}", users, *way, waits=True)
    link = t.cluster.links[way]
    before = link.corrupted
    link.corrupt([t.draw.randrange(t.draw.choice([200, 20_000])) for _ in range(3)])
    t.steps_or_errors(users, 6)
    t.steps_of(t.others(users), 2)
    link.mend()
    t.say(f"{link.corrupted - before} bits were changed")


KINDS = (
    none, killed, restarted, stopped, stopped_shortly, stalls, resets, truncates, delays, corrupts
)  # fmt: skip
# Faults of connections, which the links make: not those of shm.
LINKED = (stalls, resets, truncates, delays, corrupts)
# They wait for deadlines by nature.
SLOW = (stopped, stalls)
