"""sluice bench transport: how fast the roads for tensors are, beside what others can do."""

import argparse
import os
import subprocess

from . import tensorflow_rows
from .bench_plots import matplotlib_or_raise, write_plots
from .bench_results import Results
from .bench_tables import read_json, tables, write_csv, write_json
from .progress import Progress

_BUILD = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3))
PROGRAM = os.path.join(_BUILD, "bench", "sluice-bench-transport")

DESCRIPTION = """\
Measures every road for tensors and its peers between two processes that are pinned, in turns,
round after round: latency one way (percentiles), bandwidth, message rate, and the throughput of
parameter servers, each with the processor time it takes. docs/transports.md says what is measured.

A row is void when other processes used the machine meanwhile, or when the peer that does the same
work without us (raw TCP, memcpy, ...) was far below its best: of this run, or of --known.
"""

# What the measuring program takes as it is.
_PASSED_ON = (
    ("--transports", "those to be compared, separated by commas; default: all (--list)"),
    ("--sizes", 'of messages: "1,4K,64M", or "1:256M" by fours (the default)'),
    ("--mixes", 'payloads of TF-gRPC-Bench: "uniform,random,skewed" (the default), or ""'),
    ("--serialised", "what is also measured encoded: none, mixes (the default) or all"),
    ("--connections", "of tcp and raw-tcp; default 1"),
    ("--servers", "parameter servers; default 2, 0: not measured"),
    ("--workers", "of the parameter servers; default 3"),
    ("--rounds", "in each of which every transport has its turn; default 7"),
    ("--seconds", "of one transport in one round, for each figure; default 0.02"),
    (
        "--pin",
        "the two processes to half of the cores each (apart, the default), together, or none",
    ),
    ("--connect", "HOST:PORT of a far process on another machine (--serve there)"),
)


def add(commands):
    bench = commands.add_parser("bench", help="how fast parts of Sluice are")
    parts = bench.add_subparsers(dest="part", required=True, metavar="PART")
    transport = parts.add_parser(
        "transport", help="the transports of tensors", description=DESCRIPTION, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    for name, help_text in _PASSED_ON:
        transport.add_argument(name, help=help_text)
    transport.add_argument(
        "--list", action="store_true", help="print the transports, measure nothing"
    )
    transport.add_argument(
        "--serve", metavar="HOST:PORT",
        help="be the far process for others, until stopped; whoever reaches it may use this "
        "machine's memory and processors",
    )  # fmt: skip
    transport.add_argument("--json", metavar="FILE", help="write all figures as JSON")
    transport.add_argument("--csv", metavar="FILE", help="write all figures as CSV")
    transport.add_argument("--plots", metavar="FOLDER", help="write pictures; needs matplotlib")
    transport.add_argument("--known", metavar="FILE", help="the JSON of a run on a quiet machine")
    transport.add_argument(
        "--read", metavar="FILE", help="measure nothing: show the JSON of an earlier run"
    )
    transport.add_argument(
        "--tensorflow", metavar="PYTHON", default=os.environ.get("SLUICE_TF2_PYTHON", ""),
        help="a Python with TensorFlow, whose servers are a peer too; default: SLUICE_TF2_PYTHON",
    )  # fmt: skip
    transport.set_defaults(run=run)


def command(options):
    """The measuring program's command line."""
    words = [PROGRAM]
    for name, _ in _PASSED_ON:
        value = getattr(options, name[2:])
        if value is not None:
            words.append(f"{name}={value}")
    words += ["--list"] * options.list
    return words + ([f"--serve={options.serve}"] if options.serve else [])


def run(options):
    if not os.path.exists(PROGRAM) and not options.read:
        raise ValueError(f"{PROGRAM} is not built: ninja -C {_BUILD} sluice-bench-transport")
    if options.list or options.serve:
        return subprocess.run(command(options), check=False).returncode
    if options.plots:
        matplotlib_or_raise()  # now, not after the measurement
    known = _read(options.known) if options.known else Results()
    results = _read(options.read) if options.read else _measure_all(options)
    if results is None:
        return 1
    results.mark_void(known.figures)
    _write(results, options)
    return 0


def _read(path):
    results = Results()
    with open(path, encoding="utf-8") as file:
        for line in read_json(file):
            results.take(line)
    return results


def _measure_all(options):
    """None: a program failed, and said why."""
    results = Results()
    with Progress("sluice bench transport") as progress:
        progress.step("beginning")
        good = _measure(command(options), results, progress)
        if good and options.tensorflow and not options.connect:
            words = tensorflow_rows.command(options, results.setting, _BUILD)
            good = _measure(words, results, progress)
    return results if good else None


def _measure(words, results, progress):
    """Takes the lines that a program prints; whether it ended well."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            results.take(line)
            if results.figures:
                last = results.figures[-1]
                progress.step(f"{last.metric} of {last.payload} is measured")
    return process.returncode == 0


def _write(results, options):
    for line in tables(results):
        print(line)
    for path, write in ((options.json, write_json), (options.csv, write_csv)):
        if path:
            with open(path, "w", encoding="utf-8") as file:
                write(results, file)
    if options.plots:
        print("\n".join(write_plots(results, options.plots)))
