# SPDX-License-Identifier: Apache-2.0
"""sluice bench collectives: the speed of collective operations, beside Gloo and MPI."""

import argparse
import csv
import dataclasses
import json

from . import bench_programs
from .bench_programs import three_digits
from .collective_results import OURS, Results, tuning_lines
from .figures import bytes_text, columns
from .progress import Progress

PROGRAM = bench_programs.path("sluice-bench-collectives")

DESCRIPTION = """\
Measures collective operations between processes of this machine, in turns, for several rounds:
Sluice, Gloo and MPI, as far as they were found when Sluice was built. Each member is a process. The
results of all contenders are checked. docs/collectives.md explains the figures.

A row is void if other processes used the machine at that time.
"""

# Options that are passed on to the measuring program.
_PASSED_ON = (
    (
        "--op",
        "all_reduce (the default), all_gather, broadcast, reduce_scatter, all_to_all, or several, "
        "separated by commas",
    ),
    ("--sizes", 'bytes: "4,4K,64M", or "4:256M", each 4 times the last (the default)'),
    ("--members", "numbers of members; default 2,4"),
    ("--algorithm", "algorithm of Sluice: auto (the default), or a name"),
    ("--transports", "transports between the members; default shm,tcp"),
    ("--contenders", "contenders to compare; default sluice,gloo,mpi"),
    ("--rounds", "number of rounds; each contender has one turn in a round; default 7"),
    ("--seconds", "time of one contender in one round; default 0.02"),
)


def add(parts):
    parser = parts.add_parser(
        "collectives", help="measure collective operations", description=DESCRIPTION,
        allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    bench_programs.add_options(parser, _PASSED_ON)
    parser.add_argument(
        "--tune", action="store_true",
        help="measure all algorithms of Sluice, on one host and as if on several, and print the "
        "lines that choose among them (kChoices)",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--csv", metavar="FILE", help="write all figures as CSV")
    parser.add_argument(
        "--read", metavar="FILE", help="do not measure; show the JSON of an earlier run"
    )
    parser.set_defaults(run=run)


def command(options):
    """Returns the command line of the measuring program."""
    words = bench_programs.command(PROGRAM, options, _PASSED_ON)
    return words + ["--tune"] * options.tune


def run(options):
    if options.read:
        results = bench_programs.read(options.read, read_json, Results())
    else:
        results = _measure(options)
    if results is None:
        return 1
    for figure in results.figures:
        figure.void = bench_programs.disturbed(figure)
    for line in tables(results):
        print(line)
    bench_programs.write_files(results, (options.json, write_json), (options.csv, write_csv))
    return 0


def _measure(options):
    """Returns None if the program failed; it has printed the reason."""
    bench_programs.check_built(PROGRAM)
    results = Results()
    with Progress("sluice bench collectives") as progress:
        progress.step("beginning")

        def take(line):
            results.take(line)
            if results.figures:
                last = results.figures[-1]
                size = bytes_text(last.bytes)
                progress.step(f"{last.op} of {size} by {last.members} members is measured")

        good = bench_programs.run(command(options), take)
    return results if good else None


# ---- tables, CSV and JSON ----------------------------------------------------------------------


def tables(results):
    """Lines: a table for each operation, number of members and map of hosts."""
    s = results.setting
    yield f"# one machine, {s.get('cores')} cores; {s.get('rounds')} rounds, medians"
    for contender, why in results.missing.items():
        yield f"# {contender}: not measured: {why}"
    peers = results.peers()
    for key in dict.fromkeys(f.key[:3] for f in results.figures):
        op, members, hosts = key
        yield ""
        yield f"# {op}, {members} members" + (f" on {hosts} hosts" if hosts > 1 else "")
        rows = [("size", "contender", "transport", "algorithm", "time us", "alg GB/s", "bus GB/s",
                 "CPU s/GB", *(f"x {peer}" for peer in peers), "void")]  # fmt: skip
        shown = [f for f in results.figures if f.key[:3] == key]
        rows += [_row(f, results, peers) for f in sorted(shown, key=lambda f: f.bytes)]
        yield from columns(rows, right=range(4, 8 + len(peers)))
    if s.get("tune"):
        yield ""
        yield "# kChoices in worker_service/groups/algorithms/selection.cc"
        yield from tuning_lines(results)


def _row(figure, results, peers):
    ratios = [results.ratio(figure, peer) if figure.contender == OURS else None for peer in peers]
    return (
        bytes_text(figure.bytes),
        figure.contender,
        figure.transport,
        figure.algorithm or "-",
        three_digits(figure.seconds * 1e6),
        three_digits(figure.algorithm_bandwidth / 1e9),
        three_digits(figure.bus_bandwidth / 1e9),
        three_digits(figure.cpu_seconds_per_gb),
        *("-" if ratio is None else f"{ratio:.2f}" for ratio in ratios),
        figure.void,
    )


def as_dict(figure, results):
    made = dataclasses.asdict(figure)
    made.update(
        seconds=figure.seconds,
        algorithm_bandwidth=figure.algorithm_bandwidth,
        bus_bandwidth=figure.bus_bandwidth,
        cpu_seconds_per_gb=figure.cpu_seconds_per_gb,
        ratios={},
    )
    if figure.contender == OURS:
        made["ratios"] = {peer: results.ratio(figure, peer) for peer in results.peers()}
    return made


def write_json(results, file):
    json.dump(
        {
            "setting": results.setting,
            "figures": [as_dict(f, results) for f in results.figures],
            "missing": results.missing,
        },
        file,
        indent=1,
    )


def read_json(file):
    """The file of write_json, as lines that Results takes."""
    written = json.load(file)
    yield json.dumps({"line": "setting", **written["setting"]})
    for name, why in written["missing"].items():
        contender, _, transport = name.rstrip(")").rpartition(" (")
        missing = {"contender": contender, "transport": transport, "why": why}
        yield json.dumps({"line": "missing", **missing})
    for figure in written["figures"]:
        for made in ("seconds", "algorithm_bandwidth", "bus_bandwidth", "cpu_seconds_per_gb",
                     "ratios", "void"):  # fmt: skip
            figure.pop(made)
        yield json.dumps({"line": "figure", **figure})


_COLUMNS = ("op", "contender", "transport", "algorithm", "members", "hosts", "bytes", "seconds",
            "algorithm_bandwidth", "bus_bandwidth", "cpu_seconds_per_gb", "void")  # fmt: skip


def write_csv(results, file):
    peers = [f"ratio_{peer}" for peer in results.peers()]
    columns_of_file = [*_COLUMNS, *peers]
    writer = csv.DictWriter(file, columns_of_file, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for figure in results.figures:
        row = as_dict(figure, results)
        row.update({f"ratio_{peer}": value for peer, value in row["ratios"].items()})
        writer.writerow(row)
