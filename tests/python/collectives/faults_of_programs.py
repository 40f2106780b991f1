# SPDX-License-Identifier: Apache-2.0
"""Faults of the members' programs: members that do not come, disagree, come twice, or give up.

Each function is a kind of fault. It gets a collective_trial.Trial.
"""

import time

import numpy as np
import sluice as sl
from collective_trial import LIMIT

LARGE = 12 << 11  # elements


def never_comes(t):
    limit = t.draw.choice([1.0, 3.5])
    op = t.op(hint=t.some_reduction(), seconds=t.draw.choice([0, limit]))
    t.join(op)
    absent = t.some_member()
    since = time.monotonic()
    waiting = [m.run([op], 0, 15.0 if op.seconds else limit) for m in t.others(absent)]
    # Members ask the leader who is missing when they have waited for a second.
    texts = ["waiting for the members of group"] if limit < 2 else []
    t.all_fail(waiting, since, limit, *texts, names=absent, address=False,
               classes=[sl.errors.DeadlineExceededError, sl.errors.AbortedError])  # fmt: skip
    t.recovers([op])


def comes_late(t):
    """Not a fault: the others wait, at the first use and later."""
    op = t.op(**t.some_algorithm())
    t.join(op)
    for step in range(2):
        late = t.some_member()
        running = [m.run([op], step, 20.0) for m in t.others(late)]
        t.wait(0, 2.0)
        t.all_right([*running, late.run([op], step, 20.0)], 10)


def source_runs_ahead(t):
    """Not a fault: the source of a broadcast does not wait for the others."""
    op = t.op(kind="broadcast", hint=t.draw.choice(["direct", "binomial_tree"]), elements=LARGE)
    t.join(op)
    t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    source, steps = t.members[0], range(1, 40)
    for step in steps:
        t.all_right([source.run([op], step, 10.0)], 10)
    for step in steps:
        t.all_right([m.run([op], step, 10.0) for m in t.others(source)], 10)


def comes_no_more(t):
    op = t.op(hint=t.some_reduction(), seconds=t.draw.choice([0, 1.0]))
    t.join(op)
    for step in range(2):
        t.all_right([m.run([op], step, 10.0) for m in t.members], 10)
    absent = t.some_member()
    since = time.monotonic()
    waiting = [m.run([op], 2, 10.0 if op.seconds else 1.0) for m in t.others(absent)]
    t.all_fail(waiting, since, 1.0, "waiting for member", names=absent)
    t.recovers([op], given_up={one.member.rank: 2 for one in waiting})


def runs_steps_without_it(t):
    op = t.op(hint="direct")
    t.join(op)
    t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    absent = t.some_member()
    since = time.monotonic()
    waiting = [m.run([op], 1, 4.0) for m in t.others(absent)]
    t.all_right([absent.run_without()], 5)
    t.all_fail(waiting, since, 4.0, names=absent)
    for one in waiting:
        if "has ended 1 step without it" not in str(one.error):
            t.note(f"the error of task {one.member.task} does not say that a step ended without it")
    t.recovers([op])


def other_size(t):
    """At the first use, or in a later session of one member."""
    op = t.op(hint=t.some_reduction())
    wrong = t.op(size=op.size + t.draw.choice([-1, 1]))
    t.join(op, wrong)
    odd = t.some_member()
    if t.draw.random() < 0.2:
        t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
        t.all_right([odd.close()], 5)
        odd = t.reopen(odd, op, wrong)
        # Rounds that the others begin now may still get the messages of the session before.
        since = time.monotonic()
        early = [m.run([op], 1, 20.0) for m in t.others(odd)]
        alone = odd.run([wrong], 1, 20.0)
        t.all_fail(early, since, LIMIT, names=odd)
        running = [m.run([op], 2, 5.0) for m in t.others(odd)] + [alone]
    else:
        running = []
        for member in t.draw.sample(t.members, len(t.members)):
            running.append(member.run([wrong if member is odd else op], 1, 5.0))
            t.wait(0, 0.05)
    t.all_fail(running, time.monotonic(), 5.0, "members of a group disagree", "joined group")
    told = [one for one in running if "disagree" in str(one.error)]
    for one in told:
        for text in (f"with {op.size} CPU members", f"with {wrong.size} CPU members"):
            if text not in str(one.error):
                t.note(f"the error of task {one.member.task} does not say {text!r}")
    if len(told) < 2:
        t.note("fewer than two members learn that they disagree")
    t.recovers([op])


