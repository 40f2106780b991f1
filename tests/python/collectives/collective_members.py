# SPDX-License-Identifier: Apache-2.0
"""Members of a group: a client for each task runs collective operations and checks the values."""

import sys
import threading
import time
import traceback
from dataclasses import dataclass

import numpy as np
import sluice as sl
from collective_cluster import name_of

BITS = 6  # of a member's part of a sum: up to 4 members fit in the 24 bits of a float32
REDUCTIONS = (
    "direct", "direct_parts", "halving_doubling", "hierarchical", "recursive_doubling", "ring",
)  # fmt: skip
OP_TYPES = {
    "reduce": "CollectiveReduce", "gather": "CollectiveGather",
    "scatter": "CollectiveReduceScatterV2", "all_to_all": "CollectiveAllToAllV2",
    "keyed": "CollectiveReduceV2",
}  # fmt: skip
ALGORITHMS = (
    *[("reduce", hint) for hint in REDUCTIONS],
    ("broadcast", "binomial_tree"), ("broadcast", "direct"),
    ("gather", "direct"), ("gather", "ring"),
    ("scatter", "direct"), ("scatter", "ring"),
    ("all_to_all", "direct"),
)  # fmt: skip


@dataclass(frozen=True)
class Op:
    """A collective operation of a group: the op `kind` by the algorithm `hint`. A "keyed" one is a
    reduction whose group key is fed."""

    key: int  # of the group
    size: int  # of the group
    instance: int
    kind: str = "reduce"
    hint: str = "auto"
    elements: int = 12
    dtype: str = "float32"
    label: str = ""  # the name that the members compare
    merge: str = "Add"
    source: int = 0  # of a broadcast: the rank
    seconds: float = 0.0  # the op's own timeout
    after: tuple = ()  # ops that end before it begins, in the same step
    checked: bool = False  # its input passes CheckNumerics first

    def part(self, rank, step):
        """What a member gives. The members' parts occupy different bits of their sum."""
        base = (np.arange(self.elements) * 3 + step * 7 + self.instance * 17) % 61 + 1
        return (base << (BITS * rank)).astype(self.dtype)

    def result(self, rank, step, given_up=None):
        """What a member gets. Every one of `size` members has given its part, those in `given_up`
        the part of another step (rank -> step)."""
        parts = [self.part(r, (given_up or {}).get(r, step)) for r in range(self.size)]
        block = slice(rank * self.elements // self.size, (rank + 1) * self.elements // self.size)
        if self.kind == "broadcast":
            return parts[self.source]
        if self.kind == "gather":
            return np.concatenate(parts)
        if self.kind == "all_to_all":
            return np.concatenate([part[block] for part in parts])
        total = np.sum(parts, axis=0).astype(self.dtype)
        return total[block] if self.kind == "scatter" else total

    def add(self, rank, before, given=None):
        """Adds it to the default graph, with an input of its own or `given`: (input or None,
        output)."""
        common = dict(group_size=self.size, group_key=self.key, instance_key=self.instance)
        more = dict(communication_hint=self.hint, timeout_seconds=self.seconds)
        if self.label:
            more["_collective_name"] = self.label
        given = sl.placeholder(self.dtype, [None]) if given is None else given
        value = sl.check_numerics(given, "the input is bad") if self.checked else given
        with sl.control_dependencies(before):
            if self.kind == "broadcast":
                return self._add_broadcast(rank, given, value, common, more)
            if self.kind in ("reduce", "gather"):
                common["shape" if self.kind == "gather" else "subdiv_offsets"] = [0]
                if self.kind == "reduce":
                    common.update(merge_op=self.merge, final_op="Id")
                attrs = {**common, **more}
                return given, _create(OP_TYPES[self.kind], [value], self.dtype, attrs)
            if self.kind in ("scatter", "keyed"):
                more.update(merge_op=self.merge, final_op="Id")
            tensors = [value, *[sl.constant(number, sl.int32) for number in common.values()]]
            if self.kind == "keyed":
                tensors[2] = sl.placeholder_with_default(tensors[2], [], name="key")
            attrs = {**more, "Nordering_token": 0}
            return given, _create(OP_TYPES[self.kind], tensors, self.dtype, attrs)

    def _add_broadcast(self, rank, given, value, common, more):
        common["shape"] = [self.elements]
        if rank == self.source:
            return given, _create("CollectiveBcastSend", [value], self.dtype, {**common, **more})
        return None, _create("CollectiveBcastRecv", [], self.dtype, {**common, **more})

    def __str__(self):
        what = f"{self.kind} {self.hint} [{self.elements}] {self.dtype}"
        return f"{what} instance {self.instance} of group {self.key} ({self.size})"


def _create(op, inputs, dtype, attrs):
    attrs["T"] = sl.as_dtype(dtype).as_datatype_enum
    return sl.get_default_graph().create_op(op, inputs, attrs, op).outputs[0]


def parts_in(value):
    """What each member gave to a sum."""
    return [int(value) >> (BITS * rank) & ((1 << BITS) - 1) for rank in range(4)]


def difference(op, rank, step, got):
    """A text that says how a result is wrong; "" if it is right."""
    want = op.result(rank, step)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{op}: {got.dtype}{got.shape} in place of {want.dtype}{want.shape}"
    wrong = np.flatnonzero(got != want)
    if not wrong.size:
        return ""
    at = wrong[0]
    text = f"{op}: WRONG in {wrong.size} of {got.size} elements, first [{at}] = {got[at]},"
    text += f" not {want[at]}: the members' parts are {parts_in(got[at])}, not {parts_in(want[at])}"
    near = range(max(0, step - 50), step + 50)
    others = [s for s in near if np.array_equal(op.result(rank, s), got)]
    return text + (
        f"; it is right for step {others[0]}, not {step}" if others else f", step {step}"
    )


class RoundGivenUpError(Exception):
    """A member came to a round when the others had given it up, before it heard of that. It got
    their parts, so its result is right for that round; they got an error."""


class Attempt:
    """A step of a member, on a thread of its own."""

    def __init__(self, member, what, function):
        self.member, self.what = member, what
        self.error = self.ended = self.wrong = None
        self.began = time.monotonic()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(function,), daemon=True)
        member.running.append(self)
        self._thread.start()

    def _run(self, function):
        try:
            self.wrong = function()
        except Exception as error:
            self.error = error
        self.ended = time.monotonic()
        self.member.running.remove(self)
        self.member.say(f"{self.what}: {self}")
        self._done.set()

    def wait(self, until):
        """Whether it ends before this time (time.monotonic())."""
        return self._done.wait(max(0, until - time.monotonic()))

    def where(self):
        """The line of Python that its thread is in."""
        frame = sys._current_frames().get(self._thread.ident)
        return traceback.format_stack(frame, 1)[0].strip() if frame else "it has no thread"

    @property
    def right(self):
        return self.ended is not None and self.error is None and not self.wrong

    def __str__(self):
        if self.ended is None:
            return "runs"
        if self.error is not None:
            return f"{type(self.error).__name__}: {getattr(self.error, 'message', self.error)}"
        return self.wrong or "right"


