# SPDX-License-Identifier: Apache-2.0
"""Differential fuzzer of ops: random ops, attributes, dtypes and shapes, here and in TensorFlow.

    fuzz_ops.py [--seconds S] [--count N] [--first SEED] [--table] [--runs | --alive] [OP...]
    fuzz_ops.py --replay SEED [--runs] OP       one draw: what it is, and both answers

Values or the classes of the errors agree, or the difference is listed in op_differences.py with
its reason. With --runs every node runs three times: with its inputs, with others, with its own.
With --alive only our server is asked, in an order that the seed draws, and what it dies or hangs of
is reported: for servers with sanitizers.

Each side runs in processes of its own: where TensorFlow dies of a draw, ours must answer. Our
server has a bounded address space, so that a hostile size is an error.
"""

import argparse
import collections
import concurrent.futures
import itertools
import random
import signal
import subprocess
import sys
import time
import traceback

import numpy as np
import tensorflow
from google.protobuf import message
from tensorflow.core.framework import summary_pb2

from interop.tools import cluster, op_differences, op_nodes
from interop.tools.fuzz_sides import OUR_SERVER, TIME_BUDGET, Server, Side
from interop.tools.op_draws import Draws, Kernels
from interop.tools.op_nodes import MAJOR

BATCH = 40
# CI's verdict must be the same on another machine: its tolerances are so much wider.
LOOSE = 40
# Of TensorFlow: it was too much for it, or for its client (a message that is no text, a shape
# that NumPy cannot hold).
NO_ANSWER = ("DeadlineExceeded", "ResourceExhausted", "Client")
NO_ARRAY = "Could not allocate ndarray"
# Bytes of an answer that a client has in memory several times over, when it comes from a server.
LARGE = 1 << 28
ANSWERS = ("value", "error", "died", "hung", "refused")
DIFFERENT_BYTES = (0x11, 0xEE)


# ---- the comparison ------------------------------------------------------------------------------


def differs(drawn, ours, theirs, loose=1):
    """None, or what is different. `loose`: so many times the tolerance."""
    if ours[0] == theirs[0] == "died" and not ours[1].startswith(OUR_SERVER):
        return None  # the client itself dies of building such a node
    if client_failed(ours) and theirs[0] == "value" and bytes_of(theirs[1]) > LARGE:
        return None
    if ours[0] == "died":
        return f"ours died: {ours[1]}"
    if theirs[0] in ("died", "hung"):
        return None
    if theirs[0] == "error" and (theirs[1][0] in NO_ANSWER or NO_ARRAY in theirs[1][1]):
        return None
    if "refused" in (ours[0], theirs[0]):
        return None
    if ours[0] == "hung":
        return "ours hung"
    if ours[0] == "error" and theirs[0] == "error":
        if ours[1][0] != theirs[1][0] and theirs[1][0] != "Unimplemented":
            return f"class: ours {ours[1][1]} | TensorFlow: {theirs[1][1]}"
        return None
    if ours[0] == "error":
        return f"only ours fails: {ours[1][1]}"
    if theirs[0] == "error":
        if theirs[1][0] == "Unimplemented":
            return None
        return f"only TensorFlow fails: {theirs[1][1]}"
    return values_differ(drawn, ours[1], theirs[1], loose)


def client_failed(answer):
    kind, what = answer
    return (
        kind == "died"
        and not what.startswith(OUR_SERVER)
        or kind == "error"
        and what[0] == "Client"
    )


def bytes_of(outputs):
    return sum(array.nbytes for _, array in outputs)


def values_differ(drawn, ours, theirs, loose=1):
    if len(ours) != len(theirs):
        return f"number of outputs: {len(ours)}, TensorFlow's {len(theirs)}"
    for i, ((name, a), (wanted, e)) in enumerate(zip(ours, theirs)):
        if name != wanted or a.shape != e.shape:
            return f"output {i} is {name}{a.shape}, TensorFlow's {wanted}{e.shape}"
        if op_differences.ignores_values(drawn.op):
            continue
        if drawn.op == "HistogramSummary":
            tag = drawn.inputs[0][1].item()
            close = np.array(same_histogram(tag, a.item(), e.item()))
        elif name in op_nodes.RTOL:
            close = numbers_close(name, drawn, a, e, loose)
        else:
            close = a == e
        if not np.all(close):
            at = tuple(np.argwhere(~np.atleast_1d(close))[0])
            return (
                f"values: output {i} at {at}: {np.atleast_1d(a)[at]!r}, TensorFlow's "
                f"{np.atleast_1d(e)[at]!r} ({np.sum(~close)} of {np.size(close)})"
            )
    return None


