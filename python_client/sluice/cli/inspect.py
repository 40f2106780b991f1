# SPDX-License-Identifier: Apache-2.0
"""sluice inspect input: what the data sets of a task do, and which stage limits them."""

import json
import re
import time

from .. import _sluice
from ..errors import OpError
from . import tasks
from .diagnosis import explain
from .figures import columns, parse_seconds
from .input_stages import bottleneck, pipelines_between
from .progress import Progress

DESCRIPTION = """\
Lists the data sets that the iterators of a task read, each as a tree of stages: elements per
second, the time that a stage's reader waited for it, and the part of it that is the stage's own.
For stages that work ahead it lists how long their workers made elements, read inputs, and waited
for room, as percentages of the time of all of them. It names the stage that limits the pipeline.
"""


def add(commands):
    command = commands.add_parser("inspect", help="look into a running task")
    parts = command.add_subparsers(dest="part", required=True, metavar="PART")
    part = parts.add_parser(
        "input", help="the stages of running data sets, and the slowest", description=DESCRIPTION,
        allow_abbrev=False,
    )  # fmt: skip
    part.add_argument("server", metavar="HOST:PORT", help="address of the task")
    part.add_argument("--iterator", metavar="NAME", help="only iterators with this in their name")
    part.add_argument("--session", metavar="HANDLE", help="only those of this isolated session")
    part.add_argument(
        "--seconds", type=parse_seconds, default=1.0, help="time to observe; default 1"
    )
    part.add_argument(
        "--total", action="store_true", help="do not observe: show sums since each iterator began"
    )
    part.add_argument("--json", action="store_true", help="print JSON, not a table")
    part.add_argument(
        "--timeout", type=parse_seconds, default=25.0,
        help="time budget for the answer of the task; default 25",
    )  # fmt: skip
    part.set_defaults(run=run)


def run(options):
    address = options.server.removeprefix("grpc://")
    with Progress("sluice inspect") as progress:
        progress.step(f"asking {address}")
        before = [] if options.total else _ask(address, options)
        if not options.total:
            progress.step(f"observing {address}")
            time.sleep(options.seconds)
        pipelines = pipelines_between(before, _ask(address, options))
    if options.json:
        print(json.dumps([_as_dict(pipeline) for pipeline in pipelines], indent=1))
    else:
        _print_tables(pipelines)
    return 0


def _ask(address, options):
    try:
        found = _sluice.list_pipelines(address, options.timeout)
    except OpError as error:
        raise tasks.NoAnswerError(f"{address} {explain(address, error)}") from None
    return [
        one for one in found
        if (options.iterator or "") in one["iterator"]
        and options.session in (None, one["session"])
    ]  # fmt: skip


def _as_dict(pipeline):
    limit = bottleneck(pipeline)
    return {
        "iterator": pipeline.iterator, "device": pipeline.device, "session": pipeline.session,
        "seconds": pipeline.seconds,
        "stages": [
            {
                "node": one.node, "op": one.op, "reader": one.reader, "elements": one.elements,
                "waited": one.waited, "own": one.own, "lines": one.lines, "workers": one.workers,
                "reading": one.reading, "making": one.making, "no_room": one.no_room,
            }
            for one in pipeline.stages
        ],
        "bottleneck": None if limit.stage is None else limit.stage.index,
        "share": limit.share,
        "advice": limit.advice,
    }  # fmt: skip


def _print_tables(pipelines):
    if not pipelines:
        print("no iterator reads a data set here")
    for i, pipeline in enumerate(pipelines):
        if i > 0:
            print()
        device = tasks.short(pipeline.device)
        session = f" of session {pipeline.session}" if pipeline.session else ""
        name = (
            f"iterator {pipeline.iterator}" if pipeline.iterator else "an iterator without a name"
        )
        print(f"{name}{session} on {device}, {pipeline.seconds:.1f} s")
        rows = [("stage", "elements/s", "waited", "own", "workers", "making", "reading", "no room")]
        rows += [_cells(pipeline, stage) for stage in pipeline.stages]
        for line in columns(rows, right=range(1, 8)):
            print(line)
        print(bottleneck(pipeline).text())


def name_of(stage):
    """The node, with its op where the name does not say it."""
    last = re.sub(r"(_\d+)?$", "", stage.node.rpartition("/")[2])
    return stage.node if last == stage.op else f"{stage.node} ({stage.op})"


def _cells(pipeline, stage):
    seconds = max(pipeline.seconds, 1e-6)
    workers = ("-", "-", "-", "-")
    if stage.lines:
        workers = (
            str(stage.workers),
            _percent(stage.making, seconds * stage.workers),
            _percent(stage.reading, seconds * stage.lines),
            _percent(stage.no_room, seconds * stage.workers),
        )
    return (
        "  " * stage.depth + name_of(stage),
        f"{stage.elements / seconds:,.0f}",
        _percent(stage.waited, seconds),
        _percent(stage.own, seconds),
        *workers,
    )


def _percent(part, whole):
    return f"{100 * part / whole:.0f} %"
