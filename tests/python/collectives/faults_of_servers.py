# SPDX-License-Identifier: Apache-2.0
"""Faults of servers and connections in the middle of a stream of operations.

Each function is a kind of fault. It gets a collective_trial.Trial.
"""

import time

from client_process import ClientProcess
from collective_trial import LIMIT
from faults.server_processes import CLIENT

SMALL, LARGE = 12, (12 << 11, 12 << 15)  # elements


def _ops(t, leader=None):
    """Two or three operations by one algorithm, small and large, that run at the same time."""
    if leader is not None:
        t.leader = leader
    algorithm = t.next_algorithm()
    if algorithm["kind"] == "broadcast":
        algorithm["source"] = t.draw.randrange(t.size)
    ops = [
        t.op(1, elements=SMALL, **algorithm),
        t.op(2, elements=t.draw.randrange(*LARGE, 12), **algorithm),
    ]
    if t.draw.random() < 0.5:
        ops.append(t.op(3, elements=SMALL * 100, **algorithm))
    if algorithm["kind"] == "broadcast":
        ops.append(t.op(4, hint="direct"))  # the source of a broadcast alone waits for nobody
    t.say("; ".join(map(str, ops)))
    return ops


def _begin(t, ops, formed=False):
    """Streams that have run for a random time. In one of five the group may not be formed yet,
    unless `formed`."""
    t.join(*ops)
    streams, pace = t.streams(ops)
    if formed or t.draw.random() < 0.8:
        end = time.monotonic() + LIMIT
        while min(s.steps for s in streams) < 1 and time.monotonic() < end:
            time.sleep(0.005)
    t.wait(0, 0.4)
    return streams, pace


def _of(streams, *members):
    return [s for s in streams if s.member in members]


def no_fault(t):
    ops = _ops(t)
    streams, pace = _begin(t, ops)
    t.wait(0.5, 1.0)
    pace.stop()
    t.all_right(streams, LIMIT)


def is_killed(t):
    """One member, or two at once."""
    ops = _ops(t)
    streams, _ = _begin(t, ops, formed=True)
    victims = t.draw.sample(t.members, t.draw.choice([1, 1, 2]))
    since = time.monotonic()
    t.say(f"kill tasks {[m.task for m in victims]}")
    for victim in victims:
        t.cluster.kill(victim.task)
    t.all_fail(_of(streams, *victims), since, LIMIT)
    t.all_fail(_of(streams, *t.others(*victims)), since, LIMIT, names=victims)
    for victim in victims:
        t.cluster.restart(victim.task)
    t.say("restarted")
    for victim in victims:
        t.reopen(victim, *ops)
    t.recovers(ops)


def is_stopped(t):
    ops = _ops(t)
    streams, _ = _begin(t, ops, formed=True)
    victim = t.some_member()
    since = time.monotonic()
    t.say(f"stop task {victim.task}")
    t.cluster.stop(victim.task)
    try:
        t.all_fail(_of(streams, *t.others(victim)), since, LIMIT, names=victim)
    finally:
        t.cluster.resume(victim.task)
    since = time.monotonic()
    t.say("it is continued")
    t.all_fail(_of(streams, victim), since, LIMIT)
    t.recovers(ops)


def is_stopped_shortly(t):
    """The others wait for a server that pauses; nothing fails."""
    ops = _ops(t)
    streams, pace = _begin(t, ops)
    victim = t.some_member()
    t.say(f"stop task {victim.task}")
    t.cluster.stop(victim.task)
    t.wait(0.2, 2.0)
    t.cluster.resume(victim.task)
    t.say("it is continued")
    t.wait(0.1, 0.3)
    pace.stop()
    t.all_right(streams, LIMIT)


def _links(t, victim):
    """The connections of a member with all others, or with one, or one way with one."""
    other = t.draw.choice(t.others(victim))
    ways = [(victim.task, other.task), (other.task, victim.task)]
    choice = t.draw.choice(["all", "one", "one way"])
    if choice == "all":
        ways = [way for way in t.cluster.links if victim.task in way and CLIENT not in way]
    elif choice == "one way":
        ways = [t.draw.choice(ways)]
    return choice, ways


