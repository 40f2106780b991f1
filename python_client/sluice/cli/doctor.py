# SPDX-License-Identifier: Apache-2.0
"""sluice doctor: the transports between the tasks of a cluster, and their speed."""

import argparse
import dataclasses
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Optional

from ..errors import OpError
from . import server, tasks
from .figures import bytes_text, columns, parse_bytes, parse_seconds, rate_text, seconds_text
from .pair import Measured, measure
from .progress import Progress

DESCRIPTION = """\
Asks every task of a cluster which transport it uses to each other task (shared memory, TCP, gRPC)
and why it uses no better one. Then it measures each ordered pair of tasks.

The measurement uses a session whose master is the sending task. Each figure is the median of many
steps:
  null step  a step that runs a NoOp on both tasks and sends no tensor
  one way    half of a round trip of a 4-byte tensor: the time of a step with 16 round trips, less
             the null step, divided by 32
  bandwidth  a step in which one large tensor (--bytes) goes to the receiver, less the null step
The variables of the measurement belong to its session and are deleted with it.

For a cluster with TLS or a token, set the environment variables SLUICE_TLS_CA, SLUICE_TLS_CERT,
SLUICE_TLS_KEY and SLUICE_TOKEN_FILE.

For each task it also shows the number of GPUs, or why there is none. It lists the groups of
collective operations that wait for members, and the operations that wait for a message.

With --rdma it first reports what this machine has for RDMA (sluice-server --rdma_report): library,
devices, ports, GIDs, limits, the settings in force with their sources, and a transfer of the device
to itself. The options that the task would have are given as --rdma-options="--rdma_device=mlx5_0".
The matrix of the cluster comes next, if one is given.

The exit status is 1 if a task does not answer, refuses the call, is not a Sluice server, is another
task than the cluster says, or cannot send to another task. The output names the task.
"""


@dataclass
class Pair:
    """One row of the matrix."""

    sender: str
    receiver: str
    transport: str = ""
    passed_over: list = field(default_factory=list)
    error: str = ""
    measured: Optional[Measured] = None


def add(commands):
    command = commands.add_parser(
        "doctor", help="show and measure the transports between the tasks of a cluster",
        description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )  # fmt: skip
    tasks.add_cluster_options(command)
    command.add_argument("--no-measure", action="store_true", help="do not send tensors")
    command.add_argument(
        "--bytes", type=parse_bytes, default=64 << 20, help="size of the large tensor; default 64M"
    )
    command.add_argument(
        "--seconds", type=parse_seconds, default=0.9,
        help="time to measure a pair; default 0.9",
    )  # fmt: skip
    command.add_argument(
        "--rdma", action="store_true", help="report what this machine has for RDMA first"
    )
    command.add_argument(
        "--rdma-options", default="", metavar="OPTIONS",
        help="options of sluice-server for the report: its --rdma_*, or --cluster, --job, --task",
    )  # fmt: skip
    command.set_defaults(run=run)


def run(options):
    if options.rdma:
        works = _report_rdma(options)
        if not (options.server or options.cluster or "TF_CONFIG" in os.environ):
            return int(not works)
    with Progress("sluice doctor") as progress:
        progress.step("asking for the tasks of the cluster")
        addresses = tasks.chosen(options)
        progress.step(f"asking {len(addresses)} tasks for their transports")
        known = tasks.ask_all(addresses, options.timeout)
        pairs = examine(known)
        for i, pair in enumerate([] if options.no_measure else pairs):
            names = f"{tasks.short(pair.sender)} to {tasks.short(pair.receiver)}"
            progress.step(f"measuring pair {i + 1} of {len(pairs)}, {names}")
            _measure(pair, known[pair.sender].address, options)
    if options.json:
        print(json.dumps(_as_dict(known, pairs, options), indent=1))
    else:
        _print_table(known, pairs, options)
    return int(any(task.error for task in known.values()) or any(pair.error for pair in pairs))


