# SPDX-License-Identifier: Apache-2.0
"""sluice bench, and sluice bench transport: the transports beside other ways to move bytes."""

import argparse
import os
import subprocess

from . import bench_collectives, bench_programs, tensorflow_rows
from .bench_plots import matplotlib_or_raise, write_plots
from .bench_results import Results
from .bench_tables import read_json, tables, write_csv, write_json
from .progress import Progress

PROGRAM = bench_programs.path("sluice-bench-transport")

DESCRIPTION = """\
Measures the transports and their peers between two pinned processes, in turns, for several rounds:
latency one way (percentiles), bandwidth, message rate, and the throughput of parameter servers,
each with its processor time. docs/transports.md explains the figures.

A row is void if other processes used the machine at that time. It is also void if the peer that
does the same work without Sluice (raw TCP, memcpy, ...) was far below its best figure, in this run
or in --known.
"""

# Options that are passed on to the measuring program.
_PASSED_ON = (
    ("--transports", "transports to compare, separated by commas; default: all (--list)"),
    ("--sizes", 'message sizes: "1,4K,64M", or "1:256M", each 4 times the last (the default)'),
    ("--mixes", 'payloads of TF-gRPC-Bench: "uniform,random,skewed" (the default), or ""'),
    ("--serialised", "payloads to measure encoded too: none, mixes (the default) or all"),
    ("--connections", "connections of tcp and raw-tcp; default 1"),
    ("--servers", "number of parameter servers; default 2; 0: do not measure them"),
    ("--workers", "number of workers of the parameter servers; default 3"),
    ("--rounds", "number of rounds; each transport has one turn in a round; default 7"),
    ("--seconds", "time of one transport in one round, for each figure; default 0.02"),
    (
        "--pin",
        "pin each process to half of the cores (apart, the default), both to one core (together), "
        "or none",
    ),
    ("--connect", "HOST:PORT of the far process on another machine (run --serve there)"),
)


def add(commands):
    bench = commands.add_parser("bench", help="run a benchmark")
    parts = bench.add_subparsers(dest="part", required=True, metavar="PART")
    bench_collectives.add(parts)
    transport = parts.add_parser(
        "transport", help="measure the transports", description=DESCRIPTION, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    bench_programs.add_options(transport, _PASSED_ON)
    transport.add_argument("--list", action="store_true", help="list the transports and exit")
    transport.add_argument(
        "--serve", metavar="HOST:PORT",
        help="run as the far process until stopped; everyone who reaches the port can use the "
        "memory and processors of this machine",
    )  # fmt: skip
    transport.add_argument("--json", metavar="FILE", help="write all figures as JSON")
    transport.add_argument("--csv", metavar="FILE", help="write all figures as CSV")
    transport.add_argument("--plots", metavar="FOLDER", help="write plots; requires matplotlib")
    transport.add_argument("--known", metavar="FILE", help="JSON of a run on an idle machine")
    transport.add_argument(
        "--read", metavar="FILE", help="do not measure; show the JSON of an earlier run"
    )
    transport.add_argument(
        "--tensorflow", metavar="PYTHON", default=os.environ.get("SLUICE_TF2_PYTHON", ""),
        help="Python with TensorFlow, to measure its servers; default: SLUICE_TF2_PYTHON",
    )  # fmt: skip
    transport.set_defaults(run=run)


def command(options):
    """Returns the command line of the measuring program."""
    words = bench_programs.command(PROGRAM, options, _PASSED_ON)
    words += ["--list"] * options.list
    return words + ([f"--serve={options.serve}"] if options.serve else [])


def run(options):
    if not options.read:
        bench_programs.check_built(PROGRAM)
    if options.list or options.serve:
        return subprocess.run(command(options), check=False).returncode
    if options.plots:
        matplotlib_or_raise()  # now, not after the measurement
    known = bench_programs.read(options.known, read_json, Results()) if options.known else Results()
    if options.read:
        results = bench_programs.read(options.read, read_json, Results())
    else:
        results = _measure_all(options)
    if results is None:
        return 1
    results.mark_void(known.figures)
    _write(results, options)
    return 0


def _measure_all(options):
    """Returns None if a program failed; it has printed the reason."""
    results = Results()
    with Progress("sluice bench transport") as progress:
        progress.step("beginning")
        good = _measure(command(options), results, progress)
        if good and options.tensorflow and not options.connect:
            words = tensorflow_rows.command(options, results.setting, bench_programs.BUILD)
            good = _measure(words, results, progress)
    return results if good else None


def _measure(words, results, progress):
    """Reads the lines that a program prints. Returns whether it succeeded."""

    def take(line):
        results.take(line)
        if results.figures:
            last = results.figures[-1]
            progress.step(f"{last.metric} of {last.payload} is measured")

    return bench_programs.run(words, take)


def _write(results, options):
    for line in tables(results):
        print(line)
    bench_programs.write_files(results, (options.json, write_json), (options.csv, write_csv))
    if options.plots:
        print("\n".join(write_plots(results, options.plots)))