def _cut(t, harm):
    ops = _ops(t)
    streams, pace = _begin(t, ops, formed=True)
    victim = t.some_member()
    choice, ways = _links(t, victim)
    t.say(f"{harm} {choice} of task {victim.task}: {ways}")
    since = time.monotonic()
    for way in ways:
        getattr(t.cluster.links[way], harm)()
    try:
        if choice != "all" and _run_on(streams):
            t.say("the algorithm does not use this connection")
            pace.stop()
            t.all_right(streams, LIMIT)
        else:
            _all_name_a_way(t, streams, since, ways)
    finally:
        for way in ways:
            t.cluster.links[way].mend()
    t.say("the connections are mended")
    t.recovers(ops)


def _run_on(streams):
    """Whether the streams make steps."""
    time.sleep(0.5)
    before = [s.steps for s in streams]
    time.sleep(1.0)
    return all(s.steps > steps for s, steps in zip(streams, before))


def _all_name_a_way(t, streams, since, ways):
    """Each error names a member that is at an end of a harmed connection. Its own name is in the
    name of the node, which does not count."""
    t.all_fail(streams, since, LIMIT)
    ends = [m for m in t.members if any(m.task in way for way in ways)]
    for stream in streams:
        error = str(stream.error)
        if not any(
            f"member {m.rank}, " in error or (m is not stream.member and t.names(error, m))
            for m in ends
        ):
            tasks = [m.task for m in ends]
            t.note(f"the error of task {stream.member.task} names none of {tasks}")


def is_cut_off(t):
    _cut(t, "cut")


def is_silent(t):
    _cut(t, "silence")


def hurries(t):
    """The deadlines of a member race with the ends of its steps. The others fail too, or do not
    notice because its operations had ended, or had not begun. Then they wait for its next step."""
    ops = _ops(t)
    t.join(*ops)
    t.all_right([m.run(ops, 999, 20.0) for m in t.members], 20)
    hurried = t.some_member()
    streams, pace = t.streams(ops, t.others(hurried))
    last = t.hurried_stream(hurried, ops, pace)
    t.end_by([last], time.monotonic() + 20)
    steps = pace.stop()
    t.all_fail([last], time.monotonic(), 0)
    waiting = [s for s in streams if not s.wait(time.monotonic() + 0.5)]
    ended = [s for s in streams if s not in waiting]
    if waiting and all(s.right for s in ended):  # where one has failed, all fail by themselves
        t.say(f"{len(waiting)} members wait")
        for step in range(min(s.steps for s in waiting), steps):
            t.all_right([hurried.run(ops, step, 5.0)], 6)
    t.end_by(streams, time.monotonic() + LIMIT)
    t.all_fail([s for s in streams if not s.right], time.monotonic(), 0, names=hurried)
    t.recovers(ops)


def session_is_closed(t):
    """A member's session ends in the middle; it comes again with another one."""
    ops = _ops(t)
    streams, _ = _begin(t, ops, formed=True)
    victim = t.some_member()
    t.say(f"close the session of task {victim.task}")
    t.end_by([victim.close()], time.monotonic() + 5)
    t.all_fail(_of(streams, victim), time.monotonic(), 1.0)
    _comes_again(t, ops, _of(streams, *t.others(victim)), victim)


def client_is_killed(t):
    """A member's client dies in the middle; it comes again with another session."""
    ops = _ops(t)
    t.join(*ops)
    victim = t.some_member()
    client = ClientProcess(t.cluster, victim, ops, t.leader)
    try:
        streams, _ = t.streams(ops, t.others(victim))
        client.await_step(0)
        t.wait(0, 0.3)
        t.say(f"kill the client of task {victim.task}")
    finally:
        client.kill()
    if "WRONG" in client.output():
        t.fail(f"the client: {client.output()}")
    _comes_again(t, ops, streams, victim)


def client_is_killed_between_steps(t):
    """Its session stays open. The others wait in the next step and must learn that none comes."""
    ops = _ops(t)
    t.join(*ops)
    victim = t.some_member()
    client = ClientProcess(t.cluster, victim, ops, t.leader, steps=1)
    try:
        t.all_right([m.run(ops, 0, 25.0) for m in t.others(victim)], 27)
        client.await_step(0)
        running = [m.run(ops, 1, 25.0) for m in t.others(victim)]
        since = time.monotonic()
        t.say(f"kill the client of task {victim.task}")
    finally:
        client.kill()
    # Members that need nothing of it, such as the source of a broadcast, may end well.
    t.end_by(running, since + LIMIT)
    failed = [one for one in running if not one.right]
    t.all_fail(failed, since, LIMIT, names=victim)
    if not any("has closed its connection" in str(one.error) for one in failed):
        t.note("no error says that the client is gone")
    fresh = t.reopen(victim, *ops)
    t.recovers(ops, 1000, begun=[fresh.run(ops, 1000, 25.0)])