def _report_rdma(options):
    """Prints the report on standard output (with --json on standard error). Returns whether RDMA
    works here."""
    program = server.path()
    if program is None:
        raise FileNotFoundError("sluice-server is neither in the build folder nor in PATH")
    report = subprocess.run(
        [program, "--rdma_report", *shlex.split(options.rdma_options)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(report.stdout + report.stderr, end="", file=sys.stderr if options.json else sys.stdout)
    return report.returncode == 0


def examine(known):
    """A Pair for each ordered pair of tasks; `known` is {name: Task}."""
    names = tasks.in_order(known)
    return [_pair(known[a], known[b]) for a in names for b in names if a != b]


def _pair(sender, receiver):
    pair = Pair(sender.name, receiver.name)
    for task in (sender, receiver):
        if task.error:
            pair.error = f"{tasks.short(task.name)} at {task.address} {task.error}"
            return pair
    choice = sender.choices.get(receiver.name)
    if choice is None:
        pair.error = f"{tasks.short(sender.name)} does not know {tasks.short(receiver.name)}"
        return pair
    pair.transport, pair.passed_over = choice.transport, choice.passed_over
    if not choice.transport:
        pair.error = "no transport: " + "; ".join(one.why for one in choice.passed_over)
    return pair


def _measure(pair, address, options):
    if pair.error:
        return
    try:
        pair.measured = measure(pair.sender, pair.receiver, address, options.bytes, options.seconds)
    except OpError as error:
        pair.error = f"the measurement failed: {error}"


def _as_dict(known, pairs, options):
    return {
        "tasks": [
            {
                "task": name, "address": known[name].address, "error": known[name].error,
                "gpus": known[name].gpus, "no_gpu": known[name].no_gpu,
                "waiting": known[name].waiting,
            }
            for name in tasks.in_order(known)
        ],
        "pairs": [
            {
                "from": pair.sender, "to": pair.receiver, "transport": pair.transport,
                "passed_over": [one._asdict() for one in pair.passed_over],
                "error": pair.error,
                **(dataclasses.asdict(pair.measured) if pair.measured else {}),
            }
            for pair in pairs
        ],
        "bytes": options.bytes,
    }  # fmt: skip


def _print_table(known, pairs, options):
    for name in tasks.in_order(known):
        if known[name].error:
            print(f"{tasks.short(name)} at {known[name].address} {known[name].error}")
    rows = [("from", "to", "transport", "one way", bytes_text(options.bytes), "null step")]
    rows += [_cells(pair) for pair in pairs]
    lines = columns(rows, right=(3, 4, 5))
    print(next(lines))
    for pair, line in zip(pairs, lines):
        print(line)
        for one in pair.passed_over if pair.transport else ():
            if not one.rare:
                print(f"    not {one.transport}: {one.why}")
        if pair.error and not known[pair.sender].error and not known[pair.receiver].error:
            print(f"    {pair.error}")
    for line in gpu_lines(known):
        print(line)
    for name in tasks.in_order(known):
        for line in known[name].waiting:
            print(f"waiting at {tasks.short(name)}: {line}")


def gpu_lines(known):
    """One line for each task with GPUs, and one for each reason why others have none."""
    reasons = {}
    for name in tasks.in_order(known):
        if known[name].gpus:
            yield f"{tasks.short(name)} has GPUs: {known[name].gpus}"
        elif known[name].no_gpu:
            reasons.setdefault(known[name].no_gpu, []).append(tasks.short(name))
    for reason, names in reasons.items():
        yield f"no GPU: {reason} ({', '.join(names)})"


def _cells(pair):
    m = pair.measured
    figures = (
        (seconds_text(m.one_way), rate_text(m.bytes_per_second), seconds_text(m.null_step))
        if m is not None
        else ("-", "-", "-")
    )
    return (
        tasks.short(pair.sender),
        tasks.short(pair.receiver),
        pair.transport or "none",
        *figures,
    )