def other_key(t):
    limit = t.draw.choice([1.0, 3.5])
    op = t.op(hint=t.some_reduction())
    wrong = t.op(key=op.key + 1_000_000)
    t.join(op, wrong)
    odd = t.some_member()
    since = time.monotonic()
    running = [m.run([op], 0, limit) for m in t.others(odd)]
    alone = odd.run([wrong], 0, limit)
    texts = ["waiting for the members of group"] if limit < 2 else []
    t.all_fail(running, since, limit, *texts, names=odd, address=False)
    t.all_fail([alone], since, limit, *texts, f"1 of {op.size} members have joined group")
    t.recovers([op])


def disagree(t):
    """One member has another dtype, shape, reduction, algorithm, name or op."""
    op = t.op(hint=t.some_reduction(), elements=t.draw.choice([12, LARGE]), label="right")
    change = t.draw.choice(
        [{"dtype": "int32"}, {"elements": op.elements * 2}, {"elements": 24}, {"merge": "Max"},
         {"label": "wrong"}, {"hint": "auto"}, {"kind": "gather", "hint": "direct"}]
    )  # fmt: skip
    fields = {"hint": op.hint, "elements": op.elements, "label": op.label, **change}
    wrong = t.op(**fields)
    t.say(f"one member runs {change}")
    t.join(op, wrong)
    if t.draw.random() < 0.5:
        for step in range(2):
            t.all_right([m.run([op], step, 10.0) for m in t.members], 10)
    odd = t.some_member()
    since = time.monotonic()
    running = []
    for member in t.draw.sample(t.members, len(t.members)):
        running.append(member.run([wrong if member is odd else op], 2, 10.0))
        t.wait(0, 0.02)
    t.all_fail(running, since, 3.0, names=odd, classes=[sl.errors.InvalidArgumentError])
    for one in running:
        if "disagree about instance 1" not in str(one.error):
            t.note(f"the error of task {one.member.task} does not say that members disagree")
    t.recovers([op])


def another_order(t):
    """The order of operations does not matter if they run at the same time."""
    ops = [t.op(instance, **t.some_algorithm()) for instance in (1, 2, 3)]
    t.join(*ops)
    for step in range(5):
        t.all_right([m.run(t.draw.sample(ops, 3), step, 10.0) for m in t.members], 10)


def opposite_orders(t):
    """Two operations that wait for each other in opposite orders cannot end."""
    first, second = t.op(1, hint="direct"), t.op(2, hint="direct")
    after_first = t.op(2, hint="direct", after=(first,))
    after_second = t.op(1, hint="direct", after=(second,))
    t.join(first, second, after_first, after_second)
    t.all_right([m.run([first, after_first], 0, 10.0) for m in t.members], 10)
    odd = t.some_member()
    since = time.monotonic()
    running = [m.run([first, after_first], 1, 3.0) for m in t.others(odd)]
    running.append(odd.run([second, after_second], 1, 3.0))
    t.all_fail(running, since, 3.0, "waiting for member", "ended group")
    t.recovers([first, after_first])


def one_more_time(t):
    """A member runs a step more than the others."""
    op = t.op(hint=t.some_reduction())
    t.join(op)
    t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    twice = t.some_member()
    since = time.monotonic()
    alone = twice.run([op], 1, 1.0)
    t.all_fail([alone], since, 1.0, "waiting for member")
    t.recovers([op], given_up={twice.rank: 1})


