# SPDX-License-Identifier: Apache-2.0
"""Random programs: built by TensorFlow's client, run by our cluster and by TensorFlow itself.

A program is made from its seed alone: nested while loops, conditionals, functions, TensorArrays,
state, stacks, queues and gradients, its ops spread over one to three tasks. TensorFlow's session in
this process, on the same graph without its devices, says what is right: integers exactly, floats to
1e-5. A step that does not end fails the program, and the seed is named.

    random_programs.py [--first SEED] [--count N] [--seconds S] [--stop] [--reduce]

State is touched in one order only: each variable or queue has a token, an integer that flows with
the data through loops, branches and functions; an access waits for it and hands on the next one.
"""

import argparse
import collections
import contextlib
import os
import sys
import threading
import time

import numpy as np
import tensorflow

from interop.tools.cluster import Cluster
from interop.tools.random_program import TASKS, Program, tf

STEP_SECONDS = 30
PROGRAM_SECONDS = 150

# Every program has some of these; a run prints the fraction of each and requires a tenth.
FEATURES = [
    "while v1",
    "while v1, depth 2",
    "while v1, depth 3",
    "while v1, one iteration at a time",
    "while v1, 32 iterations at a time",
    "while v2",
    "cond v1",
    "cond v1 in a loop",
    "loop in cond v1",
    "cond v2 (If)",
    "case v2 (Case)",
    "Defun",
    "tf.function",
    "TensorArray v1",
    "TensorList arrays",
    "map_fn, scan, fold",
    "ref variable",
    "ref variable in a loop",
    "resource variable",
    "resource variable in a function",
    "queue",
    "stack",
    "gradients",
    "gradients of a loop v1",
    "gradients of a loop v2",
    "gradients of a branch",
    "1 task",
    "2 tasks",
    "3 tasks",
    "loop over tasks",
    "branch over tasks",
    "swap_memory",
    "float32",
    "float64",
]


def answers(program, session, step_seconds=STEP_SECONDS):
    """The values of every step; an error stands for the value of its step, and ends the program."""
    options = tf.RunOptions(timeout_in_ms=int(step_seconds * 1000))
    values = []
    try:
        for name in program.initializers:
            session.run(name.split(":")[0], options=options)
        for fetches, feeds in program.steps:
            values.append(session.run(fetches, feeds, options=options))
    except tf.errors.OpError as error:
        values.append(error)
    return values


def without_devices(graph):
    """The same graph, on whatever device there is."""
    definition = graph.as_graph_def()
    for node in definition.node:
        node.device = ""
    for body in definition.library.function:
        for node in body.node_def:
            node.device = ""
    stripped = tf.Graph()
    with stripped.as_default():
        tf.import_graph_def(definition, name="")
    return stripped


def theirs_alone(error):
    """Failures of only TensorFlow: a graph its client should not have made, a lost value, an op
    without a gradient in its runtime."""
    phrases = ("does not have value", "has inputs from different frames", "No gradient defined")
    return isinstance(error, tf.errors.InternalError) or (
        isinstance(error, Exception) and any(phrase in error.message for phrase in phrases)
    )


def difference(actual, expected, program):
    """The difference, in words; empty if there is none."""
    for step, (a, e) in enumerate(zip(actual, expected)):
        if isinstance(a, Exception) or isinstance(e, Exception):
            if theirs_alone(e):
                return ""
            if type(a) is type(e) and not isinstance(e, tf.errors.DeadlineExceededError):
                return ""
            say = [
                f"{type(v).__name__}: {v.message[:700]}" if isinstance(v, Exception) else "a value"
                for v in (a, e)
            ]
            return "step %d: ours is %s\n   TensorFlow's is %s" % (step, say[0], say[1])
        for name, mine, theirs in zip(program.steps[step][0], a, e):
            mine, theirs = np.asarray(mine), np.asarray(theirs)
            if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
                return "step %d %s: %s%s, expected %s%s" % (
                    step, name, mine.dtype, mine.shape, theirs.dtype, theirs.shape,
                )  # fmt: skip
            exact = theirs.dtype.kind != "f"
            # Values are around 1, and what sums to nearly nothing keeps the rounding of its parts.
            digits = 1e-5 if theirs.dtype == np.float32 else 1e-9
            if not (
                np.array_equal(mine, theirs)
                if exact
                else np.allclose(mine, theirs, rtol=digits, atol=digits, equal_nan=True)
            ):
                return "step %d %s: %s, expected %s" % (step, name, mine, theirs)
    return "" if len(actual) == len(expected) else "another number of steps"


class Watchdog:
    """Ends the process, naming the seed, when a program takes too long."""

    def __init__(self):
        self.seed, self.deadline = None, None
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            time.sleep(1)
            deadline = self.deadline
            if deadline is not None and time.time() > deadline:
                print("FAILED seed %s: hang, over %d s" % (self.seed, PROGRAM_SECONDS), flush=True)
                print("0 passed, 1 failed", flush=True)
                os._exit(3)

    @contextlib.contextmanager
    def over(self, seed):
        self.seed, self.deadline = seed, time.time() + PROGRAM_SECONDS
        try:
            yield
        finally:
            self.deadline = None