def tolerances(dtype, drawn, theirs, loose=1):
    """(rtol, atol) for an output. Draws have values that no line of cases/ has."""
    rtol = 4 * max(drawn.rtol or 0, op_nodes.RTOL[dtype])  # drawn from another dtype's
    rtol = max(rtol, min(0.1, rtol * loose))
    largest = float(np.max(np.abs(theirs[np.isfinite(theirs)]), initial=0))
    atol = 4 * loose * max(drawn.atol or 0, op_nodes.ATOL[dtype]) + rtol * min(largest, 1e30)
    return rtol, atol


def numbers_close(dtype, drawn, ours, theirs, loose):
    wide = np.complex128 if "complex" in dtype else np.float64
    ours, theirs = ours.astype(wide), theirs.astype(wide)
    rtol, atol = tolerances(dtype, drawn, theirs, loose)

    def close(a, e):
        return np.isclose(a, e, rtol, atol, equal_nan=True)

    with np.errstate(all="ignore"):
        # Where one part of a complex number is infinite, the other still has to agree.
        return close(ours, theirs) | close(ours.real, theirs.real) & close(ours.imag, theirs.imag)


def same_histogram(tag, ours, theirs):
    """Its sums are rounded as the compiler ordered them. A tag that is no text, of which protobuf
    makes no summary, is written over."""
    try:
        summaries = [summary_pb2.Summary.FromString(data) for data in (ours, theirs)]
    except message.DecodeError:
        if not ours.count(tag) == theirs.count(tag) == 1:
            return ours == theirs
        written = [data.replace(tag, b"?" * len(tag)) for data in (ours, theirs)]
        summaries = [summary_pb2.Summary.FromString(data) for data in written]
    a, e = (summary.value.pop().histo for summary in summaries)
    numbers = [
        (h.min, h.max, h.num, h.sum, h.sum_squares, *h.bucket, *h.bucket_limit) for h in (a, e)
    ]
    return len(numbers[0]) == len(numbers[1]) and np.allclose(*numbers, 1e-9, equal_nan=True)


class Fuzzer:
    """Draws, asks both, counts; `report` gets a line for every difference."""

    def __init__(self, draws, report=print, loose=1, runs=False):
        self.draws, self.report, self.loose, self.runs = draws, report, loose, runs
        self.server = Server()
        self.counts = collections.Counter()
        self.ops = collections.defaultdict(collections.Counter)
        self.found = 0

    def draw(self, pairs):
        drawns = [d for d in (self.draws.draw(op, seed) for op, seed in pairs) if d]
        self.counts["undrawn"] += len(pairs) - len(drawns)
        return [run for d in drawns for run in self.draws.runs(d)] if self.runs else drawns

    def compare(self, drawns):
        with concurrent.futures.ThreadPoolExecutor(1) as beside:
            asked = beside.submit(Side().ask, drawns)
            ours = self.ask_ours(drawns)
            theirs = asked.result()
        for drawn, a, b in zip(drawns, ours, theirs):
            self.judge(drawn, a, b)

    def ask_ours(self, drawns, time_budget=TIME_BUDGET):
        found = Side(self.server, time_budget).ask(drawns)
        if not self.server.died(found):
            return found
        # One by one from here: which of them was it?
        words, found = self.server.last_words(), []
        for drawn in drawns:
            if self.server.died():
                self.server.restart()
            found += Side(self.server, time_budget).ask([drawn])
            if self.server.died(found[-1:]):
                found[-1] = ("died", self.server.last_words())
        if not any(kind == "died" and why.startswith(OUR_SERVER) for kind, why in found):
            self.found += 1
            first = drawns[0]
            self.report(
                f"FAILED --first {first.seed} --count {len(drawns)}, from {first.op} on: ours died "
                f"of them together: {words}"
            )
        return found

    def broke(self, pairs):
        """A comparison ended in the exception that is being handled: a failure like others."""
        self.found += 1
        ops = " ".join(dict.fromkeys(op for op, _ in pairs))
        self.report(f"FAILED --first {pairs[0][1]} --count {len(pairs)} {ops}: the fuzzer itself")
        self.report(traceback.format_exc())
        self.server.restart()

    def judge(self, drawn, ours, theirs):
        kind = theirs[0] if theirs[0] != "error" else "error " + theirs[1][0]
        self.counts[kind] += 1
        self.ops[drawn.op][theirs[0]] += 1
        if drawn.shows_value and ours[0] != "value":
            self.found += 1
            self.report(f"FAILED {drawn.op} shows no value: {ours}\n    {str(drawn)[:700]}")
            return
        difference = differs(drawn, ours, theirs, self.loose)
        if difference is None:
            return
        if op_differences.reason(drawn, difference, MAJOR):
            self.counts["listed"] += 1
            self.ops[drawn.op]["listed"] += 1
            return
        difference = self.alone(drawn)
        if difference is None:
            return
        self.found += 1
        self.ops[drawn.op]["different"] += 1
        self.report(
            f"FAILED --replay {drawn.seed} {drawn.op}: {difference}\n    {str(drawn)[:700]}"
        )

    def alone(self, drawn):
        """The difference in a graph of its own, with time, on a server that holds nothing of those
        before: what they do to it is none."""
        slow_sides = [Side(fill=fill, time_budget=3 * TIME_BUDGET) for fill in DIFFERENT_BYTES]
        drawns = [*drawn.before, drawn]
        first, second = (side.ask(drawns)[-1] for side in slow_sides)
        if differs(drawn, first, second) is not None:
            self.counts["TensorFlow reads memory as it is"] += 1
            return None
        self.server.restart()
        ours = self.ask_ours(drawns, 6 * TIME_BUDGET)[-1]
        difference = differs(drawn, ours, first, self.loose)
        if difference is None or op_differences.reason(drawn, difference, MAJOR):
            return None
        return difference

    def table(self):
        for op, row in sorted(self.ops.items()):
            self.report(f"{op:40} " + " ".join(f"{k}={n}" for k, n in sorted(row.items())))

    def summary(self):
        total = sum(sum(row[k] for k in ANSWERS) for row in self.ops.values())
        rest = ", ".join(f"{n} {k}" for k, n in self.counts.most_common())
        return f"{total} draws of {len(self.ops)} ops: {rest}"