def two_steps_at_once(t):
    """Concurrent steps of a member are as many rounds. Which is first is not defined."""
    op = t.op(hint=t.some_reduction(), elements=t.draw.choice([12, LARGE]))
    t.join(op)
    t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    running = [m.run([op], 7, 10.0) for _ in range(3) for m in t.members]
    t.all_right(running, 10)


def twice_in_a_step(t):
    """Two nodes with one instance key, on one member or on all: an error, and no wrong value."""
    hint = t.some_reduction()
    op, same = t.op(hint=hint, label="one"), t.op(hint=hint, label="another")
    t.join(op, same)
    odd = t.members if t.draw.random() < 0.5 else [t.some_member()]
    since = time.monotonic()
    running = [m.run([op, same] if m in odd else [op], 0, 3.0) for m in t.members]
    t.end_by(running, since + 5.0)
    # The others may have completed the first of the two.
    failed = [one for one in running if one.member in odd or not one.right]
    t.all_fail(failed, since, 3.0, "instance 1", "instance key 1")
    t.recovers([op])


def two_sessions(t):
    """A member comes by two sessions at once."""
    op = t.op(hint=t.some_reduction())
    t.join(op)
    if t.draw.random() < 0.5:
        t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    twin = t.some_member()
    other = t.member(twin.task, twin.rank, [op])
    running = [m.run([op], 1, 4.0) for m in [*t.others(twin), other, twin]]
    t.end_by(running, time.monotonic() + 6)
    # The session that joined first cannot take the group back while the other is open.
    alone = other.run([op], 2, 1.0)
    t.end_by([alone], time.monotonic() + 3)
    if isinstance(alone.error, sl.errors.FailedPreconditionError):
        t.say("the other session has joined first")
        twin, other = other, twin
    else:
        t.members[t.members.index(twin)] = other
    t.recovers([op])
    since = time.monotonic()
    again = twin.run([op], 2, 4.0)
    t.all_fail([again], since, 4.0, "two open sessions use group",
               classes=[sl.errors.FailedPreconditionError])  # fmt: skip
    t.recovers([op], step=2000, errors=0)
    t.end_by([twin.close()], time.monotonic() + 5)


def is_cancelled(t):
    """A member's session is closed, or its step or operation times out, while all wait for another
    member."""
    how = t.draw.choice(["session", "step", "op"])
    op = t.op(hint=t.some_reduction())
    short = t.op(hint=op.hint, seconds=1.0 if how == "op" else 0.0)
    t.join(op, short)
    if t.draw.random() < 0.5:
        t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    late, ends = t.draw.sample(t.members, 2)
    t.say(f"task {ends.task} ends by its {how}, task {late.task} comes late")
    since = time.monotonic()
    others = [m.run([op], 1, 20.0) for m in t.others(late, ends)]
    ended = ends.run([short], 1, 1.0 if how == "step" else 20.0)
    t.wait(0.3, 0.7)
    if how == "session":
        t.end_by([ends.close()], time.monotonic() + 5)
    t.all_fail([ended], since, 1.0)
    t.all_fail(others, since, 1.0, names=ends)
    if how == "session":
        t.reopen(ends, op)
    t.recovers([op])


def fails_before(t):
    """A member's step fails in a node before its operation, or in one beside it."""
    op = t.op(hint=t.some_reduction())
    bad = t.op(hint=op.hint, checked=True)
    t.join(op, bad)
    if t.draw.random() < 0.5:
        t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    fails = t.some_member()
    since = time.monotonic()
    running = [m.run([op], 1, 20.0) for m in t.others(fails)]
    t.wait(0, 0.3)
    failed = fails.run([bad], 1, 20.0, values=np.full(op.elements, np.nan, np.float32))
    t.all_fail([failed], since, 1.0, "the input is bad")
    t.all_fail(running, since, 1.0, names=fails)
    t.recovers([op])