class Member:
    """A client of one task, with a session that sees the devices of this task only."""

    def __init__(self, cluster, task, rank, ops, leader, say):
        self.task, self.rank = task, rank
        self._say = say
        self._made = {}  # op -> (input, output)
        self.running = []  # attempts
        self.graph = sl.Graph()
        with self.graph.as_default(), sl.device(f"{name_of(task)}/device:CPU:0"):
            self._number = sl.placeholder_with_default(1.0, [])
            self._other = sl.check_numerics(self._number, "the number is bad")
            for op in ops:
                before = [self._made[one][1].op for one in op.after]
                self._made[op] = op.add(rank, before)
        config = sl.ConfigProto(
            device_filters=[f"/job:worker/task:{task}"], isolate_session_state=True
        )
        config.operation_timeout_in_ms = 30000
        config.experimental.collective_group_leader = name_of(leader)
        self.session = sl.Session(cluster.target(task), graph=self.graph, config=config)
        self.run_without().wait(time.monotonic() + 30)

    def say(self, text):
        self._say(f"task {self.task}: {text}")

    def run(self, ops, step, seconds, values=None, key=None, given_up=None):
        """An Attempt of a step with these operations. `values` replace what op.part() gives, `key`
        is that of a "keyed" one. It can end with RoundGivenUpError if members gave up their last
        round, which was their step given_up[rank]."""
        what = f"step {step} within {seconds:.1f} s"
        return Attempt(self, what, lambda: self.run_here(ops, step, seconds, values, key, given_up))

    def run_beside_a_failure(self, ops, step, seconds):
        """An Attempt of a step in which another node fails."""

        def run():
            feeds = {self._made[op][0]: op.part(self.rank, step) for op in ops}
            feeds[self._number] = np.nan
            outputs = [self._other, *[self._made[op][1] for op in ops]]
            self.session.run(outputs, feeds, sl.RunOptions(timeout_in_ms=int(seconds * 1000)))

        return Attempt(self, f"step {step} with a failure", run)

    def run_here(self, ops, step, seconds, values=None, key=None, given_up=None):
        """How its results are wrong; "" if they are right."""
        feeds = {
            self._made[op][0]: op.part(self.rank, step) if values is None else values
            for op in ops
            if self._made[op][0] is not None
        }
        if key is not None:
            feeds["key:0"] = key
        options = sl.RunOptions(timeout_in_ms=int(seconds * 1000))
        results = self.session.run([self._made[op][1] for op in ops], feeds, options)
        if given_up and all(
            np.array_equal(op.result(self.rank, step, given_up), result)
            for op, result in zip(ops, results)
        ):
            raise RoundGivenUpError(f"it got the parts of the steps {given_up}")
        found = [difference(op, self.rank, step, result) for op, result in zip(ops, results)]
        return "; ".join(text for text in found if text)

    def run_without(self):
        """An Attempt of a step that has no collective operation."""

        def run():
            options = sl.RunOptions(timeout_in_ms=20000)
            return "" if self.session.run(self._other, options=options) == 1.0 else "WRONG"

        return Attempt(self, "a step without operations", run)

    def close(self):
        """An Attempt to close the session."""
        return Attempt(self, "closes its session", lambda: self.session.close() or "")