def _comes_again(t, ops, streams, victim):
    """The others fail: at once if the member was in a step, else some seconds after its next
    session has joined."""
    comes = t.reopen(victim, *ops)
    since = time.monotonic()
    joined = comes.run(ops, 1000, 25.0)
    t.all_fail(streams, since, LIMIT, names=comes)
    t.recovers(ops, 1000, begun=[joined])


def is_killed_while_a_group_forms(t):
    """A member that has joined dies, and another has not come. Those that wait may go on."""
    ops = _ops(t)
    t.join(*ops)
    late, victim = t.draw.sample(t.others(t.members[0]), 2)  # the leader lives
    waiting = [m.run(ops, 1000, 25.0) for m in t.others(late, victim)]
    killed = victim.run(ops, 1000, 25.0)
    t.wait(0.1, 1.0)
    t.say(f"kill task {victim.task}")
    since = time.monotonic()
    t.cluster.kill(victim.task)
    t.all_fail([killed], since, LIMIT)
    t.cluster.restart(victim.task)
    t.say("it is restarted")
    t.reopen(victim, *ops)
    t.recovers(ops, 1000, begun=waiting)
    failed = [one for one in waiting if not one.right]
    t.all_fail(failed, since, 2 * LIMIT, names=t.members[victim.rank])


def leader_dies_while_a_group_forms(t):
    """The leader is a member or not; it is restarted soon, or never."""
    t.size = 3
    ops = _ops(t, leader=t.draw.choice([0, 3]))
    t.join(*ops)
    late = t.members[2]
    running = [m.run(ops, 0, 25.0) for m in t.others(late) if m.task != t.leader]
    t.wait(0.1, 1.0)
    soon = t.draw.random() < 0.5
    since = time.monotonic()
    t.say(f"kill the leader, task {t.leader}")
    t.cluster.kill(t.leader)
    if soon:
        t.wait(0.1, 2.0)
        t.cluster.restart(t.leader)
        t.say("it is restarted")
    else:
        t.all_fail(running, since, LIMIT, name_of_leader(t))
        t.cluster.restart(t.leader)
        t.say("it is restarted after the others have failed")
    for member in t.members:
        if member.task == t.leader:
            t.reopen(member, *ops)
    if soon:
        _join_in(t, ops, running)
    t.recovers(ops)


def _join_in(t, ops, running):
    """The members that wait get their results when the others come, or an error that names the
    leader."""
    come = [m.run(ops, 0, 10.0) for m in t.members if m not in [one.member for one in running]]
    t.end_by(running + come, time.monotonic() + 12)
    for one in running + come:
        if one.error is not None and name_of_leader(t) not in str(one.error) and one in running:
            t.note(f"the error of task {one.member.task} does not name the leader")


def name_of_leader(t):
    return f"/job:worker/replica:0/task:{t.leader}"


def leader_dies_later(t):
    """A complete group does not need its leader. It is restarted; then a member is."""
    t.size = 3
    ops = _ops(t, leader=3)
    streams, pace = _begin(t, ops)
    t.say("kill the leader")
    t.cluster.kill(3)
    t.wait(0.1, 1.0)
    pace.stop()
    formed = all(s.steps for s in streams)
    t.end_by(streams, time.monotonic() + LIMIT)
    t.cluster.restart(3)
    t.say("it is restarted")
    if formed:
        t.all_right(streams, 1)
    t.recovers(ops)
    how = t.draw.choice(["kill", "close"])
    victim = t.some_member()
    t.say(f"{how}: task {victim.task}")
    if how == "kill":
        t.cluster.kill(victim.task)
        t.cluster.restart(victim.task)
    else:
        t.end_by([victim.close()], time.monotonic() + 5)
    t.reopen(victim, *ops)
    t.recovers(ops, step=2000)


KINDS = (
    no_fault, is_killed, is_stopped, is_stopped_shortly, is_cut_off, is_silent, hurries,
    session_is_closed, client_is_killed, client_is_killed_between_steps,
    is_killed_while_a_group_forms,
    leader_dies_while_a_group_forms, leader_dies_later,
)  # fmt: skip
LINKED = (is_cut_off, is_silent)
# They wait for deadlines of several seconds by nature.
SLOW = (is_stopped, is_silent, client_is_killed_between_steps, leader_dies_while_a_group_forms)