def fails_beside(t):
    """Another node of a member's step fails while the operation runs, or before, or after."""
    op = t.op(hint=t.some_reduction(), elements=t.draw.choice([12, LARGE]))
    t.join(op)
    t.all_right([m.run([op], 0, 10.0) for m in t.members], 10)
    fails = t.some_member()
    failed = fails.run_beside_a_failure([op], 1, 20.0)
    running = [m.run([op], 1, 20.0) for m in t.others(fails)]
    t.all_fail([failed], time.monotonic(), 1.0, "the number is bad", "ended group")
    t.end_by(running, time.monotonic() + 3.0)
    t.all_fail([one for one in running if not one.right], time.monotonic(), 0, names=fails)
    t.recovers([op])


def two_groups_with_one_key(t):
    """The first members that come form the group, the others get an error."""
    op = t.op(size=2, hint="direct")
    t.size = 2
    t.join(op, tasks=range(4))
    since = time.monotonic()
    values = [np.full(op.elements, 1 << m.task, np.float32) for m in t.members]
    running = [m.run([op], 0, 3.0, values=value) for m, value in zip(t.members, values)]
    for one in running:
        if not one.wait(since + 5):
            t.fail(f"task {one.member.task} has not ended")
    members = [one for one in running if one.error is None]
    refused = [one for one in running if one.error is not None]
    t.all_fail(refused, since, 3.0, "this group has its 2 members", "joined group", "joins group")
    if len(members) != 2:
        t.fail(f"{len(members)} tasks have a result")
    want = sum(1 << one.member.task for one in members)
    for one in members:
        if f"= {want}.0, not" not in one.wrong:
            t.fail(f"task {one.member.task} does not have the sum {want}: {one.wrong}")


def group_of_one(t):
    t.size = 1
    ops = [t.op(number, size=1, **t.some_algorithm()) for number in (1, 2, 3)]
    t.join(*ops, tasks=[t.draw.randrange(4)])
    for step in range(5):
        t.all_right([m.run(ops, step, 5.0) for m in t.members], 5)


def one_instance_two_shapes(t):
    """An instance key may have another shape in another step, if all members agree."""
    hint = t.some_reduction()
    ops = [t.op(hint=hint, elements=n) for n in (12, LARGE, 36)]
    t.join(*ops)
    for step in range(6):
        op = t.draw.choice(ops)
        t.all_right([m.run([op], step, 10.0) for m in t.members], 10)
    small, large = ops[:2]
    odd = t.some_member()
    since = time.monotonic()
    running = [m.run([large if m is odd else small], 9, 10.0) for m in t.members]
    t.all_fail(running, since, 3.0, names=odd, classes=[sl.errors.InvalidArgumentError])
    t.recovers([large])


def thousand_groups(t):
    """Groups are formed one after the other; prints the time and the servers' memory."""
    op = t.op(kind="keyed")
    t.join(op)

    def memory():
        return "servers of " + " ".join(f"{mb:.0f}" for mb in t.cluster.resident_mb()) + " MB"

    def use(count, step):
        begin = time.monotonic()
        for key in range(count):
            t.all_right([m.run([op], step, 10.0, key=10_000_000 + key) for m in t.members], 10)
        return f"{1000 * (time.monotonic() - begin) / count:.2f} ms each"

    print(f"groups of {t.size} over {t.transport}, {memory()}; 1000 are formed and used:"
          f" {use(1000, 0)}, {memory()}; 100 are used again: {use(100, 1)}")  # fmt: skip


KINDS = (
    comes_late, source_runs_ahead, never_comes, comes_no_more, runs_steps_without_it,
    other_size, other_key, disagree,
    another_order, opposite_orders, one_more_time, two_steps_at_once, twice_in_a_step,
    two_sessions, is_cancelled, fails_before, fails_beside, two_groups_with_one_key, group_of_one,
    one_instance_two_shapes, thousand_groups,
)  # fmt: skip
ONCE = (thousand_groups,)  # one trial is enough