class Chain:
    """Operations of one kind and size, one after the other in the graph of a member. The graph
    compares each result, so the servers are busy and the clients are not."""

    def __init__(self, member, ops):
        self._op, self._rank = ops[0], member.rank
        with member.graph.as_default(), sl.device(f"{name_of(member.task)}/device:CPU:0"):
            # Two inputs and their results, in turns.
            self._pairs = [
                [sl.placeholder(self._op.dtype, [None]) for _ in range(2)] for _ in range(2)
            ]
            before, wrong = [], []
            for number, op in enumerate(ops):
                given, want = self._pairs[number % 2]
                _, output = op.add(self._rank, before, given)
                wrong.append(sl.reduce_sum(sl.cast(sl.not_equal(output, want), sl.int32)))
                before = [wrong[-1].op]
            self.wrong = sl.stack(wrong)

    def feeds(self, step):
        made = {}
        for number, (given, want) in enumerate(self._pairs):
            values = 2 * step + number
            made[given] = self._op.part(self._rank, values)
            made[want] = self._op.result(self._rank, values)
        return made

    def __str__(self):
        return str(self._op)


def run_chains(member, chains, steps, seconds):
    """An Attempt to run so many steps of a member's chains."""

    def run():
        options = sl.RunOptions(timeout_in_ms=int(seconds * 1000))
        for step in range(steps):
            feeds = {key: value for chain in chains for key, value in chain.feeds(step).items()}
            found = member.session.run([chain.wrong for chain in chains], feeds, options)
            for chain, wrong in zip(chains, found):
                if wrong.any():
                    return f"WRONG in step {step}: {wrong} elements of the operations like {chain}"
        return ""

    return Attempt(member, f"{steps} steps of chains", run)


class Pace:
    """Lets streams stop after the same step."""

    def __init__(self):
        self._lock = threading.Lock()
        self._begun, self._end = 0, None

    def begins(self, step):
        with self._lock:
            if self._end is not None and step >= self._end:
                return False
            self._begun = max(self._begun, step + 1)
            return True

    def stop(self):
        """The number of steps that every stream will have run."""
        with self._lock:
            self._end = self._begun
            return self._end


class Stream(Attempt):
    """Steps of a member, one after the other, until one fails or the pace stops. `seconds` is a
    function that gives the deadline of each step."""

    def __init__(self, member, ops, seconds, pace):
        self.steps = 0
        super().__init__(member, "stream", lambda: self._steps(member, ops, seconds, pace))

    def _steps(self, member, ops, seconds, pace):
        while pace.begins(self.steps):
            wrong = member.run_here(ops, self.steps, seconds())
            if wrong:
                return wrong
            self.steps += 1
        return ""

    def __str__(self):
        return f"{self.steps} steps, then {super().__str__()}"