def run_one(program, target, step_seconds=STEP_SECONDS):
    """The difference between ours and TensorFlow's, and whether one of them refused it."""
    try:
        alone = without_devices(program.graph)
    except ValueError:  # its client does not read what it wrote
        return "", True
    with tf.Session(graph=alone) as session:
        expected = answers(program, session)
    try:
        with tf.Session(target, graph=program.graph) as session:
            actual = answers(program, session, step_seconds)
    except tf.errors.OpError as error:
        actual = [error]
    wrong = difference(actual, expected, program)
    if wrong:
        # Its rewriter puts a function that returns a constant into a branch, and lets the constant
        # out though the branch is not taken.
        plain = tf.ConfigProto()
        plain.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf.Session(graph=alone, config=plain) as session:
            expected = answers(program, session)
        wrong = difference(actual, expected, program) and wrong
    refused = any(isinstance(values[-1], Exception) for values in (actual, expected))
    return wrong, refused


def needed(program, fetches):
    """The nodes that `fetches` reach."""
    todo = [program.graph.as_graph_element(name) for name in fetches]
    todo = [getattr(element, "op", element) for element in todo]
    seen = set()
    while todo:
        op = todo.pop()
        if op not in seen:
            seen.add(op)
            todo += [t.op for t in op.inputs] + list(op.control_inputs)
    return [op for op in program.graph.get_operations() if op in seen]


def reduce(seed, target):
    """Leaves out statement after statement as long as it goes wrong, and shows what is left."""

    def wrong(skip):
        program = Program(seed, skip)
        return next(filter(None, (run_one(program, target)[0] for _ in range(3))), "")

    skip, again = set(), bool(wrong(()))
    while again:
        again = False
        for path in ["gradients"] * ("gradients" not in skip) + Program(seed, skip).statements[
            ::-1
        ]:
            if wrong(skip | {path}):
                skip.add(path)
                again = True
    program = Program(seed, skip)
    print("reduced seed %d: %s stay" % (seed, " ".join(program.statements)))
    fetches = sorted({name for step, _ in program.steps for name in step})
    nodes = [(op.node_def, 0) for op in needed(program, fetches)]
    for body in program.graph.as_graph_def().library.function:
        nodes.append((body.signature, 1))
        nodes += [(node, 2) for node in body.node_def]
    for node, depth in nodes:
        if depth == 1:
            args = ["%s:%d" % (arg.name, arg.type) for arg in node.input_arg]
            print(" function {}({})".format(node.name, ", ".join(args)))
            continue
        called = [a.func.name for a in node.attr.values() if a.func.name]
        called += [f.name for a in node.attr.values() for f in a.list.func]
        print("  {}{} = {}({}) {} {}".format(
            "  " * depth, node.name, node.op, ", ".join(node.input), node.device, " ".join(called),
        ))  # fmt: skip
    for fetches, feeds in program.steps:
        print("  run", fetches, feeds)
    print(" ", wrong(skip) or "nothing is wrong")


def run_all(seeds, target, say=print, seconds=None, stop=False, step_seconds=STEP_SECONDS):
    """Runs them; returns (passed, failed seeds, share of each feature)."""
    watchdog = Watchdog()
    shares, unbuilt = collections.Counter(), collections.Counter()
    refused, passed, failed = [], 0, []
    end = time.time() + seconds if seconds else None
    for seed in seeds:
        if (end and time.time() > end) or (stop and failed):
            break
        with watchdog.over(seed):
            program = Program(seed)
            wrong, error = run_one(program, target, step_seconds)
        if error:
            refused.append(seed)
        shares.update(program.features)
        unbuilt.update(program.unbuilt)
        if wrong:
            failed.append(seed)
            say("FAILED seed %d: %s" % (seed, wrong))
        else:
            passed += 1
        if (passed + len(failed)) % 20 == 0:
            tf.Session.reset(target)
    total = max(1, passed + len(failed))
    for feature in FEATURES:
        say(f"{100.0 * shares[feature] / total:5.1f} %  {feature}")
    for what, count in unbuilt.most_common(8):
        say("%5d x not built by the client: %s" % (count, what))
    if refused:
        say(f"not run, by TensorFlow or by its rules: seeds {refused}")
    return passed, failed, {f: shares[f] / total for f in FEATURES}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="stop after so many")
    parser.add_argument("--stop", action="store_true", help="at the first that fails")
    parser.add_argument("--step-seconds", type=float, default=STEP_SECONDS)
    parser.add_argument("--reduce", action="store_true", help="of --first: what is left of it")
    args = parser.parse_args()
    print("TensorFlow", tensorflow.__version__, flush=True)
    with Cluster({"worker": len(TASKS)}) as cluster:
        if args.reduce:
            return reduce(args.first, cluster.target())
        started = time.time()
        seeds = range(args.first, args.first + args.count)

        def say(text):
            print(text, flush=True)

        passed, failed, shares = run_all(
            seeds, cluster.target(), say, args.seconds, args.stop, args.step_seconds
        )
        total = passed + len(failed)
        say(f"{(time.time() - started) / max(1, total):.2f} s for each program")
    rare = [feature for feature, share in shares.items() if share < 0.1 and total >= 200]
    for feature in rare:
        print(f"FAILED the share of {feature}: under a tenth")
    print(f"{passed} passed, {len(failed) + len(rare)} failed")
    sys.exit(1 if failed or rare or not passed else 0)


if __name__ == "__main__":
    main()