class Survival(Fuzzer):
    """Asks only our server, and reports what it dies or hangs of."""

    def compare(self, drawns):
        for drawn, answer in zip(drawns, self.ask_ours(drawns)):
            if answer[0] == "hung":  # with time, on a server that holds nothing of those before
                self.server.restart()
                answer = self.ask_ours([*drawn.before, drawn], 6 * TIME_BUDGET)[-1]
            kind, what = answer
            self.counts[kind] += 1
            self.ops[drawn.op][kind] += 1
            if kind == "hung" or kind == "died" and what.startswith(OUR_SERVER):
                self.found += 1
                self.report(f"FAILED --replay {drawn.seed} {drawn.op}: {kind}: {what}")


def make_draws():
    listed = subprocess.check_output([cluster.SERVER, "--list_ops"]).decode()
    return Draws(Kernels(listed))


def fuzzed_ops(draws):
    """The ops that are drawn."""
    return [op for op in draws.kernels.ops() if draws.known(op) and not op_differences.excluded(op)]


def run(fuzzer, ops, first, count, seconds):
    """Every op with the seed `first`, then with the next one, and so on. SIGTERM ends it early."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    deadline = time.time() + seconds
    pairs = ((op, seed) for seed in itertools.count(first) for op in ops)
    while count > 0 and time.time() < deadline:
        batch = list(itertools.islice(pairs, min(BATCH, count)))
        count -= len(batch)
        try:
            fuzzer.compare(fuzzer.draw(batch))
        except KeyboardInterrupt:
            fuzzer.report(f"ended early, at seed {batch[0][1]}")
            return
        except Exception:  # pylint: disable=broad-except
            fuzzer.broke(batch)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--table", action="store_true")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--runs", action="store_true")
    how.add_argument("--alive", action="store_true")
    parser.add_argument("--replay", type=int)
    parser.add_argument("ops", nargs="*")
    options = parser.parse_args()
    print("TensorFlow", tensorflow.__version__, flush=True)
    draws = make_draws()
    kind = Survival if options.alive else Fuzzer
    fuzzer = kind(draws, lambda line: print(line, flush=True), runs=options.runs)
    try:
        if options.replay is not None:
            drawns = fuzzer.draw([(options.ops[0], options.replay)])
            for drawn, a, b in zip(drawns, Side().ask(drawns), fuzzer.ask_ours(drawns)):
                print(drawn, "static" if drawn.static else "")
                print("TensorFlow:", a)
                print("ours:", b)
            return
        ops = options.ops or fuzzed_ops(draws)
        if options.alive:
            random.Random(options.first).shuffle(ops)
        run(fuzzer, ops, options.first, options.count, options.seconds)
        if options.table:
            fuzzer.table()
        print(fuzzer.summary())
    finally:
        fuzzer.server.close()
    passed = sum(row["value"] + row["error"] for row in fuzzer.ops.values()) - fuzzer.found
    print(f"{passed} passed, {fuzzer.found} failed")
    sys.exit(1 if fuzzer.found else 0)


if __name__ == "__main__":
    main()
